"""Names inside a run's work space, and the small JSON files in it."""
from __future__ import annotations

import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from typing import Any

from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from transforms import s3  # noqa: F401, for what it does to Beam's client

_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,150}")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything lies in the work space ``root`` (a folder, or a URL that Beam's file systems know)."""

    root: str

    @property
    def lock(self) -> str:
        """Held by the driver with flock while it lives."""
        return FileSystems.join(self.root, "lock")

    @property
    def fingerprint(self) -> str:
        """What has to be equal for ``--resume``."""
        return FileSystems.join(self.root, "fingerprint.json")

    @property
    def results(self) -> str:
        """Written last by the pipeline, read by the publisher."""
        return FileSystems.join(self.root, "results.json")

    @property
    def spool(self) -> str:
        """Folder of the chunks of inputs that have no stream boundaries."""
        return FileSystems.join(self.root, "spool")

    @property
    def runs(self) -> str:
        """Folder of the run files."""
        return FileSystems.join(self.root, "runs")

    @property
    def ranges(self) -> str:
        """Folder of the markers of finished ranges."""
        return FileSystems.join(self.root, "ranges")

    @property
    def progress(self) -> str:
        """Folder of the workers' heartbeats."""
        return FileSystems.join(self.root, "progress")

    @property
    def shards(self) -> str:
        """Folder of the finished shards."""
        return FileSystems.join(self.root, "shards")

    @property
    def sketches(self) -> str:
        """Folder of what duplicates are found by, and of the cleaned documents until it is known which of them stay."""
        return FileSystems.join(self.root, "sketches")

    @property
    def duplicates(self) -> str:
        """Folder of what was found, a file for each range."""
        return FileSystems.join(self.root, "duplicates")

    @property
    def evaluation(self) -> str:
        """Folder of the n-grams of evaluation texts."""
        return FileSystems.join(self.root, "evaluation")

    def marker(self, range_key: str) -> str:
        """Marker of a finished range."""
        return FileSystems.join(self.ranges, f"{safe_name(range_key)}.json")

    def sketch_marker(self, range_key: str) -> str:
        """Marker of a range that was looked through for duplicates."""
        return FileSystems.join(self.sketches, f"{safe_name(range_key)}.json")

    def new_sketch(self, range_key: str, extension: str) -> str:
        """A name for a file about a range's documents that no other attempt at the range will use."""
        return FileSystems.join(self.sketches, f"{safe_name(range_key)}-{uuid.uuid4().hex}.{extension}")

    def duplicates_of(self, range_key: str) -> str:
        """Where it stands which documents of a range are duplicates."""
        return FileSystems.join(self.duplicates, f"{safe_name(range_key)}.json")

    def new_run(self, range_key: str) -> str:
        """A name for a run file that no other attempt at the range will use."""
        return FileSystems.join(self.runs, f"{safe_name(range_key)}-{uuid.uuid4().hex}.run")

    def new_shard(self, extension: str) -> str:
        """A name for a shard file that no other attempt at the shard will use."""
        return FileSystems.join(self.shards, f"{uuid.uuid4().hex}.{extension}")


def safe_name(key: str) -> str:
    """Returns ``key`` if it can be a file name everywhere, else a hash of it."""
    if _SAFE_NAME.fullmatch(key):
        return key
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def write_json(path: str, value: Any, *, indent: int | None = None) -> None:
    """Writes JSON so that a reader finds the whole of it or nothing."""
    temporary = f"{path}.{uuid.uuid4().hex}.tmp"
    with FileSystems.create(temporary, compression_type=CompressionTypes.UNCOMPRESSED) as file:
        text = json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True)
        file.write(text.encode("utf-8", "backslashreplace"))  # names of files need not be valid Unicode
    FileSystems.rename([temporary], [path])


def read_json(path: str) -> Any:
    """Reads what ``write_json`` wrote.

    Raises:
        OSError: it is not there.
        ValueError: it is not JSON.
    """
    with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as file:
        return json.loads(file.read())


def list_files(folder: str, suffix: str = "") -> dict[str, int]:
    """Returns path -> size of the files in ``folder`` whose names end in ``suffix``; empty when there is no folder."""
    pattern = FileSystems.join(folder, f"*{suffix}")
    return {m.path: m.size_in_bytes for m in FileSystems.match([pattern])[0].metadata_list}
