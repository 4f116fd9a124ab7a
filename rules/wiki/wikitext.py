"""Conversion of a page's wikitext to titled sections with paragraphs of plain prose.

There are three steps, each of which takes linear time: removing raw tags, tables and unbalanced brackets (``prepare``,
``balance``); parsing the rest with mwparserfromhell into flat text with inline templates rendered (``flatten``,
``templates``); and joining lines into paragraphs and tidying them (this module and ``tidy``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from mwparserfromhell.parser import ParserError

from gistmill.rules.documents import Section
from gistmill.rules.text.prose import (
    BREAK,
    BROKEN,
    CAPITALS,
    HEADING,
    HOLE,
    INDENT,
    LIST,
    LOST,
    TERM,
    continues_sentence,
    ends_sentence,
    is_prose,
)
from gistmill.rules.text.words import words_for
from gistmill.rules.wiki.flatten import flatten
from gistmill.rules.wiki.page import DROPPED_SECTIONS, UNKNOWN, Local, Page, local_of
from gistmill.rules.wiki.prepare import prepared
from gistmill.rules.wiki.tidy import sentences_of, tidy, tidy_paragraph, without_quotes

ENGLISH_WIKI = local_of()
_RESIDUE = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|'''|\|-|thumb\||</?[a-z!][^<>]*>|<ref|</|<!--|-->|-\{|\}-"
    r"|\(\s*\)|\[\s*\]|\|\s?[a-z_]{2,20}\s?=|[\x00-\x08\x0e-\x1f]",
    re.I,
)
# Matches something in every text that _RESIDUE does; fast, because it begins with a set of rare characters.
_SUSPECT = re.compile(r"[{}|\[\]<>'(\x00-\x08\x0e-\x1f](?:(?<![('])|(?<=')''|(?<=\()\s*\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningConfig:
    """The parts of a page that cleaning keeps.

    Attributes:
        keep_lists: whether to keep list items, as paragraphs.
        dropped_sections: lower-case titles of sections to drop, with their subsections, except for paragraphs of plain
            prose; sections with such titles in the wiki's language are also dropped.
    """

    keep_lists: bool = False
    dropped_sections: frozenset[str] = DROPPED_SECTIONS


def clean_wikitext(
    text: str, *, config: CleaningConfig = CleaningConfig(), page: Page = UNKNOWN
) -> tuple[Section, ...]:
    """Returns the sections that contain prose, in order; the lead has the title "" and level 1.

    Paragraphs contain no markup; those with unbalanced markup are dropped. Output is in NFC with single spaces. Never
    raises; time and memory are bounded only for text accepted by ``check_caps``.
    """
    source = prepared(text, files=page.files, variants=page.local.variants(page.variant))
    return tuple(sections_of(_flat(source, page), config, page.local))


def clean_page(document: tuple[str, Page], *, config: CleaningConfig = CleaningConfig()) -> tuple[Section, ...]:
    """Returns the sections of a page, given as its text and context, like ``clean_wikitext``."""
    text, page = document
    return clean_wikitext(text, config=config, page=page)


def _flat(source: str, page: Page) -> str:
    try:
        return flatten(source, page)
    except ParserError:
        parts = source.split("\n\n")
        return BROKEN if len(parts) == 1 else "\n\n".join(_flat(part, page) for part in parts)


def sections_of(flat: str, config: CleaningConfig, local: Local = ENGLISH_WIKI) -> Iterator[Section]:
    """Yields the sections of flat text with the marks from ``rules/text/prose.py``, as ``clean_wikitext`` returns them.

    ``local`` gives the settings for the wiki's language.
    """
    title, level = "", 1
    dropped = 0  # level of the current dropped section
    prose = _Prose(local)
    for kind, content, number in blocks(flat, keep_lists=config.keep_lists, local=local):
        if kind is BlockKind.HEADING:
            if paragraphs := prose.take():
                yield Section(title, level, paragraphs)
            level, title = number, tidy(content, local)
            if dropped and level > dropped:
                continue
            known = title.casefold().rstrip(":. ") in config.dropped_sections or local.drops(title)
            dropped = level if known else 0
        else:
            prose.put(kind, content, dropped=dropped > 0)
    if paragraphs := prose.take():
        yield Section(title, level, paragraphs)


def _is_body(content: str, local: Local) -> bool:
    """Whether a paragraph in a section of sources or links is article prose, as in other sections."""
    if _CITATION.search(content) is not None or words_for(local.code).count(content) < _LEAST_BODY_WORDS:
        return False
    return len(sentences_of(content, local)) > 1


class _Prose:
    """The paragraphs of a section, in order.

    If a block is removed, so are the parts of the same sentence that introduced or continue it.
    """

    def __init__(self, local: Local) -> None:
        self._local = local
        self._paragraphs: list[str] = []
        self._gone = False  # whether the last block was removed
        self._open = False  # whether the last block is a paragraph that the next one may continue

    def put(self, kind: BlockKind, content: str, *, dropped: bool) -> None:
        """Processes the next block; if ``dropped``, its section keeps only plain prose."""
        if kind is BlockKind.GONE or BROKEN in content or (dropped and not _is_body(content, self._local)):
            self.lose()
        elif kind is BlockKind.ITEM:
            texts = tidy_paragraph(content, self._local)
            self._paragraphs += [text for text in texts if is_prose(text) and not _is_markup(text)]
            self._gone = self._open = False
        elif not self._local.is_hatnote(content) or ends_sentence(content):
            self.add(content)

    def add(self, content: str) -> None:
        """Adds a half-cleaned paragraph."""
        texts = tidy_paragraph(content, self._local)
        if not texts:
            self.lose()
        for at, text in enumerate(texts):
            if at == 0 and self._gone and continues_sentence(text):
                text = text[len(sentences_of(text, self._local)[0]) :].lstrip()
            if _is_markup(text):
                self.lose()
            elif at == 0 and self._open and self._is_continued(text):
                self._paragraphs[-1] += f"{self._local.joiner}{text}"
            elif is_prose(text) and (self._local.is_english or ends_sentence(text) or not _is_list(text)):
                self._paragraphs.append(text)
                self._open, self._gone = True, False
            else:
                self.lose()

    def lose(self) -> None:
        """Records that a block was removed."""
        if self._open and not ends_sentence(self._paragraphs[-1], colon=False):
            self._cut_last()
        self._gone, self._open = True, False

    def take(self) -> tuple[str, ...]:
        """Ends the section, and returns its paragraphs."""
        if self._open and self._paragraphs[-1].endswith(_INTRODUCES):
            self._cut_last()
        paragraphs, self._paragraphs = tuple(self._paragraphs), []
        self._gone = self._open = False
        return paragraphs

    def _is_continued(self, text: str) -> bool:
        last = self._paragraphs[-1]
        if continues_sentence(text):
            return not ends_sentence(last, colon=False)
        return last.endswith(_INTRODUCES) and is_prose(text)

    def _cut_last(self) -> None:
        text = self._paragraphs.pop()
        rest = text[: -len(sentences_of(text, self._local)[-1])].rstrip()
        if is_prose(rest):
            self._paragraphs.append(rest)


_INTRODUCES = (":", "\uff1a", ",", "\uff0c", "\u3001", "\u060c")
_CITATION = re.compile(
    r"\(\d{4}[a-z]?\)|\b(?:pp?|vol|ed|eds|trans|no)\. ?[\d)]|\b(?:ISBN|OCLC|doi|Vol|Retrieved|Accessed|Press)\b|://|\d{4}\.(?:\s|$)",
    re.I,
)
_LEAST_BODY_WORDS = 20
_SEPARATOR, _LEAST_SEPARATORS = re.compile(r"\s[-–—－・·•|/]|[-－]\s"), 4


def _is_list(text: str) -> bool:
    """Whether a text is a one-line list, such as wikis use for links to related pages."""
    return len(_SEPARATOR.findall(text)) >= _LEAST_SEPARATORS


def _is_markup(text: str) -> bool:
    return _SUSPECT.search(text) is not None and _RESIDUE.search(text) is not None


_BREAKS = re.compile(rf"{BREAK}\s*{BREAK}[\s{BREAK}]*")
_EDGE_BREAKS = re.compile(rf"\n[ \t]*{BREAK}|{BREAK}[ \t]*\n")
_BOLD_LINE = re.compile(r"^'{3,5}(?!')[^'\n]{1,80}(?<![.!?。！？।])'{3,5}[ \t]*+[:：]?+[ \t]*+$", re.MULTILINE)
_RAW_HEADING = re.compile(r"(={2,6})(.+?)={2,6}\s*")
# A box before the text of its line, which begins like a sentence.
_BOX = re.compile(rf"(?<![\s{LOST}{HOLE}])\s*(?:[{LOST}{HOLE}]\s*)*[{LOST}{HOLE}](?=\s*'''|[{CAPITALS}\"\u201c]|'')")
_BULLET = re.compile(r"[-–—•·]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)]\s")
_HATNOTE = re.compile(
    r"(?<!\W)\W*+(?:see also|main (?:articles?|page)|further (?:information|reading)|details|not to be confused|"
    r"for (?:other|another|more|further|the .{1,60} see\b)|this (?:article|page) is about)\b|.{0,80}\bredirects? here",
    re.I,
)


class BlockKind(Enum):
    """The kinds of blocks: headings, paragraphs, list items, and removed blocks that are not text."""

    HEADING = 1
    PARAGRAPH = 2
    ITEM = 3
    GONE = 4


class Block(NamedTuple):
    """A block, whose text no longer contains bold and italic quotes; ``level`` is for headings."""

    kind: BlockKind
    text: str = ""
    level: int = 0


def blocks(flat: str, *, keep_lists: bool, local: Local) -> Iterator[Block]:
    """Yields the blocks of flat text in order, joining the lines of a paragraph like sentences.

    In languages other than English, lines that are entirely bold are removed: on many wikis they are headings.
    """
    joiner = local.joiner or BREAK
    if BREAK in flat:
        flat = _EDGE_BREAKS.sub("\n", _BREAKS.sub("\n\n", flat))
    if not local.is_english:
        flat = _BOLD_LINE.sub(_lost_heading, flat)
    lines: list[str] = []  # of the open paragraph
    indented: list[str] = []
    listed = False  # whether the last line was a list item
    for line in flat.split("\n"):
        bare = line.replace(HOLE, "").strip()
        first = bare[:1]
        if first == INDENT and not listed:
            yield from _paragraph(lines, joiner)
            indented.append(bare[1:].strip())
            continue
        if indented:
            yield from _quoted(indented)
        if not bare:
            if line.strip() and lines and not ends_sentence(lines[-1]):
                continue  # a picture inside a sentence
            if lines:
                yield from _paragraph(lines, joiner)
            listed = False
            continue
        if first not in _MARKED and line[0] != " " and not _is_gone(bare):
            lines.append(line)
            listed = False
            continue
        yield from _paragraph(lines, joiner)
        listed = first in (LIST, INDENT) and not line.startswith(TERM)
        if first not in (LIST, INDENT):
            yield _block(line, bare)
        elif keep_lists:
            yield Block(BlockKind.ITEM, without_quotes(line.replace(LIST, "").replace(INDENT, "").strip()))
        else:
            yield Block(BlockKind.GONE)
    yield from _quoted(indented)
    yield from _paragraph(lines, joiner)


_BLANK = frozenset((HOLE, LOST, "\t"))
_MARKED = frozenset((LIST, HEADING, INDENT, "|", "!", "="))


def _is_gone(bare: str) -> bool:
    return LOST in bare and not any(map(str.isalnum, bare))


def _block(line: str, bare: str) -> Block:
    """Returns the block for a line that is not part of a multi-line paragraph."""
    if bare[0] == HEADING:
        return Block(BlockKind.HEADING, without_quotes(bare[2:]), int(bare[1]))
    if match := _RAW_HEADING.fullmatch(bare):
        return Block(BlockKind.HEADING, without_quotes(match[2].strip()), len(match[1]))
    if _is_gone(bare):
        return Block(BlockKind.GONE)
    if line[0] == " ":
        return Block(BlockKind.PARAGRAPH, without_quotes(bare))  # an accidental space; code contains no sentences
    return Block(BlockKind.PARAGRAPH, BROKEN)  # a scrap of a table


def _lost_heading(match: re.Match[str]) -> str:
    """Returns LOST for a bold line that serves as a heading, but the line itself inside a multi-line sentence."""
    end = max(0, match.start() - 1)
    before = match.string[match.string.rfind("\n", 0, end) + 1 : end]
    return match.group() if before.strip() and not ends_sentence(before) else LOST


def _paragraph(lines: list[str], joiner: str) -> Iterator[Block]:
    """Yields the paragraph formed by ``lines``, and clears them."""
    if lines:
        if lines[0][0] in _BLANK and (box := _BOX.match(lines[0])):
            lines[0] = lines[0][box.end() :]
        yield Block(BlockKind.PARAGRAPH, joiner.join(map(without_quotes, lines)))
        lines.clear()


def _quoted(lines: list[str]) -> Iterator[Block]:
    """Yields indented lines that are quotations, not verse, formulas, items or hatnotes, and clears ``lines``."""
    if not lines:
        return
    texts = [without_quotes(line) for line in lines]
    verse = len(texts) > 1 and 2 * sum(ends_sentence(text) for text in texts) < len(texts)
    for text in texts:
        if _HATNOTE.match(text):
            continue
        gone = verse or not text or _is_gone(text) or _BULLET.match(text) is not None
        yield Block(BlockKind.GONE) if gone else Block(BlockKind.PARAGRAPH, text)
    lines.clear()
