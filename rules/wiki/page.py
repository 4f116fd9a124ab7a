"""The context of cleaning: a page's title, its wiki's namespaces, and the wiki's language.

The settings for wikis of a language are in the table ``[wiki]`` of its file in ``rules/languages``. Its keys, all
optional, with names in lower case:

- ``files``, ``categories``, ``media``: names and aliases of these namespaces in addition to the English ones.
- ``sections``: titles of sections of notes, sources and links; ``joined``: what joins two of them in one title.
- ``hatnotes``: how lines begin that lead to other pages and end no sentence.
- ``redirects``: words of redirects, without ``#``.
- ``disambiguation``, ``disambiguation_titles``: templates of disambiguation pages, and how their titles end.
- ``scraps``: words that only introduce what vanished from brackets.
- ``nothing``: templates that are not part of a sentence; ``sources``: those that show a source in words; ``unsaid``:
  those of pronunciation and coordinates.
- ``spaced_marks``: whether a space precedes tall marks, as in French.
- ``variant``: the variant of the language to take, and ``fallbacks``: for each variant those taken where it is missing.
- ``templates``: templates that carry words, with the form that they show (``templates/arguments.py``), which may end in
  ``...`` where other arguments may follow. ``*`` at the end of a name is any ending.
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
    """Returns a list of ``wiki.toml``."""
    return frozenset(_TABLES[table][key].split())


DROPPED_TAGS, FORMULA_TAGS, BLOCK_EXTENSIONS = (names_of("tags", key) for key in ("dropped", "formulas", "extensions"))
BLOCK_TAGS, LIST_TAGS, INLINE_TAGS = (names_of("tags", key) for key in ("blocks", "items", "inline"))
LANGUAGE_CODES, PROJECT_PREFIXES = names_of("links", "languages"), names_of("links", "projects")
DROPPED_SECTIONS = frozenset(_TABLES["sections"]["dropped"])
SWITCHES, BOXES = names_of("switches", "names"), names_of("classes", "boxes")
FILE, CATEGORY, MEDIA = 6, 14, -2  # numbers of namespaces: of files, of categories, and of links to files as text
FILE_NAMESPACES = frozenset(("file", "image"))
_CATEGORY_NAMESPACES, _MEDIA_NAMESPACES = frozenset(("category",)), frozenset(("media",))
_LONGEST_HATNOTE = 200  # characters
_BEFORE_HATNOTE = " ([（→«»“”„\"'’:：*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """The table of a language; see the module. ``code`` is the language, ``joiner`` joins its sentences."""

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
    """Returns the settings for wikis of a language, given by its code; "" is English."""
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
    """What separates the titles that one title joins: words between spaces, signs anywhere."""
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
    """A page as its wiki knows it.

    Attributes:
        title: title, "" when unknown.
        files: lower-case names of the namespace of files.
        dropped: those, and the names of the namespace of categories.
        media: lower-case names of the namespace of links to files.
        language: code of the wiki's language; "" is English.
        variant: variant of that language to take, such as ``zh-tw``; "" for that of its table.
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
        """Returns the page of a wiki in a language, whose ``siteinfo`` gives these names (number, name) in addition to
        those of its language and the English ones."""
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
        """Returns the text of variable ``name`` (canonical) on the page, such as its name; None for any other."""
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
    """Returns the code of the language of a wiki, given an address of it, such as that of a page; "" where that names
    none: ``https://de.wikipedia.org/wiki/Berlin`` is in ``de``."""
    match = _WIKI.match(url)
    return match["code"] if match and match["code"] in LANGUAGE_CODES else ""
