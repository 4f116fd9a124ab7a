"""HTTP on a connection: uvicorn's, with bounds on the head of a request.

uvicorn (0.54) waits for a head without end, and with httptools it took one of 50 MiB.
"""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from http import HTTPStatus
from typing import Any, ClassVar

from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gistmill.serving import batching
from gistmill.serving.problems import MEDIA_TYPE, problem_body

_LINGER = 2.0  # seconds


class Protocol(HttpToolsProtocol):
    """A connection.

    Class attributes:
        HEAD_SECONDS: how long the head of a request may take, and a new connection may be silent.
        HEAD_BYTES: how long it may be.
    """

    HEAD_SECONDS: ClassVar[float] = 10.0
    HEAD_BYTES: ClassVar[int] = 64 << 10

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._head: TimerHandle | None = None
        self._size = 0  # of what came while the head was not whole
        self._refused: TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        batching.CONNECTIONS.inc()
        self._expect_head()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        batching.CONNECTIONS.dec()
        self._has_head()
        if self._refused is not None:
            self._refused.cancel()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            return
        self._size += len(data)
        super().data_received(data)
        if self._head is not None and self._size > self.HEAD_BYTES:
            self._refuse(431, f"the head of the request is larger than {self.HEAD_BYTES} bytes")

    def on_message_begin(self) -> None:
        """A request begins."""
        if self._head is None:
            self._expect_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        self._has_head()
        super().on_headers_complete()

    def shutdown(self) -> None:
        """Ends the connection after its request. One that has just been opened may still send its first."""
        if self.cycle is not None:
            super().shutdown()

    def _expect_head(self) -> None:
        self._head = self.loop.call_later(self.HEAD_SECONDS, self._too_slow)

    def _has_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head, self._size = None, 0

    def _too_slow(self) -> None:
        self._refuse(408, f"the head of the request was not there within {self.HEAD_SECONDS:g} s")

    def send_400_response(self, msg: str) -> None:
        """Answers what is not HTTP."""
        self._refuse(400, "the request is not HTTP/1.1")

    def _refuse(self, status: int, detail: str) -> None:
        """Answers before there is a request, and ends the connection. What the client still sends is read for a while:
        a connection with unread bytes is reset when it is closed, and the answer lost."""
        self._has_head()
        if self._refused is not None or self.transport.is_closing():
            return
        body = problem_body(status, detail)
        lines = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            f"content-type: {MEDIA_TYPE}",
            f"content-length: {len(body)}",
            "connection: close",
        )
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.write_eof()
        self._refused = self.loop.call_later(_LINGER, self.transport.close)
