"""Scores of fusions, summaries and single tokens, and the baselines to read them by.

Source: M. Geva et al., "DiscoFuse", 2019, sections 5.2 (Exact) and 5.4 (Table 9 and Figure 3: outputs are aligned with
the gold texts). What the paper leaves open is decided here, and said at each function.

ROUGE itself is that of ``rules/rouge``. Sources: C. van Yperen et al., "LATS", equation 10 (combined score); C. Zhu et
al., "Make lead bias in your favor", section 4.2 (recall of outputs cut to the reference for NYT, 75 characters for
DUC), Figure 3 (n-grams that the lead lacks) and Figure 4 (gain by percentile of length).

Source: K. Krishna et al., "Does pretraining for summarization require knowledge transfer?", 2021, appendix, Table 6.

Intervals and tests of scores by resampling rows: the bootstrap, and approximate randomisation.

Sources: B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13 (percentile intervals); P. Koehn,
"Statistical significance tests for machine translation evaluation", EMNLP 2004 (paired bootstrap); E. Noreen,
"Computer-intensive methods for testing hypotheses", 1989, chapter 2, and S. Riezler, J. Maxwell, "On some pitfalls in
automatic evaluation and significance testing for MT", 2005 (approximate randomisation).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gistmill.rules.discofuse.connectives import BACKWARD, CONJUNCTIONS, FORWARD, INNER, MORE_BACKWARD, MORE_INNER
from gistmill.rules.extractive import Extractiveness
from gistmill.rules.fusion.alignment import pairs
from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, Edits
from gistmill.rules.rouge.scoring import ROUGE_L, ROUGE_LSUM, Score, Tokens, overlap, score, tokenise
from gistmill.rules.rouge.selection import ScoredDocument
from gistmill.rules.text.sentences import splitter_of

Floats = NDArray[np.float64]
_CELLS = 1 << 22  # of the table of one part of the samples
_BOUNDS = (0.025, 0.975)


def ratio(sums: Floats) -> Floats:
    """Returns the first sum over the second, in per cent; NaN where the second is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(100 * sums[..., 0] / sums[..., 1])


@dataclass(frozen=True, slots=True)
class Measurement:
    """A score, as a function of sums over rows.

    Attributes:
        rows: what each row adds to the sums, of shape (rows, sums).
        value: returns the score for sums in the last axis; NaN where there is none.
    """

    rows: Floats
    value: Callable[[Floats], Floats] = ratio

    @classmethod
    def mean(cls, values: Floats) -> Measurement:
        """Returns the mean of values, in per cent."""
        return cls(np.stack([np.asarray(values, np.float64), np.ones(len(values))], axis=-1))

    def of(self, wanted: Sequence[bool]) -> Measurement:
        """Returns the score of some of the rows alone; all rows stay, so that samples go on to be the same."""
        return Measurement(self.rows * np.asarray(wanted, np.float64)[:, None], self.value)

    def score(self) -> float:
        """Returns the score of all rows."""
        return float(self.value(self.rows.sum(axis=0)))


class Difference(NamedTuple):
    """How two systems differ on the same rows.

    Attributes:
        difference: the second's score less the first's.
        low, high: bounds of the 95% interval of the difference.
        bootstrap: two-sided p by the paired bootstrap.
        randomisation: two-sided p by approximate randomisation.
    """

    difference: float
    low: float
    high: float
    bootstrap: float
    randomisation: float


def intervals(measured: Sequence[Measurement], *, samples: int, seed: int) -> list[tuple[float, float]]:
    """Returns the bounds of the 95% percentile interval of each score; NaN where no sample has a score.

    Args:
        measured: scores of the same rows.
        samples: how many sets of rows are drawn, each of as many rows as there are, with replacement.
        seed: the same seed gives the same samples.
    """
    return [_bounds(values) for values in _resampled(measured, samples, seed)]


def compare(first: Measurement, second: Measurement, *, samples: int, seed: int) -> Difference:
    """Returns how the score of a second system differs from that of a first one, and whether that may be chance.

    Args:
        first, second: the scores of the two systems on the same rows in the same order.
        samples: how many samples and how many exchanges are drawn.
        seed: the same seed gives the same result.

    Raises:
        ValueError: the rows are not as many.
    """
    if first.rows.shape != second.rows.shape:
        raise ValueError(f"{len(first.rows)} rows and {len(second.rows)} rows cannot be compared in pairs")
    observed = second.score() - first.score()
    one, other = _resampled([first, second], samples, seed)
    differences = (other - one)[~np.isnan(other - one)]
    low, high = _bounds(differences)
    # a sample in which the other system is ahead, or neither, speaks against the difference
    against = min(np.count_nonzero(differences <= 0), np.count_nonzero(differences >= 0))
    bootstrap = min(1.0, 2 * (against + 1) / (len(differences) + 1))
    return Difference(observed, low, high, bootstrap, _randomisation(first, second, observed, samples, seed))


