"""Connectives from the paper's Table 12, as sets in connectives.toml.

``BACKWARD`` connectives open a second sentence, ``INNER`` ones are inside a sentence, ``FORWARD`` ones open a sentence
of two clauses, and ``CONJUNCTIONS`` coordinate. The ``extended`` conventions add ``MORE_BACKWARD`` and ``MORE_INNER``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

_SETS = tomllib.loads(files(__package__).joinpath("connectives.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Connective:
    """A connective.

    Attributes:
        words: its words in lower case.
        bare: whether it may omit the comma after it (backward) or before it (others).
    """

    words: tuple[str, ...]
    bare: bool = True

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(self.words)


def _connectives(name: str) -> tuple[Connective, ...]:
    entries = [entry.split() for entries in _SETS[name].values() for entry in entries]
    return tuple(Connective(tuple(w for w in words if w != ","), bare="," not in words) for words in entries)


BACKWARD = _connectives("backward")
MORE_BACKWARD = _connectives("more_backward")
INNER = _connectives("inner")
MORE_INNER = _connectives("more_inner")
FORWARD = _connectives("forward")
CONJUNCTIONS = _connectives("conjunctions")
RELATIVE_PRONOUNS = frozenset(("who", "which", "whose", "whom"))


def by_first_word(*connectives: Connective) -> dict[str, tuple[Connective, ...]]:
    """Groups the connectives by their first word, longest first."""
    table: dict[str, list[Connective]] = {}
    for connective in connectives:
        table.setdefault(connective.words[0], []).append(connective)
    return {word: tuple(sorted(found, key=lambda c: -len(c.words))) for word, found in table.items()}


def match_at(table: dict[str, tuple[Connective, ...]], lower: list[str], position: int) -> Connective | None:
    """Returns the longest connective in the table that starts at ``position``."""
    for connective in table.get(lower[position], ()):
        end = position + len(connective.words)
        if tuple(lower[position:end]) == connective.words:
            return connective
    return None
