"""Small corpora for the tests of rebuilds, and a look at everything that a rebuild may leave."""

from __future__ import annotations

import bz2
import hashlib
import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import yaml

from gistmill.pipelines.cli import main
from gistmill.published.dataset import Dataset
from tests.commands import leftovers
from tests.dumps import content_file_export, of_namespace, page_id, small_pages, write_multistream
from tests.pipelines.rebuild.mirror import Mirror

WIKI = "simplewiki"


def articles() -> list[bytes]:
    """Short articles, which parse in seconds."""
    return [page for page in small_pages() if b"<redirect" not in page]


def put_month(mirror: Mirror, folder: Path, date: str, pages: list[bytes]) -> None:
    """Adds a multistream dump of some pages to a mirror."""
    path = folder / f"{WIKI}-{date}-pages-articles-multistream.xml.bz2"
    write_multistream(path, pages, pages_per_stream=2, index=True)
    files = [path, path.with_name(path.name.replace(".xml.bz2", "-index.txt.bz2"))]
    mirror.put_dump(WIKI, date, {file.name: file.read_bytes() for file in files})
    for file in files:
        file.unlink()


def put_export_month(mirror: Mirror, day: str, pages: list[bytes], *, files: int = 2) -> str:
    """Adds a content file export of some pages, each with a page of talk beside it, in several files."""
    ordered = sorted(pages, key=page_id)
    ordered = [p for page in ordered for p in (page, of_namespace(page, 1, page_id(page) + 1))]
    size = -(-len(ordered) // files)
    parts = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    names = [f"{WIKI}-{day}-p{page_id(part[0])}p{page_id(part[-1])}.xml.bz2" for part in parts]
    contents = (bz2.compress(content_file_export(part)) for part in parts)
    return mirror.put_export(WIKI, day, dict(zip(names, contents, strict=True)))


def write_texts(path: Path, count: int) -> None:
    """Writes JSON lines with short articles of their own words."""
    sentences = (
        "Otter number {0} swims in river {0}. Its food is fish. It sleeps on the bank. Nobody wakes it. It is brown."
    )
    lines = ({"id": f"o{i}", "title": f"Otter {i}", "text": [sentences.format(i)] * 2} for i in range(count))
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def write_corpus(folder: Path, **changes: Any) -> Path:
    """Writes a corpus file: gap sentences of the texts in ``texts.jsonl``; ``changes`` replace keys at its top."""
    corpus = {
        "publish": str(folder / "corpus"),
        "sources": {"texts": {"source": "jsonl", "input": str(folder / "texts.jsonl"), "deduplicate": "none"}},
        "recipes": {"gaps": {"recipe": "gap-sentences", "splits": [1, 0, 0], "formats": ["parquet"]}},
        **changes,
    }
    path = folder / "c.yaml"
    path.write_text(yaml.safe_dump(corpus), encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, or the target of a link, by path."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in [*names, *(f for f in folders if os.path.islink(os.path.join(place, f)))]:
            path = Path(place, name)
            content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
            found[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def served(corpus: Path) -> Path | None:
    """The folder of the version that is served; the pointer and the link agree."""
    pointer = corpus / "latest.json"
    if not pointer.exists():
        return None
    return corpus / json.loads(pointer.read_text(encoding="utf-8"))["path"]


def remains(corpus: Path) -> list[str]:
    """What a finished rebuild should not leave: temporary files, workspaces, plans, unfinished versions."""
    left = [str(p.relative_to(corpus)) for p in corpus.rglob("*") if p.suffix in (".tmp", ".part", ".pieces")]
    left += [str(p.relative_to(corpus)) for p in corpus.rglob(".*.gistmill-*")]
    left += [p.name for p in (corpus / "versions").iterdir() if not (p / "version.json").exists()]
    left += [name for name in ("rebuild.json", "latest") if (corpus / "state" / name).exists()]
    return left + leftovers(corpus)


def rebuilt(folder: Path, *arguments: object) -> tuple[int, dict[str, Any], str]:
    """Rebuilds ``c.yaml`` of a folder in this process; returns the code, the JSON object, and the lines for a person."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["rebuild", str(folder / "c.yaml"), *map(str, arguments)])
    summary = json.loads(out.getvalue()) if out.getvalue().startswith("{") else {}
    assert summary.get("exit_code", code) == code
    return code, summary, err.getvalue()


def rows_of(dataset: Path) -> list[dict[str, Any]]:
    """The rows of the training split of a dataset, without the file that each is of, and where in it."""
    return [{k: v for k, v in row.items() if k not in ("file", "offset")} for row in Dataset(dataset).rows("train")]
