"""Translators whose results are known: words are written backwards, and a hypothesis is marked by its number."""

from collections.abc import Sequence
from pathlib import Path


def _backwards(sentence: str) -> str:
    return " ".join(word[::-1] for word in sentence.split())


class Backwards:
    """Writes words backwards and adds the number of the hypothesis: ``Otters swim.`` becomes ``srettO .miws de1``.

    So the paraphrase (1, 2) of a sentence through ``de`` is the sentence and ``1ed en2``.

    Args:
        target: language of the marks.
        log: gets a line for each sentence that is asked for.
        longest: characters of a sentence; longer ones have no translation.
    """

    def __init__(self, target: str, log: Path | None = None, longest: int = 10_000) -> None:
        self.target, self._log, self._longest = target, log, longest
        self.asked: list[str] = []

    @property
    def identity(self) -> str:
        return f"backwards {self.target}"

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        self.asked += sentences
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.writelines(f"{self.target} {sentence}\n" for sentence in sentences)
        return [
            [f"{_backwards(s)} {self.target}{n}" for n in range(1, count + 1)] if len(s) <= self._longest else []
            for s in sentences
        ]


class Echo:
    """Gives every sentence back as it is."""

    identity = "echo"

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        return [[sentence] * count for sentence in sentences]


def backwards(source: str, target: str) -> Backwards:
    """A function for --translator; the file that TRANSLATIONS_LOG names gets what is asked for."""
    import os

    log = os.environ.get("TRANSLATIONS_LOG")
    return Backwards(target, Path(log) if log else None)


def echo(source: str, target: str) -> Echo:
    """A function for --translator."""
    return Echo()
