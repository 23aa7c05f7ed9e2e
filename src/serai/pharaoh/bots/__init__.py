"""Who plays Das Gold des Pharao: one file per bot."""
