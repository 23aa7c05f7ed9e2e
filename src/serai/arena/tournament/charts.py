"""The charts of a tournament's page, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence

from serai.arena.tournament.standings import Standing
from serai.core.drawing import ACCENT, EDGE, HEAD, INK, at, circle, picture, polyline, rect, shortened, text, told

_WIDTH, _LEFT, _RIGHT, _LINE = 860, 170, 40, 28


def rating_bars(entrants: Sequence[Standing]) -> str:
    """A dot per entrant, with its interval."""
    scale = _Scale(min(one.low for one in entrants), max(one.high for one in entrants), _LEFT, _WIDTH - _RIGHT)
    height = _LINE * len(entrants) + 40
    parts = [text(scale.at(tick), height - 8, f"{tick:.0f}", anchor="middle") for tick in scale.ticks()]
    parts += [polyline([(scale.at(tick), 6), (scale.at(tick), height - 26)], EDGE, 1) for tick in scale.ticks()]
    for row, one in enumerate(entrants):
        y = 20 + _LINE * row
        parts.append(_name(_LEFT - 12, y + 5, one.name))
        parts.append(polyline([(scale.at(one.low), y), (scale.at(one.high), y)], HEAD, 3))
        parts.append(_dot(scale.at(one.rating), y, f"{one.name}: {one.rating:.0f} ({one.low:.0f} to {one.high:.0f})"))
    return picture(_WIDTH, height, *parts, title="Ratings with their 95 % intervals")


def who_beats_whom(names: Sequence[str], beats: Sequence[Sequence[float | None]]) -> str:
    """A square for every two: in which part of their games the one on the left came in before the one on top."""
    size = min(64, (_WIDTH - _LEFT - _RIGHT) // len(names))
    top, parts = 96, []
    for column, name in enumerate(names):
        x = _LEFT + size * column + size / 2
        parts.append(at(x, top - 8, text(0, 0, shortened(name, 20)), turned=-35))
    for row, name in enumerate(names):
        y = top + size * row
        parts.append(_name(_LEFT - 12, y + size / 2 + 5, name))
        for column, share in enumerate(beats[row]):
            if share is None:
                continue
            strength = abs(share - 0.5) * 1.7 + 0.06
            colour = HEAD if share >= 0.5 else ACCENT
            x = _LEFT + size * column
            square = rect(x, y, size - 2, size - 2, fill=colour, fill_opacity=min(1, strength))
            ink = "#fff" if strength > 0.5 else INK
            number = text(x + size / 2 - 1, y + size / 2 + 5, f"{100 * share:.0f}", anchor="middle", fill=ink)
            parts.append(told(square, number, by=f"{name} before {names[column]}: {100 * share:.1f} %"))
    title = "Who comes in before whom, in per cent of their games"
    return picture(_WIDTH, top + size * len(names) + 10, *parts, title=title)


def against_time(entrants: Sequence[Standing]) -> str:
    """Rating over the time for a decision, in powers of ten."""
    timed = [(one, math.log10(one.microseconds)) for one in entrants if one.microseconds]
    height, bottom = 360, 320
    across = _Scale(
        math.floor(min(power for _, power in timed)), math.ceil(max(power for _, power in timed)), 70, _WIDTH - 120
    )
    up = _Scale(min(one.rating for one, _ in timed), max(one.rating for one, _ in timed), bottom - 20, 24)
    parts = [polyline([(70, 10), (70, bottom), (_WIDTH - 40, bottom)], INK, 1)]
    decades = range(int(across.low), int(across.high) + 1)
    parts += [text(across.at(power), bottom + 20, _microseconds(power), anchor="middle") for power in decades]
    parts += [_name(62, up.at(tick) + 5, f"{tick:.0f}") for tick in up.ticks()]
    for one, power in timed:
        x, y = across.at(power), up.at(one.rating)
        parts.append(_dot(x, y, f"{one.name}: {one.rating:.0f}, {one.microseconds:.0f} µs"))
        parts.append(text(x + 9, y + 5, shortened(one.name, 20)))
    return picture(_WIDTH, height, *parts, title="Rating over thinking time for a decision")


class _Scale:
    """Numbers on a line of the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low, max(high, low + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        return self._start + (value - self.low) / (self.high - self.low) * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Round numbers, some five of them."""
        rough = (self.high - self.low) / 5
        power = 10 ** math.floor(math.log10(rough))
        step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
        first = math.ceil(self.low / step)
        return [place * step for place in range(first, math.floor(self.high / step) + 1)]


def _name(x: float, y: float, name: str) -> str:
    return text(x, y, shortened(name, 20), anchor="end")


def _dot(x: float, y: float, said: str) -> str:
    return told(circle(x, y, 5.5, fill=HEAD), by=said)


def _microseconds(power: int) -> str:
    unit, left = ("µs", power) if power < 3 else ("ms", power - 3) if power < 6 else ("s", power - 6)
    return f"{10.0**left:g} {unit}"
