"""The server's errors, and the answer to every error: a key with values and an English sentence, no stack trace."""

from __future__ import annotations

import contextlib
import gc
import inspect
import logging
import traceback
from typing import Any

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException

from serai.errors import BadNotation, BadRecord, KeyedError, MissingExtra, SeraiError, UnknownName, phrase
from serai.server.limits import TooMany
from serai.server.store.base import StoreError
from serai.wire.bodies import Problem
from serai.wire.frames import Refused

log = logging.getLogger("serai.server")

phrase(
    {
        "server.store": "it could not be saved, and nothing has changed; try again in a moment",
        "server.closing": "the server is shutting down",
        "server.odds": "{game} has no odds",
        "server.advice": "{game} has no advice",
        "server.metrics": (
            "metrics are for the machine itself: behind a proxy, --metrics-port gives them a port of their own; "
            "--open-metrics shows them to everybody"
        ),
        "server.error": "something went wrong in the server; nothing has changed",
        "table.unknown": "there is no such table",
    }
)

_FORBIDDEN = {
    "table.not_host",
    "table.not_yours",
    "table.not_seated",
    "table.no_advice",
    "table.no_hints",
    "table.no_odds",
    "server.origin",
    "server.banned",
    "table.silenced",
    "admin.key",
    "handover.moved",
    "handover.unknown",
}
_CAN_PAUSE = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
"""Flags of functions whose frames may go on later: to clear such a frame would end it."""


class NotFound(KeyedError):
    """There is no such thing."""


class BadAddress(ValueError):
    """An option of ``serai serve`` has an impossible address; the message says why."""


class ClientGone(Exception):
    """The client closed the connection before the answer; this is no fault."""


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Litestar's exception handler."""
    status, problem = problem_of(error)
    request.app.state.hall.metrics.refusals.add()
    request.app.state.hall.metrics.limited.add(isinstance(error, TooMany))
    drop_tracebacks(error)
    return Response(problem, status_code=status, media_type=MediaType.JSON)


def problem_of(error: Exception) -> tuple[int, Problem]:
    """The HTTP status and body for this error."""
    match error:
        case NotFound():
            status = 404
        case TooMany():
            status = 429
        case KeyedError():
            status = 403 if error.key in _FORBIDDEN else 409
        case UnknownName():
            return 404, Problem("server.unknown", {}, str(error))
        case BadRecord():
            return 400, _record_problem(error)
        case BadNotation():
            pointed = {"text": error.text, "column": error.column}
            return 400, Problem(error.key or "server.notation", {**error.values, **pointed}, str(error))
        case MissingExtra():
            return 404, Problem("server.lacks", {"what": error.what, "extra": error.extra}, str(error))
        case SeraiError():
            return 400, Problem("server.notation", {}, str(error))
        case StoreError():
            log.error("%s", error)
            return 503, _keyed(KeyedError("server.store"))
        case HTTPException() if error.status_code < 500:
            key = {404: "server.unknown", 405: "server.method", 413: "server.too_large"}.get(error.status_code)
            return error.status_code, Problem(key or "server.malformed", {}, _detail(error))
        case ClientGone():
            return 400, Problem("server.malformed", {}, "the request ended before it was complete")
        case RecursionError():  # raised while reading: nothing of ours is nested like that
            return 400, Problem("server.malformed", {}, "the body is nested too deeply")
        case UnicodeDecodeError():  # as well
            return 400, Problem("server.malformed", {}, "the body is not text in UTF-8")
        case _:
            log.error("%s while answering a request", type(error).__name__, exc_info=error)
            return 500, _keyed(KeyedError("server.error"))
    return status, _keyed(error)


def refused(message_id: str, error: Exception) -> Refused:
    """The reply to a message on a socket that caused this error."""
    problem = problem_of(error)[1]
    drop_tracebacks(error)
    return Refused(message_id, problem.key, problem.values, problem.text)


def drop_tracebacks(error: BaseException) -> None:
    """Free what an answered error holds: a traceback holds frames, and these hold the body of the request.

    A frame that also holds the error makes a reference cycle, which only a full garbage collection frees, minutes
    later. Litestar makes one for every body of a wrong type: it collects errors in a list, within the frame that the
    tracebacks of these errors hold. So the errors in local variables lose their tracebacks, too.
    """
    found: list[BaseException | None] = [error]
    while found:
        one = found.pop()
        if one is None or one.__traceback__ is None:
            continue
        trace, one.__traceback__ = one.__traceback__, None
        found += (one.__cause__, one.__context__)
        for frame, _ in traceback.walk_tb(trace):
            if not frame.f_code.co_flags & _CAN_PAUSE:
                # not by f_locals, which are a copy that the frame keeps
                found += [value for value in gc.get_referents(frame) if isinstance(value, BaseException)]
                with contextlib.suppress(RuntimeError):  # it is still running
                    frame.clear()


def _keyed(error: KeyedError) -> Problem:
    return Problem(error.key, error.values, str(error))


def _record_problem(error: BadRecord) -> Problem:
    """Line and reason; what the rules say against an action comes as a problem of its own."""
    values: dict[str, Any] = {"line": error.line, "reason": error.reason}
    if isinstance(error.__cause__, KeyedError):
        values["because"] = _keyed(error.__cause__)
    return Problem(error.key, values, str(error))


def _detail(error: HTTPException) -> str:
    extra = error.extra[0] if isinstance(error.extra, list) and error.extra else None
    if isinstance(extra, dict) and "message" in extra:
        return f"{extra.get('key', 'body')}: {extra['message']}"
    return error.detail
