"""Parsing a build job's options from flags, a YAML file and defaults, in that order of precedence."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from gistmill import corpora
from gistmill.core.options import FlagsError, Option, Parser, add_options, from_flags
from gistmill.core.options import help_text as option_text
from gistmill.core.values import nearest
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, configure, job_options, options_for, read_yaml
from gistmill.rules.recipe import Recipe
from gistmill.transforms.beam.internals import beam_flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The settings of a job."""

    config: JobConfig
    beam: tuple[str, ...]  # arguments for Beam
    print_config: bool = False  # whether to print the configuration, then exit


def make_parser(recipe: type[Recipe[Any]]) -> Parser:
    """Returns the parser for a recipe's job, including ``--config`` and ``--print-config``."""
    examples = "\n".join(f"  gistmill {line}" for line in recipe.EXAMPLES)
    parser = Parser(
        prog=f"gistmill {recipe.NAME}",
        description=textwrap.fill(recipe.DESCRIPTION, 118),
        epilog=f"examples:\n{examples}\nAny option of Apache Beam may follow, such as --runner.",
    )
    add_options(parser, job_options(recipe).values(), partial(help_text, recipe))
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config",
        metavar="FILE.yaml",
        help="YAML file with any of these options as keys (hyphens or underscores) and Beam's options under "
        "`beam:`, or the name of a preset (`gistmill presets` lists them); a flag overrides the file, and "
        "the file overrides a default",
    )
    group.add_argument("--print-config", action="store_true", help="print the effective configuration as YAML and exit")
    return parser


def help_text(recipe: type[Recipe[Any]], option: Option) -> str:
    """Returns the help text of an option in a recipe's job: its meaning, default and sources."""
    text, offered = option_text(option), options_for(recipe)
    scope = offered.scopes[option.name]
    return text if len(scope) == len(offered.sources) else f"{text} [{', '.join(scope)}]"


def parse(recipe: type[Recipe[Any]], argv: Sequence[str]) -> Parsed:
    """Returns a job's settings from flags, YAML and defaults.

    Raises:
        ConfigError: an option is unknown (the message suggests the nearest), invalid or missing.
        SystemExit: ``--help`` was printed.
    """
    known = job_options(recipe)
    try:
        flags, rest = make_parser(recipe).parse_known_args(list(argv))
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    beam = beam_arguments(rest, [*(o.flag for o in known.values()), "--config", "--print-config", "--help"])
    if flags.config == "":
        raise ConfigError("--config requires a file name")
    given = from_flags(flags, known)
    places = {name: known[name].flag for name in given}
    complete = not flags.print_config
    parsed = settings_of(recipe, given, config=flags.config, beam=beam, places=places, complete=complete)
    return replace(parsed, print_config=flags.print_config)


def settings_of(
    recipe: type[Recipe[Any]],
    values: Mapping[str, Any],
    *,
    config: str | Mapping[str, Any] | None = None,
    beam: Sequence[str] = (),
    places: Mapping[str, str] | None = None,
    complete: bool = True,
) -> Parsed:
    """Returns a job's settings from a configuration and values; the values take precedence.

    Args:
        recipe: the recipe's class.
        values: values from flags or keywords, by option name.
        config: options by name, with Beam's under ``beam``; or a YAML file or preset that contains them.
        beam: arguments for Beam, appended to those in the configuration.
        places: the origin of each value, for messages; by default, the option's name.
        complete: whether required options must be present.

    Raises:
        ConfigError: the configuration cannot be read, is for another job, or is refused by ``configure``.
    """
    file, known = config if isinstance(config, str) else "", job_options(recipe)
    of_config = dict(read_config(file) if isinstance(config, str) else config or {})
    named = file or "the configuration"
    beam = [*beam_flags_of(of_config.pop("beam", []), named), *beam]
    if (job := of_config.pop("job", recipe.NAME)) != recipe.NAME:
        raise ConfigError(f"{named} is for the job {job!r}, not {recipe.NAME!r}")
    for name in of_config if file else ():
        if name not in known:
            raise ConfigError(f"unknown key {name!r} in {file}{nearest(name, known)}")
    places = {**{name: f"{name} in {file}" for name in of_config if file}, **(places or {})}
    made = configure(recipe, {**of_config, **values}, places=places, complete=complete)
    return Parsed(config=made, beam=tuple(beam))


def dump(parsed: Parsed) -> str:
    """Returns the effective configuration as YAML, which ``--config`` can read."""
    plain: dict[str, Any] = {"job": parsed.config.recipe.NAME, **parsed.config.to_values()}
    if parsed.beam:
        plain["beam"] = list(parsed.beam)
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


def read_config(name: str) -> dict[str, Any]:
    """Returns the content of a configuration file or, if it does not exist, of the preset with that name. Raises
    ConfigError if neither exists or it is not a YAML mapping."""
    place = Path(name) if Path(name).exists() or name not in corpora.NAMES else corpora.preset(name)
    return read_yaml(place, f"--config {name}", hint=nearest(name, corpora.NAMES))


def beam_flags_of(given: Any, place: str) -> list[str]:
    """Returns Beam's arguments from a YAML mapping or list; ``place`` is its origin, for messages. Raises ConfigError
    if it is neither, or contains an option that is not Beam's."""
    if isinstance(given, Mapping):
        given = [f"--{k}" if v is True else f"--{k}={v}" for k, v in given.items() if v is not False]
    if not isinstance(given, (list, tuple)):
        raise ConfigError(f"`beam:` in {place} must be a mapping or a list of flags")
    return beam_arguments([str(g) for g in given])


def beam_arguments(arguments: Sequence[str], own: Sequence[str] = ()) -> list[str]:
    """Returns ``arguments`` if all are Beam's; otherwise raises ConfigError, suggesting the nearest known flag."""
    flags = beam_flags() if arguments else set()
    previous = ""
    for argument in arguments:
        if argument.startswith("--"):
            name = argument.split("=", 1)[0]
            if name not in flags:
                raise ConfigError(f"unknown option {name}{nearest(name, [*own, *sorted(flags)])}")
            previous = "" if "=" in argument else name
        elif previous and not argument.startswith("-h"):  # argparse treats -h as --help in any position
            previous = ""
        else:
            raise ConfigError(f"unexpected argument {argument!r}")
    return list(arguments)
