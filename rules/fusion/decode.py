"""Decoding of the tagger's label probabilities into fusions: first the plan, then its edits, under constraints.

The heads score each label independently, so the likeliest labels may not fit together. The decoder chooses the
likeliest labels that satisfy these rules:

- A PAIR plan deletes words from a mention only after a pronoun or before a capital, as in "Karl Marx". The same applies
  to plans whose second clause has its own subject, except at the beginning of that clause.
- Plans with a connective insert one; SINGLE_CONN_START inserts it at the beginning.
- PAIR_NONE changes nothing. The other PAIR plans keep the first sentence and both final punctuation marks, and insert
  no phrase that starts with a comma at the beginning of the second sentence.
- A joining plan without a move keeps the first sentence, up to its final punctuation, except for SINGLE_CATAPHORA and
  SINGLE_CONN_START.
- PAIR_ANAPHORA inserts no phrase.
- A joining plan deletes or replaces the final mark of the sentence that ends inside the fusion, and keeps the other.
- LOWER applies only to capitalised words that are not also capitalised within a sentence.

A tagger learns the frequency of each plan from its training rows, in most of which the sentences are left unchanged.
For pairs from another corpus, this is corrected with the shares of the plans in that corpus (M. Saerens et al.,
"Adjusting the outputs of a classifier to new a priori probabilities", Neural Computation 14, 2002, section 2.2):
P(plan | pair) is multiplied by the ratio of the plan's share there to its share in training, and normalised.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.fusion.codec import ANAPHORA, NONE, ConnectiveError, FloatArray, Heads, Labels, LabelsError, joins
from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, REPLACE, UPPER, VERBATIM, Edits, realise

FORBIDDEN = np.float32(-1e4)
CONNECTIVE_FIRST = "SINGLE_CONN_START"
_CHANGES_FIRST = frozenset((CONNECTIVE_FIRST, "SINGLE_CATAPHORA"))
_MARKS = frozenset((".", "?", "!", "..."))


Tags = tuple[FloatArray, FloatArray]
"""Log probabilities of a row's operations and phrases; those not allowed are FORBIDDEN."""


def forbid(tags: Tags, labels: Labels, first: Sequence[str], second: Sequence[str], *, plan: str, moved: bool) -> None:
    """Sets the log probabilities of labels that a plan, with or without a move, does not allow to FORBIDDEN."""
    operations, phrases = tags
    n, words, joined = len(first), (*first, *second), joins(plan)
    _forbid_case(operations, labels, words, n)
    if joined and not moved and plan not in _CHANGES_FIRST:
        # the end of the first sentence, excluding its final punctuation, brackets and quotes
        body = max((i + 1 for i, word in enumerate(first) if any(map(str.isalnum, word))), default=0)
        operations[:body, 1:] = FORBIDDEN
    if not joined:
        operations[:n, 1:] = FORBIDDEN
        phrases[:n, 1:] = FORBIDDEN
        phrases[n, np.array([phrase.startswith(",") for phrase in labels.phrases])] = FORBIDDEN
        if plan == ANAPHORA:
            phrases[:, 1:] = FORBIDDEN
    keep = labels.operations.index(KEEP)
    for i, ends in zip((n - 1, len(words) - 1), (moved, not moved), strict=True):
        if words[i] not in _MARKS:
            continue
        if joined and not ends:
            operations[i, keep] = FORBIDDEN
        else:
            operations[i, np.arange(operations.shape[1]) != keep] = FORBIDDEN


def _forbid_case(operations: FloatArray, labels: Labels, words: Sequence[str], n: int) -> None:
    number = {name: k for k, name in enumerate(labels.operations)}
    lower, upper = number.get(LOWER), number.get(UPPER)
    inside = {w for i, w in enumerate(words) if i not in (0, n)}
    for i, word in enumerate(words):
        if lower is not None and (not word[:1].isupper() or word in inside or word == "I"):
            operations[i, lower] = FORBIDDEN
        if upper is not None and not word[:1].islower():
            operations[i, upper] = FORBIDDEN


