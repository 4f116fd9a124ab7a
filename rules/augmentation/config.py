"""The augmentation options and records shared by the recipe and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from gistmill.core.options import Options, option, options_of
from gistmill.core.records import Pair, Reject
from gistmill.core.values import BETWEEN, FOLDER, list_of, one_of, whole
from gistmill.rules.documents import Sentence

EDA, ROUND_TRIP = "eda", "round-trip"
METHODS = (EDA, ROUND_TRIP)
SYNONYMS, INSERTION, SWAP, DELETION = "synonyms", "insertion", "swap", "deletion"
OPERATIONS = (SYNONYMS, INSERTION, SWAP, DELETION)
FITTING, ANY = "fitting", "any"
ONE, ALL = "one", "all"
INPUTS, TARGETS, BOTH = "inputs", "targets", "both"
ROWS, COLUMN = "rows", "column"


@dataclass(frozen=True, kw_only=True)
class MethodConfig(Options):
    """Options for how copies are made and which texts are changed."""

    GROUP: ClassVar[str] = "recipe"

    method: str = option(
        one_of(*METHODS),
        default=EDA,
        help="how to make copies: eda replaces, inserts, swaps and deletes words (Wei and Zou, 2019); "
        "round-trip translates sentences into another language and back",
    )
    fields: str = option(one_of(INPUTS, TARGETS, BOTH), default=BOTH, help="which texts of a pair to change")
    seed: int = option(whole(0), default=1, help="seed for making copies")
    augmented_as: str = option(
        one_of(ROWS, COLUMN),
        default=ROWS,
        help="where to put copies: rows, in separate rows; or column, one copy per pair in the column "
        "augmented_inputs, for gistmill-train --objective consistency and uda",
    )

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the texts to change."""
        return (INPUTS, TARGETS) if self.fields == BOTH else (self.fields,)

    def check_unused(self, method: str) -> None:
        """Raises ValueError if an option declared here is set, though only ``method`` uses it and was not chosen."""
        shared = {o.name for o in options_of(MethodConfig)}
        for own in options_of(type(self)) if self.method != method else ():
            if own.name not in shared and getattr(self, own.name) != own.default:
                raise ValueError(f"{own.name}: has no effect without method {method}")


@dataclass(frozen=True, kw_only=True)
class AugmentConfig(MethodConfig):
    """The recipe's options. ``alpha`` and ``copies`` are taken from EDA's Table 3, for 5,000 texts and more."""

    operations: tuple[str, ...] = option(
        list_of(one_of(*OPERATIONS)),
        default=OPERATIONS,
        metavar="LIST",
        help="comma-separated operations for --method eda; copies use them in turn, starting with a random one",
    )
    copies: int = option(whole(1), default=4, help="number of copies per pair for --method eda")
    alpha: float = option(
        BETWEEN,
        default=0.1,
        help="share of a sentence's words that --method eda changes, at least one word; for deletion, the "
        "probability of deleting each word",
    )
    occurrences: str = option(
        one_of(ONE, ALL),
        default=ONE,
        help="which occurrences of a chosen word --method eda replaces with a synonym: one, as in the paper; or "
        "all in the sentence, as in the paper's code",
    )
    positions: str = option(
        one_of(FITTING, ANY),
        default=FITTING,
        help="which words --method eda inserts, swaps and deletes, and where: fitting, only those that keep the "
        "sentence grammatical, judging by its parse; or any, as in the paper",
    )
    wordnet: str | None = option(
        replace(FOLDER, metavar="DIR"),
        help="folder with WordNet's files index.*, data.* and cntlist.rev, for the synonyms used by --method "
        "eda (default: the WordNet 3.0 table shipped with gistmill)",
    )

    def check(self) -> None:
        """Raises ValueError if an operation is repeated, an option has no effect, or the column would stay empty."""
        self.check_unused(EDA)
        if len(set(self.operations)) < len(self.operations):
            raise ValueError(f"operations: list each operation only once, not {','.join(self.operations)}")
        if self.augmented_as == COLUMN and self.fields == TARGETS:
            raise ValueError("fields: augmented_as column adds a column of inputs, so specify inputs or both")


Lines = tuple[tuple[Sentence, ...], ...]  # the sentences of each line of a text


@dataclass(frozen=True, slots=True)
class PreparedPair(Pair):
    """A pair that a step has prepared. Instances of this class itself (pairs outside the train split) get no copies.

    Attributes:
        rejects: parts that the step left unchanged.
        counts: the step's counts, for the Outcome.
    """

    rejects: tuple[Reject, ...] = field(default=(), kw_only=True)
    counts: Mapping[str, int] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True, slots=True)
class ParsedPair(PreparedPair):
    """A pair whose texts are parsed.

    Attributes:
        lines: the lines of each text to change, with the keys ``inputs`` and ``targets``.
    """

    lines: Mapping[str, Lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A changed copy of a pair.

    Attributes:
        number: number of the copy, counted from 1 for each pair, including dropped copies.
        operation: name of the operation that made it.
        inputs, targets: its texts.
        values: values for the columns that the method adds.
        counts: the number of changes of each kind.
    """

    number: int
    operation: str
    inputs: str
    targets: str
    values: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
