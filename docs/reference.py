"""Prints a reference page of options, made from the declarations in the code:

python -m docs.reference options > docs/options.md
python -m docs.reference serving-options > docs/serving-options.md
python -m docs.reference training-options > docs/training-options.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping

from gistmill.core.options import Option, option_definition, options_of
from gistmill.core.text_output import definitions

_MADE = "<!-- Made by `python -m docs.reference {name}`, from the declarations in the code. -->\n"
_HEADS = {
    "options": """\
# Options of the building jobs

`gistmill help JOB` shows the same for one job; `-i` and `-o` are short for `--input` and `--output`. Every option can
stand in a YAML file (`--config`), with underscores or hyphens, and is a keyword of `gistmill.build`. A flag beats the
file, the file beats the default. Any option of Apache Beam may follow on the command line, or stand under `beam:` in
the file. Jobs that read rows of datasets have no `--source`; the others are called jobs on documents.
""",
    "serving-options": """\
# Options of `gistmill serve`

`gistmill serve --help` shows the same. [serving.md](serving.md) explains requests and answers.
""",
    "training-options": """\
# Options of `gistmill-train`

`gistmill-train COMMAND --help` shows the same for one command. Every option can stand in a YAML file (`--config`), with
underscores or hyphens. A flag beats the file, the file beats the default.
""",
}


def page(name: str) -> str:
    """Returns a page by its name, a key of _HEADS."""
    lines = {"options": _of_jobs, "serving-options": _of_serving, "training-options": _of_training}[name]()
    return "\n".join([_HEADS[name], _MADE.format(name=name), *lines])


def _of_serving() -> Iterator[str]:
    from gistmill.serving.config import ServingConfig

    for group, options in _grouped(options_of(ServingConfig)).items():
        yield f"## {group.capitalize()}\n"
        yield from definitions(map(option_definition, options))


def _of_training() -> Iterator[str]:
    from gistmill.training.commands import COMMANDS
    from gistmill.training.settings import known_options

    for command in COMMANDS.values():
        yield f"## `gistmill-train {command.name}`\n"
        yield f"{command.description}\n"
        yield from ("```sh", *(f"gistmill-train {line}" for line in command.examples), "```\n")
        for group, options in _grouped(known_options(command).values()).items():
            yield f"### {command.name}: {group}\n"
            yield from definitions(map(option_definition, options))


def _of_jobs() -> Iterator[str]:
    """Yields the options that all jobs share by their groups, then those of each recipe."""
    from gistmill.pipelines.job import job_options, shared_reasons
    from gistmill.rules.documents import meanings
    from gistmill.rules.recipes import RECIPES

    jobs: dict[str, dict[str, list[str]]] = {}  # by option and help, which may be another one in another job
    shared: dict[str, Option] = {}
    for name, recipe in RECIPES.items():
        for option in job_options(recipe).values():
            if option.group != "recipe":
                shared.setdefault(option.name, option)
                jobs.setdefault(option.name, {}).setdefault(option.help, []).append(name)
    for group, options in _grouped(shared.values()).items():
        yield f"## {group.capitalize()}\n"
        for option in options:
            term, meaning = option_definition(option)
            _, *others = jobs[option.name].items()
            having = [name for name in RECIPES if any(name in names for names in jobs[option.name].values())]
            more = "".join(f"; with {', '.join(names)}: {text}" for text, names in others)
            yield from definitions([(term, f"{meaning}{_scope(option, having)}{more}")])
    for recipe in RECIPES.values():
        if own := [option for option in job_options(recipe).values() if option.group == "recipe"]:
            yield f"## `gistmill {recipe.NAME}`\n"
            yield f"{recipe.DESCRIPTION}\n"
            for option in own:
                term, meaning = option_definition(option)
                yield from definitions([(term, meaning + _scope(option, [*RECIPES]))])
        if reasons := meanings(*recipe.REASONS):
            yield "It rejects documents or parts of them for these reasons, which `stats.json` and `rejects/` name:\n"
            yield from _reasons(reasons)
    yield "## Reasons for rejecting a document before the recipe\n"
    yield from _reasons(meanings(*shared_reasons()))


def _reasons(reasons: Mapping[str, str]) -> list[str]:
    return definitions((f"`{name}`", meaning) for name, meaning in reasons.items())


def _scope(option: Option, having: list[str]) -> str:
    """Where the option means something, if not everywhere; ``having``: the jobs that have it."""
    from gistmill.pipelines.job import options_for, reads_pairs
    from gistmill.rules.recipes import RECIPES
    from gistmill.transforms.sources.registry import REGISTRY

    scopes = []
    on_documents = [name for name, recipe in RECIPES.items() if not reads_pairs(recipe)]
    of_documents = (options_for(RECIPES[name]).scopes for name in on_documents)
    scope = next((found[option.name] for found in of_documents if option.name in found), ())
    sources = [name for name in scope if name in REGISTRY]
    if 0 < len(sources) < len(REGISTRY):
        scopes.append(f"sources {', '.join(sources)}")
    elif having == on_documents:
        scopes.append("jobs on documents")
    if len(having) < len(RECIPES) and having != on_documents:
        scopes.append(f"jobs {', '.join(having)}")
    return f" *({'; '.join(scopes)})*" if scopes else ""


def _grouped(options: Iterable[Option]) -> dict[str, list[Option]]:
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    return groups


if __name__ == "__main__":
    print(page(sys.argv[1] if sys.argv[1:] else "options"), end="")
