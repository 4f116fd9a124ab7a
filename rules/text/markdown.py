"""Conversion of Markdown to sections of prose (the parts needed of CommonMark 0.31, sections 4.2, 4.5, 5 and 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gistmill.rules.documents import Section
from gistmill.rules.text.prose import plain_paragraphs

_FENCE = re.compile(r" {0,3}(`{3,}+(?!.*`)|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_CLOSING = re.compile(r"(?:^|[ \t])#++[ \t]*$")
# Marks, and their replacements.
_MARKS = (
    (re.compile(r"\A---[ \t]*\n(?=[\w-]+:)[\s\S]*?\n---[ \t]*$", re.MULTILINE), ""),  # front matter
    (re.compile(r"^[ \t]*\|.*$", re.MULTILINE), "\n"),  # table row
    (re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE), ""),  # quotation
    (re.compile(r"^[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]+", re.MULTILINE), "\n"),  # list item, which becomes a paragraph
    (re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)"), ""),  # picture
    (re.compile(r"\[([^\[\]\n]*)\]\([^()\n]*\)"), r"\1"),  # link
    (re.compile(r"(?<![\w*_])[*_]{1,3}(?=[^\s*_])([^*_\n]*)(?<=[^\s*_])[*_]{1,3}(?![\w*_])"), r"\1"),  # emphasis
    (re.compile(r"(?<!`)`([^`\n]+)`(?!`)"), r"\1"),  # inline code
)


def markdown_sections(text: str) -> tuple[Section, ...]:
    """Returns the sections of a text that contain prose, as divided by headings of the form ``## Title``; line ends
    must be ``\\n``. Fenced code, tables and pictures are left out."""
    for mark, instead in _MARKS:
        text = mark.sub(instead, text)
    sections = [Section(title, level, plain_paragraphs("\n".join(body))) for title, level, body in _parts(text)]
    return tuple(section for section in sections if section.paragraphs)


def _parts(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yields the title and level of each section, and the lines below its heading."""
    title, level, fence, body = "", 1, "", list[str]()
    for line in text.split("\n"):
        mark, heading = _FENCE.match(line), _HEADING.match(line)
        if fence:
            fence = "" if line.lstrip().startswith(fence) else fence
        elif mark:
            fence = mark[1]
            body.append("")
        elif heading:
            yield title, level, body
            title, level, body = _CLOSING.sub("", line[heading.end() :]).strip(), len(heading[1]), []
        else:
            body.append(line)
    yield title, level, body
