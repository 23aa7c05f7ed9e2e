"""Exact chances of leg and race, and what every action is worth: :mod:`serai.camelup.odds.report` is the way in."""
