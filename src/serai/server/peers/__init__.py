"""Other server processes at the same tables."""
