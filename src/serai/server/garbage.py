"""When Python looks for rings of objects that nobody holds any more.

Left alone it looks through everything that lives, at moments of its own choosing: with a thousand tables awake that is
a pause of a fifth of a second, every few seconds, in the middle of people's moves. Nearly all that Serai lets go is
freed at once, without such a search; rings are rare and small. So what is there from the start is never looked at
again, what is young is looked at as always, and everything only now and then.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

YOUNG, MIDDLE, NEVER = 2_000, 10, 1_000_000
"""New objects before the young are looked at, of such looks before those that survived one are, and so on."""
EVERY_SECONDS = 600.0
"""How often everything is looked at."""


def begin(observe: Callable[[float], None]) -> None:
    """Take the sweeping of this process, which serves from now on, in hand; ``observe`` hears how long a sweep took.

    It is for a process that does nothing else: the settings are the whole interpreter's.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    loop = asyncio.get_running_loop()

    def sweep() -> None:
        began = time.perf_counter()
        gc.collect()
        observe(time.perf_counter() - began)
        loop.call_later(EVERY_SECONDS, sweep)

    loop.call_later(EVERY_SECONDS, sweep)
