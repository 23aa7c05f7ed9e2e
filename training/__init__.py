"""What bots have learned, and how: ``python -m training GAME --seed 1`` makes a game's data files anew."""
