"""Exact chances of leg and race, and the value of every action. All but ``answer`` and ``drawing`` need NumPy."""
