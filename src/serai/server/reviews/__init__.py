"""Reviews of finished games for whoever asks: in processes of their own, one address after the other."""
