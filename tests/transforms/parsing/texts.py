"""Texts of every kind, to compare parsers on: of the slice of Wikipedia, of ``tests/data``, real ones, and made up."""

from __future__ import annotations

import csv
import html
import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.rules.wiki.wikitext import clean_wikitext
from gistmill.transforms.sources.files.ranges import InputFile
from gistmill.transforms.sources.warc.source import WarcConfig, plan_file, read_range
from gistmill.transforms.steps.clean import Cleaner

_BODY = re.compile(rb"<text[^>]*>(.*?)</text>", re.S)

EDGES = [
    "",
    " ",
    "\n",
    "\t \t\n\n ",
    "\u00a0",
    "\u2003\u200b\ufeff",
    "a",
    ".",
    "...",
    "!?",
    " leading and trailing ",
    "two  blanks   three    four",
    "tab\tin\tthe\tmiddle",
    "line\nbreak\n\nand more\r\nof them",
    "a no\u00a0break space and a thin\u2009one",
    "😀",
    "She smiled 😀😀 and left 👩‍👩‍👧‍👦 quickly 🇫🇷.",
    ":) :-( :'( <3 >.< (^_^) : ) ; )",
    "y'all gon na love it, ain't ya? Got ta go. Let 's see. C'm on! Y' all come.",
    "There is one. There's another. There 're more; there was, there were.",
    "I'm gonna; they're gotta; we'll wanna; can't, won't, shan't, cannot, n't.",
    "ai n't",
    "gon",
    "there",
    "Dr. Smith (born 1901) didn't  go; he was ill. They met in the U.S. in 1920.",
    "http://www.example.org/a?b=c&d=e#f mail@example.org www.x.com/y_(z)",
    "$5.00 10% 3rd 4x4 1,000,000 1990s '90s 10:30am 2/3 -5 +7 ½ €20 £3m",
    "e.g. i.e. etc. vs. a.m. p.m. Inc. Ltd. St. Mt. No. 5",
    "Новый год наступил. 北京是中国的首都。 مرحبا بالعالم ελληνικά",
    "ALL CAPITALS SHOUT AT JOHN SMITH IN NEW YORK ON MONDAY.",
    "no capitals here john smith of new york met apple inc. on monday",
    "“Quoted,” she said, ‘and again’ — with – dashes ‐ of all − kinds…",
    "a/b and/or c\\d e|f g_h i^j k~l `m` {n} [o] <p> q*r #s @t",
    "nested (brackets (in (brackets [and {more}])))",
    "Word " * 400,
    "The cat sat on the mat. " * 60,
    "A sentence, which, although it never, in any way, ends, goes on, and on, and on, " * 25,
    "x" * 10_000,
    "aé" * 2_000,
    ". " * 500,
    "\n".join(["A list", "of lines", "without stops"] * 40),
    "New York City, United States of America, " * 60,
    "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo.",
    "\ud7ff\ue000 private use \U000f0000 \x00 \x1f \x7f control",
]


def edge_texts() -> list[str]:
    """Awkward texts, and words of all of them in random order."""
    chosen = random.Random(7)
    words = [word for text in EDGES for word in set(text.split())]
    return [*EDGES, *(" ".join(chosen.choices(words, k=length)) for length in range(1, 60, 3))]


def slice_texts(pages: Iterable[bytes]) -> Iterator[str]:
    """Paragraphs of pages of the slice of Wikipedia."""
    for page in pages:
        for body in _BODY.findall(page):
            for section in clean_wikitext(html.unescape(body.decode())):
                yield from section.paragraphs


def gap_texts(path: Path) -> Iterator[str]:
    """Texts of a file of GAP."""
    with path.open(encoding="utf-8", newline="") as lines:
        yield from (row["Text"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def discofuse_texts(path: Path) -> Iterator[str]:
    """Sentences of rows of DiscoFuse, cut into tokens."""
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield f"{row['coherent_first_sentence']} {row['coherent_second_sentence']}"


def summary_texts(path: Path) -> Iterator[str]:
    """Documents and their summaries, in lower case and cut into tokens."""
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield from (row["document"], row["summary"])


def news_texts(path: Path) -> Iterator[str]:
    """Paragraphs of a crawl of news."""
    cleaner = Cleaner()
    for place in plan_file(InputFile(str(path), path.stat().st_size, 0), WarcConfig())[0]:
        for element in read_range(place, WarcConfig()):
            cleaned = cleaner.clean(element) if isinstance(element, RawDocument) else element
            if isinstance(cleaned, CleanDocument):
                yield from (p for section in cleaned.sections for p in section.paragraphs)
    cleaner.close()
