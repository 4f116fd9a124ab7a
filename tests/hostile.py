"""Datasets of strangers: copies of a real one that try to lead a reader out of their folder, and what they did."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import os
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from markdown_it import MarkdownIt

SECRET = "planted-7f3a-secret"  # in files outside of the dataset, which nobody may read
OUTSIDE = "outside"
# A text that is a heading, link, picture, script, command of a terminal and more, where it is not escaped.
HOSTILE = (
    "# INJECTED\n\n[Sign in again](https://evil.example/login) ![p](https://evil.example/t.png)\n<script>alert(1)"
    "</script> \x1b[2J\x07 \u202e `$(touch X)` | a |\n\n---\nlicense: mit\n---\n\n> quoted"
)

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
    **{
        f"configuration {n!r:.20}": (functools.partial(renamed, config=n), "is not a valid configuration name")
        for n in NAMES
    },
    **{f"path {p!r}": (functools.partial(changed, path=p), "must be a path below the dataset") for p in PATHS},
    "split": (lambda m: changed(m, split="../../evil"), "split must be a name"),
    "format": (lambda m: changed(m, format="../../evil"), "format must be a name"),
    "recipe": (lambda m: m | {"recipe": "../evil"}, "recipe must be a name"),
    "case": (
        lambda m: m | {"columns": m["columns"] | {n.upper(): c for n, c in m["columns"].items()}},
        "in different case",
    ),
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
    if path.name.endswith(".tfrecord.gz"):
        return path.read_bytes()
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


def _shards(folder: Path) -> list[Path]:
    return [folder / file["path"] for file in read(folder)["files"] if file.get("format") == "parquet"]


def _sealed(folder: Path) -> None:
    """Makes the manifest agree with the bytes of the files, so that nobody sees by these that they were changed."""
    manifest = read(folder)
    for file in manifest["files"]:
        data = (folder / file["path"]).read_bytes()
        file |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    write(folder, manifest)


def _rewritten(change: Callable[[pa.Table], pa.Table]) -> Callable[[Path], None]:
    def forge(folder: Path) -> None:
        for path in _shards(folder):
            pq.write_table(change(pq.read_table(path)), path)

    return forge


def _without_id(table: pa.Table) -> pa.Table:
    return table.drop_columns(["id"])


def _with_ids(values: Callable[[int], pa.Array]) -> Callable[[pa.Table], pa.Table]:
    return lambda table: table.set_column(table.schema.get_field_index("id"), "id", values(len(table)))


def _texts_as_numbers(table: pa.Table) -> pa.Table:
    for number, field in enumerate(table.schema):
        if field.type == pa.string() and field.name != "id":
            table = table.set_column(number, field.name, pa.array(range(len(table))))
    return table


def bomb(folder: Path) -> None:
    """Makes the first id of each shard, which has few bytes, one of 300 MiB."""
    options: dict[str, Any] = {"compression": "zstd", "use_dictionary": False, "write_statistics": False}
    for path in _shards(folder):
        table = pq.read_table(path)
        ids = pa.array(["x" * (300 << 20), *table["id"].to_pylist()[1:]])
        pq.write_table(table.set_column(table.schema.get_field_index("id"), "id", ids), path, **options)
        assert path.stat().st_size < 1 << 20
    _sealed(folder)


def _filled(content: bytes, name: str) -> Callable[[Path], None]:
    def forge(folder: Path) -> None:
        for path in folder.rglob(name):
            path.write_bytes(content)

    return forge


def _counting(change: Callable[[Manifest], Any]) -> Callable[[Path], None]:
    def forge(folder: Path) -> None:
        manifest = read(folder)
        change(manifest)
        write(folder, manifest)

    return forge


def _rejects(*lines: bytes) -> Callable[[Path], None]:
    return _filled(gzip.compress(b"\n".join(lines) + b"\n", mtime=0), "*.jsonl.gz")


_REJECT = {
    "reason": "DEADLINE",
    "text": "",
    "stage": "clean",
    "unit": "document",
    "detail": "",
    "title": "",
    "file": "x",
}
# Files that are not what their manifest, which is of the right form, says.
LYING: dict[str, Callable[[Path], None]] = {
    "rows without id": _rewritten(_without_id),
    "ids that are numbers": _rewritten(_with_ids(lambda rows: pa.array(range(rows)))),
    "ids that are not there": _rewritten(_with_ids(lambda rows: pa.nulls(rows, pa.string()))),
    "ids that are the same": _rewritten(_with_ids(lambda rows: pa.array(["same"] * rows))),
    "ids with commands for a terminal": _rewritten(
        _with_ids(lambda rows: pa.array([f"\x1b]0;{n:03}\x07\x9b31m\u202e\n" for n in range(rows)]))
    ),
    "numbers for texts": _rewritten(_texts_as_numbers),
    "no rows": _rewritten(lambda table: table.slice(0, 0)),
    "no Parquet": _filled(b"PAR1" + b"\xff" * 100 + b"PAR1", "*.parquet"),
    "no rejects": _filled(b"", "*.jsonl.gz"),
    "rejects that are not JSON": _rejects(b"{"),
    "rejects that are not objects": _rejects(b"[]", b"5", b'"x"', b"null"),
    "rejects without fields": _rejects(b'{"id":"short"}'),
    "rejects that are nested": _rejects(b'{"id":"short",' + b'"a":[' * 100_000),
    "rejects beyond numbers": _rejects(
        json.dumps({"id": "short", **_REJECT, "index": 10**40, "offset": -(10**40)}).encode()
    ),
    "rejects at no place": _rejects(json.dumps({"id": "short", **_REJECT, "index": -1, "offset": -5}).encode()),
    "more rows than there are": _counting(lambda m: [f.update(rows=2**62) for f in m["files"] if "rows" in f]),
    "counts of nothing": _counting(lambda m: m.update(counts={})),
    "counts of too much": _counting(
        lambda m: m.update(counts={g: dict.fromkeys(c, 2**63 - 1) for g, c in m["counts"].items()})
    ),
    "columns of other names": _counting(
        lambda m: [c.update(name=f"x-{c['name']}") for cs in m["columns"].values() for c in cs if c["name"] != "id"]
    ),
    "no configuration": _counting(lambda m: m.update(columns={})),
    "statistics that are a list": _filled(b"[]", "stats.json"),
    "statistics that are nested": _filled(b"[" * 100_000, "stats.json"),
    "statistics without end": lambda folder: os.truncate(folder / "stats.json", 1 << 30),
}


def lie(folder: Path, name: str) -> None:
    """Makes the files of a dataset lie, as LYING has it; their hashes do not tell."""
    LYING[name](folder)
    if not name.endswith("without end"):
        _sealed(folder)


def check_card(card: str) -> None:
    """Asserts that a card has nothing of HOSTILE but text."""
    _, front, body = card.split("---\n", 2)
    assert yaml.safe_load(front)["license"] == "other" and not re.search(r"[^\x20-\x7e\n]", front)
    assert "INJECTED" in body and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]", body)
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    headings = [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings[0] and not any("INJECTED" in heading or "license" in heading for heading in headings)
    inner = [child for token in tokens for child in token.children or ()]
    links = [str(child.attrs["href"]) for child in inner if child.type == "link_open"]
    assert not any("evil.example" in link for link in links)
    unwanted = {"image", "html_inline", "html_block", "hr", "blockquote_open"}
    assert not unwanted & ({token.type for token in tokens} | {child.type for child in inner})
