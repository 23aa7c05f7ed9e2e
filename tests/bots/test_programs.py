"""Programs as bots: how they are named, what is said to them, and what is told of those that do not play as agreed."""

from __future__ import annotations

import copy
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import serai
from serai.arena.series import Player, Series
from serai.bots import BotFailed, find_bot
from serai.bots import program as programs
from serai.bots.contract import NoAnswer, close, make_for
from serai.bots.program import GAMES, STARTS, ProgramMaker, end_pair, program_spec
from serai.bots.specs import bot_title, find_working_bot, split_specs
from serai.core.record import Record, verify
from serai.errors import UnknownName
from serai.processes import launch, sandbox
from serai.processes.sandbox import NoSandbox
from serai.table import proposals
from serai.table.errors import Refusal
from tests.support import random_play, wait_until

GAME = serai.game("camelup")
PYTHON = sys.executable

POLITE = """
import json, os, sys, time
def say(answer):
    print(json.dumps(answer), flush=True)
def decide(told):
    return {"action": told["actions"][told["random"] % len(told["actions"])]}
HELLO = {"type": "hello", "protocol": 1, "events": True}
def hear(told):
    pass
# --
for line in sys.stdin:
    told = json.loads(line)
    hear(told)
    if told["type"] == "hello":
        say(HELLO)
    elif told["type"] == "decide":
        say(decide(told))
"""
"""A program that plays at random; what is put in the place of its mark changes how."""


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """Writes programs and names them."""

    def write(changed: str = "", kind: str = "process") -> str:
        folder = tmp_path / "bots"
        folder.mkdir(exist_ok=True)
        file = folder / f"bot{len(list(folder.iterdir()))}.py"
        file.write_text(POLITE.replace("# --", changed))
        return f"{kind}:{PYTHON} -I -S {file}"

    return write


def first_view(players: int = 2) -> Any:
    states = (state for state, *_ in random_play(GAME, players, random.Random(1)) if state.actor is not serai.CHANCE)
    state = next(states)
    return state.seen_by(state.actor)


