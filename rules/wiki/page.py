"""The context of cleaning: a page's title, and its wiki's namespaces and language.

The settings for wikis in a language are in the table ``[wiki]`` in its file in ``rules/languages``. All keys are
optional, and names are in lower case:

- ``files``, ``categories``, ``media``: names and aliases of these namespaces in addition to the English ones.
- ``sections``: titles of sections of notes, sources and links; ``joined``: words and signs that join two such titles.
- ``hatnotes``: beginnings of lines that refer to other pages and do not end like a sentence.
- ``redirects``: redirect keywords, without ``#``.
- ``disambiguation``, ``disambiguation_titles``: templates on disambiguation pages, and endings of their titles.
- ``scraps``: words that only introduce other words, and are dropped if those vanished from brackets.
- ``nothing``: templates that are not part of a sentence; ``sources``: templates that show a source in words;
  ``unsaid``: templates for pronunciation and coordinates.
- ``spaced_marks``: whether a space precedes tall punctuation marks, as in French.
- ``variant``: the language variant to use; ``fallbacks``: for each variant, the variants to use if it is missing.
- ``templates``: templates that show words, with their forms (``templates/arguments.py``). A form may end in ``...`` to
  allow further arguments, and a name in ``*`` to allow any ending.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from gistmill.rules.languages.language import ENGLISH, Language, language_named

_TABLES: dict[str, dict[str, Any]] = tomllib.loads(files(__package__).joinpath("wiki.toml").read_text(encoding="utf-8"))


def names_of(table: str, key: str) -> frozenset[str]:
    """Returns a list of names from ``wiki.toml``."""
    return frozenset(_TABLES[table][key].split())


DROPPED_TAGS, FORMULA_TAGS, BLOCK_EXTENSIONS = (names_of("tags", key) for key in ("dropped", "formulas", "extensions"))
BLOCK_TAGS, LIST_TAGS, INLINE_TAGS = (names_of("tags", key) for key in ("blocks", "items", "inline"))
LANGUAGE_CODES, PROJECT_PREFIXES = names_of("links", "languages"), names_of("links", "projects")
DROPPED_SECTIONS = frozenset(_TABLES["sections"]["dropped"])
SWITCHES, BOXES = names_of("switches", "names"), names_of("classes", "boxes")
FILE, CATEGORY, MEDIA = 6, 14, -2  # namespace numbers
FILE_NAMESPACES = frozenset(("file", "image"))
_CATEGORY_NAMESPACES, _MEDIA_NAMESPACES = frozenset(("category",)), frozenset(("media",))
_LONGEST_HATNOTE = 200  # characters
_BEFORE_HATNOTE = " ([（→«»“”„\"'’:：*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A language's table, as in the module docstring; ``code`` is the language, ``joiner`` joins its sentences."""

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
    fallbacks: Mapping[str, list[str]] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_english(self) -> bool:
        """Whether the rules for English apply."""
        return self.code == ENGLISH

    def drops(self, title: str) -> bool:
        """Whether a section with this title contains only notes, sources or links."""
        if not self.sections:
            return False
        title = _folded(title).strip(" :.：")
        if title in self.sections:
            return True
        parts = self.joined.split(title) if self.joined else ()
        return len(parts) > 1 and all(part.strip() in self.sections for part in parts)

    def is_hatnote(self, text: str) -> bool:
        """Whether a paragraph only refers to other pages."""
        start = text[:_LONGEST_HATNOTE].lstrip(_BEFORE_HATNOTE).lower()
        return len(text) < _LONGEST_HATNOTE and bool(self.hatnotes) and start.startswith(self.hatnotes)

    def variants(self, wanted: str = "") -> tuple[str, ...]:
        """Returns the variants to look for, in order: the wanted one, or else the table's, and its fallbacks."""
        first = wanted or self.variant
        return (first, *self.fallbacks.get(first, ())) if first else ()


