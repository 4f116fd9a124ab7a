"""Text in the form of Markdown, as cards and tables of results are written."""

from __future__ import annotations

from collections.abc import Sequence


def one_line(text: object) -> str:
    """Returns a text without line breaks, its white space as single spaces."""
    return " ".join(str(text).split())


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """Returns the lines of a table, and an empty line after it; bars and line breaks in cells do no harm."""
    lines = [head, ["---"] * len(head), *rows]
    return [*("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in line) + " |" for line in lines), ""]