def decided(spec: str, seconds: float = 20.0) -> Any:
    bot: Any = find_bot(GAME, spec)()
    try:
        return bot.decide_within(first_view(), random.Random(1), seconds)
    finally:
        close(bot)


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("process:", "no program is named"),
        ("process:./nowhere", "no program './nowhere' here"),
        ("process:no-such-program --x", "on the PATH"),
        ("process:'", "no closing quotation"),
        ("process:{folder}", "is a folder"),
        ("process:{folder}/bot.py", "name what runs it: 'process:python3"),
        ("process:{folder}/plain", "chmod"),
        ("process:{folder}/broken", "did not begin"),
        ("process:sleep 60", "took longer than 1 s, when it was sent hello"),
        ("process:true", "ended \\(exit code 0\\), when it was sent hello"),
        ("isolated:", "no bot is named"),
        ("isolated:nobody", "no bot 'nobody'"),
    ],
)
def test_a_program_that_cannot_play_is_told_before_the_first_game(
    spec: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "sleep" in spec:
        monkeypatch.setattr(programs, "START_SECONDS", 1.0)
    (tmp_path / "bot.py").touch()
    (tmp_path / "plain").touch()
    (tmp_path / "broken").write_text("#!/nowhere/at/all\n")
    (tmp_path / "broken").chmod(0o755)
    with pytest.raises(UnknownName, match=reason):
        find_working_bot(GAME, spec.replace("{folder}", str(tmp_path)))


def test_a_program_of_another_game_is_told(program: Any) -> None:
    spec = program('HELLO["games"] = ["pharaoh"]')
    find_working_bot(serai.game("pharaoh"), spec)
    with pytest.raises(UnknownName, match="does not play camelup; it says that it plays pharaoh"):
        find_working_bot(GAME, spec)


def test_trusted_bots_in_python_are_told_from_trusted_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bot.py").write_text("def decide(view, rng):\n    return view.actions()[0]\n")
    for python in ("bot.py:Bot", "bots/bot.py:Bot(x={'a': 1})", "package.module:Bot", "my bot.py:decide"):
        assert program_spec(f"trusted:{python}") is None
    for command in ("./bot", "./bot.py", "bot.py", "python3 bot.py", "./run.py bot.py:Bot", "./bot host:port", "a-b:c"):
        assert program_spec(f"trusted:{command}") is not None
    assert find_bot(GAME, "trusted:my bot.py:decide")().decide(first_view(), random.Random(1))
    assert bot_title("trusted:my bot.py:decide") == "my bot"


def test_commands_stand_in_lists_with_their_commas_quoted() -> None:
    assert split_specs("quick,process:./bot --x 'a,b',random") == ["quick", "process:./bot --x 'a,b'", "random"]
    assert program_spec("quick") is None
    assert bot_title("process:./mybot --depth 3") == "mybot"


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_program_is_told_what_its_seat_may_know_and_nothing_else(program: Any) -> None:
    """It writes what it hears to its standard error, where we read it."""
    spec = program("def hear(told):\n    sys.stderr.write(json.dumps(told) + '\\n')")
    rng = random.Random(3)
    plays = list(random_play(GAME, 3, rng, hide_money=True))
    bot: Any = find_bot(GAME, spec)()
    program_ = bot._current.program
    seat, heard = 1, []
    try:
        for state, _, _, events in plays:
            if state.actor == seat:
                bot.decide_within(state.seen_by(seat), rng, 20.0)
                wait_until(lambda: _all_heard(program_))
                heard += [json.loads(line) for line in program_._printed.splitlines()]
                program_._printed = b""
            for event in events:
                bot.watch(event.seen_by(seat))
    finally:
        close(bot)
    begun = [told for told in heard if told["type"] == "game"]
    assert begun == [
        {
            "type": "game",
            "game": "camelup",
            "rules": GAME.version,
            "seat": 1,
            "players": 3,
            "options": {"first": 0, "hide_money": True},
        }
    ]
    asked = [told for told in heard if told["type"] == "decide"]
    views = [state.seen_by(seat) for state, *_ in plays if state.actor == seat]
    assert [told["view"] for told in asked] == [json.loads(_as_json(view)) for view in views]
    assert [told["actions"] for told in asked] == [[str(action) for action in view.actions()] for view in views]
    numbers = [[GAME.encoding.number(action) for action in view.actions()] for view in views]
    assert [told["numbers"] for told in asked] == numbers
    told_events = [event for told in asked for event in told["events"]]
    shown = [event.seen_by(seat) for *_, events in plays for event in events]
    assert told_events == [json.loads(_as_json(event)) for event in shown[: len(told_events)]]
    assert len(told_events) > 20
    assert all(told["seconds"] == 20.0 and 0 <= told["random"] < 1 << 53 for told in asked)


def _as_json(value: Any) -> bytes:
    import msgspec

    return msgspec.json.encode(value)


def _all_heard(program: Any) -> bool:
    program._read_stderr()
    return bool(program._printed.endswith(b"\n"))


def test_a_program_may_say_itself_that_it_failed_and_plays_on(program: Any) -> None:
    spec = program(
        "said = []\n"
        "def decide(told):\n"
        "    said.append(1)\n"
        "    sys.stderr.write('more about it'); sys.stderr.flush()\n"
        "    return {'fault': 'lost\\x1b[2J\\n its way'} if len(said) == 1 else {'number': told['numbers'][0]}"
    )
    bot: Any = find_bot(GAME, spec)()
    pid = bot.pid
    with pytest.raises(NoAnswer, match=r"^lost\[2J its way$") as failed:
        bot.decide_within(first_view(), random.Random(1), 20.0)
    assert failed.value.printed == "more about it"
    assert bot.decide_within(first_view(), random.Random(1), 20.0) == str(first_view().actions()[0])
    assert bot.pid == pid
    close(bot)


def test_what_a_bot_in_python_raised_is_told_with_its_traceback_and_it_plays_on(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "class Bot:\n"
        "    asked = 0\n"
        "    def decide(self, view, rng):\n"
        "        self.asked += 1\n"
        "        if self.asked == 1:\n"
        "            raise KeyError('lost')\n"
        "        return 'nowhere' if self.asked == 2 else view.actions()[0]\n"
    )
    bot: Any = find_bot(GAME, f"isolated:{tmp_path / 'broken.py'}:Bot")()
    pid = bot.pid
    with pytest.raises(NoAnswer, match=r"^raised KeyError: 'lost'$") as failed:
        bot.decide_within(first_view(), random.Random(1), 20.0)
    assert "in decide" in failed.value.printed
    with pytest.raises(NoAnswer, match=r"^answered 'nowhere', which is not legal"):
        bot.decide_within(first_view(), random.Random(1), 20.0)
    assert bot.decide_within(first_view(), random.Random(1), 20.0) == str(first_view().actions()[0])
    assert bot.pid == pid
    close(bot)


@pytest.mark.skipif("NUMBA_CACHE_DIR" in os.environ, reason="whoever is shut in knows the package's own cache alone")
def test_a_bot_that_is_shut_in_uses_what_others_have_compiled(tmp_path: Path) -> None:
    splitmix = pytest.importorskip("serai.lab.rng")
    splitmix.below(7, 3)
    (tmp_path / "fast.py").write_text(
        "from serai.lab.rng import below\n"
        "def decide(view, rng):\n"
        "    below(7, 3)\n"
        "    raise RuntimeError(sum(below.stats.cache_hits.values()), sum(below.stats.cache_misses.values()))\n"
    )
    bot: Any = find_bot(GAME, f"isolated:{tmp_path / 'fast.py'}:decide")()
    with pytest.raises(NoAnswer, match=r"raised RuntimeError: \(1, 0\)"):
        bot.decide_within(first_view(), random.Random(1), 60.0)
    close(bot)


def test_an_answer_may_be_a_number(program: Any) -> None:
    spec = program('def decide(told):\n    return {"number": told["numbers"][-1]}')
    assert decided(spec) == str(first_view().actions()[-1])


# -- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ("def decide(told):\n    time.sleep(60)", "took longer than 0.5 s"),
        ("def decide(told):\n    sys.exit(3)", r"ended \(exit code 3\)"),
        ("def decide(told):\n    os.close(1); time.sleep(60)", "closed its output"),
        ("def decide(told):\n    os.abort()", "ended by SIGABRT"),
        ("def decide(told):\n    return 7", "was expected"),
        ("def decide(told):\n    return {}", "must have exactly one field"),
        ("def decide(told):\n    print('roll', flush=True); time.sleep(60)", "is no JSON"),
        ("def decide(told):\n    return {'number': 10**6}", "number 1000000, which is not legal"),
        ('def decide(told):\n    os.write(1, b\'{"action":"roll"}\\n\' * 2); time.sleep(60)', "more than one line"),
        ("def decide(told):\n    while True: os.write(1, b'x' * 4096)", "without ending the line"),
        ("def decide(told):\n    raise RuntimeError('of its own')", r"ended \(exit code 1\)"),
    ],
)
def test_what_a_program_does_wrong_is_told(changed: str, reason: str, program: Any) -> None:
    bot: Any = find_bot(GAME, program(changed))()
    patience = 0.5 if "0.5" in reason else 20.0
    try:
        with pytest.raises(NoAnswer, match=reason) as failed:
            _asked_twice(bot, patience)  # one line too many may be seen only when the next one is wanted
        if "RuntimeError" in changed:
            assert "RuntimeError: of its own" in failed.value.printed
    finally:
        close(bot)


