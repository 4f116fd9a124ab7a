"""SARI by name: the DiscoFuse paper's, EASSE's and Hugging Face's, which differ on the same texts.

Each compares the n-grams (n up to 4) that a prediction keeps, adds and deletes with those that the references do, and
is the mean of three scores. They differ in this:

| | ``discofuse`` | ``easse`` | ``huggingface`` |
|---|---|---|---|
| tokens | white space, lower case unless told otherwise | 13a, lower case | 13a, lower case |
| an n-gram counts | once | as often as it occurs | as often as it occurs; once among the added |
| deleted n-grams | F1 | F1 | precision |
| 0/0 | 1 | 0 | 1 |
| over rows | mean of the rows | sums over all rows, then one score | mean of the rows |

Sources: W. Xu et al., "Optimizing statistical machine translation for text simplification", TACL 2016; M. Geva et al.,
"DiscoFuse", 2019, section 5.2 (``tensor2tensor.utils.sari_hook.get_sari_score`` with ``beta_for_deletion=1``, as
LaserTagger calls it); ``easse.sari.corpus_sari`` of EASSE; the metric ``sari`` of Hugging Face's evaluate.

It is that of mteval-v13a of the WMT, as the package sacrebleu has it: marks of punctuation stand alone, but full stops
and commas inside numbers, apostrophes, and hyphens that follow no digit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gistmill.rules.metrics.ngrams import ORDERS, Batch, Bytes, Ngrams, Tokenisation, count

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_ALONE = np.isin(np.arange(256), np.frombuffer(b'!"#$%&()*+,./:;<=>?@[\\]^_`{|}~', np.uint8))
_STOP, _COMMA, _HYPHEN = b".,-"
_DIGITS = frozenset(b"0123456789")


def one_line(text: str) -> str:
    """Returns a text in lower case without line breaks; a hyphen at the end of a line is that of a divided word."""
    return text.lower().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")


def prepare(text: str) -> str:
    """Returns lines as they are before they are tokenised, in lower case."""
    text = text.lower().replace("<skipped>", "")
    if "&" in text:
        for entity, mark in _ENTITIES:
            text = text.replace(entity, mark)
    return text


def marks(data: Bytes) -> NDArray[np.bool_]:
    """Returns which bytes are tokens of their own.

    Args:
        data: lines in UTF-8, which end in line breaks.
    """
    alone = _ALONE[data]
    if len(data) > 1:
        at = np.flatnonzero((data == _STOP) | (data == _COMMA))
        found: list[int] = at[_is_digit(data[at + 1])].tolist()
        for i in found:
            alone[i] = not _in_number(data, i)
        hyphens = np.flatnonzero(data == _HYPHEN)
        alone[hyphens[_is_digit(data[hyphens - 1])]] = True
    return alone


def _is_digit(data: Bytes) -> NDArray[np.bool_]:
    return (data >= ord("0")) & (data <= ord("9"))


def _in_number(data: Bytes, i: int) -> bool:
    """Whether the full stop or comma before a digit belongs to a number.

    The rules of mteval take marks in a row by twos, the first together with a character before it that is not a digit.
    So one that is left over, before a digit, is not divided from it.
    """
    before = i
    while data[before - 1] in (_STOP, _COMMA):
        before -= 1
    return (i - before) % 2 == (int(data[before - 1]) not in _DIGITS)


DISCOFUSE, EASSE, HUGGINGFACE = "discofuse", "easse", "huggingface"
NAMES = (DISCOFUSE, EASSE, HUGGINGFACE)
Floats = NDArray[np.float64]
_KEEP, _ADD, _DELETE = range(3)


class Sari(NamedTuple):
    """SARI and the three scores that it is the mean of, each from 0 to 1."""

    sari: float
    keep: float
    add: float
    delete: float


def sari(
    name: str,
    sources: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = True,
) -> Sari:
    """Returns the SARI of predictions; arguments and errors are those of ``per_row``."""
    rows = per_row(name, sources, predictions, references, lowercase=lowercase)
    keep, add, delete = total(name, rows.sum(axis=0)).tolist()
    return Sari((keep + add + delete) / 3, keep, add, delete)


def per_row(
    name: str,
    sources: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = True,
) -> Floats:
    """Returns what the SARI of any of the rows is made of.

    Args:
        name: one of NAMES.
        sources, predictions: a text for each row.
        references: of each row one reference or more. EASSE itself wants the same number of each.
        lowercase: whether ``discofuse`` compares lower-case tokens; the others always do.

    Returns:
        An array with a line for each row. ``total`` of the sum of any lines is the score of these rows.

    Raises:
        ValueError: the name is unknown, the lengths differ, a row has no reference or more than two million tokens.
    """
    if name not in NAMES:
        raise ValueError(f"{name!r} is not one of {', '.join(NAMES)}")
    if not len(sources) == len(predictions) == len(references):
        raise ValueError(
            f"{len(sources)} sources, {len(predictions)} predictions and references of {len(references)} rows"
        )
    rows = [
        (source, prediction, *some) for source, prediction, some in zip(sources, predictions, references, strict=True)
    ]
    tokenisation = _TOKENISATIONS[name if lowercase or name != DISCOFUSE else ""]
    found = [_STATISTICS[name](batch) for batch in count(rows, tokenisation)]
    return np.concatenate(found) if found else np.zeros((0, _WIDTHS[name]))


def total(name: str, sums: Floats) -> Floats:
    """Returns the scores for keep, add and delete, from 0 to 1; NaN where there are no rows.

    Args:
        name: one of NAMES.
        sums: sums of lines of ``per_row``, in the last axis.
    """
    if name == EASSE:
        correct, predicted, wanted = np.moveaxis(sums.reshape(*sums.shape[:-1], ORDERS, 3, 3), -1, 0)
        return np.asarray(_f1(correct, predicted, wanted, empty=0.0).mean(axis=-2))
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., :3] / sums[..., 3:])


def _discofuse(batch: Batch) -> Floats:
    """Returns keep, add, delete of each row, and 1."""
    scores = np.zeros((batch.rows, 4))
    for grams, long_enough in zip(batch.orders, batch.long_enough, strict=True):
        # an n-gram that not all references have counts for the share of those long enough that have it
        of = np.maximum(long_enough, 1)
        having, lacking = grams.number * grams.having, grams.number * (of[grams.row] - grams.having)
        source, prediction = grams.source > 0, grams.prediction > 0
        for place, held, predicted in ((_KEEP, having, source & prediction), (_DELETE, lacking, source & ~prediction)):
            correct, wanted = _sum(grams, batch, held * predicted), _sum(grams, batch, held * source)
            scores[:, place] += _f1(correct / of, _sum(grams, batch, grams.number * predicted), wanted / of, empty=1.0)
        scores[:, _ADD] += _f1(*_added(grams, batch), empty=1.0)
    scores /= ORDERS
    scores[:, 3] = 1
    return scores


def _huggingface(batch: Batch) -> Floats:
    """Returns keep, add, delete of each row, and 1."""
    scores = np.zeros((batch.rows, 4))
    for grams in batch.orders:
        kept, wanted, deleted, _ = _weighted(grams, batch)
        good = np.minimum(kept, wanted)
        recall = _share(_sum(grams, batch, grams.number * good), _sum(grams, batch, grams.number * wanted), empty=1.0)
        scores[:, _KEEP] += _harmonic(_mean_share(grams, batch, good, kept), recall)
        scores[:, _DELETE] += _mean_share(grams, batch, np.maximum(deleted - grams.references, 0), deleted)
        scores[:, _ADD] += _f1(*_added(grams, batch), empty=1.0)
    scores /= ORDERS
    scores[:, 3] = 1
    return scores


def _easse(batch: Batch) -> Floats:
    """Returns, for n of 1 to 4, for keep, add, delete: how many n-grams are correct, predicted and wanted."""
    sums = np.zeros((batch.rows, ORDERS, 3, 3))
    for n, grams in enumerate(batch.orders):
        kept, wanted, deleted, unwanted = _weighted(grams, batch)
        for operation, predicted, right in ((_KEEP, kept, wanted), (_DELETE, deleted, unwanted)):
            for i, values in enumerate((np.minimum(predicted, right), predicted, right)):
                sums[:, n, operation, i] = _sum(grams, batch, grams.number * values)
        sums[:, n, _ADD] = np.stack(_added(grams, batch), axis=-1)
    return sums.reshape(batch.rows, -1)


def _weighted(grams: Ngrams, batch: Batch) -> tuple[NDArray[np.int64], ...]:
    """Returns how often each n-gram is kept by the prediction and by the references, and deleted by them.

    Each reference counts: what occurs in source and prediction is taken once for each of them.
    """
    times = batch.references[grams.row]
    source, prediction = grams.source * times, grams.prediction * times
    kept, wanted = np.minimum(source, prediction), np.minimum(source, grams.references)
    return kept, wanted, source - kept, source - wanted


def _added(grams: Ngrams, batch: Batch) -> tuple[Floats, Floats, Floats]:
    """Returns how many of each row's different added n-grams are correct, predicted and wanted."""
    new = grams.number * (grams.source == 0)
    predicted, wanted = new * (grams.prediction > 0), new * (grams.references > 0)
    correct = predicted * (grams.references > 0)
    return _sum(grams, batch, correct), _sum(grams, batch, predicted), _sum(grams, batch, wanted)


