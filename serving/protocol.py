"""HTTP on a connection: uvicorn's, with a bound on the time that the head of a request may take."""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from serving import metrics
from serving.problems import MEDIA_TYPE, problem_body


class Protocol(HttpToolsProtocol):
    """A connection. Without it a client that sends its headers byte by byte would hold one for ever.

    Class attributes:
        HEAD_SECONDS: how long the head of a request may take, and a new connection may be silent.
    """

    HEAD_SECONDS: ClassVar[float] = 10.0

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._head: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(transport)
        metrics.CONNECTIONS.inc()
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        metrics.CONNECTIONS.dec()
        self._has_head()
        super().connection_lost(exc)

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
            self._head = None

    def _too_slow(self) -> None:
        self._head = None
        if self.transport.is_closing():
            return
        body = problem_body(408, f"the head of the request was not there within {self.HEAD_SECONDS:g} s")
        head = f"HTTP/1.1 408 Request Timeout\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answers what is no HTTP."""
        if self.transport.is_closing():
            return
        body = problem_body(400, "the request is not HTTP/1.1")
        head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
