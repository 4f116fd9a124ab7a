"""f-coref (Otmazgin et al. 2022) for --coref."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from fastcoref import FCoref

from gistmill.rules.coreference.lexicon import PRONOUNS
from gistmill.rules.coreference.markables import NAME, NOMINAL, PRONOUN
from gistmill.rules.coreference.mentions import head_of
from gistmill.rules.documents import Mention, Sentence


class FastCoref:
    """A resolver that uses f-coref. It outputs no probabilities, so every link has confidence 1.0."""

    def __init__(self) -> None:
        self._model = FCoref("biu-nlp/f-coref", nlp=None, enable_progress_bar=False)

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        words = [token.text for sentence in sentences for token in sentence.tokens]
        starts = [0, *accumulate(len(sentence.tokens) for sentence in sentences)]
        (found,) = self._model.predict([words], is_split_into_words=True)
        clusters = []
        for spans in found.get_clusters(as_strings=False):
            mentions = [mention_of(sentences, starts, *span) for span in sorted(spans)]
            clusters.append(tuple(mention for mention in mentions if mention))
        return tuple(cluster for cluster in clusters if len(cluster) > 1)


def mention_of(sentences: Sequence[Sentence], starts: Sequence[int], begin: int, end: int) -> Mention | None:
    """Returns the mention for the words [begin, end) of a document, or None if the rules cannot use it ("I", verbs)."""
    number = bisect_right(starts, begin) - 1
    tokens, start, end = sentences[number].tokens, begin - starts[number], end - starts[number]
    if end > len(tokens):
        return None  # it extends into the next sentence
    end -= tokens[end - 1].tag == "POS" and end - start > 1
    head = head_of(tokens, start, end)
    if tokens[head].text.lower() in PRONOUNS:
        return Mention(number, start, end, head, PRONOUN)
    kind = {"PROPN": NAME, "NOUN": NOMINAL}.get(tokens[head].pos)
    return Mention(number, start, end, head, kind) if kind else None
