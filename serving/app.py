"""The web application and its routes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, get_type_hints

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp
from typing_extensions import override

from gistmill import __version__
from gistmill.serving import batching, schemas
from gistmill.serving.config import API_KEY, ServingConfig
from gistmill.serving.middleware import MEDIA_TYPE, Requests, add_handlers
from gistmill.serving.page import add_page
from gistmill.serving.service import Service

_ARTICLES = ("TextRequest", "HtmlRequest", "SectionsRequest")


def describe(app: FastAPI, config: ServingConfig, *, has_key: bool) -> dict[str, Any]:
    """Returns the OpenAPI description of an app and caches it in the app.

    Args:
        app: the app, with all its routes.
        config: the options.
        has_key: whether clients must send a key.
    """
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        _bound(found["components"]["schemas"], config)
        if has_key:
            found["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
            for path, methods in found["paths"].items():
                if path.startswith("/v1/"):
                    for operation in methods.values():
                        operation["security"] = [{"key": []}]
        app.openapi_schema = found
    return app.openapi_schema


def _bound(schemas: dict[str, Any], config: ServingConfig) -> None:
    for name in ("SplitPair", "FusePair"):
        for sentence in schemas[name]["properties"].values():
            sentence["maxLength"] = config.max_characters
    for name in ("SplitRequest", "FuseRequest"):
        schemas[name]["properties"]["pairs"]["maxItems"] = config.max_pairs
    for name in ("PropositionsRequest", "ResolveRequest"):
        schemas[name]["properties"]["text"]["maxLength"] = config.max_text
    for name in _ARTICLES:
        properties = schemas[name]["properties"]
        _string(properties["language"])["enum"] = list(config.languages)
        _string(properties["market"])["pattern"] = f"^({'|'.join(config.languages)})-[A-Za-z]{{2}}$"


def _string(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the string branch of a schema that allows a string or null."""
    found: dict[str, Any] = next(part for part in schema["anyOf"] if part["type"] == "string")
    return found


Responses = dict[int | str, dict[str, Any]]
_DESCRIPTION = (
    "Splits sentences by the DiscoFuse rules, fuses sentences, cuts texts into propositions, resolves their mentions, "
    "and summarizes articles. Every response contains an X-Request-Id header, copied from the request if present. "
    "Errors are returned as problem details (RFC 9457)."
)
_PROBLEMS: dict[int, str] = {
    400: "the body is not JSON, or the header Host names another host",
    401: "the key is missing or wrong",
    408: "the body arrived too slowly",
    413: "the body is too large",
    422: "the body does not match the schema below or exceeds a limit",
    429: "too many requests are waiting; Retry-After says when to try again",
    500: "the server failed",
    504: "processing took too long",
}
# Browsers send it to other sites only after a preflight.
_JSON = re.compile(r"application/(?:[\w.+-]+\+)?json\s*(?:;|$)", re.IGNORECASE)
_MOST_ERRORS = 10  # errors listed per body


class Json(Response):
    """A JSON response formatted as the commands write JSON, so that the bytes match theirs."""

    media_type = "application/json"

    @override
    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False).encode()


def create_app(config: ServingConfig, service: Service, *, names: Sequence[str]) -> ASGIApp:
    """Returns the application; it starts and stops the service.

    Args:
        config: the options.
        service: the service that handles the requests.
        names: the accepted host names (gistmill.core.addresses.names_of).
    """
    key = os.environ.get(API_KEY) or None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        await service.stop()

    app = FastAPI(
        title="gistmill serve",
        version=__version__ or "0",
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.openapi = lambda: describe(app, config, has_key=key is not None)  # type: ignore[method-assign]
    add_handlers(app)
    _add_work(app, service, config)
    _add_state(app, service)
    add_page(app)
    paths = {route.path for route in app.routes if isinstance(route, Route)}
    return Requests(app, config=config, key=key, names=names, paths=paths, is_draining=lambda: service.draining)


def read_body(form: TypeAdapter[Any], content: bytes, config: ServingConfig) -> Any:
    """Parses and validates the body of a request.

    Args:
        form: the expected type.
        content: the body in bytes.
        config: the options; their limits are checked before the content.

    Raises:
        HTTPException: 400 if the body is not JSON, 422 if it is invalid. The message never quotes the request, which
            may be long or confidential.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise HTTPException(400, "the body is not JSON") from None
    try:
        return form.validate_python(value, context=config)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)[:_MOST_ERRORS]
    lines = [": ".join([*filter(None, [".".join(str(p)[:50] for p in each["loc"])]), each["msg"]]) for each in found]
    raise HTTPException(422, "; ".join(lines))


def _route(service: Service, config: ServingConfig) -> type[APIRoute]:
    """Returns a route class that reads bodies with ``read_body``; FastAPI would parse them in the event loop."""

    class ParsedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            hints = get_type_hints(self.endpoint)
            if "body" not in hints:
                return super().get_route_handler()
            form = TypeAdapter[Any](hints["body"])

            async def handle(request: Request) -> Response:
                content = await request.body()
                if not content:
                    raise HTTPException(422, "Field required: the body is empty")
                if not _JSON.match(request.headers.get("content-type", "")):
                    raise HTTPException(422, "the body must be JSON, with the header Content-Type: application/json")
                body = await service.parsed(read_body, form, content, config)
                if hasattr(body, "pairs"):
                    request.state.said["pairs"] = len(body.pairs)
                if config.log_texts:
                    request.state.said["body"] = body.model_dump()
                return Json(await self.endpoint(body))

            return handle

    return ParsedRoute


def _problems(*more: int) -> Responses:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
    found: Responses = {status: {"description": text, "content": content} for status, text in _PROBLEMS.items()}
    return {
        **found,
        **{status: {"description": "no model on this server can do this", "content": content} for status in more},
    }


def _add_work(app: FastAPI, service: Service, config: ServingConfig) -> None:
    app.router.route_class = _route(service, config)

    def add(answer: Callable[..., Any], form: type[BaseModel], tag: str, *problems: int) -> None:
        described = (answer.__doc__ or "").partition("\n\n")[0]  # without the Raises section
        responses = _problems(*problems)
        route = f"/v1/{answer.__name__}"
        app.post(route, response_model=form, responses=responses, tags=[tag], description=described)(answer)

    add(service.split, schemas.SplitResponse, "sentences")
    add(service.fuse, schemas.FuseResponse, "sentences", 501)
    add(service.propositions, schemas.PropositionsResponse, "texts")
    add(service.resolve, schemas.ResolveResponse, "texts")
    add(service.summarize, schemas.SummarizeResponse, "articles", 503)


def _add_state(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", response_model=dict[str, str], tags=["state"])
    async def healthz() -> Response:
        """Reports that the process is alive."""
        return Json({"status": "ok"})

    problem: Responses = {503: {"description": "the server is starting or stopping", "model": schemas.ProblemDetails}}

    @app.get("/readyz", response_model=dict[str, str], responses=problem, tags=["state"])
    async def readyz() -> Response:
        """Reports whether to send requests here: only after the models are loaded and before SIGTERM."""
        if service.draining:
            raise HTTPException(503, "the server is shutting down")
        return Json({"status": "ready"})

    text: Responses = {
        200: {"description": "metrics of all workers", "content": {"text/plain": {"schema": {"type": "string"}}}}
    }

    @app.get("/metrics", response_class=Response, responses=text, tags=["state"])
    async def prometheus() -> Response:
        """Returns the metrics of all workers in the Prometheus text format."""
        return Response(batching.exposition(), media_type=CONTENT_TYPE_LATEST)
