"""Templates that wrap words, stand for a character, or name a thing; and those that leave nothing."""

from __future__ import annotations

from rules.wiki.marks import APOSTROPHE, BREAK, SUP, SUP_END
from rules.wiki.templates.arguments import Arguments, Renderer, names
from rules.wiki.templates.countries import COUNTRIES
from rules.wiki.templates.numbers import with_separators


def constant(text: str) -> Renderer:
    """Returns a renderer that gives ``text`` whatever the arguments."""
    return lambda args: text


def nth(number: int, *names: str) -> Renderer:
    """Returns a renderer that gives positional argument ``number``, else a named one."""
    return lambda args: args.at(number) or args.get(*names)


def joined(separator: str) -> Renderer:
    """Returns a renderer that joins the positional arguments."""
    return lambda args: separator.join(args.words())


def _wrapped(left: str, right: str) -> Renderer:
    return lambda args: f"{left}{args.at(1)}{right}" if args.at(1) else ""


def _space_in(args: Arguments) -> str:
    """``{{nbsp|3}}``: spaces; they fold to one."""
    return " "


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


def _flag(args: Arguments) -> str:
    """``{{flag|France}}``, ``{{army|France}}``: the country."""
    name = args.get("name") or args.at(1)
    return COUNTRIES.get(name.lower(), name) if len(name) <= 3 else name


def _height(args: Arguments) -> str:
    if args.get("m", "meters", "metre", "cm"):
        return f"{args.get('m', 'meters', 'metre')} m" if args.get("m", "meters", "metre") else f"{args.get('cm')} cm"
    parts = [f"{args.get(key)} {unit}" for key, unit in (("ft", "ft"), ("in", "in")) if args.get(key)]
    return " ".join(parts)


def _sub_and_sup(args: Arguments) -> str:
    """``{{su|p=2|b=3}}``."""
    return args.get("b") + (f"{SUP}{args.get('p')}{SUP_END}" if args.get("p") else "")


def _music(args: Arguments) -> str:
    signs = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮", "n": "♮"}
    return signs.get(args.at(1).lower(), args.at(1))


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
        "visible anchor | vanchor | vanc | abbr | abbrv | tooltip | hover title | hover | define | center | sc | "
        "smallcaps | sc2 | small caps | smallcaps all | aut | allcaps | uppercase | lowercase | longitem | nwr | "
        "wrap | not a typo | as written | typo | notatypo | chem name | chemical name | proper name | ucfirst | "
        "resize span | legend inline | no spam | bold | italic | strikethrough | underline | u | b | i | "
        "bold italic | bigmath | title | keypress | key press | key | button | sub | subscript | midsize | "
        "larger2 | cslist | serif | sans-serif | pre2 | highlight | nobel | plain text | font color inline | "
        "gloss | gcl | overline | overset | underset | ov | tdes | nastaliq | naskh | script nastaliq | ruby | "
        "ruby-ja | fb | fbw | wikt-lang inline | nodeco | plain link",
        nth(1),
    ),
    **names(
        "resize | font | font color | color | colour | fontcolor | font-size | text color | hlink",
        lambda args: args.at(2) or args.get("text") or args.at(1),
    ),
    **names("url | official url", nth(2)),
    **names("linktext | link text", joined(" ")),
    **names("wikt-lang | wtlang", lambda args: args.at(3) or args.at(2)),
    **names("sup | superscript | smallsup", lambda args: f"{SUP}{args.at(1)}{SUP_END}" if args.at(1) else ""),
    **names("su", _sub_and_sup),
    # characters
    **names("' | apostrophe | `", constant(APOSTROPHE)),
    **names("'s | `s", constant(f"{APOSTROPHE}s")),
    **names("' \" | '\" | ' \" ", constant(f'{APOSTROPHE}"')),
    **names("\" ' | \"'", constant(f'"{APOSTROPHE}')),
    **names('" | -" | "-', constant('"')),
    **names("ndash | en dash | endash | – | nsndns | en-dash | ndsh", constant("–")),
    **names("mdash | em dash | emdash | —", constant("—")),
    **names(
        "snd | sndash | spaced ndash | spaced en dash | snds | spndash | ndashb | –spaced | spnd",
        constant(" – "),
    ),
    **names("smd | mdashb | spaced mdash | spaced em dash | spaced emdash", constant(" — ")),
    **names(
        "nbsp | spaces | space | thinsp | thin space | hair space | hairsp | emsp | ensp | 0ws | nb5 | nb10 | "
        "figure space | px1",
        _space_in,
    ),
    **names("wbr | zwsp | zwj | zwnj | - | shy hyphen | lrm | rlm | nnbsp", constant("")),
    **names("· | • | dot | bull | bullet | middot | dot2 | bold dot | middle dot", constant(" · ")),
    **names("pb | paragraph break | parabr | paragraph", constant("\n\n")),
    **names("br | break | crlf", constant(BREAK)),
    "!": constant("|"),
    **names("= | equals", constant("=")),
    **names("colon | :", constant(":")),
    **names("asterisk | *", constant("*")),
    **names("times | x", constant("×")),
    **names("minus", constant("−")),
    **names("plusminus | ±", constant("±")),
    **names("prime", _wrapped("", "′")),
    "pi": constant("π"),
    "eqm": constant("⇌"),
    **names("music", _music),
    # quotations
    **names(
        "quote | quotation | blockquote | cquote | bquote | bq | quotes | rquote | block quote | long quote",
        _quote,
    ),
    **names("tq | tqi | talk quote inline | inline quote | qq", _inline_quote),
    **names("angbr | angle bracket | angle brackets | vr | grapheme", _wrapped("⟨", "⟩")),
    **names("brackets | bracket", _wrapped("[", "]")),
    **names("sic | as is", _sic),
    # names and things
    **names(
        "ill | interlanguage link | interlanguage link multi | ill2 | illm | link-interwiki | red link | ilm",
        _interlanguage,
    ),
    **names("section link | slink | format link | samplelink | no redirect | title link", _link_shown),
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
    **names("flag | flagcountry | flagu | flag+link | army | navy | air force | flagbig | country | noflag", _flag),
    **{code: constant(name) for code, name in COUNTRIES.items() if code not in _NO_TEMPLATES},
    "height": _height,
    **names("us patent | us patent application", lambda args: f"U.S. Patent {with_separators(args.at(1))}"),
    **names("harvtxt | harvcoltxt | sfnt", _author_and_year),
    "marriage": _marriage,
}
