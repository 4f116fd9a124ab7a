"""Entities of sentences in small letters, in which a parser misses most names.

Such a sentence is parsed a second time, with capitals at the beginning of its nouns and adjectives. What is a name then
may be one. The parser finds too many, which only means that EDA leaves some words alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gistmill.rules.documents import Sentence, Token, natural_text

_NOT_NAMES = ("DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY")


def capitalised(sentence: Sentence) -> str:
    """Returns a sentence in small letters with the capitals of names; "" where it has capitals, or no letters."""
    tokens = sentence.tokens
    if any(not token.text.islower() for token in tokens if token.text.upper() != token.text.lower()):
        return ""
    raised = [token._replace(text=_raised(token)) for token in tokens]
    return natural_text(raised) if raised != list(tokens) else ""


def _raised(token: Token) -> str:
    first = token.text[0].upper()
    return first + token.text[1:] if token.tag[0] in "NJ" and len(first) == 1 else token.text


def with_names(sentence: Sentence, parsed: Iterable[Sentence]) -> Sentence:
    """Returns the sentence with the names that were found in its capitalised text as further entities.

    Args:
        sentence: the sentence.
        parsed: the sentences of ``capitalised(sentence)``.
    """
    names = {
        place: token.entity
        for start, token in _placed([t for s in parsed for t in s.tokens])
        if token.entity and not token.entity.endswith(_NOT_NAMES)
        for place in range(start, start + len(token.text))
    }
    tokens = [
        token if token.entity or start not in names else token._replace(entity=names[start])
        for start, token in _placed(sentence.tokens)
    ]
    return Sentence(tuple(tokens), sentence.section, sentence.paragraph)


def _placed(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """Yields the tokens, and where each begins in the text without white space."""
    start = 0
    for token in tokens:
        yield start, token
        start += len(token.text)
