"""What can be checked of a STEP row by the row alone: that the document comes back, and how long it may be.

Sources: Y. Zou et al., "Pre-training for abstractive document summarization by reinstating source text", EMNLP 2020,
section 3.2, as K. Krishna et al. (2021) use it; lengths are those of the latter's generator. They are in tokens of a
tokenizer that the row does not know. A word is a token or more, so a row has no more words than that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gistmill.rules.synthetic.interpreter.document import LanguageError, read_document, read_sentences
from gistmill.rules.synthetic.language import MASK, MDG, MDG_ADJUSTED, NSG, SR, SR_ADJUSTED, STOP

READ, WRITTEN = 512, 256  # tokens of the inputs, and of the targets of next sentence generation
OVERSHOOT = 50  # tokens that a whole document may have above READ
RUN = range(100, 256)  # tokens of a masked run

Row = Mapping[str, Any]


def fault(row: Row) -> str | None:
    """Returns in one line how a STEP row breaks the law; None if it keeps it.

    Args:
        row: ``inputs``, ``targets``, ``task``; of sentence reordering ``permutation``; of masked document generation
            ``mask_length``, and ``before`` and ``after``: characters that the document has before and after the run.
    """
    try:
        return _CHECKS[row["task"]](row)
    except LanguageError as error:
        return f"the document {error}"


def _cut(row: Row) -> str | None:
    for name, most in (("inputs", READ), ("targets", WRITTEN)):
        count = len(row[name].split())
        if not 0 < count <= most:
            return f"the {name} have {count} words, and {most} tokens are all there may be"
    joined = f"{row['inputs']} {row['targets']}"
    read_sentences(joined if joined.endswith(f" {STOP}") else f"{joined} {STOP}")  # it is cut anywhere
    return None


def _ordered(row: Row) -> str | None:
    sentences = _document(row["inputs"])
    order = row.get("permutation")
    if not isinstance(order, list) or len(order) != len(sentences) or set(order) != set(range(len(sentences))):
        return f"the permutation is not one of the {len(sentences)} sentences"
    if row["task"] == SR_ADJUSTED:
        wanted = " ".join(map(str, order))
    else:
        wanted = " ".join(f"{sentences[place]} {STOP}" for place in order)
    return None if row["targets"] == wanted else "the permutation does not make the targets of the inputs"


def _masked(row: Row) -> str | None:
    inputs, targets, before, after = row["inputs"], row["targets"], row.get("before"), row.get("after")
    if (
        not isinstance(before, int)
        or not isinstance(after, int)
        or not 0 <= before <= len(inputs) - after <= len(inputs)
    ):
        return "before and after are not characters of the inputs"
    head, run, tail = inputs[:before], inputs[before : len(inputs) - after], inputs[len(inputs) - after :]
    original = targets if row["task"] == MDG else head + targets + tail
    _document(original)
    if len(original) < before + after or not original.startswith(head) or not original.endswith(tail):
        return "the targets are not the inputs outside of the masked run"
    if MASK not in run:
        return "nothing in the run is masked"
    if row.get("mask_length") not in RUN or run.count(MASK) > row["mask_length"]:
        return f"the run has {run.count(MASK)} masks, and its length is {row.get('mask_length')}"
    return None


def _document(text: str) -> list[str]:
    """Returns the sentences of a whole document."""
    document = read_document(text)
    if document.marks:
        raise LanguageError("holds keywords, which STEP tasks do not have")
    if (count := len(text.split())) > READ + OVERSHOOT:
        raise LanguageError(f"has {count} words, and {READ + OVERSHOOT} tokens are all there may be")
    return list(document.sentences)


_CHECKS: Mapping[str, Callable[[Row], str | None]] = {
    NSG: _cut,
    SR: _ordered,
    SR_ADJUSTED: _ordered,
    MDG: _masked,
    MDG_ADJUSTED: _masked,
}
