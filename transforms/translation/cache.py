"""A cache of translations in a folder or an object store, so that what was translated once is not paid for again.

A file has a record on each line: a key, a checksum and the hypotheses as JSON. A key is a hash of the translator's
identity, the number of hypotheses and the sentence. Every process writes files of its own, under names that no other
uses, and only ever appends; so workers never wait for each other, and a process that is killed leaves at most one torn
line. A line that is torn or changed is a miss.

A cache finds what was there when it was opened, not what a run adds: else the batches of a run, and with them the last
bits of a model's arithmetic, would follow from which worker came first.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import tempfile
import threading
import uuid
import weakref
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from typing_extensions import override

from gistmill.rules.augmentation.translator import TranslationError, Translator, hypotheses
from gistmill.transforms.io import create, is_url, join, list_files, read_chunks

_SUFFIX = ".translations"
_FORMAT = "1"
_KEY_BYTES = 16
_HEAD = 2 * _KEY_BYTES + 1 + 8 + 1  # key, checksum, and the blanks after them
_OBJECT_BYTES = 4 << 20  # written to a store at once; a process that is killed loses less than this


class Cache:
    """Hypotheses by their keys.

    Args:
        place: folder of the cache, which is made when something is stored, or a place in an object store. It is read
            once, now; memory holds about 0.2 GB for each million of its records, and the files of a store are copied to
            a temporary folder.

    Raises:
        TranslationError: it cannot be read.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._waiting = bytearray()  # of a store
        self._own: BinaryIO | None = None  # of a folder
        self._open = contextlib.ExitStack()
        weakref.finalize(self, self._open.close)
        copies = tempfile.TemporaryDirectory(prefix="gistmill-translations-") if is_url(place) else None
        folder = self._open.enter_context(copies) if copies else None
        self._files: list[BinaryIO] = []
        self._found: dict[bytes, tuple[int, int, int]] = {}  # file, offset, bytes
        try:
            for path in sorted(list_files(place, _SUFFIX)):
                self._read(Path(path) if folder is None else _copied(path, Path(folder)))
        except OSError as error:
            raise TranslationError(f"--translation-cache {place} cannot be read: {error.strerror or error}") from None

    def __len__(self) -> int:
        return len(self._found)

    def get(self, key: bytes) -> list[str] | None:
        """Returns the hypotheses of a key; None where there are none."""
        place = self._found.get(key)
        if place is None:
            return None
        number, offset, size = place
        line = os.pread(self._files[number].fileno(), size, offset)
        found: list[str] | None = json.loads(line[_HEAD:]) if _is_whole(line) else None
        return found

    def prepare(self) -> None:
        """Makes the folder, so that nothing is paid for that could not be stored.

        Raises:
            TranslationError: it cannot be written.
        """
        if not is_url(self._place):
            with self._writing():
                os.makedirs(self._place, exist_ok=True)
                if not os.access(self._place, os.W_OK | os.X_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def put(self, found: Iterable[tuple[bytes, Sequence[str]]]) -> None:
        """Stores hypotheses by their keys. A folder has them when this returns; a store after ``flush``, or sooner.

        Raises:
            TranslationError: they cannot be written.
        """
        lines = b"".join(_record(key, answer) for key, answer in found)
        with self._lock, self._writing():
            if not is_url(self._place):
                file = self._file()
                file.write(lines)
                file.flush()
                return
            self._waiting += lines
            if len(self._waiting) >= _OBJECT_BYTES:
                self._write_object()

    def flush(self) -> None:
        """Writes what waits for a store.

        Raises:
            TranslationError: it cannot be written.
        """
        with self._lock, self._writing():
            if self._waiting:
                self._write_object()

    def _read(self, path: Path) -> None:
        file = self._open.enter_context(path.open("rb"))
        self._files.append(file)
        offset = 0
        for line in file:
            if _is_whole(line):
                key = bytes.fromhex(line[: 2 * _KEY_BYTES].decode("ascii"))
                self._found.setdefault(key, (len(self._files) - 1, offset, len(line)))
            offset += len(line)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            problem = error.strerror or error
            raise TranslationError(f"--translation-cache {self._place} cannot be written: {problem}") from None

    def _file(self) -> BinaryIO:
        if self._own is None:
            self._own = self._open.enter_context(open(self._new_name(), "xb"))  # noqa: SIM115, the stack closes it
        return self._own

    def _write_object(self) -> None:
        with create(self._new_name()) as file:
            file.write(bytes(self._waiting))
        self._waiting.clear()

    def _new_name(self) -> str:
        return join(self._place, f"{uuid.uuid4().hex}{_SUFFIX}")


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
        keys = {s: key_of(self.identity, count, s) for s in sentences}
        found = {s: self._cache.get(key) for s, key in keys.items()}
        missing = [s for s, known in found.items() if known is None]
        if missing:
            self._cache.prepare()
            answers = hypotheses(self._translator, missing, count=count)
            self._cache.put((keys[s], answer) for s, answer in zip(missing, answers, strict=True))
            found.update(zip(missing, answers, strict=True))
        return [list(found[s] or ()) for s in sentences]


def key_of(identity: str, count: int, sentence: str) -> bytes:
    """Returns the key of a sentence's hypotheses."""
    text = "\n".join((_FORMAT, identity, str(count), sentence))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()


def _record(key: bytes, answer: Sequence[str]) -> bytes:
    content = json.dumps(list(answer)).encode("ascii")
    return b"%s %08x %s\n" % (key.hex().encode(), zlib.crc32(content), content)


def _is_whole(line: bytes) -> bool:
    """Whether a line is a record that is neither torn nor changed."""
    content, checksum = line[_HEAD:-1], b" %08x " % zlib.crc32(line[_HEAD:-1])
    is_key = all(digit in b"0123456789abcdef" for digit in line[: 2 * _KEY_BYTES])
    return is_key and bool(content) and line[2 * _KEY_BYTES : _HEAD] == checksum


def _copied(url: str, folder: Path) -> Path:
    path = folder / f"{uuid.uuid4().hex}{_SUFFIX}"
    with path.open("wb") as file:
        for chunk in read_chunks(url):
            file.write(chunk)
    return path
