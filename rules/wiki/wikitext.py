"""From a page's wikitext to titled sections of paragraphs of plain prose.

In four steps, each linear in the text: raw tags, tables and unbalanced brackets are removed (``prepare``, ``balance``),
mwparserfromhell parses the rest, which becomes flat text with inline templates rendered (``flatten``,
``templates``), and the lines are put together into paragraphs and tidied (here and ``tidy``).
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
# Finds something wherever that does; it begins with a set of characters that are rare, and is searched for fast.
_SUSPECT = re.compile(r"[{}|\[\]<>'(\x00-\x08\x0e-\x1f](?:(?<![('])|(?<=')''|(?<=\()\s*\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningConfig:
    """The parts of a page that cleaning keeps.

    Attributes:
        keep_lists: whether list items count as paragraphs; by default they go.
        dropped_sections: lower-case titles of sections to drop, with their subsections, except
            paragraphs of plain prose; those of the wiki's language go too.
    """

    keep_lists: bool = False
    dropped_sections: frozenset[str] = DROPPED_SECTIONS


def clean_wikitext(
    text: str, *, config: CleaningConfig = CleaningConfig(), page: Page = UNKNOWN
) -> tuple[Section, ...]:
    """Returns the sections that hold prose, in order; the lead has title "" and level 1.

    ``page`` is the context of the text.

    No paragraph contains markup: unbalanced markup costs its paragraph. Sections without
    prose are left out. Output is NFC-normalised with single spaces. Never raises; time and memory are bounded only
    for text that ``check_caps`` accepts.
    """
    source = prepared(text, files=page.files, variants=page.local.variants(page.variant))
    return tuple(sections_of(_flat(source, page), config, page.local))


def clean_page(document: tuple[str, Page], *, config: CleaningConfig = CleaningConfig()) -> tuple[Section, ...]:
    """Returns the sections of a page, given as its text and metadata; as ``clean_wikitext``."""
    text, page = document
    return clean_wikitext(text, config=config, page=page)


def _flat(source: str, page: Page) -> str:
    try:
        return flatten(source, page)
    except ParserError:
        parts = source.split("\n\n")
        return BROKEN if len(parts) == 1 else "\n\n".join(_flat(part, page) for part in parts)


def sections_of(flat: str, config: CleaningConfig, local: Local = ENGLISH_WIKI) -> Iterator[Section]:
    """Yields the sections of flat text with the marks of ``rules/text/prose.py``, as ``clean_wikitext`` returns them.

    ``local`` has the settings of the wiki's language.
    """
    title, level = "", 1
    dropped = 0  # level of the dropped section we are in
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
    """Whether a paragraph of a section of sources or links is prose of the article, as a paragraph of another is."""
    if _CITATION.search(content) is not None or words_for(local.code).count(content) < _LEAST_BODY_WORDS:
        return False
    return len(sentences_of(content, local)) > 1


class _Prose:
    """The paragraphs of a section in order.

    The rest of a sentence with a removed block is removed too: words that introduced it, and those that continue it.
    """

    def __init__(self, local: Local) -> None:
        self._local = local
        self._paragraphs: list[str] = []
        self._gone = False  # whether the last block was removed
        self._open = False  # whether the last block is a paragraph that the next one may continue

    def put(self, kind: BlockKind, content: str, *, dropped: bool) -> None:
        """Takes in the next block; ``dropped``: of a section of which only plain prose stays."""
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
        """Takes in that a block was removed."""
        if self._open and not ends_sentence(self._paragraphs[-1], colon=False):
            self._cut_last()
        self._gone, self._open = True, False

    def take(self) -> tuple[str, ...]:
        """Returns the paragraphs of the section, which ends here."""
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
    """Whether a text is a list on one line, as wikis write links to pages of a kind."""
    return len(_SEPARATOR.findall(text)) >= _LEAST_SEPARATORS


def _is_markup(text: str) -> bool:
    return _SUSPECT.search(text) is not None and _RESIDUE.search(text) is not None


_BREAKS = re.compile(rf"{BREAK}\s*{BREAK}[\s{BREAK}]*")
_EDGE_BREAKS = re.compile(rf"\n[ \t]*{BREAK}|{BREAK}[ \t]*\n")
_BOLD_LINE = re.compile(r"^'{3,5}(?!')[^'\n]{1,80}(?<![.!?。！？।])'{3,5}[ \t]*+[:：]?+[ \t]*+$", re.MULTILINE)
_RAW_HEADING = re.compile(r"(={2,6})(.+?)={2,6}\s*")
# A box before the text of its line: the text begins as a sentence does.
_BOX = re.compile(rf"(?<![\s{LOST}{HOLE}])\s*(?:[{LOST}{HOLE}]\s*)*[{LOST}{HOLE}](?=\s*'''|[{CAPITALS}\"\u201c]|'')")
_BULLET = re.compile(r"[-–—•·]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)]\s")
_HATNOTE = re.compile(
    r"(?<!\W)\W*+(?:see also|main (?:articles?|page)|further (?:information|reading)|details|not to be confused|"
    r"for (?:other|another|more|further|the .{1,60} see\b)|this (?:article|page) is about)\b|.{0,80}\bredirects? here",
    re.I,
)


class BlockKind(Enum):
    """The type of a block: a heading, a paragraph, an item of a list, or a block that is not text and was removed."""

    HEADING = 1
    PARAGRAPH = 2
    ITEM = 3
    GONE = 4


class Block(NamedTuple):
    """A block; ``level`` is that of a heading. The text has no quotes of bold and italic any more."""

    kind: BlockKind
    text: str = ""
    level: int = 0


def blocks(flat: str, *, keep_lists: bool, local: Local) -> Iterator[Block]:
    """Yields the blocks of flat text in order. The lines of a paragraph are joined as sentences are.

    In other languages than English a line that is bold as a whole is removed: many wikis write headings so.
    """
    joiner = local.joiner or BREAK
    if BREAK in flat:
        flat = _EDGE_BREAKS.sub("\n", _BREAKS.sub("\n\n", flat))
    if not local.is_english:
        flat = _BOLD_LINE.sub(_lost_heading, flat)
    lines: list[str] = []  # of the paragraph that is open
    indented: list[str] = []
    listed = False  # whether the last line was an item of a list
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
    """A line that is not part of a paragraph of several."""
    if bare[0] == HEADING:
        return Block(BlockKind.HEADING, without_quotes(bare[2:]), int(bare[1]))
    if match := _RAW_HEADING.fullmatch(bare):
        return Block(BlockKind.HEADING, without_quotes(match[2].strip()), len(match[1]))
    if _is_gone(bare):
        return Block(BlockKind.GONE)
    if line[0] == " ":
        return Block(BlockKind.PARAGRAPH, without_quotes(bare))  # an accidental space; code has no sentences
    return Block(BlockKind.PARAGRAPH, BROKEN)  # a scrap of a table


def _lost_heading(match: re.Match[str]) -> str:
    """A bold line in the place of a heading is lost; inside a sentence of several lines it is a part of it."""
    end = max(0, match.start() - 1)
    before = match.string[match.string.rfind("\n", 0, end) + 1 : end]
    return match.group() if before.strip() and not ends_sentence(before) else LOST


def _paragraph(lines: list[str], joiner: str) -> Iterator[Block]:
    """The paragraph of ``lines``, which are taken."""
    if lines:
        if lines[0][0] in _BLANK and (box := _BOX.match(lines[0])):
            lines[0] = lines[0][box.end() :]
        yield Block(BlockKind.PARAGRAPH, joiner.join(map(without_quotes, lines)))
        lines.clear()


def _quoted(lines: list[str]) -> Iterator[Block]:
    """The paragraphs of indented lines, which are taken: quotations, not verses, formulas, items or hatnotes."""
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
