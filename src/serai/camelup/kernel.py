"""Camel Up compiled by numba over flat rows: see :mod:`serai.camelup.layout` for every offset and action number.

A compiled policy is ``choice(row, seat, race, scratch) -> action``: ``row`` is ``int16[ROW_SIZE]`` (read only, and of
others' race cards it may read nothing but who laid them), ``race`` the race table as the odds lay it out,
``scratch`` a ``float64`` work array that the policy's own module sizes. The answer is an action number of the layout.
"""
