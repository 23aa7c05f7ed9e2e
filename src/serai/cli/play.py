"""``serai play``: a game in the terminal, for people at one keyboard and bots."""

from __future__ import annotations

import bisect
import contextlib
import difflib
import itertools
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import click

from serai import game as find_game
from serai.bots.program import program_spec
from serai.bots.specs import bot_title, is_bot_file, split_specs
from serai.cli._support import screen
from serai.cli._support.choices import PATH, default_game, default_players, option_option, read_options
from serai.cli._support.files import Failure, games_folder, load_record, named
from serai.cli._support.keyboard import KeyboardGame
from serai.cli._support.prompt import WORDS, explain, offer, understand
from serai.core.game import Game
from serai.core.play import Play
from serai.core.record import Seat, plays
from serai.core.registry import bot_names, bots_here
from serai.errors import BadRecord

_NEWEST = "newest"


@click.command()
@click.argument("game_name", metavar="[GAME]", required=False)
@click.option(
    "--seats",
    metavar="LIST",
    help="Who sits where: names of people and bots, or files of bots, as in 'ann,ben,random,bot.py:decide'.",
)
@click.option("--players", type=int, help="How many play, you and bots, if --seats is not given.")
@click.option(
    "--bot",
    help="The bot in all other seats, if --seats is not given: a level (see 'serai games') or any other bot. "
    "Default: the middle level.",
)
@option_option
@click.option("--save", type=PATH, help="Save the game to this file, which only you can read.")
@click.option(
    "--resume", is_flag=False, flag_value=_NEWEST, metavar="[FILE]", help="Resume a saved game: FILE, or the newest."
)
@click.option("--run-programs", is_flag=True, help="With --resume: run the programs that the saved game names as bots.")
@click.option(
    "--from",
    "source",
    type=PATH,
    metavar="FILE",
    help="Play on from a position of this finished game; what your seat could not see is drawn anew.",
)
@click.option(
    "--step",
    type=click.IntRange(0),
    metavar="N",
    help="With --from: the position, as 'serai replay' counts. Default: 0.",
)
@click.option("--seat", type=click.IntRange(0), metavar="N", help="With --from: the seat to take over. Default: 0.")
def command(
    game_name: str | None,
    seats: str | None,
    players: int | None,
    bot: str | None,
    given: tuple[str, ...],
    save: Path | None,
    resume: str | None,
    run_programs: bool,
    source: Path | None,
    step: int | None,
    seat: int | None,
) -> int:
    """Play GAME in the terminal: you against bots, or several people at one keyboard.

    The game is saved after every action: stop it with Ctrl-C at any time, and resume it with --resume.
    """
    if resume is not None:
        if any(value is not None for value in (game_name, seats, players, bot, save, source)) or given:
            raise click.UsageError(
                "--resume takes a saved game as it is: leave out game, seats, bots, options, --from and --save"
            )
        ongoing = _load_save(_newest_save() if resume == _NEWEST else Path(resume), run_programs)
        screen.say(f"Resuming {ongoing.path}")
    elif source is not None:
        if any(value is not None for value in (game_name, seats, players)) or given:
            raise click.UsageError("--from takes a game as it was: leave out game, seats, players and options")
        ongoing = _continue_from(source, step or 0, seat or 0, bot, save)
    elif step is not None or seat is not None:
        raise click.UsageError("--step and --seat go with --from FILE")
    else:
        game = find_game(game_name or default_game())
        who = _seats(game, seats, players, bot)
        options = read_options(game, len(who), given)
        ongoing = KeyboardGame.start(game, who, options, _new_save(game, save))
    _greet(ongoing)
    with _resumable(ongoing):
        return _Terminal(ongoing).play()


# -- seats and saves ---------------------------------------------------------------------------------------------------


def _seats(game: Game, listed: str | None, players: int | None, bot: str | None) -> tuple[Seat, ...]:
    if listed is None:
        count = default_players(game) if players is None else players
        game.settled(count, {})
        return _named(["Player", *[bot or _usual_bot(game)] * (count - 1)], {0: None})
    entries = split_specs(listed)
    if players not in (None, len(entries)):
        raise click.UsageError(f"--seats names {len(entries)} seats, but --players says {players}")
    game.settled(len(entries), {})
    return _named(entries, {seat: _bot_meant(game, entry) for seat, entry in enumerate(entries)})


