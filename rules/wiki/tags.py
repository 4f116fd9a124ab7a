"""Raw tags and tables go: comments, extension tags with their content, HTML tags, ``{| ... |}``.

MediaWiki itself takes comments and extension tags out first, raw up to the first closing tag; doing the same
here is both right and fast, since half of a page is references.
"""

from __future__ import annotations

import re

from gistmill.rules.text.marks import APART, BREAK, BROKEN, HOLE, LIST, LOST, SUP, SUP_END
from gistmill.rules.wiki.markup import (
    BLOCK_EXTENSIONS,
    BLOCK_TAGS,
    DROPPED_TAGS,
    FORMULA_TAGS,
    INLINE_TAGS,
    LIST_TAGS,
    SWITCHES,
)

_TAG = re.compile(r"<!--|<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>")
# What nowiki keeps from being markup; an entity is one there, too.
_INERT = re.compile(r"&#?\w{1,32};|[\[\]{}|'<>=*#:;~_!/-]")
# Switches of other languages are told by their capitals and a line of their own, or by letters that are not Latin.
_SWITCH = re.compile(
    rf"__(?i:{SWITCHES})__|^[ \t]*__[^\W\d_a-z]+(?:_[^\W\d_a-z]+)*__[ \t]*$|__[\u0370-\uffdc]+(?:_[\u0370-\uffdc]+)*__",
    re.MULTILINE,
)
_TABLE_LINE = r"^[ \t:]*(\{\|(?!\})|\|\}(?!\})|\|\}(?=\}\})|={2,}[^=\n].*=[ \t]*$)"
_LINES = re.compile(_TABLE_LINE, re.MULTILINE)
_LINES_AND_TAGS = re.compile(rf"{_TABLE_LINE}|(</?table\b)", re.MULTILINE | re.I)
_LONGEST_ADDRESS = 300
_ADDRESS_END = re.compile(r"://\S+$")


def without_raw_tags(text: str) -> str:
    """Removes comments, extension tags with their content and HTML tags; nowiki text comes out as entities."""
    out: list[str] = []
    position = 0
    unclosed: set[str] = set()
    while match := _TAG.search(text, position):
        start, end = match.span()
        out.append(text[position:start])
        if match.group(2) is None:
            position = _skip_comment(text, start, out)
            continue
        closing, name, attributes = match.group(1) == "/", match.group(2).lower(), match.group(3).rstrip()
        position = end
        if name == "nowiki" or name in DROPPED_TAGS or name in FORMULA_TAGS:
            if not closing and not attributes.endswith("/"):
                position = _skip_extension(text, end, name, unclosed, out)
            elif name == "nowiki":
                out.append(APART)
            if name != "nowiki" and text[position : position + 1].isalnum() and _last(out).isalnum():
                out.append(HOLE)
        else:
            out.append(_tag_text(name, closing, match.group()))
            if (
                not out[-1]
                and "://" in text[max(0, start - _LONGEST_ADDRESS) : start]
                and _ADDRESS_END.search(_tail(out))
            ):
                out.append(" ")
    out.append(text[position:])
    text = "".join(out)
    return _SWITCH.sub("", text) if "__" in text else text


def _last(out: list[str]) -> str:
    """Returns the last character; empty pieces go."""
    while out and not out[-1]:
        out.pop()
    return out[-1][-1] if out else ""


def _tail(out: list[str]) -> str:
    return out[-2][-_LONGEST_ADDRESS:]


def _skip_extension(text: str, begin: int, name: str, unclosed: set[str], out: list[str]) -> int:
    """Returns where the text goes on after the extension tag whose content begins at ``begin``."""
    close = None if name in unclosed else re.compile(rf"</{name}\s*>", re.I).search(text, begin)
    if close is None:
        unclosed.add(name)
        out.append(BROKEN)
        return begin
    if name == "nowiki":
        out.append(_INERT.sub(lambda match: _inert(match.group()), text[begin : close.start()]))
    elif name in BLOCK_EXTENSIONS and "\n" in text[begin : close.start()]:
        out.append(f"\n\n{LOST}\n\n")
    elif name in BLOCK_EXTENSIONS or name in FORMULA_TAGS:
        out.append(LOST)
    return close.end()


def _inert(token: str) -> str:
    return token if len(token) > 1 else f"&#{ord(token)};"


def _skip_comment(text: str, start: int, out: list[str]) -> int:
    """Returns where the text goes on after a comment; one that fills its line takes the line along."""
    end = text.find("-->", start)
    if end < 0:
        return len(text)
    end += 3
    before = out[-1] if out else ""
    stripped = before.rstrip(" \t")
    if stripped.endswith("\n") or (not stripped and len(out) <= 1):
        after = end
        while after < len(text) and text[after] in " \t":
            after += 1
        if after < len(text) and text[after] == "\n":
            out[-1:] = [stripped]
            return after + 1
    return end


def _tag_text(name: str, closing: bool, tag: str) -> str:
    if name == "br":
        return BREAK
    if name == "sup":
        return SUP_END if closing else SUP
    if name in INLINE_TAGS:
        return ""
    if name in LIST_TAGS:
        return "" if closing else f"\n{LIST}"
    if name in BLOCK_TAGS:
        return "\n\n"
    return "" if closing and name != "table" else tag  # an end without a beginning just goes


def without_tables(text: str) -> str:
    """Removes ``{| ... |}`` and ``<table>`` blocks, nested ones too.

    One that is never closed ends at the next heading.
    """
    out: list[str] = []
    depth = position = 0
    for match in (_LINES_AND_TAGS if "<" in text else _LINES).finditer(text):
        token = match.group(match.lastindex or 0)[:2].lower()
        if token in ("{|", "<t"):
            if depth == 0:
                out.append(text[position : match.start(match.lastindex or 0)])
            depth += 1
        elif token == "==":
            if depth:
                depth, position = 0, match.start()
        elif depth or token == "</":
            end = match.end() if token == "|}" else text.find(">", match.end()) + 1 or len(text)
            if depth <= 1:
                out.append(f"\n{LOST}\n" if depth else text[position : match.start()])
                position = end
            depth = max(depth - 1, 0)
    if depth == 0:
        out.append(text[position:])
    return "".join(out)
