"""The options of a building job on the command line: flags, a YAML file and defaults, in that order of precedence."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from gistmill import corpora
from gistmill.core.options import FlagsError, Option, Parser, add_options, check_keys, from_flags, from_yaml
from gistmill.core.options import help_text as option_text
from gistmill.core.values import nearest
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, configure, job_options, sources_for, sources_of
from gistmill.rules.recipe import Recipe
from gistmill.transforms.beam.internals import beam_flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A parsed command line.

    Attributes:
        config: the configuration of the job.
        beam: the arguments for Beam.
        print_config: whether the configuration is to be printed, and nothing else done.
        given: where each value stands (a flag, or a key and its file) that is not a default, by option name.
    """

    config: JobConfig
    beam: tuple[str, ...]
    print_config: bool
    given: Mapping[str, str] = field(default_factory=dict, compare=False)


def make_parser(recipe: type[Recipe[Any]]) -> Parser:
    """Returns the parser of a recipe's job; ``--config`` and ``--print-config`` are added."""
    examples = "\n".join(f"  gistmill {line}" for line in recipe.EXAMPLES)
    parser = Parser(
        prog=f"gistmill {recipe.NAME}",
        description=textwrap.fill(recipe.DESCRIPTION, 118),
        epilog=f"examples:\n{examples}\nAny option of Apache Beam may follow, such as --runner.",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser, job_options(recipe).values(), partial(help_text, recipe))
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config",
        metavar="FILE.yaml",
        help="a YAML file with any of these options as keys (hyphens or underscores) and Beam's under `beam:`, or the "
        "name of a preset (gistmill presets lists them); a flag beats the file, the file a default",
    )
    group.add_argument("--print-config", action="store_true", help="print the effective configuration as YAML and stop")
    return parser


def help_text(recipe: type[Recipe[Any]], option: Option) -> str:
    """Returns what ``--help`` of a recipe's job says of an option: its meaning, default and sources."""
    text, known = option_text(option), sources_for(recipe)
    sources = sources_of(option, known)
    return text if len(sources) == len(known) else f"{text} [{', '.join(sources)}]"


def parse(recipe: type[Recipe[Any]], argv: Sequence[str]) -> Parsed:
    """Reads flags, YAML and defaults.

    Raises:
        ConfigError: an unknown flag or key (the nearest one is named), a bad value, a missing required option.
        SystemExit: after ``--help``.
    """
    try:
        return _parse(recipe, argv)
    except FlagsError as error:
        raise ConfigError(str(error)) from None


def _parse(recipe: type[Recipe[Any]], argv: Sequence[str]) -> Parsed:
    flags, rest = make_parser(recipe).parse_known_args(list(argv))
    known, of_beam = job_options(recipe), beam_flags()
    own = [*(o.flag for o in known.values()), "--config", "--print-config", "--help"]
    beam = _check_beam(rest, of_beam, own)
    if flags.config == "":
        raise ConfigError("--config: no file is named")
    of_file = read_config(flags.config) if flags.config else {}
    beam = [*_beam_from_yaml(of_file.pop("beam", {}), of_beam, flags.config), *beam]
    if (named := of_file.pop("job", recipe.NAME)) != recipe.NAME:
        raise ConfigError(f"{flags.config} describes the job {named!r}, not {recipe.NAME!r}")
    check_keys(of_file, known, flags.config)
    of_flags = from_flags(flags, known)
    given = {name: f"{name} in {flags.config}" for name, value in of_file.items() if value is not None}
    given |= {name: known[name].flag for name in of_flags}
    config = configure(recipe, {**of_file, **of_flags}, places=given, complete=not flags.print_config)
    return Parsed(config=config, beam=tuple(beam), print_config=flags.print_config, given=given)


def dump(parsed: Parsed) -> str:
    """Returns the effective configuration as YAML that ``--config`` reads back to the same."""
    plain: dict[str, Any] = {"job": parsed.config.recipe.NAME, **parsed.config.to_values()}
    if parsed.beam:
        plain["beam"] = list(parsed.beam)
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


def read_config(name: str) -> dict[str, Any]:
    """Returns the content of a configuration: a file, or where there is none, the preset of this name.

    Raises:
        ConfigError: it is not there, or is not a mapping in YAML.
    """
    place = Path(name) if Path(name).exists() or name not in corpora.NAMES else corpora.preset(name)
    try:
        return from_yaml(place.read_bytes(), f"--config {name}")
    except OSError as error:
        hint = nearest(name, corpora.NAMES)
        raise ConfigError(f"--config {name}: {error.strerror or error}{hint}") from None
    except FlagsError as error:
        raise ConfigError(str(error)) from None


def beam_flags_of(given: Any, place: str) -> list[str]:
    """Returns the arguments for Beam that a mapping or list of YAML stands for.

    Args:
        given: the value of ``beam``.
        place: where it stands, for messages.

    Raises:
        ConfigError: it is neither, or an option is not Beam's.
    """
    return _beam_from_yaml(given, beam_flags(), place)


def _beam_from_yaml(given: Any, flags: set[str], path: str | None) -> list[str]:
    if isinstance(given, Mapping):
        given = [f"--{k}" if v is True else f"--{k}={v}" for k, v in given.items() if v is not False]
    if not isinstance(given, list):
        raise ConfigError(f"`beam:` in {path} must be a mapping or a list of flags")
    return _check_beam([str(g) for g in given], flags, [])


def beam_arguments(arguments: Sequence[str], own: Sequence[str] = ()) -> list[str]:
    """Returns ``arguments`` if they are Beam's.

    Raises:
        ConfigError: one is not; it names the nearest flag of Beam's or of ``own``.
    """
    return _check_beam(arguments, beam_flags(), own)


def _check_beam(arguments: Sequence[str], flags: set[str], own: Sequence[str]) -> list[str]:
    """Returns ``arguments`` if they are Beam's; names the nearest flag of ours or Beam's otherwise."""
    previous = ""
    for argument in arguments:
        if argument.startswith("--"):
            name = argument.split("=", 1)[0]
            if name not in flags:
                raise ConfigError(f"unknown option {name}{nearest(name, [*own, *sorted(flags)])}")
            previous = "" if "=" in argument else name
        elif previous and not argument.startswith("-h"):  # which argparse takes for --help wherever it stands
            previous = ""
        else:
            raise ConfigError(f"unexpected argument {argument!r}")
    return list(arguments)
