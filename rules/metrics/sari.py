"""Three variants of SARI, from the DiscoFuse paper, EASSE and Hugging Face, which give different scores.

Each compares the n-grams (n up to 4) that a prediction keeps, adds and deletes with those that the references keep, add
and delete, and is the mean of three scores. The variants differ as follows:

| | ``discofuse`` | ``easse`` | ``huggingface`` |
|---|---|---|---|
| tokens | white space, lower case | 13a, lower case | 13a, lower case |
| an n-gram counts | once | as often as it occurs | as often as it occurs; once among the added |
| deleted n-grams | F1 | F1 | precision |
| 0/0 | 1 | 0 | 1 |
| over rows | mean of the rows | sums over all rows, then one score | mean of the rows |

Sources: W. Xu et al., "Optimizing statistical machine translation for text simplification", TACL 2016; M. Geva et al.,
"DiscoFuse", 2019, section 5.2 (``tensor2tensor.utils.sari_hook.get_sari_score`` with ``beta_for_deletion=1``, as
LaserTagger calls it); ``easse.sari.corpus_sari`` of EASSE; the metric ``sari`` of Hugging Face's evaluate.

The tokenisation 13a is that of the WMT's mteval-v13a, as implemented in the package sacrebleu: punctuation marks are
separated, except full stops and commas within numbers, apostrophes, and hyphens that do not follow a digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_ENTITIES = (("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# These separate, in order: most marks, full stops and commas except between digits, and hyphens after a digit.
_DIVISIONS = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
DISCOFUSE, EASSE, HUGGINGFACE = "discofuse", "easse", "huggingface"
NAMES = (DISCOFUSE, EASSE, HUGGINGFACE)
ORDERS = 4  # n-grams have 1 to 4 tokens
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_CHARACTERS = 1 << 17  # approximate number of characters in a batch
_KEEP, _ADD, _DELETE = range(3)


def tokens_13a(text: str) -> list[str]:
    """Returns the 13a tokens of a text in lower case."""
    text = text.lower()
    for part, instead in _ENTITIES:
        text = text.replace(part, instead)
    text = f" {text} "
    for pattern, divided in _DIVISIONS:
        text = pattern.sub(divided, text)
    return text.split()


class Sari(NamedTuple):
    """SARI and the three scores of which it is the mean, each from 0 to 1."""

    sari: float
    keep: float
    add: float
    delete: float


def sari(
    name: str,
    sources: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
) -> Sari:
    """Returns the SARI of the predictions; arguments and errors are the same as for ``per_row``."""
    rows = per_row(name, sources, predictions, references)
    keep, add, delete = total(name, rows.sum(axis=0)).tolist()
    return Sari((keep + add + delete) / 3, keep, add, delete)


def per_row(
    name: str,
    sources: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
) -> Floats:
    """Returns the statistics from which the SARI of any set of rows can be computed.

    Args:
        name: one of NAMES.
        sources, predictions: a text for each row.
        references: one or more references for each row. EASSE itself requires the same number for every row.

    Returns:
        An array with a line for each row. For the score of some rows, pass the sum of their lines to ``total``.

    Raises:
        ValueError: the name is unknown, the lengths differ, or a row has no reference.
    """
    if name not in NAMES:
        raise ValueError(f"{name!r} is not one of {', '.join(NAMES)}")
    if not len(sources) == len(predictions) == len(references):
        raise ValueError(
            f"{len(sources)} sources, {len(predictions)} predictions and {len(references)} rows of references differ"
        )
    if not all(map(len, references)):
        raise ValueError("a row has no reference")
    tokens, statistics, width = _KINDS[name]
    rows = ((source, output, *some) for source, output, some in zip(sources, predictions, references, strict=True))
    found = [statistics(_counted(batch, tokens)) for batch in _batches(rows)]
    return np.concatenate(found) if found else np.zeros((0, width))


def total(name: str, sums: Floats) -> Floats:
    """Returns the scores for keep, add and delete, from 0 to 1; NaN if there are no rows.

    Args:
        name: one of NAMES.
        sums: sums of lines from ``per_row``, along the last axis.
    """
    if name == EASSE:
        correct, predicted, wanted = np.moveaxis(sums.reshape(*sums.shape[:-1], ORDERS, 3, 3), -1, 0)
        return np.asarray(_f1(correct, predicted, wanted, empty=0.0).mean(axis=-2))
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., :3] / sums[..., 3:])


class Ngrams(NamedTuple):
    """The distinct n-grams of one length in several rows.

    Attributes:
        row: the row of each n-gram.
        source, prediction: number of occurrences in the row's source and prediction.
        references: number of occurrences in all of the row's references together.
        having: number of references that contain the n-gram.
    """

    row: Integers
    source: Integers
    prediction: Integers
    references: Integers
    having: Integers


class Batch(NamedTuple):
    """The counts of consecutive rows.

    Attributes:
        rows: number of rows.
        references: number of references for each row.
        orders: the n-grams of 1, 2, 3 and 4 tokens.
        long_enough: for each of these lengths, the number of each row's references with at least that many tokens.
    """

    rows: int
    references: Integers
    orders: Sequence[Ngrams]
    long_enough: Sequence[Integers]


def _batches(rows: Iterator[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Yields batches of about _CHARACTERS characters, so that their arrays fit into the processor's cache."""
    batch: list[Sequence[str]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(map(len, row))
        if size >= _CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _counted(rows: Sequence[Sequence[str]], tokens: Callable[[str], list[str]]) -> Batch:
    """Counts the n-grams of rows, each consisting of a source, a prediction and references."""
    per_row = np.array([len(row) for row in rows])
    texts = [tokens(text) for row in rows for text in row]
    sizes = np.array([len(text) for text in texts])
    numbers: dict[str, int] = {}
    words = np.array([numbers.setdefault(word, len(numbers)) for text in texts for word in text], np.int64)
    row_of = np.repeat(np.arange(len(rows)), per_row)
    kind_of = np.minimum(np.arange(len(texts)) - np.repeat(np.cumsum(per_row) - per_row, per_row), 2)
    text, at = np.repeat(np.arange(len(texts)), sizes), np.arange(len(words))
    left = np.repeat(np.cumsum(sizes), sizes) - at  # words to the end of the text
    gram, orders = row_of[text], list[Ngrams]()
    for n in range(ORDERS):
        at = at[left[at] > n]
        # an n-gram is identified by its last word and the n-gram without it (for single words, the row)
        _, first, found = np.unique(gram[at] * len(numbers) + words[at + n], return_index=True, return_inverse=True)
        gram[at] = found
        kind = kind_of[text[at]]
        counts = np.bincount(3 * found + kind, minlength=3 * len(first)).reshape(-1, 3)
        of_references = np.unique(found[kind == 2] * len(texts) + text[at[kind == 2]])
        having = np.bincount(of_references // len(texts), minlength=len(first))
        source, prediction, references = counts.T
        orders.append(Ngrams(row_of[text[at[first]]], source, prediction, references, having))
    long_enough = [np.bincount(row_of[(kind_of == 2) & (sizes > n)], minlength=len(rows)) for n in range(ORDERS)]
    return Batch(len(rows), per_row - 2, orders, long_enough)


def _discofuse(batch: Batch) -> Floats:
    """Returns the keep, add and delete scores of each row, and 1."""
    scores = np.zeros((batch.rows, 4))
    for grams, long_enough in zip(batch.orders, batch.long_enough, strict=True):
        # each n-gram is weighted by the share of the sufficiently long references that contain it
        of = np.maximum(long_enough, 1)
        having, lacking = grams.having, of[grams.row] - grams.having
        source, prediction = grams.source > 0, grams.prediction > 0
        for place, held, predicted in ((_KEEP, having, source & prediction), (_DELETE, lacking, source & ~prediction)):
            correct, wanted = _sum(grams, batch, held * predicted), _sum(grams, batch, held * source)
            scores[:, place] += _f1(correct / of, _sum(grams, batch, predicted), wanted / of, empty=1.0)
        scores[:, _ADD] += _f1(*_added(grams, batch), empty=1.0)
    scores /= ORDERS
    scores[:, 3] = 1
    return scores


def _huggingface(batch: Batch) -> Floats:
    """Returns the keep, add and delete scores of each row, and 1."""
    scores = np.zeros((batch.rows, 4))
    for grams in batch.orders:
        kept, wanted, deleted, _ = _weighted(grams, batch)
        good = np.minimum(kept, wanted)
        recall = _share(_sum(grams, batch, good), _sum(grams, batch, wanted), empty=1.0)
        scores[:, _KEEP] += _harmonic(_mean_share(grams, batch, good, kept), recall)
        scores[:, _DELETE] += _mean_share(grams, batch, np.maximum(deleted - grams.references, 0), deleted)
        scores[:, _ADD] += _f1(*_added(grams, batch), empty=1.0)
    scores /= ORDERS
    scores[:, 3] = 1
    return scores


def _easse(batch: Batch) -> Floats:
    """Returns the numbers of correct, predicted and wanted n-grams, for n from 1 to 4 and for keep, add and delete."""
    sums = np.zeros((batch.rows, ORDERS, 3, 3))
    for n, grams in enumerate(batch.orders):
        kept, wanted, deleted, unwanted = _weighted(grams, batch)
        for operation, predicted, right in ((_KEEP, kept, wanted), (_DELETE, deleted, unwanted)):
            for i, values in enumerate((np.minimum(predicted, right), predicted, right)):
                sums[:, n, operation, i] = _sum(grams, batch, values)
        sums[:, n, _ADD] = np.stack(_added(grams, batch), axis=-1)
    return sums.reshape(batch.rows, -1)


def _weighted(grams: Ngrams, batch: Batch) -> tuple[NDArray[np.int64], ...]:
    """Returns how often each n-gram is kept by the prediction and by the references, and deleted by each.

    Counts in the source and prediction are multiplied by the number of references.
    """
    times = batch.references[grams.row]
    source, prediction = grams.source * times, grams.prediction * times
    kept, wanted = np.minimum(source, prediction), np.minimum(source, grams.references)
    return kept, wanted, source - kept, source - wanted


def _added(grams: Ngrams, batch: Batch) -> tuple[Floats, Floats, Floats]:
    """Returns the numbers of distinct added n-grams in each row that are correct, predicted and wanted."""
    new = grams.source == 0
    predicted, wanted = new & (grams.prediction > 0), new & (grams.references > 0)
    return _sum(grams, batch, predicted & wanted), _sum(grams, batch, predicted), _sum(grams, batch, wanted)


def _sum(grams: Ngrams, batch: Batch, values: NDArray[Any]) -> Floats:
    return np.asarray(np.bincount(grams.row, values, batch.rows), np.float64)


def _mean_share(grams: Ngrams, batch: Batch, part: NDArray[np.int64], whole: NDArray[np.int64]) -> Floats:
    """Returns, for each row, the mean of part/whole over the n-grams with a non-zero whole; 1 if there are none."""
    return _share(_sum(grams, batch, part / np.maximum(whole, 1)), _sum(grams, batch, whole > 0), empty=1.0)


def _share(part: Floats, whole: Floats, *, empty: float) -> Floats:
    shares: Floats = np.divide(part, whole, out=np.full(np.shape(whole), empty), where=whole > 0)
    return shares


def _harmonic(precision: Floats, recall: Floats) -> Floats:
    return _share(2 * precision * recall, precision + recall, empty=0.0)


def _f1(correct: Floats, predicted: Floats, wanted: Floats, *, empty: float) -> Floats:
    return _harmonic(_share(correct, predicted, empty=empty), _share(correct, wanted, empty=empty))


def _lower_words(text: str) -> list[str]:
    return text.lower().split()


# For each variant: the tokeniser, the function for a batch's statistics, and their number per row. For Hugging Face's
# variant, a text without tokens has one empty token.
_KINDS: Mapping[str, tuple[Callable[[str], list[str]], Callable[[Batch], Floats], int]] = {
    DISCOFUSE: (_lower_words, _discofuse, 4),
    EASSE: (tokens_13a, _easse, 9 * ORDERS),
    HUGGINGFACE: (lambda text: tokens_13a(text) or [""], _huggingface, 4),
}
