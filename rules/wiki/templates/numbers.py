"""Templates for numbers, fractions, money and chemistry, and the functions of MediaWiki's parser."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

from gistmill.rules.text.prose import FRACTION, HOLE, LOST, SUP, SUP_END
from gistmill.rules.wiki.page import DROPPED_TAGS, local_of
from gistmill.rules.wiki.templates.arguments import TABLES, Arguments

_NUMBER = re.compile(r"(?P<sign>[+\-−]?)(?P<whole>\d+)(?P<rest>\.\d+)?")
_SMALL, _TENS = (TABLES["number_words"][key].split() for key in ("small", "tens"))
# Words for the numbers below a hundred.
SPELLED: dict[str, str] = {str(number): word for number, word in enumerate(_SMALL)} | {
    str(20 + 10 * ten + one): word + (f"-{_SMALL[one]}" if one else "")
    for ten, word in enumerate(_TENS)
    for one in range(10)
}


def with_separators(text: str) -> str:
    """Returns a number with thousands separators (commas); anything else is returned unchanged."""
    match = _NUMBER.fullmatch(text.strip().replace(",", ""))
    if match is None or len(match["whole"]) > 60:
        return text
    whole = match["whole"]
    groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
    return match["sign"] + ",".join(reversed(groups)) + (match["rest"] or "")


def superscript(text: str) -> str:
    """Marks a text as superscript, with hyphens replaced by minus signs."""
    return f"{SUP}{text.replace('-', '−')}{SUP_END}" if text else ""


def separated(args: Arguments) -> str:
    """Renders ``{{formatnum|1234}}`` as 1,234."""
    return with_separators(args.get(1))


def exponent(args: Arguments) -> str:
    """Renders ``{{e|6}}`` as ×10⁶."""
    return f"×10{superscript(args.get(1))}" if args.get(1) else ""


def patent(args: Arguments) -> str:
    """Renders ``{{US patent|1234567}}`` as U.S. Patent 1,234,567."""
    return f"U.S. Patent {separated(args)}"


def spelled(args: Arguments) -> str | None:
    """Renders ``{{spellnum|7}}`` as seven."""
    return SPELLED.get(args.get(1))


def fraction(args: Arguments) -> str:
    """Renders ``{{frac|1|2}}`` and ``{{frac|2}}`` as 1/2, ``{{frac|1|1|2}}`` as 1 1/2, ``5{{frac|1|2}}`` as 5 1/2."""
    parts = args.words()
    if not parts:
        return "/"
    *whole, over, under = parts[:3] if len(parts) > 1 else ("1", *parts)
    return FRACTION + " ".join([*whole, f"{over}/{under}"])


_UNIT_POWER = re.compile(r"(?<=[^\W\d_])([-−]?\d)(?!\w)")
_BETWEEN = {"to": " to ", "-": "–", "–": "–", "by": " by ", "x": "×", "×": "×", "and": " and ", "or": " or ", "/": "/"}


def val(args: Arguments) -> str | None:
    """Renders ``{{val|1.2|0.3|e=6|u=m}}`` as 1.2±0.3×10⁶ m, and ``{{val|1|to|5}}`` as 1 to 5."""
    numbers = args.words()
    if any(LOST in number for number in numbers) or not (numbers or args.get("e")):
        return None
    text = _val_number(numbers[0], args) if numbers else ""
    rest = numbers[1:]
    while len(rest) >= 2 and rest[0] in _BETWEEN:
        text += _BETWEEN[rest[0]] + _val_number(rest[1], args)
        rest = rest[2:]
    if len(rest) >= 2:
        text += f" +{rest[0].lstrip('+')} −{rest[1].lstrip('-−')}"
    elif rest:
        text += rest[0] if rest[0].startswith("(") else f"±{rest[0]}"
    if power := args.get("e"):
        text += ("×10" if text else "10") + superscript(power)
    text += args.get("end")
    if unit := args.get("u", "ul"):
        unit = _UNIT_POWER.sub(lambda match: superscript(match[1]), unit)
        text += unit if unit in ("%", "°", "'", '"') else f" {unit.replace('.', ' ')}"
    if per := args.get("up", "upl"):
        text += f"/{per}"
    return f"{args.get('p')}{text}{args.get('s')}"


def _val_number(text: str, args: Arguments) -> str:
    number, sign, power = text.partition("e")
    if sign and re.fullmatch(r"[+\-−]?\d+", power):
        return f"{_val_number(number, args)}×10{superscript(power)}"
    grouped = text if args.get("fmt") == "none" else with_separators(text)
    return "−" + grouped[1:] if grouped.startswith("-") else grouped


def gaps(args: Arguments) -> str:
    """Renders ``{{gaps|1|234|567|e=6|u=m}}`` as 1234567×10⁶ m."""
    text = "".join(args.words())
    text += f"×10{superscript(args.get('e'))}" if args.get("e") else ""
    return text + (f" {args.get('u')}" if args.get("u") else "")


_CHARGE = re.compile(r"\((\d*[+\-−])\)|(?<=[A-Za-z0-9\])])([+\-−])$")


def formula(args: Arguments) -> str:
    """Renders ``{{chem2|SO4(2-)}}`` with the charge as a superscript."""
    return _CHARGE.sub(lambda match: superscript(match[1] or match[2]), "".join(args.words()))


def currency(args: Arguments) -> str:
    """Renders ``{{currency|10|USD}}`` as the amount with the sign for an ISO code, or else with the code."""
    symbols = {"USD": "US$", "GBP": "£", "EUR": "€", "JPY": "¥", "INR": "₹"}
    return f"{symbols.get(args.get(2).upper(), args.get(2) + ' ').lstrip()}{args.get(1)}"


def rupees(args: Arguments) -> str:
    """Renders ``{{INR|50|c=c}}`` as ₹50 crore."""
    amount, unit = args.get(1), args.get("c")
    return f"₹{amount or HOLE}" + (f" {TABLES['amounts'].get(unit, unit)}" if unit else "")


def rupees_converted(args: Arguments) -> str | None:
    """Renders ``{{INRConvert|50|c}}`` as ₹50 crore."""
    amount, unit = args.get(1), TABLES["amounts"].get(args.get(2), args.get(2))
    if not amount or LOST in amount:
        return None
    symbol = {"inr": "₹", "bdt": "৳"}.get(args.name.strip().lower()[:3], "Rs")
    return f"{symbol}{with_separators(amount)}" + (f" {unit}" if unit else "")


def ordinal(args: Arguments) -> str:
    """Renders ``{{ordinal|21}}`` as 21st."""
    text = args.get(1)
    if not text.isdigit() or not text.isascii():
        return text
    ending = "th" if text[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")
    return text + ending


def percentage(args: Arguments) -> str | None:
    """Renders ``{{percentage|1|4|1}}`` as 25.0%."""
    try:
        share = 100 * float(args.get(1).replace(",", "")) / float(args.get(2).replace(",", ""))
        return f"{share:.{min(int(args.get(3) or 0), 9)}f}%"
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def rail_gauge(args: Arguments) -> str | None:
    """Renders ``{{track gauge|4ft8.5in}}`` as 4 ft 8.5 in; None for an unknown gauge."""
    text = args.get(1).lower().replace(" ", "")
    if text in TABLES["gauges"]:
        return str(TABLES["gauges"][text])
    if match := re.fullmatch(r"([\d.,]+)(mm|m|cm)?", text):
        return f"{with_separators(match[1])} {match[2] or 'mm'}"
    imperial = re.fullmatch(r"(?:(\d+)ft)?([\d./+]+in)?", text)
    if imperial is None or not text:
        return None
    feet, inches = imperial.groups()
    return " ".join(part for part in (feet and f"{feet} ft", inches and f"{inches[:-2].replace('+', ' ')} in") if part)


# Numbers as recognised by MediaWiki; the rest of the text is kept as it is.
_FORMATTED = re.compile(
    r"(?<!\d)(?P<sign>-?)(?:(?P<whole>\d++)(?P<part>\.\d*+)?+|(?P<only_part>\.\d++))(?![eE][+-]?\d)", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numerals:
    """A language's number format; see ``numerals.toml``."""

    group: str
    decimal: str
    least: int = 4
    digits: str = "0123456789"
    pairs: bool = False

    def written(self, text: str, *, grouped: bool = True) -> str:
        """Returns a text with its numbers written as in MediaWiki, with separators if ``grouped``."""

        def number(match: re.Match[str]) -> str:
            whole, part = match["whole"] or "", match["part"] or match["only_part"] or ""
            if grouped and len(whole) >= self.least:
                whole = self.group.join(self._groups(whole))
            part = part.replace(".", self.decimal) if grouped else part
            return ("−" if match["sign"] else "") + whole + part

        return _FORMATTED.sub(number, text).translate(str.maketrans("0123456789", self.digits))

    def plain(self, text: str) -> str:
        """Returns a number written in this format as digits with a decimal point."""
        text = "".join(text.split()).replace(self.group, "").replace(self.decimal, ".").replace("−", "-")
        return text.translate(str.maketrans(self.digits, "0123456789"))

    def _groups(self, digits: str) -> list[str]:
        size, before = 2 if self.pairs else 3, digits[:-3]
        ends = range(len(before), 0, -size)
        return [*reversed([before[max(0, end - size) : end] for end in ends]), digits[-3:]]


