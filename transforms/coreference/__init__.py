"""The coreference resolvers that ``--coref NAME`` chooses from; none is imported before it is chosen.

Packages bring resolvers of their own by entry points of the group ``gistmill.resolvers``: functions without arguments
that return a Resolver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from gistmill.rules.documents import Mention, Sentence
from gistmill.transforms.installed import PackageError
from gistmill.transforms.models import data_checksums


class Resolver(Protocol):
    """The interface of a coreference resolver."""

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, each in text order; ``title`` names the document's subject."""


GROUP = "gistmill.resolvers"
NONE, SIEVE, MINILM = _OWN = ("none", "sieve", "minilm")
_ENTRIES = {e.name: e for e in sorted(entry_points(group=GROUP), key=lambda e: e.name) if e.name not in _OWN}
NAMES = (*_OWN, *_ENTRIES)


def load_resolver(name: str) -> Resolver | None:
    """Makes the resolver called ``name``, one of NAMES; None for ``none``.

    Raises:
        ValueError: no resolver has that name.
        PackageError: its package or its weights are missing or unusable.
    """
    if name == NONE:
        return None
    if name == SIEVE:
        from gistmill.rules.coreference.scorer import Sieve

        return Sieve()
    if name == MINILM:
        from gistmill.transforms.coreference.minilm.resolver import load_minilm

        return load_minilm()
    with _of_package(name) as entry:
        found: Resolver = entry.load()()
    return found


def describe_resolver(name: str, *, version: str = "") -> list[dict[str, Any]]:
    """Makes sure that package and weights of a resolver are there, without loading them.

    Args:
        name: one of NAMES.
        version: of gistmill, for weights that it ships.

    Returns the manifest's records of them: name, version, SHA-256. The version of a package stands for its code and
    weights.

    Raises:
        ValueError, PackageError: as ``load_resolver``.
    """
    if name == NONE:
        return []
    if name in _OWN:
        records: list[dict[str, Any]] = [
            {"name": SIEVE, "version": version, "files": data_checksums("gistmill.rules.coreference")}
        ]
        if name == MINILM:  # which revises the answers of the sieve
            from gistmill.transforms.coreference.minilm.resolver import describe

            records += describe()
        return records
    with _of_package(name) as entry:
        entry.load()
    package, own = (entry.dist.name, entry.dist.version) if entry.dist else ("", "")
    return [{"name": name, "version": own, "files": {}, "packages": {package: own}}]


@contextmanager
def _of_package(name: str) -> Iterator[EntryPoint]:
    """The entry point of a package's resolver, whose errors in the block become PackageErrors."""
    if name not in _ENTRIES:
        raise ValueError(f"unknown coreference resolver {name!r}; available are {', '.join(NAMES)}")
    entry = _ENTRIES[name]
    try:
        yield entry
    except Exception as error:  # it is another's code
        raise PackageError(
            f"the coreference resolver {entry.value} from the package {entry.dist.name if entry.dist else ''} cannot "
            f"be used: {' '.join(str(error).split())}"
        ) from None