def _asked_twice(bot: Any, seconds: float) -> None:
    for _ in range(2):
        bot.decide_within(first_view(), random.Random(1), seconds)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ('HELLO["protocol"] = 7', "speaks version 7"),
        ("print('ready', flush=True); time.sleep(60)", "without being asked|no JSON"),
    ],
)
def test_what_a_program_says_at_first_is_looked_at(changed: str, reason: str, program: Any) -> None:
    with pytest.raises(NoAnswer, match=reason):
        find_bot(GAME, program(changed))()


def test_a_program_that_answers_illegally_stops_the_series_and_is_shown(program: Any) -> None:
    spec = program("def decide(told):\n    return {'action': 'leg purple'}")
    with pytest.raises(BotFailed, match="'leg purple', which is not legal"):
        serai.simulate("camelup", [spec, "random"], games=1)


def test_one_that_is_lost_is_started_again_with_all_that_happened_and_given_up_in_the_end(program: Any) -> None:
    dies = program("def decide(told):\n    sys.exit(len(told['events']) and 9)")
    bot: Any = find_bot(GAME, dies)()
    bot.watch(serai.game("camelup").new().step(next(iter(GAME.new().actions())))[1][0])
    for _ in range(STARTS):
        with pytest.raises(NoAnswer, match="exit code 9"):
            bot.decide_within(first_view(), random.Random(1), 20.0)
    with pytest.raises(NoAnswer, match="lost too often"):
        bot.decide_within(first_view(), random.Random(1), 20.0)


