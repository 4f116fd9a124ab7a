"""Article extraction from web pages: trafilatura's main text as paragraphs, and the page's metadata.

The extraction runs in a process that can be killed (``gistmill.transforms.guard``), because C code and heuristics
process unvetted pages. The result depends only on the page, not on earlier pages or the clock. The functions called
here are those that ``trafilatura.bare_extraction`` itself calls in version 2.3; other versions may differ.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import chain
from typing import Any

from lxml.etree import Element, SubElement, iterwalk
from lxml.html import HtmlElement
from trafilatura import baseline, html2txt, load_html
from trafilatura.external import justext_rescue, sanitize_tree, try_readability
from trafilatura.htmlprocessing import convert_tags, prune_unwanted_nodes, tree_cleaning
from trafilatura.main_extractor import extract_content
from trafilatura.settings import Document, Extractor
from trafilatura.xpaths import RAW_TREE_PRUNE_XPATH, REMOVE_COMMENTS_AND_LISTS_XPATH

from gistmill.core.records import Verdict
from gistmill.rules.documents import CleanReason
from gistmill.rules.news.article import FALLBACK, PROSE, STRICT, WHOLE, Article, Block
from gistmill.rules.news.inline import join_initials, resolve, whole_sentences
from gistmill.rules.news.metadata import page_metadata
from gistmill.rules.text.prose import MIN_UNFINISHED_WORDS, is_prose, joined_lines, without_controls, without_invisible

_DETAIL = 200  # characters
_MIN_SENTENCE_WORDS = 7
_SENTENCE = re.compile(r"^[^a-z].*[.!?][\"”’“»«)]*$")
_JOINTS = "-–—|·•:»"
_KINDS = {"head": "heading", "list": "item", "item": "item", "table": "row", "row": "row", "code": "code"}
_TREE_BLOCKS = frozenset(("p", "quote", "list", "item", "div", "head", "table", "row", "body", "main"))
_TABLE_BLOCKS = frozenset(("table", "row"))
_CELLS = " | "  # between the cells of a row
_LEAST_REPEATED = 40  # characters; repetitions of texts this long are removed

logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
logging.getLogger("htmldate").setLevel(logging.CRITICAL)
# The second extractor's text is used if it is this many times as long as the first's; fitted, see the benchmark.
_MUCH_MORE = 1.2
# A text shorter than this, in characters and as a share of its page, is considered incomplete; a text this many times
# as long then replaces it. Values from trafilatura.
_SHORT, _LEAST_SHARE, _SURELY_MORE = 3000, 0.2, 2.0
_BLOCKS = dict.fromkeys(
    "address article aside blockquote body dd div dl dt fieldset figcaption figure footer form header hr main nav ol p"
    " pre section summary table tbody td tfoot th thead tr ul".split(),
    "p",
) | {"li": "item", **dict.fromkeys(("title", "h1", "h2", "h3", "h4", "h5", "h6"), "head")}
_DROP_CAP = 2  # maximum number of characters in a block that is joined to the next


def extract_article(
    page: tuple[str, str], *, view: str = PROSE, keep_lists: bool = False, language: str = ""
) -> Article | Verdict:
    """Returns the article on a page, or a Verdict with EXTRACTOR_FAILED if the extractor fails.

    If the page has no main text, the article has no blocks.

    Args:
        page: HTML, and the URL from which it was fetched, or "".
        view: WHOLE keeps all blocks; PROSE keeps only paragraphs, and headings and items that are long or sentences.
        keep_lists: whether PROSE includes all list items, as paragraphs.
        language: as for ``extracted``.
    """
    text, url = page
    try:
        found = extracted(text, url, language, view) if text.strip() else None
    except MemoryError:
        raise
    except Exception as error:  # third-party code, unvetted pages
        return Verdict(CleanReason.EXTRACTOR_FAILED, f"{type(error).__name__}: {error}"[:_DETAIL])
    if found is None:
        return Article()
    site = _line(found.sitename)
    title = _line(found.title)
    if site == title:
        site = ""
    blocks = whole_sentences(_without_repeats(_tree_blocks(found.body)))
    return Article(
        title=_without_site(title, site),
        blocks=tuple(blocks if view == WHOLE else _paragraphs(blocks, keep_lists)),
        extraction=found.body.get("extraction", STRICT),
        url=found.url if found.url and found.url.startswith(("http://", "https://")) else "",
        site=site or _line(found.hostname),
        author=_line(found.author),
        published=found.date or "",
    )


def extracted(page: str, url: str, language: str = "", view: str = PROSE) -> Document | None:
    """Returns the main text of a page, as ``body``, and its metadata; None if there is no main text.

    If the second extractor found the body, its attribute ``extraction`` is FALLBACK.

    Args:
        page: HTML.
        url: URL from which the page was fetched, or "".
        language: code of the wanted language, whose word list separates text from boilerplate; "" for any language.
        view: as for ``extract_article``.

    Raises:
        Exception: whatever trafilatura raises.
    """
    options = Extractor(output_format="txt", comments=False, tables=True, url=url or None, lang=language or None)
    try:
        tree = load_html(page, options.max_file_size)
        if tree is None:
            return None
        found = page_metadata(tree, url)
        resolve(tree)
        join_initials(tree)
        if view == PROSE:
            for code in [*tree.iterdescendants("pre")]:
                code.drop_tree()
        first = standfirsts(tree, found.description or "")
        articles = sum(1 for _ in tree.iter("article"))
        found.body, text = _main_text(tree, options)
        if len(found.body) <= 1 + articles:
            _part_blocks(found.body, list(_runs(tree)))
        put_first(found.body, first)
    except (TypeError, ValueError):  # how trafilatura reports an unreadable page
        return None
    return found if len(text) >= options.min_output_size else None


def _longer(found: tuple[Any, str], other: tuple[Any, str], factor: float = 1.0) -> tuple[Any, str]:
    """Returns ``other`` if its text is more than ``factor`` times as long as that of ``found``, otherwise ``found``."""
    return other if len(other[1]) > factor * len(found[1]) else found


def _main_text(tree: HtmlElement, options: Extractor) -> tuple[Any, str]:
    """Returns the article's elements and text; ``extraction`` is FALLBACK if the first extractor did not find them.

    The extractors run in the same order as in ``trafilatura_sequence``, with two differences. Readability's text is
    used from ``_MUCH_MORE`` times the length, not only from twice the length. And if much of the page is missing, all
    paragraphs that look like prose are used, instead of running the first extractor again with other settings.
    """
    tree = prune_unwanted_nodes(tree, RAW_TREE_PRUNE_XPATH)
    tree = prune_unwanted_nodes(tree, REMOVE_COMMENTS_AND_LISTS_XPATH)
    cleaned = tree_cleaning(copy(tree), options)
    strict = found = extract_content(convert_tags(copy(cleaned), options, options.url), options)
    longer = try_readability(copy(tree))
    if len(_text_of(longer)) > _MUCH_MORE * len(found[1]):  # may include menus, which are slow to remove
        found = _longer(found, sanitize_tree(longer, options), _MUCH_MORE)
    if len(found[1]) < options.min_extracted_size:
        found = _longer(found, justext_rescue(cleaned, options))
    if len(found[1]) < options.min_extracted_size:
        found = _longer(found, baseline(tree)[:2])
    if 0 < len(found[1]) < _SHORT and len(found[1]) < _LEAST_SHARE * len(html2txt(tree)):
        found = _longer(found, justext_rescue(copy(tree), options), _SURELY_MORE)
    if found is not strict:
        found[0].set("extraction", FALLBACK)
    return found


def _runs(tree: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yields each run of text between block boundaries, without white space, and the kind of its block."""
    text, kinds = "", ["p"]
    for event, element in iterwalk(tree, events=("start", "end")):
        if not isinstance(element.tag, str) or element.tag in ("script", "style", "noscript"):
            if event == "end":
                text += element.tail or ""
            continue
        kind = _BLOCKS.get(element.tag)
        if kind and (run := "".join(text.split())):
            yield run, kinds[-1]
        if kind:
            text = ""
            if event == "start":
                kinds.append(kind)
            else:
                kinds.pop()
        text += (element.text if event == "start" else element.tail) or ""


