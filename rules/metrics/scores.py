"""Scores for fusions, summaries and single tokens, with confidence intervals, significance tests and baselines.

Fusions: M. Geva et al., "DiscoFuse", 2019, sections 5.2 (Exact) and 5.4 (Table 9 and Figure 3, where outputs are
aligned with the gold texts). The docstrings of the functions describe details that the paper does not specify.

Summaries: ROUGE is computed by ``rules/rouge``. C. van Yperen et al., "LATS", equation 10 (combined score); C. Zhu et
al., "Make lead bias in your favor", section 4.2 (recall of outputs truncated to the reference's length for NYT, and to
75 characters for DUC), Figure 3 (n-grams not in the lead) and Figure 4 (gain by percentile of length).

Tokens: K. Krishna et al., "Does pretraining for summarization require knowledge transfer?", 2021, appendix, Table 6.

Intervals and tests resample rows. B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13
(percentile intervals); P. Koehn, "Statistical significance tests for machine translation evaluation", EMNLP 2004
(paired bootstrap); E. Noreen, "Computer-intensive methods for testing hypotheses", 1989, chapter 2, and S. Riezler, J.
Maxwell, "On some pitfalls in automatic evaluation and significance testing for MT", 2005 (approximate randomisation).
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
_CELLS = 1 << 22  # maximum size of the table for the samples processed together
_BOUNDS = (0.025, 0.975)


def ratio(sums: Floats) -> Floats:
    """Returns the first sum as a percentage of the second; NaN if the second is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(100 * sums[..., 0] / sums[..., 1])


@dataclass(frozen=True, slots=True)
class Measurement:
    """A score defined as a function of sums over rows.

    Attributes:
        rows: each row's contribution to the sums, of shape (rows, sums).
        value: function that returns the score for sums along the last axis; NaN if it is undefined.
    """

    rows: Floats
    value: Callable[[Floats], Floats] = ratio

    @classmethod
    def mean(cls, values: Floats) -> Measurement:
        """Returns the mean of the values, multiplied by 100."""
        return cls(np.stack([np.asarray(values, np.float64), np.ones(len(values))], axis=-1))

    def of(self, wanted: Sequence[bool]) -> Measurement:
        """Returns the score for the wanted rows only; other rows are set to 0, so that samples stay the same."""
        return Measurement(self.rows * np.asarray(wanted, np.float64)[:, None], self.value)

    def score(self) -> float:
        """Returns the score for all rows."""
        return float(self.value(self.rows.sum(axis=0)))


class Difference(NamedTuple):
    """The difference between two systems on the same rows.

    Attributes:
        difference: the second system's score minus the first's.
        low, high: bounds of the 95% confidence interval for the difference.
        bootstrap: two-sided p-value from the paired bootstrap.
        randomisation: two-sided p-value from approximate randomisation.
    """

    difference: float
    low: float
    high: float
    bootstrap: float
    randomisation: float


def intervals(measured: Sequence[Measurement], *, samples: int, seed: int) -> list[tuple[float, float]]:
    """Returns the bounds of each score's 95% percentile interval; NaN if the score is undefined for all samples.

    Args:
        measured: scores of the same rows.
        samples: number of samples to draw; each has as many rows as the input, drawn with replacement.
        seed: seed for drawing the samples.
    """
    return [_bounds(values) for values in _resampled(measured, samples, seed)]


def compare(first: Measurement, second: Measurement, *, samples: int, seed: int) -> Difference:
    """Returns the difference between the scores of two systems, and its statistical significance.

    Args:
        first, second: the systems' scores on the same rows, in the same order.
        samples: number of samples for each test.
        seed: seed for drawing the samples.

    Raises:
        ValueError: the numbers of rows differ.
    """
    if first.rows.shape != second.rows.shape:
        raise ValueError(f"cannot compare {len(first.rows)} rows with {len(second.rows)} rows in pairs")
    observed = second.score() - first.score()
    one, other = _resampled([first, second], samples, seed)
    differences = (other - one)[~np.isnan(other - one)]
    low, high = _bounds(differences)
    # samples in which the other system is better, or neither is, are evidence against the difference
    against = min(np.count_nonzero(differences <= 0), np.count_nonzero(differences >= 0))
    bootstrap = min(1.0, 2 * (against + 1) / (len(differences) + 1))
    return Difference(observed, low, high, bootstrap, _randomisation(first, second, observed, samples, seed))


