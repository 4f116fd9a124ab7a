"""Compares the lines and modules of each package with tests/budgets.toml. After a deletion, lower the budgets:

python -m tests.budgets --lower
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BUDGET = re.compile(r'^"?(?P<folder>[\w/]+)"? = (?P<most>[\d_]+)$', re.M)
_LEFT_OUT = ("build", "dist", "out")


def sizes(root: Path, folder: str) -> tuple[int, int]:
    """Returns the lines and the modules of a folder with all below it; of "all", of everything except tests."""
    tops = [root / folder]
    if folder == "all":
        tops = [p for p in root.glob("[a-z]*") if p.is_dir() and p.name not in ("tests", *_LEFT_OUT)]
    files = [path for top in tops for path in top.rglob("*.py")]
    return sum(path.read_bytes().count(b"\n") for path in files), len(files)


def _entries(root: Path, text: str) -> Iterator[tuple[re.Match[str], int, str]]:
    """Yields each budget of the file with the present number and what it counts."""
    modules_from = text.index("[modules]")
    for entry in _BUDGET.finditer(text):
        counts_modules = entry.start() > modules_from
        yield entry, sizes(root, entry["folder"])[counts_modules], "modules" if counts_modules else "lines"


def problems(root: Path = ROOT) -> list[str]:
    """Returns a line for each package that is above its budget."""
    found = _entries(root, (root / "tests" / "budgets.toml").read_text(encoding="utf-8"))
    return [
        f"{entry['folder']} has {now} {unit}, {now - int(entry['most'])} more than its budget in tests/budgets.toml: "
        "shorten or merge something there, or raise the budget in the same commit and say why"
        for entry, now, unit in found
        if now > int(entry["most"])
    ]


def lower(root: Path = ROOT) -> None:
    """Lowers each budget to the present number, and removes those of folders that are gone. It raises none."""
    path = root / "tests" / "budgets.toml"
    text = path.read_text(encoding="utf-8")
    for entry, now, _ in reversed(list(_entries(root, text))):
        start, end = entry.span("most") if now else (entry.start(), entry.end() + 1)
        text = text[:start] + (str(min(now, int(entry["most"]))) if now else "") + text[end:]
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--lower"]:
        lower()
    sys.exit("\n".join(problems()) or 0)
