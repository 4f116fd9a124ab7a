"""Rendering of ``{{convert}}`` and ``{{cvt}}`` as the quantity stated on the page, without the computed conversion.

"10 kilometres" reads better in prose than "10 kilometres (6.2 mi)", the numbers in the source are kept as written, and
the template's rounding rules need not be imitated.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from gistmill.rules.text.prose import FRACTION
from gistmill.rules.wiki.templates.arguments import Arguments
from gistmill.rules.wiki.templates.numbers import SPELLED, superscript, with_separators


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit; ``tight`` units follow their number without a space, ``symbol_only`` units are never spelled out."""

    symbol: str
    singular: str
    plural: str
    symbol_only: bool = False
    tight: bool = False


def american(unit: Unit) -> Unit:
    """Returns the unit with American spelling."""
    pairs = (("metre", "meter"), ("litre", "liter"), ("tonne", "metric ton"))
    singular, plural = unit.singular, unit.plural
    for british, us in pairs:
        singular, plural = singular.replace(british, us), plural.replace(british, us)
    return replace(unit, singular=singular, plural=plural)


_TABLES: dict[str, dict[str, Any]] = tomllib.loads(
    files(__package__).joinpath("units.toml").read_text(encoding="utf-8")
)


_SI, _BASES, _RANGES = _TABLES["si"], _TABLES["bases"], _TABLES["ranges"]
# Prefixes of codes for quantities in thousands and more, such as e6m3.
_SCALES = {"e3": "thousand", "e6": "million", "e9": "billion", "e12": "trillion", "e15": "quadrillion"}
_SCALES |= {"k": "thousand", "M": "million", "G": "billion", "T": "trillion"}  # before units outside the SI
_SCALED = re.compile(r"(e\d{1,2})(.+)|([kMGT])((?:oilbbl|bbl|USbbl|cu|USgal|U\.S\.gal|impgal|gal|acre|ft3|board).*)")
_SUPERSCRIPTS = str.maketrans("23", "²³")
_POWERS = re.compile(r"(?<=m)[23]")


def _parsed() -> dict[str, Unit]:
    units = {code: Unit(symbol, symbol, symbol, symbol_only=True) for code, symbol in _TABLES["symbols"].items()}
    for codes, forms in _TABLES["named"].items():
        symbol, singular, *plural = (form.strip() for form in forms.split(";"))
        symbol = _POWERS.sub(lambda match: match.group().translate(_SUPERSCRIPTS), symbol)
        unit = Unit(symbol, singular, plural[0] if plural else f"{singular}s", tight=symbol.startswith("/"))
        units.update(dict.fromkeys(codes.split(), unit))
    return units


UNITS: dict[str, Unit] = _parsed()


@lru_cache(1024)
def unit_of(code: str) -> Unit | None:
    """Returns the unit for a code, or None. Codes may combine scales, prefixes and quotients: e6m3, kg/s."""
    if not code:
        return Unit("", "", "")
    if known := UNITS.get(code) or UNITS.get(code.lower().replace(" ", "")) or _prefixed(code):
        return known
    match = _SCALED.fullmatch(code)
    if match and (scale := _SCALES.get(match[1] or match[3])) and (unit := unit_of(match[2] or match[4])):
        return Unit(f"{scale} {unit.symbol}", f"{scale} {unit.plural}", f"{scale} {unit.plural}")
    over, _, under = code.partition("/")
    first, second = (UNITS.get(part) or _prefixed(part) for part in (over, under))
    if first and second:
        return Unit(
            f"{first.symbol}/{second.symbol}",
            f"{first.singular} per {second.singular}",
            f"{first.plural} per {second.singular}",
        )
    return None


def _prefixed(code: str) -> Unit | None:
    base = _BASES.get(code[1:])
    if base is not None and code[0] in _SI:
        name = _SI[code[0]] + base
    elif code in _BASES:
        name = _BASES[code]
    else:
        return None
    return Unit(code, name, name if name.endswith(("hertz", "lux")) else f"{name}s")


# Possessive, and never starting inside a number, so that any text takes linear time.
_NUMBER = re.compile(r"(?<![\d.,])[+\-−~]?[\d.,]++(?<=\d)(?:e[+\-−]?\d++)?+(?:\s*+[+\-−]?\d*+/{1,2}+\d++)?+", re.I)
_FRACTION = re.compile(r"(?<![\d,])(?P<whole>[+\-−]?[\d,]++)\s*+[+\-−](?P<part>\d++/{1,2}+\d++)")
_POWER = re.compile(r"(?<![^e])(?P<number>[^e]++)e(?P<power>[+\-−]?\d++)", re.I)
_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,3}")
_ON = ("on", "yes", "y", "1", "j")
_ABBREVIATED = (*_ON, "in", "mos", "~", "values", "unit")
_OUTPUT_ONLY = ("out", "output", "output only", "output number only", "outonly", "table", "tablecen")


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None or _FRACTION.fullmatch(text.replace(" ", "")) is not None