WITH_CONNECTIVE = frozenset(
    ("PAIR_CONN", "SINGLE_S_COORD", "SINGLE_VP_COORD", "SINGLE_CONN_INNER", "SINGLE_CONN_START")
)
OWN_SUBJECT = frozenset(("SINGLE_S_COORD", "SINGLE_CONN_INNER"))  # plans whose second clause has its own subject
LEAST_GAIN = -5.0  # minimum log odds of the pronoun required by PAIR_ANAPHORA against keeping the word
# Words that no pronoun follows.
_BEFORE_NOUNS = frozenset("the a an its their my your our".split())


@dataclass(frozen=True, slots=True)
class Fusion:
    """A fusion of two sentences.

    Attributes:
        plan: the discourse type, without anaphora.
        edits: the edits.
        tokens: the tokens of the fusion.
        log_probability: log probability of the plan and the edits, according to the heads and their prior.
    """

    plan: str
    edits: Edits
    tokens: list[str]
    log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionConstraints:
    """Constraints on the fusions of two sentences.

    Attributes:
        plan: the kind of fusion (see ``plan_of``); None for any.
        connective: the connective, with or without its commas; None for any.
        caution: number added to the log probability of PAIR_NONE when the likeliest plan is chosen. The probabilities
            of fusions are not affected.
        count: maximum number of fusions.
    """

    plan: str | None = None
    connective: str | None = None
    caution: float = 0.0
    count: int = 1


ANYTHING = FusionConstraints()


class Decoder:
    """A decoder that finds the likeliest fusions.

    Attributes:
        heads: the tagger's heads.
        marks_only: for each phrase, whether it contains no word.
    """

    def __init__(self, heads: Heads) -> None:
        self.heads, self._labels, self._none = heads, heads.labels, heads.labels.plans.index(NONE)
        self._connectives = [_bare(phrase) for phrase in heads.labels.phrases]
        self.marks_only = np.array([not bare for bare in self._connectives])

    def fuse(
        self, states: FloatArray, first: Sequence[str], second: Sequence[str], wanted: FusionConstraints = ANYTHING
    ) -> list[Fusion]:
        """Returns the likeliest distinct fusions, best first.

        The best fusion uses the likeliest plan and then its likeliest edits; if a plan other than PAIR_NONE would
        change nothing, the next plan is used. The others are sorted by probability.

        Args:
            states: states for [CLS], each token and the end, of shape (n + m + 2, width).
            first, second: the sentences' tokens.
            wanted: constraints on the fusions.

        Raises:
            LabelsError: the tagger does not know the plan or connective, or the plan has no connective.
        """
        plan, connective = wanted.plan, self._wanted(wanted.connective)
        if connective is not None and plan is not None and plan not in WITH_CONNECTIVE:
            raise LabelsError(f"a fusion of type {plan} has no connective")
        row = _Row(self, states, first, second, connective)
        scores = self.heads.plans(states, len(first))
        ranked = self._ranked(scores, plan, wanted.caution)
        if connective is not None:
            ranked = [p for p in ranked if self._labels.plans[p] in WITH_CONNECTIVE]
            found = row.ranked(ranked, scores)
        else:
            firsts = (next(row.ranked([p], scores)) for p in ranked)
            best = next(firsts)
            if not row.is_fusion(best):
                best = next(filter(row.is_fusion, firsts), best)
            found = chain([best], filter(row.is_fusion, row.ranked(ranked, scores)))
        return [*islice(_different(found), wanted.count)]

    def unchanged(self, states: FloatArray, n: int) -> float:
        """Returns the probability, including the prior, of leaving two sentences unchanged (the plan PAIR_NONE).

        ``states`` are the same as for ``fuse``; ``n`` is the number of tokens in the first sentence.
        """
        return float(np.exp(self.heads.plans(states, n)[self._none]))

    def _ranked(self, scores: FloatArray, plan: str | None, caution: float) -> list[int]:
        """Returns the plans that may be chosen, best first."""
        if plan is None:
            shifted = scores.astype(np.float64)
            shifted[self._none] += caution
            return [int(p) for p in np.argsort(-shifted, kind="stable")]
        if plan not in self._labels.plans:
            raise LabelsError(f"the tagger does not support {plan!r}, only {', '.join(self._labels.plans)}")
        return [self._labels.plans.index(plan)]

    def _wanted(self, connective: str | None) -> tuple[int, ...] | None:
        if connective is None:
            return None
        found = tuple(i for i, bare in enumerate(self._connectives) if bare and bare == _bare(connective))
        if not found:
            raise ConnectiveError(connective, frozenset(filter(None, self._connectives)))
        return found


