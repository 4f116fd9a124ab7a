"""What went wrong, as a client gets it: problem details (RFC 9457) without the texts of the request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from gistmill.rules.augmentation.translator import TranslationError
from gistmill.serving.articles import TooLongError
from gistmill.serving.batching import OverloadedError

MEDIA_TYPE = "application/problem+json"


def problem_body(status: int, detail: str) -> bytes:
    """Returns the body of an answer that says what is wrong."""
    return json.dumps({"title": HTTPStatus(status).phrase, "status": status, "detail": detail}).encode()


def problem_response(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Returns the answer that says what is wrong."""
    return Response(problem_body(status, detail), status, dict(headers or {}), MEDIA_TYPE)


def add_handlers(app: FastAPI) -> None:
    """Lets an app answer every error by a problem."""
    app.add_exception_handler(OverloadedError, _overloaded)
    app.add_exception_handler(TimeoutError, _too_slow)
    app.add_exception_handler(TooLongError, _too_long)
    app.add_exception_handler(TranslationError, _untranslated)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _failed)


async def _overloaded(request: Request, error: Any) -> Response:
    return problem_response(429, str(error), {"Retry-After": str(error.retry_after)})


async def _too_slow(request: Request, error: Any) -> Response:
    return problem_response(504, "the request was not done in time; send less at once")


async def _too_long(request: Request, error: Any) -> Response:
    return problem_response(422, str(error))


async def _untranslated(request: Request, error: Any) -> Response:
    return problem_response(503, str(error))


async def _http(request: Request, error: Any) -> Response:
    return problem_response(error.status_code, str(error.detail), error.headers)


async def _failed(request: Request, error: Any) -> Response:
    return problem_response(500, "the server failed; its log has the request id and the error")
