"""The rules of Das Gold des Pharao over flat rows, compiled by numba: for simulation, search and learning."""

from serai.errors import need

need("fast", "compiled games", "numpy", "numba")
