"""What the text of a page depends on beside its wikitext: title, language, and names of namespaces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gistmill.rules.wiki.local import Local, local_of
from gistmill.rules.wiki.markup import CATEGORY_NAMESPACES, FILE_NAMESPACES, LANGUAGE_CODES, MEDIA_NAMESPACES

FILE, CATEGORY = 6, 14  # numbers of the namespaces whose links are not text
MEDIA = -2  # of the one whose links to files are text
_WIKI = re.compile(
    r"https?://(?P<code>[a-z][a-z-]*)(?:\.m)?"
    r"\.(?:wiki(?:pedia|news|books|quote|source|versity|voyage)|wiktionary)\.org(?:[:/?#]|$)"
)


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
    dropped: frozenset[str] = FILE_NAMESPACES | CATEGORY_NAMESPACES
    media: frozenset[str] = MEDIA_NAMESPACES
    language: str = ""
    variant: str = ""

    @property
    def local(self) -> Local:
        """What is particular to the wiki's language."""
        return local_of(self.language)

    @classmethod
    def of(
        cls, title: str, namespaces: tuple[tuple[int, str], ...] = (), language: str = "", variant: str = ""
    ) -> Page:
        """Returns the page of a wiki in a language, whose ``siteinfo`` gives these names (number, name) beside those of
        its language and the English ones."""
        local = local_of(language)
        named = [(number, " ".join(name.replace("_", " ").split()).lower()) for number, name in namespaces]
        files, categories, media = (
            known.union(name for number, name in named if number == wanted)
            for known, wanted in (
                (FILE_NAMESPACES | local.files, FILE),
                (CATEGORY_NAMESPACES | local.categories, CATEGORY),
                (MEDIA_NAMESPACES | local.media, MEDIA),
            )
        )
        return cls(title, files, files | categories, media, language, variant)


UNKNOWN = Page()


def language_of_wiki(url: str) -> str:
    """Returns the code of the language of a wiki, given an address of it, such as that of a page; "" where that names
    none: ``https://de.wikipedia.org/wiki/Berlin`` is in ``de``."""
    match = _WIKI.match(url)
    return match["code"] if match and match["code"] in LANGUAGE_CODES else ""
