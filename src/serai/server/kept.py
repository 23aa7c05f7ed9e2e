"""Answers that are kept for whoever asks again: by what they were made of, and never more than so many bytes."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable

MOST_BYTES = 16 << 20
"""Some hundred records, or pages of frames."""
_OVERHEAD = 300
"""Bytes, about, that an answer takes besides itself."""


class Kept:
    """Answers by key, the one not asked for for longest forgotten first; for any thread. A key names all that an answer
    depends on, such as the number of a table's last entry: then there is nothing to be taken back.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()
        self._versions: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.size = 0
        """Bytes."""

    def get(self, key: Hashable) -> bytes | None:
        """The answer of that key, if it is kept."""
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer."""
        with self._lock:
            self._drop(key)
            self._answers[key] = answer
            self.size += len(answer) + _OVERHEAD
            while self.size > self._most:
                self._drop(next(iter(self._answers)))

    def made(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The answer of that key, made now if it is not kept."""
        answer = self.get(key)
        if answer is None:
            answer = make()
            self.put(key, answer)
        return answer

    def version(self, of: str) -> int:
        """For keys of what has no number of its own: how often it was outdated."""
        return self._versions[of]

    def outdate(self, of: str) -> None:
        """What was made of it is not asked for any more."""
        self._versions[of] += 1

    def _drop(self, key: Hashable) -> None:
        answer = self._answers.pop(key, None)
        if answer is not None:
            self.size -= len(answer) + _OVERHEAD
