"""A sentence that EDA changes: its tokens, what hangs on them, and which of them are free."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from gistmill.rules.augmentation.eda.protected import free_words, is_number
from gistmill.rules.documents import Sentence, Token

_DETERMINERS = frozenset({"det", "poss"})


class Parse:
    """A parsed sentence.

    Args:
        sentence: with its parse.
    """

    def __init__(self, sentence: Sentence) -> None:
        self.tokens: Sequence[Token] = sentence.tokens

    @cached_property
    def free(self) -> list[int]:
        """The places of the words that may be touched."""
        return [i for i, free in enumerate(free_words(self.tokens)) if free]

    @cached_property
    def words(self) -> int:
        """How many words the sentence has: tokens with a letter or digit, without the second parts of contractions."""
        return sum(t.text[0].isalnum() for t in self.tokens)

    @cached_property
    def _children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.tokens]
        for i, token in enumerate(self.tokens):
            if token.head != i:
                found[token.head].append(i)
        return found

    def within(self, index: int) -> bool:
        """Whether a token and the one before it are parts of one entity or number."""
        before, token = self.tokens[index - 1], self.tokens[index]
        return token.entity.startswith("I-") or is_number(before) and is_number(token)

    def children(self, index: int) -> list[int]:
        """Returns the places of what hangs on a token, in order."""
        return self._children[index]

    def labels(self, index: int) -> list[str]:
        """Returns the labels of what hangs on a token, in order."""
        return [self.tokens[child].dep for child in self._children[index]]

    def determiner(self, index: int) -> str:
        """Returns the determiner or possessor of a noun in lower case; "" if it has none."""
        found = (self.tokens[c].text.lower() for c in self._children[index] if self.tokens[c].dep in _DETERMINERS)
        return next(found, "")
