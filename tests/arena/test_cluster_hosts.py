"""A Dask cluster on several hosts, as docs/cluster.md sets it up: with TLS, and by ``dask ssh``. Cables are slow, are
pulled out for a while, or for good; games are the same as without a cluster, each of them once.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.arena.archived import games
from tests.arena.test_cluster import BOT, SERAI, timeless
from tests.hosts import Host, Network, needed, network
from tests.support import wait_until

pytestmark = needed

SOON = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s", "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "15s"}
"""A host that is gone without a word is noticed after seconds instead of minutes: as docs/cluster.md says how."""
ARENA = ("arena", "camelup", "trusted:plain.py:decide", "random", "--seats", "2", "--seed", "7", "--games", "400")
ON_PATH = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", "")}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text(BOT)
    return tmp_path


@contextlib.contextmanager
def started(host: Host, *command: str, env: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[Any]]:
    """A command that runs on a host until the block ends; what it says is kept beside the test's other files."""
    with Path(f"{host.name}.log").open("ab") as log:
        process = host.start(*command, stdout=log, stderr=log, env={**ON_PATH, **(env or {})})
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def said(host: Host) -> str:
    """What the commands on a host have said."""
    log = Path(f"{host.name}.log")
    return log.read_text() if log.exists() else ""


def dask(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "dask", *arguments]


def result(process: subprocess.Popen[str]) -> Any:
    """The JSON that a command prints, without times."""
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    told = timeless(json.loads(out))
    return {name: told[name] for name in ("standings", "walls") if name in told}


