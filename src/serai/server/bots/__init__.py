"""Bots at live tables: their seats, the pool of workers, and a worker."""
