"""The OpenAPI description of a server: its bounds and languages are those of its options."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from gistmill.serving.config import ServingConfig

_ARTICLES = ("TextRequest", "HtmlRequest", "SectionsRequest")


def describe(app: FastAPI, config: ServingConfig, *, has_key: bool) -> dict[str, Any]:
    """Returns the description of an app, which keeps it.

    Args:
        app: with all its routes.
        config: the options.
        has_key: whether clients have to send a key.
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
    """The part of a schema for a text or null that is for the text."""
    found: dict[str, Any] = next(part for part in schema["anyOf"] if part["type"] == "string")
    return found
