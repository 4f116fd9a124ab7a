"""Cleaned articles beside trafilatura's own, on the pages and segments of trafilatura's evaluation.

    python -m benchmarks.article_pages CHECKOUT [--half a|b]

CHECKOUT is a checkout of https://github.com/adbar/trafilatura, which has the pages in ``tests``. Each page has segments
that belong to its article and segments that do not. A segment is found if the text holds it, white space aside, as in
trafilatura's ``tests/eval_common.py``. Pages are in half a or b by the hash of their file's name. The last line is one
JSON object.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import trafilatura

from benchmarks.measuring import machine, table
from gistmill.core.records import Origin
from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.rules.text.charset import decode_html
from gistmill.transforms.steps.clean import CleanConfig, Cleaner


@dataclass(frozen=True, slots=True)
class Page:
    """A page with segments that are part of its article, and segments that are not."""

    name: str
    html: bytes
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    @property
    def half(self) -> str:
        """Returns "a" or "b"."""
        return "ab"[sha256(self.name.encode()).digest()[0] % 2]


@dataclass(slots=True)
class Counts:
    """Segments that were found and that were not."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, page: Page, text: str) -> None:
        """Counts the segments of one page, given what was made of it."""
        text = folded(text)
        right = sum(folded(segment) in text for segment in page.wanted)
        self.right += right
        self.missed += len(page.wanted) - right
        self.wrong += sum(folded(segment) in text for segment in page.unwanted)

    def scores(self) -> dict[str, float]:
        """Precision, recall and F1."""
        precision, recall = self.right / (self.right + self.wrong), self.right / (self.right + self.missed)
        return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / (precision + recall)}


def folded(text: str) -> str:
    """Returns text with single spaces."""
    return " ".join(text.split())


def evaluation_pages(checkout: Path) -> Iterator[Page]:
    """Yields the pages of the evaluation, by name."""
    annotated = json.loads((checkout / "tests" / "evaldata.json").read_text(encoding="utf-8"))
    for item in sorted(annotated.values(), key=lambda item: item["file"]):
        places = (checkout / "tests" / folder / item["file"] for folder in ("cache", "eval"))
        html = next(place for place in places if place.is_file()).read_bytes()
        yield Page(item["file"], html, tuple(item["with"]), tuple(item["without"]))


def article(page: Page, cleaner: Cleaner) -> str:
    """Returns the paragraphs that a job has of the page."""
    document = RawDocument(Origin(page.name, "jsonl"), decode_html(page.html, "text/html"), "html")
    cleaned = cleaner.clean(document)
    return "\n".join(cleaned.sections[0].paragraphs) if isinstance(cleaned, CleanDocument) else ""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of trafilatura")
    parser.add_argument("--half", choices=("a", "b"), help="only these pages (default: all)")
    args = parser.parse_args()
    print(machine(("trafilatura", "lxml")))
    pages = [page for page in evaluation_pages(args.checkout) if args.half in (None, page.half)]
    cleaners = {
        "cleaned articles": Cleaner(CleanConfig(languages=("any",))),
        "--keep-lists": Cleaner(CleanConfig(languages=("any",), keep_lists=True)),
    }
    counts = {name: Counts() for name in (*cleaners, "trafilatura.extract")}
    for page in pages:
        for name, cleaner in cleaners.items():
            counts[name].add(page, article(page, cleaner))
        counts["trafilatura.extract"].add(page, trafilatura.extract(page.html, include_comments=False) or "")
    for cleaner in cleaners.values():
        cleaner.close()
    scores = {name: count.scores() for name, count in counts.items()}
    cells = [[name, *(f"{value:.3f}" for value in values.values())] for name, values in scores.items()]
    print(f"{len(pages)} pages, {sum(len(p.wanted) for p in pages)} segments of articles\n")
    print(table(("", "precision", "recall", "F1"), cells))
    print(json.dumps(scores))


if __name__ == "__main__":
    main()
