"""A server whose people may be replaced after two seconds of absence, for tests that cannot wait a minute."""

from __future__ import annotations

import argparse

from serai.server.run import address_of, listen, server
from serai.server.settings import Settings
from tests.light_servers import lighten_servers

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--database", required=True)
    asked = parser.parse_args()
    lighten_servers()
    listener = listen("127.0.0.1", asked.port, exactly=True)
    settings = Settings(bot_delay=False, grace=2.0)
    server(listener, asked.database, settings, started=lambda: print(address_of(listener), flush=True)).run(
        sockets=[listener]
    )