def _number_text(text: str, args: Arguments) -> str:
    """Returns a number as shown on the page: 1,234; a fraction such as 1+1/2 becomes 1 1/2."""
    if args.get("spell") and text in SPELLED:
        return SPELLED[text].capitalize() if args.get("spell") == "In" else SPELLED[text]
    if match := _FRACTION.fullmatch(text.replace(" ", "")):
        return f"{match['whole']} {match['part'].replace('//', '/')}"
    if match := _POWER.fullmatch(text):
        return f"{_number_text(match['number'], args)}×10{superscript(match['power'].replace('-', '−'))}"
    if text[:1] in "-−":
        return "−" + _number_text(text[1:], args) if text[1:] else text
    separated = text if args.get("comma") in ("off", "gaps") else with_separators(text)
    if args.get("comma").startswith("5") and len(separated) == len("1,234"):
        separated = text
    return separated.replace("//", "/")


def _is_one(text: str) -> bool:
    return text in ("1", "1.0", "-1", "−1") or (re.fullmatch(r"0\.\d+|\d/{1,2}\d+", text) is not None and text != "0.0")


def convert(args: Arguments) -> str | None:
    """Renders ``{{convert|VALUE|UNIT|...}}`` as quantity and unit, including ranges and compounds (5 feet 11 inches).

    Returns None if a number or unit is unknown, or the page shows only a computed value.
    """
    parts = [part.lstrip(FRACTION).replace(FRACTION, "+") for part in args.positional()]
    opening = ""
    if len(parts) > 1 and _WORDS.fullmatch(parts[0]) and _is_number(parts[1]):
        opening, parts = f"{parts[0]} ", parts[1:]
    if not parts or not _is_number(parts[0]) or args.get("disp").lower() in _OUTPUT_ONLY:
        return None
    numbers, position, last = _range(parts, args)
    if not _is_number(last):
        return None
    code = parts[position] if position < len(parts) else ""
    text = _quantity(numbers, code, args, single=last is parts[0] and _is_one(parts[0]))
    # 5|ft|11|in: a second pair belongs to the first if its unit may follow the first unit
    rest = parts[position + 1 :]
    for number, unit in zip(rest[::2], rest[1::2], strict=False):
        if not text or not _is_number(number) or unit not in _TABLES["compound"].get(code.lower(), ()):
            break
        more = _quantity(_number_text(number, args), unit, args, single=_is_one(number))
        joint = "-" if args.get("adj").lower() in _ON and " " not in text else " "  # 6-foot-2-inch, 6 feet 2 inches
        text, code = more and f"{text}{joint}{more}", unit
    return text and opening + text


def _range(parts: list[str], args: Arguments) -> tuple[str, int, str]:
    """Returns the number or range at the beginning, as text, the position after it, and its last number."""
    numbers, position, last = _number_text(parts[0], args), 1, parts[0]
    while position + 1 < len(parts) and (separator := _separator(parts[position], parts[position + 1])):
        last = parts[position + 1]
        if re.search(r"[a-zA-Z]", numbers) and separator == "–":
            separator = " – "
        numbers += separator + _number_text(last, args)
        position += 2
    return numbers, position, last


def _separator(word: str, following: str) -> str:
    """Returns the text for a word between two numbers, or "" if the word is a unit."""
    if word.lower() in _RANGES:
        return _RANGES[word.lower()] if following else ""
    between = _is_number(following) and _WORDS.fullmatch(word) is not None and unit_of(word) is None
    return f" {word} " if between else ""


def _quantity(numbers: str, code: str, args: Arguments, *, single: bool) -> str | None:
    display = args.get("disp")
    if display == "number":
        return numbers
    unit = unit_of(code)
    if unit is None:
        return None
    if args.get("sp").lower() == "us":
        unit = american(unit)
    abbreviated = unit.symbol_only or _is_abbreviated(args)
    if display in ("unit", "unit2"):
        return unit.symbol if abbreviated else unit.plural
    adjective = args.get("adj").lower()
    middle = _adjective_words(args) if adjective.startswith("mid") else ""
    if abbreviated:
        gap = "" if unit.tight else " "
        return f"{numbers}{gap}{unit.symbol}{middle}".strip()
    if adjective in _ON or adjective.startswith("mid"):
        return f"{numbers}-{unit.singular.replace(' ', '-')}{middle}"
    if adjective.startswith("pre"):  # adj=pre|statute: text before the unit
        words = [word for word in args.words()[1:] if not _is_number(word) and unit_of(word) is None]
        return f"{numbers} {words[-1] if words else ''} {unit.plural}".replace("  ", " ")
    return f"{numbers} {unit.singular if single else unit.plural}".strip()


def _is_abbreviated(args: Arguments) -> bool:
    wanted = args.get("abbr").lower()
    if args.name.strip().lower() == "cvt":
        return wanted not in ("off", "out", "none", "no")
    return wanted in _ABBREVIATED


def _adjective_words(args: Arguments) -> str:
    """Returns the text after the unit, as in ``adj=mid|-long``."""
    last = args.words()[-1]
    if _is_number(last) or unit_of(last) is not None or last.lower() in _RANGES:
        return ""
    return last if last.startswith("-") else f" {last}"


def density(args: Arguments) -> str | None:
    """Renders ``{{pop density|3645257|640081.87|km2|prec=1}}`` as the quotient per unit of area."""
    try:
        people, area = (float(args.get(n).replace(",", "")) for n in (1, 2))
        quotient = f"{people / area:,.{min(int(args.get('prec') or 0), 6)}f}"
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    unit = unit_of(args.get(3))
    return f"{quotient} inhabitants per {unit.singular}" if unit else None