def _part_blocks(body: Any, runs: list[tuple[str, str]]) -> None:
    """Splits paragraphs that contain several blocks: trafilatura's last resort puts all text in one paragraph."""
    for paragraph in [p for p in body if p.tag == "p" and not len(p) and p.text]:
        left, kinds = "".join(paragraph.text.split()), []
        for run, kind in runs:
            if left.startswith(run):
                left = left.removeprefix(run)
                kinds.append((len(run), kind))
        if not left and len(kinds) > 1:
            at = body.index(paragraph)
            body[at : at + 1] = _parts(paragraph.text, kinds)


def _parts(text: str, kinds: list[tuple[int, str]]) -> list[Any]:
    """Returns an element for each block of a text; ``kinds`` gives each block's length without blanks, and its tag."""
    words = iter(text.split())
    size, held, parts = 0, [], []
    for number, (length, kind) in enumerate(kinds, start=1):
        size += length
        while size > 0 and (word := next(words, "")):
            held.append(word[:size])
            if len(word) > size:
                words = chain([word[size:]], words)
            size -= len(held[-1])
        if length > _DROP_CAP or number == len(kinds):
            part = Element(kind)
            part.text = " ".join(held)
            parts.append(part)
            held = []
    return parts


_STANDFIRST_TAGS = ("p", "h2", "h3", "h4", "div", "section", "span", "strong", "li")
_HEADINGS = frozenset(("h2", "h3", "h4"))
_SAME_START = 60  # characters; texts that begin with the same ones are considered equal
_LONGEST_STANDFIRST = 900  # characters
_STANDFIRST_CLASS = re.compile(
    r"stand-?first|(?:^|[\s_-])(?:dec?k|lead|lede|intro(?:text|duction)?|teaser|excerpt|summary|abstract|sub-?title"
    r"|sub-?head(?:line)?|chapo|bajada|copete|sumario|vorspann|preamble|ingress|description)(?:$|[\s_-])",
    re.I,
)
_TAGS = re.compile("<[^<>]*>")


