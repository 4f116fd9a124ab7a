"""Flat text becomes blocks: headings, paragraphs, items of lists, and the places where a block went."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from gistmill.rules.text.prose import BREAK, BROKEN, CAPITALS, HEADING, HOLE, INDENT, LIST, LOST, TERM, ends_sentence
from gistmill.rules.wiki.local import Local
from gistmill.rules.wiki.tidy import without_quotes

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
    """What a block is: a heading, a paragraph, an item of a list, or a block that is not text and went."""

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

    Beside English a line that is bold as a whole goes, because many wikis write headings so.
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
    """A bold line in the place of a heading is lost; inside a sentence that goes over lines it is a part of it."""
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
    """The paragraphs of indented lines, which are taken: quotations. Verses, formulas, items and hatnotes go."""
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


def continues(text: str) -> bool:
    """Whether a text begins in the middle of a sentence: in lower case, and not with a name such as iPhone."""
    return text[:1].islower() and not text[1:2].isupper() and not text[2:3].isupper()
