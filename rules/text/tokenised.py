"""Sentences of text that is tokenised already, as summarization datasets often are: "it rained . they left ." """

from __future__ import annotations

import re
from collections.abc import Iterable

_END = re.compile(r"[.!?…]+")
_CLOSERS = frozenset(("''", "”", "’", "»", ")", "]", "-rrb-", "-rsb-"))
_ALONE, _ATTACHED = re.compile(r"(?<!\S)[.!?](?!\S)"), re.compile(r"(?<=\S)[.!?](?!\S)")


def looks_tokenised(texts: Iterable[str]) -> bool:
    """Whether most of the marks that may end a sentence stand alone."""
    alone = attached = 0
    for text in texts:
        alone += len(_ALONE.findall(text))
        attached += len(_ATTACHED.findall(text))
    return alone > attached


def split_tokenised(text: str) -> list[str]:
    """Returns the sentences of a tokenised text: each ends in a mark that is a token, and what closes after it."""
    sentences: list[str] = []
    tokens: list[str] = []
    ended = False
    for token in text.split():
        end = _END.fullmatch(token) is not None
        closes = token.lower() in _CLOSERS or token == '"' and tokens.count('"') % 2 == 1
        if ended and not end and not closes:
            sentences.append(" ".join(tokens))
            tokens, ended = [], False
        tokens.append(token)
        ended = ended or end
    return [*sentences, " ".join(tokens)] if tokens else sentences
