"""The text of a changed sentence: capitals, articles and spaces."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.augmentation.eda.articles import article
from gistmill.rules.augmentation.eda.operations import Piece
from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.documents import natural_text

_ARTICLES = frozenset({"a", "an"})


def changed_words(parse: Parse, pieces: Sequence[Piece]) -> int:
    """Returns how many words were replaced, inserted, moved or deleted."""
    if len(pieces) != len(parse.tokens):
        return abs(len(pieces) - len(parse.tokens))
    return sum(piece.text != token.text for piece, token in zip(pieces, parse.tokens, strict=True))


def text_of(parse: Parse, pieces: Sequence[Piece]) -> str:
    """Returns the text of a changed sentence. Its first word keeps a capital, and an article fits the word after it."""
    texts = [piece.text for piece in pieces]
    _set_capitals(parse, pieces, texts)
    _set_articles(parse, pieces, texts)
    return natural_text([(text, piece.space) for text, piece in zip(texts, pieces, strict=True)])


def _set_capitals(parse: Parse, pieces: Sequence[Piece], texts: list[str]) -> None:
    """Gives the capital of the first word to the word that is now the first, if the first word has changed."""
    old = next((i for i, t in enumerate(parse.tokens) if t.text[0].isalnum()), 0)
    new = next((k for k, text in enumerate(texts) if text[0].isalnum()), 0)
    if not texts or not parse.tokens[old].text[0].isupper() or texts[new] == parse.tokens[old].text:
        return
    if old in parse.free:  # a word that was touched, and so no name
        for k, piece in enumerate(pieces):
            if piece.token == old and k != new:
                texts[k] = texts[k].lower()
    texts[new] = texts[new][0].upper() + texts[new][1:]


def _set_articles(parse: Parse, pieces: Sequence[Piece], texts: list[str]) -> None:
    for k, piece in enumerate(pieces):
        if texts[k].lower() not in _ARTICLES or piece.token < 0 or parse.tokens[piece.token].tag != "DT":
            continue
        word, was = _next_word(texts[k + 1 :]), _next_word([t.text for t in parse.tokens[piece.token + 1 :]])
        if word != was and word[:1].isalpha():
            form = article(word)
            texts[k] = form.capitalize() if texts[k][0].isupper() else form


def _next_word(texts: Sequence[str]) -> str:
    """Returns the first of the texts that is not a mark, such as a quote; "" if none is."""
    return next((text for text in texts if text[0].isalnum()), "")
