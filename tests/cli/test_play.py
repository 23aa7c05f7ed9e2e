"""Playing in the terminal: whole games at the prompt, stopping and going on, what others must not see."""

from __future__ import annotations

import os
import random
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import serai
from serai.cli._support.files import read_record
from serai.cli._support.keyboard import KeyboardGame
from serai.core.record import Seat, verify
from tests.cli.conftest import Answer
from tests.cli.terminal import CTRL_D, Terminal, plain
from tests.support import amount, counted_steps

Open = Callable[..., Terminal]


def only_save(home: Path) -> Path:
    (save,) = (home / "games").glob("*.serai")
    return save


def roll_to_the_end(game: Terminal, prompt: str = "Player> ") -> str:
    """Roll at every prompt; the last screen."""
    while True:
        if game.wait_for(prompt, "The record of this game").endswith("game"):
            return game.finish()[1]
        game.line("roll")


def test_a_whole_game_at_the_prompt(terminal: Open, home: Path) -> None:
    with terminal("play", "--bot", "random") as game:
        roll_to_the_end(game)
        assert game.process.returncode == 0
    save = only_save(home)
    assert str(save) in game.text.replace("\n", "")
    record = read_record(save)
    verdict = verify(record)
    assert verdict.finished
    assert verdict.draws_checked
    assert [seat.bot for seat in record.seats] == [None, "random", "random", "random"]
    for score, name in zip(verdict.scores, ("Player", "random 1", "random 2", "random 3"), strict=True):
        assert re.search(rf"^ +{score}  {name}", game.text, re.MULTILINE)


def test_the_save_is_private_and_there_from_the_first_prompt(terminal: Open, home: Path) -> None:
    with terminal("play", "--bot", "random") as game:
        game.wait_for("Player> ")
        save = only_save(home)
        assert stat.S_IMODE(save.stat().st_mode) == 0o600
        assert read_record(save).secret
        game.line("leg blue")
        game.wait_for("Player> ")
        assert "leg blue" in read_record(save).actions
        assert stat.S_IMODE(save.stat().st_mode) == 0o600
        assert [file.name for file in save.parent.iterdir()] == [save.name]


def test_stopped_killed_and_resumed_gives_the_same_game(terminal: Open, home: Path, tmp_path: Path) -> None:
    with terminal("play", "--bot", "random") as game:
        game.wait_for("Player> ")
        game.interrupt()
        code, rest = game.finish()
    assert code == 2
    save = only_save(home)
    assert f"play --resume {min(str(save), os.path.relpath(save), key=len)}" in rest.replace("\n", "")
    assert "Traceback" not in game.text

    straight = tmp_path / "straight.serai"
    straight.write_bytes(save.read_bytes())
    with terminal("play", "--resume", str(straight)) as game:
        roll_to_the_end(game)

    with terminal("play", "--resume", str(save)) as game:
        for _ in range(2):
            game.wait_for("Player> ")
            game.line("roll")
        game.wait_for("Player> ")
        game.type("ro")
        game.wait_for("ro")
        game.interrupt()
        assert game.finish()[0] == 2
    with terminal("play", "--resume") as game:
        game.wait_for("Player> ")
        game.line("roll")
        game.wait_for("Player> ")
        game.kill()
    with terminal("play", "--resume") as game:
        roll_to_the_end(game)
    assert verify(read_record(save)).finished
    assert save.read_bytes() == straight.read_bytes()


def test_resuming_tells_what_happened_since_the_last_action(terminal: Open, home: Path) -> None:
    with terminal("play", "--bot", "random") as game:
        game.wait_for("Player> ")
        game.line("leg blue")
        shown = game.wait_for("Player> ")
        game.type(CTRL_D)
        assert game.finish()[0] == 2
    with terminal("play", "--resume") as game:
        again = game.wait_for("Player> ")
    sentences = re.findall(r"^• (random.*?)$", shown, re.MULTILINE)
    assert len(sentences) == 3
    assert re.findall(r"^• (.*?)$", again, re.MULTILINE) == sentences