def standfirsts(tree: HtmlElement, description: str) -> tuple[str, ...]:
    """Returns the texts on a page that may be its standfirst, the most likely first.

    The candidates are the text that begins like the page's description, and the first long text after the headline if
    its class marks it as a standfirst or it is a heading next to the headline.
    """
    return tuple(
        text for text in (_described(tree, description), _classed(tree)) if 0 < len(text) <= _LONGEST_STANDFIRST
    )


def put_first(body: Any, texts: Iterable[str]) -> None:
    """Inserts the first of ``texts`` that is missing from an extractor's tree before the tree's paragraphs."""
    held = " ".join("".join(body.itertext()).split())
    text = next((text for text in texts if text[:_SAME_START] not in held), None)
    if text is not None:
        paragraph = SubElement(body, "p")
        paragraph.text = text
        body.insert(0, paragraph)


def _described(tree: HtmlElement, description: str) -> str:
    start = " ".join(_TAGS.sub(" ", description).split())[:_SAME_START]
    if len(start) == _SAME_START:
        for element in tree.iter(*_STANDFIRST_TAGS):
            begin = (element.text or "").lstrip()[:1]
            if begin in ("", start[0]) and _is_leaf(element):  # fails for most elements, so this is cheap
                text = _text_of(element)
                if text.startswith(start) and len(text) <= _LONGEST_STANDFIRST:
                    return text
    return ""


def _classed(tree: HtmlElement) -> str:
    for element in _after_headline(tree):
        text = _text_of(element)
        if len(text.split()) >= MIN_UNFINISHED_WORDS and is_prose(text):
            return text if _is_classed(element) else ""
    return ""