NUMERALS: dict[str, Numerals] = {
    language: Numerals(**{key: value for key, value in table.items() if key != "languages"})
    for table in tomllib.loads(files(__package__).joinpath("numerals.toml").read_text(encoding="utf-8"))["numerals"]
    for language in table["languages"].split()
}
_NOTHING = frozenset("defaultsort defaultsortkey defaultcategorysort displaytitle #related shortdesc".split())
_ONE_AND_MORE = frozenset("bg ca da de el en eo es et fi hu it nl nn no pt sv tr".split())


def parser_function(name: str, language: str, args: Arguments) -> str | None:
    """Returns the text of a parser function on a wiki in a language; None if it is unknown or cannot be computed."""
    code = local_of(language).code
    function = name.partition(":")[0].strip()
    first = args.name.partition(":")[2].strip()
    if function == "formatnum":
        option, numerals = args.get(1).upper(), NUMERALS.get(code)
        if not first or numerals is None:
            return None
        return numerals.plain(first) if option == "R" else numerals.written(first, grouped=option != "NOSEP")
    if function in _NOTHING or (function == "#tag" and first.lower() in DROPPED_TAGS):
        return HOLE
    if function in ("lc", "uc"):
        return first.lower() if function == "lc" else first.upper()
    if function in ("lcfirst", "ucfirst"):
        return _with_first_cased(first, code, capital=function == "ucfirst")
    if function in ("#formatdate", "#dateformat"):
        return first
    if function == "plural" and code in _ONE_AND_MORE and first.isdecimal() and args.get(2):
        return args.get(1 if int(first) == 1 else 2)
    return None


def _with_first_cased(text: str, language: str, *, capital: bool) -> str:
    first = text[:1]
    if language in ("az", "tr") and first == ("i" if capital else "I"):
        return ("İ" if capital else "ı") + text[1:]
    return (first.upper() if capital else first.lower()) + text[1:]
