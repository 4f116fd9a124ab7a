"""Options: each is declared once, as a field of the configuration that owns it.

A configuration is a frozen dataclass below ``Options``. Its fields, made by ``option``, say everything about an
option: name, kind of value, default, unit, meaning. From that come the flag, the YAML key, ``--help``, the check of
values (also of those given in Python), the metadata of the Flex Template and the reference page.

    @dataclass(frozen=True, kw_only=True)
    class LimitsConfig(Options):
        max_words: int = option(whole(0), default=512, unit="words", help="where a document ends; 0: nowhere")
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from gistmill.core.addresses import without_secrets
from gistmill.core.values import Kind, plain

_KEY = "option"
# What a document can be when it leaves its source; an option may mean something to some of them only.
WIKITEXT, PARSOID, HTML, PLAIN = "wikitext", "parsoid", "html", "plain"
UNPARSED = frozenset({WIKITEXT, PARSOID, HTML, PLAIN})


class OptionError(ValueError):
    """A value that an option cannot have, or values that do not go together.

    Attributes:
        name: the option; "" where several are involved.
        problem: what is wrong, in one line.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(name, problem)
        self.name, self.problem = name, problem

    def __str__(self) -> str:
        return f"{self.name}: {self.problem}" if self.name else self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A declared option.

    Attributes:
        name: with underscores, as in Python and YAML; the flag has hyphens.
        kind: the kind of value.
        help: one sentence or two.
        default: the value if none is given.
        unit: what a number counts, such as ``words`` or ``seconds``; "" for none.
        metavar: stands for the value in ``--help``; "" for a switch.
        required: whether a value has to be given.
        markups: the forms of documents that the option means something to; empty for all.
        fingerprinted: whether a run that is resumed has to have the same value as the run before it.
        published: whether the manifest has it.
        local: whether Dataflow has no use for it: it concerns this machine, or Flink.
        group: heading in ``--help``: by default the GROUP of its configuration.
    """

    name: str
    kind: Kind
    help: str
    default: Any = None
    unit: str = ""
    metavar: str = ""
    required: bool = False
    markups: frozenset[str] = frozenset()
    fingerprinted: bool = True
    published: bool = True
    local: bool = False
    group: str = "run"

    @property
    def flag(self) -> str:
        """The command-line flag."""
        return "--" + self.name.replace("_", "-")


def option(
    kind: Kind,
    *,
    help: str,
    default: Any = None,
    unit: str = "",
    metavar: str | None = None,
    required: bool = False,
    markups: frozenset[str] = frozenset(),
    fingerprinted: bool = True,
    published: bool = True,
    local: bool = False,
    group: str = "",
) -> Any:
    """Returns a dataclass field that declares an option; see Option for the arguments."""
    declared = {
        "kind": kind,
        "help": help,
        "unit": unit,
        "metavar": kind.metavar if metavar is None else metavar,
        "required": required,
        "markups": markups,
        "fingerprinted": fingerprinted,
        "published": published,
        "local": local,
        **({"group": group} if group else {}),
    }
    if isinstance(default, Mapping):  # dataclasses want a factory for what can be changed
        return dataclasses.field(default_factory=lambda: dict(default), metadata={_KEY: declared})
    return dataclasses.field(default=default, metadata={_KEY: declared})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of every configuration: values are read and checked when it is made.

    Class attributes:
        GROUP: heading of its options in ``--help``.

    Raises:
        OptionError: at construction, with the option, what it expects, and the value.
    """

    GROUP: ClassVar[str] = "run"

    def __post_init__(self) -> None:
        for declared in options_of(type(self)):
            value = getattr(self, declared.name)
            if value is None and declared.default is None:
                continue
            try:
                object.__setattr__(self, declared.name, declared.kind.parse(value))
            except ValueError as error:
                unnamed = declared.kind.reads_yaml or declared.kind.is_secret  # errors of the former name the item
                shown = "" if unnamed else f", not {without_secrets(repr(value))}"
                raise OptionError(declared.name, f"{error}{shown}") from None
        try:
            self.check()
        except ValueError as error:
            raise OptionError("", str(error)) from None

    def check(self) -> None:
        """Checks what no option can check alone.

        Raises:
            ValueError: values that do not go together.
        """

    def check_order(self, *names: str) -> None:
        """Raises ValueError for the first of ``names`` whose bound ``min_NAME`` is above ``max_NAME``."""
        for name in names:
            least, most = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            if least > most:
                raise ValueError(f"min_{name}: {least:.12g} is above max_{name}, {most:.12g}")

    def to_values(self) -> dict[str, Any]:
        """Returns the options that have a value, by name, as YAML and JSON have them."""
        values = {o.name: getattr(self, o.name) for o in options_of(type(self))}
        return {name: plain(value) for name, value in values.items() if value is not None}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Returns the configuration made of its own options among ``values``; None means the default."""
        names = [o.name for o in options_of(cls)]
        return cls(**{n: values[n] for n in names if values.get(n) is not None})


def options_of(config: type[Options]) -> tuple[Option, ...]:
    """Returns the options that a configuration declares, in order; those of its bases come first."""
    return tuple(_declared(config))


def _declared(config: type[Options]) -> Iterator[Option]:
    for field in dataclasses.fields(config):
        if declared := field.metadata.get(_KEY):
            factory = field.default_factory
            # a class of __main__ comes back from a pickle with a copy of MISSING
            default = factory() if callable(factory) else field.default
            yield Option(name=field.name, default=default, **{"group": config.GROUP, **declared})
