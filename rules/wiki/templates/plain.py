"""Templates that wrap words, or name a thing.

Their names are in ``names.toml``; others are known by the shape of their name.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

from gistmill.rules.text.prose import APOSTROPHE, BREAK, HOLE, LOST, SOURCE, SUP, SUP_END, UNSAID
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer, names
from gistmill.rules.wiki.templates.numbers import with_separators


def constant(text: str) -> Renderer:
    """Returns a renderer that gives ``text`` whatever the arguments."""
    return lambda args: text


def wrapped(left: str, right: str) -> Renderer:
    """Returns a renderer that puts ``left`` and ``right`` around the first argument."""
    return lambda args: f"{left}{args.at(1)}{right}" if args.at(1) else ""


def _music(args: Arguments) -> str:
    signs = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮", "n": "♮"}
    return signs.get(args.at(1).lower(), args.at(1))


_TABLES: dict[str, Any] = tomllib.loads(files(__package__).joinpath("names.toml").read_text(encoding="utf-8"))
NAMES: dict[str, list[str]] = _TABLES
COUNTRIES: dict[str, str] = _TABLES["countries"]
CHARACTERS: dict[str, Renderer] = {
    **{name: constant(text) for names_, text in _TABLES["characters"].items() for name in names(names_, text)},
    **names("' | apostrophe | `", constant(APOSTROPHE)),
    **names("'s | `s", constant(f"{APOSTROPHE}s")),
    **names("' \" | '\" | ' \" ", constant(f'{APOSTROPHE}"')),
    **names("\" ' | \"'", constant(f'"{APOSTROPHE}')),
    # ``{{nbsp|3}}``: spaces; they fold to one.
    **names(
        "nbsp | esd | spaces | space | thinsp | thin space | hair space | hairsp | emsp | ensp | 0ws | nb5 | nb10 | "
        "figure space | px1",
        lambda args: " ",
    ),
    **names("pb | paragraph break | parabr | paragraph", constant("\n\n")),
    **names("br | break | crlf", constant(BREAK)),
    "!": constant("|"),
    **names("deg | degree | °", lambda args: f"{args.at(1) or HOLE}°"),
    **names("prime", wrapped("", "′")),
    **names("music", _music),
}


def nothing(args: Arguments) -> str:
    """A hole: what stood there is no part of the sentence."""
    return HOLE


def doubt(args: Arguments) -> str:
    """``{{clarify|text=the guild}}``: the words that are doubted, if the template has them."""
    return args.get("text") or HOLE


def source(args: Arguments) -> str:
    """``{{cite book|title=The Mill}}``: words of a source, which are not worked out."""
    return SOURCE


KNOWN = {
    name: renderer
    for key, renderer in (("boxes", nothing), ("notes", nothing), ("doubts", doubt), ("sources", source))
    for name in NAMES[key]
}
# Families by the word before the first space, hyphen or slash, and by the word after the last one.
_SEPARATOR = re.compile("[- /]")
_SOURCES = frozenset("citation cite harv harvard harvc vcite imdb tcmdb ibdb allmovie allmusic".split())
_SISTERS = ("commons", "portal", "sister", "wiki", "wiktionary")
_NOTHING = frozenset(
    "infobox taxobox navbox sidebar use pp wikiproject user uw campaignbox succession commons wikisource hatnote "
    "expand cleanup copied adapted template featured efn sfn portal googlemap certification".split()
)
_NOTHING_BEGINS = ("location map", "music ratings", "ref-", "bs-", "s-")
_DOUBT_ENDS = frozenset("inline source sources citation".split())
_NOTHING_ENDS = frozenset(
    "stub infobox sidebar navbox footer footnote section box topic topics missing note icon poster hatnote".split()
)


def by_shape(name: str) -> Renderer | None:
    """Returns the renderer for a name (canonical) that says that no words are left, None for any other."""
    if name in KNOWN:
        return KNOWN[name]
    first, last = _SEPARATOR.split(name, maxsplit=1)[0], re.split("[- ]", name.removesuffix("?"))[-1]
    if " needed" in name:
        return doubt
    if first in _SOURCES or (last == "inline" and first.startswith(_SISTERS)):
        return source
    if first in _NOTHING or name.startswith(_NOTHING_BEGINS):
        return nothing
    is_long = first != name
    if name.endswith("?") or (is_long and last in _DOUBT_ENDS):
        return doubt
    return nothing if name.endswith("-fn") or (is_long and last in _NOTHING_ENDS) else None


def nth(number: int, *names: str) -> Renderer:
    """Returns a renderer that gives positional argument ``number``, else a named one."""
    return lambda args: args.at(number) or args.get(*names)


def joined(separator: str) -> Renderer:
    """Returns a renderer that joins the positional arguments."""
    return lambda args: separator.join(args.words())


def _quote(args: Arguments) -> str:
    """A block quotation: a paragraph of its own, without its author and source."""
    text = args.at(1) or args.get("text", "quote", "quotetext", "content")
    return f"\n\n{text}\n\n"


def _plain_title(title: str) -> str:
    head = title.partition("#")[0]
    return head.strip() or title.lstrip("#").strip()


def _coordinates(args: Arguments) -> str:
    """``{{coord|...}}``: beside the text, in brackets, or words of a sentence that are not worked out here."""
    shown = args.get("display")
    return HOLE if shown and "inline" not in shown and shown != "i" else UNSAID


def _font(args: Arguments) -> str:
    """``{{font color|red|text}}``, ``{{font color|red|white|text}}``."""
    return args.at(3) or args.at(2) or args.get("text") or args.at(1)


def _prefixed(prefix: str) -> Renderer:
    """Returns a renderer for a word before the first argument, as of ``{{née|Smith}}``; alone it is the word."""
    return lambda args: f"{prefix} {args.at(1)}" if args.at(1) else prefix


def _us_code(args: Arguments) -> str | None:
    """``{{usc|5|552}}`` is "5 U.S.C. § 552"."""
    return f"{args.at(1)} U.S.C. § {args.at(2)}" if args.at(2) else None


def _audio(args: Arguments) -> str:
    """``{{audio|file.ogg|label}}``: the label, when it is a word of the text and no button."""
    label = args.at(2)
    return "" if label.lower() in ("listen", "play", "audio", "pronunciation", "pronounced", "help·info") else label


def _bible(args: Arguments) -> str:
    """``{{bibleverse|1|John|4:8|KJV}}`` and ``{{bibleverse||John|4:8}}``."""
    if args.get("title"):
        return args.get("title")
    parts = args.positional()
    if parts and (parts[0] == "" or parts[0].isdigit()):
        return " ".join(part for part in parts[:3] if part)
    return " ".join(part for part in parts[:2] if part)


_NUMBER, _NAME, _PREFIX = 1, 2, 4  # the bits of the display option
_SHOWN = {"": 7, **{str(bits): bits for bits in (1, 2, 3, 5, 6, 7)}}


def _ship(args: Arguments) -> str | None:
    """``{{ship|HMS|Name|number|option}}``: the parts whose bits the option has, by default all that are given."""
    prefix, name, number, option = (args.at(n) for n in (1, 2, 3, 4))
    bits = _SHOWN.get(option, 0)
    if not (bits and name) or (option and ((bits & _NUMBER and not number) or (bits & _PREFIX and not prefix))):
        return None
    if bits == _NUMBER:
        return number
    number = f"({number})" if number else ""
    shown = ((_PREFIX, prefix), (_NAME, name), (_NUMBER, number))
    return " ".join(part for bit, part in shown if bits & bit and part)


def _ship_of(prefix: str) -> Renderer:
    """Returns the renderer of ``{{HMS|Name|number|option}}``, given the prefix as the page shows it."""
    return lambda args: _ship(args.after(prefix))


def _ship_class(args: Arguments) -> str | None:
    """``{{sclass|Essex|aircraft carrier|option}}`` is "Essex-class aircraft carrier"."""
    name, kind, option = args.at(1), args.at(2), args.at(3)
    if not name or (option in ("", "1", "2", "3") and not kind):
        return None
    ending = "s" if args.name.strip().lower().startswith("sclasss") else ""
    adjective = f"{name}-class"
    whole = f"{adjective} {kind}{ending}"
    return {"": whole, "0": adjective, "1": whole, "2": whole, "3": whole, "4": f"{name} class", "5": name}.get(option)


def _flag(args: Arguments) -> str | None:
    """``{{flag|France}}``, ``{{army|France}}``: the country; None for a code that no table knows."""
    name = args.get("name") or args.at(1)
    return COUNTRIES.get(name.lower()) if len(name) <= 3 else name


def _height(args: Arguments) -> str | None:
    if args.get("m", "meters", "metre", "cm"):
        return f"{args.get('m', 'meters', 'metre')} m" if args.get("m", "meters", "metre") else f"{args.get('cm')} cm"
    parts = [f"{args.get(key)} {unit}" for key, unit in (("ft", "ft"), ("in", "in")) if args.get(key)]
    return " ".join(parts) or None


def _sic(args: Arguments) -> str:
    """``{{sic|mistake}}``: the words as they stand, without the note."""
    return "".join(part for part in args.words() if part.lower() not in ("hide", "nolink")) if args.words() else ""


def _marriage(args: Arguments) -> str:
    years = "–".join(word for word in (args.at(2), args.at(3)) if word)
    return f"{args.at(1)} (m. {years})" if years else args.at(1)


def _harvard(form: str, page: str = ", p. ", pages: str = ", pp. ") -> Renderer:
    """Returns the renderer of ``{{harvtxt|Boolos|Jeffrey|1974|p=5}}`` and its like: "Boolos & Jeffrey (1974, p. 5)"."""

    def rendered(args: Arguments) -> str | None:
        *authors, year = args.words() or [""]
        return _cited(form, authors, year, args, page, pages) if authors else None

    return rendered


def _cited(form: str, authors: list[str], year: str, args: Arguments, page: str, pages: str) -> str:
    if len(authors) > 3:
        named = f"{authors[0]} et al."
    else:
        named = ", ".join(authors[:-1]) + (" & " if len(authors) > 1 else "") + authors[-1]
    where = next(
        (
            begin + text
            for begin, text in (
                (page, args.get("p", "page")),
                (pages, args.get("pp", "pages")),
                (", ", args.get("loc", "at")),
            )
            if text
        ),
        "",
    )
    return form.format(named, year, where)


def _harvard_by_name(args: Arguments) -> str | None:
    """``{{harvs|txt|first=Emil|last=Lee|year=1990}}`` is "Emil Lee (1990)"."""
    numbers = ["1", *map(str, range(2, 10))]
    authors = []
    for number in numbers:
        last = args.get(f"last{number}", f"author{number}", *(("last", "author") if number == "1" else ()))
        first = args.get(f"first{number}", *(("first",) if number == "1" else ()))
        authors += [f"{first} {last}".strip()] if last else []
    years = [args.get(f"year{number}", *(("year",) if number == "1" else ())) for number in numbers]
    flags = {word.lower() for word in args.words()}
    form = next((_HARVARD_FORMS[key] for key in ("txt", "nb") if key in flags or args.get(key)), "({0} {1}{2})")
    year = ", ".join(filter(None, years))
    return _cited(form, authors, year, args, ", p. ", ", pp. ") if authors and year else None


_HARVARD_FORMS = {"txt": "{0} ({1}{2})", "nb": "{0} {1}{2}"}


def _unit(symbol: str) -> Renderer:
    """Returns the renderer of ``{{solar mass|5}}``; without a number the unit is that of a number before it."""
    return lambda args: f"{args.at(1)} {symbol}" if args.at(1) else HOLE + symbol


_NO_TEMPLATES = ("us", "geo", "arm", "grc", "can", "per", "lat")  # codes that are other templates' names
TABLE: dict[str, Renderer] = {
    **dict.fromkeys(NAMES["first_argument"], nth(1)),
    **names(
        "resize | font | color | colour | font-size | hlink | hover title | hovertitle",
        lambda args: args.at(2) or args.get("text") or args.at(1),
    ),
    **names("font color | fontcolor | font colour | text color | colored text", _font),
    **names("url | official url", lambda args: args.at(2) or None),
    **names(
        "coord | coords | coor | coordinates | coor d | coor dm | coor dms | coor at dms | coor at dm", _coordinates
    ),
    **names("nowrap begin | nowrap end | nowrap | nobr begin | nobr end | nowrapbegin | nowrapend | nbs", nth(1)),
    **dict.fromkeys(NAMES["spans"], nth(1, "text")),
    **names("nee | née | neé", _prefixed("née")),
    **names("né", _prefixed("né")),
    **names("born | b.", _prefixed("b.")),
    **names("died | d.", _prefixed("d.")),
    **names("aka | a.k.a.", constant("a.k.a.")),
    **names("usc | united states code | unitedstatescode | uscode", _us_code),
    **names("ietf rfc | rfc", _prefixed("RFC")),
    **names("key press | keypress | key combination", joined("+")),
    **names("mlby | nfly | nhly | cfly | afly | mlsy | fby | by | baseball year | scy | year link | yl", nth(1)),
    **names("m s.l.m.", constant(f"{HOLE}m s.l.m.")),  # of the Italian Wikipedia
    **names("solar mass | m☉", _unit("M☉")),
    **names("solar radius | r☉", _unit("R☉")),
    **names("solar luminosity | l☉", _unit("L☉")),
    **names("legend inline | color box | colour box | colorbox", lambda args: args.at(2) or HOLE),
    **names("legend | legend0 | legend-line | legend-col", constant(f"\n\n{LOST}\n\n")),
    # ``{{plainlist|...}}``: lines of their own; without them only the box around them.
    **names(
        "plainlist | plain list | flatlist | flat list", lambda args: f"\n\n{args.at(1)}\n\n" if args.at(1) else HOLE
    ),
    **names("plain link | plainlink", lambda args: args.at(2) or args.get("name") or None),
    **names("fix-span | fixspan", lambda args: args.get("content") or HOLE),
    **names("abs | mabs", wrapped("|", "|")),
    **names("linktext | link text", joined(" ")),
    **names("wikt-lang | wtlang", lambda args: args.at(3) or args.at(2)),
    **names("sup | superscript | smallsup", lambda args: f"{SUP}{args.at(1)}{SUP_END}" if args.at(1) else ""),
    # ``{{su|p=2|b=3}}``.
    **names("su", lambda args: args.get("b") + (f"{SUP}{args.get('p')}{SUP_END}" if args.get("p") else "")),
    # quotations
    **names(
        "quote | quotation | blockquote | cquote | bquote | bq | quotes | rquote | block quote | long quote", _quote
    ),
    **names("tq | tqi | talk quote inline | inline quote | qq", lambda args: f'"{args.at(1)}"' if args.at(1) else ""),
    **names("angbr | angle bracket | angle brackets | vr | grapheme", wrapped("⟨", "⟩")),
    **names("brackets | bracket", wrapped("[", "]")),
    **names("sic | as is", _sic),
    # names and things
    # ``{{ill|Title|de|lt=shown}}``.
    **dict.fromkeys(NAMES["interlanguage_links"], lambda args: args.get("lt", "label") or _plain_title(args.at(1))),
    # ``{{slink|Title|Section}}``: "Title § Section".
    **names("section link | slink", lambda args: " § ".join(args.words()) or None),
    # ``{{section link|Title|Section}}``, ``{{format link}}``: the title.
    **names("format link | samplelink | no redirect | title link", lambda args: _plain_title(args.at(1))),
    # ``{{sortname|First|Last}}``.
    **names("sortname | sort name | sn", lambda args: " ".join(args.words()[:2])),
    **names("sort | sorted", lambda args: args.at(2) or args.at(1)),
    **names("audio | pronunciation audio", _audio),
    **names(
        "bibleverse | bibleref | bibleref2 | bible verse | bibleverse-nb | bibleref2-nb | sourcetext | esv | niv | kjv",
        _bible,
    ),
    **names("qref | quran-usc | cite quran inline | cite quran", lambda args: f"Quran {args.at(1)}:{args.at(2)}"),
    **{prefix.lower(): _ship_of(prefix) for prefix in NAMES["ships"]},
    "gs": _ship_of("German submarine"),
    "smu": _ship_of("SM"),
    "ship": _ship,
    **names("sclass | sclass2 | sclass- | sclasss | sclasss- | sclass2-", _ship_class),
    **dict.fromkeys(NAMES["stations"], lambda args: args.at(3) or args.at(1) or None),
    **dict.fromkeys(NAMES["stations_of_systems"], lambda args: args.at(2) or None),
    **dict.fromkeys(NAMES["stations_by_name"], lambda args: args.get("station") or None),
    **names("flagathlete | flagmedalist | flagplayer", nth(1)),
    **names(
        "fb | fbw | cr | ru | ruw | flagioc | flag country | flagcountry | flag nation | nft | iih | hk | bk | vb",
        _flag,
    ),
    **names("flag | flagu | flag+link | army | navy | air force | flagbig | country | noflag", _flag),
    **{code: constant(name) for code, name in COUNTRIES.items() if code not in _NO_TEMPLATES},
    "height": _height,
    **names("us patent | us patent application", lambda args: f"U.S. Patent {with_separators(args.at(1))}"),
    **names("harv | harvard citation", _harvard("({0} {1}{2})")),
    **names("harvnb | hvnb | harvard citation no brackets", _harvard(_HARVARD_FORMS["nb"])),
    **names("harvtxt | harvard citation text | sfnt", _harvard(_HARVARD_FORMS["txt"])),
    "harvp": _harvard("{0} ({1}){2}"),
    "harvcol": _harvard("({0} {1}{2})", ":", ":"),
    "harvcolnb": _harvard("{0} {1}{2}", ":", ":"),
    "harvcoltxt": _harvard("{0} ({1}{2})", ":", ":"),
    "harvs": _harvard_by_name,
    "marriage": _marriage,
}
