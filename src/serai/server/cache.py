"""LRU cache of responses, bounded in bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

MAX_BYTES = 16 << 20
"""Some hundred records, or pages of frames."""
_OVERHEAD = 300
"""Bytes, about, that an entry takes besides its response."""


class Cache:
    """Responses by key; the least recently used goes first. Safe for threads.

    A key names everything that a response depends on, such as the number of a table's last entry: so nothing has to be
    removed when that changes; only when entries are rewritten, to forget somebody.
    """

    def __init__(self, most: int = MAX_BYTES) -> None:
        self._most = most
        self._responses: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self.size = 0
        """Bytes."""

    def get(self, key: Hashable) -> bytes | None:
        with self._lock:
            response = self._responses.get(key)
            if response is not None:
                self._responses.move_to_end(key)
            return response

    def put(self, key: Hashable, response: bytes) -> None:
        with self._lock:
            self._drop(key)
            self._responses[key] = response
            self.size += len(response) + _OVERHEAD
            while self.size > self._most:
                self._drop(next(iter(self._responses)))

    def get_or_make(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        response = self.get(key)
        if response is None:
            response = make()
            self.put(key, response)
        return response

    def pop(self, key: Hashable) -> None:
        """Drop one response, if it is there."""
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything: what responses were made from has been rewritten."""
        with self._lock:
            self._responses.clear()
            self.size = 0

    def _drop(self, key: Hashable) -> None:
        response = self._responses.pop(key, None)
        if response is not None:
            self.size -= len(response) + _OVERHEAD
