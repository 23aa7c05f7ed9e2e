"""A game in the terminal: its seats, dealer and state, saved to a private file after every action."""

from __future__ import annotations

import hashlib
import random
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import msgspec

from serai.bots.contract import Bot
from serai.bots.referee import Failed, Fault, ask, show
from serai.bots.specs import find_working_bot
from serai.cli._support.files import Failure, load_record, named, save_privately
from serai.core.chance import CHANCE
from serai.core.dealer import SECRET_BYTES, Dealer, mix_of
from serai.core.game import Action, Game, State
from serai.core.play import Play, advance, deal
from serai.core.record import Record, Seat, first_state, inherited, plays, verified_plays
from serai.errors import BadRecord

_SECONDS_TO_THINK = 30.0


class KeyboardGame:
    """One game in progress. Every play is on disk before anybody sees it."""

    def __init__(self, game: Game, record: Record, dealer: Dealer, path: Path) -> None:
        self.game = game
        self.path = path
        self.plays: list[Play] = []
        self.state: Any = first_state(record)[1]
        self.bots: dict[int, Bot] = {
            seat: find_working_bot(game, who.bot)() for seat, who in enumerate(record.seats) if who.bot
        }
        self._record = record
        self._dealer = dealer

    @classmethod
    def start(cls, game: Game, seats: tuple[Seat, ...], options: dict[str, Any], path: Path) -> Self:
        """Deal a new game and save it."""
        dealer = _dealer(seats)
        record = _begun(game, game.new(players=len(seats), **options), seats, dealer)
        ongoing = cls(game, record, dealer, path)
        ongoing._keep(deal(ongoing.state, dealer))
        return ongoing

    @classmethod
    def create_from_record(cls, source: Record, turn: int, seat: int, seats: tuple[Seat, ...], path: Path) -> Self:
        """Begin a game at a position of a finished one, as ``seat`` saw it then, and save it."""
        game, first = first_state(source)
        origin, actions = inherited(source, turn, seat, random.SystemRandom())
        dealer = _dealer(seats)
        record = msgspec.structs.replace(_begun(game, first, seats, dealer), origin=origin, actions=actions)
        ongoing = cls(game, record, dealer, path)
        for play in plays(record):
            ongoing._remember(play)
            dealer.drawn += len(play.draws)
        save_privately(path, record.write())
        return ongoing

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Load a saved game."""
        record = load_record(path)
        try:
            played = list(verified_plays(record))
        except BadRecord as error:
            raise named(path, error) from None
        if record.result is not None:
            raise Failure(f"{path}: this game is over; see it with 'serai replay'")
        if not record.secret:
            raise Failure(
                f"{path}: cannot be resumed, since the record lacks the dealer's secret; see it with 'serai replay'"
            )
        game, _ = first_state(record)
        dealer = Dealer(
            bytes.fromhex(record.secret), bytes.fromhex(record.mix), drawn=sum(len(play.draws) for play in played)
        )
        ongoing = cls(game, record, dealer, path)
        for play in played:
            ongoing._remember(play)
        if ongoing.state.actor is CHANCE:  # the record ends in the middle of a play
            ongoing._keep(deal(ongoing.state, dealer))
        return ongoing

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return tuple(seat.name for seat in self._record.seats)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Names and bots, by seat."""
        return self._record.seats

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat in range(len(self._record.seats)) if seat not in self.bots)

    def act(self, action: Action) -> Play:
        """Play an action of the seat to act, and the draws that follow it."""
        return self._keep(advance(self.state, action, self._dealer))

    def ask_bot(self, seat: int) -> tuple[Any, Fault | None]:
        """A bot's action; if the bot fails, a random legal one and the fault.

        The bot's randomness is a hash of the secret and the ply: so a resumed game goes on as it would have, and the
        bot learns nothing of the draws.
        """
        ply = len(self._record.actions)
        rng = random.Random(hashlib.sha256(f"bot {seat} {ply} {self._record.secret}".encode()).digest())
        answer = ask(self.bots[seat], self.state.seen_by(seat), rng, _SECONDS_TO_THINK)
        if not isinstance(answer, Failed):
            return answer, None
        action = rng.choice(self.state.actions())
        return action, Fault(seat, self._record.seats[seat].bot or "", ply, answer.reason, str(action), answer.trace)

    def _keep(self, play: Play) -> Play:
        """Save the play, then show it to the bots."""
        self._record = msgspec.structs.replace(
            self._record,
            actions=(*self._record.actions, *play.notation),
            result=play.after.scores() if play.after.over else None,
        )
        save_privately(self.path, self._record.write())
        return self._remember(play)

    def _remember(self, play: Play) -> Play:
        self.plays.append(play)
        self.state = play.after
        for seat, bot in self.bots.items():
            watch = getattr(bot, "watch", None)
            if watch is not None:
                show(watch, play.events, seat, _SECONDS_TO_THINK)
        return play


def _dealer(seats: tuple[Seat, ...]) -> Dealer:
    """A dealer with a random value for every person."""
    people = sum(seat.bot is None for seat in seats)
    return Dealer(mix=mix_of(secrets.token_bytes(SECRET_BYTES) for _ in range(people)))


def _begun(game: Game, first: State, seats: tuple[Seat, ...], dealer: Dealer) -> Record:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    record = Record.begin(game, first, seats, dealer, now)
    return msgspec.structs.replace(record, secret=dealer.reveal().hex())
