"""What went wrong, as a client gets it: problem details (RFC 9457) without the texts of the request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from gistmill.rules.augmentation.translator import TranslationError
from gistmill.serving.batching import OverloadedError

MEDIA_TYPE = "application/problem+json"
_MOST_ERRORS = 10  # of a body that are named


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
    app.add_exception_handler(TranslationError, _untranslated)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _failed)


async def _overloaded(request: Request, error: Any) -> Response:
    return problem_response(429, str(error), {"Retry-After": str(error.retry_after)})


async def _too_slow(request: Request, error: Any) -> Response:
    return problem_response(504, "the request was not done in time; send less at once")


async def _untranslated(request: Request, error: Any) -> Response:
    return problem_response(503, str(error))


async def _http(request: Request, error: Any) -> Response:
    detail = "the body is not JSON" if error.status_code == 400 else str(error.detail)  # FastAPI has one 400
    return problem_response(error.status_code, detail, error.headers)


async def _failed(request: Request, error: Any) -> Response:
    return problem_response(500, "the server failed; its log has the request id and the error")


async def _invalid(request: Request, error: Any) -> Response:
    found = [_line(each) for each in error.errors()[:_MOST_ERRORS]]
    # a body that is not JSON is malformed; one of another form is not what is asked for
    malformed = any(each["type"] == "json_invalid" for each in error.errors())
    return problem_response(400 if malformed else 422, "; ".join(found))


def _line(error: Mapping[str, Any]) -> str:
    """Returns where an error is and what it is; never what was sent, which may be long or secret."""
    place = ".".join(str(part)[:50] for part in error["loc"] if part != "body")
    message = "the body is not JSON" if error["type"] == "json_invalid" else error["msg"]
    return f"{place}: {message}" if place and error["type"] != "json_invalid" else str(message)