def test_what_a_person_types(terminal: Open) -> None:
    with terminal("play", "--bot", "random", NO_COLOR="1") as game:
        game.wait_for("Player> ")
        for typed, answer in [
            ("leg gren", "'gren' is no camel"),
            ("rool", "did you mean 'roll'?"),
            ("oasis 1", "no desert tile may lie on space 1; free spaces: "),
            ("leg", "can be 'leg blue', 'leg green', 'leg orange', 'leg yellow' and 1 more"),
            ("l g", "can be 'leg green' or 'loser green'"),
            ("die green 2", "it is Player's turn: no draw is due"),
            ("winner ?", "does not show the colour"),
            ("xyzzy", "no action 'xyzzy'; now you can type leg, oasis, mirage, roll, winner, loser ("),
            ("?", "Take the top leg tile of a colour"),
            ("help", "Take the top leg tile of a colour"),
            ("", "winner / loser"),
            ("board", "In the pyramid"),
            ("story", "Blue starts on "),
            ("é\x1b[31m", "'?' explains"),
        ]:
            game.line(typed)
            assert answer in game.wait_for("Player> "), typed
        game.line("WI gr")
        assert "Player lays the green race card on the winner deck." in game.wait_for("Player> ")
        game.line("q")
        code, rest = game.finish()
        assert code == 0
        assert "play --resume" in rest
        assert "Traceback" not in game.text


def test_tab_completes(terminal: Open) -> None:
    with terminal("play", "--bot", "random") as game:
        game.wait_for("Player> ")
        game.type("leg o\t")
        game.wait_for("leg orange")
        game.line()
        assert "Player takes the orange leg tile" in game.wait_for("Player> ")


def test_cards_are_hidden_when_the_seat_changes(terminal: Open) -> None:
    with terminal("play", "--seats", "Ann,Ben", NO_COLOR="1") as game:
        game.wait_for("Ann, press Enter")
        game.line()
        assert "Your race cards [b][g][o][y][w]" in game.wait_for("Ann> ")
        shown = len(game.raw)
        game.line("winner green")
        game.wait_for("Ben, press Enter")
        between = game.raw[shown:]
        echoed, cleared, after = between.partition("\033[H\033[2J\033[3J")
        assert cleared
        assert plain(echoed).strip() == "winner green"
        assert "Ann lays a race card on the winner deck." in after
        game.line()
        bens = game.wait_for("Ben> ")
        game.type("\x1b[A\x1b[A\r")  # arrow up: what was typed last must not come back
        bens += game.wait_for("Ben> ")
        game.line("loser blue")
        bens += game.wait_for("Ann, press Enter")
        assert "green" not in re.sub(
            r"^  (leg|winner / loser) .*$|^.*comes to .*$|^.*starts on .*$", "", bens, flags=re.MULTILINE
        )
        assert "Ann [?]" in bens
        assert "Ann [g]" not in bens
        game.line()
        anns = game.wait_for("Ann> ")
        assert "Ann [g]" in anns
        assert "Ben [?]" in anns


def test_ctrl_c_at_the_curtain(terminal: Open) -> None:
    with terminal("play", "--seats", "Ann,Ben") as game:
        game.wait_for("Ann, press Enter")
        game.interrupt()
        code, rest = game.finish()
    assert code == 2
    assert "serai: stopped; to resume: " in rest
    assert "Traceback" not in game.text


@pytest.mark.parametrize(("option", "sum_shown"), [("hide_money=on", "?"), ("hide_money=off", "3")])
def test_8_3_hide_money_covers_the_others(terminal: Open, option: str, sum_shown: str) -> None:
    with terminal("play", "--bot", "random", "--option", option, NO_COLOR="1") as game:
        screen = game.wait_for("Player> ")
        assert re.search(r"^> Player +3 ", screen, re.MULTILINE)
        assert re.search(rf"^  random 1 +{re.escape(sum_shown)} ", screen, re.MULTILINE)
        game.line("roll")
        roll_to_the_end(game)
        final = game.text[game.text.rindex("The race is over, from first to last") :]
        assert re.search(r"^[* ] random 1 +\d+ ", final, re.MULTILINE)


def test_a_narrow_and_low_screen_is_enough(terminal: Open) -> None:
    with terminal("play", "--bot", "random", "--players", "8", columns=60, lines=24) as game:
        roll_to_the_end(game)
    shown = [line for line in game.text.splitlines() if ".serai" not in line]
    assert max(map(len, shown)) <= 60


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours(terminal: Open, environment: dict[str, str]) -> None:
    with terminal("play", "--bot", "random", **environment) as game:
        game.wait_for("Player> ")
        game.line("roll")
        game.wait_for("Player> ")
    assert not re.search(r"\033\[[\d;]*m", game.raw)
    assert re.search(r"\[b\]", game.text)


