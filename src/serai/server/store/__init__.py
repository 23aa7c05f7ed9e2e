"""Where entries are kept: SQLite or PostgreSQL, and what looks after a whole database."""
