"""Conversion of a page's Parsoid HTML to titled sections with paragraphs of plain prose, as for wikitext.

Parsoid marks elements that come from templates, notes, pictures or formulas in wikitext (MediaWiki DOM Spec 2.8). The
tree is converted to flat text with the same marks as for wikitext (``flatten``), and all further steps are shared:
blocks, sentences that lost words, sections. Templates are already rendered; their text is kept unless they are known
to show no words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from lxml.etree import HTMLParser, LxmlError, fromstring, iterwalk

from gistmill.rules.documents import Section
from gistmill.rules.text.prose import (
    APART,
    APOSTROPHE,
    BREAK,
    FRACTION,
    HEADING,
    HOLE,
    INDENT,
    LIST,
    LOST,
    SOURCE,
    SUP,
    SUP_END,
    TERM,
    UNSAID,
    without_controls,
)
from gistmill.rules.wiki.flatten import STOP
from gistmill.rules.wiki.page import BLOCK_EXTENSIONS, BOXES, DROPPED_TAGS, FORMULA_TAGS, UNKNOWN, Page, names_of
from gistmill.rules.wiki.prepare import NEEDS
from gistmill.rules.wiki.templates import canonical, renderer
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer
from gistmill.rules.wiki.wikitext import CleaningConfig, sections_of

_NOTE = "\x16"  # a note number; separates words only between letters
_BLANK = "\x17"  # a blank line in the wikitext
_PARTING_NOTE = re.compile(rf"(?<=[^\W_]){_NOTE}+(?=[^\W_])")
_LINE_ENDS = re.compile(r"(?<![ \t])[ \t]*+\n[ \t\n]*+")
_EDGES = re.compile(r"(?<![ \t])[ \t]++(?=\n)|(?<=\n)[ \t]++")
_BEFORE_ITEM = re.compile(rf"(?<!\n)\n++(?=[{LIST}{INDENT}])")
_EMPTY_ITEM = re.compile(rf"\n(?:{TERM}|[{LIST}{INDENT}])(?=\n|\Z)")
_SIGN = re.compile(r"^(?=[|!=])", re.MULTILINE)  # signs that would be markup in wikitext
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_ENOUGH_BEFORE = 16  # characters before a link that determine its kind
_DEEPEST_VARIANT = 6

_SILENT, _MEDIA, _BLOCKS, _NOTES, _UNSAID, _FORMULAS = (
    names_of("html", key) for key in ("silent", "media", "blocks", "notes", "unsaid", "formulas")
)
_LISTS = frozenset("ul ol dl".split())
_ITEMS = {"li": LIST, "dt": TERM, "dd": INDENT}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FILES = ("mw:File", "mw:Image", "mw:Video", "mw:Audio")
_MARKS = (HOLE, UNSAID, SOURCE)
_FRACTIONS = frozenset("frac sfrac".split())


def clean_parsoid(
    document: tuple[str, Page],
    *,
    config: CleaningConfig = CleaningConfig(),  # noqa: B008, frozen
) -> tuple[Section, ...]:
    """Returns the sections of a page, given as its HTML and context, as ``clean_wikitext`` does for wikitext.

    Never raises; time and memory are bounded only for text accepted by ``check_page``.
    """
    html, page = document
    return tuple(sections_of(flatten_html(html, page), config, page.local))


def flatten_html(html: str, page: Page = UNKNOWN) -> str:
    """Returns Parsoid's HTML as flat text with the marks from ``rules/text/prose.py``."""
    flat = _PARTING_NOTE.sub(HOLE, _Flattener(page).flat(html)).replace(_NOTE, "").replace("''", APOSTROPHE * 2)
    flat = _BEFORE_ITEM.sub("\n", _EMPTY_ITEM.sub("", _EDGES.sub("", flat))).replace(_BLANK, "")
    return _SIGN.sub(APART, flat)


