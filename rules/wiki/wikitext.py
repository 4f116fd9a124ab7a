"""Wikitext of a page becomes titled sections of paragraphs of plain prose.

In four steps, each linear in the text: raw tags, tables and unbalanced brackets go (``balance``), mwparserfromhell
tells apart what is left, which becomes flat text with inline templates rendered (``flatten``, ``templates``), and the
lines are put together into paragraphs and tidied (here and ``tidy``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mwparserfromhell.parser import ParserError

from rules.records import Section
from rules.text.prose import is_prose
from rules.wiki.balance import prepared
from rules.wiki.flatten import flatten
from rules.wiki.marks import BREAK, BROKEN, HEADING, HOLE, LIST
from rules.wiki.markup import DROPPED_SECTIONS
from rules.wiki.tidy import tidy, tidy_paragraph, without_quotes

_BREAKS = re.compile(rf"{BREAK}\s*{BREAK}[\s{BREAK}]*")
_EDGE_BREAKS = re.compile(rf"\n[ \t]*{BREAK}|{BREAK}[ \t]*\n")
_RAW_HEADING = re.compile(r"(={2,6})\s*(.+?)\s*={2,6}\s*")
_RESIDUE = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|'''|\|-|thumb\||</?[a-z!][^<>]*>|<ref|</|<!--|-->|__[A-Z]+__"
    r"|\(\s*\)|\[\s*\]|[\x00-\x08\x0e-\x1f]",
    re.I,
)
# Finds something wherever that does; it begins with a set of characters that are rare, and is searched for fast.
_SUSPECT = re.compile(r"[{}|\[\]<>_'(\x00-\x08\x0e-\x1f](?:(?<![(_'])|(?<=_)_|(?<=')''|(?<=\()\s*\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningConfig:
    """The parts of a page that cleaning keeps.

    Attributes:
        keep_lists: whether list items count as paragraphs; by default they go.
        dropped_sections: lower-case titles of sections that go, with their subsections.
    """

    keep_lists: bool = False
    dropped_sections: frozenset[str] = DROPPED_SECTIONS


def clean_wikitext(text: str, *, config: CleaningConfig = CleaningConfig()) -> tuple[Section, ...]:
    """Returns the sections that hold prose, in order; the lead has title "" and level 1.

    No paragraph holds markup: what is unbalanced on the page costs the paragraph in which it stands. Sections without
    prose are left out. Output is NFC-normalised with single spaces. Never raises; time and memory are bounded only
    for text that ``check_caps`` accepts.
    """
    return tuple(_sections(_flat(prepared(text)), config))


def _flat(source: str) -> str:
    try:
        return flatten(source)
    except ParserError:
        blocks = source.split("\n\n")
        return BROKEN if len(blocks) == 1 else "\n\n".join(_flat(block) for block in blocks)


def _sections(flat: str, config: CleaningConfig) -> Iterator[Section]:
    title, level = "", 1
    dropped = 0  # level of the dropped section we are in
    paragraphs: list[str] = []
    for kind, content in _blocks(flat, keep_lists=config.keep_lists):
        if kind:
            if paragraphs:
                yield Section(title, level, tuple(paragraphs))
                paragraphs = []
            level, title = kind, tidy(content)
            if dropped and level > dropped:
                continue
            dropped = level if title.casefold().rstrip(":. ") in config.dropped_sections else 0
        elif not dropped and BROKEN not in content:
            paragraphs += [text for text in tidy_paragraph(content) if is_prose(text) and not _is_markup(text)]
    if paragraphs:
        yield Section(title, level, tuple(paragraphs))


def _is_markup(text: str) -> bool:
    return _SUSPECT.search(text) is not None and _RESIDUE.search(text) is not None


def _blocks(flat: str, *, keep_lists: bool) -> Iterator[tuple[int, str]]:
    """Yields (level, title) for a heading and (0, text) for a paragraph whose lines are joined by spaces."""
    if BREAK in flat:
        flat = _EDGE_BREAKS.sub("\n", _BREAKS.sub("\n\n", flat)).replace(BREAK, " ")
    lines: list[str] = []
    for line in flat.split("\n"):
        bare = line.replace(HOLE, "").strip()
        starts_block = bare[:1] in (LIST, HEADING, "|", "!") or line[:1] == " " or bare[:1] == "="
        if bare and not starts_block:
            lines.append(line)
            continue
        if lines:
            yield 0, " ".join(map(without_quotes, lines))
            lines = []
        if not bare:
            continue
        if bare[0] == HEADING:
            yield int(bare[1]), without_quotes(bare[2:])
        elif match := _RAW_HEADING.fullmatch(bare):
            yield len(match[1]), without_quotes(match[2])
        elif bare[0] == LIST:
            if keep_lists:
                yield 0, without_quotes(line.replace(LIST, "").strip())
        elif line[0] == " ":
            yield 0, without_quotes(bare)  # an accidental space; code has no sentences
        else:
            yield 0, BROKEN  # a scrap of a table
    if lines:
        yield 0, " ".join(map(without_quotes, lines))
