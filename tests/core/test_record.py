"""Records: they survive writing and reading, verify, and say line and reason when they do not hold."""

from __future__ import annotations

import contextlib
import random

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import serai
from serai.bots import find_bot
from serai.bots.referee import dealer_for, play
from serai.core import Record, Seat
from serai.core.record import first_state, replay, verify
from serai.errors import BadRecord
from tests.support import amount


def a_game(seed: str = "1", players: int = 4) -> Record:
    game = serai.game("camelup")
    bots = [("random", find_bot(game, "random")()) for _ in range(players)]
    return play(game, bots, dealer=dealer_for(seed), seed=seed).record


RECORD = a_game()
TEXT = RECORD.write()
LINES = TEXT.split("\n")
FIRST_ACTION = LINES.index("") + 1


def changed(line: int, to: str | None) -> str:
    """The record's text with one line (from 0) changed or, with ``None``, taken out."""
    return "\n".join([*LINES[:line], *([] if to is None else [to]), *LINES[line + 1 :]])


def refused(text: str) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        verify(Record.read(text))
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_record_is_written_and_read_back() -> None:
    read = Record.read(TEXT)
    assert msgspec.structs.replace(read, lines=()) == RECORD
    assert read.write() == TEXT
    verdict = verify(read)
    assert verdict.finished
    assert verdict.draws_checked
    assert verdict.scores == RECORD.result


def test_a_game_of_random_bots_takes_less_than_3_kilobytes() -> None:
    sizes = [
        len(a_game(str(seed), players).write().encode()) for players in range(2, 9) for seed in range(amount(5, 50))
    ]
    assert max(sizes) < 3_000


def test_line_ends_comments_and_a_byte_order_mark_do_not_matter() -> None:
    noisy = "\ufeff; a comment\n" + TEXT.replace("\nroll\n", "\nroll ; shaken\r\n; more\n\n")
    assert verify(Record.read(noisy)) == verify(RECORD)


def test_a_game_ended_by_agreement_is_scored_as_it_stands() -> None:
    played = list(replay(RECORD))
    cut = max(number for number, ply in enumerate(played) if not ply.drawn and number < 60)
    state = played[cut].before
    agreed = msgspec.structs.replace(RECORD, actions=RECORD.actions[:cut], result=state.scores(), end="agreed")
    assert "\nend: agreed\n" in agreed.write()
    verdict = verify(Record.read(agreed.write()))
    assert verdict.finished
    assert verdict.draws_checked
    assert (verdict.scores, verdict.winners) == (state.scores(), state.leaders())
    wrong = tuple(score + 1 for score in state.scores())
    for record, reason in (
        (msgspec.structs.replace(agreed, end=""), "not over"),
        (msgspec.structs.replace(agreed, result=None), "missing"),
        (msgspec.structs.replace(agreed, result=wrong), "the result says"),
        (msgspec.structs.replace(RECORD, end="agreed"), "over already"),
        (msgspec.structs.replace(agreed, end="bored"), "can only be"),
    ):
        assert reason in str(refused(record.write()))


@given(st.lists(st.text(st.characters()), min_size=2, max_size=8))
@example(["\ud800", "a\u2028b\x85c\rd"])
def test_any_name_survives(names: list[str]) -> None:
    seats = tuple(Seat(name, "random" if place % 2 else None) for place, name in enumerate(names))
    record = msgspec.structs.replace(RECORD, seats=seats, actions=(), result=None)
    assert msgspec.structs.replace(Record.read(record.write().encode().decode()), lines=()) == record


def test_an_unfinished_record_is_recognised() -> None:
    unfinished = Record.read("\n".join(LINES[: FIRST_ACTION + 30]))
    verdict = verify(unfinished)
    assert not verdict.finished
    assert verdict.plies == 30
    assert verdict.winners == ()


def test_without_the_secret_draws_cannot_be_checked_and_the_verdict_says_so() -> None:
    verdict = verify(msgspec.structs.replace(RECORD, secret=""))
    assert verdict.finished
    assert not verdict.draws_checked


def test_a_changed_die_is_found() -> None:
    line = next(n for n, text in enumerate(LINES) if text.startswith("die") and n > FIRST_ACTION)
    colour, pips = LINES[line].split()[1:]
    other = {"1": "2", "2": "3", "3": "1"}[pips]
    error = refused(changed(line, f"die {colour} {other}"))
    assert error.line == line + 1
    assert f"draw {line - FIRST_ACTION} gives '{LINES[line]}'" in error.reason


