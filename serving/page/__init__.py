"""The server's page: a single form, served as static files without a build step. ``types.js`` is generated and lists
the discourse types of the rules."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files

from fastapi import FastAPI, Request, Response

from gistmill.rules.discofuse.candidate import DiscourseType

_TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_INDEX = "index.html"
# Scripts and styles come from this server; nothing is requested from others.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def add_page(app: FastAPI) -> None:
    """Makes an app serve the page at ``/`` and its other files under ``/page/``."""
    found = {file.name: file.read_bytes() for file in files(__package__).iterdir() if _kind(file.name) in _TYPES}
    named = {kind.name: kind.value for kind in DiscourseType}
    found["types.js"] = f"export const TYPES = {json.dumps(named)};".encode()
    tags = {name: f'"{hashlib.sha256(content).hexdigest()[:32]}"' for name, content in found.items()}

    def answer(name: str, request: Request) -> Response:
        headers = {**_HEADERS, "ETag": tags[name]}
        if request.headers.get("if-none-match") == tags[name]:
            return Response(status_code=304, headers=headers)
        return Response(found[name], headers=headers, media_type=_TYPES[_kind(name)])

    def add(path: str, name: str) -> None:
        async def page(request: Request) -> Response:
            return answer(name, request)

        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)

    for name in found:
        add("/" if name == _INDEX else f"/page/{name}", name)


def _kind(name: str) -> str:
    return name.rpartition(".")[2]
