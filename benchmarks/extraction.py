"""Compares article extraction with plain trafilatura, on public datasets of web pages with their articles.

    python -m benchmarks.extraction --set wcxb|zyte|trafilatura --data FOLDER [--half develop|check] [--stages|--rules]

FOLDER is a checkout: github.com/Murrough-Foley/web-content-extraction-benchmark (the articles of ``dev``),
github.com/scrapinghub/article-extraction-benchmark, or github.com/adbar/trafilatura (``tests``). Figures are counted as
in each dataset's own evaluation. ``wcxb``: words, averaged over pages, and the shares of wanted and unwanted snippets
in a text; ``folded`` ignores quotation marks and white space in wanted ones. ``zyte``: runs of four words.
``trafilatura``: snippets of all pages. Sites are assigned to halves by hash. ``--stages`` prints the text that each
stage removes, ``--rules`` the figures without each rule. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

import trafilatura
from tld import get_fld

from benchmarks.measuring import machine, table
from gistmill.core.records import Verdict
from gistmill.rules.news import article, html, lines, story
from gistmill.rules.news.article import FALLBACK, PROSE, WHOLE
from gistmill.rules.text.charset import decode_html
from gistmill.rules.text.language import language_of

DEVELOP, CHECK = "develop", "check"
_WORD = re.compile(r"\w+")
_QUOTES = str.maketrans("‘’“”", "''\"\"")
_NEVER = re.compile(r"(?!)")
# Rules that can be left out: name, module and attribute, and replacement.
RULES: dict[str, tuple[tuple[ModuleType | type, str, Any], ...]] = {
    "none": (),
    "meaning of elements": ((html, "resolve", lambda tree: None), (html, "join_initials", lambda tree: None)),
    "standfirst": ((html, "standfirsts", lambda tree, description: ()),),
    "longer text of readability": ((html, "_MUCH_MORE", 2.0),),
    "repeats": ((html, "_LEAST_REPEATED", float("inf")),),
    "lines: always, prompts": ((lines, "_ALWAYS", {}), (lines, "_PROMPTS", {})),
    "lines: unless speech": ((lines, "_UNLESS_SPEECH", {}),),
    "lines: anywhere, disclosures": ((lines, "_ANYWHERE", []), (lines, "_PROMPTS_ANYWHERE", [])),
    "lines: forms": tuple(
        (lines, name, _NEVER)
        for name in ("_LABEL", "_NOTICE", "_CAPTION", "_SHORT_CAPTION", "_DATE_LINE", "_COUNT", "_LAST_WORDS")
    ),
    "lines: other languages": (
        (story, "is_foreign_prompt", lambda text: False),
        (lines.SiteLines, "has", lambda *_: 0),
    ),
    "closing headings": ((story, "closes_article", lambda heading, language: False),),
    "credits": ((story, "is_credit", lambda text: False),),
    "heads": ((story, "_HEAD", 0),),
    "tails": ((story, "without_tail", lambda text: text), (story, "_without_foreign_tail", lambda text: text)),
    "notes": ((story, "without_notes", lambda texts, author: texts),),
    "edges": ((story, "_held", lambda kept: (0, len(kept))),),
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its article, or with snippets from inside and outside the article."""

    url: str
    html: bytes
    text: str = ""
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def half(self) -> str:
        """DEVELOP or CHECK, by the registered domain."""
        return (DEVELOP, CHECK)[sha256((get_fld(self.url, fail_silently=True) or self.url).encode()).digest()[0] % 2]


