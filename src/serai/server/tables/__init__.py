"""Live tables in memory: the hall, each table with its viewers, clocks, and news from other processes."""
