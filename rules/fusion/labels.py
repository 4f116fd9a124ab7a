"""What the tagger chooses from: plans, operations and phrases; and the folder that a trained tagger is kept in.

A plan is the kind of fusion: a discourse type of DiscoFuse without what it says of anaphora, which the operations
show. The phrases are those of the training rows that cover most rows (E. Malmi et al., "Encode, tag, realize", EMNLP
2019, section 3.1).

The folder of a tagger holds

    labels.json      ``format``; ``plans``, ``operations``, ``phrases``; ``encoder``: name of the package whose encoder
                     is meant and SHA-256 of its weights, or null if the folder holds its own; ``longest``: the most
                     word pieces; ``prior``: what is added to the log probability of each plan, by its name, see
                     ``prior.py``; nothing if there is none
    tagger.npz       the heads (see ``heads.py``), float16; for an encoder of a package also the table ``codes`` of
                     shape (codes, width), and the low-rank products added to its maps: ``LAYER.MAP.down`` of shape
                     (rank, inputs) and ``LAYER.MAP.up`` of shape (outputs, rank), as in
                     ``0.attention.self.query.down``
    encoder.onnx     only for an encoder of its own, see ``training/exports/tagger.py``
    tokenizer.json   only for an encoder of its own
    README.md        the card
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, REPLACE, UPPER, Edits

FORMAT = 1
LABELS, ARRAYS, ONNX, TOKENIZER, CARD = "labels.json", "tagger.npz", "encoder.onnx", "tokenizer.json", "README.md"
NONE, ANAPHORA = "PAIR_NONE", "PAIR_ANAPHORA"
_SUFFIX = "_ANAPHORA"
_PLAIN = (KEEP, DELETE, LOWER, UPPER)


class LabelsError(ValueError):
    """The labels of a tagger cannot be read, or do not fit."""


class ConnectiveError(LabelsError):
    """A tagger has not learnt a connective.

    Attributes:
        connective: the one that is wanted.
        words: what the tagger writes between sentences, in lower case and without commas; connectives, and others.
    """

    def __init__(self, connective: str, words: frozenset[str]) -> None:
        super().__init__(f"the tagger knows no connective {connective!r}")
        self.connective, self.words = connective, words


def plan_of(discourse_type: str) -> str:
    """Returns the plan of a discourse type.

    >>> plan_of("SINGLE_S_COORD_ANAPHORA"), plan_of("PAIR_ANAPHORA")
    ('SINGLE_S_COORD', 'PAIR_ANAPHORA')
    """
    return discourse_type if discourse_type == ANAPHORA else discourse_type.removesuffix(_SUFFIX)


def joins(plan: str) -> bool:
    """Whether the fusions of a plan are one sentence."""
    return not plan.startswith("PAIR_")


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a tagger, each in the order of the heads' outputs.

    Attributes:
        plans: discourse types without anaphora; PAIR_NONE is among them.
        operations: KEEP first.
        phrases: "", which stands for no phrase, first.

    Raises:
        LabelsError: they are not of this form.
    """

    plans: tuple[str, ...]
    operations: tuple[str, ...]
    phrases: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("plans", "operations", "phrases"):
            values = getattr(self, name)
            if not all(isinstance(v, str) for v in values):
                raise LabelsError(f"{name}: expected text only")
            if len(set(values)) < len(values):
                twice = next(v for v, count in Counter(values).items() if count > 1)
                raise LabelsError(f"{name}: {twice!r} occurs twice")
        if NONE not in self.plans:
            raise LabelsError(f"plans: {NONE} is missing")
        if self.operations[:1] != (KEEP,):
            raise LabelsError(f"operations: the first is not {KEEP}")
        if self.phrases[:1] != ("",):
            raise LabelsError("phrases: the first is not empty")
        for operation in self.operations:
            if operation not in _PLAIN and (not operation.startswith(REPLACE) or operation == REPLACE):
                raise LabelsError(f"operations: unknown operation {operation!r}")

    def covers(self, edits: Edits) -> bool:
        """Whether the edits can be written with these labels."""
        operations, phrases = set(self.operations), set(self.phrases)
        return operations.issuperset(edits.operations) and phrases.issuperset(edits.phrases)

    def to_values(self) -> dict[str, Any]:
        """Returns the labels as JSON has them."""
        return {"plans": [*self.plans], "operations": [*self.operations], "phrases": [*self.phrases]}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Reads what ``to_values`` returned, among other keys.

        Raises:
            LabelsError: a key is missing, or the labels are not of this form.
        """
        found = []
        for name in ("plans", "operations", "phrases"):
            items = values.get(name)
            if not isinstance(items, list):
                raise LabelsError(f"{name}: expected a list of texts")
            found.append(tuple(items))
        return cls(*found)


def fit_labels(rows: Iterable[tuple[str, Edits]], *, most_phrases: int = 500, least_rows: int = 2) -> Labels:
    """Fits the labels to training rows: the most frequent phrases and operations, by the rows that need them.

    Args:
        rows: the plan and the edits of each; they are read once and not kept.
        most_phrases: the largest number of phrases.
        least_rows: the rows that a phrase, or a word that replaces another, has to occur in.
    """
    plans = {NONE}
    operations: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    for plan, edits in rows:
        plans.add(plan)
        operations.update(set(edits.operations))
        phrases.update(set(edits.phrases))
    replacing = [o for o in _ranked(operations, least_rows) if o not in _PLAIN]
    phrases.pop("", None)
    return Labels(tuple(sorted(plans)), (*_PLAIN, *replacing), ("", *_ranked(phrases, least_rows)[:most_phrases]))


def _ranked(counts: Counter[str], least: int) -> list[str]:
    kept = [item for item, count in counts.items() if count >= least]
    return sorted(kept, key=lambda item: (-counts[item], item))
