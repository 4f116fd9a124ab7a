"""Scores of fusions of sentences: Exact, SARI by name, by discourse type, connectives and pronouns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from gistmill.rules.fusion.edits import Edits, EditsError, realise
from gistmill.rules.fusion.texts import fuse
from gistmill.rules.metrics import sari
from gistmill.rules.metrics.baselines import copied, joined_by_but, joined_by_subject
from gistmill.rules.metrics.bootstrap import Floats, Measurement
from gistmill.rules.metrics.fusion_matches import (
    CONNECTIVES,
    OTHER,
    PRONOUNS,
    confusion,
    connective_at,
    connective_words,
    is_exact,
    pronouns_at,
    tokens_of,
)
from gistmill.training.errors import TrainingError
from gistmill.training.evaluation import config as named
from gistmill.training.evaluation.examples import Examples

Measured = dict[str, Measurement]
Confusion = Mapping[str, Mapping[str, int]]
UNCHANGED = "PAIR_NONE"
KEPT = "kept"
_BASELINES: Mapping[str, Callable[[Sequence[str], Sequence[str]], Edits]] = {
    "COPY": copied,
    "always but": joined_by_but,
    "repeated subject": joined_by_subject,
}


def measure_exact(examples: Examples, predictions: Sequence[str]) -> Measured:
    """Returns ``exact`` and ``exact_uncased``, in per cent; with several references one of them has to be met."""
    return {
        name: Measurement.mean(
            np.array([any(is_exact(p, r, cased=cased) for r in rs) for p, rs in zip(predictions, examples.references)])
        )
        for name, cased in (("exact", True), ("exact_uncased", False))
    }


def measure_sari(examples: Examples, predictions: Sequence[str]) -> Measured:
    """Returns SARI by each of its names, in per cent, and the parts of the paper's.

    The paper's goes by tokens. Natural text is divided into its words and marks for it.
    """
    measured: Measured = {}
    for name in sari.NAMES:
        divide = name == sari.DISCOFUSE and examples.form == named.NATURAL
        texts = [[_divided(t) for t in part] if divide else part for part in (examples.sources, predictions)]
        references = [[_divided(r) for r in rs] if divide else rs for rs in examples.references]
        rows = sari.per_row(name, texts[0], texts[1], references)
        measured[f"sari_{name}"] = Measurement(rows, _Sari(name))
        if name == sari.DISCOFUSE:
            for part, which in (("keep", 0), ("add", 1), ("delete", 2)):
                measured[f"sari_{name}_{part}"] = Measurement(rows, _Sari(name, which))
    return measured


def by_type(examples: Examples, predictions: Sequence[str], measured: Measured) -> Measured:
    """Returns Exact and the paper's SARI of each discourse type (Table 7), and the share of PAIR_NONE kept as it is.

    Args:
        examples: fusions.
        predictions: one for each.
        measured: the scores of all rows.
    """
    types = examples.types or []
    found: Measured = {}
    for kind in sorted(set(types)):
        at = [t == kind for t in types]
        for name in ("exact", "exact_uncased", "sari_discofuse"):
            if name in measured:
                found[f"{name}/{kind}"] = measured[name].of(at)
    if UNCHANGED in types:
        same = np.array([is_exact(p, s) for p, s in zip(predictions, examples.sources)])
        found[KEPT] = Measurement.mean(same).of([t == UNCHANGED for t in types])
    return found


def measure_connectives(examples: Examples, predictions: Sequence[str]) -> tuple[Measured, Confusion]:
    """Returns how often the reference's connective is met (Table 9), for all and for each, and what is in its place."""
    wanted = [connective_words(c) for c in examples.connectives or [""] * len(predictions)]
    known = CONNECTIVES | {words for words in wanted if words}
    found = [
        connective_at(source, references[0], prediction, " ".join(words), known) if words else None
        for source, references, prediction, words in zip(examples.sources, examples.references, predictions, wanted)
    ]
    pairs = [[(" ".join(words), f)] if f is not None else [] for words, f in zip(wanted, found)]
    return _accuracy("connective", pairs)


def measure_pronouns(examples: Examples, predictions: Sequence[str]) -> tuple[Measured, Confusion]:
    """Returns how often the pronouns that the reference adds are met (Figure 3), and what is in their place."""
    pairs = [
        pronouns_at(source, references[0], prediction)
        for source, references, prediction in zip(examples.sources, examples.references, predictions)
    ]
    measured, table = _accuracy("pronoun", pairs)
    columns = (*PRONOUNS, OTHER)
    return measured, {
        gold: {c: table[gold][c] for c in columns if c in table[gold]} for gold in PRONOUNS if gold in table
    }


def baselines(examples: Examples) -> Iterator[tuple[str, list[str]]]:
    """Yields the name and the predictions of each baseline.

    Raises:
        TrainingError: the natural text of a row does not consist of its tokens.
    """
    if examples.halves is None:
        return
    for name, edits_of in _BASELINES.items():
        predictions = []
        for row_id, source, (first, second) in zip(examples.ids, examples.sources, examples.halves):
            edits = edits_of(first, second)
            try:
                written = (
                    fuse(source, first, second, edits)
                    if examples.form == named.NATURAL
                    else " ".join(realise(first, second, edits))
                )
            except EditsError as error:
                raise TrainingError(f"row {row_id!r}: its inputs are not its incoherent sentences: {error}") from None
            predictions.append(written)
        yield name, predictions


class _Sari:
    """The value of SARI, or of one of its three parts, in per cent."""

    def __init__(self, name: str, part: int | None = None) -> None:
        self._name, self._part = name, part

    def __call__(self, sums: Floats) -> Floats:
        parts = 100 * sari.total(self._name, sums)
        return np.asarray(parts.mean(axis=-1) if self._part is None else parts[..., self._part])


def _divided(text: str) -> str:
    return " ".join(tokens_of(text))


def _accuracy(name: str, pairs: Sequence[Collection[tuple[str, str]]]) -> tuple[Measured, Confusion]:
    """Returns the share of the pairs that are equal, over all and by the first of them, and the confusion table."""
    table = confusion(pair for row in pairs for pair in row)
    measured: Measured = {}
    for kind in ("", *table):
        rows = [[(a, b) for a, b in row if not kind or a == kind] for row in pairs]
        sums = np.array([[sum(a == b for a, b in row), len(row)] for row in rows], np.float64).reshape(-1, 2)
        measured[f"{name}/{kind}" if kind else f"{name}s"] = Measurement(sums)
    return measured, table
