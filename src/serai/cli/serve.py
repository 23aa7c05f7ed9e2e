"""``serai serve``: tables in the browser, for this machine or the local network."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import secrets
import sys
import threading
import webbrowser
from pathlib import Path

import click
import segno

from serai.cli._support.choices import FILE, database_option, name_of
from serai.cli._support.files import Failure
from serai.server.errors import BadAddress
from serai.server.http.hosts import read_host, settle_addresses
from serai.server.limits import Limits
from serai.server.net.connections import read_proxies
from serai.server.run import (
    NoPort,
    address_for_others,
    address_of,
    allow_many_sockets,
    begin_logging,
    listen,
    server,
    tune_interpreter,
)
from serai.server.settings import Settings
from serai.server.store.base import StoreError

DEFAULT_PORT = 8321
SHORTEST_KEY = 20
"""Characters of a host's key."""


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 lets other devices in."
)
@click.option("--port", type=click.IntRange(0, 65535), help=f"Port; by default {DEFAULT_PORT} or the next free one.")
@database_option
@click.option(
    "--public-url", default="", help="The address in invitations, if people reach this server by another than its own."
)
@click.option(
    "--base-path",
    default="",
    metavar="PATH",
    help="Serve below this path of a site, such as /games/serai; by default the path of --public-url.",
)
@click.option("--bot-delay/--no-bot-delay", default=True, help="Whether bots take their time, as people would.")
@click.option(
    "--bot-seconds", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="How long a bot may think."
)
@click.option(
    "--review-workers",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    help="How many reviews of finished games run at once, each in a process of the lowest priority; 0: no reviews.",
)
@click.option(
    "--trust-bots",
    is_flag=True,
    help="Run installed bots that are not part of Serai without a sandbox: they can read what the server can read.",
)
@click.option(
    "--limit",
    "limited",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Change a limit (0: none); 'all=0' lifts all. Names: " + ", ".join(Limits.__struct_fields__) + ".",
)
@click.option("--trust-proxy", default="", metavar="ADDRESSES", help="Proxies whose X-Forwarded-For is believed.")
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name or address of this server, besides this machine's own and that of --public-url.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(1, 65535),
    help="Serve /metrics to this machine at this loopback port: behind a proxy the only safe way.",
)
@click.option(
    "--host-key-file",
    type=FILE,
    envvar="SERAI_HOST_KEY_FILE",
    help="The key of the host's page and of 'serai admin'; the file is made if it is missing.",
)
@click.option("--open-metrics", is_flag=True, help="Show /metrics to everybody, not only to this machine.")
@click.option("--json-logs", is_flag=True, help="Log all events of tables, as JSON lines.")
@click.option(
    "--open/--no-open", "open_page", default=None, help="Open the browser; by default when there is a screen."
)
def command(
    host: str,
    port: int | None,
    database: str | None,
    public_url: str,
    base_path: str,
    bot_delay: bool,
    bot_seconds: float,
    review_workers: int,
    trust_bots: bool,
    limited: tuple[str, ...],
    trust_proxy: str,
    allowed_hosts: tuple[str, ...],
    metrics_port: int | None,
    host_key_file: Path | None,
    open_metrics: bool,
    json_logs: bool,
    open_page: bool | None,
) -> int:
    """Serve tables: play in the browser against bots or with friends by a link."""
    begin_logging(as_json=json_logs, level=logging.INFO if json_logs else logging.WARNING)
    name = name_of(database)
    try:
        base_path, public_url = settle_addresses(base_path, public_url)
        read_proxies(trust_proxy)
        allowed_hosts = tuple(map(read_host, allowed_hosts))
    except BadAddress as error:
        raise click.UsageError(str(error)) from None
    settings = Settings(
        bot_delay=bot_delay,
        bot_seconds=bot_seconds,
        review_workers=review_workers,
        trust_bots=trust_bots,
        base_path=base_path,
        public_url=public_url,
        limits=_limits(limited),
        trusted_proxies=trust_proxy,
        allowed_hosts=allowed_hosts,
        metrics_port=metrics_port or 0,
        open_metrics=open_metrics,
        host_key="" if host_key_file is None else host_key(host_key_file),
    )
    allow_many_sockets()
    try:
        listener = listen(host, DEFAULT_PORT if port is None else port, exactly=port is not None)
        here, elsewhere = address_of(listener) + base_path, public_url
        if not elsewhere and (house := address_for_others(listener)):
            elsewhere = house + base_path

        def started() -> None:
            tune_interpreter(serving.hall.metrics.sweep_seconds.observe)
            _announce(here, elsewhere)
            if _has_screen() if open_page is None else open_page:
                threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

        listeners = [listener]
        if metrics_port is not None:
            listeners.append(listen("127.0.0.1", metrics_port, exactly=True))
        serving = server(listener, name, settings, started=started)
        serving.run(sockets=listeners)
    except (NoPort, StoreError) as error:
        raise Failure(str(error)) from None
    except KeyboardInterrupt:
        pass
    click.echo("Serai has stopped; all tables are saved.")
    return 0


def host_key(file: Path) -> str:
    """The host's key in this file, which is made, for its owner only, if it is missing."""
    try:
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(descriptor, f"{secrets.token_urlsafe(32)}\n".encode())
            os.close(descriptor)
        key = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"cannot make or read the host's key in {file}: {error}") from None
    if len(key) < SHORTEST_KEY:
        raise Failure(f"the host's key in {file} is too short to be secret; delete the file, and a new one is made")
    return key


def _limits(given: tuple[str, ...]) -> Limits:
    """The limits, as changed by ``--limit``."""
    changed: dict[str, int] = {}
    for text in given:
        name, _, number = text.partition("=")
        if not number.isascii() or not number.isdecimal():
            raise click.UsageError(f"write a limit as NAME=NUMBER, not {text!r}")
        if name == "all" and int(number) == 0:
            changed.update(dict.fromkeys(Limits.__struct_fields__, 0))
        elif name in Limits.__struct_fields__:
            changed[name] = int(number)
        else:
            raise click.UsageError(f"no limit {name!r}; limits: {', '.join(Limits.__struct_fields__)}, or all=0")
    return Limits(**changed)


def _announce(here: str, elsewhere: str) -> None:
    lines = [f"Serai is open at {here}"]
    if elsewhere:
        lines += [f"Other devices: {elsewhere}", _qr_code(elsewhere).rstrip("\n")]
    lines.append("Press Ctrl-C to stop.")
    with contextlib.suppress(BrokenPipeError):  # nobody reads this; serve all the same
        click.echo("\n".join(lines))
        sys.stdout.flush()


def _qr_code(link: str) -> str:
    """The link for a terminal, two rows of modules per line."""
    out = io.StringIO()
    segno.make(link, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()


def _has_screen() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
