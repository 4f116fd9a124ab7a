"""Materials: files that a recipe works with, named by its options. The driver reads and checks them, and leaves copies
in the workspace, from which every worker loads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.rules.augmentation.eda.wordnet import WordNetError
from gistmill.rules.recipe import Recipe
from gistmill.transforms.io import create, escaped, matching, open_input
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.tokenizers import read_tokenizer
from gistmill.transforms.word_lists import read_stop_words, read_words
from gistmill.transforms.wordnet import read_synonyms, read_wordnet

MOST_BYTES = 64 << 20
READERS: Mapping[str, Callable[[bytes, str], Any]] = {
    "words": read_words,
    "tokenizer": read_tokenizer,
    "stop_words": read_stop_words,
    "wordnet": read_synonyms,
}
"""What makes something of the bytes and the name of the file that an option names."""
FOLDERS: Mapping[str, Callable[[str], bytes]] = {"wordnet": read_wordnet}
"""What makes the bytes of the folder that an option names in the place of a file."""


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
    try:
        materials = [Material(option, path, _content(option, path)) for option, path in recipe.materials.items()]
    except WordNetError as error:
        raise MaterialError(str(error)) from None
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


def _content(option: str, path: str) -> bytes:
    if option in FOLDERS:
        return FOLDERS[option](path)
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
