"""Reads lists of words, a word on each line."""

from __future__ import annotations

from rules.synthetic.vocabulary import WordsError, check_words


def read_words(content: bytes, path: str) -> tuple[str, ...]:
    """Returns the words of a file in UTF-8; a byte order mark at its beginning is dropped.

    Args:
        content: of the file.
        path: its name, for messages.

    Raises:
        WordsError: it is not such a list; one line that names it and what is wrong.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WordsError(f"--words {path} is not a text in UTF-8: byte {error.start} cannot be decoded") from None
    try:
        return check_words(text.split("\n"))
    except WordsError as error:
        raise WordsError(f"--words {path}: {error}") from None
