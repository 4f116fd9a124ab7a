"""The tables of checks in the DiscoFuse rules, with other predicates for a while."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NamedTuple

from gistmill.rules import discofuse
from gistmill.rules.discofuse.checks import Check

Predicate = Callable[..., bool]


class Table(NamedTuple):
    """A table: the module that asks it, its name there, and its checks."""

    module: ModuleType
    name: str
    checks: tuple[Check[Any], ...]


def tables() -> list[Table]:
    """Returns the tables of all modules, in the order of their names."""
    found = []
    for info in pkgutil.walk_packages(discofuse.__path__, f"{discofuse.__name__}."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if isinstance(value, tuple) and value and all(isinstance(item, Check) for item in value):
                found.append(Table(module, name, value))
    return found


@contextmanager
def with_predicates(change: Callable[[Check[Any]], Predicate]) -> Iterator[None]:
    """Gives each check the predicate that ``change`` returns for it."""
    known = tables()
    try:
        for module, name, checks in known:
            setattr(module, name, tuple(dataclasses.replace(check, holds=change(check)) for check in checks))
        yield
    finally:
        for module, name, checks in known:
            setattr(module, name, checks)


def without(id: str) -> Any:
    """Takes a check out: it never holds. To be used in a ``with`` statement."""
    return with_predicates(lambda check: _never if check.id == id else check.holds)


def _never(parse: Any, match: Any) -> bool:
    return False
