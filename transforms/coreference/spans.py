"""Reading of another package's clusters: spans over the document's tokens become Mentions. Pure Python."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, PRONOUN, Syntax
from gistmill.rules.coreference.mentions import find_mentions, head_of
from gistmill.rules.documents import Mention, Sentence, Token

Span = tuple[int, int]

# What a mention never begins or ends with; brackets and quotes may belong to a name.
_MARKS = frozenset({",", ".", ":", "HYPH"})
_NOUN_LIKE = frozenset({"NOUN", "NUM", "ADJ"})


class SpanReader:
    """Reads spans [start, end) that count the tokens of a document through its sentences.

    Attributes:
        starts: the position of each sentence's first token, and that of the document's end.
    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.starts = [0, *accumulate(len(s.tokens) for s in sentences)]
        self._sentences = sentences
        found = find_mentions(sentences, [Syntax(s.tokens) for s in sentences])
        self._by_head = {(m.sentence, m.head): m for m in found if m.kind != GROUP}
        self._group_ends = {(m.sentence, m.head): m.end for m in found if m.kind == GROUP}

    def mention(self, start: int, end: int) -> Mention | None:
        """Returns the mention of a span, without a possessive mark and punctuation at its ends.

        None for spans that the rules cannot use: a span over two sentences, or one whose head is neither a noun nor a
        third-person pronoun ("I", "who", "this", a verb that names an event).
        """
        if not 0 <= start < end <= self.starts[-1]:
            return None
        sentence = bisect_right(self.starts, start) - 1
        offset = self.starts[sentence]
        if end > self.starts[sentence + 1]:
            return None
        tokens = self._sentences[sentence].tokens
        start, end = _trimmed(tokens, start - offset, end - offset)
        if start == end:
            return None
        head = head_of(tokens, start, end)
        kind = self._kind(sentence, start, end, head)
        return Mention(sentence, start, end, head, kind) if kind else None

    def mention_of_heads(self, heads: Sequence[int]) -> Mention | None:
        """Returns the mention whose head word is at ``heads[0]``; with further heads, the coordination of them all."""
        found = [m for h in heads if (m := self._at(h)) is not None]
        if len(found) < len(heads) or any(m.sentence != found[0].sentence for m in found):
            return None
        first = found[0]
        start, end = min(m.start for m in found), max(m.end for m in found)
        return Mention(first.sentence, start, end, first.head, NOMINAL if len(found) > 1 else first.kind)

    def _at(self, place: int) -> Mention | None:
        sentence = bisect_right(self.starts, place) - 1
        head = place - self.starts[sentence]
        known = self._by_head.get((sentence, head))
        return known.mention(1.0) if known is not None else self.mention(place, place + 1)

    def _kind(self, sentence: int, start: int, end: int, head: int) -> str:
        known = self._by_head.get((sentence, head))
        if known is not None and known.kind == PRONOUN:
            return PRONOUN if end - start == 1 else ""
        if known is not None and known.kind == NAME and (known.start, known.end) == (start, end):
            return NAME
        if self._group_ends.get((sentence, head), end + 1) <= end:
            return NOMINAL
        if known is not None:
            return known.kind
        pos = self._sentences[sentence].tokens[head].pos
        return NAME if pos == "PROPN" else NOMINAL if pos in _NOUN_LIKE else ""

    def clusters(self, groups: Iterable[Iterable[Mention | None]]) -> tuple[tuple[Mention, ...], ...]:
        """Returns the groups as clusters of two mentions or more, in text order, by first mention.

        No mention stands in two clusters (the earlier group keeps it), and of two with one head and kind in a cluster
        ("Ann Lee" inside "the actress Ann Lee") the longer one stays.
        """
        taken: set[tuple[int, int, int]] = set()
        found = []
        for group in groups:
            ordered = sorted({m for m in group if m is not None and _place(m) not in taken}, key=_order)
            widest: dict[tuple[int, int, str], Mention] = {}
            for m in ordered:
                key = m.sentence, m.head, m.kind
                if key not in widest or m.end - m.start > widest[key].end - widest[key].start:
                    widest[key] = m
            if len(widest) > 1:
                found.append(tuple(sorted(widest.values(), key=_order)))
                taken.update(_place(m) for m in found[-1])
        return tuple(sorted(found, key=lambda cluster: _order(cluster[0])))


def _place(m: Mention) -> tuple[int, int, int]:
    return m.sentence, m.start, m.end


def _order(m: Mention) -> tuple[int, int, int]:
    return m.sentence, m.start, -m.end


def _trimmed(tokens: Sequence[Token], start: int, end: int) -> Span:
    while end > start and (tokens[end - 1].tag == "POS" or tokens[end - 1].tag in _MARKS):
        end -= 1
    while start < end and tokens[start].tag in _MARKS:
        start += 1
    return start, end


def windows(lengths: Sequence[int], *, limit: int, overlap: int) -> list[tuple[int, int]]:
    """Returns ranges [begin, end) of sentences, each at most ``limit`` long in all.

    Args:
        lengths: the length of each sentence, in the unit of ``limit`` and ``overlap``.
        limit: the longest window. A longer sentence is in no window.
        overlap: neighbours share whole sentences of at most this length, so that a cluster can go on.

    Raises:
        ValueError: ``limit`` is below 1 or ``overlap`` negative.
    """
    if limit < 1 or overlap < 0:
        raise ValueError(f"a window of {limit} with an overlap of {overlap} cannot be")
    found = []
    begin, size = 0, len(lengths)
    while begin < size:
        end, total = begin, 0
        while end < size and total + lengths[end] <= limit:
            total += lengths[end]
            end += 1
        if end == begin:  # one sentence longer than a window
            begin += 1
            continue
        found.append((begin, end))
        if end == size:
            break
        # where the window after [begin, end) begins: as far back as the overlap allows and the next
        # sentence fits
        shared, at = 0, end
        while at - 1 > begin and (shared + lengths[at - 1] <= min(overlap, limit - lengths[end])):
            at -= 1
            shared += lengths[at]
        begin = at
    return found


def united(clusters: Iterable[Iterable[Span]]) -> list[list[Span]]:
    """Joins clusters that have a span in common, over any number of steps; each span once, everything in text order."""
    owner: dict[Span, Span] = {}

    def root(span: Span) -> Span:
        while owner[span] != span:
            owner[span] = owner[owner[span]]
            span = owner[span]
        return span

    for cluster in clusters:
        first: Span | None = None
        for span in cluster:
            owner.setdefault(span, span)
            if first is None:
                first = span
            owner[root(span)] = root(first)
    joined: dict[Span, list[Span]] = {}
    for span in sorted(owner):
        joined.setdefault(root(span), []).append(span)
    return list(joined.values())