def _after_headline(tree: HtmlElement) -> Iterator[HtmlElement]:
    headline = next(tree.iter("h1"), None)
    if headline is not None:
        after = False
        for element in tree.iter("h1", *_STANDFIRST_TAGS):
            after = after or element is headline
            if after and element.tag != "h1" and _is_leaf(element):
                yield element


def _is_leaf(element: HtmlElement) -> bool:
    return next(element.iterchildren(*_STANDFIRST_TAGS), None) is None


def _is_classed(element: HtmlElement) -> bool:
    parent = element.getparent()
    if element.tag in _HEADINGS and parent is not None and parent.tag in ("header", "hgroup"):
        return True
    classes = [element.get("class", ""), parent.get("class", "") if parent is not None else ""]
    return any(_STANDFIRST_CLASS.search(name) for name in classes)


def _text_of(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _line(value: str | None) -> str:
    return unicodedata.normalize("NFC", " ".join(without_invisible(without_controls(value or "")).split()))


def _without_site(title: str, site: str) -> str:
    if site and title.casefold().endswith(site.casefold()):
        rest = title[: len(title) - len(site)].rstrip()
        return rest.rstrip(_JOINTS).rstrip() or title if rest.endswith(tuple(_JOINTS)) else title
    if site and title.casefold().startswith(site.casefold()):
        rest = title[len(site) :].lstrip()
        return rest.lstrip(_JOINTS).lstrip() or title if rest.startswith(tuple(_JOINTS)) else title
    return title


def _paragraphs(blocks: Iterable[Block], keep_lists: bool) -> Iterator[Block]:
    """Yields the blocks that may be prose as paragraphs."""
    for text, kind in blocks:
        if not kind or (kind == "item" and keep_lists) or (kind in ("heading", "item") and _is_paragraph(text)):
            yield Block(text)


def _is_paragraph(text: str) -> bool:
    """Whether a heading or list item is a complete sentence or, like a standfirst, long enough to be a paragraph."""
    words = len(text.split())
    return words >= MIN_UNFINISHED_WORDS or (words >= _MIN_SENTENCE_WORDS and _SENTENCE.search(text) is not None)


def _without_repeats(blocks: Iterable[tuple[str, str]]) -> Iterator[Block]:
    """Yields the paragraphs of blocks, given as kinds and texts; repetitions of a long paragraph are dropped."""
    seen: set[str] = set()
    for kind, block in blocks:
        for text in joined_lines(without_controls(block)):
            if kind == "row":
                text = text.strip(_CELLS)
            if text and (len(text) < _LEAST_REPEATED or text not in seen):
                yield Block(text, kind)
                seen.add(text)


def _tree_blocks(body: Any) -> Iterator[tuple[str, str]]:
    """Yields the kind of each block, as in ``Block``, and its text, with "\\n" for line breaks.

    Iterative, because trees may be deep.
    """
    pieces: list[str] = []
    kinds: list[str] = []
    stack: list[tuple[Any, bool]] = [(body, True)]
    while stack:
        element, opening = stack.pop()
        if kinds and kinds[-1] == "row":  # its cells form one line
            block = element.tag in _TABLE_BLOCKS
        else:
            block = element.tag in _TREE_BLOCKS or (element.tag == "code" and element.getparent() is body)
        if block and pieces:
            yield kinds[-1] if kinds else "", "".join(pieces)
            pieces = []
        if block and element.tag in _KINDS:
            if opening:
                kinds.append(_KINDS[element.tag])
            else:
                kinds.pop()
        if opening:
            if element.tag == "lb":
                pieces.append("\n")
            elif element.tag == "cell" and element.getprevious() is not None:
                pieces.append(_CELLS)
            pieces.append(_folded(element.text))
            stack.append((element, False))
            stack.extend((child, True) for child in reversed(element))
        elif element is not body:
            pieces.append(_folded(element.tail))
    if pieces:
        yield "", "".join(pieces)


def _folded(text: str | None) -> str:
    return " ".join(text.split("\n")) if text else ""
