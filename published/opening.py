"""Opens the manifest of a folder, or says what is there in the place of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, TypeVar

from gistmill.core.manifest import MANIFEST, ManifestError
from gistmill.published.files import DatasetError, Folder

T = TypeVar("T")
_NAMED = 4  # datasets, in a message


class NotADataset(DatasetError):
    """There is no published dataset at the place; the text is one line for the user."""


def opened_manifest(folder: Folder, read: Callable[[BinaryIO], T]) -> T:
    """Returns what ``read`` makes of the manifest in a folder.

    Raises:
        NotADataset: there is none.
        ManifestError: it cannot be used; the text names the folder.
        DatasetError: the folder cannot be read.
    """
    try:
        with folder.open(MANIFEST) as file:
            return read(file)
    except (FileNotFoundError, NotADirectoryError):
        raise NotADataset(_what_is_there(folder)) from None
    except OSError as error:
        raise DatasetError(f"{folder.place} cannot be read: {' '.join(str(error).split())}") from None
    except ManifestError as error:
        raise ManifestError(f"{folder.place}: {error}") from None


def _what_is_there(folder: Folder) -> str:
    there = folder.sizes()
    if not there:
        return f"{folder.place} is not a dataset: nothing is there"
    if inner := sorted(path.removesuffix(f"/{MANIFEST}") for path in there if path.endswith(f"/{MANIFEST}")):
        more = f" and {len(inner) - _NAMED} more" if len(inner) > _NAMED else ""
        return f"{folder.place} is not a dataset: name one of those in it, {', '.join(inner[:_NAMED])}{more}"
    if any("/parquet/" in f"/{path}" or "/tfrecord/" in f"/{path}" for path in there):
        return (
            f"{folder.place} is not a dataset yet: it has data files and no {MANIFEST}, which is written last, so that "
            "publishing goes on or has failed"
        )
    return f"{folder.place} is not a dataset: it has no {MANIFEST}"
