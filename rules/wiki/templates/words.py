"""Templates for people, places, ships and works, and for words in other languages; pronunciation is left out."""

from __future__ import annotations

from gistmill.rules.text.prose import HOLE, UNSAID
from gistmill.rules.wiki.templates.arguments import TABLES, Arguments

COUNTRIES: dict[str, str] = TABLES["countries"]


def own_name(args: Arguments) -> str:
    """Renders ``{{XIXe siècle}}`` as the name of the template."""
    return args.name.strip()


def page_title(args: Arguments) -> str:
    """Renders ``{{format link|Title#Section}}`` as the title."""
    return args.get(1).partition("#")[0].strip() or args.get(1).lstrip("#").strip()


def interlanguage_link(args: Arguments) -> str:
    """Renders ``{{ill|Title|de|lt=shown}}`` as the label, or else the title."""
    return args.get("lt", "label") or page_title(args)


def coordinates(args: Arguments) -> str:
    """Renders ``{{coord|...}}`` as HOLE if displayed outside the text, otherwise as UNSAID."""
    shown = args.get("display")
    return HOLE if shown and "inline" not in shown and shown != "i" else UNSAID


def audio(args: Arguments) -> str:
    """Renders ``{{audio|file.ogg|label}}`` as the label, if it is a word in the text and not a button."""
    label = args.get(2)
    return "" if label.lower() in ("listen", "play", "audio", "pronunciation", "pronounced", "help·info") else label


def bible(args: Arguments) -> str:
    """Renders ``{{bibleverse|1|John|4:8|KJV}}`` and ``{{bibleverse||John|4:8}}``."""
    parts = args.positional()
    numbered = bool(parts) and (parts[0] == "" or parts[0].isdigit())
    return args.get("title") or " ".join(filter(None, parts[: 3 if numbered else 2]))


def sic(args: Arguments) -> str:
    """Renders ``{{sic|mistake}}`` as the words without the note."""
    return "".join(part for part in args.words() if part.lower() not in ("hide", "nolink"))


def flag(args: Arguments) -> str | None:
    """Renders ``{{flag|France}}`` and ``{{army|France}}`` as the country; None for an unknown code."""
    name = args.get("name") or args.get(1)
    return COUNTRIES.get(name.lower()) if len(name) <= 3 else name


def height(args: Arguments) -> str | None:
    """Renders ``{{height|m=1.80}}`` as 1.80 m, and ``{{height|ft=6|in=1}}`` as 6 ft 1 in."""
    if metres := args.get("m", "meters", "metre"):
        return f"{metres} m"
    if centimetres := args.get("cm"):
        return f"{centimetres} cm"
    return " ".join(f"{args.get(unit)} {unit}" for unit in ("ft", "in") if args.get(unit)) or None


_NUMBER, _NAME, _PREFIX = 1, 2, 4  # the bits of the display option
_SHOWN = {"": 7, **{str(bits): bits for bits in (1, 2, 3, 5, 6, 7)}}


def ship(args: Arguments) -> str | None:
    """Renders ``{{ship|HMS|Name|number|option}}`` with the parts whose bits are set in the option, by default all."""
    return _ship(*(args.get(number) for number in range(1, 5)))


def ship_with(prefix: str, args: Arguments) -> str | None:
    """Renders ``{{HMS|Name|number|option}}``, given the prefix as shown on the page."""
    return _ship(prefix, *(args.get(number) for number in range(1, 4)))


def _ship(prefix: str, name: str, number: str, option: str) -> str | None:
    bits = _SHOWN.get(option, 0)
    if not (bits and name) or (option and ((bits & _NUMBER and not number) or (bits & _PREFIX and not prefix))):
        return None
    if bits == _NUMBER:
        return number
    shown = ((_PREFIX, prefix), (_NAME, name), (_NUMBER, number and f"({number})"))
    return " ".join(part for bit, part in shown if bits & bit and part)


