"""Translators whose results are known: words are written backwards, and a hypothesis is marked by its number."""

import os
import signal
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
        kill: lines of the log after which the process is killed, before it answers; None for never.
    """

    def __init__(self, target: str, log: Path | None = None, longest: int = 10_000, kill: int | None = None) -> None:
        self.target, self._log, self._longest, self._kill = target, log, longest, kill
        self.asked: list[str] = []

    @property
    def identity(self) -> str:
        return f"backwards {self.target}"

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        self.asked += sentences
        if self._log is not None:
            before = len(self._log.read_text("utf-8").splitlines()) if self._log.exists() else 0
            if self._kill is not None and before + len(sentences) > self._kill:
                os.kill(os.getpid(), signal.SIGKILL)
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


class Broken:
    """Gives one hypothesis, however many are asked for."""

    identity = "broken"

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        return [[sentence] for sentence in sentences]


# Functions for --translator.


def backwards(source: str, target: str) -> Backwards:
    """The file that TRANSLATIONS_LOG names gets what is asked for; TRANSLATIONS_KILL kills the process."""
    log, kill = os.environ.get("TRANSLATIONS_LOG"), os.environ.get("TRANSLATIONS_KILL")
    return Backwards(target, Path(log) if log else None, kill=int(kill) if kill else None)


def short(source: str, target: str) -> Backwards:
    return Backwards(target, longest=25)


def echo(source: str, target: str) -> Echo:
    return Echo()


def broken(source: str, target: str) -> Broken:
    return Broken()
