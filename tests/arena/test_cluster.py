"""Games on a Dask cluster of real processes: the same as without one, even when processes are killed."""

from __future__ import annotations

import json
import operator
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dask import config as dask_config

from serai.arena.cluster import BadCluster, client, read_address
from serai.arena.cluster.requirements import prepare, requirements_of
from serai.arena.series import play_on_worker
from serai.arena.tournament.description import Description
from serai.arena.tournament.runner import player_of, series_of
from serai.cli._support.group import run
from serai.coach.exercises import Collection, exercises
from serai.core.registry import game as find_game
from tests.arena.archived import games
from tests.support import SOAK

SERAI = [sys.executable, "-c", "from serai.cli import main; main()"]
BOT = """
def decide(view, rng):
    with open("log", "a") as log:
        log.write(".")
    return rng.choice(view.actions())
"""
SOME = 400
"""Decisions, which are those of several games."""
COUNT = "200" if SOAK else "40"
PLAIN = ["arena", "camelup", "trusted:plain.py:decide", "random", "--seats", "2", "--seed", "7", "--games", COUNT]


class Dask:
    """A scheduler with workers, all of them processes that can be killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._workers: list[subprocess.Popen] = []
        self.start()

    def start(self, port: int = 0) -> None:
        file = self._folder / "scheduler.json"
        file.unlink(missing_ok=True)
        flags = ["--host", "127.0.0.1", "--port", str(port), "--dashboard-address", "127.0.0.1:0"]
        self.scheduler = self._dask("scheduler", *flags, "--scheduler-file", str(file))
        while not file.exists() or not file.read_bytes().endswith(b"}"):
            assert self.scheduler.poll() is None
            time.sleep(0.01)
        self.address = json.loads(file.read_bytes())["address"]

    def worker(self, **environment: str) -> subprocess.Popen:
        flags = ["--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"]
        process = self._dask(
            "worker", self.address, *flags, "--local-directory", str(self._folder), environment=environment
        )
        self._workers.append(process)
        return process

    def workers(self, count: int) -> list[subprocess.Popen]:
        """This many running workers; missing ones are started."""
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        while len(self._workers) < count:
            self.worker()
        return self._workers

    def end(self) -> None:
        for process in (*self._workers, self.scheduler):
            process.kill()
            process.wait()
        self._workers.clear()

    def _dask(self, *arguments: str, environment: dict[str, str] | None = None) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            env={**os.environ, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    started = Dask(tmp_path_factory.mktemp("dask"))
    started.workers(2)
    yield started
    started.end()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text(BOT)
    return tmp_path


def json_of(arguments, capsys):
    """The JSON that a command prints, without times."""
    assert run([*arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    return timeless(printed)


def timeless(value):
    if isinstance(value, dict):
        timed = {"seconds", "games_per_second", "plies_per_second", "microseconds", "exported"}
        return {name: timeless(inner) for name, inner in value.items() if name not in timed}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def begun(command):
    """The command, when some games have been played."""
    log = Path("log")
    before = log.stat().st_size if log.exists() else 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not log.exists() or log.stat().st_size < before + SOME:
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    return process


# -- the same games ----------------------------------------------------------------------------------------------------


def test_tournaments_are_the_same_to_the_digit(dask, capsys):
    dask.workers(2)
    on = ["--cluster", dask.address]
    bots = ["jerboa", "donkey", "trusted:plain.py:decide", *(["cheetah(rollouts=4, seconds=None)"] if SOAK else [])]
    arguments = ["arena", "camelup", *bots, "--seats", "2", "--seed", "7", "--games", "192" if SOAK else "48"]
    on_cluster = json_of([*arguments, *on, "--file", "on_cluster.arena"], capsys)
    assert on_cluster == json_of([*arguments, "--file", "here.arena"], capsys)
    assert on_cluster["standings"]["games"] >= 48
    assert games("on_cluster.arena") == games("here.arena")


def test_simulations_are_the_same_on_two_local_workers(capsys):
    on = ["--cluster", "local:2"]
    arguments = ["simulate", "pharaoh", "scarab", "random", "gecko", "--paired", "--games", "99", "--export"]
    assert json_of([*arguments, "on_cluster.jsonl", *on], capsys) == json_of([*arguments, "here.jsonl"], capsys)
    assert Path("on_cluster.jsonl").read_bytes() == Path("here.jsonl").read_bytes()


def test_simulations_of_files_and_exercises_are_the_same(dask, capsys):
    dask.workers(2)
    on = ["--cluster", dask.address]
    arguments = ["simulate", "camelup", "plain.py:decide", "random", "--games", "30", "--export"]
    assert json_of([*arguments, "on_cluster.jsonl", *on], capsys) == json_of([*arguments, "here.jsonl"], capsys)
    assert Path("on_cluster.jsonl").read_bytes() == Path("here.jsonl").read_bytes()
    known = exercises(find_game("camelup"))
    assert known is not None
    Path("some").write_text(Collection(known.provenance, known.exercises[:2]).write())
    looks = [["--again", "some"], *([["--games", "4"]] if SOAK else [])]
    for look in looks:
        assert run(["coach", "--exercises", "camelup", *look, "--out", "on_cluster", *on]) == 0
        assert run(["coach", "--exercises", "camelup", *look, "--out", "here"]) == 0
        assert Path("on_cluster").read_bytes() == Path("here").read_bytes()


def test_a_process_meets_no_dice_twice(folder):
    (folder / "pids.py").write_text(
        "import os\n\nclass Bot:\n    def __init__(self):\n        with open('pids', 'a') as log:\n"
        "            print(os.getpid(), file=log)\n\n"
        "    def decide(self, view, rng):\n        return rng.choice(view.actions())\n"
    )
    tournament, _ = Description("camelup", ["trusted:pids.py:Bot", "random"], seats=2).settle()
    player, series = player_of(tournament), series_of(tournament, "7", (0, 1))
    met = []
    for numbers in (range(0, 6, 2), range(1, 6, 2)):
        Path("pids").write_text("")
        dice = frozenset(number // 2 for number in numbers)
        games = play_on_worker(player, series, (0, 1), numbers, apart=dice)
        assert [one.numbers.start for one in games] == list(numbers)
        met.append(set(Path("pids").read_text().split()))
    assert [len(pids) for pids in met] == [1, 1]
    assert len(met[0] | met[1] | {str(os.getpid())}) == 3


# -- killing -----------------------------------------------------------------------------------------------------------


def test_a_worker_that_is_killed_costs_nothing(dask, capsys):
    for turn in range(4 if SOAK else 1):
        first, _ = dask.workers(2)
        file = f"cluster{turn}.arena"
        process = begun([*SERAI, *PLAIN, "--cluster", dask.address, "--file", file])
        first.kill()
        if SOAK:
            dask.workers(3)
        _, said = process.communicate()
        assert process.returncode == 0, said
        assert "Traceback" not in said
        if not turn:
            assert run([*PLAIN, "--file", "here.arena"]) == 0
        assert games(file) == games("here.arena")
    capsys.readouterr()


def test_when_all_workers_are_gone_a_message_says_so_and_the_first_to_come_goes_on(dask):
    process = begun([*SERAI, *PLAIN, "--cluster", dask.address])
    for worker in dask.workers(2):
        worker.kill()
        worker.wait()
    said = ""
    while "no workers are left" not in said:
        said = process.stderr.readline()
        assert said, process.wait()
    dask.workers(1)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert f"workers at {dask.address} again: 1" in said
    assert len(games("camelup.arena")) == int(COUNT)


def test_the_arena_is_killed_and_gone_on_with(dask):
    dask.workers(2)
    command = [*SERAI, *PLAIN, "--cluster", dask.address]
    before = {}
    for _ in range(4 if SOAK else 1):
        process = begun(command)
        process.kill()
        process.communicate()
        stored = games("camelup.arena")
        assert before.items() <= stored.items()
        before = stored
    assert run(PLAIN) == 0
    after = games("camelup.arena")
    assert len(after) == int(COUNT)
    assert before.items() <= after.items()


def test_the_scheduler_is_killed_and_the_tournament_gone_on_with(dask):
    dask.workers(2)
    process = begun([*SERAI, *PLAIN, "--cluster", dask.address])
    dask.scheduler.kill()
    _, said = process.communicate()
    dask.end()
    assert process.returncode == 2
    assert f"the scheduler at {dask.address} does not answer any more" in said
    assert f"go on with: serai arena camelup.arena --cluster {dask.address}" in said
    assert "Traceback" not in said
    before = games("camelup.arena")
    dask.start(int(dask.address.rpartition(":")[2]))
    dask.workers(2)
    assert run(["arena", "camelup.arena", "--cluster", dask.address]) == 0
    after = games("camelup.arena")
    assert before.items() <= after.items()
    assert len(after) == int(COUNT)
    assert run([*PLAIN, "--file", "here.arena"]) == 0
    assert after == games("here.arena")


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_a_worker_with_another_version_is_refused(dask, folder, capsys):
    other = folder / "other" / "msgspec-0.0.1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: msgspec\nVersion: 0.0.1\n")
    dask.workers(1)
    odd = dask.worker(PYTHONPATH=str(other.parent))
    try:
        deadline = time.monotonic() + 60
        while True:
            assert time.monotonic() < deadline
            code = run(["simulate", "camelup", "random", "--games", "2", "--cluster", dask.address])
            said = capsys.readouterr().err
            if code == 2:
                break
    finally:
        odd.kill()
        odd.wait()
    assert "worker tcp://127.0.0.1:" in said
    assert "has msgspec 0.0.1 (here: " in said


def test_a_bot_that_a_worker_cannot_load_is_named(dask, folder, monkeypatch, capsys):
    dask.workers(1)
    (folder / "mine.py").write_text("import os\nos.environ['ONLY_HERE']\n" + BOT)
    monkeypatch.setenv("ONLY_HERE", "yes")
    assert run(["arena", "camelup", "trusted:mine.py:decide", "random", "--seats", "2", "--cluster", dask.address]) == 2
    said = capsys.readouterr().err
    assert "worker tcp://127.0.0.1:" in said
    assert "bot file 'mine.py' cannot be run: KeyError: 'ONLY_HERE'" in said


@pytest.mark.parametrize(
    ("address", "settings", "why"),
    [
        ("tls://127.0.0.1:1", {}, "tls://127.0.0.1:1 needs certificates"),
        ("tcp://127.0.0.1:1", {"require-encryption": True}, "write tls:// instead of tcp://"),
        ("tls://127.0.0.1:1", {"tls.ca-file": "nowhere.pem", "tls.client.cert": "nowhere.pem"}, "cannot be used: "),
    ],
)
def test_settings_that_do_not_fit_the_address_are_named(address, settings, why, capsys):
    with dask_config.set({f"distributed.comm.{name}": value for name, value in settings.items()}):
        assert run(["simulate", "camelup", "random", "--games", "2", "--cluster", address]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_a_fault_of_a_worker_is_not_reported_as_a_lost_scheduler(dask):
    dask.workers(1)
    with client.connect(dask.address, "test", "camelup", []) as cluster:
        executor = cluster.executor(operator.truediv)
        executor.submit("divided", 1, 0)
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            next(filter(None, (executor.finished(1.0) for _ in range(60))))


def test_files_travel_where_the_folder_is_not(folder, monkeypatch):
    below = folder / "bots"
    below.mkdir()
    (below / "one.py").write_text(BOT)
    away = folder / "away"
    away.mkdir()
    needs = requirements_of(["bots/one.py:decide", "process:python3 bots/one.py", "quick"])
    assert [file.path for file in needs.files] == ["bots/one.py"]
    prepare(needs, away)
    assert Path.cwd() == folder
    (below / "one.py").write_text("# another\n")
    prepare(needs, away)
    assert Path.cwd() == away
    assert Path("bots/one.py").read_text() == BOT
    monkeypatch.chdir(folder)
    needs = requirements_of([f"{below / 'one.py'}:decide"])
    (below / "one.py").unlink()
    with pytest.raises(BadCluster, match=r"one\.py' of a bot is not there: put the same one at that place"):
        prepare(needs, away)


def test_other_code_of_the_same_version_is_refused(folder):
    import msgspec

    needs = requirements_of([])
    other = msgspec.structs.replace(needs, versions={**needs.versions, "serai's own files": "0123"})
    with pytest.raises(BadCluster, match=r"has serai's own files \w{12} \(here: 0123\)"):
        prepare(other, folder)


@pytest.mark.parametrize("text", ["tcp://host", "tcp://host:x", "host:8786", "local", "local:0", "local:x", "tcp://:1"])
def test_addresses_that_are_none(text, capsys):
    with pytest.raises(BadCluster):
        read_address(text)
    assert run(["simulate", "camelup", "random", "--cluster", text]) == 2
    said = capsys.readouterr().err
    assert text in said
    assert "write" in said


def test_nobody_answers(monkeypatch, capsys):
    monkeypatch.setattr(client, "CONNECT", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        for _ in ("nobody", "silent"):
            assert run(["simulate", "camelup", "random", "--games", "2", "--cluster", address]) == 2
            assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err
            silent.listen()


def test_jobs_and_clusters_do_not_go_together(capsys):
    assert run(["arena", "camelup", "quick", "random", "--jobs", "2", "--cluster", "local:2"]) == 2
    assert "--jobs is for this machine" in capsys.readouterr().err
    Path("game.serai").touch()
    assert run(["coach", "game.serai", "--cluster", "local:2"]) == 2
    assert "goes with --exercises" in capsys.readouterr().err


def test_without_dask_the_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["simulate", "camelup", "random", "--games", "2", "--cluster", "local:2"]) == 2
    assert "clusters need Dask: install Serai with its extra 'cluster'" in capsys.readouterr().err


def test_nothing_loads_dask_unless_it_is_asked_for():
    code = (
        "import sys; from serai.cli._support.group import run; import serai.arena.tournament.runner; "
        "run(['simulate', 'camelup', 'random', '--games', '2']); "
        "sys.exit(any(name in sys.modules for name in ('dask', 'distributed', 'tornado')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
