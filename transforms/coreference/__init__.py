"""The one adapter behind which coreference sits: ``--coref none|sieve``."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rules.records import Mention, Sentence


class Resolver(Protocol):
    """What a coreference system must offer."""

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, each in text order; ``title`` names the document's subject."""


def _sieve() -> Resolver:
    from rules.coreference.sieve import Sieve

    return Sieve()


_RESOLVERS = {"none": lambda: None, "sieve": _sieve}
NAMES = tuple(_RESOLVERS)


def load_resolver(name: str) -> Resolver | None:
    """Makes the resolver called ``name``; None for ``none``.

    Raises:
        ValueError: no resolver has that name.
    """
    if name not in _RESOLVERS:
        raise ValueError(f"no coreference resolver is called {name!r}; there are {', '.join(NAMES)}")
    return _RESOLVERS[name]()
