"""Materials: files that a recipe works with, named by its options. The driver reads and checks them, and leaves copies
in the workspace, from which every worker loads them.

python -m gistmill.transforms.materials DIR > rules/augmentation/eda/data/synonyms.txt
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.rules.augmentation.eda.synonyms import COUNTS, PARTS, Synonyms, WordNetError, synonym_table
from gistmill.rules.recipe import Recipe
from gistmill.transforms.io import create, escaped, matching, open_input
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.tables import read_stop_words, read_words
from gistmill.transforms.tokenizers import FileTokenizer

MOST_BYTES = 64 << 20
_WORDNET = (*(f"{kind}.{part}" for part in PARTS for kind in ("index", "data")), COUNTS)
READERS: Mapping[str, Callable[[bytes, str], Any]] = {
    "words": read_words,
    "tokenizer": FileTokenizer,
    "stop_words": read_stop_words,
    "wordnet": lambda table, path: Synonyms(table.decode("ascii")),
}
"""What makes something of the bytes and the name of the file that an option names."""


class MaterialError(ValueError):
    """A file that cannot be used; the text is one line that names it and what is wrong."""


@dataclass(frozen=True, slots=True)
class Material:
    """A file that was read: the option that names it, its name, and its bytes."""

    option: str
    path: str
    content: bytes


def open_materials(recipe: Recipe[Any]) -> Sequence[Material]:
    """Reads what a recipe needs, and gives it to the recipe.

    Raises:
        MaterialError: a file cannot be read or used.
        BeamIOError: a store does not answer.
    """
    materials = [
        Material(option, path, read_wordnet(path) if option == "wordnet" else _content(option, path))
        for option, path in recipe.materials.items()
    ]
    if materials:
        try:
            recipe.take({m.option: READERS[m.option](m.content, m.path) for m in materials})
        except (ValueError, ImportError) as error:
            raise MaterialError(" ".join(str(error).split())) from None
    return materials


def save_materials(materials: Sequence[Material], workspace: str) -> None:
    """Writes them into the workspace."""
    for material in materials:
        with create(WorkspaceLayout(workspace).material(material.option)) as file:
            file.write(material.content)


def load_materials(recipe: Recipe[Any], workspace: str) -> None:
    """Gives a recipe what the driver saved for it."""
    layout = WorkspaceLayout(workspace)
    contents = {o: (_read(layout.material(o)), path) for o, path in recipe.materials.items()}
    if contents:
        recipe.take({option: READERS[option](content, path) for option, (content, path) in contents.items()})


def read_wordnet(folder: str) -> bytes:
    """Returns the table of synonyms (``synonym_table``) of a folder with WordNet's files, local or in a store.

    Raises:
        MaterialError: a file is missing or is not WordNet's; one line that names it.
        BeamIOError: a store does not answer.
    """
    paths = {name: f"{folder.rstrip('/')}/{name}" for name in _WORDNET}
    files = {}
    for name, path in paths.items():
        try:
            files[name] = _content("wordnet", path).decode("utf-8")
        except UnicodeDecodeError as error:
            raise MaterialError(
                f"--wordnet {path} is not a text in UTF-8: byte {error.start} cannot be decoded"
            ) from None
    try:
        return synonym_table(files).encode("ascii")
    except WordNetError as error:
        raise MaterialError(f"--wordnet {folder}: {error}") from None


def _content(option: str, path: str) -> bytes:
    flag = "--" + option.replace("_", "-")
    sizes = [*matching(escaped(path)).values()]
    if not sizes:
        raise MaterialError(f"{flag} {path}: there is no such file")
    if sizes[0] > MOST_BYTES:
        raise MaterialError(f"{flag} {path} has more than {MOST_BYTES >> 20} MB")
    try:
        return _read(path)
    except OSError as error:
        raise MaterialError(f"{flag} {path}: {error.strerror or 'it cannot be read'}") from None


def _read(path: str) -> bytes:
    with open_input(path) as file:
        return file.read()


def main(arguments: Sequence[str]) -> int:
    """Prints the table of the folder that is named; returns the exit code."""
    if len(arguments) != 1:
        print("usage: python -m gistmill.transforms.materials DIR", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(read_wordnet(arguments[0]).decode("ascii"))
    except MaterialError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
