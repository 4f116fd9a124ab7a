"""Options of a job: declared once, read from the command line, a YAML file and defaults, in that order of precedence."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pipelines.values import nearest


class UsageError(ValueError):
    """The command line or the configuration is wrong; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option.

    Attributes:
        name: with underscores, as in YAML; the flag has hyphens.
        parse: turns a command-line string or a YAML value into the value; raises ValueError with what is allowed.
        default: the value when nobody gives one.
        help: one sentence or two for ``--help``.
        group: heading in ``--help``.
        metavar: how the value is shown; "" makes a switch.
        required: whether a value must be given.
        sources: the sources with which it has an effect; empty for all.
    """

    name: str
    parse: Callable[[Any], Any]
    help: str
    default: Any = None
    group: str = "run"
    metavar: str = "VALUE"
    required: bool = False
    sources: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The command-line flag."""
        return "--" + self.name.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What was asked for: ``values`` by option name, ``beam``, the arguments for Beam, and ``given``: where each value
    stands (a flag, or a key and its file) that is no default."""

    values: Mapping[str, Any]
    beam: tuple[str, ...]
    print_config: bool
    given: Mapping[str, str] = field(default_factory=dict, compare=False)


def make_parser(job: str, options: Sequence[Option], *, description: str, epilog: str = "") -> argparse.ArgumentParser:
    """Returns the parser of a building job; ``--config`` and ``--print-config`` are added."""
    parser = _Parser(prog=f"gistmill {job}", description=description, epilog=epilog, allow_abbrev=False,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    groups: dict[str, Any] = {}
    for option in options:
        group = groups.setdefault(option.group, None) or parser.add_argument_group(option.group)
        groups[option.group] = group
        shown = option.help.replace("%", "%%")
        if option.default not in (None, False) and not isinstance(option.default, dict):
            shown += f" (default: {_shown(option.default)})"
        if option.sources:
            shown += f" [{', '.join(option.sources)}]"
        if option.metavar:
            group.add_argument(option.flag, dest=option.name, metavar=option.metavar, help=shown, default=None)
        else:
            group.add_argument(option.flag, dest=option.name, action=argparse.BooleanOptionalAction, help=shown,
                               default=None)
    group = parser.add_argument_group("configuration")
    group.add_argument("--config", metavar="FILE.yaml", help="a YAML file with any of these options as keys (hyphens or "
                       "underscores) and Beam's under `beam:`; a flag beats the file, the file a default")
    group.add_argument("--print-config", action="store_true", help="print the effective configuration as YAML and stop")
    return parser


def parse(job: str, options: Sequence[Option], argv: Sequence[str], *, description: str, epilog: str = "") -> Parsed:
    """Reads flags, YAML and defaults.

    Raises:
        UsageError: an unknown flag or key (the nearest one is named), a bad value, a missing required option.
        SystemExit: after ``--help``.
    """
    given, rest = make_parser(job, options, description=description, epilog=epilog).parse_known_args(list(argv))
    known = {o.name: o for o in options}
    beam_flags = _beam_flags()
    beam = _check_beam(rest, beam_flags, [o.flag for o in options] + ["--config", "--print-config", "--help"])
    from_file = _read_yaml(given.config) if given.config else {}
    from_file_beam = _beam_from_yaml(from_file.pop("beam", {}), beam_flags, given.config)
    if (named := from_file.pop("job", job)) != job:
        raise UsageError(f"{given.config} describes the job {named!r}, not {job!r}")
    for key in from_file:
        if key not in known:
            raise UsageError(f"unknown key {key!r} in {given.config}{nearest(key, list(known))}")
    values, places = {}, {}
    for name, option in known.items():
        flag_value = getattr(given, name)
        value, where = (flag_value, option.flag) if flag_value is not None else (from_file.get(name), f"{name} in {given.config}")
        try:
            values[name] = option.default if value is None else option.parse(value)
        except ValueError as error:
            raise UsageError(f"{where}: {error}, not {value!r}") from None
        if value is not None:
            places[name] = where
        if option.required and values[name] is None and not given.print_config:
            raise UsageError(f"{option.flag} is required")
    return Parsed(values=values, beam=(*from_file_beam, *beam), print_config=given.print_config, given=places)


def dump(job: str, parsed: Parsed) -> str:
    """Returns the effective configuration as YAML that ``--config`` reads back to the same."""
    plain = {"job": job, **{k: _plain(v) for k, v in parsed.values.items() if v is not None}}
    if parsed.beam:
        plain["beam"] = list(parsed.beam)
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(message)


def _read_yaml(path: str) -> dict[str, Any]:
    try:
        loaded = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--config {path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"--config {path} is not YAML: {' '.join(str(error).split())}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise UsageError(f"--config {path} must hold a mapping of options")
    return {str(k).replace("-", "_"): v for k, v in loaded.items()}


def _beam_from_yaml(given: Any, flags: set[str], path: str | None) -> list[str]:
    if isinstance(given, Mapping):
        given = [f"--{k}" if v is True else f"--{k}={v}" for k, v in given.items() if v is not False]
    if not isinstance(given, list):
        raise UsageError(f"`beam:` in {path} must be a mapping or a list of flags")
    return _check_beam([str(g) for g in given], flags, [])


def _beam_flags() -> set[str]:
    """Every flag that some Beam options class declares."""
    from apache_beam.options.pipeline_options import PipelineOptions, _BeamArgumentParser

    parser = _BeamArgumentParser(allow_abbrev=False)
    classes, seen = [PipelineOptions], set()
    while classes:
        cls = classes.pop()
        if cls in seen:
            continue
        seen.add(cls)
        classes.extend(cls.__subclasses__())
        if "_add_argparse_args" in vars(cls):
            try:
                cls._add_argparse_args(parser)
            except argparse.ArgumentError:  # two classes may share a flag
                continue
    return {s for a in parser._actions for s in a.option_strings}


def beam_arguments(arguments: Sequence[str], own: Sequence[str] = ()) -> list[str]:
    """Returns ``arguments`` if they are Beam's.

    Raises:
        UsageError: one is not; it names the nearest flag of Beam's or of ``own``.
    """
    return _check_beam(arguments, _beam_flags(), own)


def _check_beam(arguments: Sequence[str], flags: set[str], own: Sequence[str]) -> list[str]:
    """Returns ``arguments`` if they are Beam's; names the nearest flag of ours or Beam's otherwise."""
    previous = ""
    for argument in arguments:
        if argument.startswith("--"):
            name = argument.split("=", 1)[0]
            if name not in flags:
                raise UsageError(f"unknown option {name}{nearest(name, [*own, *sorted(flags)])}")
            previous = "" if "=" in argument else name
        elif previous:
            previous = ""
        else:
            raise UsageError(f"unexpected argument {argument!r}")
    return list(arguments)


def _shown(value: Any) -> str:
    return ",".join(_shown(v) for v in value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, (tuple, list)) else value
