"""Examples for the fit of the second tier: windows of the corpora as words, codes, slots and labelled questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.coref_data import Parsed
from gistmill.rules.coreference import sieve
from gistmill.rules.coreference.names import title_words
from gistmill.transforms.coreference.minilm.pairs import PLAIN, mention_codes, rows_of
from gistmill.transforms.coreference.minilm.windows import slots_of, spans_in, windows
from gistmill.transforms.encoders.wordpieces import WordPieces


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in a window.

    Attributes:
        number: its number in the document.
        pronoun: the pronoun's word in the window.
        spans: (head, start, end) of each candidate in the window; None for one outside it.
        clusters: the cluster of each candidate.
        rows: the indicators of "none" and of each candidate.
        target: how much of the probability belongs to each row; None for a question without a label.
        weight: weight in the loss.
    """

    number: int
    pronoun: int
    spans: tuple[tuple[int, int, int] | None, ...]
    clusters: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    target: tuple[float, ...] | None
    weight: float


@dataclass(frozen=True, slots=True)
class Example:
    """A window: title and words as strings with their tags, a code and a slot for every word."""

    document: int
    title: tuple[str, ...]
    words: tuple[str, ...]
    tags: tuple[str, ...]
    codes: tuple[int, ...]
    slots: tuple[int, ...]
    asked: tuple[Asked, ...]


def examples_of(
    document: int, parsed: Parsed, labels: Mapping[int, tuple[Sequence[float], float]], pieces: WordPieces
) -> Iterator[Example]:
    """Yields the windows of a document; ``labels`` hold target and weight by the pronoun's order of mention."""
    title = parsed.source.title
    mentions, _, questions = sieve.ask(parsed.sentences, title=title)
    questions = [q for q in questions if q.candidates]
    tokens = [t for s in parsed.sentences for t in s.tokens]
    starts = [0]
    for s in parsed.sentences:
        starts.append(starts[-1] + len(s.tokens))
    codes = mention_codes(mentions)
    cut = windows(
        [len(pieces.pieces(t.text)) for t in tokens],
        starts[:-1],
        [q.pronoun.place for q in questions],
        range(len(questions)),
    )
    for window in cut:
        slots = slots_of(questions, window)
        places = range(window.start, window.end)
        asked = []
        for number in window.questions:
            q = questions[number]
            target, weight = labels.get(q.pronoun.order, (None, 0.0))
            asked.append(
                Asked(
                    number,
                    q.pronoun.place - window.start,
                    spans_in(q, window.start, window.end),
                    tuple(x.cluster.number for x in q.candidates),
                    tuple(map(tuple, rows_of(q, has_title=bool(title)))),
                    None if target is None else tuple(target),
                    weight,
                )
            )
        yield Example(
            document,
            title_words(title),
            tuple(tokens[i].text for i in places),
            tuple(tokens[i].tag for i in places),
            tuple(codes.get(i, PLAIN) for i in places),
            tuple(slots.get(i, 0) for i in places),
            tuple(asked),
        )
