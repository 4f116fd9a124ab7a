"""Serves the page on this machine: the files of the folder, the indexes, and what is known of a row."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gistmill import ConfigError, Dataset
from gistmill.explorer.reading import NoSuchRow, Reading, read_row
from gistmill.explorer.site import POLICY, Version, compared
from gistmill.published.files import DatasetError

_KEPT = 64  # rows that were read
_HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # a drawing of spaCy has styles and nothing else
_LOCAL = ("localhost", "127.0.0.1", "[::1]")  # as a browser names them


def application(
    page: Path, versions: Sequence[Version], datasets: Sequence[Dataset], *, inputs: Sequence[str], names: Sequence[str]
) -> Starlette:
    """Returns the application.

    Args:
        page: the folder with the page (gistmill.explorer.site.write_page).
        versions: the indexes, in the order of the page.
        datasets: the datasets of the indexes.
        inputs: what the first dataset was made of, if pages are to be read again.
        names: the hosts that are answered (``names_of``).
    """
    routes: list[BaseRoute] = []
    for number, version in enumerate(versions):
        if len(versions) == 2:
            against = compared(version, versions[1 - number])
            routes.append(Mount(f"/data/{number}/against", StaticFiles(directory=against)))
        routes.append(Mount(f"/data/{number}", StaticFiles(directory=version.index)))
    read = _reader(datasets, inputs)
    routes += [
        Route("/api/row", functools.partial(_row, read)),
        Route("/api/parse.svg", functools.partial(_drawing, read)),
        Mount("/", StaticFiles(directory=page, html=True)),
    ]
    middleware = [Middleware(_Headers), Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False)]
    return Starlette(routes=routes, middleware=middleware)


class _Headers:
    """Sends the headers of every answer that has none of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


def _reader(datasets: Sequence[Dataset], inputs: Sequence[str]) -> Callable[[Request], Reading]:
    """What reads the row of a request; one at a time, because a parser uses all cores."""
    lock = threading.Lock()

    @functools.lru_cache(_KEPT)
    def read(version: int, row_id: str) -> Reading:
        return read_row(datasets[version], row_id, inputs if version == 0 else ())

    def locked(request: Request) -> Reading:
        number = request.query_params.get("version", "0")
        if number not in map(str, range(len(datasets))):
            raise NoSuchRow(number)
        with lock:
            return read(int(number), request.query_params.get("id", ""))

    return locked


def _row(read: Callable[[Request], Reading], request: Request) -> Response:
    """What is known of a row; a fault is a line for the reader, who has a page before her."""
    try:
        return JSONResponse(read(request).to_json())
    except NoSuchRow:
        return JSONResponse({"fault": "There is no such row."})
    except (ConfigError, DatasetError, ValueError, RuntimeError, OSError) as error:
        return JSONResponse({"fault": " ".join(str(error).split())})


def _drawing(read: Callable[[Request], Reading], request: Request) -> Response:
    number = request.query_params.get("sentence", "0")
    try:
        if not number.isdecimal():
            raise IndexError(number)
        drawn = read(request).drawing(int(number), dark=bool(request.query_params.get("dark")))
    except (NoSuchRow, IndexError):
        return Response("there is no such sentence", status_code=404, media_type="text/plain")
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": _PICTURE_POLICY})


def names_of(host: str, address: str) -> list[str]:
    """Returns the names of hosts that are answered: on a loopback address those of this machine alone, so that no page
    of the web that takes the name of another host can read the rows.

    Args:
        host: what the user named.
        address: the address that is served.
    """
    found = ip_address(address)
    if not (getattr(found, "ipv4_mapped", None) or found).is_loopback:
        return ["*"]
    return [*_LOCAL, _in_url(host), _in_url(address)]


def url_of(host: str, port: int) -> str:
    """Returns the address of the page."""
    shown = {"0.0.0.0": "localhost", "": "localhost", "::": "::1"}.get(host, host)
    return f"http://{_in_url(shown)}:{port}/"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
