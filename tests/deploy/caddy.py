"""Starts Caddy with the Caddyfile of a folder, at loopback and without certificates from elsewhere:
``python -m tests.deploy.caddy FOLDER``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.browser.serving import free_port


def start(folder: Path, backend: str) -> subprocess.Popen[bytes]:
    """Start it in the background; its number is in ``caddy.pid``."""
    text = (folder / "caddy" / "Caddyfile").read_text().replace("127.0.0.1:8321", backend)
    options = f"{{\n\tadmin off\n\thttp_port {free_port()}\n\tdefault_bind 127.0.0.1\n\tskip_install_trust\n"
    file = folder / "caddy" / "Caddyfile.here"
    file.write_text(text.replace("{\n", options, 1) if "\n{\n" in text else options + "}\n" + text)
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "caddy"), "XDG_CONFIG_HOME": str(folder / "caddy")}
    with (folder / "caddy.log").open("ab") as log:
        command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
        started = subprocess.Popen(command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    (folder / "caddy.pid").write_text(str(started.pid))
    while "serving initial configuration" not in (log_text := (folder / "caddy.log").read_text()):
        assert started.poll() is None, log_text
        time.sleep(0.05)
    return started


if __name__ == "__main__":
    place = Path(sys.argv[1])
    unit = (place / "units" / "serai.service").read_text()
    start(place, f"127.0.0.1:{unit.split('--port ')[1].split()[0]}")
