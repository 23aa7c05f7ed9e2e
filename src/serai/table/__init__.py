"""A live table: seats, turns, undo, chat, absent players, the list of entries. Pure: messages and the time come in."""
