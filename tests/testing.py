"""Builders that tests share: parses written by hand, so that linguistic tests need no model."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.core.records import Metadata, Origin
from gistmill.rules.documents import AnnotatedDocument, Mention, SegmentedDocument, Sentence, TextSentence, Token

_TAGS = {
    "ADJ": "JJ JJR JJS",
    "ADP": "IN RP",
    "ADV": "RB RBR RBS",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT PDT WP$",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS TO",
    "PRON": "EX PRP PRP$ WDT WP",
    "PROPN": "NNP NNPS",
    "SCONJ": "WRB",
    "SYM": "$ SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "FW",
}
_POS = {tag: pos for pos, tags in _TAGS.items() for tag in tags.split()}
_BE = frozenset(("be", "is", "are", "was", "were", "am", "been", "being", "'s", "'re", "'m"))
_GLUED_LEFT = frozenset((",", ".", ";", ":", "?", "!", ")", "]", "''", "'s", "n't", "%", "”"))
_GLUED_RIGHT = frozenset(("(", "[", "``", "“", "$"))


def parsed(text: str, *, section: int = 0, paragraph: int = 0) -> Sentence:
    """Builds a Sentence from ``word|tag|label|head`` items, separated by white space.

    ``head`` counts from 1, as in CoNLL files, 0 for the root. A fifth field gives the entity (``B-PERSON``), a sixth
    the lemma (else the word in lower case). Coarse tags follow from the fine ones; forms of "be" and auxiliaries are
    AUX. Spacing is that of natural text.
    """
    items = [item.split("|") for item in text.split()]
    tokens = []
    for i, (word, tag, dep, head, *more) in enumerate(items):
        entity, lemma = (*more, "", "")[:2]
        pos = _POS.get(tag, "PUNCT")
        if (dep in ("aux", "auxpass") and tag != "TO") or (pos == "VERB" and word.lower() in _BE):
            pos = "AUX"
        if tag == "IN" and dep == "mark":
            pos = "SCONJ"
        following = items[i + 1][0] if i + 1 < len(items) else ""
        space = bool(following) and following not in _GLUED_LEFT and word not in _GLUED_RIGHT
        if not 0 <= int(head) <= len(items):
            raise ValueError(f"{word}: head {head} is not in the sentence")
        tokens.append(
            Token(word, space, tag, pos, dep, int(head) - 1 if int(head) else i, lemma or word.lower(), entity)
        )
    if not any(t.head == i for i, t in enumerate(tokens)):
        raise ValueError("a sentence needs a root (head 0)")
    return Sentence(tuple(tokens), section=section, paragraph=paragraph)


def plain(text: str, *, section: int = 0, paragraph: int = 0) -> Sentence:
    """Builds a Sentence from words alone: the last is the root, everything else hangs on it without a label."""
    words = text.split()
    return Sentence(
        tuple(
            Token(w, True, "NN", "NOUN", "dep" if i < len(words) - 1 else "ROOT", len(words) - 1, w.lower(), "")
            for i, w in enumerate(words)
        ),
        section=section,
        paragraph=paragraph,
    )


def document(
    sentences: Sequence[Sentence],
    *,
    id: str = "wikipedia-1",
    clusters: Sequence[Sequence[Mention]] = (),
    title: str = "Title",
) -> AnnotatedDocument:
    """Builds an AnnotatedDocument."""
    origin = Origin(id, "wikipedia", title, "7", range_key="r0")
    return AnnotatedDocument(origin, tuple(sentences), tuple(map(tuple, clusters)))


def segmented(texts: Sequence[str], *, per_paragraph: int, id: str = "news-1") -> SegmentedDocument:
    """Builds a SegmentedDocument; each paragraph has ``per_paragraph`` sentences."""
    page = Metadata(url="https://example.org/a", published="2020-01-02")
    origin = Origin(id, "news", "Otters", file="a.warc", offset=7, range_key="r", metadata=page)
    return SegmentedDocument(origin, tuple(TextSentence(t, paragraph=i // per_paragraph) for i, t in enumerate(texts)))


def mention(
    sentence: int, start: int, end: int, kind: str, *, head: int | None = None, confidence: float = 1.0
) -> Mention:
    """Builds a Mention; its head is its last token unless given."""
    return Mention(sentence, start, end, end - 1 if head is None else head, kind, confidence)
