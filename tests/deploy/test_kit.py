"""The files of a host's kit are sound, and name nothing that does not exist."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from serai.cli.serve import command as serve
from serai.server.limits import Limits
from serai.server.metrics import Metrics
from tests.deploy.systemd import bytes_of, parse

DEPLOY = Path(__file__).parents[2] / "deploy"
GAUGES = {"tables", "tables_playing", "sockets", "onlookers", "addresses_remembered"}


def installed(program: str, package: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: `make soak` installs Debian's package {package}")
    return found


def served_metrics() -> set[str]:
    text = Metrics().write(dict.fromkeys(GAUGES, ("", 0.0)))
    return {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}


def named_metrics(text: str) -> set[str]:
    return {re.sub(r"_bucket$", "", name) for name in re.findall(r"\bserai_\w+", text)}


def test_alarms_and_board_name_metrics_that_the_server_has() -> None:
    rules: Any = yaml.safe_load((DEPLOY / "alarms.yaml").read_text())["groups"][0]["rules"]
    expressions = [rule["expr"] for rule in rules]
    assert any("serai_bot_replacements_total" in one for one in expressions), "a bot replaced by random moves"
    assert all({"summary", "look"} <= set(rule["annotations"]) for rule in rules)
    board = json.loads((DEPLOY / "grafana.json").read_text())
    expressions += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = named_metrics("\n".join(expressions))
    assert named <= served_metrics()
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_prometheus_takes_the_alarms() -> None:
    done = subprocess.run(
        [installed("promtool", "prometheus"), "check", "rules", str(DEPLOY / "alarms.yaml")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_has_room_for_compiled_code_and_a_review() -> None:
    unit = parse(DEPLOY / "serai.service")
    assert bytes_of(unit["MemoryMax"][0]) == 2 << 30
    assert bytes_of(unit["MemoryHigh"][0]) < bytes_of(unit["MemoryMax"][0])
    assert unit["CacheDirectory"] == ["serai"]
    assert "XDG_CACHE_HOME=%C/serai" in unit["Environment"]
    flags = {flag for option in serve.params for flag in option.opts + option.secondary_opts}
    for text in unit["ExecStart"]:
        assert set(re.findall(r"--[\w-]+", text)) <= flags


def test_systemd_takes_the_units() -> None:
    program = installed("systemd-analyze", "systemd")
    units = [str(file) for file in (*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer"))]
    done = subprocess.run([program, "verify", *units], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "is not executable" not in line and line.strip()]
    assert said == []


def test_the_containers_name_what_is_there() -> None:
    compose: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    serai = compose["services"]["serai"]
    flags = {flag for option in serve.params for flag in option.opts + option.secondary_opts}
    steps = (DEPLOY / "Containerfile").read_text()
    entry = json.loads(re.search(r"^ENTRYPOINT (\[.*\])$", steps, re.MULTILINE)[1])  # type: ignore[index]
    given = [word.split("=")[0] for word in [*entry, *serai["command"]] if word.startswith("--")]
    assert set(given) <= flags
    volumes = json.loads(re.search(r"^VOLUME (\[.*\])$", steps, re.MULTILINE)[1])  # type: ignore[index]
    assert [one.partition(":")[2] for one in serai["volumes"]] == volumes
    named = {one.partition(":")[0] for service in compose["services"].values() for one in service["volumes"]}
    assert {one for one in named if not one.startswith(".")} == set(compose["volumes"])
    for one in named - set(compose["volumes"]):
        assert (DEPLOY / one).is_file()
    assert (DEPLOY.parent / serai["build"]["dockerfile"]).is_file()
    examples = re.findall(r"^([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)
    assert set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "compose.yaml").read_text())) == set(examples)
    assert all("mem_limit" in service for service in compose["services"].values())


def test_compose_takes_its_file(tmp_path: Path) -> None:
    """Against its own description; nothing is started."""
    program = installed("docker-compose", "docker-compose")
    environment = tmp_path / "env"
    example = (DEPLOY / "env.example").read_text()
    environment.write_text(example.replace("POSTGRES_PASSWORD=", "POSTGRES_PASSWORD=secret"))
    command = [program, "--env-file", str(environment), "--file", str(DEPLOY / "compose.yaml"), "config"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    environment.write_text(example)
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert "put a password into deploy/.env" in done.stderr


def test_the_proxies_limits_are_no_lower_than_the_servers() -> None:
    nginx = (DEPLOY / "nginx.conf").read_text()
    assert f"limit_conn serai_connections {Limits().connections};" in nginx
    rate = re.search(r"rate=(\d+)r/s", nginx)
    assert rate is not None
    assert int(rate[1]) * 60 >= Limits().pages, "the page's files come in one burst"


def test_caddy_takes_its_files(tmp_path: Path) -> None:
    program = installed("caddy", "caddy")
    for name in ("Caddyfile", "Caddyfile.compose"):
        text = (DEPLOY / name).read_text().replace("{$SERAI_NAME}", "play.example.org")
        file = tmp_path / name
        file.write_text(text)
        command = [program, "adapt", "--config", str(file), "--adapter", "caddyfile"]
        done = subprocess.run(command, capture_output=True, text=True, env={"HOME": str(tmp_path)})
        assert done.returncode == 0, done.stderr