def test_an_illegal_action_is_found() -> None:
    error = refused(changed(FIRST_ACTION + 5, "oasis 1"))
    assert error.line == FIRST_ACTION + 6
    assert "no desert tile may lie on space 1" in error.reason


def test_a_misspelt_action_is_found() -> None:
    error = refused(changed(FIRST_ACTION + 5, "leg gren"))
    assert (error.line, "'gren' is no camel" in error.reason) == (FIRST_ACTION + 6, True)


def test_a_blank_card_cannot_be_replayed() -> None:
    line = next(n for n, text in enumerate(LINES) if text.startswith("winner"))
    assert "does not show the colour" in refused(changed(line, "winner ?")).reason


def test_a_wrong_result_is_found() -> None:
    line = len(LINES) - 2
    error = refused(changed(line, "result 1 2 3 4"))
    assert error.line == line + 1
    assert "the result says 1 2 3 4, but the game was played to" in error.reason
    assert "4 whole numbers" in refused(changed(line, "result 1 2")).reason
    assert "4 whole numbers" in refused(changed(line, "result a b c d")).reason
    assert "result line is missing" in refused(changed(line, None)).reason


def test_a_result_too_early_and_actions_too_late_are_found() -> None:
    early = "\n".join([*LINES[: FIRST_ACTION + 8], "result 3 3 3 3"])
    assert "not over" in refused(early).reason
    assert "nothing may follow the result" in refused(TEXT + "roll\n").reason
    assert "the game is over" in refused(changed(len(LINES) - 2, "roll\n" + LINES[-2])).reason


def test_a_changed_secret_or_commitment_is_found() -> None:
    other = "0" * 64
    secret = next(n for n, text in enumerate(LINES) if text.startswith("secret"))
    assert "does not fit the commitment" in refused(changed(secret, f"secret: {other}")).reason
    mix = next(n for n, text in enumerate(LINES) if text.startswith("mix"))
    assert "was not drawn by this secret and mix" in refused(changed(mix, f"mix: {other}")).reason
    assert "64 lower-case hexadecimal digits" in refused(changed(mix, "mix: xyz")).reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        ("\n\n\n", "the file is empty"),
        ("hello", "not a Serai record"),
        ("[Event \"chess\"]\n\n1. e4", "not a Serai record"),
        ("game: camelup\n", "no 'rules' line"),
        ("game: camelup\ngame: camelup\n", "a second 'game' line"),
        ("game: camelup\nrules: 1\nseats: ann, ben\n", "JSON strings"),
        ("game: camelup\nrules: 1\nseats: \"a\", 5\n", "JSON strings"),
        ("game: camelup\nrules: 1\nseats: \"a\", \"b\"\noptions: [1]\n", "JSON object"),
        ("game: camelup\nrules: 1\nseats: \"a\", \"b\"\ncolour: red\n", "no header line"),
        ("game: chess\nrules: 1\nseats: \"a\", \"b\"\n", "no game 'chess'"),
        ("game: camelup\nrules: 99\nseats: \"a\", \"b\"\n", "rules version '99'"),
        ("game: camelup\nrules: 1\nseats: \"a\"\n", "2 to 8 players, not 1"),
        ("game: camelup\nrules: 1\nseats: \"a\", \"b\"\noptions: {\"speed\": 3}\n", "no option 'speed'"),
        ("game: camelup\nrules: 1\nseats: \"a\", \"b\"\noptions: {\"first\": 7}\n", "first wants a seat"),
    ],
)  # fmt: skip
def test_damaged_and_foreign_records_are_refused_with_the_reason(text: str, reason: str) -> None:
    assert reason in str(refused(text))


@settings(max_examples=amount(200, 5_000), deadline=None)
@given(st.integers(0, 2**32))
def test_random_damage_never_crashes(seed: int) -> None:
    """Bytes cut, doubled or changed: either it still verifies, or a BadRecord says what is wrong."""
    rng = random.Random(seed)
    text = TEXT
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(text))
        match rng.randrange(4):
            case 0:
                text = text[:place]
            case 1:
                text = text[:place] + text[place + rng.randrange(20) :]
            case 2:
                text = text[:place] + chr(rng.randrange(1, 0x300)) + text[place + 1 :]
            case _:
                text = text[:place] + text[max(0, place - 30) :]
        if not text:
            break
    with contextlib.suppress(BadRecord):
        verify(Record.read(text))


def test_replay_gives_every_state() -> None:
    _, state = first_state(RECORD)
    for ply, text in zip(replay(RECORD), RECORD.actions, strict=True):
        assert ply.before == state
        assert str(ply.action) == text
        state = ply.after
    assert state.scores() == RECORD.result
