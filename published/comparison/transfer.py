"""How many bytes an upload moves that keeps another place the same as a dataset: by whole files, and by chunks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from gistmill.core.chunks import chunks
from gistmill.core.manifest import MANIFEST
from gistmill.core.manifest_entries import PublishedFile
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, Folder, read_chunks
from gistmill.rules.comparison.comparison import Transfer


def transfer(old: Dataset, new: Dataset, *, read: bool = True) -> Transfer:
    """Returns what an upload of ``new`` moves to a place that has ``old``.

    Args:
        old, new: the datasets.
        read: whether to read the files that differ, for their chunks.

    Raises:
        DatasetError: a file cannot be read.
    """
    before = {_path(file): file for file in old.manifest.files}
    digests = {file.sha256 for file in old.manifest.files}
    files = new.manifest.files
    known = [f for f in files if f.sha256 in digests]
    in_place = [f for f in known if _path(f) in before and before[_path(f)].sha256 == f.sha256]
    fresh = [f for f in files if f.sha256 not in digests]
    now = {file.sha256 for file in files}
    gone = [f for f in old.manifest.files if f.sha256 not in now]
    manifest = new.folder.sizes().get(MANIFEST, 0)
    return Transfer(
        bytes=_size(files) + manifest,
        same_path=_size(in_place),
        same_content=_size(known) - _size(in_place),
        moved_files=_size(fresh) + manifest,
        moved_chunks=_unlike(old.folder, gone, new.folder, fresh) + manifest if read else None,
    )


def _path(file: PublishedFile) -> str:
    """The path of a file without the prefix that the files of a run have in a store."""
    first, _, rest = file.path.partition("/")
    return rest if first.startswith("data-") and rest else file.path


def _size(files: Iterable[PublishedFile]) -> int:
    return sum(file.bytes for file in files)


def _unlike(old: Folder, gone: Iterable[PublishedFile], new: Folder, fresh: Iterable[PublishedFile]) -> int:
    """Bytes of the chunks of ``fresh`` that ``gone`` has not, each counted once."""
    (before, _), (hashes, sizes) = _chunks(old, gone), _chunks(new, fresh)
    hashes, first = np.unique(hashes, return_index=True)
    return int(sizes[first][~np.isin(hashes, before)].sum())


def _chunks(folder: Folder, files: Iterable[PublishedFile]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """The hashes and sizes of all chunks of files."""
    found = array("Q")
    for file in files:
        try:
            with folder.open(file.path) as opened:
                for chunk in chunks(read_chunks(opened)):
                    found.extend(chunk)
        except OSError as error:
            text = " ".join(str(error).split())
            raise DatasetError(f"{folder.place}: {file.path} cannot be read: {text}") from None
    pairs = np.frombuffer(found, np.uint64).reshape(-1, 2) if found else np.empty((0, 2), np.uint64)
    return pairs[:, 0], pairs[:, 1]
