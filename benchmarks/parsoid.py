"""Pages in Parsoid's HTML beside the same pages in wikitext: what cleaning finds in both, and how long it takes.

    python -m benchmarks.parsoid [--input DUMP] [--rounds 5]

No snapshot is needed: ``benchmarks/parsoid_pages.py`` makes the HTML of the wikitext. A parser takes a page apart and
asks each element for what cleaning asks. mwparserfromhtml is measured if it is installed. Rates are articles a second
of processor time, medians of runs in turn. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import functools
import html
import json
import re
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from lxml.etree import HTMLParser, fromstring, iterwalk
from resiliparse.parse.html import HTMLTree, NodeType, traverse_dom

from benchmarks.measuring import in_turn, machine, median, table, timed
from benchmarks.parsoid_pages import parsoid_html
from benchmarks.slice import slice_path
from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.parsoid import clean_parsoid
from gistmill.rules.wiki.wikitext import clean_wikitext

_ELEMENT = re.compile(rb"<page>.*?</page>", re.DOTALL)
_ATTRIBUTES = ("typeof", "class", "about", "style", "role")


class Both(NamedTuple):
    """A page in both forms."""

    title: str
    wikitext: str
    html: str


def pages_of(path: Path) -> Iterator[Both]:
    """Yields the articles of an export in bz2."""
    for element in map(bytes.decode, _ELEMENT.findall(bz2.decompress(path.read_bytes()))):
        if "<redirect" in element or "<ns>0</ns>" not in element:
            continue
        title, text = (html.unescape(_inside(element, tag)) for tag in ("title", "text"))
        yield Both(title, text, parsoid_html(text, title))


def _inside(element: str, tag: str) -> str:
    found = re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", element, re.DOTALL)
    return found[1] if found else ""


def _lxml(page: str) -> None:
    for event, element in iterwalk(fromstring(page.encode(), HTMLParser(encoding="utf-8")), events=("start", "end")):
        _ = (element.tag, element.text, *map(element.get, _ATTRIBUTES)) if event == "start" else element.tail


def _resiliparse(page: str) -> None:
    def started(context) -> None:  # type: ignore[no-untyped-def]
        node = context.node
        if node.type == NodeType.ELEMENT:
            _ = (node.tag, *map(node.getattr, _ATTRIBUTES))
        elif node.type == NodeType.TEXT:
            _ = node.text

    tree = HTMLTree.parse(page)  # its nodes do not keep it alive
    if tree.document is not None:
        traverse_dom(tree.document, started)


def _mwparserfromhtml(page: str) -> None:
    for _ in import_module("mwparserfromhtml").Article(page).wikistew.to_plaintext():
        pass


def _of_html(parse: Callable[[str], None], page: Both) -> None:
    parse(page.html)


def _runs(pages: list[Both]) -> dict[str, Callable[[], float]]:
    parsers = {f"lxml {version('lxml')}": _lxml, f"resiliparse {version('resiliparse')}": _resiliparse}
    if find_spec("mwparserfromhtml"):
        parsers[f"mwparserfromhtml {version('mwparserfromhtml')}"] = _mwparserfromhtml

    def all_of(work: Callable[[Both], object]) -> Callable[[], float]:
        return lambda: timed(lambda: [work(page) for page in pages], clock=time.process_time)

    return {
        "clean wikitext": all_of(lambda page: clean_wikitext(page.wikitext, page=Page.of(page.title))),
        "clean HTML": all_of(lambda page: clean_parsoid(page.html)),
        **{name: all_of(functools.partial(_of_html, parse)) for name, parse in parsers.items()},
    }


def _found(pages: list[Both]) -> dict[str, int]:
    """How many pages and paragraphs are equal."""
    equal = of_wikitext = of_html = in_both = 0
    for page in pages:
        left, right = clean_wikitext(page.wikitext, page=Page.of(page.title)), clean_parsoid(page.html)
        equal += left == right
        ours, theirs = ([p for section in found for p in section.paragraphs] for found in (left, right))
        of_wikitext, of_html = of_wikitext + len(ours), of_html + len(theirs)
        in_both += len(set(ours) & set(theirs))
    return {
        "pages": len(pages),
        "equal pages": equal,
        "paragraphs of wikitext": of_wikitext,
        "paragraphs of HTML": of_html,
        "in both": in_both,
    }


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="a bz2 export (default: gensim's slice)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (default: 5)")
    args = parser.parse_args()
    pages = list(pages_of(args.input or slice_path()))
    found = _found(pages)
    seconds = in_turn(_runs(pages), times=args.rounds)
    rates = {name: len(pages) / median(all_of_it) for name, all_of_it in seconds.items()}
    print(machine(("lxml", "resiliparse", "mwparserfromhell")))
    size = sum(len(page.html.encode()) for page in pages)
    print(f"{len(pages)} articles, {size / 1e6:.1f} MB of HTML; medians of {args.rounds} runs in turn\n")
    print(table(("found", ""), [[name, f"{number:,}"] for name, number in found.items()]), end="\n\n")
    print(table(("work", "articles a second"), [[name, f"{rate:,.0f}"] for name, rate in rates.items()]))
    print(json.dumps({**found, "rates": rates}))


if __name__ == "__main__":
    main()
