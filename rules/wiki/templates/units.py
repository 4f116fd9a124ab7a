"""``{{convert}}`` and ``{{cvt}}``: the quantity as the page states it, without the computed conversion.

"10 kilometres" and not "10 kilometres (6.2 mi)": a sentence of prose reads better so, every number of the source is
kept as it is written, and no rounding rule of the template has to be imitated.
"""

from __future__ import annotations

import re

from rules.wiki.templates.arguments import Arguments, Renderer, names
from rules.wiki.templates.unit_names import UNITS, Unit, american

_RANGES = {
    "to": " to ",
    "-": "–",
    "–": "–",
    "and": " and ",
    "or": " or ",
    "by": " by ",
    "x": " × ",
    "×": " × ",
    "+/-": " ± ",
    "±": " ± ",
    "to(-)": " to ",
    "to-": " to ",
    "and(-)": " and ",
    "+": " + ",
    ",": ", ",
    "and/or": " and/or ",
    "*": " × ",
    "xx": " × ",
    "by(x)": " by ",
    "to about": " to about ",
    "through": " through ",
    "up to": " up to ",
    "upto": " up to ",
    ", or": ", or ",
    ", and": ", and ",
    "and(-)by": " and ",
    "to&": " to ",
    "x(by)": " × ",
    "plus or minus": " plus or minus ",
    "between": " and ",
    "to bar": "–",
    "&ndash;": "–",
    "—": "–",
    "−": "–",
}
_NUMBER = re.compile(r"[+\-−~]?[\d.,]*\d(?:e[+\-−]?\d+)?(?:\s*[+\-−]?\d*/{1,2}\d+)?|[+\-−]?\d+/{1,2}\d+", re.I)
_FRACTION = re.compile(r"(?P<whole>[+\-−]?[\d,]+)\s*[+\-−](?P<part>\d+/{1,2}\d+)")
_ON = ("on", "yes", "y", "1")


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None or _FRACTION.fullmatch(text.replace(" ", "")) is not None


def _number_text(text: str) -> str:
    """A fraction such as 1+1/2 becomes 1 1/2; any other number stays as the page writes it."""
    if match := _FRACTION.fullmatch(text.replace(" ", "")):
        return f"{match['whole']} {match['part'].replace('//', '/')}"
    return text.replace("//", "/")


def _is_one(text: str) -> bool:
    return text in ("1", "1.0", "-1", "−1") or re.fullmatch(r"0\.\d+|\d/{1,2}\d+", text) is not None and text != "0.0"


def convert(args: Arguments) -> str | None:
    """Returns quantity and unit of ``{{convert|VALUE|UNIT|...}}``, ranges and compound units (5 feet 11 inches) too."""
    parts = args.positional()
    if not parts or not parts[0]:
        return None
    numbers, position = _number_text(parts[0]), 1
    last = parts[0]
    while position + 1 < len(parts) and parts[position].lower() in _RANGES and (parts[position + 1] or False):
        separator = _RANGES[parts[position].lower()]
        last = parts[position + 1]
        if re.search(r"[a-zA-Z]", numbers) and separator == "–":
            separator = " – "
        numbers += separator + _number_text(last)
        position += 2
    code = parts[position] if position < len(parts) else ""
    single = last is parts[0] and _is_one(parts[0])
    text = _quantity(numbers, code, args, single=single)
    position += 1
    # 5|ft|11|in: a second pair belongs to the first when its unit goes with the first one
    while position + 1 < len(parts) and _is_number(parts[position]) and _goes_with(code, parts[position + 1]):
        code = parts[position + 1]
        text += " " + _quantity(_number_text(parts[position]), code, args, single=_is_one(parts[position]))
        position += 2
    return text


_COMPOUND = {
    "ft": ("in",),
    "foot": ("in",),
    "yd": ("ft", "in"),
    "mi": ("yd", "ft", "chain", "furlong", "ch"),
    "mile": ("yd",),
    "lb": ("oz",),
    "st": ("lb",),
    "lt": ("cwt",),
    "long ton": ("cwt",),
    "cwt": ("lb", "qtr"),
    "m": ("cm",),
    "km": ("m",),
    "h": ("min",),
    "min": ("s",),
}


def _goes_with(first: str, second: str) -> bool:
    return second in _COMPOUND.get(first.lower(), ())


def _quantity(numbers: str, code: str, args: Arguments, *, single: bool) -> str:
    display = args.get("disp")
    if display == "number":
        return numbers
    unit = _unit(code)
    adjective = args.get("adj").lower()
    middle = ""
    if adjective.startswith("mid"):
        middle = _adjective_words(args)
    if args.get("sp").lower() == "us":
        unit = american(unit)
    abbreviated = args.get("abbr").lower() in (*_ON, "in", "mos", "~", "values", "unit") or unit.symbol_only
    if _is_cvt(args) and args.get("abbr").lower() not in ("off", "out", "none", "no"):
        abbreviated = True
    if display in ("unit", "unit2"):
        return unit.symbol if abbreviated else unit.plural
    if abbreviated:
        gap = "" if unit.tight else " "
        return f"{numbers}{gap}{unit.symbol}{middle}".strip()
    if adjective in _ON or adjective.startswith("mid"):
        return f"{numbers}-{unit.singular.replace(' ', '-')}{middle}"
    if adjective.startswith("pre"):
        words = [word for word in args.words()[1:] if not _is_number(word) and word not in UNITS]
        return f"{numbers} {words[-1] if words else ''} {unit.plural}".replace("  ", " ")
    return f"{numbers} {unit.singular if single else unit.plural}".strip()


def _is_cvt(args: Arguments) -> bool:
    return args.name.strip().lower() == "cvt"


def _adjective_words(args: Arguments) -> str:
    """``adj=mid|-long``: what follows the unit."""
    last = args.words()[-1]
    if _is_number(last) or last in UNITS or last.lower() in _RANGES:
        return ""
    return last if last.startswith("-") else f" {last}"


def _unit(code: str) -> Unit:
    """Returns the unit of a code; unknown codes name themselves, ``km/h`` and its like are put together."""
    known = UNITS.get(code) or UNITS.get(code.lower())
    if known is not None:
        return known
    if "/" in code:
        over, _, under = code.partition("/")
        if over in UNITS and under in UNITS:
            first, second = UNITS[over], UNITS[under]
            return Unit(
                f"{first.symbol}/{second.symbol}",
                f"{first.singular} per {second.singular}",
                f"{first.plural} per {second.singular}",
            )
    return Unit(code, code, code)


def density(args: Arguments) -> str | None:
    """``{{pop density|3645257|640081.87|km2|prec=1}}``: the quotient, per unit of area."""
    try:
        people, area = (float(args.at(n).replace(",", "")) for n in (1, 2))
        quotient = f"{people / area:,.{min(int(args.get('prec') or 0), 6)}f}"
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return f"{quotient} inhabitants per {_unit(args.at(3)).singular}"


TABLE: dict[str, Renderer] = {
    **names("pop density | population density", density),
    **names("convert | cvt | conv | convert/2 | convert/spell | unitconv", convert),
}