def _resampled(measured: Sequence[Measurement], samples: int, seed: int) -> list[Floats]:
    """Returns each measurement's scores for all samples; the samples are the same for all measurements."""
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
    """Returns the share of random exchanges (each row with probability 1/2) whose difference is at least as large."""
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


OTHER = "<other>"  # the paper's column for words that are not counted separately
PRONOUNS = tuple("he him his she her hers it its they them their theirs".split())
CONNECTIVES = frozenset(
    c.words for group in (BACKWARD, INNER, FORWARD, CONJUNCTIONS, MORE_BACKWARD, MORE_INNER) for c in group
)
_MORE = 40  # words that are compared in an output beyond twice the reference's length
_TOKEN = re.compile(r"['’]s\b|\w+|[^\w\s]")


def tokens_of(text: str) -> list[str]:
    """Returns the words and punctuation marks of natural text, so that SARI can be computed."""
    return _TOKEN.findall(text)


def is_exact(prediction: str, reference: str, *, cased: bool = True) -> bool:
    """Whether two texts are equal apart from white space and, unless ``cased``, case."""
    if not cased:
        prediction, reference = prediction.lower(), reference.lower()
    return prediction.split() == reference.split()


def connective_words(connective: str) -> tuple[str, ...]:
    """Returns a connective's words in lower case, without commas, so that ``, but`` and ``but`` are equal."""
    return tuple(word for word in connective.lower().split() if word[0].isalnum())


def connective_at(
    source: str, reference: str, prediction: str, connective: str, known: Iterable[tuple[str, ...]] = CONNECTIVES
) -> str | None:
    """Returns the connective in a prediction at the position of the reference's connective.

    If the reference contains the connective more than once, the position is where its words are not copied from the
    source. In the prediction, the longest known connective is searched for between the words aligned with those around
    the position.

    Args:
        source, reference, prediction: the texts.
        connective: the reference's connective, such as ``, but``.
        known: the connectives to recognise, each as a tuple of words.

    Returns:
        The connective's words; OTHER if there is none; None if the reference does not contain its connective.
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
    """Returns each pronoun that the reference adds to the source, with the prediction's pronoun in that position.

    A pronoun aligned with the source was copied and does not reflect a choice. The prediction's pronoun is the first
    one between the words aligned with those around the reference's pronoun, or OTHER.
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
    """Counts (gold, predicted) pairs as gold -> predicted -> count, sorted by descending frequency, then by name."""
    counts: dict[str, dict[str, int]] = {}
    for gold, predicted in pairs:
        counts.setdefault(gold, {})[predicted] = counts.get(gold, {}).get(predicted, 0) + 1
    ranked = sorted(counts, key=lambda gold: (-sum(counts[gold].values()), gold))
    return {gold: dict(sorted(counts[gold].items(), key=lambda item: (-item[1], item[0]))) for gold in ranked}


def _words(text: str) -> list[str]:
    return [token for token in tokens_of(text.lower()) if token[0].isalnum()]


def _place(wanted: Sequence[str], gold: Sequence[str], source: Sequence[str]) -> int | None:
    """Returns the connective's position in the gold text, preferably where its words are not copied."""
    size = len(wanted)
    places = [i for i in range(len(gold) - size + 1) if tuple(gold[i : i + size]) == tuple(wanted)]
    if len(places) < 2:
        return places[0] if places else None
    copied = set(pairs(source, gold).values())
    return min(places, key=lambda i: (sum(j in copied for j in range(i, i + size)), i))


def _between(gold: Sequence[str], output: Sequence[str], start: int, end: int) -> list[str]:
    """Returns the words of an output between those aligned with the gold words before and after a position.

    Only the beginning of a very long output is aligned, to limit the running time.
    """
    output = output[: 2 * len(gold) + _MORE]
    aligned = pairs(gold, output)
    before = max((aligned[i] for i in aligned if i < start), default=-1)
    behind = min((aligned[i] for i in aligned if i >= end), default=len(output))
    return list(output[before + 1 : behind])


TYPES = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)
F1, RECALL = "f1", "recall"
BEST, JACKKNIFE = "best", "jackknife"
BINS = 5  # 20% each


