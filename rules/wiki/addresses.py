"""Bare addresses: the words around one are not a sentence without it, so they go together."""

from __future__ import annotations

import re

from gistmill.rules.text.marks import HOLE, LOST

# Begins with a fixed text, so that ``re`` searches fast.
_REST = re.compile(r"://(?:(?!'')[^\s<>\[\]{}|\"\x00-\x1f])+")
_SCHEME = re.compile(r"(?:^|[^A-Za-z0-9])((?:https?|ftps?|ircs?|gopher|telnet))$", re.I)
# What ends the address of ``[address text]`` beside a space.
_ENDS = ("\t", "\u00a0", "\u3000", '"', "'")
_NUMERIC_HOST = re.compile(r"://\[[\d:.a-f]+\]", re.I)  # 2001:db8::1
_LONGEST_SCHEME = 7  # with the character before it
_TAIL = re.compile(r"[,;.:!?]+$")
# Before a footnote that only a number shows, such a word says that the sentence needs it.
NEEDS = re.compile(
    r"\b(?:a|an|and|as|at|by|called|for|from|his|her|in|is|its|of|on|or|see|the|their|to|under|via|visit|with)[ :]+$",
    re.I,
)
_BEFORE = 12


def without_addresses(text: str) -> str:
    """Returns wikitext in which bare addresses are marks: of lost words, or of a note where ``[address]`` is one.

    ``[address text]`` and addresses that are values of templates stay.
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
            end, mark = _end(text, start, end), LOST
        out += (text[position:start], mark)
        position = end
    return "".join([*out, text[position:]]) if out else text


def _end(text: str, start: int, end: int) -> int:
    """Returns where an address ends: before the stops and the bracket that belong to its sentence."""
    if tail := _TAIL.search(text, start, end):
        end = tail.start()
    if text[end - 1] == ")" and "(" not in text[start:end]:
        end -= 1
    return end
