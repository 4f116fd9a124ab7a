"""Reads lists of words, a word on each line."""

from __future__ import annotations

from gistmill.rules.synthetic.vocabulary import WordsError, check_words


def read_words(content: bytes, path: str) -> tuple[str, ...]:
    """Returns the words of a file in UTF-8; a byte order mark at its beginning is dropped.

    Args:
        content: of the file.
        path: its name, for messages.

    Raises:
        WordsError: it is not such a list; one line that names it and what is wrong.
    """
    lines = _lines("--words", content, path)
    try:
        return check_words(lines)
    except WordsError as error:
        raise WordsError(f"--words {path}: {error}") from None


def read_stop_words(content: bytes, path: str) -> frozenset[str]:
    """Returns the stop words of a file in UTF-8; blank lines and a byte order mark at its beginning are dropped.

    Args:
        content: of the file.
        path: its name, for messages.

    Raises:
        WordsError: it is not such a list: a line has several words or what cannot be printed, or there is no word; one
            line that names the file.
    """
    lines = [line.strip() for line in _lines("--stop-words", content, path)]
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise WordsError(f"--stop-words {path}: line {number} has several words: {line!r:.80}")
        if not line.isprintable():
            raise WordsError(f"--stop-words {path}: line {number} has a character that cannot be printed: {line!r:.80}")
    if not any(lines):
        raise WordsError(f"--stop-words {path}: it has no words; for no stop words say --stop-words none")
    return frozenset(line for line in lines if line)


def _lines(flag: str, content: bytes, path: str) -> list[str]:
    try:
        return content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise WordsError(f"{flag} {path} is not a text in UTF-8: byte {error.start} cannot be decoded") from None
