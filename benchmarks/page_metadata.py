"""Compares ``page_metadata`` with trafilatura's ``extract_metadata`` on the metadata that news pages state.

    git --git-dir WCXB.git archive HEAD dev | tar --extract --directory FOLDER
    python -m benchmarks.page_metadata --data FOLDER [--half develop] [--show author]

The pages are articles of the development part of WCXB (Murrough-Foley/web-content-extraction-benchmark), in the order
of the SHA-256 of their registered domains, whose parity says in which half a domain is: 100 pages of each half. A field
is compared with all that the page states (JSON-LD, Open Graph, ``meta``, ``<time>``, ``rel=canonical``, ``<h1>``), and
with the title, author and date that the set records. A canonical address is one of the same site, and not its home.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from courlan import extract_domain
from lxml.html import HtmlElement
from trafilatura import load_html
from trafilatura.metadata import extract_metadata
from trafilatura.settings import Document
from trafilatura.utils import as_list

from benchmarks.measuring import table
from gistmill.rules.news.metadata import page_metadata
from gistmill.rules.news.titles import Place, clean_title

PAGES = 100
FIELDS = ("headline", "author", "date", "url", "site")
_RECORDED = {"headline": "title", "author": "author", "date": "publish_date"}
_HEADER = ("field", "compared with", "extractor", "same", "differs", "empty, stated", "given, not stated", "neither")
# Elements that contain a field.
_METAS = {
    "og:title": "headline", "og:url": "url", "og:site_name": "site", "article:published_time": "date",
    "author": "author", "article:author": "author", "date": "date", "datepublished": "date", "pubdate": "date",
    "parsely-pub-date": "date", "dc.date.issued": "date", "citation_publication_date": "date",
}  # fmt: skip


class Example(NamedTuple):
    """A page, its URL, and the fields recorded in the dataset."""

    id: str
    page: str
    url: str
    recorded: Mapping[str, Set[str]]


def examples(folder: Path, half: str) -> list[Example]:
    """Returns the first pages of a half of the articles, ``develop`` or ``check``."""
    order = []
    for path in sorted((folder / "dev" / "ground-truth").glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if truth.get("url") and truth["_internal"]["page_type"]["primary"] == "article":
            digest = hashlib.sha256((extract_domain(truth["url"]) or "").encode()).digest()
            if digest[-1] % 2 == ("develop", "check").index(half):
                order.append((digest, path.stem, truth))
    found = []
    for _, name, truth in sorted(order, key=lambda item: item[:2])[:PAGES]:
        page = gzip.decompress((folder / "dev" / "html" / f"{name}.html.gz").read_bytes()).decode(errors="replace")
        values = {field: truth["ground_truth"].get(key) or "" for field, key in _RECORDED.items()}
        recorded = {field: {_comparable(field, value, truth["url"])} - {""} for field, value in values.items()}
        found.append(Example(name, page, truth["url"], recorded))
    return found


def extracted(found: Document, url: str) -> dict[str, str]:
    """Returns the fields of an extractor's result, normalised for comparison."""
    place = Place(found.sitename or "", found.url or url)
    values = (clean_title(found.title or "", place), found.author, found.date, found.url, found.sitename)
    return {field: _comparable(field, value or "", url) for field, value in zip(FIELDS, values, strict=True)}


def _comparable(field: str, value: str, url: str) -> str:
    """Normalises a value for comparison; returns "" if it is not valid for the field."""
    if field == "date":
        return found[0] if (found := re.match(r"\d{4}-\d\d-\d\d", value)) else ""
    if field == "url":
        parts = urlsplit(urljoin(url, value))
        same_site = extract_domain(parts.geturl()) == extract_domain(url)
        place = f"{(parts.hostname or '').removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"
        return place if value and same_site and (parts.path.strip("/") or parts.query) else ""
    if field == "author":
        names = re.split(r"\s*(?:;|,| and | & )\s*", value)
        folded = [_folded(re.sub("^by ", "", name, flags=re.I)) for name in names]
        return "; ".join(sorted([name for name in folded if " " in name] or filter(None, folded)))  # without degrees
    return _folded(value)


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def stated(tree: HtmlElement, url: str) -> dict[str, set[str]]:
    """Returns a page's own metadata: all stated values of each field, normalised for comparison."""
    found: dict[str, set[str]] = {field: set() for field in FIELDS}
    raw = [*_in_elements(tree), *_in_json(tree, url)]
    texts = [(field, re.sub("<[^<>]*>", "", value).strip()) for field, value in raw if isinstance(value, str)]
    sites = sorted({text for field, text in texts if field == "site"})
    for field, text in texts:
        if field == "author" and (" " not in text or "@" in text or "//" in text or text in sites):
            continue
        for site in sites or [""] if field == "headline" else ():
            text = clean_title(text, Place(site, url))
        found[field].add(_comparable(field, text, url))
    return {field: values - {""} for field, values in found.items()}


