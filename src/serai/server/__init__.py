"""The play server: tables over HTTP and WebSocket, in a database."""

from serai.errors import need

need("play", "servers", "litestar", "uvicorn")
