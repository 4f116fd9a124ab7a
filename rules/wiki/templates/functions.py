"""Parser functions, ``{{name: first | second}}``: those whose result does not depend on the wiki or the day."""

from __future__ import annotations

from gistmill.rules.text.marks import HOLE
from gistmill.rules.wiki.markup import DROPPED_TAGS
from gistmill.rules.wiki.templates.arguments import Arguments
from gistmill.rules.wiki.templates.numbers import with_separators

_NOTHING = frozenset("defaultsort defaultsortkey defaultcategorysort displaytitle #related shortdesc".split())


def render(name: str, args: Arguments) -> str | None:
    """Returns the text of a parser function, None for one that is unknown or cannot be computed here."""
    function, _, _ = name.partition(":")
    first = args.name.partition(":")[2].strip()
    function = function.strip()
    if function == "formatnum":
        return first.replace(",", "") if args.at(1).upper() in ("R", "NOSEP") else with_separators(first)
    if function in _NOTHING or function == "#tag" and first.lower() in DROPPED_TAGS:
        return HOLE
    if function in ("lc", "uc", "lcfirst", "ucfirst"):
        return _cased(function, first)
    if function in ("#formatdate", "#dateformat"):
        return first
    return None


def _cased(function: str, text: str) -> str:
    if function == "lc":
        return text.lower()
    if function == "uc":
        return text.upper()
    return (text[:1].lower() if function == "lcfirst" else text[:1].upper()) + text[1:]
