"""Draw the log of ``train.py``: ``python examples/learn/curve.py log.txt curve.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 48, 616, 24, 272
TOP_WINS = 60
PAR = 25
LINES = (("in the exam", 5, "#b3541e"), ("while learning", 4, "#2f6f8f"))
"""Name, column of the log and colour of each line."""


def points(log: str) -> list[list[float]]:
    """The rows of numbers in the log."""
    found = []
    for line in log.splitlines():
        try:
            numbers = [float(word) for word in line.split()]
        except ValueError:
            continue
        if len(numbers) > max(column for _, column, _ in LINES):
            found.append(numbers)
    return found


def draw(rows: list[list[float]]) -> str:
    """An SVG: the share of victories over seconds of training."""
    end = rows[-1][0]

    def x(seconds: float) -> float:
        return LEFT + (RIGHT - LEFT) * seconds / end

    def y(wins: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * wins / TOP_WINS

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf8"/>',
        '<g font-size="12">',
    ]
    for wins in range(0, TOP_WINS + 1, 10):
        parts.append(f'<path d="M{LEFT} {y(wins):.1f}H{RIGHT}" stroke="#ddd5c5"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(wins) + 4:.1f}" text-anchor="end">{wins} %</text>')
    for quarter in range(5):
        seconds = end * quarter / 4
        parts.append(f'<text x="{x(seconds):.1f}" y="{BOTTOM + 18}" text-anchor="middle">{seconds:.0f} s</text>')
    parts.append(f'<path d="M{LEFT} {y(PAR):.1f}H{RIGHT}" stroke="#777" stroke-dasharray="4 4"/>')
    parts.append(f'<text x="{RIGHT}" y="{y(PAR) + 15:.1f}" text-anchor="end" fill="#555">par: 25 %</text>')
    for place, (name, column, colour) in enumerate(LINES):
        way = " ".join(f"{x(row[0]):.1f},{y(row[column]):.1f}" for row in rows)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{LEFT + 150 * place}" y="{HEIGHT - 10}" fill="{colour}">wins {name}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


if __name__ == "__main__":
    log, picture = map(Path, sys.argv[1:])
    picture.write_text(draw(points(log.read_text(encoding="utf-8"))), encoding="utf-8")
