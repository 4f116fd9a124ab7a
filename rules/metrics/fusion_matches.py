"""Scores of fusions beside SARI: exact matches, the connective in its place, the pronoun in its place.

Source: M. Geva et al., "DiscoFuse", 2019, sections 5.2 (Exact) and 5.4 (Table 9 and Figure 3: outputs are aligned with
the gold texts). What the paper leaves open is decided here, and said at each function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from gistmill.rules.discofuse.connectives import BACKWARD, CONJUNCTIONS, FORWARD, INNER, MORE_BACKWARD, MORE_INNER
from gistmill.rules.fusion.alignment import pairs

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
    """Whether two texts are equal but for white space, and for case unless ``cased``."""
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
    """Returns the words of an output between those that are aligned with the gold words before and behind a place.

    An output is aligned as far as it can be a fusion: one that never ends would take for ever.
    """
    output = output[: 2 * len(gold) + _MORE]
    aligned = pairs(gold, output)
    before = max((aligned[i] for i in aligned if i < start), default=-1)
    behind = min((aligned[i] for i in aligned if i >= end), default=len(output))
    return list(output[before + 1 : behind])