@lru_cache(maxsize=512)
def local_of(language: str = "") -> Local:
    """Returns the settings for wikis in a language, given by its code; "" is English."""
    known = language_named(language or ENGLISH)
    table = dict(known.tables.get("wiki", {}))
    table |= {name: frozenset(table.get(name, ())) for name in _LISTS}
    table |= {name: tuple(table.get(name, ())) for name in ("hatnotes", "disambiguation_titles")}
    table |= {"sections": frozenset(map(_folded, table.get("sections", ()))), "joined": _joined(known, table)}
    return Local(code=known.code, joiner=known.joiner, **table)


_LISTS = ("files", "categories", "media", "redirects", "disambiguation", "scraps", "nothing", "sources", "unsaid")


def _folded(title: str) -> str:
    """Returns a title in lower case; the dot of a Turkish capital I is removed."""
    return unicodedata.normalize("NFC", title).casefold().replace("\u0307", "")


def _joined(known: Language, table: Mapping[str, Any]) -> re.Pattern[str] | None:
    """Returns a pattern for separators between titles joined in one: words between spaces, or signs anywhere."""
    if not (words := table.get("joined")):
        return None
    spaced = {word for word in words if word.isalnum() and known.joiner}
    choices = [r"\s*,\s*"]
    for chosen, space in ((set(words) - spaced, r"\s*"), (spaced, r"\s+")):
        if chosen:
            choices.insert(0, rf"{space}(?:{'|'.join(map(re.escape, sorted(chosen)))}){space}")
    return re.compile("|".join(choices))


@dataclass(frozen=True, slots=True)
class Page:
    """The properties of a page and of its wiki.

    Attributes:
        title: title, or "" if unknown.
        files: lower-case names of the file namespace.
        dropped: lower-case names of the file and category namespaces.
        media: lower-case names of the namespace of links to files.
        language: code of the wiki's language; "" is English.
        variant: language variant to use, such as ``zh-tw``; "" for the one in the language's table.
    """

    title: str = ""
    files: frozenset[str] = FILE_NAMESPACES
    dropped: frozenset[str] = FILE_NAMESPACES | _CATEGORY_NAMESPACES
    media: frozenset[str] = _MEDIA_NAMESPACES
    language: str = ""
    variant: str = ""

    @property
    def local(self) -> Local:
        """The settings of the wiki's language."""
        return local_of(self.language)

    @classmethod
    def of(
        cls, title: str, namespaces: tuple[tuple[int, str], ...] = (), language: str = "", variant: str = ""
    ) -> Page:
        """Returns a page; ``namespaces`` are (number, name) from its wiki's ``siteinfo``, and extend the names for its
        language and for English."""
        local = local_of(language)
        named = [(number, " ".join(name.replace("_", " ").split()).lower()) for number, name in namespaces]
        files, categories, media = (
            known.union(name for number, name in named if number == wanted)
            for known, wanted in (
                (FILE_NAMESPACES | local.files, FILE),
                (_CATEGORY_NAMESPACES | local.categories, CATEGORY),
                (_MEDIA_NAMESPACES | local.media, MEDIA),
            )
        )
        return cls(title, files, files | categories, media, language, variant)

    def variable(self, name: str) -> str | None:
        """Returns the text of a page name variable, given by its canonical name; None for any other name."""
        if not self.title:
            return None
        prefix, colon, rest = self.title.partition(":")
        bare = rest if colon and prefix.lower() in PROJECT_PREFIXES else self.title
        match name:
            case "fullpagename" | "subjectpagename" | "articlepagename":
                return self.title
            case "pagename":
                return bare
            case "basepagename":
                return bare.rpartition("/")[0] or bare
            case "rootpagename":
                return bare.partition("/")[0]
            case "subpagename":
                return bare.rpartition("/")[2]
        return None


UNKNOWN = Page()
_WIKI = re.compile(
    r"https?://(?P<code>[a-z][a-z-]*)(?:\.m)?"
    r"\.(?:wiki(?:pedia|news|books|quote|source|versity|voyage)|wiktionary)\.org(?:[:/?#]|$)"
)


def language_of_wiki(url: str) -> str:
    """Returns the language code of a wiki, given any address in it, such as ``https://de.wikipedia.org/wiki/Berlin``
    (``de``); "" if the address contains no code."""
    match = _WIKI.match(url)
    return match["code"] if match and match["code"] in LANGUAGE_CODES else ""
