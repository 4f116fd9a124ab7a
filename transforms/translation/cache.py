"""A cache of translations, so that what was translated once is not paid for again: a file of SQLite on this machine.

A run finds what was there when it began, not what its workers add: else the batches of a run, and with them the last
bits of a model's arithmetic, would follow from which worker came first.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from gistmill.rules.augmentation.round_trip import TranslationError, Translator, hypotheses

_WAIT = 300.0  # seconds for other workers that write
_TABLE = """
CREATE TABLE IF NOT EXISTS translations (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, hypotheses TEXT NOT NULL)
"""
_GET = "SELECT hypotheses FROM translations WHERE key = ? AND number <= ?"
# One that this run must not see has a newer one in its place, with a higher number.
_PUT = "INSERT OR REPLACE INTO translations (key, hypotheses) VALUES (?, ?)"


@dataclass(frozen=True, slots=True)
class Cache:
    """Hypotheses by keys, which any number of processes read and write at once.

    Attributes:
        path: of the file.
        known: the number of the last record that this run finds.
    """

    path: str
    known: int

    @classmethod
    def begin(cls, path: str) -> Cache:
        """Returns the cache for a run that begins now; makes the file where it is missing.

        Raises:
            TranslationError: it can be neither made nor read.
        """
        with _opened(path, "rwc") as database:
            database.execute(_TABLE)
            (known,) = database.execute("SELECT coalesce(max(number), 0) FROM translations").fetchone()
        return cls(path, known)


@contextlib.contextmanager
def _opened(path: str, mode: str) -> Iterator[sqlite3.Connection]:
    """The database, whose changes are kept together or not at all."""
    try:
        if mode == "rwc":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        place = f"{Path(path).absolute().as_uri()}?mode={mode}"
        with contextlib.closing(sqlite3.connect(place, timeout=_WAIT, uri=True)) as database, database:
            yield database
    except (OSError, sqlite3.Error, json.JSONDecodeError) as error:
        raise TranslationError(
            f"--translation-cache {path} cannot be used: {error}; delete it, or name another"
        ) from None


def key_of(identity: str, count: int, sentence: str) -> bytes:
    """Returns the key of a sentence's hypotheses."""
    text = "\n".join((identity, str(count), sentence))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class CachedTranslator(Translator):
    """A translator that asks another only for what a cache does not have. Each sentence is asked for once.

    Args:
        translator: the other.
        cache: where its translations are kept.
    """

    def __init__(self, translator: Translator, cache: Cache) -> None:
        self._translator, self._cache = translator, cache

    @property
    @override
    def identity(self) -> str:
        return self._translator.identity

    @override
    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        keys = {sentence: key_of(self.identity, count, sentence) for sentence in sentences}
        found: dict[str, list[str]] = {}
        with _opened(self._cache.path, "rw") as database:
            for sentence, key in keys.items():
                for (text,) in database.execute(_GET, (key, self._cache.known)):
                    found[sentence] = json.loads(text)
        if missing := [sentence for sentence in keys if sentence not in found]:
            answers = dict(zip(missing, hypotheses(self._translator, missing, count=count), strict=True))
            with _opened(self._cache.path, "rw") as database:
                database.executemany(_PUT, [(keys[s], json.dumps(answer)) for s, answer in answers.items()])
            found |= answers
        return [list(found[sentence]) for sentence in sentences]
