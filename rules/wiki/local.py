"""What is particular to the wikis of a language: the table ``[wiki]`` of its file in ``rules/languages``.

Its keys, all optional, with names in lower case:

- ``files``, ``categories``, ``media``: names and aliases of these namespaces beside the English ones.
- ``sections``: titles of sections of notes, sources and links; ``joined``: what joins two of them in one title.
- ``hatnotes``: how lines begin that lead to other pages and end no sentence.
- ``redirects``: words of redirects, without ``#``.
- ``disambiguation``, ``disambiguation_titles``: templates of disambiguation pages, and how their titles end.
- ``scraps``: words that only introduce what vanished from brackets.
- ``nothing``: templates that are no part of a sentence; ``sources``: those that show a source in words; ``unsaid``:
  those of pronunciation and coordinates.
- ``spaced_marks``: whether a space stands before tall marks, as in French.
- ``variant``: the variant of the language to take, and ``fallbacks``: for each variant those taken where it is missing.
- ``templates``: templates that carry words, with the text that they show. ``{1}`` is the first argument, ``{2|text}``
  the second or the one with that name; ``{1?}`` may be missing, and any may follow where ``...`` ends the text. ``*``
  at the end of a name stands for anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from gistmill.rules.languages.language import ENGLISH, Language, language_named

_LONGEST_HATNOTE = 200  # characters
_BEFORE_HATNOTE = " ([（→«»“”„\"'’:：*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """What the table says; see the module."""

    code: str = ENGLISH
    joiner: str = " "
    files: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    media: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()
    joined: re.Pattern[str] | None = None
    hatnotes: tuple[str, ...] = ()
    redirects: frozenset[str] = frozenset()
    disambiguation: frozenset[str] = frozenset()
    disambiguation_titles: tuple[str, ...] = ()
    scraps: frozenset[str] = frozenset()
    nothing: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    spaced_marks: bool = False
    variant: str = ""
    fallbacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_english(self) -> bool:
        """Whether the rules of English hold."""
        return self.code == ENGLISH

    def drops(self, title: str) -> bool:
        """Whether a section with this title has notes, sources or links alone."""
        if not self.sections:
            return False
        title = _folded(title).strip(" :.：")
        if title in self.sections:
            return True
        parts = self.joined.split(title) if self.joined else ()
        return len(parts) > 1 and all(part.strip() in self.sections for part in parts)

    def is_hatnote(self, text: str) -> bool:
        """Whether a paragraph only leads to other pages."""
        start = text[:_LONGEST_HATNOTE].lstrip(_BEFORE_HATNOTE).lower()
        return len(text) < _LONGEST_HATNOTE and bool(self.hatnotes) and start.startswith(self.hatnotes)

    def variants(self, wanted: str = "") -> tuple[str, ...]:
        """Returns the variants to look for, in order: the wanted one, else that of the table, and its fallbacks."""
        first = wanted or self.variant
        return (first, *self.fallbacks.get(first, ())) if first else ()


@lru_cache(maxsize=512)
def local_of(language: str = "") -> Local:
    """Returns what is particular to the wikis of a language, given as its code; "" is English."""
    known = language_named(language or ENGLISH)
    table = known.tables.get("wiki", {})
    return Local(
        code=known.code,
        joiner=known.joiner,
        sections=frozenset(map(_folded, known.words("wiki", "sections"))),
        joined=_joined(known),
        hatnotes=tuple(table.get("hatnotes", ())),
        disambiguation_titles=tuple(table.get("disambiguation_titles", ())),
        spaced_marks=table.get("spaced_marks", False),
        variant=table.get("variant", ""),
        fallbacks={name: tuple(order) for name, order in table.get("fallbacks", {}).items()},
        templates=table.get("templates", {}),
        **{name: known.words("wiki", name) for name in _LISTS},
    )


_LISTS = ("files", "categories", "media", "redirects", "disambiguation", "scraps", "nothing", "sources", "unsaid")


def _folded(title: str) -> str:
    """Returns a title in lower case; the dot of a Turkish capital I goes."""
    return unicodedata.normalize("NFC", title).casefold().replace("\u0307", "")


def _joined(known: Language) -> re.Pattern[str] | None:
    """What parts the titles that one title joins: words between spaces, signs anywhere."""
    words = sorted(known.words("wiki", "joined"))
    spaced = [re.escape(word) for word in words if word.isalnum() and known.joiner]
    signs = [re.escape(word) for word in words if not (word.isalnum() and known.joiner)]
    choices = [rf"\s+(?:{'|'.join(spaced)})\s+"] * bool(spaced) + [rf"\s*(?:{'|'.join(signs)})\s*"] * bool(signs)
    return re.compile("|".join([*choices, r"\s*,\s*"])) if words else None
