"""Tables of phrases by which ``rules/news/lines.py`` knows a news site's own lines: ``[news_lines]`` of ``en.toml``.

A phrase is taken only where no reporter writes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.news.heads import DATE

_TABLES = language_named(ENGLISH).tables["news_lines"]


def _pattern(pieces: str | list[str]) -> str:
    pattern = "".join(pieces).replace("{DATE}", DATE)
    for name, part in _TABLES["names"].items():
        pattern = pattern.replace(f"{{{name}}}", "".join(part))
    return pattern


def _anywhere(table: str, **defaults: bool) -> tuple[tuple[tuple[str, ...], re.Pattern[str], bool], ...]:
    entries: list[Mapping[str, Any]] = [{"unless_speech": False, **defaults, **entry} for entry in _TABLES[table]]
    return tuple((tuple(e["hints"]), re.compile(_pattern(e["pattern"]), re.I), e["unless_speech"]) for e in entries)


# By first word: rules that hold whatever speech the line reports, those that do not, and prompts in other languages.
ALWAYS, UNLESS, PROMPTS = (
    {words: _pattern(pieces) for words, pieces in _TABLES[table].items()}
    for table in ("always", "unless_speech", "prompts")
)
# Hints, in lower case, and the pattern that is looked for anywhere in a line with one of them; whether reported speech
# speaks against it.
ANYWHERE, PROMPTS_ANYWHERE = _anywhere("anywhere"), _anywhere("prompts_anywhere")
DISCLOSURES = _anywhere("disclosures", unless_speech=True)
