"""Templates for words of other languages; pronunciation is left out, the words stay.

Templates on wikis of other languages: the language's own table, and English ones that mean the same.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial

from gistmill.rules.text.prose import UNSAID
from gistmill.rules.wiki.local import local_of
from gistmill.rules.wiki.templates import plain
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer, names
from gistmill.rules.wiki.templates.plain import nothing

_LANG = re.compile(r"lang-[a-z]{2,4}2?(-[a-z0-9]+)*")
_PRONUNCIATION = re.compile(r"(ipac?|ipa)([- ].+)?")
_CENTURY = re.compile(r"[ivx]+e siècle")  # of the French Wikipedia
# Two- and three-letter templates of one argument that set a script or language.
_SHORT = "grc ar he fa ur hi ta nq iast rtl-lang hebrew polytonic unicode arabic cyrl latn script".split()


def by_prefix(name: str) -> Renderer | None:
    """Returns the renderer of a family: ``lang-xx``, ``IPA-xx``, ``script/xx`` or ``xx icon``; None for any other."""
    if _LANG.fullmatch(name) or name.startswith("script/"):
        return _first
    if _CENTURY.fullmatch(name):
        return _own_name
    if _PRONUNCIATION.fullmatch(name):
        return unspoken
    return nothing if name.endswith(" icon") and len(name) <= 8 else None


def _first(args: Arguments) -> str:
    return args.at(1)


def _own_name(args: Arguments) -> str:
    return args.name.strip()


def unspoken(args: Arguments) -> str:
    """Returns the mark of words that nobody says."""
    return UNSAID


def _transliteration(args: Arguments) -> str:
    """``{{transl|ar|ALA|word}}`` or ``{{transl|ar|word}}``: the last one."""
    words = args.words()
    return words[-1] if len(words) > 1 else ""


def _nihongo(args: Arguments) -> str:
    """``{{nihongo|English|kanji|romaji}}`` is "English (kanji, romaji)", as the page shows it."""
    english, kanji, romaji = args.at(1), args.at(2), args.at(3)
    extra = ", ".join(word for word in (kanji, romaji, args.at(4)) if word)
    if not english:
        return f"{romaji} ({kanji})" if romaji and kanji else romaji or kanji
    return f"{english} ({extra})" if extra else english


def _nihongo_romaji_first(args: Arguments) -> str:
    """``{{nihongo3|English|kanji|romaji}}`` is "romaji (kanji, English)"."""
    romaji = args.at(3)
    extra = ", ".join(word for word in (args.at(2), args.at(1)) if word)
    return f"{romaji} ({extra})" if romaji and extra else romaji or extra


def _chinese(args: Arguments) -> str:
    """``{{zh|s=..|t=..|p=..}}``: characters and pinyin, in brackets where the page stands in brackets already."""
    words = [args.get(key) for key in ("c", "t", "s", "p", "w", "j")]
    return "; ".join(dict.fromkeys(word for word in words if word))


def _korean(args: Arguments) -> str:
    return "; ".join(word for word in (args.get("hangul"), args.get("hanja"), args.get("rr")) if word) or args.at(1)


TABLE: dict[str, Renderer] = {
    "lang": lambda args: args.at(2) or args.get("text"),
    # ``{{langx|de|Wort}}``, ``{{native name|de|Wort}}``.
    **names("langx | native name | nativename | native phrase | langr | lang2", lambda args: args.at(2)),
    **names("transl | transliteration | xlit | tlit | translit", _transliteration),
    **names("nihongo | nihongo2 | nihongo core", _nihongo),
    **names("nihongo3 | nihongo krt", _nihongo_romaji_first),
    # ``{{読み仮名|語|ご}}`` is "語（ご）", as the page shows it.
    **names(
        "読み仮名 | 読み仮名 ruby不使用", lambda args: f"{args.at(1)}（{args.at(2)}）" if args.at(2) else args.at(1)
    ),
    **names("zh | zh-full | lang-zh | chinese", _chinese),
    **names("korean | ko-hhrm", _korean),
    **dict.fromkeys(_SHORT, lambda args: args.at(1)),
    **names("literally | lit | lit.", lambda args: f"lit. '{args.at(1)}'" if args.at(1) else "lit."),
    **names(
        "respell | pronunciation | pron | usdict | ukdict | audio-ipa | pron-en | pronunciation respelling | "
        "ipa | ipa2 | ipaslink | ipablink | ipalink | ipa link | phonetic",
        unspoken,
    ),
    **names("help:ipa | language icon | lang icon", nothing),
}


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
        return unspoken
    if (pattern := local.templates.get(name)) is None:
        pattern = next((text for begin, text in _families(local.code) if name.startswith(begin)), None)
    if pattern is not None:
        return partial(_filled, pattern)
    if len(name) < _SHORTEST and name.isalpha() and name not in _SHORT_NAMES:
        return None
    if name in plain.KNOWN or re.split("[- /]", name, maxsplit=1)[0] in _FAMILIES or name.endswith(_ENDS):
        return plain.by_shape(name)
    return _SHARED.get(name) or by_prefix(name)


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
    **{name: known for name, known in TABLE.items() if not name.startswith("lit")},
    **{name: plain.TABLE[name] for name in _WRAPPERS if name in plain.TABLE},
}
