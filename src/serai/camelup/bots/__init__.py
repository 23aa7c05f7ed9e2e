"""Who plays Camel Up, one file per bot: the levels from ``jerboa`` to ``cobra``, and ``quick`` and ``greedy``."""
