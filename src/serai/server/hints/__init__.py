"""Hints at live tables: what the coach would do, worked out in a process of its own from what one seat has seen."""
