"""The arguments of one template call, rendered to text when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gistmill.rules.wiki.page import PROJECT_PREFIXES

# Makes the text of a template: HOLE when it is not part of the sentence, None when its words are not known.
Renderer = Callable[["Arguments"], str | None]


def names(spellings: str, renderer: Renderer) -> dict[str, Renderer]:
    """Returns a part of a table: every name in ``spellings`` (lower case, " | " between them) gets ``renderer``."""
    return dict.fromkeys(spellings.split(" | "), renderer)


class Arguments:
    """Positional and named arguments; white space around them is stripped.

    Args:
        params: (key or None, (half-cleaned) text) in order of appearance.
        name: the name as the page spells it.
    """

    __slots__ = ("_named", "_positional", "name")

    def __init__(self, params: Iterable[tuple[str | None, str]], name: str = "") -> None:
        self.name = name
        self._positional: dict[int, str] = {}
        self._named: dict[str, str] = {}
        count = 0
        for key, text in params:
            if key is None:
                count += 1
                self._positional[count] = text.strip()
            elif key.isascii() and key.isdigit() and len(key) < 4:
                self._positional[int(key)] = text.strip()
            else:
                self._named[key] = text.strip()

    def at(self, number: int) -> str:
        """Returns positional argument ``number`` (from 1), "" when absent."""
        return self._positional.get(number, "")

    def get(self, *keys: str) -> str:
        """Returns the first named argument among ``keys`` that has a text, "" when none has."""
        for key in keys:
            if text := self._named.get(key):
                return text
        return ""

    def after(self, *texts: str) -> Arguments:
        """Returns the same arguments after others, which are positional."""
        shifted = Arguments([(None, text) for text in (*texts, *self.positional())], self.name)
        shifted._named = self._named
        return shifted

    def positional(self) -> list[str]:
        """Returns the positional arguments from 1 on, "" for gaps."""
        last = max(self._positional, default=0)
        return [self.at(n) for n in range(1, min(last, 60) + 1)]

    def words(self) -> list[str]:
        """Returns the positional arguments that are not empty."""
        return [text for text in self.positional() if text]


_SUBJECTS = frozenset("fullpagename subjectpagename articlepagename".split())


def page_name(name: str, title: str) -> str | None:
    """Returns the text of variable ``name`` (canonical) on the page ``title``, None for one that is not its name."""
    if not title:
        return None
    if name in _SUBJECTS:
        return title
    prefix, colon, rest = title.partition(":")
    bare = rest if colon and prefix.lower() in PROJECT_PREFIXES else title
    match name:
        case "pagename":
            return bare
        case "basepagename":
            return bare.rpartition("/")[0] or bare
        case "rootpagename":
            return bare.partition("/")[0]
        case "subpagename":
            return bare.rpartition("/")[2]
    return None
