"""How REST calls are declared: path, summary, and for OpenAPI the bodies of their answers."""

from __future__ import annotations

from typing import Any

import litestar
from litestar import MediaType
from litestar.openapi.datastructures import ResponseSpec

from serai.wire.bodies import Problem

_DESCRIPTIONS = {
    400: "the request cannot be understood",
    403: "not allowed",
    404: "there is no such thing",
    409: "not now",
    413: "too large",
    421: "not under this name",
    429: "too much at once",
    503: "it could not be saved",
}


def get(path: str, summary: str, body: Any = None, **options: Any) -> litestar.get:
    """A GET call. ``body``: the type of an answer that the handler returns as bytes."""
    return litestar.get(path, summary=summary, responses=_responses(body), **options)


def post(path: str, summary: str, body: Any = None, **options: Any) -> litestar.post:
    """A POST call."""
    return litestar.post(path, summary=summary, responses=_responses(body), **options)


def delete(path: str, summary: str) -> litestar.delete:
    """A DELETE call."""
    nothing = ResponseSpec(None, description="Request fulfilled, nothing follows")
    return litestar.delete(path, summary=summary, responses={**_responses(None), 204: nothing})


def _responses(body: Any) -> dict[int, ResponseSpec]:
    responses = {status: _response(Problem, text) for status, text in _DESCRIPTIONS.items()}
    if isinstance(body, ResponseSpec):
        responses[200] = body
    elif body is not None:
        responses[200] = _response(body, "Request fulfilled")
    return responses


def _response(body: Any, description: str) -> ResponseSpec:
    return ResponseSpec(body, description=description, media_type=MediaType.JSON, generate_examples=False)