def test_on_a_terminal_that_is_not_utf_8(terminal: Open) -> None:
    plain_locale = {"PYTHONUTF8": "", "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "NO_COLOR": "1"}
    with terminal("play", "--seats", "Zoé,random", **plain_locale) as game:
        game.wait_for("Zo?> ")
        game.line("roll")
        game.wait_for("Zo?> ")
        assert game.raw.isascii()
        assert "16 |" in game.text
        assert ". Zo? shakes the pyramid." in game.text
        game.line("éé")
        game.wait_for("Zo?> ")


def test_a_users_own_bot_and_what_it_does_wrong(terminal: Open, tmp_path: Path) -> None:
    (tmp_path / "slip.py").write_text("def decide(view, rng):\n    raise RuntimeError('slipped')\n")
    with terminal("play", "--seats", f"Ann,{tmp_path / 'slip.py'}:decide") as game:
        game.wait_for("Ann> ")
        game.line("roll")
        shown = game.wait_for("Ann> ")
    assert "(slip 1 raised RuntimeError: slipped; '" in shown


def test_bots_alone_need_nobody(terminal: Open, home: Path) -> None:
    with terminal("play", "--seats", "random,random") as game:
        assert game.finish()[0] == 0
    assert verify(read_record(only_save(home))).finished


def test_a_resumed_game_plays_its_record_once_and_draws_what_is_owed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = serai.game("camelup")
    begun = KeyboardGame.start(game, (Seat("Ann"), Seat("Ben")), {}, tmp_path / "whole.serai")
    for text in ("leg blue", "roll"):
        begun.act(game.parse(text))
    whole = read_record(begun.path)
    cut = tmp_path / "cut.serai"
    cut.write_text(begun.path.read_text().removesuffix(f"{whole.actions[-1]}\n"))
    assert read_record(cut).actions == whole.actions[:-1]
    stepped = counted_steps(game, monkeypatch)
    resumed = KeyboardGame.resume(cut)
    assert tuple(map(str, stepped)) == whole.actions
    assert resumed.state == begun.state
    assert read_record(cut).write() == whole.write()
    assert [play.actor for play in resumed.plays] == [None, 0, 1, None]


def test_killed_at_any_moment_the_save_holds(terminal: Open, home: Path, tmp_path: Path) -> None:
    rng = random.Random(1)
    caught = 0
    for number in range(amount(12, 200)):
        save = tmp_path / f"{number}.serai"
        with terminal("play", "--seats", ",".join(["random"] * 8), "--save", str(save)) as game:
            game.wait_for("Type ?")
            time.sleep(rng.uniform(0, 0.15))
            game.kill()
        verdict = verify(read_record(save))
        caught += not verdict.finished
    assert caught, "every game was over before it was killed"


def test_alone_one_sits_with_three_bots_of_the_middle_level(terminal: Open, home: Path) -> None:
    with terminal("play") as game:
        game.wait_for("Player> ")
    record = read_record(only_save(home))
    levels = serai.game(record.game).levels
    assert [seat.bot for seat in record.seats] == [None, *[levels[len(levels) // 2]] * 3]
    assert record.game == serai.games()[0]


def test_a_game_goes_on_from_a_step_of_a_finished_one(
    terminal: Open, serai: Callable[..., Answer], tmp_path: Path
) -> None:
    source, save = Path(__file__).parents[1] / "golden" / "camelup" / "plain-42.serai", tmp_path / "on.serai"
    with terminal(
        "play", "--from", str(source), "--step", "38", "--seat", "1", "--bot", "random", "--save", str(save)
    ) as game:
        roll_to_the_end(game)
    record = read_record(save)
    assert record.origin is not None
    assert (record.origin.step, record.origin.seat) == (38, 1)
    assert [seat.name for seat in record.seats] == ["random 0", "Player"]
    verified = serai("verify", "--from", str(source), str(save))
    assert re.search(r"\d+ of \d+ draws checked, 8 inherited from another game and not checked", verified.out)
    assert serai("verify", "--from", str(save), str(save)).code == 1
    assert "no moment" in serai("play", "--from", str(source), "--step", "3000").err
    assert serai("play", "--step", "3").code == 2
