"""Pig: roll a die for points, hold to bank them; a 1 loses what the turn gathered. First to the target wins."""
