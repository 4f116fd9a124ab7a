"""The options of ``gistmill estimate`` itself, and the file of prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from gistmill.core.flags import FlagsError, check_keys, from_yaml
from gistmill.core.options import OptionError, Options, option, options_of
from gistmill.core.values import BETWEEN, NOT_NEGATIVE, POSITIVE, SWITCH, TEXT, TOKEN, list_of, whole
from gistmill.pipelines.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class EstimateConfig(Options):
    """The options of the estimate."""

    GROUP: ClassVar[str] = "estimate"

    sample_share: float | None = option(
        BETWEEN, help="share of the input that the sample has (default: 0.1, and at most 64 MB of text)"
    )
    sample_ranges: int | None = option(whole(2), help="how many ranges the sample has, in the place of a share")
    sample_seed: int = option(whole(0), default=1, help="decides which ranges are drawn")
    look_bytes: int = option(
        whole(0),
        default=64_000_000,
        unit="bytes",
        help="an input of at most so much text is read and cleaned whole, to know how many sentences each range has",
    )
    for_workers: tuple[int, ...] | None = option(
        list_of(whole(1)),
        metavar="N,N",
        help="numbers of workers to say time and price for (default: --workers, or what this machine has room for)",
    )
    prices: str | None = option(TEXT, metavar="FILE.yaml", help="prices of machines and runners (docs/estimate.md)")
    machine: str | None = option(TOKEN, help="the machine in that file (default: all of them)")
    json: bool = option(SWITCH, default=False, help="print one JSON object (docs/estimate.md)")

    def check(self) -> None:
        """Raises ValueError for options that do not go together."""
        if self.sample_share is not None and self.sample_ranges is not None:
            raise ValueError("give --sample-share or --sample-ranges, not both")
        if self.machine is not None and self.prices is None:
            raise ValueError("--machine names an entry of the file of --prices")


@dataclass(frozen=True, kw_only=True)
class Machine(Options):
    """A kind of machine, in the file of prices."""

    cores: int | None = option(whole(1), help="cores, one worker on each", required=True)
    memory_gb: float | None = option(POSITIVE, help="memory", unit="GB", required=True)
    hour: float | None = option(NOT_NEGATIVE, help="price of the machine for an hour", required=True)
    speed: float = option(POSITIVE, default=1.0, help="how fast a core is, where one of this machine has 1")


@dataclass(frozen=True, kw_only=True)
class RunnerCosts(Options):
    """What a runner adds, in the file of prices."""

    start_seconds: float = option(NOT_NEGATIVE, default=0.0, unit="seconds", help="time before the workers begin")
    overhead: float = option(NOT_NEGATIVE, default=0.0, help="processor time of its own, as a share of the work")
    core_hour: float = option(NOT_NEGATIVE, default=0.0, help="its fee for an hour of a core")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The content of a file of prices."""

    currency: str
    machines: Mapping[str, Machine]
    runners: Mapping[str, RunnerCosts]


def read_prices(path: str) -> Prices:
    """Reads a file of prices.

    Raises:
        ConfigError: it cannot be read, an unknown key (the nearest one is named), a bad value, or no machine.
    """
    try:
        content = from_yaml(Path(path).read_bytes(), path)
        check_keys(content, ("currency", "machines", "runners"), path)
    except OSError as error:
        raise ConfigError(f"--prices {path}: {error.strerror or error}") from None
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    machines = _entries(content.get("machines"), Machine, f"machines in {path}")
    if not machines:
        raise ConfigError(f"{path} names no machines")
    runners = _entries(content.get("runners"), RunnerCosts, f"runners in {path}")
    return Prices(currency=str(content.get("currency") or ""), machines=machines, runners=runners)


def _entries(value: Any, kind: type[Any], place: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: expected a mapping of names")
    return {str(name): _entry(given, kind, f"{name} of {place}") for name, given in value.items()}


def _entry(given: Any, kind: type[Any], place: str) -> Any:
    if not isinstance(given, dict):
        raise ConfigError(f"{place}: expected a mapping")
    known = {o.name: o for o in options_of(kind)}
    try:
        check_keys({str(key): value for key, value in given.items()}, known, place)
        made = kind.from_values(given)
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    except OptionError as error:
        raise ConfigError(f"{error.name} of {place}: {error.problem}") from None
    if missing := [o.name for o in known.values() if o.required and getattr(made, o.name) is None]:
        raise ConfigError(f"{missing[0]} of {place} is missing")
    return made
