"""Cleaning as it is defined: the tree of the full parser, and every rule tried on every text. Slow, and easy to see right.

``plainly`` puts these in the place of the fast forms, so that tests can compare the two.
"""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import mwparserfromhell
from mwparserfromhell.nodes import Argument, ExternalLink, Heading, HTMLEntity, Template, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from gistmill.rules.text.prose import APOSTROPHE, HEADING, HOLE, LOST
from gistmill.rules.wiki.flatten import STOP, _link_text
from gistmill.rules.wiki.page import UNKNOWN, Page
from gistmill.rules.wiki.templates import canonical, renderer
from gistmill.rules.wiki.templates.arguments import Arguments

BRACKET = re.compile(
    r"\{{2,}|\}{2,}|\[(?=\[\[[^\[])|\[\[|\[(?=(?:https?|ftps?|mailto|news|irc|gopher|telnet):|//)|\]+|\n(?:[ \t]*\n)?",
    re.I,
)
ANYTHING = re.compile("")


def flatten(source: str, page: Page = UNKNOWN) -> str:
    """As ``gistmill.rules.wiki.flatten.flatten``."""
    return flat(mwparserfromhell.parse(source, skip_style_tags=True), page)


def flat(code: Wikicode | None, page: Page = UNKNOWN) -> str:
    """The flat text of a tree of nodes; tags and comments leave nothing."""
    nodes = [] if code is None else code.nodes
    return "".join(_flat_node(node, before, page) for before, node in zip([None, *nodes], nodes, strict=False))


def _flat_node(node: object, before: object, page: Page) -> str:
    """The flat text of a node that stands behind the node ``before``."""
    match node:
        case Text():
            return node.value
        case HTMLEntity():
            text = html.unescape(str(node))
            return APOSTROPHE if text == "'" else text
        case Argument():
            return LOST if node.default is None else flat(node.default, page)
        case Heading():
            return f"\n\n{HEADING}{node.level}{' '.join(flat(node.title, page).split())}\n\n"
        case ExternalLink():
            if not node.brackets:
                return flat(node.url, page)
            is_source = isinstance(before, Text) and STOP.search(before.value) is not None
            return HOLE if is_source or node.title is None else flat(node.title, page)
        case Wikilink():
            shown = None if node.text is None else flat(node.text, page)
            return _link_text(str(node.title).strip(), flat(node.title, page), shown, page)
        case Template():
            return _template(node, page)
    return ""


def _template(node: Template, page: Page) -> str:
    name = flat(node.name, page)
    params = [(str(p.name).strip() if p.showkey else None, flat(p.value, page)) for p in node.params]
    text = None if params else page.variable(canonical(name))
    if render := renderer(canonical(name)):
        text = render(Arguments(params, name))
    return LOST if text is None else text or HOLE * bool(params)


@contextmanager
def plainly() -> Iterator[None]:
    """Cleaning and caps without any short cut."""
    with (
        patch("gistmill.rules.wiki.wikitext.flatten", flatten),
        patch("gistmill.rules.wiki.balance._BRACKET", BRACKET),
        patch("gistmill.rules.wiki.balance._is_surely_within", lambda text, caps: False),
        patch("gistmill.rules.wiki.tidy._UNTIDY", ANYTHING),
        patch("gistmill.rules.wiki.tidy._WORTH_A_LOOK", ANYTHING),
        patch("gistmill.rules.wiki.wikitext._SUSPECT", ANYTHING),
    ):
        yield
