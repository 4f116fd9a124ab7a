"""Templates that stand for a character or a space, or put characters around words."""

from __future__ import annotations

from gistmill.rules.text.marks import APOSTROPHE, BREAK
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer, names


def constant(text: str) -> Renderer:
    """Returns a renderer that gives ``text`` whatever the arguments."""
    return lambda args: text


def wrapped(left: str, right: str) -> Renderer:
    """Returns a renderer that puts ``left`` and ``right`` around the first argument."""
    return lambda args: f"{left}{args.at(1)}{right}" if args.at(1) else ""


def _space_in(args: Arguments) -> str:
    """``{{nbsp|3}}``: spaces; they fold to one."""
    return " "


def _music(args: Arguments) -> str:
    signs = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮", "n": "♮"}
    return signs.get(args.at(1).lower(), args.at(1))


TABLE: dict[str, Renderer] = {
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
        "nbsp | esd | spaces | space | thinsp | thin space | hair space | hairsp | emsp | ensp | 0ws | nb5 | nb10 | "
        "figure space | px1",
        _space_in,
    ),
    **names("wbr | zwsp | zwj | zwnj | - | shy hyphen | lrm | rlm | nnbsp", constant("")),
    **names("· | • | dot | bull | bullet | middot | dot2 | bold dot | middle dot", constant(" · ")),
    **names("pb | paragraph break | parabr | paragraph", constant("\n\n")),
    **names("br | break | crlf", constant(BREAK)),
    "!": constant("|"),
    **names("nbhyph | nbh | nhyphen | hyphen | nb-", constant("-")),
    **names("... | ellipsis | dots", constant("…")),
    **names("long dash | 2em dash | bar | emdash2", constant("—")),
    **names("okina | ʻokina | hawaiian okina", constant("ʻ")),
    **names("ayin | ʿ", constant("ʿ")),
    **names("hamza | ʾ", constant("ʾ")),
    **names("sharp | ♯", constant("♯")),
    **names("flat | ♭", constant("♭")),
    **names("natural | ♮", constant("♮")),
    **names("approx | ~ | ≈", constant("≈")),
    **names("deg | degree | °", lambda args: f"{args.at(1)}°"),
    **names("= | equals", constant("=")),
    **names("colon | :", constant(":")),
    **names("asterisk | *", constant("*")),
    **names("times", constant("×")),
    **names("minus", constant("−")),
    **names("plusminus | ±", constant("±")),
    **names("prime", wrapped("", "′")),
    "pi": constant("π"),
    "eqm": constant("⇌"),
    **names("music", _music),
}