class _Flattener:
    def __init__(self, page: Page, depth: int = 0) -> None:
        self._page = page
        self._out: list[str] = []
        self._items: list[str] = []  # marks of open list items
        self._gone: set[str] = set()  # groups of elements that were replaced by a mark
        self._heading = False  # whether a heading is open
        self._fraction = 0  # number of open fractions
        self._depth = depth  # nesting depth of language variants

    def flat(self, html: str) -> str:
        """Returns the text of a page or of part of one."""
        parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
        try:
            root = fromstring(html.encode("utf-8", "replace"), parser)
        except LxmlError:
            root = None
        if root is None:  # no elements
            return ""
        closings: list[str | None] = []
        walker = iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                if (instead := self._instead(element)) is None:
                    closings.append(self._open(element))
                    self._add(element.text)
                else:
                    self._out.append(instead)
                    closings.append(None)
                    walker.skip_subtree()
            else:
                if (closing := closings.pop()) is not None:
                    self._close(element)
                    self._out.append(closing)
                self._add(element.tail)
        return "".join(self._out)

    def _add(self, text: str | None) -> None:
        if text:
            text = without_controls(text)
            if text.isspace() and text.count("\n") > 1:
                self._out.append(_BLANK)
                return
            if "\n" in text:
                text = _LINE_ENDS.sub(" " if self._heading or self._items else "\n", text)
            self._out.append(text.replace("\u2044", "/") if self._fraction else text)

    def _break(self) -> str:
        """Returns the separator between blocks."""
        return f"\n{self._items[-1]}" if self._items else "\n\n"

    def _open(self, element: Any) -> str:
        """Writes the opening of an element, and returns its closing."""
        tag = element.tag
        if tag == "br":
            self._out.append(BREAK)
        elif tag == "sup" and not self._fraction:
            self._out.append(SUP)
            return SUP_END
        elif level := _HEADINGS.get(tag):
            self._heading = True
            self._out.append(f"\n\n{HEADING}{level}")
            return "\n\n"
        elif mark := _ITEMS.get(tag):
            self._items.append(LIST if tag == "dd" and any(item in (LIST, TERM) for item in self._items) else mark)
            self._out.append(f"\n{self._items[-1]}")
        elif tag in _LISTS:
            self._out.append("\n")
            return f"\n{self._items[-1]}" if self._items else "\n"
        elif tag in _BLOCKS:
            self._out.append(self._break())
            return self._break()
        elif not _FRACTIONS.isdisjoint(element.get("class", "").split()):
            self._fraction += 1
            self._out.append(FRACTION)
        return ""

    def _close(self, element: Any) -> None:
        if element.tag in _ITEMS:
            self._items.pop()
        elif element.tag in _HEADINGS:
            self._heading = False
        elif self._fraction and not _FRACTIONS.isdisjoint(element.get("class", "").split()):
            self._fraction -= 1

    def _instead(self, element: Any) -> str | None:
        """Returns the replacement for an element, or None if its own text is kept."""
        tag, group = element.tag, element.get("about")
        if group in self._gone:
            return ""
        kinds = element.get("typeof", "").split()
        if (
            "mw:Transclusion" in kinds
            and (mark := _mark_of(element.get("data-mw", ""), self._page.language)) is not None
        ):
            if group:
                self._gone.add(group)
            return mark
        if tag in _SILENT and "mw:LanguageVariant" not in kinds:
            return ""
        for kind in kinds:
            if (instead := self._of_kind(kind, element)) is not None:
                return instead
        if (instead := self._by_class(element)) is not None:
            return instead
        return self._link(element) if tag == "a" else self._by_tag(tag)

    def _of_kind(self, kind: str, element: Any) -> str | None:
        """Returns the replacement for an element of a Parsoid type, or None."""
        if kind.startswith("mw:Extension/"):
            name = kind.removeprefix("mw:Extension/").lower()
            if name in FORMULA_TAGS or name in BLOCK_EXTENSIONS:
                return self._lost(element.tag)
            return _NOTE if name in DROPPED_TAGS else None
        if kind.startswith(_FILES):
            return "" if element.tag == "figure" else HOLE
        if kind == "mw:LanguageVariant":
            return self._variant(element)
        return LOST if kind == "mw:Param" else None

    def _by_class(self, element: Any) -> str | None:
        if _HIDDEN.search(element.get("style", "")):
            return ""
        classes, block = element.get("class", "").split(), element.tag in _BLOCKS
        if not classes and element.get("role") is None:
            return HOLE if element.get("id") == "coordinates" else None
        if not _NOTES.isdisjoint(classes):
            return _NOTE
        if (
            element.get("id") == "coordinates"
            or not BOXES.isdisjoint(classes)
            or element.get("role") in ("navigation", "note")
        ):
            return self._break() if block or element.tag in _LISTS else HOLE
        if not _FORMULAS.isdisjoint(classes):
            return self._lost(element.tag)
        if not _UNSAID.isdisjoint(classes):
            return UNSAID
        if "sr-only" in classes:
            return (" " if element.text == "+" else "/") if self._fraction else ""
        return None

    def _by_tag(self, tag: str) -> str | None:
        if tag == "table":
            return self._lost(tag)
        if tag in _MEDIA:
            return HOLE
        if tag == "figure":
            return ""
        if tag in FORMULA_TAGS or tag in BLOCK_EXTENSIONS:
            return self._lost(tag)
        return "" if tag in DROPPED_TAGS and tag != "section" else None

    def _lost(self, tag: str) -> str:
        return f"{self._break()}{LOST}{self._break()}" if tag in _BLOCKS or tag in _LISTS else LOST

    def _link(self, element: Any) -> str | None:
        """Returns the replacement for a link, such as HOLE for a source after a stop; None to keep the link's text."""
        classes = element.get("class", "").split()
        if "mw:ExtLink" not in element.get("rel", "").split() or "mw-magiclink" in classes:
            return None
        if "free" in classes or (element.text and element.text.strip() == element.get("href")):
            return LOST
        before = "".join(self._out[-3:])[-_ENOUGH_BEFORE:]
        if not len(element) and not element.text:
            return LOST if NEEDS.search(before) else HOLE
        return HOLE if STOP.search(before) else None

    def _variant(self, element: Any) -> str | None:
        """Returns the text of one of the variants in ``-{zh-hans:...; zh-hant:...}-``, chosen as for wikitext."""
        if element.tag == "meta":
            return HOLE
        if len(element) or (element.text or "").strip():
            return None
        wanted = self._page.local.variants(self._page.variant)
        text = _variant_of(element.get("data-mw-variant", ""), wanted)
        if text is None or self._depth >= _DEEPEST_VARIANT:
            return LOST
        return _Flattener(self._page, self._depth + 1).flat(text).strip("\n")


