"""Many games between bots: simulations, tournaments, and where their games are played."""
