"""Camel Up over flat rows, compiled: the same game as the readable rules, for simulation, search and learning."""