def ship_class(args: Arguments) -> str | None:
    """Renders ``{{sclass|Essex|aircraft carrier|option}}`` as "Essex-class aircraft carrier"."""
    name, kind, option = args.get(1), args.get(2), args.get(3)
    if not name or (option in ("", "1", "2", "3") and not kind):
        return None
    ending = "s" if args.name.strip().lower().startswith("sclasss") else ""
    adjective = f"{name}-class"
    whole = f"{adjective} {kind}{ending}"
    return {"": whole, "0": adjective, "1": whole, "2": whole, "3": whole, "4": f"{name} class", "5": name}.get(option)


def harvard(pattern: str, args: Arguments) -> str | None:
    """Renders ``{{harvtxt|Boolos|Jeffrey|1974|p=5}}`` and similar templates as "Boolos & Jeffrey (1974, p. 5)".

    ``pattern`` contains placeholders for authors, year and page; with a colon before the page, it gives "1974:5".
    """
    *authors, year = args.words() or [""]
    return _cited(pattern, authors, year, args) if authors else None


def harvard_by_name(args: Arguments) -> str | None:
    """Renders ``{{harvs|txt|first=Emil|last=Lee|year=1990}}`` as "Emil Lee (1990)"."""
    authors, years = [], []
    for number in map(str, range(1, 10)):
        bare = ("",) if number == "1" else ()
        last, first, year = (
            args.get(*(f"{name}{ending}" for ending in (number, *bare) for name in names))
            for names in (("last", "author"), ("first",), ("year",))
        )
        authors += [f"{first} {last}".strip()] if last else []
        years += [year] if year else []
    flags = {word.lower() for word in args.words()}
    forms = {"txt": "{0} ({1}{2})", "nb": "{0} {1}{2}"}
    pattern = next((form for key, form in forms.items() if key in flags or args.get(key)), "({0} {1}{2})")
    return _cited(pattern, authors, ", ".join(years), args) if authors and years else None


def _cited(pattern: str, authors: list[str], year: str, args: Arguments) -> str:
    if len(authors) > 3:
        named = f"{authors[0]} et al."
    else:
        named = ", ".join(authors[:-1]) + (" & " if len(authors) > 1 else "") + authors[-1]
    colon = ":{2}" in pattern
    page, pages = (":", ":") if colon else (", p. ", ", pp. ")
    texts = ((page, args.get("p", "page")), (pages, args.get("pp", "pages")), (", ", args.get("loc", "at")))
    where = next((begin + text for begin, text in texts if text), "")
    return pattern.replace(":{2}", "{2}").format(named, year, where)


def transliteration(args: Arguments) -> str:
    """Renders ``{{transl|ar|ALA|word}}`` and ``{{transl|ar|word}}`` as the last argument."""
    words = args.words()
    return words[-1] if len(words) > 1 else ""


def nihongo(args: Arguments) -> str:
    """Renders ``{{nihongo|English|kanji|romaji}}`` as "English (kanji, romaji)", as on the page."""
    english, kanji, romaji = args.get(1), args.get(2), args.get(3)
    extra = ", ".join(word for word in (kanji, romaji, args.get(4)) if word)
    if not english:
        return f"{romaji} ({kanji})" if romaji and kanji else romaji or kanji
    return f"{english} ({extra})" if extra else english


def nihongo_romaji_first(args: Arguments) -> str:
    """Renders ``{{nihongo3|English|kanji|romaji}}`` as "romaji (kanji, English)"."""
    romaji = args.get(3)
    extra = ", ".join(word for word in (args.get(2), args.get(1)) if word)
    return f"{romaji} ({extra})" if romaji and extra else romaji or extra


def chinese(args: Arguments) -> str:
    """Renders ``{{zh|s=..|t=..|p=..}}`` as characters and pinyin, without adding brackets."""
    return _joined(args, "c", "t", "s", "p", "w", "j")


def korean(args: Arguments) -> str:
    """Renders ``{{korean|hangul=..|hanja=..|rr=..}}`` as hangul, hanja and romanisation, or else the first argument."""
    return _joined(args, "hangul", "hanja", "rr") or args.get(1)


def _joined(args: Arguments, *keys: str) -> str:
    return "; ".join(dict.fromkeys(word for key in keys if (word := args.get(key))))


def music(args: Arguments) -> str:
    """Renders ``{{music|flat}}`` as ♭."""
    signs = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮", "n": "♮"}
    return signs.get(args.get(1).lower(), args.get(1))