def here(*arguments: str) -> Any:
    """The same without a cluster."""
    return result(subprocess.Popen([*SERAI, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))


def moves() -> int:
    """How many decisions the bot has made on all hosts."""
    return sum(log.stat().st_size for log in Path.cwd().glob("**/log"))


# -- with TLS ----------------------------------------------------------------------------------------------------------


def certificates(folder: Path) -> dict[str, str]:
    """Dask's settings for TLS with certificates of our own, made as docs/cluster.md does."""
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for command in (
        ["req", "-x509", *curve, "-days", "2", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Serai cluster"],
        ["req", *curve, "-keyout", "key.pem", "-out", "cert.csr", "-subj", "/CN=cluster"],
        ["x509", "-req", "-in", "cert.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "cert.pem"],
    ):
        subprocess.run(["openssl", *command], cwd=folder, check=True, capture_output=True)
    settings = {"REQUIRE_ENCRYPTION": "true", "TLS__CA_FILE": str(folder / "ca.pem")}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        settings[f"TLS__{role}__CERT"], settings[f"TLS__{role}__KEY"] = (
            str(folder / "cert.pem"),
            str(folder / "key.pem"),
        )
    return {f"DASK_DISTRIBUTED__COMM__{name}": value for name, value in settings.items()}


@contextlib.contextmanager
def tls_cluster(hosts: Network, workers: Sequence[str], tls: Mapping[str, str]) -> Iterator[str]:
    """A scheduler and workers that speak TLS only; the scheduler's address."""
    env = {**tls, **SOON}
    with contextlib.ExitStack() as stack:
        scheduler = hosts["scheduler"]
        command = dask("scheduler", "--host", f"tls://{scheduler.address}", "--port", "8786", "--no-dashboard")
        stack.enter_context(started(scheduler, *command, env=env))
        wait_until(lambda: "Scheduler at:" in said(scheduler))
        address = f"tls://{scheduler.address}:8786"
        for name in workers:
            there = Path(name)
            there.mkdir()
            shutil.copy("plain.py", there)
            command = dask("worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(there))
            command += ["--host", f"tls://{hosts[name].address}"]
            stack.enter_context(started(hosts[name], *command, env=env))
        wait_until(lambda: all("Registered to:" in said(hosts[name]) for name in workers))
        yield address


def test_a_cluster_with_tls_loses_and_repeats_nothing_whatever_becomes_of_its_hosts(
    folder: Path, record_property: Callable[[str, object], None]
) -> None:
    expected = here(*ARENA, "--file", "here.arena", "--json")
    before = moves()
    tls = certificates(folder)
    with network("client", "scheduler", "worker0", "worker1", "worker2") as hosts:
        with tls_cluster(hosts, ["worker0", "worker1", "worker2"], tls) as address:
            hosts["worker2"].delay = 0.1
            command = [*SERAI, *ARENA, "--file", "there.arena", "--json", "--cluster", address]
            pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            playing = hosts["client"].start(*command, env={**ON_PATH, **tls}, **pipes)

            def some_more(count: int) -> None:
                until = moves() + count
                wait_until(lambda: moves() > until or playing.poll() is not None, 120)
                assert playing.poll() is None, playing.communicate()

            some_more(300)
            hosts["worker0"].cut = True  # for good
            some_more(300)
            hosts["client"].cut = True
            time.sleep(3)
            hosts["client"].cut = False
            hosts["scheduler"].delay = 0.1
            assert result(playing) == expected
        assert games("there.arena") == games("here.arena")
        record_property("told", f"400 games on three hosts with TLS, one gone for good: {moves() - before} decisions")


def test_who_has_no_certificate_is_told_so(folder: Path) -> None:
    tls, other_folder = certificates(folder), folder / "others"
    other_folder.mkdir()
    with network("client", "scheduler", "worker0") as hosts, tls_cluster(hosts, ["worker0"], tls) as address:
        simulate = [*SERAI, "simulate", "camelup", "random", "--games", "2", "--cluster"]

        def simulated(address: str, env: Mapping[str, str]) -> tuple[int, str]:
            done = subprocess.run(
                hosts["client"].command(*simulate, address), env={**ON_PATH, **env}, capture_output=True, text=True
            )
            return done.returncode, done.stderr

        wait_until(lambda: simulated(address, tls)[0] == 0, 60)
        plain = address.replace("tls", "tcp")
        for other, env, why in (
            (address, {}, "needs certificates"),
            (address, certificates(other_folder), "with certificates of the same authority"),
            (plain, {}, "no Dask scheduler answers"),
            (plain, tls, "write tls:// instead of tcp://"),
        ):
            code, told = simulated(other, env)
            assert code == 2, told
            assert why in told
            assert told.count("\n") == 1, told


# -- by dask ssh -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def ssh_server(host: Host, folder: Path) -> Iterator[None]:
    """A server for SSH on a host, which lets in whoever has the key of this test."""
    Path("/run/sshd").mkdir(exist_ok=True)
    keys = {"host": folder / "host_key", "own": folder / "own_key"}
    for key in keys.values():
        if not key.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    settings = {
        "ListenAddress": host.address,
        "HostKey": keys["host"],
        "AuthorizedKeysFile": f"{keys['own']}.pub",
        "PidFile": "none",
        "UsePAM": "no",
        "StrictModes": "no",
        "PasswordAuthentication": "no",
    }
    flags = [flag for name, value in settings.items() for flag in ("-o", f"{name}={value}")]
    sshd = shutil.which("sshd", path="/usr/sbin:/usr/bin")
    assert sshd is not None
    with started(host, sshd, "-D", "-e", "-f", "/dev/null", *flags):
        yield


@pytest.mark.skipif(
    shutil.which("sshd", path="/usr/sbin:/usr/bin") is None, reason="there is no sshd: install openssh-server"
)
def test_dask_ssh_starts_a_cluster_on_several_hosts(folder: Path) -> None:
    pytest.importorskip("paramiko", reason="dask ssh needs paramiko")
    simulate = ("simulate", "camelup", "jerboa", "random", "--games", "300", "--seed", "5", "--json", "--export")
    names = ("scheduler", "worker0", "worker1")
    with network("client", *names) as hosts, contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(ssh_server(hosts[name], folder))
        at = [hosts[name].address for name in names]
        command = dask("ssh", "--scheduler", *at, "--nthreads", "1", "--ssh-private-key", str(folder / "own_key"))
        command += ["--ssh-username", "root", "--remote-python", sys.executable, "--local-directory", str(folder)]
        ssh = stack.enter_context(started(hosts["client"], *command))
        address = f"tcp://{at[0]}:8786"

        def simulated() -> bool:
            done = subprocess.run(
                hosts["client"].command(*SERAI, *simulate, "there.jsonl", "--cluster", address),
                env=ON_PATH,
                capture_output=True,
                text=True,
            )
            return done.returncode == 0

        wait_until(simulated, 120)
        subprocess.run([*SERAI, *simulate, "here.jsonl"], check=True, capture_output=True)
        assert Path("there.jsonl").read_bytes() == Path("here.jsonl").read_bytes()
        ssh.send_signal(signal.SIGINT)
        assert ssh.wait(60) == 0
