"""Tournaments: who plays whom and until when, every game kept, and what they say of everybody's strength."""
