"""Prints the Flex Template's metadata.json, generated from the job options:
``python -m gistmill.deploy.dataflow.template``.

The format is ``google.dataflow.v1beta3.TemplateMetadata``. No parameter has a ``defaultValue``, because it would be
passed to every job; gistmill applies its own defaults.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gistmill.core.options import Option
from gistmill.core.values import shown, whole
from gistmill.deploy.dataflow.main import DEFAULT_JOB, JOB
from gistmill.pipelines.job import job_options, reads_pairs
from gistmill.rules.recipes import RECIPES

_COUNT = whole(1).pattern
# Beam options that users may want to change on launch; the service sets the others.
_BEAM = (
    (
        "sdk_container_image",
        r"[a-z0-9][a-z0-9.:/_-]*(@sha256:[0-9a-f]{64})?",
        "worker image, built from deploy/Dockerfile (default: the template's image)",
    ),
    (
        "number_of_worker_harness_threads",
        _COUNT,
        "number of threads per worker process (default: 1; there is one process per core, and one thread fills it)",
    ),
    ("disk_size_gb", _COUNT, "disk size per worker in GB (default: Dataflow's default)"),
    (
        "resource_hints",
        r"min_ram=[0-9]+(\.[0-9]+)?(B|[KMGTP]i?B)",
        "minimum memory per worker, such as min_ram=16GB (default: see deploy/dataflow/README.md)",
    ),
    (
        "dataflow_service_options",
        r"[a-z0-9_]+(=[^,\r\n]+)?(,[a-z0-9_]+(=[^,\r\n]+)?)*",
        "comma-separated Dataflow service options, such as enable_prime",
    ),
)


def metadata() -> dict[str, Any]:
    """Returns the content of metadata.json."""
    return {
        "name": "Gistmill",
        "description": "Turns Wikipedia dumps and news crawls into corpora for sentence fusion and summarization.",
        "streaming": False,
        "parameters": [*_parameters()],
    }


def _parameters() -> Iterator[dict[str, Any]]:
    yield _named(JOB, f"job to run (default: {DEFAULT_JOB})", tuple(RECIPES))
    jobs = {job: job_options(recipe) for job, recipe in RECIPES.items()}
    for name in dict.fromkeys(name for options in jobs.values() for name in options):
        having = {job: options[name] for job, options in jobs.items() if name in options}
        first = next(iter(having.values()))
        if not first.local:
            yield _parameter(first, having, everywhere=len(having) == len(jobs))
    for name, pattern, text in _BEAM:
        yield {**_described(name, text, required=False), "paramType": "TEXT", "regexes": [f"^{pattern}$"]}


def _parameter(option: Option, having: Mapping[str, Option], *, everywhere: bool) -> dict[str, Any]:
    only = "" if everywhere else f"{_jobs(having)} only: "
    text = f"{only}{option.help}{_defaults(having)}{_other_helps(option, having)}"
    required = everywhere and all(o.required for o in having.values())
    if option.kind.choices:
        return _named(option.name, text, tuple(dict.fromkeys(c for o in having.values() for c in o.kind.choices)))
    made = _described(option.name, text, required=required)
    kind = "BOOLEAN" if option.kind.is_switch else "TEXT"
    patterns = dict.fromkeys(o.kind.pattern for o in having.values())  # an option's kind may differ between jobs
    pattern = next(iter(patterns)) if len(patterns) == 1 else f"({'|'.join(patterns)})"
    return {**made, "paramType": kind, "regexes": [f"^{pattern}$"]}


def _jobs(having: Collection[str]) -> str:
    on_documents = [name for name, recipe in RECIPES.items() if not reads_pairs(recipe)]
    return "jobs on documents" if list(having) == on_documents else ", ".join(having)


def _other_helps(option: Option, having: Mapping[str, Option]) -> str:
    """The help texts of jobs that describe the option differently."""
    others: dict[str, list[str]] = {}
    for job, own in having.items():
        if own.help != option.help:
            others.setdefault(own.help, []).append(job)
    return "".join(f"; with {', '.join(jobs)}: {text}" for text, jobs in others.items())


def _named(name: str, text: str, choices: tuple[str, ...]) -> dict[str, Any]:
    options = [{"value": c, "label": c} for c in choices]
    pattern = f"^({'|'.join(choices)})$"
    made = _described(name, text, required=False)
    return {**made, "paramType": "ENUM", "enumOptions": options, "regexes": [pattern]}


def _described(name: str, text: str, *, required: bool) -> dict[str, Any]:
    return {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "helpText": text[0].upper() + text[1:],
        "isOptional": not required,
    }


def _defaults(options: Mapping[str, Option]) -> str:
    """The default, unless the help states it, with the jobs that use it if defaults differ."""
    defaults = {job: _default(option) for job, option in options.items()}
    if len(set(defaults.values())) == 1:
        value = next(iter(defaults.values()))
        return f" (default: {value})" if value else ""
    return f" (default: {', '.join(f'{value} for {job}' for job, value in defaults.items() if value)})"


def _default(option: Option) -> str:
    if option.default in (None, False) or isinstance(option.default, Mapping):
        return ""
    return shown(option.default)


def text() -> str:
    """Returns metadata.json."""
    return json.dumps(metadata(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
