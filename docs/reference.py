"""Prints docs/options.md, the reference for all options, generated from the declarations in the code:

python -m docs.reference > docs/options.md
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gistmill.core.options import Option, option_definition, options_of
from gistmill.core.text_output import definitions

_HEAD = """\
# Options

`gistmill help JOB`, `gistmill-train COMMAND --help` and `gistmill serve --help` show the options of one command.

- Every option of a job or of `gistmill-train` can be a key of a YAML file (`--config`), with underscores or hyphens.
- A flag overrides the file, and the file overrides the default.
- `--no-X` turns the switch `--X` off.
- Options of jobs are also keywords of `gistmill.build`. `-i` and `-o` are short for `--input` and `--output`.
- Jobs accept any option of Apache Beam, on the command line or under `beam:` in the file.
- *Jobs on documents* have a `--source`; the others read rows of datasets.

<!-- Made by `python -m docs.reference`, from the declarations in the code. -->
"""


def page() -> str:
    """Returns the page: the options of building jobs, of ``gistmill-train`` and of ``gistmill serve``."""
    return "\n".join([_HEAD, *_of_jobs(), *_of_training(), *_of_serving()])


def _of_serving() -> Iterator[str]:
    from gistmill.serving.config import ServingConfig

    yield "## `gistmill serve`\n"
    for group, options in _grouped(options_of(ServingConfig)).items():
        yield f"### Server: {group}\n"
        yield from definitions(map(option_definition, options))


def _of_training() -> Iterator[str]:
    """Yields the options shared by several commands, then the other options of each command in its own section."""
    from gistmill.training.commands import COMMANDS
    from gistmill.training.settings import known_options

    commands: dict[tuple[str, str], list[str]] = {}  # by term and meaning
    for command in COMMANDS.values():
        for option in known_options(command).values():
            commands.setdefault(option_definition(option), []).append(command.name)
    yield "## `gistmill-train`\n"
    yield "### Options of several commands\n"
    for (term, meaning), names in commands.items():
        if len(names) > 1:
            yield from definitions([(term, f"{meaning} *({', '.join(names)})*")])
    for command in COMMANDS.values():
        yield f"### `gistmill-train {command.name}`\n"
        for group, options in _grouped(known_options(command).values()).items():
            if own := [each for each in map(option_definition, options) if len(commands[each]) == 1]:
                yield f"#### {command.name}: {group}\n"
                yield from definitions(own)


def _of_jobs() -> Iterator[str]:
    """Yields the options shared by all jobs, by group, then the options of each recipe."""
    from gistmill.pipelines.job import job_options, shared_reasons
    from gistmill.rules.documents import meanings
    from gistmill.rules.recipes import RECIPES

    jobs: dict[str, dict[str, list[str]]] = {}  # by option and help text, which may differ between jobs
    shared: dict[str, Option] = {}
    for name, recipe in RECIPES.items():
        for option in job_options(recipe).values():
            if option.group != "recipe":
                shared.setdefault(option.name, option)
                jobs.setdefault(option.name, {}).setdefault(option.help, []).append(name)
    yield "## Building jobs\n"
    for group, options in _grouped(shared.values()).items():
        yield f"### {group.capitalize()}\n"
        for option in options:
            term, meaning = option_definition(option)
            _, *others = jobs[option.name].items()
            having = [name for name in RECIPES if any(name in names for names in jobs[option.name].values())]
            more = "".join(f"; with {', '.join(names)}: {text}" for text, names in others)
            yield from definitions([(term, f"{meaning}{_scope(option, having)}{more}")])
    for recipe in RECIPES.values():
        if own := [option for option in job_options(recipe).values() if option.group == "recipe"]:
            yield f"### `gistmill {recipe.NAME}`\n"
            for option in own:
                term, meaning = option_definition(option)
                yield from definitions([(term, meaning + _scope(option, [*RECIPES]))])
        if reasons := meanings(*recipe.REASONS):
            yield "Reasons for rejecting a document or a part of it:\n"
            yield from _reasons(reasons)
    yield "### Reasons for rejecting a document before the recipe\n"
    yield from _reasons(meanings(*shared_reasons()))


def _reasons(reasons: Mapping[str, str]) -> list[str]:
    return definitions((f"`{name}`", meaning) for name, meaning in reasons.items())


def _scope(option: Option, having: list[str]) -> str:
    """The scope of an option, if it does not apply everywhere; ``having`` lists the jobs that accept it."""
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
    print(page(), end="")