def wcxb_pages(folder: Path) -> Iterator[Page]:
    """Yields the pages of type article of the development part."""
    for path in sorted((folder / "dev" / "ground-truth").glob("*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        kind = (known.get("_internal") or {}).get("page_type", {})
        if (kind.get("primary", "article") if isinstance(kind, dict) else kind) == "article":
            gold = known["ground_truth"]
            snippets = (tuple(gold.get(key) or ()) for key in ("with", "without"))
            data = gzip.decompress((folder / "dev" / "html" / f"{path.stem}.html.gz").read_bytes())
            yield Page(known.get("url", path.stem), data, gold.get("main_content") or "", *snippets)


def zyte_pages(folder: Path) -> Iterator[Page]:
    """Yields all pages."""
    for key, gold in sorted(json.loads((folder / "ground-truth.json").read_text(encoding="utf-8")).items()):
        data = gzip.decompress((folder / "html" / f"{key}.html.gz").read_bytes())
        yield Page(gold.get("url", key), data, gold.get("articleBody", ""))


def trafilatura_pages(folder: Path) -> Iterator[Page]:
    """Yields all pages."""
    annotated = json.loads((folder / "tests" / "evaldata.json").read_text(encoding="utf-8"))
    for url, item in sorted(annotated.items()):
        places = (folder / "tests" / place / item["file"] for place in ("cache", "eval"))
        data = next(place for place in places if place.is_file()).read_bytes()
        yield Page(url, data, "", tuple(item["with"]), tuple(item["without"]))


def overlap(text: str, gold: str, *, run: int = 1) -> tuple[int, int, int]:
    """Returns the number of word runs that two texts share and that each contains; a shorter text counts as one run."""
    counts = []
    for words in (_WORD.findall(text), _WORD.findall(gold)):
        counts.append(Counter(tuple(words[i : i + run]) for i in range(max(len(words) - run + 1, bool(words)))))
    return (counts[0] & counts[1]).total(), counts[0].total(), counts[1].total()


def held(text: str, snippets: Sequence[str], form: Callable[[str], str]) -> int:
    """Returns the number of snippets found in a text, after applying ``form`` to both."""
    text = form(text)
    return sum(form(snippet) in text for snippet in snippets)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    return _spaced(text.lower().translate(_QUOTES))


def _share(part: float, whole: float, otherwise: float = 0.0) -> float:
    return part / whole if whole else otherwise


def _f1(precision: float, recall: float) -> float:
    return _share(2 * precision * recall, precision + recall)


def wcxb_scores(pages: Sequence[Page], texts: Sequence[str]) -> dict[str, float]:
    """Returns means over the pages."""
    rows = []
    for page, text in zip(pages, texts, strict=True):
        same, found, gold = overlap(text.lower(), page.text.lower())
        empty = float(not found and not gold)
        precision, recall = _share(same, found, empty), _share(same, gold, empty)
        wanted, folded = (_share(held(text, page.wanted, f), len(page.wanted), 1.0) for f in (str.lower, _plain))
        left = _share(held(text, page.unwanted, str.lower), len(page.unwanted), 1.0)
        rows.append((precision, recall, _f1(precision, recall), wanted, folded, left))
    names = "precision recall F1 wanted folded unwanted".split()
    return dict(zip(names, map(fmean, zip(*rows, strict=True)), strict=True))


def zyte_scores(pages: Sequence[Page], texts: Sequence[str]) -> dict[str, float]:
    """Returns the mean precision and recall over the pages, and the F1 of both."""
    rows = [overlap(text, page.text, run=4) for page, text in zip(pages, texts, strict=True)]
    precision = fmean([same / found for same, found, _ in rows if found])
    recall = fmean([same / gold for same, _, gold in rows if gold])
    return {"precision": precision, "recall": recall, "F1": _f1(precision, recall)}


def trafilatura_scores(pages: Sequence[Page], texts: Sequence[str]) -> dict[str, float]:
    """Returns figures for the snippets of all pages."""
    both = list(zip(pages, texts, strict=True))
    right, wrong = (sum(held(t, getattr(p, name), _spaced) for p, t in both) for name in ("wanted", "unwanted"))
    precision, recall = _share(right, right + wrong), _share(right, sum(len(p.wanted) for p in pages))
    return {"precision": precision, "recall": recall, "F1": _f1(precision, recall)}


SETS: dict[str, tuple[Callable[[Path], Iterator[Page]], Callable[..., dict[str, float]]]] = {
    "wcxb": (wcxb_pages, wcxb_scores),
    "zyte": (zyte_pages, zyte_scores),
    "trafilatura": (trafilatura_pages, trafilatura_scores),
}


@dataclass(slots=True)
class Extraction:
    """Extracted pages in one view: texts, processor seconds, the number of fallbacks, and the blocks."""

    view: str
    texts: list[str] = field(default_factory=list)
    articles: list[article.Article] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, page: Page) -> None:
        """Extracts and cleans a page's article, as a job does."""
        start = time.process_time()
        found = html.extract_article((decode_html(page.html, "text/html"), page.url), view=self.view)
        if isinstance(found, Verdict):
            found = article.Article()
        self.texts.append(cleaned(found, self.view))
        self.seconds += time.process_time() - start
        self.articles.append(found)


def cleaned(found: article.Article, view: str) -> str:
    """Returns an article's text without the site's own lines."""
    language = language_of("\n".join(found.paragraphs), frozenset())
    known = {"title": found.title, "author": found.author, "site": found.site, "language": language}
    if view == WHOLE:
        return "\n".join(story.clean_article(found.blocks, **known))
    return "\n".join(story.clean_news(found.paragraphs, **known))


def plain(page: Page, *, metadata: bool = False) -> tuple[str, float]:
    """Returns the text that trafilatura extracts from a page, and the processor seconds."""
    start = time.process_time()
    text = trafilatura.extract(page.html, include_comments=False, with_metadata=metadata) or ""
    return text, time.process_time() - start


def of_view(pages: Sequence[Page], view: str) -> Extraction:
    """Returns the articles of pages."""
    made = Extraction(view)
    for page in pages:
        made.add(page)
    return made


@contextmanager
def left_out(rule: str) -> Iterator[None]:
    """Disables a rule within the context."""
    before = [(place, name, getattr(place, name)) for place, name, _ in RULES[rule]]
    try:
        for place, name, instead in RULES[rule]:
            setattr(place, name, instead)
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


def stages(pages: Sequence[Page], whole: Extraction) -> list[list[str]]:
    """Returns a row per stage, with the numbers of article words and other words that it removes."""
    texts: dict[str, list[str]] = {"page": [], "extractor": ["\n".join(found.paragraphs) for found in whole.articles]}
    texts["page"] = [trafilatura.html2txt(page.html) for page in pages]
    with left_out("edges"):
        texts["lines, heads, tails"] = [cleaned(found, WHOLE) for found in whole.articles]
    texts["edges: whole"] = whole.texts
    texts["not prose: prose"] = of_view(pages, PROSE).texts
    rows, before = [], (0, 0)
    for name, found in texts.items():
        counts = [overlap(text.lower(), page.text.lower()) for page, text in zip(pages, found, strict=True)]
        same, others = sum(c[0] for c in counts), sum(c[1] - c[0] for c in counts)
        rows.append([name, *(f"{n:,}" for n in (same, others, before[0] - same, before[1] - others))])
        before = same, others
    rows[0][3:] = ["", ""]
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=tuple(SETS), required=True)
    parser.add_argument("--data", type=Path, required=True, help="path of a checkout of the dataset")
    parser.add_argument("--half", choices=(DEVELOP, CHECK), help="only these sites (default: all)")
    parser.add_argument("--stages", action="store_true", help="print the text removed by each stage (wcxb, zyte)")
    parser.add_argument("--rules", action="store_true", help="print whole-article figures without each rule in turn")
    arguments = parser.parse_args(argv)
    read, scores_of = SETS[arguments.set]
    pages = [page for page in read(arguments.data) if arguments.half in (None, page.half)]
    print(f"{machine(('trafilatura', 'lxml'))}\n{len(pages)} pages")
    figures: dict[str, dict[str, float]] = {}
    if arguments.rules:
        whole = of_view(pages, WHOLE)
        for rule, places in RULES.items():
            again = any(place is html for place, _, _ in places)
            with left_out(rule):
                found = of_view(pages, WHOLE).articles if again else whole.articles
                figures[f"without {rule}"] = scores_of(pages, [cleaned(each, WHOLE) for each in found])
    else:
        whole, prose = Extraction(WHOLE), Extraction(PROSE)
        others: dict[str, list[tuple[str, float]]] = {"trafilatura.extract": [], "the same with metadata": []}
        for page in pages:  # in turn, so that the times compare
            whole.add(page)
            prose.add(page)
            text, spent = plain(page)
            others["trafilatura.extract"].append((text, spent))
            others["the same with metadata"].append((text, plain(page, metadata=True)[1]))
        made = {"whole article": (whole.texts, whole.seconds), "prose": (prose.texts, prose.seconds)}
        made |= {name: ([text for text, _ in found], sum(s for _, s in found)) for name, found in others.items()}
        for name, (texts, used) in made.items():
            figures[name] = {**scores_of(pages, texts), "ms a page": 1000 * _share(used, len(pages))}
        print(f"fallback: {sum(found.extraction == FALLBACK for found in whole.articles)} pages")
    cells = [[name, *(f"{value:.4g}" for value in row.values())] for name, row in figures.items()]
    print(table(("", *next(iter(figures.values()))), cells))
    if arguments.stages:
        print(table(("stage", "of the article", "other words", "takes away", "other words"), stages(pages, whole)))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
