"""Middleware for every request: id, key, body limits, logging and errors.

The log goes to standard error, one JSON object per line. Errors are returned as problem details (RFC 9457), which never
quote the request.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import os
import re
import sys
import time
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from traceback import format_tb
from typing import Any

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import override

from gistmill.rules.augmentation.round_trip import TranslationError
from gistmill.serving import batching
from gistmill.serving.articles import TooLongError
from gistmill.serving.batching import OverloadedError
from gistmill.serving.config import ServingConfig

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """A formatter that writes a log record with its extra fields as a line of JSON.

    Args:
        texts: whether to log exception messages, which may contain request texts.
    """

    def __init__(self, *, texts: bool) -> None:
        super().__init__()
        self._texts = texts

    @override
    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "pid": os.getpid(),
            **{name: value for name, value in vars(record).items() if name not in _STANDARD},
        }
        if record.exc_info:
            kind, error, traceback = record.exc_info
            said["error"] = f"{kind.__name__}: {error}" if self._texts and kind else getattr(kind, "__name__", "")
            said["traceback"] = "".join(format_tb(traceback))
        return json.dumps(said, ensure_ascii=True, default=str)


def log_as_json(*, texts: bool) -> None:
    """Sends the process's logs to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(texts=texts))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("gistmill.serving").setLevel(logging.INFO)


MEDIA_TYPE = "application/problem+json"


def problem_body(status: int, detail: str) -> bytes:
    """Returns the body of an error response."""
    return json.dumps({"title": HTTPStatus(status).phrase, "status": status, "detail": detail}).encode()


def problem_response(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Returns an error response."""
    return Response(problem_body(status, detail), status, dict(headers or {}), MEDIA_TYPE)


# Status and message for each exception class; None stands for the error's own message.
_ERRORS: Mapping[type[Exception], tuple[int, str]] = {
    OverloadedError: (429, ""),
    TimeoutError: (504, "the request was not finished in time; send smaller requests"),
    TooLongError: (422, ""),
    TranslationError: (503, ""),
    Exception: (500, "the server failed; its log has the request id and the error"),
}


def add_handlers(app: FastAPI) -> None:
    """Makes an app return problem details for every error."""

    async def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return problem_response(error.status_code, str(error.detail), error.headers)
        status, said = next(found for kind, found in _ERRORS.items() if isinstance(error, kind))
        headers = {"Retry-After": str(error.retry_after)} if isinstance(error, OverloadedError) else None
        return problem_response(status, said or str(error), headers)

    kinds: list[type[Exception]] = [HTTPException, *_ERRORS]
    for kind in kinds:
        app.add_exception_handler(kind, answer)


_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_PORT = re.compile(rb":\d*\Z")
# the default for responses: no other site may embed them
_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
)
_LOGGER = logging.getLogger("gistmill.serving.requests")
_UNKNOWN = "unknown"  # the label of unknown paths, which limits the number of metrics
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Requests:
    """Middleware that gives each request an id, logs and measures it, and checks its key and body.

    Args:
        app: the wrapped application.
        config: the options.
        key: the key that clients of /v1 must send; None if no key is required.
        names: the accepted host names; "*" accepts any.
        paths: the known paths, for metrics.
        is_draining: returns whether connections should be closed so that clients move to another server.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        config: ServingConfig,
        key: str | None,
        names: Sequence[str],
        paths: Collection[str],
        is_draining: Callable[[], bool],
    ) -> None:
        self._app, self._config, self._names, self._paths = app, config, names, paths
        self._is_draining = is_draining
        self._key = None if key is None else f"Bearer {key}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles an ASGI request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status, sent = time.monotonic(), 500, False
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request_id = given if _ID.fullmatch(given) else uuid.uuid4().hex.encode()
        said: dict[str, Any] = {}
        scope.setdefault("state", {})["said"] = said

        async def answer(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status, sent = message["status"], True
                own = message.get("headers", ())
                more = [(b"x-request-id", request_id), *(h for h in _HEADERS if h[0] not in dict(own))]
                if self._is_draining() or status in (408, 413):
                    more.append((b"connection", b"close"))
                message = {**message, "headers": [*own, *more]}
            await send(message)

        try:
            refused = self._refused(scope, headers) or await self._body(scope, headers, receive)
            if isinstance(refused, bytes):
                await self._app(scope, _whole(refused, receive), answer)
            else:
                await problem_response(*refused)(scope, receive, answer)
        finally:
            seconds = time.monotonic() - start
            route = scope["path"] if scope["path"] in self._paths else _UNKNOWN
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            batching.REQUESTS.labels(route, method, str(status)).inc()
            batching.SECONDS.labels(route).observe(seconds)
            _LOGGER.info(
                "answered" if sent else "not answered",
                extra={
                    "request_id": request_id.decode(),
                    "method": method,
                    "route": route,
                    "status": status,
                    "seconds": round(seconds, 4),
                    **said,
                },
            )

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str, dict[str, str]] | None:
        host = _PORT.sub(b"", headers.get(b"host", b"")).decode("latin-1").lower()
        if "*" not in self._names and host not in self._names:
            names = ", ".join(self._names)
            return 400, f"send the header Host with one of {names}: a server on a loopback address has no others", {}
        if self._key is None or not scope["path"].startswith("/v1/"):
            return None
        if hmac.compare_digest(headers.get(b"authorization", b""), self._key):
            return None
        return 401, "send the key of this server as Authorization: Bearer KEY", {"WWW-Authenticate": "Bearer"}

    async def _body(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> bytes | tuple[int, str]:
        """Returns the body, or a status and message if it is invalid.

        A body that is too large is still read, to its end or the time limit, and discarded: closing the connection
        earlier would reset it, and the client would not see the response.
        """
        most, found, size = self._config.max_body, bytearray(), 0
        expects = headers.get(b"expect", b"").lower() == b"100-continue"
        length = headers.get(b"content-length", b"")
        too_large = 413, f"the body is larger than {most} bytes"
        if expects and length.isdigit() and int(length) > most:
            return too_large
        try:
            async with asyncio.timeout(self._config.read_timeout):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return 400, "the connection was closed before the whole body arrived"
                    size += len(message.get("body", b""))
                    if size <= most:
                        found += message.get("body", b"")
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            if size > most:
                return too_large
            return 408, f"the body did not arrive within {self._config.read_timeout:g} s"
        return too_large if size > most else bytes(found)


def _whole(body: bytes, receive: Receive) -> Receive:
    """Returns an ASGI receive function that delivers a body already read."""
    given = False

    async def receive_whole() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_whole
