"""Conformance checks: what every game must hold, to be run on games of one's own, too.

``check(game)`` plays random games and raises :class:`NotConformant` at the first promise that does not hold. In a
test suite, run each of :data:`CHECKS` on ``sample(game)`` for finer reports::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_conformance(check, sampled):
        check(sampled)
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NoReturn

import msgspec

from serai.core.chance import CHANCE, any_kind
from serai.core.dealer import Dealer
from serai.core.game import Action, Game, State
from serai.core.play import Ply
from serai.core.record import Record, Seat, verify
from serai.errors import BadNotation, BadOptions, IllegalAction, NotOver

PLIES_AT_MOST = 100_000
"""A game that takes longer than this is taken to have no end."""


class NotConformant(AssertionError):
    """A promise of the contract does not hold."""


class Sampled(msgspec.Struct, frozen=True):
    """Random games of one game, and a source of randomness for the checks."""

    game: Game
    plays: tuple[tuple[Ply, ...], ...]
    rng: random.Random

    def moments(self) -> Iterator[Ply]:
        """Every ply of every sampled game."""
        return itertools.chain.from_iterable(self.plays)

    def some(self, at_most: int) -> list[Ply]:
        """Some plies, spread over all games, for checks that are slow."""
        moments = list(self.moments())
        return self.rng.sample(moments, min(at_most, len(moments)))


def sample(game: Game, *, games: int = 2, seed: int = 0) -> Sampled:
    """Play ``games`` random games for every number of players, and one for every value of every option."""
    rng = random.Random(f"conformance {game.name} {seed}")
    plays = [_play(game, players, {}, rng) for players in game.players for _ in range(games)]
    plays += [_play(game, rng.choice(game.players), options, rng) for options in _option_values(game)]
    return Sampled(game, tuple(plays), rng)


def check(game: Game, *, games: int = 2, seed: int = 0) -> None:
    """Run every check on random games of ``game``."""
    sampled = sample(game, games=games, seed=seed)
    for one in CHECKS:
        one(sampled)


# -- the checks --------------------------------------------------------------------------------------------------------


def play_ends(sampled: Sampled) -> None:
    """Every game comes to its end; then nobody acts and nothing can be done."""
    for play in sampled.plays:
        last = play[-1].after
        _hold(last.over and last.actor is None, "the last state is not over", last)
        _hold(last.actions() == () and last.chances() == (), "actions or chances after the end", last)
        with _refused(IllegalAction, "an action after the end", last):
            last.step(play[0].action)


def legal_actions_apply(sampled: Sampled) -> None:
    """``actions()`` is free of duplicates, never empty before the end, and all of it can be applied."""
    for moment in sampled.some(600):
        actions = moment.before.actions()
        _hold(len(set(actions)) == len(actions), "an action is listed twice", moment.before)
        _hold(bool(actions), "nothing to do although the game is not over", moment.before)
        _hold(isinstance(actions, tuple), "actions() must be a tuple", moment.before)
        for action in actions:
            after, events = moment.before.step(action)
            _hold(after == moment.before.apply(action), f"apply and step disagree on '{action}'", moment.before)
            _hold(after != moment.before, f"'{action}' changes nothing", moment.before)
            _hold(isinstance(events, tuple) and bool(events), f"'{action}' tells no event", moment.before)


def illegal_actions_raise(sampled: Sampled) -> None:
    """Whatever is not among ``actions()`` is refused with ``IllegalAction``, a key and a sentence."""
    known = sorted({moment.action for moment in sampled.moments()}, key=str)
    for moment in sampled.some(600):
        legal = set(moment.before.actions())
        for action in sampled.rng.sample(known, min(40, len(known))):
            if action not in legal:
                try:
                    moment.before.step(action)
                except IllegalAction as error:
                    _hold(str(error) != error.key and not str(error).startswith(error.key + " ("),
                          f"no sentence for {error!r}", moment.before)  # fmt: skip
                else:
                    _fail(f"'{action}' is not legal but was applied", moment.before)


def chances_sum_to_one(sampled: Sampled) -> None:
    """A chance actor has exact chances that sum to 1; others have none."""
    for moment in sampled.moments():
        state = moment.before
        if state.actor is not CHANCE:
            _hold(state.chances() == (), "chances although a player is to act", state)
            continue
        chances = state.chances()
        _hold(tuple(action for action, _ in chances) == state.actions(), "chances and actions differ", state)
        _hold(all(type(chance) is Fraction and chance > 0 for _, chance in chances), "a chance is no Fraction", state)
        _hold(sum(chance for _, chance in chances) == 1, "the chances do not sum to 1", state)
        _hold(all(type(weight) is int for weight in state.weights()), "a weight is no whole number", state)


def texts_round_trip(sampled: Sampled) -> None:
    """``parse(str(action)) == action``, spelled in one way only; the first word is the kind."""
    parse = sampled.game.parse
    for action in {action for moment in sampled.some(600) for action in moment.before.actions()}:
        text = str(action)
        _hold(parse(text) == action, f"'{text}' is read as {parse(text)!r}", action)
        _hold(text.split(" ")[0] == action.kind, f"the first word of '{text}' is not its kind", action)
        for spoilt in (text + " x", text + " ", " " + text, text.upper(), text.replace(" ", "  ") + "!"):
            with _refused(BadNotation, f"{spoilt!r} was read", action):
                parse(spoilt)
    for nonsense in ("", " ", "no such action", "\n", "⚀"):
        with _refused(BadNotation, f"{nonsense!r} was read", sampled.game):
            parse(nonsense)


def json_round_trips(sampled: Sampled) -> None:
    """States, views, actions and events survive JSON, hash equally, and their ``repr`` evaluates back."""
    game = sampled.game
    names = _names_of(game)
    for moment in sampled.some(200):
        seats = [None, *range(len(moment.before.scores()))]
        values = [(moment.before, game.state_decoder), (moment.after, game.state_decoder)]
        values += [(moment.before.seen_by(seat), game.state_decoder) for seat in seats]
        values += [(moment.action, game.action_decoder), (moment.action.seen_by(None), game.action_decoder)]
        values += [(event.seen_by(seat), game.event_decoder) for event in moment.events for seat in seats]
        for value, decoder in values:
            read = decoder.decode(msgspec.json.encode(value))
            _hold(read == value and hash(read) == hash(value), "JSON does not give it back", value)
            _hold(eval(repr(value), dict(names)) == value, "repr does not evaluate back", value)  # noqa: S307


def states_are_plain_values(sampled: Sampled) -> None:
    """States cannot be changed, and hold numbers, words, tuples and Structs: no sets, lists or dicts."""
    for moment in sampled.some(200):
        state = moment.before
        with _refused(AttributeError, "a state was changed", state):
            state.actor = None
        _hold(_is_plain(state), "a field is not a plain value", state)


def views_hide(sampled: Sampled) -> None:
    """A view of a view is that view; the seat to act gets its own actions from its view."""
    for moment in sampled.some(400):
        state = moment.before
        for seat in (None, *range(len(state.scores()))):
            view = state.seen_by(seat)
            _hold(type(view) is type(state), "a view is of another type", state)
            _hold(view.seen_by(seat) == view, "the view of a view differs", state)
            _hold(view.seen_by(None) == state.seen_by(None), "an onlooker sees more through a view", state)
            _hold(sampled.game.hides or view == state, "a game that hides nothing hides something", state)
        if state.actor is not CHANCE:
            _hold(state.seen_by(state.actor).actions() == state.actions(), "the actor's view has other actions", state)


def imagined_states_agree(sampled: Sampled) -> None:
    """``imagine`` gives a full, playable state that looks the same to the seat."""
    game, rng = sampled.game, sampled.rng
    for moment in sampled.some(150):
        state = moment.before
        for seat in (None, *range(len(state.scores()))):
            view = state.seen_by(seat)
            imagined = game.imagine(view, rng)
            _hold(imagined.seen_by(seat) == view, f"imagined for seat {seat}, it looks different", state)
            _hold(_bytes(imagined.seen_by(seat)) == _bytes(view), f"imagined for {seat}, it reads different", state)
        _play_on(game, imagined, rng)


def views_tell_nothing_hidden(sampled: Sampled) -> None:
    """Two states that a seat cannot tell apart stay alike for it, events and bytes included, until the end."""
    game, rng = sampled.game, sampled.rng
    for moment in sampled.some(300):
        state, action = moment.before, moment.action
        for seat in (None, *range(len(state.scores()))):
            twin = game.imagine(state.seen_by(seat), rng)
            alike = [other for other in twin.actions() if _seen(other, seat, twin) == _seen(action, seat, state)]
            if not alike:
                continue
            _hold(seat != state.actor or alike == [action], f"seat {seat} sees its own actions blurred", state)
            after, events = twin.step(rng.choice(alike))
            if after.over:
                continue  # the end shows everything
            _hold(after.seen_by(seat) == moment.after.seen_by(seat), f"seat {seat} can tell hidden things apart", state)
            seen = [_bytes(event.seen_by(seat)) for event in events]
            _hold(seen == [_bytes(event.seen_by(seat)) for event in moment.events],
                  f"events tell seat {seat} hidden things", state)  # fmt: skip
            _hold(_bytes(after.seen_by(seat)) == _bytes(moment.after.seen_by(seat)),
                  f"the bytes of the view tell seat {seat} hidden things", state)  # fmt: skip


def equal_play_gives_equal_states(sampled: Sampled) -> None:
    """The same actions from the same start lead to equal states with equal hashes and events."""
    for play in sampled.plays:
        state = _start_again(sampled.game, play[0].before)
        for moment in play:
            _hold(state == moment.before and hash(state) == hash(moment.before), "equal play, other state", state)
            state, events = state.step(moment.action)
            _hold(events == moment.events, "equal play, other events", state)


def scores_and_winners(sampled: Sampled) -> None:
    """Scores at any time, one per seat; winners only at the end, at least one."""
    for moment in sampled.some(300):
        scores = moment.before.scores()
        _hold(all(type(score) is int for score in scores), "a score is no whole number", moment.before)
        with _refused(NotOver, "winners before the end", moment.before):
            moment.before.winners()
    for play in sampled.plays:
        last = play[-1].after
        winners = last.winners()
        _hold(bool(winners) and set(winners) <= set(range(len(last.scores()))), "no or unknown winners", last)


def options_are_checked(sampled: Sampled) -> None:
    """A wrong number of players, an unknown option or value raises ``BadOptions``."""
    game = sampled.game
    few, many = game.players[0], game.players[-1]
    for players in (few - 1, many + 1, 0, -1, True, "2", None, 2.0):
        with _refused(BadOptions, f"{players!r} players were seated", game):
            game.new(players=players)  # type: ignore[arg-type]
    with _refused(BadOptions, "an unknown option was taken", game):
        game.new(players=few, no_such_option=1)
    for option in game.options:
        for value in ("nonsense", -1, 1.5, [], object()):
            with _refused(BadOptions, f"option {option.name} took {value!r}", game):
                game.new(players=few, **{option.name: value})


def records_verify(sampled: Sampled) -> None:
    """A dealt game, written and read back, verifies; with one draw changed it does not."""
    game, rng = sampled.game, sampled.rng
    for players in (game.players[0], game.players[-1]):
        dealer = Dealer(rng.randbytes(32))
        state: Any = game.new(players=players)
        record = Record.begin(game, state, tuple(Seat(f"Seat {seat}") for seat in range(players)), dealer)
        actions: list[str] = []
        while not state.over:
            action = dealer.draw(state) if state.actor is CHANCE else any_kind(state.actions(), rng)
            actions.append(str(action))
            state = state.apply(action)
        record = msgspec.structs.replace(
            record, actions=tuple(actions), result=state.scores(), secret=dealer.reveal().hex()
        )
        verdict = verify(Record.read(record.write()))
        _hold(verdict.finished and verdict.draws_checked, "a dealt game does not verify", record)
        _hold(
            verdict.scores == state.scores() and verdict.winners == state.winners(), "verified to another end", record
        )


def views_can_be_drawn(sampled: Sampled) -> None:
    """Every view can be drawn in a terminal, and every event has a sentence or none, hidden parts blank."""
    game = sampled.game
    names = [f"Name {seat}" for seat in range(game.players[-1])]
    for moment in sampled.some(100):
        for seat in (None, *range(len(moment.before.scores()))):
            view = moment.before.seen_by(seat)
            drawing = game.text.draw(view, seat=seat, names=names)
            _hold(bool(drawing), "an empty drawing", view)
            _hold("\x1b" not in drawing, "colours although none were asked for", view)
            for event in moment.events:
                sentence = game.text.tell(event.seen_by(seat), names)
                _hold(isinstance(sentence, str), "an event that cannot be told", event)


CHECKS: tuple[Callable[[Sampled], None], ...] = (
    play_ends,
    legal_actions_apply,
    illegal_actions_raise,
    chances_sum_to_one,
    texts_round_trip,
    json_round_trips,
    states_are_plain_values,
    views_hide,
    imagined_states_agree,
    views_tell_nothing_hidden,
    equal_play_gives_equal_states,
    scores_and_winners,
    options_are_checked,
    records_verify,
    views_can_be_drawn,
)


# -- details -----------------------------------------------------------------------------------------------------------


@contextmanager
def _refused(error: type[Exception], otherwise: str, about: object) -> Iterator[None]:
    """The block must raise this error."""
    try:
        yield
    except error:
        return
    _fail(otherwise, about)


def _hold(holds: bool, otherwise: str, about: object) -> None:
    if not holds:
        _fail(otherwise, about)


def _fail(reason: str, about: object) -> NoReturn:
    raise NotConformant(f"{reason}: {about!r}")


def _play(game: Game, players: int, options: dict[str, Any], rng: random.Random) -> tuple[Ply, ...]:
    return tuple(_play_on(game, game.new(players=players, **options), rng))


def _play_on(game: Game, state: State, rng: random.Random) -> list[Ply]:
    moments: list[Ply] = []
    while not state.over:
        action = state.sample(rng) if state.actor is CHANCE else any_kind(state.actions(), rng)
        moments.append(Ply.of(state, action))
        state = moments[-1].after
        if len(moments) > PLIES_AT_MOST:
            _fail(f"no end after {PLIES_AT_MOST} plies of {game.name}", state)
    return moments


def _option_values(game: Game) -> Iterator[dict[str, Any]]:
    for option in game.options:
        match option.type:
            case "bool":
                values: tuple[Any, ...] = (not option.default,)
            case "seat":
                values = (game.players[0] - 1,)
            case "choice":
                values = option.choices
            case _:
                values = (3,)
        for value in values:
            yield {option.name: value}


def _start_again(game: Game, first: Any) -> Any:
    return game.new(players=len(first.scores()), **msgspec.to_builtins(first.options))


def _seen(action: Action, seat: int | None, state: State) -> Any:
    return action.seen_by(seat, state.actor if isinstance(state.actor, int) else None)


def _bytes(value: object) -> bytes:
    return msgspec.json.encode(value)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    if isinstance(value, msgspec.Struct):
        return all(_is_plain(getattr(value, field)) for field in value.__struct_fields__)
    return value is None or value is CHANCE or type(value) in (int, bool, str)


def _names_of(game: Game) -> dict[str, Any]:
    package = type(game).__module__.rpartition(".")[0] or type(game).__module__
    names: dict[str, Any] = {}
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            names.update(vars(module))
    return {**names, "CHANCE": CHANCE}
