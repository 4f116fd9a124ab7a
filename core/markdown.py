"""Text in the form of Markdown, as cards and tables of results are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def one_line(text: object) -> str:
    """Returns a text without line breaks, its white space as single spaces."""
    return " ".join(str(text).split())


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """Returns the lines of a table, and an empty line after it; bars and line breaks in cells do no harm."""
    lines = [head, ["---"] * len(head), *rows]
    return [*("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in line) + " |" for line in lines), ""]


def definitions(entries: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the lines of a list of terms: each with its meaning in the line below it, and an empty line after that.

    Unlike the columns of a table, these lines wrap on a phone.
    """
    return [line for term, meaning in entries for line in (f"- {one_line(term)}\\", f"  {one_line(meaning)}", "")]
