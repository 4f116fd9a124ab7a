"""Cleaning as it is defined: the tree of the full parser, and every rule tried on every text. Slow, and easy to see right.

``plainly`` puts these in the place of the fast forms, so that tests can compare the two.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import mwparserfromhell
from mwparserfromhell.nodes import Argument, ExternalLink, Heading, HTMLEntity, Template, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from rules.wiki.flatten import _link_text
from rules.wiki.marks import APOSTROPHE, HEADING, HOLE
from rules.wiki.templates import Arguments, canonical, renderer

BRACKET = re.compile(
    r"\{{2,}|\}{2,}|\[\[|\[(?=(?:https?|ftps?|mailto|news|irc|gopher|telnet):|//)|\]+|\n(?:[ \t]*\n)?", re.I
)
ANYTHING = re.compile("")


def flatten(source: str) -> str:
    """As ``rules.wiki.flatten.flatten``."""
    return flat(mwparserfromhell.parse(source, skip_style_tags=True))


def flat(code: Wikicode | None) -> str:
    """The flat text of a tree of nodes; tags and comments leave nothing."""
    return "" if code is None else "".join(map(_flat_node, code.nodes))


def _flat_node(node: object) -> str:
    match node:
        case Text():
            return node.value
        case HTMLEntity():
            text = html.unescape(str(node))
            return APOSTROPHE if text == "'" else text
        case Argument():
            return HOLE if node.default is None else flat(node.default)
        case Heading():
            return f"\n\n{HEADING}{node.level}{' '.join(flat(node.title).split())}\n\n"
        case ExternalLink():
            return HOLE if node.title is None else flat(node.title)
        case Wikilink():
            shown = None if node.text is None else flat(node.text)
            return _link_text(str(node.title).strip(), flat(node.title), shown)
        case Template():
            return _template(node)
    return ""


def _template(node: Template) -> str:
    name = flat(node.name)
    if not node.params and name.lstrip().startswith("#"):
        return HOLE
    params = [(str(p.name).strip() if p.showkey else None, flat(p.value)) for p in node.params]
    render = renderer(canonical(name))
    return (render(Arguments(params, name)) if render else None) or HOLE


@contextmanager
def plainly() -> Iterator[None]:
    """Cleaning and caps without any short cut."""
    with (
        patch("rules.wiki.wikitext.flatten", flatten),
        patch("rules.wiki.balance._BRACKET", BRACKET),
        patch("rules.wiki.caps._is_surely_within", lambda text, caps: False),
        patch("rules.wiki.tidy._UNTIDY", ANYTHING),
        patch("rules.wiki.tidy._WORTH_A_LOOK", ANYTHING),
        patch("rules.wiki.wikitext._SUSPECT", ANYTHING),
    ):
        yield
