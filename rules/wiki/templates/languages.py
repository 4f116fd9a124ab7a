"""Templates for words of other languages; pronunciation is left out, the words stay."""

from __future__ import annotations

import re

from gistmill.rules.text.prose import UNSAID
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