def test_long_lines_reach_a_program_that_reads_slowly(program: Any) -> None:
    spec = program("time.sleep(0.2)\nsys.stdin = os.fdopen(0, 'r', buffering=1024)")
    bot: Any = find_bot(GAME, spec)()
    (event,) = GAME.new().step(next(iter(GAME.new().actions())))[1][:1]
    for _ in range(5000):
        bot.watch(event)
    try:
        assert bot.decide_within(first_view(), random.Random(1), 20.0)
    finally:
        close(bot)


# -- processes ---------------------------------------------------------------------------------------------------------


def test_no_process_plays_two_games_with_the_same_dice(program: Any) -> None:
    make: Any = find_bot(GAME, program())
    end = list(random_play(GAME, 2, random.Random(2)))[-1][2]
    played: list[tuple[str, int]] = []
    for pair in ("group 0", "group 0", "group 1", "group 1", "group 2"):
        end_pair(pair)
        bot: Any = make_for(make, pair)
        played.append((pair, bot.pid))
        bot.decide_within(first_view(), random.Random(1), 20.0)
        bot.over(end)
        close(bot)
    make.close()
    assert len(set(played)) == len(played), "a process plays one game of a pair at most"
    assert len({pid for _, pid in played}) == 3, "and games of other pairs"
    once = [make().pid for _ in range(2)]
    assert len(set(once)) == 2
    assert GAMES > 1


