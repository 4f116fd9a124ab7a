"""What the text of a page depends on beside its wikitext: title, and names of namespaces."""

from __future__ import annotations

from dataclasses import dataclass

from rules.wiki.markup import CATEGORY_NAMESPACES, FILE_NAMESPACES

FILE, CATEGORY = 6, 14  # numbers of the namespaces whose links are no text


@dataclass(frozen=True, slots=True)
class Page:
    """A page as its wiki knows it.

    Attributes:
        title: title, "" when unknown.
        files: lower-case names of the namespace of files.
        dropped: those, and the names of the namespace of categories.
    """

    title: str = ""
    files: frozenset[str] = FILE_NAMESPACES
    dropped: frozenset[str] = FILE_NAMESPACES | CATEGORY_NAMESPACES

    @classmethod
    def of(cls, title: str, namespaces: tuple[tuple[int, str], ...] = ()) -> Page:
        """Returns the page of a wiki whose ``siteinfo`` gives these names (number, name) beside the
        English ones."""
        named = [(number, " ".join(name.replace("_", " ").split()).lower()) for number, name in namespaces]
        files = FILE_NAMESPACES.union(name for number, name in named if number == FILE)
        return cls(
            title, files, files.union(CATEGORY_NAMESPACES, (name for number, name in named if number == CATEGORY))
        )


UNKNOWN = Page()
