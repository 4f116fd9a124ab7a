"""Wikitext as Parsoid would write it in HTML, as far as that can be told without the wiki.

A stand-in for a snapshot: elements, attributes and nesting are those of the MediaWiki DOM Spec 2.8. Templates are
rendered by Gistmill's own tables. One that no table knows is an argument without a value: nobody knows its words.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator

import mwparserfromhell
from mwparserfromhell.nodes import (
    Argument,
    Comment,
    ExternalLink,
    Heading,
    HTMLEntity,
    Node,
    Tag,
    Template,
    Text,
    Wikilink,
)

from gistmill.rules.text.prose import APOSTROPHE, FRACTION, HOLE, LOST, SUP, SUP_END, UNSAID
from gistmill.rules.wiki.page import BLOCK_EXTENSIONS, DROPPED_TAGS, FORMULA_TAGS
from gistmill.rules.wiki.templates import canonical, renderer
from gistmill.rules.wiki.templates.arguments import Arguments

_LISTS = {"*": ("ul", "li"), "#": ("ol", "li"), ":": ("dl", "dd"), ";": ("dl", "dt")}
_BLOCK = re.compile(r"<(?:h[1-6]|table|figure|div|blockquote|ul|ol|dl|p|pre|link|center|hr)\b")
_FILE = re.compile(r"\s*:?\s*(?:file|image)\s*:", re.I)
_CATEGORY = re.compile(r"\s*(?:category|[a-z-]{2,12})\s*:", re.I)
_REF = re.compile(
    r"(<!--.*?-->)|<ref\b[^<>]*/>|<ref\b[^<>]*>.*?</ref\s*>", re.DOTALL | re.IGNORECASE
)  # as MediaWiki finds them
_SWITCH = re.compile("__[A-Z]+__")
_IMAGE = '<a href="./File:X" class="mw-file-description"><img src="x.jpg"/></a>'
_MARKS = {
    SUP: "<sup>",
    SUP_END: "</sup>",
    APOSTROPHE: "'",
    UNSAID: '<span class="IPA">x</span>',
    HOLE: '<span class="noprint">[x]</span>',
}


def parsoid_html(wikitext: str, title: str = "Page") -> str:
    """Returns the page of a wikitext."""
    nodes = mwparserfromhell.parse(_REF.sub(lambda raw: raw[1] or "<ref/>", wikitext)).nodes
    body = "".join(_sections(_blocks(_Page().inline(nodes).split("\n"))))
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"/><title>{html.escape(title)}</title>'
        f'<base href="//en.wikipedia.org/wiki/"/></head><body class="mw-parser-output">{body}</body></html>'
    )


class _Page:
    """Numbers templates and notes."""

    def __init__(self) -> None:
        self._count = 0

    def inline(self, nodes: Iterable[Node]) -> str:
        """Returns nodes as HTML, with line ends where the wikitext has them between blocks."""
        return "".join(map(self._node, nodes))

    def _node(self, node: Node) -> str:
        match node:
            case Text():
                return html.escape(_SWITCH.sub("", node.value), quote=False)
            case HTMLEntity():
                return f'<span typeof="mw:Entity">{html.escape(node.normalize())}</span>'
            case Comment():
                return f"<!--{node.contents}-->".replace("\n", " ")
            case Heading():
                level, text = node.level, self.inline(node.title.nodes).strip()
                return f'\n<div class="mw-heading mw-heading{level}"><h{level} id="x">{text}</h{level}></div>'
            case Wikilink():
                return self._link(node)
            case ExternalLink():
                return self._external(node)
            case Template():
                return self._template(node)
            case Argument():
                return '<span typeof="mw:Param">{{{x}}}</span>'
            case Tag():
                return self._tag(node)
        raise TypeError(type(node))

    def _link(self, node: Wikilink) -> str:
        title = str(node.title)
        if _FILE.match(title) and not title.lstrip().startswith(":"):
            if "thumb" not in str(node.text or ""):
                return f'<span typeof="mw:File">{_IMAGE}</span>'
            return f'<figure typeof="mw:File/Thumb">{_IMAGE}<figcaption>A caption of words.</figcaption></figure>'
        if _CATEGORY.match(title) and node.text is None:
            return '<link rel="mw:PageProp/Category" href="./Category:X"/>'
        shown = self.inline((node.text or node.title).nodes).lstrip(":")
        return f'<a rel="mw:WikiLink" href="./{html.escape(title.strip())}" title="x">{shown}</a>'

    def _external(self, node: ExternalLink) -> str:
        address = html.escape(str(node.url))
        if not node.brackets:
            return f'<a rel="mw:ExtLink" href="{address}" class="external free">{address}</a>'
        if node.title is None:
            return f'<a rel="mw:ExtLink" href="{address}" class="external autonumber"></a>'
        return f'<a rel="mw:ExtLink" href="{address}" class="external text">{self.inline(node.title.nodes)}</a>'

    def _template(self, node: Template) -> str:
        name = str(node.name)
        params = {str(p.name).strip(): {"wt": str(p.value)} for p in node.params}
        data = {"parts": [{"template": {"target": {"wt": name, "href": "./Template:X"}, "params": params, "i": 0}}]}
        self._count += 1
        about = f'about="#mwt{self._count}" typeof="mw:Transclusion" data-mw=\'{html.escape(json.dumps(data))}\''
        known = renderer(canonical(name))
        pairs = [(str(p.name).strip() if p.showkey else None, self.inline(p.value.nodes)) for p in node.params]
        text = known(Arguments(pairs, name)) if known else None
        if text is None or LOST in text.replace(UNSAID, ""):
            return f'<span {about}><span typeof="mw:Param">{{{{{{x}}}}}}</span></span>'
        if text in (HOLE, "") and "infobox" in name.lower():
            return f'<table class="infobox" {about}><tbody><tr><td>Words of a box.</td></tr></tbody></table>'
        for mark, element in _MARKS.items():
            text = text.replace(mark, element)
        if text.startswith(FRACTION):
            text = f'<span class="frac">{text[1:]}</span>'
        return f"<span {about}>{text}</span>"

    def _tag(self, node: Tag) -> str:
        name, inside = str(node.tag).strip().lower(), node.contents
        if node.wiki_markup in _LISTS:
            return str(node.wiki_markup)
        if name == "table":
            return '\n<table class="wikitable"><tbody><tr><td>Words of a cell.</td></tr></tbody></table>\n'
        if name == "ref":
            self._count += 1
            return (
                f'<sup about="#mwt{self._count}" class="mw-ref reference" typeof="mw:Extension/ref" '
                'data-mw=\'{"name":"ref"}\'><a href="./X#note-1"><span class="mw-reflink-text">[1]</span></a></sup>'
            )
        if name in FORMULA_TAGS or name in BLOCK_EXTENSIONS:
            block = name in BLOCK_EXTENSIONS and "\n" in str(inside)
            tag = "div" if block else "span"
            return "\n" * block + f'<{tag} typeof="mw:Extension/{name}">x</{tag}>' + "\n" * block
        if name in DROPPED_TAGS:
            return f'<span typeof="mw:Extension/{name}">x</span>'
        if name == "nowiki":
            return f'<span typeof="mw:Nowiki">{html.escape(str(inside), quote=False)}</span>'
        if name in ("br", "hr", "wbr"):
            return f"<{name}/>"
        return f"<{name}>{self.inline(inside.nodes) if inside else ''}</{name}>"


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yields paragraphs, lists and blocks."""
    paragraph: list[str] = []
    items: list[str] = []
    for line in [*lines, ""]:
        listed = line[:1] in _LISTS
        if items and not listed:
            yield _list(items)
            items = []
        if paragraph and (listed or not line.strip() or _BLOCK.match(line)):
            yield "<p>" + "\n".join(paragraph) + "</p>\n"
            paragraph = []
        if listed:
            items.append(line)
        elif _BLOCK.match(line):
            yield line + "\n"
        elif line.strip():
            paragraph.append(line)
        else:
            yield "\n"


def _list(items: list[str]) -> str:
    """Lines of a list, nested by what they begin with."""
    out, position = "", 0
    while position < len(items):
        mark = items[position][0]
        outer, inner = _LISTS[mark]
        end = position + 1
        while end < len(items) and items[end][1:2] in _LISTS and items[position][1:2] not in _LISTS:
            end += 1
        nested = [item[1:] for item in items[position + 1 : end]]
        own = items[position][1:]
        body = _list([own]) if own[:1] in _LISTS else own.strip()
        out += f"<{outer}><{inner}>{body}{_list(nested) if nested else ''}</{inner}></{outer}>\n"
        position = end
    return re.sub(r"</(ul|ol|dl)>\n<\1>", "\n", out)


def _sections(blocks: Iterable[str]) -> Iterator[str]:
    """Yields the blocks with sections around them, one in another not told."""
    yield '<section data-mw-section-id="0">'
    for number, block in enumerate(blocks, start=1):
        if block.startswith('<div class="mw-heading'):
            yield f'</section><section data-mw-section-id="{number}">'
        yield block
    yield "</section>"
