"""What is known of each language: one file of ``data``, `CODE.toml`, for each.

A file has a table for each package that reads it, such as ``[wiki]`` (``rules/wiki``) or ``[sentences]``
(``rules/text``); the package says what its keys mean, and has defaults for a language without a file or table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any

from gistmill.core.values import custom

ENGLISH = "en"
AUTO = "auto"
MANY, NO_LANGUAGE = "mul", "zxx"  # the codes of texts in several languages, and of those in none
_REGIONAL = re.compile(r"(?<=^[a-z]{2})-(?:[a-z]{4}-)?(?:[a-z]{2}|[a-z]{4}|\d{3})$")  # a script or a country
_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,10}){0,2}")
# What is not about one language alone.
COMMON: dict[str, Any] = tomllib.loads(files(__package__).joinpath("common.toml").read_text(encoding="utf-8"))
_ALIASES: dict[str, str] = COMMON["aliases"]
_UNSPACED = frozenset(COMMON["unspaced"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language.

    Attributes:
        code: ISO 639-1 code, or that of a Wikipedia.
        name: English name; the code where there is no file.
        is_known: whether there is a file of it.
        tables: what the file says, by package; empty where there is none.
    """

    code: str
    name: str
    is_known: bool = False
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def joiner(self) -> str:
        """What separates two sentences of a paragraph: a space, or nothing."""
        return "" if self.code in _UNSPACED else " "

    def words(self, table: str, key: str) -> frozenset[str]:
        """Returns the entries of a list of the file; none where there is no such list."""
        return frozenset(self.tables.get(table, {}).get(key, ()))


@lru_cache(maxsize=512)
def language_named(code: str) -> Language:
    """Returns the language of a code: ISO 639-1 or a longer one for the same language (``deu``), or that of a Wikipedia
    (``simple``, ``zh-yue``). Script and country do not count: ``pt-BR`` is Portuguese. Any code has a language."""
    code = code.lower().replace("_", "-")
    code = _ALIASES.get(code) or _two_letters(_REGIONAL.sub("", code))
    code = _ALIASES.get(code, code)
    place = files(__package__).joinpath("data", f"{code}.toml")
    if not _CODE.fullmatch(code) or not place.is_file():
        return Language(code=code, name=code)
    found = tomllib.loads(place.read_text(encoding="utf-8"))
    return Language(code=code, name=found.pop("name"), is_known=True, tables=found)


def english_words(table: str, key: str) -> frozenset[str]:
    """Returns the entries of a list of the file of English, which must have it."""
    return frozenset(language_named(ENGLISH).tables[table][key])


def english_table(table: str) -> dict[str, frozenset[str]]:
    """Returns all lists of a table of the file of English by their keys; the table has nothing but lists."""
    return {key: frozenset(entries) for key, entries in language_named(ENGLISH).tables[table].items()}


def _two_letters(code: str) -> str:
    """Returns the code of ISO 639-1 for one of three letters; the same where there is none."""
    if len(code) != 3 or not (code.isascii() and code.isalpha()):
        return code
    from icu4py.locale import Locale  # loads the library, which few codes need

    return Locale(code).language or code


def _code(value: object, *, or_auto: bool = False) -> str:
    code = str(value).strip().lower().replace("_", "-")
    if or_auto and value == AUTO:
        return AUTO
    if not _CODE.fullmatch(code):
        raise ValueError(f"expected {AUTO + ' or ' if or_auto else ''}a code such as de, pt or zh")
    return code


CODE = custom(_code, pattern=_CODE.pattern, metavar="CODE", allowed="the code of a language, such as de")
CODE_OR_AUTO = custom(
    partial(_code, or_auto=True),
    pattern=f"({AUTO}|{_CODE.pattern})",
    metavar="CODE",
    allowed=f"the code of a language, such as de, or {AUTO}",
)
