"""Preparation of wikitext for the parser: removal of tags, tables, bare addresses, language variants and list signs.

Like MediaWiki, comments and extension tags are removed first, without parsing their content, up to the first closing
tag. This is both correct and fast, since references make up half of a page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html.entities import entitydefs, html5

from mwparserfromhell.definitions import URI_SCHEMES

from gistmill.rules.text.prose import (
    APART,
    BREAK,
    BROKEN,
    HOLE,
    INDENT,
    LIST,
    LOST,
    SUP,
    SUP_END,
    TERM,
    without_controls,
)
from gistmill.rules.wiki.balance import balanced
from gistmill.rules.wiki.page import (
    BLOCK_EXTENSIONS,
    BLOCK_TAGS,
    DROPPED_TAGS,
    FILE_NAMESPACES,
    FORMULA_TAGS,
    INLINE_TAGS,
    LIST_TAGS,
    SWITCHES,
)

_TERM_LINE = re.compile(r"\n;[*#:;]*")
_LIST_LINE = re.compile(r"\n(?=:*[*#;])[*#:;]+")
_INDENTED_LINE = re.compile(r"\n:+")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31};)")
# A title that begins like an address, which the parser would take it for.
_TITLE = re.compile(rf"\[\[({'|'.join(name for name, slashes in URI_SCHEMES.items() if not slashes)}):", re.I)
_RULE = re.compile(r"^-{4,}", re.MULTILINE)
# The parser recurses for each sign in such a line, and crashes at tens of thousands.
_HEADING_LINE = re.compile(r"^=.*=", re.MULTILINE)
_MOST_SIGNS = 200


def prepared(text: str, *, files: frozenset[str] = FILE_NAMESPACES, variants: tuple[str, ...] = ()) -> str:
    """Returns wikitext that parses fast and correctly, without tags, tables and list signs and with balanced brackets.

    Anything that still looks like a tag becomes an entity, which costs the parser no time and marks its paragraph as
    markup. ``files`` are lower-case names of the file namespace; for ``variants`` see ``without_variants``.
    """
    text = without_tables(without_raw_tags(without_controls(text)))
    text = _TITLE.sub(r"[[\1&#58;", text)
    text = "\n" + balanced(without_addresses(without_variants(text, variants)), files=files)
    if "\n----" in text:
        text = _RULE.sub("\n\n", text)
    if "\n=" in text:
        text = _HEADING_LINE.sub(
            lambda line: line[0] if line[0].count("=") <= _MOST_SIGNS else line[0].replace("=", "&#61;"), text
        )
    if "&" in text:
        text = _ENTITY.sub(lambda match: _numeric(match[1]), text)
    for pattern, mark in ((_TERM_LINE, TERM), (_LIST_LINE, LIST), (_INDENTED_LINE, INDENT)):
        text = pattern.sub(f"\n{mark}", text)
    return text[1:].replace("<", "&lt;")


@lru_cache(2048)
def _numeric(name: str) -> str:
    """Returns an entity, given by its name; HTML 5 entities unknown to the parser are converted to numeric ones."""
    known = name[:-1] in entitydefs or name not in html5
    return f"&{name}" if known else "".join(f"&#{ord(character)};" for character in html5[name])


_TAG = re.compile(r"<!--|<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>")
# Characters that nowiki prevents from being markup; entities are still interpreted there.
_INERT = re.compile(r"&#?\w{1,32};|[\[\]{}|'<>=*#:;~_!/-]")
# Switches in other languages are in capitals on a separate line, or in non-Latin letters.
_SWITCH = re.compile(
    rf"__(?i:{'|'.join(sorted(SWITCHES))})__"
    r"|^[ \t]*__[^\W\d_a-z]+(?:_[^\W\d_a-z]+)*__[ \t]*$|__[\u0370-\uffdc]+(?:_[\u0370-\uffdc]+)*__",
    re.MULTILINE,
)
_TABLE_LINE = r"^[ \t:]*(\{\|(?!\})|\|\}(?!\})|\|\}(?=\}\})|={2,}[^=\n].*=[ \t]*$)"
_LINES = re.compile(_TABLE_LINE, re.MULTILINE)
_LINES_AND_TAGS = re.compile(rf"{_TABLE_LINE}|(</?table\b)", re.MULTILINE | re.I)
_LONGEST_ADDRESS = 300
_ADDRESS_END = re.compile(r"://\S+$")


def without_raw_tags(text: str) -> str:
    """Removes comments, extension tags with their content, and HTML tags; converts nowiki text to entities."""
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
                and _ADDRESS_END.search(out[-2][-_LONGEST_ADDRESS:])
            ):
                out.append(" ")
    out.append(text[position:])
    text = "".join(out)
    return _SWITCH.sub("", text) if "__" in text else text


def _last(out: list[str]) -> str:
    """Removes empty pieces at the end, and returns the last character, or ""."""
    while out and not out[-1]:
        out.pop()
    return out[-1][-1] if out else ""


def _skip_extension(text: str, begin: int, name: str, unclosed: set[str], out: list[str]) -> int:
    """Returns the position after the extension tag whose content begins at ``begin``."""
    close = None if name in unclosed else re.compile(rf"</{name}\s*>", re.I).search(text, begin)
    if close is None:
        unclosed.add(name)
        out.append(BROKEN)
        return begin
    if name == "nowiki":
        inside = text[begin : close.start()]
        out.append(_INERT.sub(lambda found: found[0] if len(found[0]) > 1 else f"&#{ord(found[0])};", inside))
    elif name in BLOCK_EXTENSIONS and "\n" in text[begin : close.start()]:
        out.append(f"\n\n{LOST}\n\n")
    elif name in BLOCK_EXTENSIONS or name in FORMULA_TAGS:
        out.append(LOST)
    return close.end()


def _skip_comment(text: str, start: int, out: list[str]) -> int:
    """Returns the position after a comment; if the comment fills its line, the line is removed too."""
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
    return "" if closing and name != "table" else tag  # closing tags without an opening tag are removed


def without_tables(text: str) -> str:
    """Removes ``{| ... |}`` and ``<table>`` blocks, including nested ones; unclosed blocks end at the next heading."""
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


# Begins with a literal, so that ``re`` searches fast.
_REST = re.compile(r"://(?:(?!'')[^\s<>\[\]{}|\"\x00-\x1f])+")
_SCHEME = re.compile(r"(?:^|[^A-Za-z0-9])((?:https?|ftps?|ircs?|gopher|telnet))$", re.I)
# Characters other than a space that end the address in ``[address text]``.
_ENDS = ("\t", "\u00a0", "\u3000", '"', "'")
_NUMERIC_HOST = re.compile(r"://\[[\d:.a-f]+\]", re.I)  # 2001:db8::1
_LONGEST_SCHEME = 7  # characters, including the one before it
# Words after which a link shown only as a number is part of the sentence, and not a note.
NEEDS = re.compile(
    r"\b(?:a|an|and|as|at|by|called|for|from|his|her|in|is|its|of|on|or|see|the|their|to|under|via|visit|with)[ :]+$",
    re.I,
)
_BEFORE = 12


def without_addresses(text: str) -> str:
    """Returns wikitext with bare addresses replaced by LOST, or by HOLE where ``[address]`` is a note.

    ``[address text]`` and addresses as template values are kept.
    """
    if "://[" in text:
        text = _NUMERIC_HOST.sub("://host", text)
    out: list[str] = []
    position = 0
    for match in _REST.finditer(text):
        scheme = _SCHEME.search(text[max(position, match.start() - _LONGEST_SCHEME) : match.start()])
        if scheme is None:
            continue
        start, end = match.start() - len(scheme[1]), match.end()
        before = text[max(0, start - _BEFORE) : start]
        if before.endswith("["):
            if not text.startswith("]", end):
                if text[end : end + 1] in _ENDS:
                    out += (text[position:end], " ")
                    position = end
                continue
            start, end, mark = start - 1, end + 1, LOST if NEEDS.search(before[:-1]) else HOLE
        elif before.endswith(("=", "|")):
            continue
        else:
            # An address ends before stops and a bracket that belong to its sentence.
            end = start + len(text[start:end].rstrip(",;.:!?"))
            if text[end - 1] == ")" and "(" not in text[start:end]:
                end -= 1
            mark = LOST
        out += (text[position:start], mark)
        position = end
    return "".join([*out, text[position:]]) if out else text


_MARKUP = re.compile(r"-\{(?!\{)((?:(?!-\{(?!\{)|\}-).)*+)\}-(?!\})", re.DOTALL)
_CODE = r"[a-z]{2,3}(?:-[a-z]++)*+"
_FLAGS = re.compile(rf"\s*+([A-Z-](?:\s*+;\s*+[A-Z-])*+|{_CODE}(?:\s*+;\s*+{_CODE})*+)?+\s*+\|")
_VARIANT = re.compile(rf"(?:^|;)\s*+(?:[^;:=]*+=>\s*+)?+(?P<code>{_CODE})\s*+:\s*+", re.I)
_DEEPEST = 6


def without_variants(text: str, variants: Sequence[str] = ()) -> str:
    """Returns wikitext with each choice of variants replaced by one of them; unclosed markup is kept.

    Args:
        text: the wikitext.
        variants: codes of variants in order of preference; if a choice contains none of them, its first one is used.
    """
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, count = _MARKUP.subn(lambda match: _shown(match[1], variants), text)
        if not count:
            break
    return text


def _shown(inside: str, wanted: Sequence[str]) -> str:
    flags = _FLAGS.match(inside)
    letters = frozenset(re.split(r"[\s;]+", flags[1] or "")) if flags else frozenset()
    if flags:
        inside = inside[flags.end() :]
    if letters & {"N", "D"}:  # the name of a language, or a description of the rule
        return LOST
    if letters & {"H", "T", "-"}:  # a rule for other parts of the page
        return HOLE
    if "R" in letters:
        return inside
    variants = list(_VARIANT.finditer(inside))
    if not variants or inside[: variants[0].start()].strip():
        return inside
    codes = [match["code"].lower() for match in variants]
    at = next((codes.index(code) for code in wanted if code in codes), 0)
    end = variants[at + 1].start() if at + 1 < len(variants) else None
    return inside[variants[at].end() : end].rstrip("; \n")
