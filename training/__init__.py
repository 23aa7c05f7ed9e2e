"""Training: ``python -m training GAME --seed 1`` writes a game's fitted data files."""
