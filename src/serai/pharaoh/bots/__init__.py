"""Who plays Das Gold des Pharao: ``explorer``, levels by temper, and levels by search."""