class _Row:
    """A search for edits for one row."""

    def __init__(
        self,
        decoder: Decoder,
        states: FloatArray,
        first: Sequence[str],
        second: Sequence[str],
        wanted: tuple[int, ...] | None,
    ) -> None:
        labels = decoder.heads.labels
        self._labels, self._heads, self._states = labels, decoder.heads, states
        self._marks_only = decoder.marks_only
        self._first, self._second, self._wanted = first, second, wanted
        self._n, self._words = len(first), (*first, *second)
        self._number = {name: number for number, name in enumerate(labels.operations)}

    def ranked(self, plans: Sequence[int], scores: FloatArray) -> Iterator[Fusion]:
        """Yields fusions with these plans, likeliest first; each is constructed only when it is requested."""
        found = [each for plan in plans for each in self._edits(plan, float(scores[plan]))]
        for plan, edits, score in sorted(found, key=lambda each: -each[2]):
            yield Fusion(plan, edits, realise(self._first, self._second, edits), score)

    def is_fusion(self, fusion: Fusion) -> bool:
        """Whether a fusion changes anything, or its plan is PAIR_NONE."""
        return fusion.plan == NONE or fusion.tokens != [*self._words]

    def _edits(self, plan: int, score: float) -> Iterator[tuple[str, Edits, float]]:
        """Yields the plan's name, edits and their log probability."""
        name = self._labels.plans[plan]
        if name == NONE:
            yield name, Edits(None, (KEEP,) * len(self._words), ("",) * (len(self._words) + 1)), score
            return
        moves = self._heads.moves(self._states, self._n, plan)
        inner = 1 + int(moves[1:].argmax())
        for move in (0, inner) if joins(name) else (0,):
            tags = self._heads.tags(self._states, plan, move > 0)
            forbid(tags, self._labels, self._first, self._second, plan=name, moved=move > 0)
            rest = score + (float(moves[move]) if joins(name) else 0.0)
            for operations, phrases in self._choices(plan, tags):
                chosen = tags[0][np.arange(len(operations)), operations].sum()
                chosen += tags[1][np.arange(len(phrases)), phrases].sum()
                edits = Edits(
                    move - 1 if move else None,
                    tuple(self._labels.operations[o] for o in operations),
                    tuple(self._labels.phrases[p] for p in phrases),
                )
                yield name, edits, rest + float(chosen)

    def _choices(self, plan: int, tags: Tags) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
        """Yields the likeliest operations and phrases, then variants with another phrase at one position."""
        name = self._labels.plans[plan]
        operations, scores = self._operations(name, tags[0]), tags[1]
        phrases = scores.argmax(axis=1)
        if self._wanted is not None:
            for gain_at, phrase in self._places(scores, self._wanted)[:2]:
                changed = np.where(self._marks_only[phrases], phrases, 0)
                changed[gain_at] = phrase
                yield operations, changed
            return
        reach = 1 if name == CONNECTIVE_FIRST else len(phrases)
        with_words = np.flatnonzero(~self._marks_only)
        if name in WITH_CONNECTIVE and not np.isin(phrases[:reach], with_words).any():
            for at, phrase in self._places(scores[: reach + 1], with_words.tolist())[:1]:
                phrases[at] = phrase
        yield operations, phrases
        written = np.flatnonzero(phrases)
        for at in written[:2]:
            for phrase in np.argsort(-scores[at], kind="stable")[:4]:
                if phrase not in (0, phrases[at]) and (phrases[at] not in with_words or phrase in with_words):
                    changed = phrases.copy()
                    changed[at] = phrase
                    yield operations, changed

    def _operations(self, plan: str, scores: FloatArray) -> npt.NDArray[np.intp]:
        operations: npt.NDArray[np.intp] = scores.argmax(axis=1)
        replaces = [k for k, name in enumerate(self._labels.operations) if name.startswith(REPLACE)]
        if plan == ANAPHORA and not operations.any():
            # the likeliest pronoun replaces a word in the second sentence, if it is likely enough
            gains = scores[self._n :, replaces] - scores[self._n :, :1]
            if gains.size and gains.max() > LEAST_GAIN:
                at, which = np.unravel_index(int(gains.argmax()), gains.shape)
                operations[self._n + at] = replaces[int(which)]
        if not joins(plan):
            self._repair(operations, scores, 0, replaces)
        elif plan in OWN_SUBJECT:
            opening = self._n + int(np.argmin(np.append(operations[self._n :] == self._number.get(DELETE, -1), False)))
            self._repair(operations, scores, opening, replaces)
        return operations

    def _repair(
        self, operations: npt.NDArray[np.intp], scores: FloatArray, begin: int, replaces: Sequence[int]
    ) -> None:
        """Repairs deletions without a pronoun, from ``begin`` on: keeps the words or inserts a pronoun if likelier."""
        deleted = operations == self._number.get(DELETE, -1)
        deleted[:begin] = False
        for start in np.flatnonzero(deleted & ~np.concatenate([[False], deleted[:-1]])):
            end = start + int(np.argmin(np.append(deleted[start:], False)))
            if start and operations[start - 1] in replaces:
                continue
            if end < len(self._words) and self._words[end][:1].isupper():
                continue
            kept = scores[start:end, 0].sum()
            replaced = scores[start, replaces].max(initial=FORBIDDEN) + scores[start + 1 : end, operations[start]].sum()
            behind = self._words[start - 1].lower() if start else ""
            if replaced > kept and behind not in _BEFORE_NOUNS:
                operations[start] = replaces[int(scores[start, replaces].argmax())]
            else:
                operations[start:end] = 0

    def _places(self, phrases: FloatArray, among: Sequence[int]) -> list[tuple[int, int]]:
        """Returns positions and phrases from ``among``, with the largest gain over no phrase first."""
        gains = phrases[:-1, list(among)] - phrases[:-1, :1]
        order = np.argsort(-gains, axis=None, kind="stable")[:8]
        return [(int(k) // len(among), list(among)[int(k) % len(among)]) for k in order]


def _different(fusions: Iterable[Fusion]) -> Iterator[Fusion]:
    """Yields the first fusion with each text."""
    seen: set[tuple[str, ...]] = set()
    for fusion in fusions:
        tokens = tuple(fusion.tokens)
        if tokens not in seen:
            seen.add(tokens)
            yield fusion


def _bare(phrase: str) -> str:
    """Returns the words of a phrase in lower case, without punctuation."""
    return " ".join(w.removeprefix(VERBATIM).lower() for w in phrase.split() if any(c.isalnum() for c in w))


PRIOR = "prior"  # the key in labels.json


def fit_prior(plans: Sequence[str], learnt: Iterable[str], expected: Iterable[str]) -> dict[str, float]:
    """Returns the term to add to each plan's log probability, rounded to four decimals.

    Each plan is counted once more than it occurs, so that none is impossible.

    Args:
        plans: the plans that the tagger knows.
        learnt: the plan of each training row.
        expected: the plan of each row in a corpus with the expected shares; unknown plans are ignored.
    """
    here, there = Counter(learnt), Counter(expected)
    rows, others = (sum(1 + count[plan] for plan in plans) for count in (here, there))
    return {plan: round(math.log((1 + there[plan]) / others) - math.log((1 + here[plan]) / rows), 4) for plan in plans}


def prior_of(prior: Any, plans: Sequence[str]) -> dict[str, float]:
    """Returns the prior given in a tagger's labels.json; if it is missing, 0 for every plan.

    Raises:
        LabelsError: the prior does not give a number for each plan.
    """
    if prior is None:
        return dict.fromkeys(plans, 0.0)
    if not isinstance(prior, Mapping) or set(prior) != set(plans):
        raise LabelsError(f"{PRIOR}: expected a number for each plan")
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in prior.values()):
        raise LabelsError(f"{PRIOR}: expected numbers only")
    return {plan: float(prior[plan]) for plan in plans}
