"""What counts as a token: the interface of a tokenizer, and the fallback that counts words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from typing_extensions import override

_WORD = re.compile(r"\S+")
Span = tuple[int, int]


class Tokenizer(Protocol):
    """A tokenizer of texts.

    Attributes:
        pieces: the texts that a random token may be, each with a space in front if it begins a word; empty where random
            tokens are words of the document.
        record: what the manifest says of it.
    """

    pieces: Sequence[str]
    record: Mapping[str, Any]

    def spans(self, text: str) -> list[Span]:
        """Returns where each token begins and ends in the text, in characters; a span may have spaces at its ends."""


class WordTokens(Tokenizer):
    """Counts what stands between spaces: words, and the stop of each sentence."""

    def __init__(self, vocabulary: Sequence[str] = ()) -> None:
        self.pieces: Sequence[str] = [f" {word}" for word in vocabulary]
        self.record: Mapping[str, Any] = {"name": "words: no tokenizer was given, a token is a word or a full stop"}

    @override
    def spans(self, text: str) -> list[Span]:
        return [match.span() for match in _WORD.finditer(text)]
