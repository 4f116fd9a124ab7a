"""The application: its routes, and how it is put together."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from gistmill import __version__
from gistmill.serving import metrics, proposition_schemas, schemas
from gistmill.serving.config import API_KEY, ServingConfig
from gistmill.serving.middleware import Requests, route_namer
from gistmill.serving.openapi import describe
from gistmill.serving.page import add_page
from gistmill.serving.problems import MEDIA_TYPE, add_handlers
from gistmill.serving.service import Service

Responses = dict[int | str, dict[str, Any]]
_DESCRIPTION = (
    "Splits sentences by the rules of DiscoFuse, fuses sentences, cuts texts into propositions, resolves their "
    "mentions, and summarizes articles. Every answer has a header X-Request-Id, that of the request if it has one. "
    "Errors are problem details (RFC 9457)."
)
_PROBLEMS: dict[int, str] = {
    400: "the body is not JSON",
    401: "the key is missing or wrong",
    408: "the body came too slowly",
    413: "the body is too large",
    422: "the body is not of the form below, or over a limit",
    429: "too much is waiting; Retry-After says when to try again",
    500: "the server failed",
    504: "the work took too long",
}


class Json(Response):
    """JSON as the commands write it, so that an answer has their bytes in it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """See Response.render."""
        return json.dumps(content, ensure_ascii=False).encode()


def create_app(config: ServingConfig, service: Service) -> ASGIApp:
    """Returns the application, which starts and stops the service."""
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
    return Requests(app, config=config, key=key, route_of=route_namer(app.routes), is_draining=lambda: service.draining)


def _problems(*more: int) -> Responses:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
    found: Responses = {status: {"description": text, "content": content} for status, text in _PROBLEMS.items()}
    return {**found, **{status: {"description": "nothing here can do this", "content": content} for status in more}}


def _add_work(app: FastAPI, service: Service, config: ServingConfig) -> None:
    def note(request: Request, body: Any, **counts: int) -> None:
        request.state.said.update(counts, **({"body": body.model_dump()} if config.log_texts else {}))

    @app.post("/v1/split", response_model=schemas.SplitResponse, responses=_problems(), tags=["sentences"])
    async def split(body: schemas.SplitRequest, request: Request) -> Response:
        """Splits sentences by the rules of DiscoFuse; a candidate that they refuse has the reason."""
        note(request, body, pairs=len(body.pairs))
        return Json(await service.split(body))

    @app.post("/v1/fuse", response_model=schemas.FuseResponse, responses=_problems(501), tags=["sentences"])
    async def fuse(body: schemas.FuseRequest, request: Request) -> Response:
        """Fuses two sentences into one text."""
        note(request, body, pairs=len(body.pairs))
        return Json(await service.fuse(body))

    @app.post(
        "/v1/propositions",
        response_model=proposition_schemas.PropositionsResponse,
        responses=_problems(),
        tags=["texts"],
    )
    async def propositions(body: proposition_schemas.PropositionsRequest, request: Request) -> Response:
        """Cuts a text into propositions, statements that stand alone; it says what of them does not."""
        note(request, body)
        return Json(await service.propositions(body))

    @app.post("/v1/resolve", response_model=proposition_schemas.ResolveResponse, responses=_problems(), tags=["texts"])
    async def resolve(body: proposition_schemas.ResolveRequest, request: Request) -> Response:
        """Replaces pronouns and short mentions of a text by what they mean, where that is sure."""
        note(request, body)
        return Json(await service.resolve(body))

    @app.post("/v1/summarize", response_model=schemas.SummarizeResponse, responses=_problems(503), tags=["articles"])
    async def summarize(body: schemas.SummarizeRequest, request: Request) -> Response:
        """Summarizes an article, given as text, as a web page or as sections."""
        note(request, body)
        return Json(await service.summarize(body))


def _add_state(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", response_model=schemas.Health, tags=["state"])
    async def healthz() -> Response:
        """Says that the process answers."""
        return Json({"status": "ok"})

    problem: Responses = {503: {"description": "it starts or ends", "model": schemas.ProblemDetails}}

    @app.get("/readyz", response_model=schemas.Health, responses=problem, tags=["state"])
    async def readyz() -> Response:
        """Says whether requests should be sent here: not before the models are loaded, nor after SIGTERM."""
        if service.draining:
            raise HTTPException(503, "the server ends")
        return Json({"status": "ready"})

    text: Responses = {
        200: {"description": "metrics of all workers", "content": {"text/plain": {"schema": {"type": "string"}}}}
    }

    @app.get("/metrics", response_class=Response, responses=text, tags=["state"])
    async def prometheus() -> Response:
        """Has the metrics of all workers, in the text format of Prometheus."""
        return Response(metrics.exposition(), media_type=metrics.CONTENT_TYPE)
