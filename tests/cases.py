"""Files of cases, in the folder `cases` or `texts` beside the tests that read them.

In a text file a text stands on a line, and what is expected of it in indented lines below, `""` for an empty one. A
line after `# ` is a heading:

    # units are spelt out
    {{convert|10|km|mi}}
        10 kilometres

A TOML file has what no line can hold: line breaks, blanks at an end, characters that are not seen, numbers. A heading
is a key there, and its cases are an array.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple


class Case(NamedTuple):
    """A text, its heading and the lines below it."""

    heading: str
    text: str
    lines: tuple[str, ...]


def cases(path: Path) -> list[Case]:
    """Returns the cases of a text file, in order."""
    heading = ""
    found: list[Case] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            heading = line[1:].strip()
        elif line.startswith(" "):
            last = found.pop()
            found.append(last._replace(lines=(*last.lines, "" if line.strip() == '""' else line.strip())))
        elif line:
            found.append(Case(heading, line, ()))
    return found


def by_heading(test: str) -> dict[str, Any]:
    """Returns the cases of `cases/names.txt` and `cases/names.toml` beside `test_names.py`, whose path is given.

    A case of a text file is its text and the lines below it, or the text alone if there are none; what a key of a TOML
    file has is given as it is.
    """
    file = Path(test).parent / "cases" / Path(test).stem.removeprefix("test_")
    found: dict[str, Any] = {}
    for case in cases(file.with_suffix(".txt")) if file.with_suffix(".txt").exists() else ():
        found.setdefault(case.heading, []).append((case.text, *case.lines) if case.lines else case.text)
    if file.with_suffix(".toml").exists():
        found |= tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))
    return found