def _resampled(measured: Sequence[Measurement], samples: int, seed: int) -> list[Floats]:
    """Returns the scores of every sample; those of all measurements are of the same samples."""
    generator = np.random.default_rng(seed)
    size = len(measured[0].rows)
    found: list[list[Floats]] = [[] for _ in measured]
    for start in range(0, samples if size else 0, part := max(1, _CELLS // max(1, size))):
        number = min(part, samples - start)
        drawn = generator.integers(size, size=(number, size)) + size * np.arange(number)[:, None]
        times = np.bincount(drawn.ravel(), minlength=number * size).reshape(number, size).astype(np.float64)
        for values, one in zip(found, measured, strict=True):
            values.append(one.value(times @ one.rows))
    return [np.concatenate(values) if values else np.zeros(0) for values in found]


def _randomisation(first: Measurement, second: Measurement, observed: float, samples: int, seed: int) -> float:
    """Returns the share of exchanges of the systems' rows, each with chance 1/2, that differ at least as much."""
    generator = np.random.default_rng(seed)
    size = len(first.rows)
    every, apart = first.rows.sum(axis=0) + second.rows.sum(axis=0), second.rows - first.rows
    extreme = 0
    for start in range(0, samples, part := max(1, _CELLS // max(1, size))):
        number = min(part, samples - start)
        exchanged = generator.integers(2, size=(number, size)).astype(np.float64)
        one = first.rows.sum(axis=0) + exchanged @ apart
        differences = first.value(every - one) - first.value(one)
        extreme += int(np.count_nonzero(np.abs(differences) >= abs(observed) - 1e-9))
    return (extreme + 1) / (samples + 1)


def _bounds(values: Floats) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    if not len(values):
        return float("nan"), float("nan")
    low, high = np.quantile(values, _BOUNDS)
    return float(low), float(high)


OTHER = "<other>"  # the paper's column for whatever is none of the words that are counted
PRONOUNS = tuple("he him his she her hers it its they them their theirs".split())
CONNECTIVES = frozenset(
    c.words for group in (BACKWARD, INNER, FORWARD, CONJUNCTIONS, MORE_BACKWARD, MORE_INNER) for c in group
)
_MORE = 40  # words that an output may have beyond twice the reference's
_TOKEN = re.compile(r"['’]s\b|\w+|[^\w\s]")


def tokens_of(text: str) -> list[str]:
    """Returns the words and marks of natural text, so that SARI can be computed on it."""
    return _TOKEN.findall(text)


def is_exact(prediction: str, reference: str, *, cased: bool = True) -> bool:
    """Whether two texts are equal except for white space, and for case unless ``cased``."""
    if not cased:
        prediction, reference = prediction.lower(), reference.lower()
    return prediction.split() == reference.split()


def connective_words(connective: str) -> tuple[str, ...]:
    """Returns the words of a connective, in lower case and without its commas: ``, but`` and ``but`` are one."""
    return tuple(word for word in connective.lower().split() if word[0].isalnum())


def connective_at(
    source: str, reference: str, prediction: str, connective: str, known: Iterable[tuple[str, ...]] = CONNECTIVES
) -> str | None:
    """Returns the connective that a prediction has where the reference has its own.

    The place is that of the connective among the reference's words that the source lacks. In the prediction it lies
    between the words that are aligned with the reference's words around it. There the longest known connective counts.

    Args:
        source, reference, prediction: the texts.
        connective: the reference's, such as ``, but``.
        known: the words of the connectives that can be found.

    Returns:
        The connective's words; OTHER where there is none; None where the reference does not show its connective.
    """
    wanted = connective_words(connective)
    gold = _words(reference)
    at = _place(wanted, gold, _words(source)) if wanted else None
    if at is None:
        return None
    found = _between(gold, _words(prediction), at, at + len(wanted))
    choices = {wanted, *known}
    for size in range(max(map(len, choices)), 0, -1):
        for i in range(len(found) - size + 1):
            if tuple(found[i : i + size]) in choices:
                return " ".join(found[i : i + size])
    return OTHER


def pronouns_at(source: str, reference: str, prediction: str) -> list[tuple[str, str]]:
    """Returns each pronoun that the reference has and the source lacks, and what the prediction has in its place.

    A pronoun that both texts have in one place was copied, and says nothing of the choice of pronouns. What is in the
    place is the first pronoun between the words that are aligned with those around the reference's, or OTHER.
    """
    gold, output = _words(reference), _words(prediction)
    copied = set(pairs(_words(source), gold).values())
    found = []
    for i, word in enumerate(gold):
        if word in PRONOUNS and i not in copied:
            between = _between(gold, output, i, i + 1)
            found.append((word, next((w for w in between if w in PRONOUNS), OTHER)))
    return found


def confusion(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Mapping[str, int]]:
    """Counts pairs of gold and predicted: gold -> predicted -> how often; frequent ones first, of equals by name."""
    counts: dict[str, dict[str, int]] = {}
    for gold, predicted in pairs:
        counts.setdefault(gold, {})[predicted] = counts.get(gold, {}).get(predicted, 0) + 1
    ranked = sorted(counts, key=lambda gold: (-sum(counts[gold].values()), gold))
    return {gold: dict(sorted(counts[gold].items(), key=lambda item: (-item[1], item[0]))) for gold in ranked}


def _words(text: str) -> list[str]:
    return [token for token in tokens_of(text.lower()) if token[0].isalnum()]


def _place(wanted: Sequence[str], gold: Sequence[str], source: Sequence[str]) -> int | None:
    """Returns where the connective stands in the gold text, best where its words are not the source's."""
    size = len(wanted)
    places = [i for i in range(len(gold) - size + 1) if tuple(gold[i : i + size]) == tuple(wanted)]
    if len(places) < 2:
        return places[0] if places else None
    copied = set(pairs(source, gold).values())
    return min(places, key=lambda i: (sum(j in copied for j in range(i, i + size)), i))


def _between(gold: Sequence[str], output: Sequence[str], start: int, end: int) -> list[str]:
    """Returns the words of an output between those aligned with the gold words before and after a place.

    An output is aligned as far as it can be a fusion: one that never ends would take for ever.
    """
    output = output[: 2 * len(gold) + _MORE]
    aligned = pairs(gold, output)
    before = max((aligned[i] for i in aligned if i < start), default=-1)
    behind = min((aligned[i] for i in aligned if i >= end), default=len(output))
    return list(output[before + 1 : behind])


TYPES = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)
F1, RECALL = "f1", "recall"
BEST, JACKKNIFE = "best", "jackknife"
BINS = 5  # of 20% each


class Setting(NamedTuple):
    """How ROUGE is computed.

    Attributes:
        stemmer: whether stems are compared.
        measure: F1 or RECALL.
        cut_bytes: bytes (UTF-8) after which a prediction is cut; None: it is whole. For English, characters.
        cut_to_reference: whether a prediction is cut to the number of words that the reference has.
        several: of several references the BEST counts, as in ``rouge-score``. With JACKKNIFE each is left out once, and
            the mean of the best of the others counts, as in ROUGE 1.5.5 for DUC.
    """

    stemmer: bool = True
    measure: str = F1
    cut_bytes: int | None = None
    cut_to_reference: bool = False
    several: str = BEST


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text: its lines if it has several, else those that its marks show."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return splitter_of(lines)(lines[0]) if len(lines) == 1 else lines


def cut_to_bytes(text: str, size: int) -> str:
    """Returns the beginning of a text that has at most so many bytes in UTF-8; no character is broken."""
    return text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")


def cut_to_words(text: str, size: int) -> str:
    """Returns the first words of a text, with the line breaks between them."""
    kept: list[str] = []
    for line in text.splitlines():
        words = line.split()[: max(0, size)]
        size -= len(words)
        kept.append(" ".join(words))
    return "\n".join(line for line in kept if line)


def rouge(prediction: str, references: Sequence[str], setting: Setting) -> dict[str, float]:
    """Returns ROUGE-1, 2, L and Lsum, from 0 to 1.

    A text of one line is divided into sentences for ROUGE-Lsum; the other types go by the whole text.

    Raises:
        ValueError: there is no reference.
    """
    if not references:
        raise ValueError("a row has no reference")
    if setting.cut_bytes is not None:
        prediction = cut_to_bytes(prediction, setting.cut_bytes)
    found = [_against(prediction, reference, setting) for reference in references]
    best = {}
    for kind in TYPES:
        values = [s[kind].recall if setting.measure == RECALL else s[kind].fmeasure for s in found]
        best[kind] = max(values)
        if setting.several == JACKKNIFE and len(values) > 1:
            best[kind] = sum(max(values[:i] + values[i + 1 :]) for i in range(len(values))) / len(values)
    return best


def combined(scores: dict[str, float]) -> float:
    """Returns LATS's combined score: ROUGE-1 + 2 ROUGE-2 + ROUGE-L (not Lsum, as the paper's values show)."""
    return scores["rouge1"] + 2 * scores["rouge2"] + scores[ROUGE_L]


def novel_ngrams(summary: str, text: str, n: int) -> tuple[int, int]:
    """Returns how many n-grams of a summary a text lacks, and how many it has in all; every occurrence counts.

    Words are those of ROUGE: lower case, letters and digits, no stems.
    """
    every, new = Extractiveness(tokenise(text).words, tokenise(summary).words).ngrams(n)
    return new, every


def length_bins(references: Sequence[str]) -> list[int]:
    """Returns in which fifth each reference is by its number of words: 0 the shortest, 4 the longest.

    Of references of equal length the earlier counts as shorter.
    """
    order = sorted(range(len(references)), key=lambda i: (len(references[i].split()), i))
    bins = [0] * len(references)
    for rank, i in enumerate(order):
        bins[i] = rank * BINS // len(order)
    return bins


def _against(prediction: str, reference: str, setting: Setting) -> dict[str, Score]:
    if setting.cut_to_reference:
        prediction = cut_to_words(prediction, len(reference.split()))
    lines = ("\n".join(sentences_of(text)) for text in (reference, prediction))
    target, output = (tokenise(text, stemmer=setting.stemmer) for text in lines)
    return score(target, output, TYPES)


def next_tokens(correct: Sequence[Sequence[bool]], likelihoods: Sequence[Sequence[float]]) -> dict[str, Measurement]:
    """Returns means over all tokens: ``token_accuracy`` in per cent, ``nll`` in nats, and ``perplexity``, exp(nll).

    Args:
        correct: of each row, which tokens the model would have chosen.
        likelihoods: of each row, the log likelihood (natural logarithm) of each token.

    Raises:
        ValueError: a row has not as many of both.
    """
    rows = np.zeros((len(correct), 3))
    for i, (right, likelihood) in enumerate(zip(correct, likelihoods, strict=True)):
        if len(right) != len(likelihood):
            raise ValueError(f"{len(right)} tokens have a label and {len(likelihood)} a likelihood")
        rows[i] = sum(right), -sum(likelihood), len(right)
    return {
        "token_accuracy": Measurement(rows[:, [0, 2]]),
        "nll": Measurement(rows[:, 1:], lambda sums: ratio(sums) / 100),
        "perplexity": Measurement(rows[:, 1:], _perplexity),
    }


def _perplexity(sums: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.exp(ratio(sums) / 100)


_ENDS = frozenset(".!?;:")


def copied(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that leave two sentences as they are (the paper's COPY)."""
    size = len(first) + len(second)
    return Edits(None, (KEEP,) * size, ("",) * (size + 1))


def joined_by_but(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that join two sentences by ``, but``, whatever they say."""
    return _joined(first, second, ", but", shared=0)


def joined_by_subject(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that join by ``and`` where the second sentence begins with the same words as the first.

    These words are left out of the second. Sentences that begin differently are joined by ``, but``.
    """
    shared, most = 0, min(len(first), len(second)) - 2
    while shared < most and first[shared] == second[shared]:
        shared += 1
    return _joined(first, second, "and", shared=shared) if shared else joined_by_but(first, second)


def lead(sentences: Sequence[str], count: int) -> list[str]:
    """Returns the first sentences of a document (Lead-k)."""
    return list(sentences[:count])


def greedy_oracle(sentences: Sequence[str], summary: Tokens, *, most: int, stemmer: bool = False) -> list[str]:
    """Returns the sentences that a greedy search finds for a summary, in the document's order.

    Of the sentences left, the one is added that raises the mean of ROUGE-1 and ROUGE-2 F1 most, as long as one does
    (R. Nallapati et al., "SummaRuNNer", 2017, section 2.3); of equals the earlier.

    Args:
        sentences: of the document.
        summary: the reference.
        most: how many sentences may be chosen.
        stemmer: whether stems are compared; as ``summary`` was tokenised.
    """
    document = ScoredDocument(sentences, stemmer=stemmer)
    chosen: list[int] = []
    reached = Fraction(0)
    while len(chosen) < most:
        left = [i for i in range(len(sentences)) if i not in chosen]
        values = []
        for extract in (document.part([*chosen, i]) for i in left):
            f1s = [overlap(summary, extract, t).exact("fmeasure") for t in ("rouge1", "rouge2")]
            values.append(sum(f1s, Fraction(0)))
        if not values or max(values) <= reached:
            break
        reached = max(values)
        chosen.append(left[values.index(reached)])
    return [sentences[i] for i in sorted(chosen)]


def _joined(first: Sequence[str], second: Sequence[str], phrase: str, *, shared: int) -> Edits:
    """Returns the edits that write a phrase for the end of the first and the shared words of the second sentence."""
    operations = [KEEP] * (len(first) + len(second))
    phrases = [""] * (len(operations) + 1)
    if first and first[-1] in _ENDS:
        operations[len(first) - 1] = DELETE
    start = len(first) + shared
    operations[len(first) : start] = [DELETE] * shared
    if start < len(operations):
        phrases[start] = phrase
        operations[start] = LOWER if not shared else KEEP
    return Edits(None, tuple(operations), tuple(phrases))
