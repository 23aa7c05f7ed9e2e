"""Tables that are awake: the hall that keeps them, and each with whoever is there."""