def _variant_of(data: str, wanted: Sequence[str]) -> str | None:
    """Returns the HTML shown by variant markup, None if unknown."""
    try:
        values = json.loads(data)
        if values.get("describe") or values.get("name"):
            return None
        shown = next(values[key] for key in ("disabled", "filter", "twoway", "oneway") if key in values)
        if isinstance(shown, list):
            shown = next((one for code in wanted for one in shown if one.get("l") == code), shown[0])
        text = shown["t"]
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, StopIteration, RecursionError):
        return None
    return text if isinstance(text, str) else None


def _mark_of(data: str, language: str) -> str | None:
    """Returns the mark left by a template, None if it leaves words; ``data`` is Parsoid's description of the call."""
    try:
        (part,) = json.loads(data)["parts"]
        name, params = part["template"]["target"]["wt"], part["template"].get("params", {})
        known = _markers(name, language)
        if known is None:
            return None
        mark = known(Arguments([(key, value["wt"]) for key, value in params.items()], name))
        return mark if mark in _MARKS else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


@lru_cache(4096)
def _markers(name: str, language: str) -> Renderer | None:
    """Returns the renderer for a template that leaves only a mark; None for any other template."""
    known = renderer(canonical(name), language)
    return known if known is not None and known(Arguments((), name)) in _MARKS else None
