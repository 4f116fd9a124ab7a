"""Prints docs/options.md, the reference of every option:
``python -m gistmill.pipelines.reference > docs/options.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gistmill.core.options import Option, option_definition
from gistmill.core.text_output import definitions
from gistmill.pipelines.job import job_options, reads_pairs, shared_reasons, sources_of
from gistmill.rules.documents import meanings
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.registry import REGISTRY

_HEAD = """\
# Options of the building jobs

`gistmill help JOB` shows the same for one job; `-i` and `-o` are short for `--input` and `--output`. Every option can
stand in a YAML file (`--config`), with underscores or hyphens, and is a keyword of `gistmill.build`. A flag beats the
file, the file beats the default. Any option of Apache Beam may follow on the command line, or stand under `beam:` in
the file. Jobs that read rows of datasets have no `--source`; the others are called jobs on documents.

<!-- Made by `python -m gistmill.pipelines.reference`, from the declarations in the code. -->
"""


def reference() -> str:
    """Returns the page: the options that all jobs share by their groups, then those of each recipe."""
    own = [line for recipe in RECIPES.values() for line in _own(recipe)]
    shared = ["## Reasons for rejecting a document before the recipe\n", *_reasons(meanings(*shared_reasons()))]
    return "\n".join([_HEAD, *_shared(), *own, *shared])


def _shared() -> Iterator[str]:
    found: dict[str, Option] = {}
    jobs: dict[str, list[str]] = {}
    others: dict[str, dict[str, list[str]]] = {}  # other meanings of an option, and the jobs that have them
    for name, recipe in RECIPES.items():
        for option in job_options(recipe).values():
            if option.group != "recipe":
                first = found.setdefault(option.name, option)
                jobs.setdefault(option.name, []).append(name)
                if option.help != first.help:
                    others.setdefault(option.name, {}).setdefault(option.help, []).append(name)
    for group in dict.fromkeys(o.group for o in found.values()):
        yield f"## {group.capitalize()}\n"
        yield from _list([o for o in found.values() if o.group == group], jobs, others)


def _own(recipe: type[Recipe[Any]]) -> Iterator[str]:
    options = [o for o in job_options(recipe).values() if o.group == "recipe"]
    if options:
        yield f"## `gistmill {recipe.NAME}`\n"
        yield f"{recipe.DESCRIPTION}\n"
        yield from _list(options, {}, {})
    if reasons := meanings(*recipe.REASONS):
        yield "It rejects documents or parts of them for these reasons, which `stats.json` and `rejects/` name:\n"
        yield from _reasons(reasons)


def _reasons(reasons: Mapping[str, str]) -> list[str]:
    return definitions((f"`{name}`", meaning) for name, meaning in reasons.items())


def _list(
    options: list[Option], jobs: Mapping[str, list[str]], others: Mapping[str, Mapping[str, list[str]]]
) -> list[str]:
    entries = []
    for option in options:
        term, meaning = option_definition(option)
        said = others.get(option.name, {}).items()  # by other jobs, in other words
        more = "".join(f"; with {', '.join(having)}: {text}" for text, having in said)
        entries.append((term, f"{meaning}{_scope(option, jobs)}{more}"))
    return definitions(entries)


def _scope(option: Option, jobs: Mapping[str, list[str]]) -> str:
    """Where the option means something, if not everywhere."""
    scopes = []
    on_documents = [name for name, recipe in RECIPES.items() if not reads_pairs(recipe)]
    having = jobs.get(option.name, list(RECIPES))
    if len(sources := sources_of(option)) < len(REGISTRY):  # which jobs on documents have
        scopes.append(f"sources {', '.join(sources)}")
    elif having == on_documents:
        scopes.append("jobs on documents")
    if len(having) < len(RECIPES) and having != on_documents:
        scopes.append(f"jobs {', '.join(having)}")
    return f" *({'; '.join(scopes)})*" if scopes else ""


if __name__ == "__main__":
    print(reference(), end="")
