"""The JSON schema of corpus files, made from the declarations of the options, for editors and checks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from gistmill import corpora
from gistmill.core.options import Option, Options, options_of
from gistmill.core.values import shown
from gistmill.pipelines.options import read_config
from gistmill.pipelines.rebuild.corpus import dataset_options, options_with, run_options, source_options
from gistmill.pipelines.rebuild.crawls import CrawlConfig
from gistmill.pipelines.rebuild.fetching import DumpConfig
from gistmill.pipelines.rebuild.settings import CorpusConfig, RecipeConfig, RetentionConfig
from gistmill.pipelines.sections import InputConfig
from gistmill.rules.comparison.guards import GuardsConfig
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.registry import REGISTRY

_NAME = {"pattern": r"^[A-Za-z0-9_-][A-Za-z0-9._-]*$"}


def schema() -> dict[str, Any]:
    """Returns the schema, of draft 2020-12."""
    top, jobs = _properties(options_of(CorpusConfig)), {job: _of_job(job) for job in RECIPES}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A corpus that `gistmill rebuild` makes",
        **_object(
            {
                **top,
                "sources": _named({"$ref": "#/$defs/source"}, "what is read, by names of your own"),
                "recipes": {
                    **_named({"$ref": "#/$defs/dataset"}, "the datasets, by names of your own"),
                    "minProperties": 1,
                },
                "runner": _object(_properties(run_options().values())),
                "retention": _object(_properties(options_of(RetentionConfig))),
                "guards": _object(_properties(options_of(GuardsConfig))),
            },
            required=[*_required(CorpusConfig), "recipes"],
        ),
        "$defs": {
            "source": _source(),
            "dataset": _dataset(),
            **_shared(jobs),
            **jobs,
        },
    }


def text() -> str:
    """Returns the schema as the file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _source() -> dict[str, Any]:
    """A dump has a wiki and a crawl its name; anything else has inputs."""
    shared = _properties(source_options().values())
    files = {
        "source": {"enum": [*REGISTRY], "description": "what the input is", "default": next(iter(REGISTRY))},
        "input": {
            **_property(next(o for o in options_of(InputConfig) if o.name == "input")),
            "description": "files or globs, local, gs:// or s3://",
        },
    }
    return {
        "if": {"required": ["wiki"]},
        "then": _object({**_properties(options_of(DumpConfig)), **shared}),
        "else": {
            "if": {"required": ["crawl"]},
            "then": _object(_properties([*options_of(CrawlConfig), *options_with(CrawlConfig).values()])),
            "else": _object({**files, **shared}, required=["input"]),
        },
    }


def _dataset() -> dict[str, Any]:
    """Chooses the definition of the job that ``recipe`` or ``preset`` names."""
    presets = _presets()
    chosen = [
        {
            "if": {
                "anyOf": [
                    {"properties": {"recipe": {"const": job}}, "required": ["recipe"]},
                    {"properties": {"preset": {"enum": presets.get(job, [])}}, "required": ["preset"]},
                ]
            },
            "then": {"$ref": f"#/$defs/{job}"},
        }
        for job in RECIPES
    ]
    said = [{"required": ["recipe"]}, {"required": ["preset"]}]
    return {"type": "object", "properties": _properties(options_of(RecipeConfig)), "anyOf": said, "allOf": chosen}


def _of_job(job: str) -> dict[str, Any]:
    own = _properties(options_of(RecipeConfig)) | {"recipe": {"const": job, "description": RECIPES[job].HELP}}
    return _object({**own, **_properties(dataset_options(RECIPES[job]).values())})


def _shared(jobs: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The properties that are equal in several jobs, which get references in their places."""
    seen: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for job in jobs.values():
        for name, value in job["properties"].items():
            seen.setdefault((name, json.dumps(value)), []).append(job["properties"])
    found: dict[str, Any] = {}
    for (name, _), owners in seen.items():
        if len(owners) > 1 and f"option.{name}" not in found:
            found[f"option.{name}"] = owners[0][name]
            for owner in owners:
                owner[name] = {"$ref": f"#/$defs/option.{name}"}
    return found


def _presets() -> dict[str, list[str]]:
    """The names of presets by their jobs."""
    found: dict[str, list[str]] = {}
    for name in corpora.NAMES:
        found.setdefault(str(read_config(name)["job"]), []).append(name)
    return found


def _object(properties: Mapping[str, Any], *, required: Iterable[str] = ()) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**made, "required": [*required]} if required else made


def _named(item: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "propertyNames": _NAME,
        "additionalProperties": dict(item),
    }


def _required(section: type[Options]) -> list[str]:
    return [o.name for o in options_of(section) if o.required]


def _properties(options: Iterable[Option]) -> dict[str, Any]:
    return {option.name: _property(option) for option in options}


def _property(option: Option) -> dict[str, Any]:
    unit = f", in {option.unit}" if option.unit else ""
    default = "" if option.default in (None, False) or isinstance(option.default, dict) else shown(option.default)
    said = f" (default: {default})" if default and "(default" not in option.help else ""
    return {**option.kind.schema, "description": f"{option.help}{said} [{option.kind.allowed}{unit}]"}
