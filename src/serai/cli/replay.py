"""``serai replay FILE``: step through a recorded game."""

from __future__ import annotations

import bisect
import itertools
from pathlib import Path
from typing import Any

import click
import msgspec

from serai.cli._support import screen
from serai.cli._support.choices import PATH, json_option
from serai.cli._support.files import load_record, named
from serai.core.game import Event, Game
from serai.core.play import Play, Ply
from serai.core.record import Record, first_state, verified_plays
from serai.errors import BadRecord

_KEYS = "Enter: next · b: back · a number: go there · q: quit"


@click.command()
@click.argument("file", type=PATH)
@json_option
def command(file: Path, as_json: bool) -> None:
    """Step through a recorded game; without a terminal, print all of it."""
    record = load_record(file)
    try:
        game, _ = first_state(record)
        plays = tuple(verified_plays(record))
    except BadRecord as error:
        raise named(file, error) from None
    show = _Show(record, game, plays)
    if as_json:
        screen.say_json(show.described())
    elif screen.is_terminal():
        show.walk()
    else:
        show.print_all()


class _Show:
    """A replay. An unfinished game is shown as an onlooker sees it."""

    def __init__(self, record: Record, game: Game, plays: tuple[Play, ...]) -> None:
        self.record = record
        self.game = game
        self.names = screen.distinct_names([seat.name for seat in record.seats])
        self.finished = record.result is not None
        self.plays = plays
        self.played = tuple(itertools.accumulate(len(play.plies) for play in plays))
        """By play: how many actions of the record have been played after it."""

    def walk(self) -> None:
        """Let a person step forwards and back."""
        place = 0
        note = ""
        while True:
            self._show(place, note)
            answer = screen.read_line(f"{_KEYS} > ").strip().lower()
            note = ""
            if answer.isdecimal():
                place = min(bisect.bisect_left(self.played, int(answer)), len(self.plays) - 1)
            elif answer in ("q", "quit"):
                return
            elif answer in ("b", "back"):
                place = max(0, place - 1)
            elif answer:
                note = f"{answer!r} does nothing here."
            elif place == len(self.plays) - 1:
                return
            else:
                place += 1

    def print_all(self) -> None:
        """Print every play, and the table at the end."""
        for play, played in zip(self.plays, self.played, strict=True):
            screen.say(f"{played:4}  {self._notation(play)}")
            story = self._story(play, 74)
            if story:
                screen.say("\n".join(f"      {line}" for line in story.splitlines()))
        screen.say()
        screen.say(self._drawn(self.plays[-1]))
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
                    "number": number,
                    "actor": "chance" if ply.drawn else ply.before.actor,
                    "action": str(self._seen_action(ply)),
                    "events": [msgspec.to_builtins(self._seen(event)) for event in ply.events],
                    "scores": ply.after.scores(),
                }
                for number, ply in enumerate(ply for play in self.plays for ply in play.plies)
            ],
        }

    def _notation(self, play: Play) -> str:
        who = "set-up"
        if play.actor is not None:
            who = f"{self.names[play.actor]}: {self._seen_action(play.plies[0])}"
        return ", ".join([who, *(str(draw.action) for draw in play.draws)])

    def _show(self, place: int, note: str) -> None:
        play = self.plays[place]
        parts = [
            f"{screen.strong(f'{self.played[place]} of {len(self.record.actions)}')}  {self._notation(play)}",
            self._story(play, min(screen.width(), 80)),
            f"\n{self._drawn(play)}\n",
            self._ending() if place == len(self.plays) - 1 else "",
            note,
        ]
        screen.clear()
        screen.say(screen.fitted("\n".join(filter(None, parts)), below=1))

    def _story(self, play: Play, columns: int) -> str:
        return screen.story([self.game.text.tell(self._seen(event), self.names) for event in play.events], columns)

    def _drawn(self, play: Play) -> str:
        state = play.after if self.finished else play.after.seen_by(None)
        return self.game.text.draw(state, seat=None, names=self.names, colour=screen.has_colour())

    def _ending(self) -> str:
        if not self.finished:
            return "The game is not finished."
        return "The result: " + ", ".join(
            f"{name} {score}" for name, score in zip(self.names, self.plays[-1].after.scores(), strict=True)
        )

    def _seen(self, event: Event) -> Any:
        return event if self.finished else event.seen_by(None)

    def _seen_action(self, ply: Ply) -> Any:
        return ply.action if self.finished else ply.action.seen_by(None, ply.before.actor)
