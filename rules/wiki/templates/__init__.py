"""Rendering of templates that show words or numbers in prose, given their name and arguments.

To add a template, enter its name in ``templates.toml``, as explained at the top of that file. If no form can express
its text, add a function to the appropriate module: ``numbers``, ``units``, ``dates``, or ``words`` for people, places
and languages. Templates of other languages are in ``[wiki.templates]`` in the language's file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from types import ModuleType

from gistmill.rules.text.prose import HOLE
from gistmill.rules.wiki.page import local_of
from gistmill.rules.wiki.templates import dates, numbers, units, words
from gistmill.rules.wiki.templates.arguments import TABLES, Arguments, Renderer, form


def nothing(args: Arguments) -> str:
    """Returns a hole, for a template that is not part of the sentence."""
    return HOLE


_doubt, _source, _unsaid, _first = form("{text}", "<hole>"), form("<source>"), form("<unsaid>"), form("{1?}")


def _shown(forms: str | list[str]) -> Renderer:
    return nothing if forms == "<hole>" else form(*([forms] if isinstance(forms, str) else forms))


def _each(rows: Mapping[str, str | list[str]]) -> dict[str, Renderer]:
    """Returns the renderers for a table that maps names, separated by " | ", to forms."""
    shown = ((names.split(" | "), _shown(forms)) for names, forms in rows.items())
    return {name: renderer for names, renderer in shown for name in names}


def _computed(module: ModuleType, functions: Mapping[str, list[str]]) -> dict[str, Renderer]:
    return {name: getattr(module, function) for function, names in functions.items() for name in names}


def _of_english() -> dict[str, Renderer]:
    computed = TABLES["computed"]
    table = {code: form(name) for code, name in words.COUNTRIES.items() if code not in TABLES["not_countries"]}
    for group in TABLES["groups"]:
        table |= dict.fromkeys(group["names"], _shown(group["shows"]))
    table |= _each(TABLES["forms"])
    table |= _each({names: [f"{sign}{{1}}", f"{sign.rstrip()}<hole>"] for names, sign in TABLES["currencies"].items()})
    table |= {prefix.lower(): partial(words.ship_with, prefix) for prefix in TABLES["ships"]}
    table |= {name: partial(words.ship_with, prefix) for name, prefix in TABLES["ships_by_name"].items()}
    for names, pattern in TABLES["harvard"].items():
        table |= dict.fromkeys(names.split(" | "), partial(words.harvard, pattern))
    for module in (words, numbers, units, dates):
        table |= _computed(module, computed[module.__name__.rpartition(".")[2]])
    return table


# Characters, and words in other languages and scripts, which are the same on every wiki.
_SHARED = _each(TABLES["characters"] | TABLES["scripts"]) | _computed(words, TABLES["computed"]["scripts"])
TABLE: dict[str, Renderer] = _of_english() | _SHARED
_SHARED |= {name: TABLE[name] for name in TABLES["shared"]}
# Notes, boxes, editors' doubts and sources, which show no words of the sentence.
_SILENT: dict[str, Renderer] = {
    **dict.fromkeys(TABLES["boxes"] + TABLES["notes"], nothing),
    **dict.fromkeys(TABLES["doubts"], _doubt),
    **dict.fromkeys(TABLES["sources"], _source),
}


def canonical(name: str) -> str:
    """Returns a template's name as spelt in the tables: lower case, single spaces, without namespace or ``subst:``."""
    name = " ".join(name.replace("_", " ").split()).lower()
    for prefix in ("subst:", "safesubst:", "template:", "msg:"):
        name = name.removeprefix(prefix).lstrip()
    return name


def renderer(name: str, language: str = "") -> Renderer | None:
    """Returns the renderer for a template, given by its canonical name, or None if the template is unknown.

    On wikis in languages other than English, a name has its meaning in that language. The rendered text is HOLE if no
    part of the sentence is left out, and None if words are lost.
    """
    if local_of(language).is_english:
        known = TABLE.get(name) or _by_prefix(name) or _by_shape(name)
    else:
        known = _abroad(name, language)
    return partial(numbers.parser_function, name, language) if known is None and ":" in name else known


_LANG = re.compile(r"lang-[a-z]{2,4}2?(-[a-z0-9]+)*|script/.*")
_CENTURY = re.compile(r"[ivx]+e siècle")  # in the French Wikipedia
_PRONUNCIATION = re.compile(r"(ipac?|ipa)([- ].+)?")
_SHAPES = {key: tuple(shapes) for key, shapes in TABLES["shapes"].items()}


def _by_prefix(name: str) -> Renderer | None:
    """Returns the renderer for a family of names, ``lang-xx``, ``IPA-xx``, ``script/xx`` or ``xx icon``; else None."""
    if _LANG.fullmatch(name):
        return _first
    if _CENTURY.fullmatch(name):
        return words.own_name
    if _PRONUNCIATION.fullmatch(name):
        return _unsaid
    return nothing if name.endswith(" icon") and len(name) <= 8 else None


def _by_shape(name: str) -> Renderer | None:
    """Returns the renderer for a name whose first or last word implies that the template shows no words; else None."""
    if name in _SILENT:
        return _SILENT[name]
    first_word, last_word = re.split("[- /]", name, maxsplit=1)[0], re.split("[- ]", name.removesuffix("?"))[-1]
    is_long = first_word != name
    if " needed" in name:
        return _doubt
    if first_word in _SHAPES["sources"] or (last_word == "inline" and first_word.startswith(_SHAPES["sisters"])):
        return _source
    if first_word in _SHAPES["nothing"] or name.startswith(_SHAPES["nothing_begins"]):
        return nothing
    if name.endswith("?") or (is_long and last_word in _SHAPES["doubt_ends"]):
        return _doubt
    return nothing if name.endswith("-fn") or (is_long and last_word in _SHAPES["nothing_ends"]) else None


_SHORTEST = 4  # letters; shorter names mean different templates on other wikis


def _abroad(name: str, language: str) -> Renderer | None:
    """Returns the renderer on a non-English wiki: from the language's table, or for an English name also used there."""
    named, families = _of_language(language)
    if known := named.get(name) or next((family for begin, family in families if name.startswith(begin)), None):
        return known
    if len(name) < _SHORTEST and name.isalpha() and name not in _SHAPES["short_abroad"]:
        return None
    is_silent = name in _SILENT or re.split("[- /]", name, maxsplit=1)[0] in _SHAPES["families_abroad"]
    if is_silent or name.endswith(_SHAPES["ends_abroad"]):
        return _by_shape(name)
    return _SHARED.get(name) or _by_prefix(name)


@lru_cache(64)
def _of_language(language: str) -> tuple[dict[str, Renderer], list[tuple[str, Renderer]]]:
    """Returns the renderers from a language's table, by full name and by the beginnings of names that end in ``*``."""
    local, more = local_of(language), "..."
    forms = {
        name: form(text.removesuffix(more), complete=not text.endswith(more)) for name, text in local.templates.items()
    }
    silent = ((local.unsaid, _unsaid), (local.sources, _source), (local.nothing, nothing))
    named = {**forms, **{name: known for names, known in silent for name in names}}
    return named, [(name[:-1], known) for name, known in forms.items() if name.endswith("*")]
