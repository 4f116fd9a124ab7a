"""The coreference resolvers that ``--coref NAME`` offers; each is imported only when chosen.

Packages add their own resolvers through entry points in the group ``gistmill.resolvers``: functions without arguments
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
        """Returns the clusters of at least two mentions, each in text order; ``title`` names the document's subject."""


GROUP = "gistmill.resolvers"
NONE, SIEVE, MINILM = _OWN = ("none", "sieve", "minilm")
_ENTRIES = {e.name: e for e in sorted(entry_points(group=GROUP), key=lambda e: e.name) if e.name not in _OWN}
NAMES = (*_OWN, *_ENTRIES)


def load_resolver(name: str) -> Resolver | None:
    """Makes the resolver called ``name``, one of NAMES; returns None for ``none``.

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
    """Checks that a resolver's package and weights are available, without loading them.

    Args:
        name: one of NAMES.
        version: the gistmill version, recorded for the weights shipped with it.

    Returns the records for the manifest: name, version, SHA-256. A package's version identifies both its code and its
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
        if name == MINILM:  # which revises the sieve's answers
            from gistmill.transforms.coreference.minilm.resolver import describe

            records += describe()
        return records
    with _of_package(name) as entry:
        entry.load()
    package, own = (entry.dist.name, entry.dist.version) if entry.dist else ("", "")
    return [{"name": name, "version": own, "files": {}, "packages": {package: own}}]


@contextmanager
def _of_package(name: str) -> Iterator[EntryPoint]:
    """Yields the entry point of a package's resolver, and turns errors raised in the block into PackageErrors."""
    if name not in _ENTRIES:
        raise ValueError(f"unknown coreference resolver {name!r}; expected one of {', '.join(NAMES)}")
    entry = _ENTRIES[name]
    try:
        yield entry
    except Exception as error:  # third-party code may raise anything
        raise PackageError(
            f"the coreference resolver {entry.value} from the package {entry.dist.name if entry.dist else ''} cannot "
            f"be used: {' '.join(str(error).split())}"
        ) from None
