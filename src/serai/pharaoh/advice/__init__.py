"""Advice before a player acts: why something is refused, how far figures get, what falls when. All of it is public."""
