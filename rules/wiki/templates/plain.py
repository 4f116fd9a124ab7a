"""Templates that wrap words, or name a thing."""

from __future__ import annotations

from gistmill.rules.text.marks import HOLE, SUP, SUP_END, UNSAID
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer, names
from gistmill.rules.wiki.templates.characters import constant, wrapped
from gistmill.rules.wiki.templates.countries import COUNTRIES
from gistmill.rules.wiki.templates.numbers import with_separators


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


def _inline_quote(args: Arguments) -> str:
    return f'"{args.at(1)}"' if args.at(1) else ""


def _interlanguage(args: Arguments) -> str:
    """``{{ill|Title|de|lt=shown}}``."""
    return args.get("lt", "label") or _plain_title(args.at(1))


def _link_shown(args: Arguments) -> str:
    """``{{section link|Title|Section}}``, ``{{format link}}``: the title."""
    return _plain_title(args.at(1))


def _plain_title(title: str) -> str:
    head = title.partition("#")[0]
    return head.strip() or title.lstrip("#").strip()


def _coordinates(args: Arguments) -> str:
    """``{{coord|...}}``: beside the text, in brackets, or words of a sentence that are not worked out here."""
    shown = args.get("display")
    return HOLE if shown and "inline" not in shown and shown != "i" else UNSAID


def _section_link(args: Arguments) -> str | None:
    """``{{slink|Title|Section}}``: "Title § Section"."""
    return " § ".join(args.words()) or None


def _font(args: Arguments) -> str:
    """``{{font color|red|text}}``, ``{{font color|red|white|text}}``."""
    return args.at(3) or args.at(2) or args.get("text") or args.at(1)


def _prefixed(prefix: str) -> Renderer:
    """Returns a renderer for a word before the first argument, as of ``{{née|Smith}}``; alone it is the word."""
    return lambda args: f"{prefix} {args.at(1)}" if args.at(1) else prefix


def _us_code(args: Arguments) -> str | None:
    """``{{usc|5|552}}`` is "5 U.S.C. § 552"."""
    return f"{args.at(1)} U.S.C. § {args.at(2)}" if args.at(2) else None


def _sortname(args: Arguments) -> str:
    """``{{sortname|First|Last}}``."""
    return " ".join(args.words()[:2])


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


def _ship(prefix_from_name: bool) -> Renderer:
    """``{{USS|Name|hull|option}}`` or ``{{ship|HMS|Name|hull|option}}``; options 1, 2, 3, 6 leave the hull out."""

    def rendered(args: Arguments) -> str:
        words = args.positional()
        if prefix_from_name:
            words = [args.name.strip(), *words]
        prefix, name, hull, option = (words + ["", "", "", ""])[:4]
        option = option or args.get("up")
        if option in ("1", "3", "6"):
            prefix = prefix if option == "1" else ""
            hull = ""
        elif option == "2":
            return hull
        elif option == "5":
            prefix = ""
        shown = f"{prefix} {name}".strip()
        return f"{shown} ({hull})" if hull else shown

    return rendered


def _ship_class(args: Arguments) -> str:
    """``{{sclass|Essex|aircraft carrier}}`` is "Essex-class aircraft carrier"."""
    name, kind = args.at(1), args.at(2)
    if args.at(3) in ("1", "5"):
        return name
    if args.at(3) in ("2", "4"):
        return f"{name} class"
    return f"{name}-class {kind}{'s' if args.name.strip().lower().startswith('sclasss') else ''}".strip()


def _flag(args: Arguments) -> str | None:
    """``{{flag|France}}``, ``{{army|France}}``: the country; None for a code that no table knows."""
    name = args.get("name") or args.at(1)
    return COUNTRIES.get(name.lower()) if len(name) <= 3 else name


def _height(args: Arguments) -> str:
    if args.get("m", "meters", "metre", "cm"):
        return f"{args.get('m', 'meters', 'metre')} m" if args.get("m", "meters", "metre") else f"{args.get('cm')} cm"
    parts = [f"{args.get(key)} {unit}" for key, unit in (("ft", "ft"), ("in", "in")) if args.get(key)]
    return " ".join(parts)


def _sub_and_sup(args: Arguments) -> str:
    """``{{su|p=2|b=3}}``."""
    return args.get("b") + (f"{SUP}{args.get('p')}{SUP_END}" if args.get("p") else "")


def _sic(args: Arguments) -> str:
    """``{{sic|mistake}}``: the words as they stand, without the note."""
    return "".join(part for part in args.words() if part.lower() not in ("hide", "nolink")) if args.words() else ""


def _marriage(args: Arguments) -> str:
    years = "–".join(word for word in (args.at(2), args.at(3)) if word)
    return f"{args.at(1)} (m. {years})" if years else args.at(1)


def _author_and_year(args: Arguments) -> str:
    """``{{harvtxt|Boolos|Jeffrey|1974}}`` is "Boolos & Jeffrey (1974)": the authors are words of the sentence."""
    *authors, year = args.words() or [""]
    if len(authors) > 3:
        named = f"{authors[0]} et al."
    else:
        named = ", ".join(authors[:-1]) + (" & " if len(authors) > 1 else "") + "".join(authors[-1:])
    return f"{named} ({year})" if named else year


