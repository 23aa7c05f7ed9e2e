"""A server of a page that lies elsewhere, for tests that replace the page by another build."""

from __future__ import annotations

import argparse
from pathlib import Path

from serai.server.run import address_of, listen, server
from serai.server.settings import Settings
from tests.light_servers import lighten_servers

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--database", required=True)
    asked = parser.parse_args()
    lighten_servers()
    listener = listen("127.0.0.1", asked.port, exactly=True)

    def started() -> None:
        print(address_of(listener), flush=True)

    server(listener, asked.database, Settings(bot_delay=False), web=asked.web, started=started).run(sockets=[listener])
