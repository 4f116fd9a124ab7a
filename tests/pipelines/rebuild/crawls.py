"""A crawl in Common Crawl's layout: months of small WARC files with articles of our own."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.pipelines.rebuild.corpora import write_corpus
from tests.transforms.sources.warc.warcs import http, members, record

_WHO = (
    "The mayor,A farmer,The company,One teacher,Her neighbour,The council,A doctor,The captain,My brother,An engineer"
)
_DID = "built,sold,found,painted,closed,opened,visited,described,repaired,praised,bought,photographed,measured,moved"
_WHAT = "the old bridge,a small harbour,the new school,a wooden boat,the stone mill,the town library,a red tractor"
_WHEN = "in spring,before the storm,after the war,last winter,on a Sunday,during the fair,without any help,at night"


def story(number: int) -> str:
    """The HTML of an article of its own words."""
    chance = random.Random(number)

    def sentence() -> str:
        who, did, what, when = (chance.choice(words.split(",")) for words in (_WHO, _DID, _WHAT, _WHEN))
        return f"{who} {did} {what} {when}, and {chance.randrange(2, 10_000)} people heard about it."

    paragraphs = "".join(f"<p>{' '.join(sentence() for _ in range(4))}</p>" for _ in range(4))
    return f"<html><head><title>Story {number}</title></head><body><article><h1>Story {number}</h1>{paragraphs}</article></body></html>"


def warc(*pages: tuple[int, int]) -> bytes:
    """A WARC file of pages: (number of the record, number of its story)."""
    begin = record(99, b"software: ours\r\n", kind=b"warcinfo")
    return members(begin, *(record(number, http(story(told).encode())) for number, told in pages))


def month_files(month: str, files: Mapping[str, bytes], *, prefix: str = "") -> dict[str, bytes]:
    """The files of a month and their list, by the path that a server has them at."""
    folder = f"crawl-data/CC-NEWS/{month.replace('-', '/')}"
    listed = "".join(f"{folder}/{name}\n" for name in files).encode()
    found = {f"{prefix}{folder}/{name}": data for name, data in files.items()}
    return {**found, f"{prefix}{folder}/warc.paths.gz": gzip.compress(listed, mtime=0)}


def write_news(folder: Path, base: str, *, changes: Mapping[str, Any] | None = None, **options: Any) -> Path:
    """Writes a corpus file of a crawl at ``base``; ``options`` are keys of its source, ``changes`` keys at its top."""
    source = {"crawl": "cc-news", "base": base, "connections": 3, **options}
    corpus = {
        "sources": {"news": source},
        "recipes": {"gaps": {"recipe": "gap-sentences", "splits": [1, 0, 0], "formats": ["parquet"]}},
        "guards": {"documents": "0..", "rows": "0.."},
    }
    return write_corpus(folder, **{**corpus, **(changes or {})})


def _month(month: int, *, stories: Iterable[int]) -> Mapping[str, bytes]:
    """Three files of four articles each."""
    pages = [(month * 100 + place, told) for place, told in enumerate(stories)]
    return {
        f"CC-NEWS-2026{month:02d}0{n + 1}000000-0000{n + 1}.warc.gz": warc(*pages[n * 4 : n * 4 + 4]) for n in range(3)
    }


# Three months. Half of the stories of September were there in August; in October four of each month are told again.
AUGUST = _month(8, stories=range(12))
SEPTEMBER = _month(9, stories=[*range(6), *range(20, 26)])
OCTOBER = _month(10, stories=[*range(6, 10), *range(20, 24), *range(40, 44)])


def used(told: Mapping[str, Any]) -> int:
    """The documents that a manifest says were used."""
    return int(told["counts"]["documents"]["used"])


def names(paths: Iterable[str]) -> list[str]:
    """The last parts of paths."""
    return [path.rpartition("/")[2] for path in paths]
