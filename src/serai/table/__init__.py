"""A live table: seats, turns, undo, chat, absent players, entries. Pure: the caller passes in messages and the time."""
