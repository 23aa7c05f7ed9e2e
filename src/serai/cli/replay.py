"""``serai replay FILE``: a recorded game, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from serai.cli._support import screen
from serai.cli._support.choices import json_option
from serai.cli._support.files import load_record, named
from serai.core.chance import CHANCE
from serai.core.errors import BadRecord
from serai.core.game import Game
from serai.core.record import Ply, Record, first_state, replay, verify

_KEYS = "Enter: on · b: back · a number: go there · q: quit"


class Step(msgspec.Struct, frozen=True):
    """A player's action with the draws that follow it; the first step is the set-up."""

    last: int
    """How many actions of the record have been played then."""
    notation: str
    events: tuple[Any, ...]
    state: Any


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option()
def command(file: Path, as_json: bool) -> None:
    """Step through a recorded game, or print its story if nobody is there to press keys."""
    record = load_record(file)
    try:
        game, first = first_state(record)
        plies = list(replay(record))
        finished = verify(record).finished
    except BadRecord as error:
        raise named(file, error) from None
    show = _Show(record, game, first, plies, finished)
    if as_json:
        screen.say_json(show.described())
    elif screen.is_terminal():
        show.walk()
    else:
        show.print_all()


class _Show:
    """A replay. Of an unfinished game only what an onlooker may see is shown."""

    def __init__(self, record: Record, game: Game, first: Any, plies: list[Ply], finished: bool) -> None:
        self.record = record
        self.game = game
        self.names = tuple(screen.printable(seat.name) for seat in record.seats)
        self.finished = finished
        self.plies = plies
        self.steps = self._steps(first)

    def walk(self) -> None:
        """Let a person step to and fro."""
        place = 0
        note = ""
        while True:
            self._show(place, note)
            answer = screen.read_line(f"{_KEYS} > ").strip().lower()
            note = ""
            if answer.isdecimal():
                place = next((n for n, step in enumerate(self.steps) if step.last >= int(answer)), len(self.steps) - 1)
            elif answer in ("q", "quit"):
                return
            elif answer in ("b", "back"):
                place = max(0, place - 1)
            elif answer:
                note = f"{answer!r} is no key here."
            elif place == len(self.steps) - 1:
                return
            else:
                place += 1

    def print_all(self) -> None:
        """The whole story, and the table at its end."""
        for step in self.steps:
            screen.say(f"{step.last:4}  {step.notation}")
            told = self._story(step, 74)
            if told:
                screen.say("\n".join(f"      {line}" for line in told.splitlines()))
        screen.say()
        screen.say(self._drawn(self.steps[-1]))
        screen.say()
        screen.say(self._ending())

    def described(self) -> dict[str, Any]:
        """The replay as plain data."""
        return {
            "game": self.record.game,
            "rules": self.record.rules,
            "seats": msgspec.to_builtins(self.record.seats),
            "options": self.record.options,
            "finished": self.finished,
            "result": self.record.result,
            "plies": [
                {
                    "number": ply.number,
                    "actor": "chance" if ply.before.actor is CHANCE else ply.before.actor,
                    "action": str(self._seen_action(ply)),
                    "events": [msgspec.to_builtins(self._seen(event)) for event in ply.events],
                    "scores": ply.after.scores(),
                }
                for ply in self.plies
            ],
        }

    def _steps(self, first: Any) -> list[Step]:
        steps = [Step(0, "set-up", (), first)]
        for ply in self.plies:
            before = steps[-1]
            if ply.before.actor is CHANCE:
                events, notation = (*before.events, *ply.events), f"{before.notation}, {ply.action}"
                steps[-1] = Step(ply.number + 1, notation, events, ply.after)
            else:
                notation = f"{self.names[ply.before.actor]}: {self._seen_action(ply)}"
                steps.append(Step(ply.number + 1, notation, ply.events, ply.after))
        return steps

    def _show(self, place: int, note: str) -> None:
        step = self.steps[place]
        parts = [
            f"{screen.strong(f'{step.last} of {len(self.plies)}')}  {step.notation}",
            self._story(step, min(screen.width(), 80)),
            f"\n{self._drawn(step)}\n",
            self._ending() if place == len(self.steps) - 1 else "",
            note,
        ]
        screen.clear()
        screen.say(screen.fitted("\n".join(filter(None, parts)), below=1))

    def _story(self, step: Step, columns: int) -> str:
        return screen.story([self.game.tell(self._seen(event), self.names) for event in step.events], columns)

    def _drawn(self, step: Step) -> str:
        state = step.state if self.finished else step.state.seen_by(None)
        return self.game.draw(state, seat=None, names=self.names, colour=screen.has_colour())

    def _ending(self) -> str:
        if not self.finished:
            return "The game is unfinished here."
        return "The result: " + ", ".join(
            f"{name} {score}" for name, score in zip(self.names, self.steps[-1].state.scores(), strict=True)
        )

    def _seen(self, event: Any) -> Any:
        return event if self.finished else event.seen_by(None)

    def _seen_action(self, ply: Ply) -> Any:
        return ply.action if self.finished else ply.action.seen_by(None, ply.before.actor)
