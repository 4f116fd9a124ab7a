"""Templates on wikis of other languages: the language's own table, and English ones that mean the same."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from gistmill.rules.wiki.local import Local, local_of
from gistmill.rules.wiki.templates import languages, plain
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer

_ARGUMENT = re.compile(r"\{([\w|]+)(\??)\}")
_MORE = "..."
# Shorter names are those of other templates on other wikis.
_SHORTEST = 4
_SHORT_NAMES = frozenset("efn sfn sub sup ill br ipa".split())
# Families of notes and boxes that wikis have by their English names. "citation" is a quotation on others.
_FAMILIES = frozenset(
    "cite infobox taxobox navbox sidebar pp ref wikiproject user uw campaignbox succession commons wikisource harv sfn "
    "efn portal imdb".split()
)
_ENDS = (" stub", "-stub", " infobox", " navbox", " inline", "-inline", " needed")
# Wrappers around words, and templates that show no word of English.
_WRAPPERS = (
    "nowrap nobr smaller big larger abbr tooltip angbr blockquote quote quotation cquote bq url coord coords "
    "linktext ill small underline nobold noitalic smallcaps vanchor wikt-lang"
).split()


def renderer(name: str, language: str) -> Renderer | None:
    """Returns what makes the text of template ``name`` (canonical) on a wiki in ``language``, or None if unknown."""
    local = local_of(language)
    if name in local.nothing:
        return plain.nothing
    if name in local.sources:
        return plain.source
    if name in local.unsaid:
        return languages.unspoken
    if (pattern := _pattern(name, local)) is not None:
        return partial(_filled, pattern)
    if len(name) < _SHORTEST and name.isalpha() and name not in _SHORT_NAMES:
        return None
    if name in plain.KNOWN or re.split("[- /]", name, maxsplit=1)[0] in _FAMILIES or name.endswith(_ENDS):
        return plain.by_shape(name)
    return _SHARED.get(name) or languages.by_prefix(name)


def _pattern(name: str, local: Local) -> str | None:
    if name in local.templates:
        return local.templates[name]
    return next((text for begin, text in _families(local.code) if name.startswith(begin)), None)


@lru_cache(64)
def _families(language: str) -> tuple[tuple[str, str], ...]:
    """The names that end with ``*``, without it, and their patterns."""
    return tuple((name[:-1], text) for name, text in local_of(language).templates.items() if name.endswith("*"))


def _filled(pattern: str, args: Arguments) -> str | None:
    """Returns the text of a pattern; None if an argument that it needs is missing, or one is left over."""
    shown, left_over = pattern.removesuffix(_MORE), not pattern.endswith(_MORE)
    numbers, missing = [0], False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        keys = match[1].split("|")
        numbers.extend(int(key) for key in keys if key.isdigit())
        text = next(filter(None, (args.at(int(key)) if key.isdigit() else args.get(key) for key in keys)), "")
        missing = missing or not (text or match[2])
        return text

    text = _ARGUMENT.sub(value, shown)
    return None if missing or (left_over and any(args.positional()[max(numbers) :])) else text


_SHARED: dict[str, Renderer] = {
    **plain.CHARACTERS,
    **{name: known for name, known in languages.TABLE.items() if not name.startswith("lit")},
    **{name: plain.TABLE[name] for name in _WRAPPERS if name in plain.TABLE},
}
