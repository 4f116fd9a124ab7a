"""A pair on its way through augmentation, and its copies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gistmill.core.records import Pair, Reject
from gistmill.rules.documents import Sentence

Lines = tuple[tuple[Sentence, ...], ...]  # the sentences of each line of a text


@dataclass(frozen=True, slots=True)
class PreparedPair(Pair):
    """A pair that a step has prepared. One of this very class gets no copies: only those of the split train do.

    Attributes:
        rejects: parts of it that the step left as they are.
        counts: what the step counted, for the Outcome.
    """

    rejects: tuple[Reject, ...] = field(default=(), kw_only=True)
    counts: Mapping[str, int] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True, slots=True)
class ParsedPair(PreparedPair):
    """A pair whose texts are parsed.

    Attributes:
        lines: the lines of each text that is to be changed, by ``inputs`` and ``targets``.
    """

    lines: Mapping[str, Lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A changed copy of a pair.

    Attributes:
        number: counts the copies of the pair from 1, those that are dropped too.
        operation: how it was made.
        inputs, targets: its texts.
        values: of columns that the method adds.
        counts: how much was changed, by what was counted.
    """

    number: int
    operation: str
    inputs: str
    targets: str
    values: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
