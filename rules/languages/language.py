"""Language data, read from one file per language, ``data/CODE.toml``.

A file contains a table for each package that uses it, such as ``[wiki]`` (``rules/wiki``) or ``[sentences]``
(``rules/text``); the package defines the meaning of its keys, and defaults for languages without a file or table.
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
MANY, NO_LANGUAGE = "mul", "zxx"  # codes for texts in several languages, and in none
_REGIONAL = re.compile(r"(?<=^[a-z]{2})-(?:[a-z]{4}-)?(?:[a-z]{2}|[a-z]{4}|\d{3})$")  # a script or a country
_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,10}){0,2}")
# Data that does not belong to a single language.
COMMON: dict[str, Any] = tomllib.loads(files(__package__).joinpath("common.toml").read_text(encoding="utf-8"))
_ALIASES: dict[str, str] = COMMON["aliases"]
_UNSPACED = frozenset(COMMON["unspaced"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language.

    Attributes:
        code: ISO 639-1 code, or the code of a Wikipedia.
        name: English name; the code if there is no file.
        is_known: whether there is a file for the language.
        tables: the file's tables, by package; empty if there is no file.
    """

    code: str
    name: str
    is_known: bool = False
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def joiner(self) -> str:
        """The separator between two sentences of a paragraph, either a space or ""."""
        return "" if self.code in _UNSPACED else " "

    def words(self, table: str, key: str) -> frozenset[str]:
        """Returns the entries of a list in the file; none if there is no such list."""
        return frozenset(self.tables.get(table, {}).get(key, ()))


@lru_cache(maxsize=512)
def language_named(code: str) -> Language:
    """Returns the language for an ISO code (``de`` or ``deu``) or the code of a Wikipedia (``simple``, ``zh-yue``).

    Script and country are ignored: ``pt-BR`` is Portuguese. Unknown codes are accepted.
    """
    code = code.lower().replace("_", "-")
    code = _ALIASES.get(code) or _two_letters(_REGIONAL.sub("", code))
    code = _ALIASES.get(code, code)
    place = files(__package__).joinpath("data", f"{code}.toml")
    if not _CODE.fullmatch(code) or not place.is_file():
        return Language(code=code, name=code)
    found = tomllib.loads(place.read_text(encoding="utf-8"))
    return Language(code=code, name=found.pop("name"), is_known=True, tables=found)


def english_words(table: str, key: str) -> frozenset[str]:
    """Returns the entries of a list in the English file, where it must exist."""
    return frozenset(language_named(ENGLISH).tables[table][key])


def english_table(table: str) -> dict[str, frozenset[str]]:
    """Returns all lists in a table of the English file, by key; the table must contain only lists."""
    return {key: frozenset(entries) for key, entries in language_named(ENGLISH).tables[table].items()}


def _two_letters(code: str) -> str:
    """Returns the ISO 639-1 code for a three-letter code, or the given code if there is none."""
    if len(code) != 3 or not (code.isascii() and code.isalpha()):
        return code
    from icu4py.locale import Locale  # imported here, since few codes need the library

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
