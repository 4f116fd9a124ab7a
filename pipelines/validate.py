"""``gistmill validate``: is a dataset folder what its manifest says?"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow.parquet as pq
from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.options import UsageError, beam_arguments
from pipelines.running.store import names_below, reason_of
from transforms.sinks.files import sha256_of
from transforms.sinks.formats import FORMATS, REJECTS_FORMAT
from transforms.sinks.layout import read_json

_DESCRIPTION = """\
Checks a published dataset against its manifest: every file is there with its bytes and rows, nothing else is, ids are
unique and in order, and no document is in two splits. Exit code 0 when all holds, 1 when something does not."""


def main(argv: Sequence[str]) -> int:
    """Prints what is wrong, or one line when nothing is; returns the exit code.

    Raises:
        UsageError: the folder holds no manifest.
    """
    parser = argparse.ArgumentParser(prog="gistmill validate", description=_DESCRIPTION, allow_abbrev=False)
    parser.add_argument("folder", metavar="FOLDER",
                        help="a dataset that a building job published: a folder, or a gs:// or s3:// URL (then Beam's "
                             "options for the store may follow)")
    arguments, beam_options = parser.parse_known_args(list(argv))
    folder = arguments.folder.rstrip("/") or "/"
    FileSystems.set_options(PipelineOptions(beam_arguments(beam_options)))
    try:
        files = read_json(FileSystems.join(folder, "manifest.json"))["files"]
    except Exception as error:  # each store's library has exceptions of its own
        raise UsageError(f"{folder} is not a dataset: it has no readable manifest.json ({reason_of(error)})") from None
    faults = [*file_faults(folder, files), *row_faults(folder, files)]
    for fault in faults:
        print(f"{folder}: {fault}", file=sys.stderr)
    if not faults:
        print(f"{folder}: {len(files)} files and their rows are as the manifest says")
    return 1 if faults else 0


def file_faults(folder: str, files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields one line for each file that is missing, changed, or not in the manifest."""
    there = names_below(folder)
    for file in files:
        path = f"{folder}/{file['path']}"
        if path not in there:
            yield f"{file['path']} is missing"
        elif there[path] != file["bytes"] or sha256_of(path) != file["sha256"]:
            yield f"{file['path']} has changed: its bytes are not those of the manifest"
        elif (known := _format(file)) is not None and known.count(path) != file["rows"]:
            yield f"{file['path']} does not hold {file['rows']} rows"
    known_paths = {file["path"] for file in files} | {"manifest.json"}
    for path in sorted(p.removeprefix(f"{folder}/") for p in there):
        if path not in known_paths:
            yield f"{path} is not in the manifest"


def row_faults(folder: str, files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields one line for each id out of order or repeated in a split, and each document in two splits."""
    last: dict[tuple[str, str], bytes] = {}
    split_of: dict[tuple[str, str], str] = {}
    for file in sorted((f for f in files if f.get("format") == "parquet"), key=lambda f: f["path"]):
        path = f"{folder}/{file['path']}"
        if not FileSystems.exists(path) or sha256_of(path) != file["sha256"]:
            continue  # file_faults has said so
        config, split = file["config"], file["split"]
        for row_id, document in _ids(path):
            key = row_id.encode("utf-8")
            if key <= last.get((config, split), b""):
                yield f"{file['path']}: id {row_id!r} is out of order or repeated"
            last[config, split] = key
            if split_of.setdefault((config, document), split) != split:
                yield f"{file['path']}: document {document!r} is in {split_of[config, document]} too"


def _ids(path: str) -> Iterator[tuple[str, str]]:
    """Yields (row id, document id); a dataset of documents has the former only."""
    with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as file:
        parquet = pq.ParquetFile(file)
        names = ["id", "document_id"] if "document_id" in parquet.schema_arrow.names else ["id"]
        for batch in parquet.iter_batches(columns=names):
            yield from zip(batch[names[0]].to_pylist(), batch[names[-1]].to_pylist(), strict=True)


def _format(file: Mapping[str, Any]):
    name = file.get("format", "")
    return FORMATS.get(name) or (REJECTS_FORMAT if name == "jsonl" else None)