def _sum(grams: Ngrams, batch: Batch, values: NDArray[Any]) -> Floats:
    return np.asarray(np.bincount(grams.row, values, batch.rows), np.float64)


def _mean_share(grams: Ngrams, batch: Batch, part: NDArray[np.int64], whole: NDArray[np.int64]) -> Floats:
    """Returns the mean of part/whole over each row's n-grams that have a whole; 1 where none has."""
    shares = grams.number * part / np.maximum(whole, 1)
    return _share(_sum(grams, batch, shares), _sum(grams, batch, grams.number * (whole > 0)), empty=1.0)


def _share(part: Floats, whole: Floats, *, empty: float) -> Floats:
    shares: Floats = np.divide(part, whole, out=np.full(np.shape(whole), empty), where=whole > 0)
    return shares


def _harmonic(precision: Floats, recall: Floats) -> Floats:
    return _share(2 * precision * recall, precision + recall, empty=0.0)


def _f1(correct: Floats, predicted: Floats, wanted: Floats, *, empty: float) -> Floats:
    return _harmonic(_share(correct, predicted, empty=empty), _share(correct, wanted, empty=empty))


def _unbroken(text: str) -> str:
    return text.replace("\n", " ")


_STATISTICS: dict[str, Callable[[Batch], Floats]] = {DISCOFUSE: _discofuse, EASSE: _easse, HUGGINGFACE: _huggingface}
_WIDTHS = {DISCOFUSE: 4, EASSE: 9 * ORDERS, HUGGINGFACE: 4}
_TOKENISATIONS = {
    "": Tokenisation(_unbroken, str),
    DISCOFUSE: Tokenisation(_unbroken, str.lower),
    EASSE: Tokenisation(one_line, prepare, marks),
    HUGGINGFACE: Tokenisation(one_line, prepare, marks, empty=True),
}
