"""What is built on uvicorn's inner names is really there: a renamed hook would otherwise fail in silence."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from serai.server.limits import NO_LIMITS, Gate
from serai.server.net.connections import Admission, Backlog, NetConfig, Writer
from serai.server.net.http_protocol import HttpProtocol
from serai.server.net.ws_protocol import WebSocketProtocol
from serai.server.run import Server


async def _app(scope: Any, receive: Any, send: Any) -> None:
    """Never called."""


async def _made(kind: type[Any]) -> Any:
    """A protocol as uvicorn makes it."""
    config = NetConfig(
        _app,
        admission=Admission(Gate(NO_LIMITS)),
        unsent=Backlog(),
        interface="asgi3",
        ws=WebSocketProtocol,
        log_config=None,
    )
    config.load()
    return kind(config=config, server_state=ServerState(), app_state={})


def _own(kind: type[Any]) -> list[str]:
    """The functions that a class of ours has itself."""
    return [name for name, value in vars(kind).items() if inspect.isfunction(value) and name != "__init__"]


@pytest.mark.parametrize(("ours", "theirs"), [(HttpProtocol, HttpToolsProtocol), (Server, uvicorn.Server)])
def test_every_hook_that_is_overridden_is_theirs(ours: type[Any], theirs: type[Any]) -> None:
    hooks = [name for name in _own(ours) if not name.startswith("_") and name not in vars(Writer)]
    assert hooks
    for name in hooks:
        upstream = vars(theirs).get(name)
        assert inspect.isfunction(upstream), f"{theirs.__name__} has no {name} any more"
        assert inspect.iscoroutinefunction(upstream) == inspect.iscoroutinefunction(getattr(ours, name)), name
        parameters = [list(inspect.signature(hook).parameters) for hook in (upstream, getattr(ours, name))]
        assert parameters[0] == parameters[1], name


def test_no_name_of_ours_is_theirs_by_accident() -> None:
    upstream = {*dir(HttpToolsProtocol), *vars(asyncio.run(_made(HttpToolsProtocol)))}
    private = [name for name in vars(HttpProtocol) if name.startswith("_") and not name.startswith("__")]
    assert private
    assert not upstream & {*private, "address", "cut"}
    assert not {*dir(uvicorn.Server), *vars(uvicorn.Server(uvicorn.Config(_app)))} & {"hall", "_on_start"}


def test_what_is_used_of_their_objects_is_there() -> None:
    http = asyncio.run(_made(HttpToolsProtocol))
    for name in ("transport", "loop", "config", "server_state", "app_state"):
        assert hasattr(http, name), name
    assert http.ws_protocol_class is WebSocketProtocol
    assert isinstance(http.server_state.connections, set)
    assert isinstance(http.server_state.tasks, set)
    assert http.config.loaded_app is not None
    for name in ("root_path", "ws_max_size"):
        assert hasattr(http.config, name), name
    for name in ("started", "should_exit", "server_state"):
        assert hasattr(uvicorn.Server(http.config), name), name


def test_their_way_of_making_a_socket_is_ours() -> None:
    line = asyncio.run(_made(WebSocketProtocol))
    for name in ("connection_made", "data_received", "connection_lost", "shutdown"):
        assert callable(getattr(line, name))
