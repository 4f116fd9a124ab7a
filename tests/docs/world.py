"""What the commands of the documentation read: small files and datasets by the names of the large ones there."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from gistmill.pipelines.cli import main
from tests import dumps, snapshots
from tests.docs.pages import ROOT
from tests.transforms.sources.warc.warcs import http, members, record

_PARAGRAPHS = (
    "The old bridge over the river was closed by the town after the flood of last spring. The flood destroyed two arches "
    "of the bridge, and the council decided to repair them with stone. The work will take three years.",
    "The town built the bridge in the last century, when the old road to the market was closed. It has seven arches of "
    "stone, which stood in the river through every flood until this spring. On the second day of the flood two of the "
    "arches were destroyed, and the town closed the road. Nobody was hurt, but a farmer lost his cart and his horse.",
    "The council met in the school, because the hall stood under water. Some members wanted a new bridge of steel, but "
    "most of them wanted to repair the arches with stone from the same quarry. In the end the council decided so by a "
    "large majority. The work will cost more than a bridge of steel, and it will take three years, because the quarry "
    "can work only in summer. A ferry will cross the river until the repair is done.",
    "Farmers had asked for a ferry before. It takes ten people or two carts, and it costs nothing. The mayor said that the "
    "river has risen higher than in all the years for which there are records. He asked the people to keep the road to "
    "the ferry free, so that the doctor can pass. After the work the bridge will be as it was.",
)
TEXT = "\n\n".join(_PARAGRAPHS)
_HEAD = '<html lang="en"><head><title>Council repairs the old bridge after the flood</title></head><body><article>'


def _dump(path: Path) -> None:
    pages = [p for p in dumps.small_pages() if b"<redirect" not in p and b"<ns>0</ns>" in p][:3]
    dumps.write_multistream(path, pages, pages_per_stream=1, index=False)


def _snapshot(path: Path) -> None:
    pages = [p for p in dumps.small_pages() if b"<redirect" not in p and b"<ns>0</ns>" in p][:3]
    snapshots.write_archive(path, snapshots.of_export(pages))


def _crawl(path: Path) -> None:
    body = f"{_HEAD}<h1>Council repairs the old bridge after the flood</h1><p>{TEXT.replace(chr(10) * 2, '</p><p>')}</p></article></body></html>"
    path.write_bytes(members(*(record(n, http(body.encode())) for n in (1, 2))))


def _lines(path: Path) -> None:
    rows = [{"id": "a", "title": "The bridge", "published": "2020-01-02", "body": TEXT, "text": TEXT}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def _bodies(path: Path) -> None:
    path.write_text(json.dumps({"id": "a", "body": TEXT}) + "\n", encoding="utf-8")


def _notes(path: Path) -> None:
    path.mkdir()
    (path / "bridge.md").write_text(f"# The bridge\n\n{TEXT}\n", encoding="utf-8")


def _pairs(path: Path) -> None:
    rows = [
        {"id": f"p{n}", "document": TEXT, "summary": _PARAGRAPHS[n % 4].partition(". ")[0] + "."} for n in range(12)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _cut(path: Path) -> None:
    _dump(path)
    path.write_bytes(path.read_bytes()[:-900])


def _corpus(path: Path) -> None:
    path.write_text((ROOT / "corpora" / path.name).read_text("utf-8").replace("/data/news/", "news/"), "utf-8")
    (path.parent / "news").mkdir()
    _crawl(path.parent / "news/1.warc.gz")


def _text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


FILES: Mapping[str, Callable[[Path], object]] = {
    r"DUMP|(DUMP|dump|(en|ja)wiki-multistream|\$N)(\.xml\.bz2)?": _dump,
    r"enwiki_namespace_0\.tar\.gz": _snapshot,
    r"cut\.xml\.bz2": _cut,
    r"bodies\.jsonl": _bodies,
    r"notes": _notes,
    r"cnndm\.jsonl|pairs\.jsonl": _pairs,
    r".*\.warc\.gz": _crawl,
    r".*\.jsonl(\.gz)?": _lines,
    r"plain\.txt": _text("hello\n"),
    r"article\.txt": _text(TEXT),
    r"monthly\.corpus\.yaml": _corpus,
    r"run\.yaml": _text("model: tagger\ndatasets: out/demo\n"),
}
_DUMP = ("--input", "DUMP", "--quiet")
DATASETS: Mapping[str, tuple[str, ...]] = {
    r"discofuse-en|discofuse-sports|out/demo|OLD|NEW|OUTPUT": (
        "discofuse",
        *_DUMP,
        "--splits",
        "1,0,0",
        "--formats",
        "parquet,tfrecord,tsv",
    ),
    r"annotated-en": ("annotate", *_DUMP),
    r"articles-en": ("articles", *_DUMP),
    r"corpus-01": ("lead-bias", "--source", "warc", "--input", "news.warc.gz", "--keep-signatures", "--quiet"),
    r"pairs|changed": (
        "lead-bias",
        "--source",
        "jsonl",
        "--input",
        "texts.jsonl",
        "--splits",
        "1,0,0",
        "--deduplicate",
        "none",
    ),
    r"lead-bias-en|gaps-(?:en|html)|cnndm|few": ("gap-sentences", *_DUMP, "--splits", "1,0,0"),
}


class World:
    """A folder in which what is missing is made when a command names it.

    Args:
        kept: folder of all worlds: datasets are built in it once, and copied.
    """

    def __init__(self, kept: Path) -> None:
        self._kept = kept

    def provide(self, place: str) -> None:
        """Makes the file or dataset of this name in the current folder, if there is one of the name and it is not
        there."""
        path = Path(place.partition("#")[0].replace("*", "1"))
        for names, write in FILES.items():
            if re.fullmatch(names, str(path)) and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write(path)
                return
        for names, job in DATASETS.items():
            if re.fullmatch(names, str(path)) and not path.exists():
                shutil.copytree(self._dataset(job), path)
                if path.name == "changed":
                    (path / "README.md").write_text("edited", encoding="utf-8")

    def built(self, arguments: tuple[str, ...], output: str) -> int:
        """Runs a building job, or copies what an equal command built in another page; returns the exit code."""
        kept = self._kept / re.sub(r"\W+", "-", " ".join(arguments))[:200]
        if kept.exists() and not Path(output).exists():
            shutil.copytree(kept, output)
            return 0
        code = main([*arguments, "--output", output])
        if code == 0 and not kept.exists() and Path(output).is_dir():
            shutil.copytree(output, kept)
        return code

    def _dataset(self, job: tuple[str, ...]) -> Path:
        folder, here = self._kept / f"as-{job[0]}-{job[1]}", Path.cwd()
        if not folder.exists():
            work = self._kept / f"work-{job[0]}-{job[1]}"
            work.mkdir()
            os.chdir(work)
            try:
                self.provide(job[job.index("--input") + 1])
                assert main([*job, "--output", str(folder)]) == 0
            finally:
                os.chdir(here)
        return folder
