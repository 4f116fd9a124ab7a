"""Translators for tests: one knows a few sentences of German and cannot read what is shouted, one hangs."""

import time
from collections.abc import Sequence

from gistmill.rules.augmentation.round_trip import TranslationError

WORDS = {"Die Brücke war gesperrt.": "The bridge was closed.", "Der Fluss stieg.": "The river rose."}


class German:
    """Translates by a table."""

    identity = "table"

    def __init__(self, table: dict[str, str]) -> None:
        self._table = table

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Translates by the table; raises TranslationError for "KAPUTT"."""
        if any("KAPUTT" in sentence for sentence in sentences):
            raise TranslationError("the translator is broken")
        return [[] if s.isupper() else [self._table.get(s, s)] * count for s in sentences]


def german(source: str, target: str) -> German:
    """The translator from one language into the other."""
    return German(WORDS if target == "en" else {english: text for text, english in WORDS.items()})


class Hanging(German):
    """Never comes back."""

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Waits."""
        time.sleep(10_000)
        raise AssertionError("it was not ended")


def hanging(source: str, target: str) -> Hanging:
    """The translator from one language into the other."""
    return Hanging({})
