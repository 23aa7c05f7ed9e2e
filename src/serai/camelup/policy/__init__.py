"""Compiled players of Camel Up: what they do, how playouts go on, what a position is worth."""

from serai.errors import need

need("fast", "compiled players", "numpy", "numba")