class Setting(NamedTuple):
    """Settings for computing ROUGE.

    Attributes:
        stemmer: whether to compare stems.
        measure: F1 or RECALL.
        cut_bytes: length in UTF-8 bytes (for English, characters) to which predictions are truncated; None for no
            limit.
        cut_to_reference: whether to truncate predictions to the number of words in the reference.
        several: how to combine scores for several references. BEST uses the highest, as in ``rouge-score``. JACKKNIFE
            leaves each out once and averages the highest scores of the others, as in ROUGE 1.5.5 for DUC.
    """

    stemmer: bool = True
    measure: str = F1
    cut_bytes: int | None = None
    cut_to_reference: bool = False
    several: str = BEST


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text: its lines if there are several, otherwise those found by the splitter."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return splitter_of(lines)(lines[0]) if len(lines) == 1 else lines


def cut_to_bytes(text: str, size: int) -> str:
    """Returns a text truncated to at most ``size`` bytes in UTF-8, without splitting a character."""
    return text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")


def cut_to_words(text: str, size: int) -> str:
    """Returns the first ``size`` words of a text, keeping line breaks."""
    kept: list[str] = []
    for line in text.splitlines():
        words = line.split()[: max(0, size)]
        size -= len(words)
        kept.append(" ".join(words))
    return "\n".join(line for line in kept if line)


def rouge(prediction: str, references: Sequence[str], setting: Setting) -> dict[str, float]:
    """Returns ROUGE-1, 2, L and Lsum, from 0 to 1, by type.

    For ROUGE-Lsum, a text that consists of one line is divided into sentences.

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
    """Returns the combined score from LATS: ROUGE-1 + 2 ROUGE-2 + ROUGE-L (not Lsum, as the paper's values show)."""
    return scores["rouge1"] + 2 * scores["rouge2"] + scores[ROUGE_L]


def novel_ngrams(summary: str, text: str, n: int) -> tuple[int, int]:
    """Returns the number of a summary's n-grams that are not in a text, and their total; every occurrence counts.

    Words are defined as for ROUGE: lower-case letters and digits, not stemmed.
    """
    every, new = Extractiveness(tokenise(text).words, tokenise(summary).words).ngrams(n)
    return new, every


def length_bins(references: Sequence[str]) -> list[int]:
    """Returns each reference's quintile by number of words, from 0 (shortest) to 4 (longest).

    Of references with equal lengths, the earlier counts as shorter.
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
        correct: for each row, whether the model would have chosen each token.
        likelihoods: for each row, the natural log likelihood of each token.

    Raises:
        ValueError: the numbers of values for a row differ.
    """
    rows = np.zeros((len(correct), 3))
    for i, (right, likelihood) in enumerate(zip(correct, likelihoods, strict=True)):
        if len(right) != len(likelihood):
            raise ValueError(f"a row has labels for {len(right)} tokens, but likelihoods for {len(likelihood)}")
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
    """Returns the edits that leave two sentences unchanged (COPY in the paper)."""
    size = len(first) + len(second)
    return Edits(None, (KEEP,) * size, ("",) * (size + 1))


def joined_by_but(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that join two sentences with ``, but``, regardless of their meaning."""
    return _joined(first, second, ", but", shared=0)


def joined_by_subject(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that use ``and`` to join two sentences that begin with the same words, without repeating them.

    Sentences that begin differently are joined with ``, but``.
    """
    shared, most = 0, min(len(first), len(second)) - 2
    while shared < most and first[shared] == second[shared]:
        shared += 1
    return _joined(first, second, "and", shared=shared) if shared else joined_by_but(first, second)


def lead(sentences: Sequence[str], count: int) -> list[str]:
    """Returns the first ``count`` sentences of a document (Lead-k)."""
    return list(sentences[:count])


def greedy_oracle(sentences: Sequence[str], summary: Tokens, *, most: int, stemmer: bool = False) -> list[str]:
    """Returns sentences chosen by greedy search to match a summary, in the document's order.

    The sentence that most increases the mean of ROUGE-1 and ROUGE-2 F1 is added repeatedly, until none increases it (R.
    Nallapati et al., "SummaRuNNer", 2017, section 2.3); of equals, the earlier is chosen.

    Args:
        sentences: the document's sentences.
        summary: the reference.
        most: maximum number of sentences.
        stemmer: whether to compare stems; must match the tokenisation of ``summary``.
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
    """Returns the edits that replace the first sentence's end and the second's shared words with a phrase."""
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