_NO_TEMPLATES = ("us", "geo", "arm", "grc", "can", "per", "lat")  # codes that are other templates' names
_SHIPS = (
    "uss hms hmas hmcs hmnzs hmbs ins ss ms mv rms rrs rv ps ts usns uscgc uscgs usat css sms gs hdms hnlms hswms "
    "hnoms orp arc ara arm bap bns usav my sv fv nms mts mt rfa hmt hmhs tss ussr"
).split()

TABLE: dict[str, Renderer] = {
    **names(
        "nowrap | nobr | nobreak | nowr | nobold | noitalic | nobi | normal | small | smaller | big | bigger | "
        "large | larger | huge | mono | monospace | tt | kbd | samp | var | mvar | math | strong | em | "
        "visible anchor | vanchor | vanc | abbr | abbrv | tooltip | hover | define | center | sc | "
        "dfn | term | crossreference | crossref | xref | cross reference | see below | see above | "
        "q | qt | translation | trans | nihongo foot | ja-nihongo | zhi | pie | semxlit | nolink | nospam | "
        "smallcaps | sc2 | small caps | smallcaps all | aut | allcaps | uppercase | lowercase | longitem | nwr | "
        "wrap | not a typo | as written | typo | notatypo | chem name | chemical name | proper name | ucfirst | "
        "resize span | legend inline | no spam | bold | italic | strikethrough | underline | u | b | i | "
        "bold italic | bigmath | title | key | button | sub | subscript | midsize | "
        "larger2 | cslist | serif | sans-serif | pre2 | highlight | nobel | plain text | font color inline | "
        "gloss | gcl | overline | overset | underset | ov | tdes | nastaliq | naskh | script nastaliq | ruby | "
        "ruby-ja | wikt-lang inline | nodeco | plain link",
        nth(1),
    ),
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
    **names(
        "citation needed span | cnspan | clarify span | dubious span | disputed span | update span | "
        "better source span | "
        "synthesis span | not verified in body span | senza fonte | chiarire | 要出典範囲",
        nth(1, "text"),
    ),
    **names("nee | née | neé", _prefixed("née")),
    **names("né", _prefixed("né")),
    **names("born | b.", _prefixed("b.")),
    **names("died | d.", _prefixed("d.")),
    **names("aka | a.k.a.", constant("a.k.a.")),
    **names("usc | united states code | unitedstatescode | uscode", _us_code),
    **names("ietf rfc | rfc", _prefixed("RFC")),
    **names("key press | keypress | key combination", joined("+")),
    **names("mlby | nfly | nhly | cfly | afly | mlsy | fby | by | baseball year | scy | year link | yl", nth(1)),
    **names("m s.l.m.", constant("m s.l.m.")),  # of the Italian Wikipedia
    **names("solar mass | m☉", constant("M☉")),
    **names("solar radius", constant("R☉")),
    **names("solar luminosity", constant("L☉")),
    **names("abs | mabs", wrapped("|", "|")),
    **names("linktext | link text", joined(" ")),
    **names("wikt-lang | wtlang", lambda args: args.at(3) or args.at(2)),
    **names("sup | superscript | smallsup", lambda args: f"{SUP}{args.at(1)}{SUP_END}" if args.at(1) else ""),
    **names("su", _sub_and_sup),
    # quotations
    **names(
        "quote | quotation | blockquote | cquote | bquote | bq | quotes | rquote | block quote | long quote",
        _quote,
    ),
    **names("tq | tqi | talk quote inline | inline quote | qq", _inline_quote),
    **names("angbr | angle bracket | angle brackets | vr | grapheme", wrapped("⟨", "⟩")),
    **names("brackets | bracket", wrapped("[", "]")),
    **names("sic | as is", _sic),
    # names and things
    **names(
        "ill | interlanguage link | interlanguage link multi | ill2 | illm | link-interwiki | red link | ilm | "
        "仮リンク | нп | нп2 | нп3 | нп4 | нп5 | iw | le | link-en | link-de | link-fr | link-ja | link-es",
        _interlanguage,
    ),
    **names("section link | slink", _section_link),
    **names("format link | samplelink | no redirect | title link", _link_shown),
    **names("sortname | sort name | sn", _sortname),
    **names("sort | sorted", lambda args: args.at(2) or args.at(1)),
    **names("audio | pronunciation audio", _audio),
    **names(
        "bibleverse | bibleref | bibleref2 | bible verse | bibleverse-nb | bibleref2-nb | sourcetext | esv | niv | kjv",
        _bible,
    ),
    **names("qref | quran-usc | cite quran inline | cite quran", lambda args: f"Quran {args.at(1)}:{args.at(2)}"),
    **dict.fromkeys(_SHIPS, _ship(prefix_from_name=True)),
    "ship": _ship(prefix_from_name=False),
    **names("sclass | sclass2 | sclass- | sclasss | sclasss- | sclass2-", _ship_class),
    **names("flagathlete | flagmedalist | flagplayer", nth(1)),
    **names(
        "fb | fbw | cr | ru | ruw | flagioc | flag country | flagcountry | flag nation | nft | iih | hk | bk | vb",
        _flag,
    ),
    **names("flag | flagu | flag+link | army | navy | air force | flagbig | country | noflag", _flag),
    **{code: constant(name) for code, name in COUNTRIES.items() if code not in _NO_TEMPLATES},
    "height": _height,
    **names("us patent | us patent application", lambda args: f"U.S. Patent {with_separators(args.at(1))}"),
    **names("harvtxt | harvcoltxt | sfnt", _author_and_year),
    "marriage": _marriage,
}
