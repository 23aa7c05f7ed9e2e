"""The rules of Das Gold des Pharao as readable code; their text, by number, is in docs/rules."""
