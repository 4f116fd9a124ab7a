"""Text of strangers for a terminal: titles, ids and names of files may hold what a terminal takes for commands."""

from __future__ import annotations

import re

# Control characters, ends of lines, those that turn the direction of text around, and halves of surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(line: str) -> str:
    """Returns a line of text as it can be printed: what is not text is escaped, as JSON does it (``\\u001b``).

    So a line stays one line, and a line of JSON has the same value.
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def printable_lines(text: str) -> str:
    """Returns a text of several lines as it can be printed."""
    return "\n".join(map(printable, text.split("\n")))
