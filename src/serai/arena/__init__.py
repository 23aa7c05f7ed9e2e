"""Many games between bots: series, in portions or in bulk, and what they say."""