def _continue_from(file: Path, step: int, seat: int, bot: str | None, save: Path | None) -> KeyboardGame:
    """A game that begins at a step of a finished one, with bots in all seats but one."""
    source = load_record(file)
    game = find_game(source.game)
    other = bot or _usual_bot(game)
    entries = ["Player" if at == seat else other for at in range(len(source.seats))]
    try:
        played = tuple(itertools.accumulate(len(play.plies) for play in plays(source)))
        turn = bisect.bisect_left(played, step)
        return KeyboardGame.create_from_record(source, turn, seat, _named(entries, {seat: None}), _new_save(game, save))
    except BadRecord as error:
        raise named(file, error) from None


def _load_save(file: Path, run_programs: bool) -> KeyboardGame:
    """A saved game. The file may come from somebody else, so its programs run only on request."""
    programs = [seat.bot for seat in load_record(file).seats if seat.bot and program_spec(seat.bot)]
    if programs and not run_programs:
        raise Failure(f"{file} names a program to run: {programs[0]!r}; to run it, add --run-programs")
    return KeyboardGame.resume(file)


def _usual_bot(game: Game) -> str:
    """The middle one of the available levels; in a game without levels the strongest bot."""
    here = bots_here(game)
    levels = [name for name in game.levels if name in here]
    return levels[len(levels) // 2] if levels else [name for name in game.bots if name in here][-1]


def _named(entries: Sequence[str], bots: dict[int, str | None]) -> tuple[Seat, ...]:
    seats = []
    for seat, entry in enumerate(entries):
        bot = bots.get(seat, entry)
        seats.append(Seat(screen.printable(entry)) if bot is None else Seat(f"{bot_title(bot)} {seat}", bot))
    names = [seat.name for seat in seats]
    for name in names:
        if not name:
            raise click.UsageError("--seats has an empty seat: write a name or a bot between two commas")
        if names.count(name) > 1:
            raise click.UsageError(f"two seats are called {name!r}: give each a name of its own")
    return tuple(seats)


def _bot_meant(game: Game, entry: str) -> str | None:
    """The bot this entry stands for, or ``None`` if it is a person's name."""
    known = bot_names(game)
    if entry in known or is_bot_file(entry):
        return entry
    close = difflib.get_close_matches(entry, known, n=1, cutoff=0.8)
    if close:
        raise click.UsageError(
            f"no bot {entry!r} (did you mean {close[0]!r}?); for a person, choose a name less like a bot's"
        )
    return None


def _new_save(game: Game, wanted: Path | None) -> Path:
    if wanted is not None:
        if wanted.is_dir():
            raise Failure(f"{str(wanted)!r} is a folder; give --save the name of a file")
        if wanted.exists():
            raise Failure(f"{str(wanted)!r} exists already; to resume that game: {_command('--resume', str(wanted))}")
        return wanted
    stem = f"{game.name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    folder = games_folder()
    numbered = (folder / f"{stem}{f'-{number}' if number else ''}.serai" for number in range(1000))
    return next(path for path in numbered if not path.exists())


def _newest_save() -> Path:
    saves = sorted(games_folder().glob("*.serai"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in saves:
        with contextlib.suppress(Failure, BadRecord):
            if load_record(path).result is None:
                return path
    raise Failure(f"no unfinished game in {str(games_folder())!r}; 'serai play' starts one")


def _command(*arguments: str) -> str:
    """The command line to run next, also if ``serai`` is not on the user's path."""
    called = Path(sys.argv[0])
    found = shutil.which("serai")
    on_path = found is not None and called.exists() and Path(found).samefile(called)
    return shlex.join(["serai" if on_path or called.stem != "serai" else str(called), "play", *arguments])


def _resume_command(ongoing: KeyboardGame) -> str:
    absolute = str(ongoing.path.resolve())
    try:
        file = min(absolute, os.path.relpath(absolute), key=len)
    except ValueError:  # on Windows there is no relative path to another drive
        file = absolute
    programs = any(seat.bot and program_spec(seat.bot) for seat in ongoing.seats)
    return _command("--resume", file, *(["--run-programs"] if programs else []))


@contextlib.contextmanager
def _resumable(ongoing: KeyboardGame) -> Iterator[None]:
    """When the game is interrupted, say how to resume it."""
    try:
        yield
    except (KeyboardInterrupt, EOFError):
        raise Failure(f"stopped; to resume: {_resume_command(ongoing)}") from None


# -- playing -----------------------------------------------------------------------------------------------------------


def _greet(ongoing: KeyboardGame) -> None:
    people = ", ".join(ongoing.names[seat] for seat in ongoing.people)
    bots = ", ".join(ongoing.names[seat] for seat in ongoing.bots)
    who = " against ".join(filter(None, [people, bots]))
    for line in (f"{ongoing.game.name}: {who}.", "Type ? for help. Stop with Ctrl-C at any time: the game is saved."):
        screen.say("\n".join(textwrap.wrap(screen.printable(line), screen.width())))
    screen.say()


class _Terminal:
    """Shows each person what they may see, asks for their actions, and lets the bots play."""

    def __init__(self, ongoing: KeyboardGame) -> None:
        self.ongoing = ongoing
        self.names = tuple(screen.printable(name) for name in ongoing.names)
        self.shared = len(ongoing.people) > 1
        self.last: int | None = None
        """The seat whose secrets may be on the screen."""

    def play(self) -> int:
        """Play to the end."""
        ongoing = self.ongoing
        audience = None if self.shared or not ongoing.people else ongoing.people[0]
        if not self._has_secrets(ongoing.state.actor):
            for play in self._since_last_turn(audience):
                self._tell(play, audience)
        while not ongoing.state.over:
            seat = ongoing.state.actor
            if seat in ongoing.bots:
                action, fault = ongoing.ask_bot(seat)
                if fault is not None:
                    screen.say(f"({self.names[seat]} {fault.reason}; '{fault.played}' is played for it)")
            else:
                action = self._ask(seat)
                if action is None:
                    return self._quit()
            self._tell(ongoing.act(action), audience)
        self._end()
        return 0

    def _ask(self, seat: int) -> object:
        """The action of a person, or ``None`` to quit."""
        ongoing = self.ongoing
        view = ongoing.state.seen_by(seat)
        self._pass_screen(seat)
        legal = view.actions()
        choices = offer(legal, screen.width())
        words = [*map(str, legal), *WORDS]
        self._draw(seat, choices)
        while True:
            typed = screen.read_line(f"{self.names[seat]}> ", words)
            meant = understand(ongoing.game, view, typed, self.names)
            if meant.action is not None:
                if self._has_secrets(seat):
                    screen.clear()
                return meant.action
            match meant.word:
                case "quit":
                    return None
                case "help":
                    screen.say(explain(legal, screen.width()))
                case "board":
                    self._draw(seat, choices)
                case "story":
                    for play in self._since_last_turn(seat):
                        self._tell(play, seat)
                case "offer":
                    screen.say(choices)
                case _:
                    screen.say(meant.trouble)

    def _pass_screen(self, seat: int) -> None:
        """Before another person with secrets looks, wait until only they can see the screen."""
        if self.shared and self.last != seat and self._has_secrets(seat):
            screen.read_line(f"\n{self.names[seat]}, press Enter when only you can see the screen. ")
            screen.clear()
            for play in self._since_last_turn(seat):
                self._tell(play, seat)
        self.last = seat

    def _has_secrets(self, seat: int | None) -> bool:
        """Whether this person sees what others at the keyboard must not see."""
        person = seat in self.ongoing.people
        return self.shared and person and self.ongoing.state.seen_by(seat) != self.ongoing.state.seen_by(None)

    def _since_last_turn(self, seat: int | None) -> list[Play]:
        """The plays since the seat's own last action."""
        plays = self.ongoing.plays
        own = [number for number, play in enumerate(plays) if play.actor == seat and seat is not None]
        return plays[own[-1] + 1 :] if own else list(plays)

    def _tell(self, play: Play, seat: int | None) -> None:
        sentences = [self.ongoing.game.text.tell(event.seen_by(seat), self.names) for event in play.events]
        story = screen.story(sentences, min(screen.width(), 80))
        if story:
            screen.say(story)

    def _draw(self, seat: int | None, choices: str = "") -> None:
        """Draw the table as this seat sees it, and list the choices."""
        view = self.ongoing.state.seen_by(seat)
        drawing = self.ongoing.game.text.draw(view, seat=seat, names=self.names, colour=screen.has_colour())
        screen.say("\n" + screen.fitted(f"{drawing}\n\n{choices}", below=1))

    def _quit(self) -> int:
        screen.say(f"The game is saved. To resume: {_resume_command(self.ongoing)}")
        return 0

    def _end(self) -> None:
        ongoing = self.ongoing
        self._draw(None)
        scores = ongoing.state.scores()
        for seat in sorted(range(len(scores)), key=lambda seat: -scores[seat]):
            won = "  won" if seat in ongoing.state.winners() else ""
            screen.say(f"{scores[seat]:5}  {self.names[seat]}{won}")
        screen.say(f"\nThe record of this game: {ongoing.path}")
