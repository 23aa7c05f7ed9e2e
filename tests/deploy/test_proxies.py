"""nginx and Caddy from Debian's packages in front of a real server, with the files of the kit and a browser (soak)."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import httpx
import pytest

from serai.server.http.admin import HEADER
from tests.browser.conftest import Visit
from tests.browser.serving import QUICK_BOTS, Server, free_port
from tests.deploy import caddy
from tests.deploy.test_kit import DEPLOY, installed
from tests.server.support import PATIENCE
from tests.support import SOAK

NAME = "play.example.org"
FORGED = "203.0.113.9"
soak = pytest.mark.skipif(not SOAK, reason="real proxies are tried in soak")


class Proxy(Protocol):
    def __call__(self, folder: Path, backend: int, public: int) -> contextlib.AbstractContextManager[None]: ...


@contextlib.contextmanager
def nginx(folder: Path, backend: int, public: int, changes: Mapping[str, str] = MappingProxyType({})) -> Iterator[None]:
    program = installed("nginx", "nginx")
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    openssl = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*openssl, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace(f"/etc/letsencrypt/live/{NAME}", str(folder)).replace(NAME, "localhost")
    text = text.replace("127.0.0.1:8321", f"127.0.0.1:{backend}")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    text = re.sub(r"listen \[::\]:.*\n", "", text)
    text = text.replace("listen 443", f"listen 127.0.0.1:{public}").replace(
        "listen 80", f"listen 127.0.0.1:{free_port()}"
    )
    head = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1;\n"
    places = "".join(
        f"{kind}_temp_path {folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(f"{head}events {{ worker_connections 4096; }}\nhttp {{ access_log off; {places}\n{text}\n}}\n")
    subprocess.run([program, "-t", "-c", str(file)], check=True, capture_output=True)
    with subprocess.Popen([program, "-c", str(file)]) as running:
        try:
            _reached(public)
            yield
        finally:
            running.send_signal(signal.SIGTERM)


@contextlib.contextmanager
def caddy_server(folder: Path, backend: int, public: int) -> Iterator[None]:
    installed("caddy", "caddy")
    (folder / "caddy").mkdir()
    text = (DEPLOY / "Caddyfile").read_text().replace(NAME, f"localhost:{public}")
    (folder / "caddy" / "Caddyfile").write_text(text)
    with caddy.start(folder, f"127.0.0.1:{backend}") as running:
        try:
            _reached(public)
            yield
        finally:
            running.send_signal(signal.SIGTERM)


def _reached(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert time.monotonic() < until
        time.sleep(0.05)


@soak
@pytest.mark.parametrize("proxy", [nginx, caddy_server], ids=["nginx", "caddy"])
def test_people_play_through_a_proxy(proxy: Proxy, tmp_path: Path, visit: Visit) -> None:
    public, key = free_port(), tmp_path / "key"
    key.write_text("a-key-for-the-host-of-the-tests")
    url = f"https://localhost:{public}"
    command = (*QUICK_BOTS, "--public-url", url, "--trust-proxy", "127.0.0.1", "--host-key-file", str(key))
    server = Server(tmp_path, command)
    server.start()
    try:
        with proxy(tmp_path, server.port, public):
            answer = httpx.get(f"{url}/api/games", verify=False)
            assert answer.status_code == 200
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            assert httpx.get(f"{url}/metrics", verify=False).status_code == 404
            # whoever claims to be somebody else is not believed, and a stranger's page gets nothing
            ban = {"subject": FORGED, "kind": "ban", "hours": 1}
            host = {HEADER: key.read_text()}
            assert httpx.post(f"{server.url}/api/admin/bans", json=ban, headers=host).status_code == 200
            forged = httpx.get(f"{url}/api/games", headers={"X-Forwarded-For": FORGED}, verify=False)
            assert forged.status_code == 200
            origin = {"Origin": "https://elsewhere.example.org"}
            refused = httpx.post(f"{url}/api/tables", json={"game": "camelup"}, headers=origin, verify=False)
            assert refused.status_code == 403
            made = httpx.post(f"{url}/api/tables", json={"game": "camelup"}, verify=False)
            assert "secure" in made.headers["set-cookie"].lower()
            assert httpx.post(f"{url}/api/replay", content=b"x" * 600_000, verify=False).status_code in (413, 502)
            # a game in a browser: page, sockets, undelayed frames
            page = visit(url, ignore_https_errors=True)
            page.locator("[data-game=camelup] .button.main, .button.main").first.click()
            page.wait_for_selector("[data-action], .dock button:enabled, [data-offered]")
            connected = httpx.get(f"{server.url}/api/admin/connections", headers=host).json()
            assert {one["address"] for one in connected} == {"127.0.0.1"}
    finally:
        server.stop()


@soak
def test_who_asks_too_fast_meets_nginx_and_not_the_server(tmp_path: Path) -> None:
    public = free_port()
    server = Server(tmp_path, QUICK_BOTS)
    server.start()
    try:
        # less at once than the file allows, so that a slow machine is too fast, too
        with nginx(tmp_path, server.port, public, {"rate=200r/s": "rate=1r/s", "burst=1000": "burst=20"}):
            with httpx.Client(verify=False) as client:
                told = Counter(client.get(f"https://localhost:{public}/healthz").status_code for _ in range(60))
            assert set(told) == {200, 429}
            assert told[200] >= 20
    finally:
        server.stop()