def _in_elements(tree: HtmlElement) -> Iterator[tuple[str, str | None]]:
    for meta in tree.iter("meta"):
        for name in ("property", "name", "itemprop"):
            if field := _METAS.get(meta.get(name, "").lower()):
                yield field, meta.get("content")
    headings = list(tree.iter("h1"))
    yield "headline", headings[0].text_content() if len(headings) == 1 else None
    for link in tree.iterfind('.//link[@rel="canonical"]'):
        yield "url", link.get("href")
    for time in tree.iter("time"):
        if "pubdate" in time.attrib or time.get("itemprop") == "datePublished":
            yield "date", time.get("datetime") or time.text_content()


def _in_json(tree: HtmlElement, url: str) -> Iterator[tuple[str, Any]]:
    """Yields the JSON-LD fields of the site, and of the article at a URL or otherwise the first article."""
    nodes: list[dict[str, Any]] = []
    for script in tree.iterfind('.//script[@type="application/ld+json"]'):
        with suppress(ValueError):
            tops = [top for top in as_list(json.loads(script.text or "", strict=False)) if isinstance(top, dict)]
            nodes += [node for top in tops for node in (top, *as_list(top.get("@graph"))) if isinstance(node, dict)]
    known = {str(node["@id"]): node for node in nodes if "@id" in node}
    yield from (("site", node.get("name")) for node in nodes if node.get("@type") == "WebSite")
    articles = [node for node in nodes if re.search("article|posting", str(node.get("@type")), re.I)]
    pages = [node.get("mainEntityOfPage") or node.get("url") for node in articles]
    addresses = [page.get("@id") if isinstance(page, dict) else page for page in pages]
    here = [node for node, address in zip(articles, addresses, strict=True) if str(address).startswith(url)]
    for node in here or articles[:1]:
        publisher = node.get("publisher")
        yield "headline", node.get("headline")
        yield "date", node.get("datePublished")
        yield "site", publisher.get("name") if isinstance(publisher, dict) else publisher
        people = [a if isinstance(a, dict) else {"name": a} for a in as_list(node.get("author"))]
        people = [known.get(str(a.get("@id")), {}) | a for a in people]
        names = [a.get("name") for a in people if str(a.get("@type", "Person")).title() == "Person"]
        yield "author", "; ".join(name for name in names if isinstance(name, str))
    yield from (("url", address) for address in addresses if str(address).startswith(url))


def outcome(ours: str, theirs: Set[str]) -> str:
    """Returns the result column for a value compared with all stated values."""
    if not ours:
        return "empty, stated" if theirs else "neither"
    return "same" if ours in theirs else "differs" if theirs else "given, not stated"


def main() -> None:
    """Prints the table and the values of a field that differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that contains the dataset's dev folder")
    parser.add_argument("--half", choices=("develop", "check"), default="check")
    parser.add_argument("--show", choices=FIELDS, help="list the pages on which this field differs")
    options = parser.parse_args()
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for each in examples(options.data, options.half):
        tree = load_html(each.page)
        if tree is None:
            continue
        said = stated(tree, each.url)
        theirs = extracted(extract_metadata(load_html(each.page), default_url=each.url), each.url)
        ours = extracted(page_metadata(tree, each.url), each.url)
        for field in FIELDS:
            for source, values in (("page", said), ("set", each.recorded)):
                for extractor, answer in (("ours", ours), ("trafilatura", theirs)):
                    if field in values:
                        key = (field, source, extractor)
                        counts.setdefault(key, Counter())[outcome(answer[field], values[field])] += 1
            if field == options.show and outcome(ours[field], said[field]) not in ("same", "neither"):
                print(each.id, repr(ours[field]), repr(theirs[field]), sorted(said[field]), each.recorded.get(field))
    print(table(_HEADER, [(*key, *(str(count[name]) for name in _HEADER[3:])) for key, count in counts.items()]))


if __name__ == "__main__":
    main()
