"""The parse of a part of a sentence, made of the parse of the whole, so that the rules can go on with the part.

What hangs on a word that the part lacks hangs on the nearest word above it that the part has.
"""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.discofuse.parse import FINITE, Parse
from gistmill.rules.discofuse.words import Word
from gistmill.rules.documents import Sentence, Token


def projected(words: Sequence[Word], parent: Parse) -> Parse:
    """Returns the parse of a part.

    Args:
        words: of the part, as a rule made it; their positions and heads are those of ``parent``.
        parent: the parse of what was split.

    Returns:
        The parse, whose tokens are the words in their printed form. It has one root.
    """
    place: dict[int, int] = {}
    for i, word in enumerate(words):
        if word.position >= 0:
            place.setdefault(word.position, i)
    above = [_above(i, word, words, place, parent) for i, word in enumerate(words)]
    root = _root(words, above)
    tokens = []
    for i, (word, head) in enumerate(zip(words, above, strict=True)):
        at = root if head is None or head == i else head
        label = "ROOT" if i == root else "dep" if word.dep == "ROOT" else word.dep
        tokens.append(
            Token(word.printed, word.space, word.tag, word.pos, label, i if i == root else at, word.lemma, word.entity)
        )
    return Parse(Sentence(tuple(_tied(tokens, root)), parent.sentence.section, parent.sentence.paragraph))


def _above(i: int, word: Word, words: Sequence[Word], place: dict[int, int], parent: Parse) -> int | None:
    """The index of the word that a word of the part hangs on; None for what hangs on nothing of the part."""
    if word.position < 0:
        return _beside(i, word, words)
    head = word.head
    if head == word.position:
        return None
    while head not in place:
        higher = parent.tokens[head].head
        if higher == head:
            return None
        head = higher
    return place[head]


def _beside(i: int, word: Word, words: Sequence[Word]) -> int | None:
    """What a word that a rule wrote hangs on: an article on the noun behind it, a possessive mark on the one before."""
    if word.dep == "det":
        return next((k for k in range(i + 1, len(words)) if words[k].pos in ("NOUN", "PROPN")), None)
    return i - 1 if word.dep == "case" and i else None


def _root(words: Sequence[Word], above: Sequence[int | None]) -> int:
    """The root: the verb that the rule says it is, else the first finite verb among the words that hang on nothing."""
    free = [i for i, head in enumerate(above) if head is None or head == i]
    verbs = [i for i in free if words[i].pos in ("VERB", "AUX")]
    said = [i for i in verbs if words[i].dep == "ROOT"]
    finite = [i for i in verbs if words[i].tag in FINITE]
    return next(iter((*said, *finite, *verbs, *free)), 0)


def _tied(tokens: list[Token], root: int) -> list[Token]:
    """The tokens without circles: every one leads to the root."""
    for i in range(len(tokens)):
        seen, at = {i}, i
        while at != root:
            at = tokens[at].head
            if at in seen:
                tokens[i] = tokens[i]._replace(head=root)
                break
            seen.add(at)
    verb = tokens[root]
    if verb.lemma == "be" and verb.pos in ("VERB", "AUX"):
        _relabel_copula(tokens, root)
    return tokens


def _relabel_copula(tokens: list[Token], root: int) -> None:
    """An inserted "be" gets its subject and predicate: nouns on either side that hang on it by other labels."""
    if any(t.head == root and t.dep in ("nsubj", "nsubjpass", "expl", "csubj") for t in tokens):
        return
    before = next(
        (i for i in range(root) if tokens[i].head == root and tokens[i].pos in ("NOUN", "PROPN", "PRON")), None
    )
    behind = next(
        (i for i in range(root + 1, len(tokens)) if tokens[i].head == root and tokens[i].pos in ("NOUN", "PROPN")), None
    )
    if before is not None:
        tokens[before] = tokens[before]._replace(dep="nsubj")
    if behind is not None:
        tokens[behind] = tokens[behind]._replace(dep="attr")
