"""The arguments of one template call, rendered to text when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Renderer = Callable[["Arguments"], str | None]


def names(spellings: str, renderer: Renderer) -> dict[str, Renderer]:
    """Returns a part of a table: every name in ``spellings`` (lower case, " | " between them) gets ``renderer``."""
    return dict.fromkeys(spellings.split(" | "), renderer)


class Arguments:
    """Positional and named arguments; white space around them is stripped.

    Args:
        params: (key or None, value) in order of appearance; values are what ``text_of`` understands.
        text_of: turns a value into (half-cleaned) text.
        name: the name as the page spells it.
    """

    __slots__ = ("name", "_positional", "_named", "_text_of", "_texts")

    def __init__(self, params: Iterable[tuple[str | None, Any]], text_of: Callable[[Any], str], name: str = "") -> None:
        self.name = name
        self._text_of = text_of
        self._texts: dict[int | str, str] = {}  # each value is rendered once, or nested calls would take 2**depth
        self._positional: dict[int, Any] = {}
        self._named: dict[str, Any] = {}
        count = 0
        for key, value in params:
            if key is None:
                count += 1
                self._positional[count] = value
            elif key.isascii() and key.isdigit() and len(key) < 4:
                self._positional[int(key)] = value
            else:
                self._named[key] = value

    def at(self, number: int) -> str:
        """Returns positional argument ``number`` (from 1), "" when absent."""
        return self._text(number, self._positional.get(number))

    def get(self, *keys: str) -> str:
        """Returns the first named argument among ``keys`` that has a text, "" when none has."""
        for key in keys:
            if text := self._text(key, self._named.get(key)):
                return text
        return ""

    def _text(self, key: int | str, value: Any) -> str:
        if value is None:
            return ""
        if key not in self._texts:
            self._texts[key] = self._text_of(value).strip()
        return self._texts[key]

    def positional(self) -> list[str]:
        """Returns the positional arguments from 1 on, "" for gaps."""
        last = max(self._positional, default=0)
        return [self.at(n) for n in range(1, min(last, 60) + 1)]

    def words(self) -> list[str]:
        """Returns the positional arguments that are not empty."""
        return [text for text in self.positional() if text]
