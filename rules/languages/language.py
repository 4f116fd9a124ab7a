"""What is known of each language: one file of ``data``, `CODE.toml`, for each.

A file has a table for each room that reads it, such as ``[wiki]`` (``rules/wiki``) or ``[sentences]`` (``rules/text``);
the room says what its keys mean. A language without a file, or without a table, works by the defaults of the room.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from gistmill.core.values import custom

ENGLISH = "en"
AUTO = "auto"
MANY, NO_LANGUAGE = "mul", "zxx"  # the codes of texts in several languages, and of those in none
_REGIONAL = re.compile(r"(?<=^[a-z]{2})-(?:[a-z]{4}-)?(?:[a-z]{2}|[a-z]{4}|\d{3})$")  # a script or a country
_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,10}){0,2}")
# Codes of Wikipedias, and older ones, by the code that the files and libraries have.
_ALIASES = {"simple": ENGLISH, "iw": "he", "in": "id", "nb": "no", "be-tarask": "be", "be-x-old": "be", "zh-hans": "zh"}
# Bibliographic codes of ISO 639-2, and codes of the languages that a macrolanguage mostly is; ICU knows the others.
_ALIASES |= dict(
    pair.split("=")
    for pair in (
        "alb=sq arm=hy baq=eu bur=my chi=zh cmn=zh cze=cs dut=nl fre=fr geo=ka ger=de gre=el ice=is mac=mk per=fa "
        "pes=fa rum=ro slo=sk tib=bo wel=cy"
    ).split()
)
# What is written without spaces between words, nor between sentences; Lao, Khmer, Burmese and Thai have some inside.
_UNSPACED = frozenset("gan ja lzh wuu yue zh zh-classical zh-yue".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language.

    Attributes:
        code: ISO 639-1 code, or that of a Wikipedia.
        name: English name; the code where there is no file.
        is_known: whether there is a file of it.
        tables: what the file says, by room; empty where there is none.
    """

    code: str
    name: str
    is_known: bool = False
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def joiner(self) -> str:
        """What stands between two sentences of a paragraph: a space, or nothing."""
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


def _two_letters(code: str) -> str:
    """Returns the code of ISO 639-1 for one of three letters; the same where there is none."""
    if len(code) != 3 or not (code.isascii() and code.isalpha()):
        return code
    from icu4py.locale import Locale  # loads the library, which few codes need

    return Locale(code).language or code


def _code(value: object) -> str:
    code = str(value).strip().lower().replace("_", "-")
    if not _CODE.fullmatch(code):
        raise ValueError("expected a code such as de, pt or zh")
    return code


def _code_or_auto(value: object) -> str:
    if value == AUTO:
        return AUTO
    try:
        return _code(value)
    except ValueError:
        raise ValueError(f"expected {AUTO} or a code such as de, pt or zh") from None


CODE = custom(_code, pattern=_CODE.pattern, metavar="CODE", allowed="the code of a language, such as de")
CODE_OR_AUTO = custom(
    _code_or_auto,
    pattern=f"({AUTO}|{_CODE.pattern})",
    metavar="CODE",
    allowed=f"the code of a language, such as de, or {AUTO}",
)
