"""Errors as answers: a key with values and an English sentence, never a stack trace."""

from __future__ import annotations

import logging
from typing import Any

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from serai.core.errors import BadNotation, BadRecord, KeyedError, MissingExtra, SeraiError, UnknownName, phrase
from serai.server.errors import ClientGone, NotFound
from serai.server.limits import TooMany
from serai.server.metrics import Metrics
from serai.server.store.base import StoreError
from serai.table.bodies import Problem
from serai.table.messages import Refused

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
    }
)

_TOLD = {
    400: "the request cannot be understood",
    403: "not allowed",
    404: "there is no such thing",
    409: "not now",
    413: "too large",
    421: "not under this name",
    429: "too much at once",
    503: "it could not be saved",
}
PROBLEMS = {
    status: ResponseSpec(Problem, description=told, media_type=MediaType.JSON, generate_examples=False)
    for status, told in _TOLD.items()
}
"""How every call may be refused, for the description of the API."""


def answers(body: Any) -> dict[int, ResponseSpec]:
    """The same for a call that answers with a body of this kind, written already."""
    told = ResponseSpec(body, description="Request fulfilled", media_type=MediaType.JSON, generate_examples=False)
    return {200: told, **PROBLEMS}


_FORBIDDEN = {
    "table.not_host",
    "table.not_yours",
    "table.not_seated",
    "table.no_advice",
    "table.no_hints",
    "table.no_odds",
    "server.origin",
    "handover.moved",
    "handover.unknown",
}


def problem_of(error: Exception) -> tuple[int, Problem]:
    """Status and body that tell a caller of this error."""
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
    """The same for a message on a socket."""
    problem = problem_of(error)[1]
    return Refused(message_id, problem.key, problem.values, problem.text)


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Litestar's way to ask for an error's answer."""
    status, problem = problem_of(error)
    metrics: Metrics = request.app.state.hall.metrics
    metrics.refusals.add()
    metrics.limited.add(isinstance(error, TooMany))
    return Response(problem, status_code=status, media_type="application/json")


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
