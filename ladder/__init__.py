"""The published ladder: all bots of every game against each other (``python -m ladder``, ``make ladder``)."""
