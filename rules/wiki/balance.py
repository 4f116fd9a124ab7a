"""Preparation of wikitext for the parser: no raw tags, tables, bare addresses or unbalanced brackets, in linear time.

Brackets are matched by a stack, so that the parser never meets an opener without its closer, which is what makes it
slow and its output wrong.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.entities import entitydefs, html5

from mwparserfromhell.definitions import URI_SCHEMES

from gistmill.rules.text.marks import BROKEN, INDENT, LIST, TERM, without_controls
from gistmill.rules.wiki.addresses import without_addresses
from gistmill.rules.wiki.markup import FILE_NAMESPACES
from gistmill.rules.wiki.tags import without_raw_tags, without_tables
from gistmill.rules.wiki.variants import without_variants

_TERM_LINE = re.compile(r"\n;[*#:;]*")
_LIST_LINE = re.compile(r"\n(?=:*[*#;])[*#:;]+")
_INDENTED_LINE = re.compile(r"\n:+")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31};)")
# A title that begins as an address does. The parser would take it for one.
_TITLE = re.compile(rf"\[\[({'|'.join(name for name, slashes in URI_SCHEMES.items() if not slashes)}):", re.I)
_RULE = re.compile(r"^-{4,}", re.MULTILINE)
# A link or template without others in it closes itself, and is one token. Every choice begins with a character, so that
# ``re`` searches fast.
_BRACKET = re.compile(
    r"\{\{(?:[^\[\]{}\n]*\}\}(?!\})|\{*)|\}\}+|\[(?=\[\[[^\[])|\[\[(?:[^\[\]{}\n]*\]\])?"
    r"|\[(?=(?:https?|ftps?|mailto|news|irc|gopher|telnet):|//)|\]\]*|\n(?:[ \t]*\n)?",
    re.I,
)

# The parser itself gives up at 40 levels; a real page has eight, and no longer run of braces than "{{{{{".
_DEEPEST = 40
_LONGEST_RUN = 8
_LONGEST_NAME = 32  # of the namespace of files


def prepared(text: str, *, files: frozenset[str] = FILE_NAMESPACES, variants: tuple[str, ...] = ()) -> str:
    """Returns wikitext that the parser reads fast and right: no tags, tables or list signs, brackets properly nested.

    What still looks like a tag comes out as an entity: the parser then spends no time on it, and its paragraph is found
    to hold markup. ``files``: lower-case names of the namespace of files; ``variants``: as for ``without_variants``.
    """
    text = without_tables(without_raw_tags(without_controls(text)))
    text = _TITLE.sub(r"[[\1&#58;", text)
    text = "\n" + balanced(without_addresses(without_variants(text, variants)), files=files)
    if "\n----" in text:
        text = _RULE.sub("\n\n", text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: _numeric(match[1]), text)
    for pattern, mark in ((_TERM_LINE, TERM), (_LIST_LINE, LIST), (_INDENTED_LINE, INDENT)):
        text = pattern.sub(f"\n{mark}", text)
    return text[1:].replace("<", "&lt;")


@lru_cache(2048)
def _numeric(name: str) -> str:
    """An entity of HTML 5 that the parser does not know, by its characters' numbers."""
    known = name[:-1] in entitydefs or name not in html5
    return f"&{name}" if known else "".join(f"&#{ord(character)};" for character in html5[name])


def balanced(text: str, *, files: frozenset[str] = FILE_NAMESPACES) -> str:
    """Takes out every bracket without partner; what is left is properly nested.

    An opener without end leaves a mark that costs its paragraph; a closer too many says nothing about the words around
    it and just goes. A link does not reach over a blank line, except a file with its caption; a template does;
    an external link ends with its line.
    """
    matcher = _Matcher(text, files)
    for match in _BRACKET.finditer(text):
        matcher.feed(match)
    return matcher.repaired()


class _Matcher:
    """A stack of open brackets: ``{`` runs of braces, ``[`` links, ``h`` external links, ``t`` text beside a link."""

    def __init__(self, text: str, files: frozenset[str]) -> None:
        self._text, self._files = text, files
        self._stack: list[tuple[str, int, int]] = []  # kind, position, length
        self._open_braces = 0
        self._bad: list[tuple[int, int, str]] = []  # position, length, what comes in its place

    def feed(self, match: re.Match[str]) -> None:
        """Takes in the next bracket or end of line."""
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
        elif token == "[" and self._text.startswith("[[", end):
            self._bad.append((start, 1, "&#91;"))
            self._stack.append(("t", start, 1))
        elif token[0] == "[":
            self._stack.append(("[" if end - start == 2 else "h", start, end - start))
        elif token[0] == "]":
            self._close_links(start, end)
        else:
            self._end_line(blank=len(token) > 1 or self._text.startswith("=", end))

    def _end_line(self, *, blank: bool) -> None:
        while self._stack:
            kind, start, _ = self._stack[-1]
            if kind in ("h", "t") or kind == "[" and blank and not self._is_file(start):
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
        """Returns the text without the brackets that have no partner."""
        while self._stack:
            self._give_up()
        out, position = [], 0
        for start, length, instead in sorted(self._bad):
            out += [self._text[position:start], instead]
            position = start + length
        return "".join([*out, self._text[position:]]) if out else self._text
