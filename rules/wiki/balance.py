"""Matching of wikitext brackets, so that the parser never finds an opener without its closer, and limits on a page.

mwparserfromhell takes quadratic time or worse on unclosed openers, is slow on deep nesting, and its output is wrong in
such cases. Unlike a deadline, these checks give the same result on every machine, and take one linear scan.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gistmill.core.records import ACCEPTED, Verdict
from gistmill.rules.documents import CleanReason, ReadReason
from gistmill.rules.text.prose import BROKEN
from gistmill.rules.wiki.page import FILE_NAMESPACES

# A link or template without others inside is a single, closed token. Every alternative begins with a literal character,
# so that ``re`` searches fast.
_BRACKET = re.compile(
    r"\{\{(?:[^\[\]{}\n]*\}\}(?!\})|\{*)|\}\}+|\[(?=\[\[[^\[])|\[\[(?:[^\[\]{}\n]*\]\])?"
    r"|\[(?=(?:https?|ftps?|mailto|news|irc|gopher|telnet):|//)|\]\]*|\n(?:[ \t]*\n)?",
    re.I,
)

# The parser itself gives up at 40 levels; real pages use up to eight, and at most five braces in a row.
_DEEPEST = 40
_LONGEST_RUN = 8
_LONGEST_NAME = 32  # characters in a name of the file namespace


def balanced(text: str, *, files: frozenset[str] = FILE_NAMESPACES) -> str:
    """Returns the text without unmatched brackets, so that the rest is properly nested.

    An unclosed opener becomes a mark that causes its paragraph to be dropped; a surplus closer, which does not affect
    the words around it, is simply removed. External links end with their line. Links cannot extend over a blank line,
    except files with captions; templates can.
    """
    matcher = _Matcher(text, files)
    for match in _BRACKET.finditer(text):
        matcher.feed(match)
    return matcher.repaired()


class _Matcher:
    """A stack of open brackets: ``{`` runs of braces, ``[`` links, ``h`` external links, ``t`` literal brackets."""

    def __init__(self, text: str, files: frozenset[str]) -> None:
        self._text, self._files = text, files
        self._stack: list[tuple[str, int, int]] = []  # kind, position, length
        self._open_braces = 0
        self._bad: list[tuple[int, int, str]] = []  # position, length, replacement

    def feed(self, match: re.Match[str]) -> None:
        """Processes the next bracket or line end."""
        start, end = match.span()
        token = match.group()
        if token[0] == "\n":
            self._end_line(blank=len(token) > 1 or self._text.startswith("=", end))
        elif token[-1] in "]}" and token[-1] != token[0]:
            if token[0] == "{" and len(self._stack) >= _DEEPEST:
                self._bad.append((start, 2, BROKEN))
                self._close_braces(end - 2, end)
        elif token[0] == "{" and (end - start > _LONGEST_RUN or len(self._stack) >= _DEEPEST):
            self._bad.append((start, end - start, BROKEN))
        elif token[0] == "{":
            self._stack.append(("{", start, end - start))
            self._open_braces += 1
        elif token[0] == "}":
            self._close_braces(start, end)
        elif token == "[" and self._text.startswith("[[", end):
            self._bad.append((start, 1, "&#91;"))
            self._stack.append(("t", start, 1))
        elif token[0] == "[":
            self._stack.append(("[" if end - start == 2 else "h", start, end - start))
        else:
            self._close_links(start, end)

    def _end_line(self, *, blank: bool) -> None:
        while self._stack:
            kind, start, _ = self._stack[-1]
            if kind in ("h", "t") or (kind == "[" and blank and not self._is_file(start)):
                self._give_up()
            else:
                return

    def _give_up(self) -> None:
        kind, start, length = self._stack.pop()
        self._open_braces -= kind == "{"
        if kind != "t":
            self._bad.append((start, length, BROKEN))

    def _close_links(self, start: int, end: int) -> None:
        while start < end:
            kind = self._stack[-1][0] if self._stack else ""
            if kind in ("h", "t"):
                self._stack.pop()
                if kind == "t":
                    self._bad.append((start, 1, "&#93;"))
                start += 1
            elif kind == "[" and end - start >= 2:
                self._stack.pop()
                start += 2
            else:
                if end - start >= 2:
                    self._bad.append((start, end - start, ""))
                return

    def _close_braces(self, start: int, end: int) -> None:
        while end - start >= 2:
            if not self._open_braces:
                self._bad.append((start, end - start, ""))
                return
            while self._stack[-1][0] != "{":
                self._give_up()
            _, position, length = self._stack.pop()
            used = 3 if min(length, end - start) >= 3 else 2
            start += used
            if length - used >= 2:
                self._stack.append(("{", position, length - used))
            else:
                self._open_braces -= 1

    def _is_file(self, position: int) -> bool:
        name, colon, _ = self._text[position + 2 : position + 2 + _LONGEST_NAME].partition(":")
        return bool(colon) and name.strip().lower() in self._files

    def repaired(self) -> str:
        """Returns the text without unmatched brackets."""
        while self._stack:
            self._give_up()
        out, position = [], 0
        for start, length, instead in sorted(self._bad):
            out += [self._text[position:start], instead]
            position = start + length
        return "".join([*out, self._text[position:]]) if out else self._text


_TOKEN = re.compile(
    r"(?P<braces>\{{2,})|(?P<braces_end>\}{2,})|(?P<link>\[\[)|(?P<link_end>\]\])|(?P<table>\{\|)"
    r"|(?P<table_end>\|\}(?!\}))|(?P<url>\[(?=(?:https?:|ftps?:|mailto:|news:|irc:)|//))|(?P<url_end>\])"
    r"|(?P<comment><!--)|(?P<comment_end>-->)|(?P<tag></?[a-z][^<>]*>?)",
    re.I,
)
_TAG = re.compile(r"(</?[a-z][^<>]*>?)", re.I)
_TAG_NAME = re.compile(r"[a-z][a-z0-9]*", re.I)
# Tags that do not require a closing tag.
_VOID = frozenset("br hr p li dt dd td tr th tbody thead tfoot caption img wbr col colgroup references gallery".split())
_NAMES = {"braces": "{{", "link": "[[", "table": "{|", "url": "[http", "comment": "<!--", "tag": "<tag>"}
_STRETCH = 4096  # minimum number of characters whose openers are counted together


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Limits on the content of a page.

    Real pages contain at most two unclosed openers and eight levels; just below the defaults, parsing takes seconds.

    Attributes:
        characters: maximum length of the page; MediaWiki itself accepts at most 2 MiB of wikitext.
        openers: maximum number of unclosed openers of one kind (``{{``, ``[[``, ``{|``, ``[http``, comments, tags).
        depth: maximum number of openers, of all kinds, that are open at the same time.
    """

    characters: int = 2 * 1024 * 1024
    openers: int = 500
    depth: int = 600

    def __post_init__(self) -> None:
        for name in ("characters", "openers", "depth"):
            if getattr(self, name) < 1:
                raise ValueError(f"limits: {name} must be at least 1, not {getattr(self, name)}")


def check_caps(text: str, caps: Caps = Caps()) -> Verdict:
    """Returns ACCEPTED if ``text`` may be parsed, otherwise TOO_LARGE, TOO_MANY_OPENERS or TOO_DEEP."""
    if len(text) > caps.characters:
        return Verdict(ReadReason.TOO_LARGE, f"{len(text)} characters; the limit is {caps.characters}")
    if _is_surely_within(text, caps):
        return ACCEPTED
    unclosed, deepest = _measure(text)
    kind = max(unclosed, key=unclosed.__getitem__)
    if unclosed[kind] > caps.openers:
        return Verdict(
            CleanReason.TOO_MANY_OPENERS, f"{unclosed[kind]} unclosed {_NAMES[kind]}; the limit is {caps.openers}"
        )
    if deepest > caps.depth:
        return Verdict(CleanReason.TOO_DEEP, f"markup nested {deepest} deep; the limit is {caps.depth}")
    return ACCEPTED


def _is_surely_within(text: str, caps: Caps) -> bool:
    """Whether upper bounds on the results of ``_measure`` are within the limits, as on real pages; this is far faster.

    Tags are counted first, because only they can contain other tokens or line ends. The rest is counted in stretches of
    whole lines, as if all closers in a stretch came first. Tables and comments, which are few, count as never closed.
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
