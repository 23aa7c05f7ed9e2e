"""Who plays Camel Up: one file per bot, weakest first ``quick``, then ``greedy``."""
