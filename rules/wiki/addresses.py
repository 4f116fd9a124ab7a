"""Bare addresses: the words around one are no sentence without it, so they go together."""

from __future__ import annotations

import re

from rules.wiki.marks import HOLE, LOST

_ADDRESS = re.compile(
    r"(?P<bracket>\[?)(?P<address>(?:https?|ftps?|ircs?|gopher|telnet)://(?:(?!'')[^\s<>\[\]{}|\"\x00-\x1f])+)(?P<close>\]?)",
    re.I,
)
_BARE_TAIL = re.compile(r"[,;.:!?]+$")
# Before a footnote that only a number shows, such a word says that the sentence needs it.
_NEEDS = re.compile(
    r"\b(?:a|an|and|as|at|by|called|for|from|his|her|in|is|its|of|on|or|see|the|their|to|under|via|visit|with)[ :]+$", re.I
)
_BEFORE = 12


def without_addresses(text: str) -> str:
    """Returns wikitext in which bare addresses are marks: of lost words, or of a note where ``[address]`` is one.

    ``[address text]`` and addresses that are values of templates stay.
    """
    return _ADDRESS.sub(_replaced, text) if "://" in text else text


def _replaced(match: re.Match[str]) -> str:
    start = match.start()
    before = match.string[max(0, start - _BEFORE) : start]
    if match["bracket"]:
        if not match["close"]:
            return match.group()
        return LOST if _NEEDS.search(before) else HOLE
    if before[-1:] in ("=", "|") or before[-1:].isalnum():
        return match.group()
    address = match["address"]
    tail = _BARE_TAIL.search(address)
    kept = tail.group() if tail else ""
    if address.removesuffix(kept).endswith(")") and "(" not in address:
        kept = ")" + kept
    return f"{LOST}{kept}{match['close']}"
