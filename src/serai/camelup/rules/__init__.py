"""The rules of Camel Up as readable code; their text, by number, is in docs/rules."""
