"""Private marks that stand in half-cleaned text, and how they are kept out of the input.

They are C0 control characters, which XML forbids, so no dump can hold them; ``without_controls`` removes them from
any other input.
"""

from __future__ import annotations

import re

HOLE = "\x01"  # what is not part of the sentence vanished here; brackets around it may have lost their sense
LIST = "\x02"  # starts a list item
TERM = LIST + HOLE  # starts a term, whose definition follows
HEADING = "\x03"  # starts a heading line; followed by one digit, the level
BROKEN = "\x04"  # unbalanced markup; its paragraph is dropped
APOSTROPHE = "\x05"  # an apostrophe that is not bold or italic markup
SUP = "\x06"  # superscript begins
SUP_END = "\x07"
BREAK = "\x0e"  # <br>
LOST = "\x0f"  # words that are not known vanished here; a sentence goes with them
UNSAID = LOST + HOLE  # pronunciation: no part of a sentence in brackets, outside of them a sentence speaks about it
INDENT = "\x10"  # starts an indented line
FRACTION = "\x15"  # starts a fraction, which is apart from a number before it
APART = "\u200b"  # between signs that are not markup together; is invisible

CAPITALS = "A-ZÀ-ÖØ-ÞΑ-ΩЀ-Я"  # of the alphabets that have them, for a class of a pattern

# Characters without width and without meaning for words; joiners stay, they belong to some scripts.
INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"  # for a class of a pattern
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff"  # likewise; and lone surrogates
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_CONTROLS = re.compile(f"[{CONTROLS}]")


def without_controls(text: str) -> str:
    """Returns ``text`` without control characters and lone surrogates, line ends as ``\\n``."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n"))


def without_invisible(text: str) -> str:
    """Returns ``text`` without soft hyphens, marks of direction and other invisible characters."""
    return _INVISIBLE.sub("", text)
