"""Preparation of wikitext for the parser: removes raw tags, tables and unbalanced brackets, in linear time.

MediaWiki itself takes comments and extension tags out first, raw up to the first closing tag; doing the same
here is both right and fast, since half of a page is references. Brackets are matched by a stack, so that the parser
never meets an opener without its closer, which is what makes it slow and its output wrong.
"""

from __future__ import annotations

import re

from rules.wiki.marks import BREAK, BROKEN, FORMULA, HOLE, LIST, SUP, SUP_END, without_controls
from rules.wiki.markup import (
    BLOCK_EXTENSIONS,
    BLOCK_TAGS,
    DROPPED_TAGS,
    FILE_NAMESPACES,
    FORMULA_TAGS,
    INLINE_TAGS,
    LIST_TAGS,
    SWITCH,
)

_TAG = re.compile(r"<!--|<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>")
_NOWIKI_ENTITY = {ord(c): f"&#{ord(c)};" for c in "[]{}|'<>=*#:;~_!&-"}
_LIST_LINE = re.compile(r"\n[*#:;]+")
_RULE = re.compile(r"^-{4,}", re.MULTILINE)
_SWITCH = re.compile(SWITCH)
_TABLE_LINE = re.compile(
    r"^[ \t:]*(\{\|(?!\})|\|\}(?!\})|\|\}(?=\}\})|={2,}[^=\n].*=[ \t]*$|</?table\b)", re.MULTILINE | re.I
)
# A link or template without others in it closes itself, and is one token. Every choice begins with a character, so that
# ``re`` searches fast.
_BRACKET = re.compile(
    r"\{\{(?:[^\[\]{}\n]*\}\}(?!\})|\{*)|\}\}+|\[\[(?:[^\[\]{}\n]*\]\])?"
    r"|\[(?=(?:https?|ftps?|mailto|news|irc|gopher|telnet):|//)|\]\]*|\n(?:[ \t]*\n)?",
    re.I,
)

# The parser itself gives up at 40 levels; a real page has eight, and no longer run of braces than "{{{{{".
_DEEPEST = 40
_LONGEST_RUN = 8


def prepared(text: str) -> str:
    """Returns wikitext that the parser reads fast and right: no tags, tables or list signs, brackets properly nested.

    What still looks like a tag comes out as an entity: the parser then spends no time on it, and its paragraph is found
    to hold markup.
    """
    text = "\n" + balanced(without_tables(without_raw_tags(without_controls(text))))
    if "\n----" in text:
        text = _RULE.sub("\n\n", text)
    return _LIST_LINE.sub(f"\n{LIST}", text)[1:].replace("<", "&lt;")


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
            if closing or attributes.endswith("/"):
                continue
            close = None if name in unclosed else re.compile(rf"</{name}\s*>", re.I).search(text, end)
            if close is None:
                unclosed.add(name)
                out.append(BROKEN)
                continue
            position = close.end()
            if name == "nowiki":
                out.append(text[end : close.start()].translate(_NOWIKI_ENTITY))
            elif name in FORMULA_TAGS:
                out.append(FORMULA)
            elif name in BLOCK_EXTENSIONS:
                out.append("\n\n" if "\n" in text[end : close.start()] else FORMULA)
        else:
            out.append(_tag_text(name, closing, match.group()))
    out.append(text[position:])
    return _SWITCH.sub("", "".join(out))


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
    return tag


def without_tables(text: str) -> str:
    """Removes ``{| ... |}`` and ``<table>`` blocks, nested ones too.

    One that is never closed ends at the next heading.
    """
    out: list[str] = []
    depth = position = 0
    for match in _TABLE_LINE.finditer(text):
        token = match.group(1)[:2].lower()
        if token in ("{|", "<t"):
            if depth == 0:
                out.append(text[position : match.start(1)])
            depth += 1
        elif token == "==":
            if depth:
                depth, position = 0, match.start()
        elif depth:
            depth -= 1
            if depth == 0:
                position = match.end() if token == "|}" else text.find(">", match.end()) + 1 or len(text)
                out.append(HOLE)
    if depth == 0:
        out.append(text[position:])
    return "".join(out)


def balanced(text: str) -> str:
    """Takes out every bracket without partner; what is left is properly nested.

    An opener without end leaves a mark that costs its paragraph; a closer too many says nothing about the words around
    it and just goes. A link does not reach over a blank line, except a file with its caption; a template does;
    an external link ends with its line.
    """
    matcher = _Matcher(text)
    for match in _BRACKET.finditer(text):
        matcher.feed(match)
    return matcher.repaired()


class _Matcher:
    """A stack of open brackets: ``{`` runs of braces, ``[`` links, ``h`` external links."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack: list[tuple[str, int, int]] = []  # kind, position, length
        self._open_braces = 0
        self._bad: list[tuple[int, int, str]] = []  # position, length, what comes in its place

    def feed(self, match: re.Match[str]) -> None:
        start, end = match.span()
        token = match.group()
        if token[-1] in "]}" and token[-1] != token[0]:
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
        elif token[0] == "[":
            self._stack.append(("[" if end - start == 2 else "h", start, end - start))
        elif token[0] == "]":
            self._close_links(start, end)
        else:
            self._end_line(blank=len(token) > 1 or self._text.startswith("=", end))

    def _end_line(self, *, blank: bool) -> None:
        while self._stack:
            kind, start, _ = self._stack[-1]
            if kind == "h" or kind == "[" and blank and not self._is_file(start):
                self._give_up()
            else:
                return

    def _give_up(self) -> None:
        kind, start, length = self._stack.pop()
        self._open_braces -= kind == "{"
        self._bad.append((start, length, BROKEN))

    def _close_links(self, start: int, end: int) -> None:
        while start < end:
            kind = self._stack[-1][0] if self._stack else ""
            if kind == "h":
                self._stack.pop()
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
        name, colon, _ = self._text[position + 2 : position + 12].partition(":")
        return bool(colon) and name.strip().lower() in FILE_NAMESPACES

    def repaired(self) -> str:
        while self._stack:
            self._give_up()
        out, position = [], 0
        for start, length, instead in sorted(self._bad):
            out += [self._text[position:start], instead]
            position = start + length
        return "".join([*out, self._text[position:]]) if out else self._text
