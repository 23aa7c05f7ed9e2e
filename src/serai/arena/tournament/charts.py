"""The charts of a tournament's page, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from serai.arena.tournament.standings import Standing

_INK, _FAINT, _MARK, _AGAINST = "#2b2118", "#d9cdb8", "#8a4b1f", "#2f5d73"
_WIDTH, _LEFT, _RIGHT, _LINE = 860, 170, 40, 28


def rating_bars(entrants: Sequence[Standing]) -> str:
    """A dot per entrant, with its interval."""
    scale = _Scale(min(one.low for one in entrants), max(one.high for one in entrants), _LEFT, _WIDTH - _RIGHT)
    height = _LINE * len(entrants) + 40
    parts = [_text(scale.at(tick), height - 8, f"{tick:.0f}", "middle") for tick in scale.ticks()]
    parts += [_line(scale.at(tick), 6, scale.at(tick), height - 26, _FAINT) for tick in scale.ticks()]
    for row, one in enumerate(entrants):
        y = 20 + _LINE * row
        parts.append(_text(_LEFT - 12, y + 5, _short(one.name), "end"))
        parts.append(_line(scale.at(one.low), y, scale.at(one.high), y, _MARK, 3))
        parts.append(_dot(scale.at(one.rating), y, f"{one.name}: {one.rating:.0f} ({one.low:.0f} to {one.high:.0f})"))
    return _svg(height, "Ratings with their 95 % intervals", parts)


def who_beats_whom(names: Sequence[str], beats: Sequence[Sequence[float | None]]) -> str:
    """A square for every two: in which part of their games the one on the left came in before the one on top."""
    size = min(64, (_WIDTH - _LEFT - _RIGHT) // len(names))
    top, parts = 96, []
    for column, name in enumerate(names):
        x = _LEFT + size * column + size / 2
        parts.append(
            f'<text x="{x:.1f}" y="{top - 8}" transform="rotate(-35 {x:.1f} {top - 8})" fill="{_INK}">'
            f"{escape(_short(name))}</text>"
        )
    for row, name in enumerate(names):
        y = top + size * row
        parts.append(_text(_LEFT - 12, y + size / 2 + 5, _short(name), "end"))
        for column, share in enumerate(beats[row]):
            if share is None:
                continue
            strength = abs(share - 0.5) * 1.7 + 0.06
            colour = _MARK if share >= 0.5 else _AGAINST
            x = _LEFT + size * column
            parts.append(
                f'<rect x="{x}" y="{y}" width="{size - 2}" height="{size - 2}" fill="{colour}" '
                f'fill-opacity="{min(1, strength):.2f}"><title>{escape(name)} before {escape(names[column])}: '
                f"{100 * share:.1f} %</title></rect>"
            )
            ink = "#fff" if strength > 0.5 else _INK
            parts.append(_text(x + size / 2 - 1, y + size / 2 + 5, f"{100 * share:.0f}", "middle", ink))
    return _svg(top + size * len(names) + 10, "Who comes in before whom, in per cent of their games", parts)


def against_time(entrants: Sequence[Standing]) -> str:
    """Rating over the time for a decision, in powers of ten."""
    timed = [(one, math.log10(one.microseconds)) for one in entrants if one.microseconds]
    height, bottom = 360, 320
    across = _Scale(math.floor(min(at for _, at in timed)), math.ceil(max(at for _, at in timed)), 70, _WIDTH - 120)
    up = _Scale(min(one.rating for one, _ in timed), max(one.rating for one, _ in timed), bottom - 20, 24)
    parts = [_line(70, bottom, _WIDTH - 40, bottom, _INK), _line(70, 10, 70, bottom, _INK)]
    powers = range(int(across.low), int(across.high) + 1)
    parts += [_text(across.at(power), bottom + 20, _microseconds(power), "middle") for power in powers]
    parts += [_text(62, up.at(tick) + 5, f"{tick:.0f}", "end") for tick in up.ticks()]
    for one, at in timed:
        parts.append(_dot(across.at(at), up.at(one.rating), f"{one.name}: {one.rating:.0f}, {one.microseconds:.0f} µs"))
        parts.append(_text(across.at(at) + 9, up.at(one.rating) + 5, _short(one.name), "start"))
    return _svg(height, "Rating over thinking time for a decision", parts)


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


def _svg(height: float, told: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="14"><title>{escape(told)}</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, said: str, anchor: str, ink: str = _INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{ink}">{escape(said)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 1) -> str:
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round"/>'
    )


def _dot(x: float, y: float, told: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{_MARK}"><title>{escape(told)}</title></circle>'


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"


def _microseconds(power: int) -> str:
    unit, left = ("µs", power) if power < 3 else ("ms", power - 3) if power < 6 else ("s", power - 6)
    return f"{10.0**left:g} {unit}"
