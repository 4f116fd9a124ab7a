"""Deterministic caps that decide before the parser sees a page: size, unclosed openers, nesting depth.

mwparserfromhell is quadratic or worse in openers without end and slow on deep nests. The same page gets the same
answer on every machine, unlike the deadline behind it, and the answer takes one linear scan.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gistmill.core.verdict import ACCEPTED, Verdict
from gistmill.rules.reasons import CleanReason, ReadReason

_TOKEN = re.compile(
    r"(?P<braces>\{{2,})|(?P<braces_end>\}{2,})|(?P<link>\[\[)|(?P<link_end>\]\])|(?P<table>\{\|)"
    r"|(?P<table_end>\|\}(?!\}))|(?P<url>\[(?=(?:https?:|ftps?:|mailto:|news:|irc:)|//))|(?P<url_end>\])"
    r"|(?P<comment><!--)|(?P<comment_end>-->)|(?P<tag></?[a-z][^<>]*>?)",
    re.I,
)
_TAG = re.compile(r"(</?[a-z][^<>]*>?)", re.I)
_TAG_NAME = re.compile(r"[a-z][a-z0-9]*", re.I)
# Tags that need no closing tag.
_VOID = frozenset("br hr p li dt dd td tr th tbody thead tfoot caption img wbr col colgroup references gallery".split())
_NAMES = {
    "braces": "{{",
    "link": "[[",
    "table": "{|",
    "url": "[http",
    "comment": "<!--",
    "tag": "<tag>",
}
_STRETCH = 4096  # characters whose openers are counted together


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Limits on what a page may hold.

    Real pages hold two unclosed openers and eight levels at most; just under the defaults the parser needs seconds.

    Attributes:
        characters: MediaWiki itself takes no more than 2 MiB of wikitext.
        openers: unclosed openers of one kind (``{{``, ``[[``, ``{|``, ``[http``, comments, tags).
        depth: openers of all kinds that are open at one place.
    """

    characters: int = 2 * 1024 * 1024
    openers: int = 500
    depth: int = 600

    def __post_init__(self) -> None:
        for name in ("characters", "openers", "depth"):
            if getattr(self, name) < 1:
                raise ValueError(f"caps: {name} is {getattr(self, name)}; it must be at least 1")


def check_caps(text: str, caps: Caps = Caps()) -> Verdict:
    """Returns whether the parser may see ``text``; else TOO_LARGE, TOO_MANY_OPENERS or TOO_DEEP."""
    if len(text) > caps.characters:
        return Verdict(ReadReason.TOO_LARGE, f"{len(text)} characters; the cap is {caps.characters}")
    if _is_surely_within(text, caps):
        return ACCEPTED
    unclosed, deepest = _measure(text)
    kind = max(unclosed, key=unclosed.__getitem__)
    if unclosed[kind] > caps.openers:
        return Verdict(
            CleanReason.TOO_MANY_OPENERS, f"{unclosed[kind]} unclosed {_NAMES[kind]}; the cap is {caps.openers}"
        )
    if deepest > caps.depth:
        return Verdict(CleanReason.TOO_DEEP, f"markup nested {deepest} deep; the cap is {caps.depth}")
    return ACCEPTED


def _is_surely_within(text: str, caps: Caps) -> bool:
    """Whether upper bounds of what ``_measure`` finds are within the caps, as on real pages; it is far faster.

    No token but a tag holds another one or a line end. So tags are counted first. What is left is counted by stretches
    of whole lines, as if all closers of one came first. Tables and comments are few, and count as never closed.
    """
    parts = _TAG.split(text)
    tags = deepest_tags = 0
    for tag in parts[1::2]:
        tags = max(tags + _tag_change(tag), 0)
        deepest_tags = max(deepest_tags, tags)
    rest = "\0".join(parts[::2])
    tables, comments = rest.count("{|"), rest.count("<")
    braces = links = urls = deepest = position = 0
    while position < len(rest):
        end = rest.find("\n", position + _STRETCH) + 1 or len(rest)
        count = rest[position:end].count
        braces_opened, braces_closed = count("{{"), count("}}")
        links_opened, links_closed = count("[["), count("]]")
        urls_opened, urls_closed = count("[") - 2 * links_opened, count("]") - 2 * links_closed
        deepest = max(deepest, braces + links + urls + braces_opened + links_opened + urls_opened)
        braces = max(braces - braces_closed, 0) + braces_opened
        links = max(links - links_closed, 0) + links_opened
        urls = max(urls - urls_closed, 0) + urls_opened
        position = end
    unclosed = max(braces, links, tables, urls, comments, tags)
    return unclosed <= caps.openers and deepest + tables + comments + deepest_tags <= caps.depth


def _measure(text: str) -> tuple[dict[str, int], int]:
    """Returns the unclosed openers by kind and the greatest number of openers open at once."""
    unclosed = dict.fromkeys(_NAMES, 0)
    depth = deepest = 0
    for match in _TOKEN.finditer(text):
        group = match.lastgroup or ""
        kind, change = group.removesuffix("_end"), -1 if group.endswith("_end") else 1
        if kind == "braces":
            change *= (match.end() - match.start()) // 2
        elif kind == "tag":
            change = _tag_change(match.group())
        change = max(change, -unclosed[kind])
        unclosed[kind] += change
        depth += change
        deepest = max(deepest, depth)
    return unclosed, deepest


def _tag_change(tag: str) -> int:
    if tag[1] == "/":
        return -1
    name = _TAG_NAME.match(tag, 1)
    void = name is not None and name.group().lower() in _VOID and tag.endswith(">")
    return 0 if void or tag.endswith("/>") else 1
