"""What the text of a page depends on beside its wikitext: title, and names of namespaces."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.rules.wiki.markup import CATEGORY_NAMESPACES, FILE_NAMESPACES, MEDIA_NAMESPACES

FILE, CATEGORY = 6, 14  # numbers of the namespaces whose links are not text
MEDIA = -2  # of the one whose links to files are text


@dataclass(frozen=True, slots=True)
class Page:
    """A page as its wiki knows it.

    Attributes:
        title: title, "" when unknown.
        files: lower-case names of the namespace of files.
        dropped: those, and the names of the namespace of categories.
        media: lower-case names of the namespace of links to files.
    """

    title: str = ""
    files: frozenset[str] = FILE_NAMESPACES
    dropped: frozenset[str] = FILE_NAMESPACES | CATEGORY_NAMESPACES
    media: frozenset[str] = MEDIA_NAMESPACES

    @classmethod
    def of(cls, title: str, namespaces: tuple[tuple[int, str], ...] = ()) -> Page:
        """Returns the page of a wiki whose ``siteinfo`` gives these names (number, name) beside the
        English ones."""
        named = [(number, " ".join(name.replace("_", " ").split()).lower()) for number, name in namespaces]
        files, categories, media = (
            known.union(name for number, name in named if number == wanted)
            for known, wanted in ((FILE_NAMESPACES, FILE), (CATEGORY_NAMESPACES, CATEGORY), (MEDIA_NAMESPACES, MEDIA))
        )
        return cls(title, files, files | categories, media)


UNKNOWN = Page()
