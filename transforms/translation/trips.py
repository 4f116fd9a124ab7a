"""The way there and back: sentences through the translators of one language."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gistmill.rules.augmentation.round_trip import Trip
from gistmill.rules.augmentation.translator import Translator, hypotheses, is_unicode


@dataclass(frozen=True, slots=True)
class Pivot:
    """The translators into a language and back."""

    forward: Translator
    backward: Translator


def trips(pivot: Pivot, wanted: Mapping[str, Collection[int]], *, beams: int) -> dict[str, Trip]:
    """Translates sentences and what they became.

    Args:
        pivot: the translators.
        wanted: sentences, and the numbers (from 1) of the hypotheses there that are to be translated back.
        beams: hypotheses each way.

    Returns:
        The trip of every sentence.

    Raises:
        TranslationError: a translator cannot work, or gives something else than hypotheses.
    """
    readable = [sentence for sentence in wanted if is_unicode(sentence)]
    found = dict(zip(readable, hypotheses(pivot.forward, readable, count=beams), strict=True))
    there = {(s, n): found[s][n - 1] for s in readable if found[s] for n in wanted[s]}
    unique = list(dict.fromkeys(text for text in there.values() if text))
    back = dict(zip(unique, hypotheses(pivot.backward, unique, count=beams), strict=True))
    return {s: Trip({n: back.get(there.get((s, n), ""), ()) for n in numbers}) for s, numbers in wanted.items()}
