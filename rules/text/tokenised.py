"""Sentences of text that is tokenised already, as summarization datasets often are: "it rained . they left ."

In such text a full stop that ends a sentence is a token of its own, and that of an abbreviation is not. So the word
that follows need not have a capital.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from gistmill.rules.text.sentences import splitter_for

_END = re.compile(r"[.!?…]+")
_CLOSING_TOKENS = frozenset(("''", "”", "’", "»", ")", "]", "-rrb-", "-rsb-"))
_QUOTE = '"'  # opens and closes
_WORD_CHARACTER = re.compile(r"\w")
# Not question and exclamation marks, before which French has a space.
_ALONE, _ATTACHED = re.compile(r"(?<!\S)[.,](?!\S)"), re.compile(r"(?<=\S)[.,](?!\S)")


def splitter_of(texts: Iterable[str], language: str = "") -> Callable[[str], list[str]]:
    """Returns what splits the texts of one document into sentences: the rules for tokenised text if it looks so, else
    those for natural text of the language (a code, "" for English)."""
    return split_tokenised if looks_tokenised(texts) else splitter_for(language)


def looks_tokenised(texts: Iterable[str]) -> bool:
    """Whether most of the full stops and commas stand alone."""
    known = tuple(texts)
    alone = _count(_ALONE, known)
    return alone > 0 and alone > _count(_ATTACHED, known)  # most texts have none


def split_tokenised(text: str) -> list[str]:
    """Returns the sentences of a tokenised text: each ends in a mark that is a token, and what closes after it. Marks
    that are left at the end belong to the last sentence."""
    sentences: list[str] = []
    tokens: list[str] = []
    ended = quoted = False
    for token in text.split():
        end = _END.fullmatch(token) is not None
        closes = token.lower() in _CLOSING_TOKENS or (token == _QUOTE and quoted)
        if ended and not end and not closes:
            sentences.append(" ".join(tokens))
            tokens, ended = [], False
        tokens.append(token)
        ended = ended or end
        quoted ^= token == _QUOTE
    rest = " ".join(tokens)
    if sentences and not _WORD_CHARACTER.search(rest):
        return [*sentences[:-1], f"{sentences[-1]} {rest}".rstrip()]
    return [*sentences, rest] if rest else sentences


def _count(pattern: re.Pattern[str], texts: Iterable[str]) -> int:
    return sum(len(pattern.findall(text)) for text in texts)
