"""Datasets of strangers: copies of a real one that try to lead a reader out of their folder, and what to look at then."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

SECRET = "planted-7f3a-secret"  # in files outside of the dataset, which nobody may read
OUTSIDE = "outside"

Manifest = dict[str, Any]


def plant(world: Path) -> Path:
    """Puts secrets into a folder that is not the dataset's, and returns it."""
    folder = world / OUTSIDE
    folder.mkdir()
    (folder / "secret.txt").write_text(f"{SECRET}\n")
    (folder / "secret.json").write_text(json.dumps({"recipe": SECRET, "manifest_version": SECRET}))
    return folder


def renamed(manifest: Manifest, config: str) -> Manifest:
    """The manifest with its first configuration under another name."""
    old = next(iter(manifest["columns"]))
    manifest["columns"] = {config if name == old else name: c for name, c in manifest["columns"].items()}
    counts = manifest["counts"]
    manifest["counts"] = {f"rows/{config}" if group == f"rows/{old}" else group: c for group, c in counts.items()}
    for file in manifest["files"]:
        if file.get("config") == old:
            file["config"] = config
    return manifest


def moved(manifest: Manifest, path: str) -> Manifest:
    """The manifest with another path for its first shard."""
    _shard(manifest)["path"] = path
    return manifest


def changed(manifest: Manifest, **values: Any) -> Manifest:
    """The manifest with other values in the entry of its first shard."""
    _shard(manifest).update(values)
    return manifest


def _shard(manifest: Manifest) -> Manifest:
    return next(file for file in manifest["files"] if file.get("format") == "parquet")


NAMES = ("../../../evil", "/tmp/evil", "a/b", "a\\b", "..", "", "a\0b", "\x1b[31mred", "rejects", "Ｆull", "n" * 300)
PATHS = (
    f"../../{OUTSIDE}/secret.txt",
    f"full/../../../{OUTSIDE}/secret.txt",
    "/etc/hostname",
    "file:///etc/hostname",
    "gs://bucket/secret",
    "s3://bucket/secret",
    "a//b",
    "./a",
    ".hidden",
    "a\\..\\b",
    "a\0b",
    "a\nb",
    "a\u202eb",
    "",
)
# What the manifest must not say, and words of the line that tells of it.
FORGED: dict[str, tuple[Callable[[Manifest], Any], str]] = {
    **{f"configuration {name!r:.20}": (lambda m, n=name: renamed(m, n), "cannot be the name") for name in NAMES},
    **{f"path {path!r}": (lambda m, p=path: moved(m, p), "must be a path below the dataset") for path in PATHS},
    "split": (lambda m: changed(m, split="../../evil"), "split must be a name"),
    "format": (lambda m: changed(m, format="../../evil"), "format must be a name"),
    "recipe": (lambda m: m | {"recipe": "../evil"}, "recipe must be a name"),
    "case": (lambda m: m | {"columns": m["columns"] | {n.upper(): c for n, c in m["columns"].items()}}, "but for its"),
    "no id": (lambda m: m | {"columns": dict.fromkeys(m["columns"], [])}, "has no column 'id'"),
    "type of a column": (
        lambda m: m | {"columns": {n: [*c, {**c[0], "name": "x", "type": "map"}] for n, c in m["columns"].items()}},
        "unknown column type 'map'",
    ),
    "number for a name": (lambda m: m | {"recipe": 5}, "recipe must be a string"),
    "text for a number": (lambda m: changed(m, bytes="12"), "bytes must be a whole number"),
    "rows below zero": (lambda m: changed(m, rows=-1), "rows must be from 0"),
    "rows beyond count": (lambda m: changed(m, rows=10**30), "rows must be from 0"),
    "hash": (lambda m: changed(m, sha256="zz"), "sha256 must be 64 hexadecimal digits"),
    "files": (lambda m: m | {"files": {}}, "files must be an array"),
    "no files": (lambda m: {k: v for k, v in m.items() if k != "files"}, "has no field 'files'"),
    "counts": (lambda m: m | {"counts": {"rows/full": 3}}, "must be an object"),
}


def write(folder: Path, value: Any) -> None:
    """Puts a forged manifest into a dataset."""
    (folder / "manifest.json").write_text(json.dumps(value), encoding="utf-8")


def read(folder: Path) -> Manifest:
    """The manifest of a dataset, to be forged."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def link_out(folder: Path, outside: Path, ending: str) -> None:
    """Makes links of all files whose names end so, which lead to files with secrets. The manifest has their hashes."""
    manifest = read(folder)
    for number, file in enumerate(f for f in manifest["files"] if f["path"].endswith(ending)):
        path, target = folder / file["path"], outside / f"{number}-{Path(file['path']).name}"
        target.write_bytes(_with_secret(path))
        path.unlink()
        path.symlink_to(target)
        file |= {"bytes": target.stat().st_size, "sha256": hashlib.sha256(target.read_bytes()).hexdigest()}
    write(folder, manifest)


def _with_secret(path: Path) -> bytes:
    if path.suffix != ".parquet":
        lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        return gzip.compress("".join(json.dumps(one | {"detail": SECRET}) + "\n" for one in lines).encode(), mtime=0)
    table = pq.read_table(path)
    for number, field in enumerate(table.schema):
        if field.type == pa.string() and field.name not in ("id", "document_id"):
            table = table.set_column(number, field, pa.array([SECRET] * len(table)))
    pq.write_table(table, path)
    return path.read_bytes()


def seen(world: Path, *, but: Path) -> dict[str, object]:
    """Everything below a folder but what is below another one: the files with their times, and where links lead."""
    found: dict[str, object] = {}
    for path in sorted(p for p in world.rglob("*") if but not in (p, *p.parents)):
        of_file = os.readlink(path) if path.is_symlink() else (path.stat().st_size, path.stat().st_mtime_ns)
        found[str(path.relative_to(world))] = None if path.is_dir() else of_file
    return found


def tells(data: bytes) -> bool:
    """Whether a secret is in bytes, packed or not."""
    if data.startswith(b"\x1f\x8b"):
        data = zlib.decompressobj(wbits=31).decompress(data)
    return SECRET.encode() in data
