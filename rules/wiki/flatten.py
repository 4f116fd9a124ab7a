"""A parse tree of wikitext becomes flat text: lines, with private marks where structure or a hole matters."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from mwparserfromhell.nodes import Argument, ExternalLink, Heading, HTMLEntity, Template, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from rules.wiki.marks import APOSTROPHE, HEADING, HOLE
from rules.wiki.markup import DROPPED_NAMESPACES, LANGUAGE_CODES, PROJECT_PREFIXES
from rules.wiki.templates import Arguments, canonical, render

_TRAILING_BRACKET = re.compile(r"\s*\([^()]*\)$")


def flatten(code: Wikicode) -> str:
    """Returns the text of a parse tree with the marks of ``marks.py`` in it. Bold and italic quotes are still there.

    Tags and comments are gone before the parser runs (``balance.prepared``); one that the parser still finds goes.
    """
    out: list[str] = []
    for node in code.nodes:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            out.append(handler(node))
    return "".join(out)


def _text(node: Text) -> str:
    return node.value


def _entity(node: HTMLEntity) -> str:
    text = html.unescape(str(node))
    return APOSTROPHE if text == "'" else text


def _argument(node: Argument) -> str:
    return HOLE if node.default is None else flatten(node.default)


def _heading(node: Heading) -> str:
    title = " ".join(flatten(node.title).split())
    return f"\n\n{HEADING}{node.level}{title}\n\n"


def _external_link(node: ExternalLink) -> str:
    return flatten(node.title) if node.title is not None else HOLE


def _link(node: Wikilink) -> str:
    title = str(node.title).strip()
    shown = None if node.text is None else node.text
    escaped = title.startswith(":")
    title = title.lstrip(":").strip()
    prefix, colon, rest = title.partition(":")
    if colon:
        namespace = prefix.strip().lower()
        if not escaped and (namespace in DROPPED_NAMESPACES or prefix.strip() in LANGUAGE_CODES):
            return HOLE
        if namespace in PROJECT_PREFIXES or namespace in LANGUAGE_CODES or namespace in DROPPED_NAMESPACES:
            title = rest.lstrip(":").strip()
            inner = title.partition(":")[0].strip()
            if inner in LANGUAGE_CODES:
                title = title.partition(":")[2].strip()
    if shown is not None:
        text = flatten(shown)
        return text if text.strip() else _pipe_trick(title)
    if "{" in title or "&" in title:
        title = flatten(node.title)
    head, hash_sign, section = title.partition("#")
    return (head or section if hash_sign else title).replace("_", " ")


def _pipe_trick(title: str) -> str:
    """``[[Boston, Massachusetts|]]`` shows "Boston", ``[[Pipe (computing)|]]`` shows "Pipe"."""
    title = title.partition("#")[0].replace("_", " ")
    without = _TRAILING_BRACKET.sub("", title)
    return without if without != title else title.partition(", ")[0]


def _template(node: Template) -> str:
    raw = flatten(node.name)
    if not node.params and raw.lstrip()[:1] == "#":
        return HOLE
    params = [(str(p.name).strip() if p.showkey else None, p.value) for p in node.params]
    text = render(canonical(raw), Arguments(params, flatten, raw))
    # a newline inside a line of prose would cut its paragraph; blocks bring their own blank lines
    return text or HOLE


_HANDLERS: dict[type, Callable[[Any], str]] = {
    Text: _text,
    HTMLEntity: _entity,
    Argument: _argument,
    Heading: _heading,
    ExternalLink: _external_link,
    Wikilink: _link,
    Template: _template,
}