def test_processes_of_one_game_are_gone_when_another_with_its_dice_begins(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of both entrants, or one could tell the other what it saw; also those that only stood by."""
    games: list[tuple[Any, set[int]]] = []
    left: list[int] = []
    make_for = ProgramMaker.make_for

    def noted(maker: ProgramMaker, pair: Any) -> Any:
        if pair is None:  # a trial
            return make_for(maker, pair)
        if not games or games[-1][0] != pair or len(games[-1][1]) == 2:
            games.append((pair, set()))
            known = {pid for other, pids in games for pid in pids if other == pair}
            left.extend(pid for pid in known if _status(pid))
        bot = make_for(maker, pair)
        games[-1][1].add(bot.pid)
        return bot

    monkeypatch.setattr(ProgramMaker, "make_for", noted)
    player = Player(GAME, [program(), program()], rows=False)
    bots = ("one", "other")
    series = Series(game="camelup", bots=bots, options=GAME.settled(2, {}), games=6, seed="x", paired=True)
    played = player(series, (0, 1), range(6))
    assert [result.number for result in played.results] == list(range(6))
    assert len(games) == 6
    assert not left
    assert len(set().union(*(pids for _, pids in games))) == 4, "processes of one rotation play all its games"


def test_the_same_seed_gives_the_same_games_whoever_shares_them(program: Any) -> None:
    spec = program()
    runs = [serai.simulate("camelup", [spec, "random"], games=4, paired=True, seed="x", jobs=jobs) for jobs in (1, 2)]
    assert runs[0].rows.tobytes() == runs[1].rows.tobytes()


def test_without_a_seed_a_program_cannot_guess_it(program: Any) -> None:
    spec = program()
    seeds = {serai.simulate("camelup", [spec, "random"], games=1).seed for _ in range(2)}
    assert len(seeds) == 2
    assert all(len(seed) == 32 for seed in seeds)
    assert serai.simulate("camelup", ["random", "random"], games=1).seed == "1"


def test_a_program_stands_still_between_decisions_and_ends_with_whoever_started_it(program: Any) -> None:
    script = f"""
import random, sys, time
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.bots.test_programs import GAME, find_bot, first_view
bot = find_bot(GAME, {program()!r})()
bot.decide_within(first_view(), random.Random(1), 20)
print(bot.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        wait_until(lambda: _status(pid) == "T")
        parent.kill()
        parent.wait()
        wait_until(lambda: not Path(f"/proc/{pid}").exists() or _status(pid) == "Z")


def test_one_that_overruns_is_killed_with_all_it_started(program: Any, tmp_path: Path) -> None:
    """Only a trusted one can start anything."""
    note = tmp_path / "child"
    changed = (
        f"import subprocess\ndef decide(told):\n    child = subprocess.Popen(['sleep', '60'])\n"
        f"    open({str(note)!r}, 'w').write(str(child.pid))\n    time.sleep(60)"
    )
    for seconds in (0.5, 5.0, 30.0):  # on a busy machine it takes a while until something was started
        bot: Any = find_bot(GAME, program(changed, "trusted"))()
        with pytest.raises(NoAnswer, match="took longer"):
            bot.decide_within(first_view(), random.Random(1), seconds)
        if note.exists() and note.read_text():
            break
    child = int(note.read_text())
    wait_until(lambda: not Path(f"/proc/{child}").exists() or _status(child) == "Z")


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


def test_bots_that_nobody_holds_any_more_end(program: Any) -> None:
    bot: Any = find_bot(GAME, program())()
    pid = bot.pid
    del bot
    began = time.monotonic()
    while Path(f"/proc/{pid}").exists() and time.monotonic() < began + 10:
        time.sleep(0.02)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_program_that_plays_cannot_be_copied(program: Any) -> None:
    bot: Any = find_bot(GAME, program())()
    try:
        with pytest.raises(TypeError, match="cannot be copied"):
            copy.deepcopy(bot)
    finally:
        close(bot)


@pytest.mark.parametrize("kind", ["process", "isolated"])
def test_where_there_is_no_sandbox_a_bot_plays_only_if_it_is_trusted(
    kind: str, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text("def decide(view, rng):\n    return view.actions()[0]\n")
    command = program(kind="trusted").removeprefix("trusted:") if kind == "process" else f"{tmp_path / 'bot.py'}:decide"
    assert decided(f"{kind}:{command}")
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    with pytest.raises(NoSandbox, match=f"needs Linux 6.2 or later.*write trusted:{re.escape(command)}$"):
        find_bot(GAME, f"{kind}:{command}")
    with pytest.raises(NoSandbox, match="does not run without one"):
        serai.simulate("camelup", [f"{kind}:{command}", "random"], games=1)
    assert len(serai.simulate("camelup", [f"trusted:{command}", "random"], games=1).rows) == 1


def test_a_program_that_was_found_elsewhere_does_not_begin_without_its_sandbox(
    program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last door: the process itself refuses to become the program."""
    command = find_bot(GAME, program()).command  # type: ignore[attr-defined]
    copy_of = tmp_path / "serai"
    shutil.copytree(Path(launch.__file__).parents[1] / "processes", copy_of / "processes")
    shutil.copy(Path(launch.__file__).parents[1] / "errors.py", copy_of)
    with (copy_of / "processes" / "sandbox.py").open("a") as file:
        file.write("\n\ndef landlock_version():\n    return 0\n")
    monkeypatch.setattr(launch, "__file__", str(copy_of / "processes" / "launch.py"))
    with pytest.raises(NoAnswer, match=r"did not begin: .*needs Linux 6\.2"):
        programs.GreetedProgram(command)


def test_records_keep_the_command_of_a_program(program: Any) -> None:
    spec = f"{program()} --words 'a,b' 'c \"d\"'"
    record = serai.simulate("camelup", [spec, "random"], games=1).record(0)
    assert Record.read(record.write()).seats[0].bot == spec
    assert verify(record).finished


def test_no_table_of_a_server_seats_a_program() -> None:
    with pytest.raises(Refusal, match="no bot 'trusted:true' plays camelup"):
        proposals.bot_sitting(GAME, "trusted:true")


def test_a_bot_of_several_files_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody works it can read the files that are named, and no others."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "helper.py").write_text("WORD = 'action'")
    (own / "bot.py").write_text(POLITE.replace("# --", "import helper\ndecide = lambda told: {helper.WORD: 'roll'}"))
    monkeypatch.chdir(tmp_path)
    assert decided(f"process:{PYTHON} own/bot.py") == "roll"
    monkeypatch.chdir(own)
    with pytest.raises(NoAnswer, match="when it was sent hello") as failed:
        decided(f"process:{PYTHON} bot.py")
    assert "helper" in failed.value.printed
