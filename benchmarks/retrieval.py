"""Compares BM25 retrieval over five kinds of passages: plain sentences, and texts that Gistmill makes from them.

    python -m benchmarks.retrieval [--articles 50]

The articles are the first ones in the Wikipedia slice (benchmarks/slice.py) with a few personal pronouns. Each kind has
one index over the passages of all articles:

- plain: each original sentence; titled: the sentence preceded by its article's title;
- resolved: each sentence with its mentions resolved; chunks: the same, with the title before sentences that do not
  stand alone; statements. The last two are from gistmill.integrations.chunks.

A position hash selects one sentence in five. Its question consists of the article title and two other words from the
sentence, chosen by hash among words of at least four letters that are not stop words. The questions are not selected or
edited by hand and contain none of Gistmill's output. A passage is right if it is made from the sentence. The first
right one counts; ties are broken by passage order. Columns, for all questions and for those about a sentence with a
third-person pronoun: hit@1 and hit@5 in per cent, and MRR. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from benchmarks.measuring import table
from benchmarks.slice import Text, read_pages, slice_path
from gistmill.core.hashing import unit_interval
from gistmill.integrations.chunks import chunks
from gistmill.rules.text.words import STOP_WORDS, words_of

Place = tuple[str, int]  # title of an article, and the start of a sentence in it
KINDS = ("plain", "titled", "resolved", "chunks", "statements")
_PRONOUNS = frozenset("he she it they him her them his hers its their theirs".split())
_SHARE, _ASKED, _LETTERS = 0.2, 2, 4
_K1, _B = 1.2, 0.75


class Question(NamedTuple):
    """A question: the query words, the sentence to find, and whether it contains a pronoun."""

    words: list[str]
    place: Place
    has_pronoun: bool


class Index:
    """A BM25 index (Robertson et al. 1994, with Lucene's idf) over passages, each with its original sentence."""

    def __init__(self, passages: Sequence[tuple[Place, str]]) -> None:
        self._places = [place for place, _ in passages]
        counts = [Counter(words_of(text)) for _, text in passages]
        mean = sum(map(Counter.total, counts)) / len(counts)
        self._weights: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for number, words in enumerate(counts):
            norm = _K1 * (1 - _B + _B * words.total() / mean)
            for word, count in words.items():
                self._weights[word][number] = count * (_K1 + 1) / (count + norm)
        for found in self._weights.values():
            idf = math.log(1 + (len(counts) - len(found) + 0.5) / (len(found) + 0.5))
            found.update({number: weight * idf for number, weight in found.items()})

    def rank(self, question: Question) -> int:
        """Returns the rank of the first right passage, from 1, or 0 if none contains a word of the question."""
        scores: Counter[int] = Counter()
        for word in question.words:
            scores.update(self._weights.get(word, {}))
        places = [self._places[number] for number in sorted(scores, key=lambda number: (-scores[number], number))]
        return places.index(question.place) + 1 if question.place in places else 0


def passages_of(article: Text) -> Iterator[tuple[str, tuple[Place, str]]]:
    """Yields the passages of an article, each with its kind."""
    title, told = f"{article.title}: ", {"title": article.title}
    for chunk in chunks(article.text, told, unit="sentences"):
        place = article.title, chunk.metadata["start"]
        plain = article.text[place[1] : chunk.metadata["end"]]
        texts = plain, title + plain, chunk.text.removeprefix(title), chunk.text
        yield from ((kind, (place, text)) for kind, text in zip(KINDS, texts, strict=False))
    for chunk in chunks(article.text, told, unit="statements"):
        yield "statements", ((article.title, chunk.metadata["start"]), chunk.text)


def questions_of(sentences: Sequence[tuple[Place, str]]) -> Iterator[Question]:
    """Yields the questions about some sentences."""
    for place, text in sentences:
        words, title = words_of(text), words_of(place[0])
        content = {w for w in words if len(w) >= _LETTERS and w not in STOP_WORDS and w not in title}
        if len(content) >= _ASKED and unit_interval("sentence", str(place)) < _SHARE:
            asked = sorted(content, key=lambda word: unit_interval("word", f"{place} {word}"))[:_ASKED]
            yield Question([*title, *asked], place, not _PRONOUNS.isdisjoint(words))


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=50, help="number of articles to read (default: 50)")
    passages: dict[str, list[tuple[Place, str]]] = {kind: [] for kind in KINDS}
    for article in islice(read_pages(slice_path()), parser.parse_args().articles):
        for kind, passage in passages_of(article):
            passages[kind].append(passage)
    questions = list(questions_of(passages["plain"]))
    figures = []
    for kind, made in passages.items():
        index = Index(made)
        ranks = [(index.rank(question), question.has_pronoun) for question in questions]
        for name, chosen in (("all", [r for r, _ in ranks]), ("pronoun", [r for r, pronoun in ranks if pronoun])):
            hits = [100 * sum(0 < rank <= most for rank in chosen) / len(chosen) for most in (1, 5)]
            mrr = sum(1 / rank for rank in chosen if rank) / len(chosen)
            numbers = *(f"{hit:.1f}" for hit in hits), f"{mrr:.3f}"
            figures.append((kind, str(len(made)), name, str(len(chosen)), *numbers))
    head = ("kind", "passages", "questions", "number", "hit@1", "hit@5", "MRR")
    print(table(head, figures))
    print(json.dumps([dict(zip(head, each, strict=True)) for each in figures]))


if __name__ == "__main__":
    main()
