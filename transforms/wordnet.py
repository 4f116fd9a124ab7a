"""Reads WordNet's folder, and prints the table of synonyms that is made of it:

python -m gistmill.transforms.wordnet DIR > rules/augmentation/eda/data/synonyms.txt
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from gistmill.rules.augmentation.eda.synonyms import Synonyms
from gistmill.rules.augmentation.eda.wordnet import COUNTS, PARTS, WordNetError, synonym_table
from gistmill.transforms.io import escaped, matching, open_input

_MOST_BYTES = 64 << 20
_FILES = (*(f"{kind}.{part}" for part in PARTS for kind in ("index", "data")), COUNTS)


def read_wordnet(folder: str) -> bytes:
    """Returns the table of synonyms (``synonym_table``) of a folder with WordNet's files, local or in a store.

    Raises:
        WordNetError: a file is missing or is not WordNet's; one line that names it.
        BeamIOError: a store does not answer.
    """
    files = {name: _text(f"{folder.rstrip('/')}/{name}") for name in _FILES}
    try:
        return synonym_table(files).encode("ascii")
    except WordNetError as error:
        raise WordNetError(f"--wordnet {folder}: {error}") from None


def read_synonyms(table: bytes, path: str) -> Synonyms:
    """Returns the synonyms of a table that ``read_wordnet`` made of the folder ``path``."""
    return Synonyms(table.decode("ascii"))


def _text(path: str) -> str:
    sizes = [*matching(escaped(path)).values()]
    if not sizes:
        raise WordNetError(f"--wordnet: there is no file {path}")
    if sizes[0] > _MOST_BYTES:
        raise WordNetError(f"--wordnet: {path} has more than {_MOST_BYTES >> 20} MB")
    try:
        with open_input(path) as file:
            return file.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise WordNetError(f"--wordnet: {path} is not text in UTF-8: byte {error.start} cannot be decoded") from None
    except OSError as error:
        raise WordNetError(f"--wordnet: {path}: {error.strerror or 'it cannot be read'}") from None


def main(arguments: Sequence[str]) -> int:
    """Prints the table of the folder that is named; returns the exit code."""
    if len(arguments) != 1:
        print("usage: python -m gistmill.transforms.wordnet DIR", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(read_wordnet(arguments[0]).decode("ascii"))
    except WordNetError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
