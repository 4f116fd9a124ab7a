"""Templates for numbers, fractions, money and chemistry."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

from gistmill.rules.text.prose import FRACTION, HOLE, LOST, SUP, SUP_END
from gistmill.rules.wiki.local import local_of
from gistmill.rules.wiki.page import DROPPED_TAGS
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer, names

_NUMBER = re.compile(r"(?P<sign>[+\-−]?)(?P<whole>\d+)(?P<rest>\.\d+)?")


def with_separators(text: str) -> str:
    """Returns a number with commas between thousands; anything else unchanged."""
    match = _NUMBER.fullmatch(text.strip().replace(",", ""))
    if match is None or len(match["whole"]) > 60:
        return text
    whole = match["whole"]
    groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
    return match["sign"] + ",".join(reversed(groups)) + (match["rest"] or "")


def superscript(text: str) -> str:
    """Marks a text as superscript."""
    return f"{SUP}{text}{SUP_END}" if text else ""


def fraction(args: Arguments) -> str:
    """``{{frac|1|2}}`` is 1/2, ``{{frac|1|1|2}}`` is 1 1/2, ``{{frac|2}}`` is 1/2; ``5{{frac|1|2}}`` is 5 1/2."""
    parts = args.words()
    if not parts:
        return "/"
    if len(parts) == 1:
        return f"{FRACTION}1/{parts[0]}"
    if len(parts) == 2:
        return FRACTION + "/".join(parts)
    return f"{FRACTION}{parts[0]} {parts[1]}/{parts[2]}"


_UNIT_POWER = re.compile(r"(?<=[^\W\d_])([-−]?\d)(?!\w)")
_BETWEEN = {"to": " to ", "-": "–", "–": "–", "by": " by ", "x": "×", "×": "×", "and": " and ", "or": " or ", "/": "/"}


def val(args: Arguments) -> str | None:
    """``{{val|1.2|0.3|e=6|u=m}}`` is 1.2±0.3×10⁶ m, ``{{val|1|to|5}}`` is 1 to 5."""
    numbers = args.words()
    if any(LOST in number for number in numbers) or not {*numbers, args.get("e")} - {""}:
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
    if exponent := args.get("e"):
        text += ("×10" if text else "10") + superscript(exponent.replace("-", "−"))
    text += args.get("end")
    unit = args.get("u", "ul")
    per = args.get("up", "upl")
    if unit:
        unit = _UNIT_POWER.sub(lambda match: superscript(match[1].replace("-", "−")), unit)
        text += unit if unit in ("%", "°", "'", '"') else f" {unit.replace('.', ' ')}"
    if per:
        text += f"/{per}"
    return f"{args.get('p')}{text}{args.get('s')}"


def _val_number(text: str, args: Arguments) -> str:
    number, sign, power = text.partition("e")
    if sign and re.fullmatch(r"[+\-−]?\d+", power):
        return f"{_val_number(number, args)}×10{superscript(power.replace('-', '−'))}"
    separated = text if args.get("fmt") == "none" else with_separators(text)
    return "−" + separated[1:] if separated.startswith("-") else separated


def _gaps(args: Arguments) -> str:
    text = "".join(args.words())
    text += f"×10{superscript(args.get('e'))}" if args.get("e") else ""
    return text + (f" {args.get('u')}" if args.get("u") else "")


_CHARGE = re.compile(r"\((\d*[+\-−])\)|(?<=[A-Za-z0-9\])])([+\-−])$")


def _formula(args: Arguments) -> str:
    """``{{chem2|SO4(2-)}}``: the charge is raised."""
    return _CHARGE.sub(lambda match: superscript((match[1] or match[2]).replace("-", "−")), "".join(args.words()))


def _nuclide(args: Arguments) -> str:
    return f"{args.at(1)}-{args.at(2)}" if args.at(2) else args.at(1)


def _nuclide_by_number(args: Arguments) -> str:
    symbol, mass = args.get("symbol"), args.get("atomicmass", "mass")
    if symbol and mass:
        return f"{symbol}-{mass}"
    return _nuclide(args)


def money(symbol: str, *, spaced: bool = False) -> Renderer:
    """Returns the renderer of a currency template: the symbol, then the amount."""

    def rendered(args: Arguments) -> str:
        gap = " " if spaced else ""
        return f"{symbol}{gap}{args.at(1)}" if args.at(1) else symbol + HOLE

    return rendered


def _money_by_code(args: Arguments) -> str:
    """``{{currency|10|USD}}``: amount, then ISO code."""
    symbols = {"USD": "US$", "GBP": "£", "EUR": "€", "JPY": "¥", "INR": "₹"}
    symbol = symbols.get(args.at(2).upper(), args.at(2) + " ")
    return f"{symbol.lstrip()}{args.at(1)}"


_AMOUNTS = {
    "c": "crore",
    "l": "lakh",
    "m": "million",
    "b": "billion",
    "t": "trillion",
    "lc": "lakh crore",
    "k": "thousand",
    "hc": "hundred crore",
}


def _rupees(args: Arguments) -> str:
    amount, unit = args.at(1), args.get("c")
    return f"₹{amount or HOLE}" + (f" {_AMOUNTS.get(unit, unit)}" if unit else "")


def _ordinal(args: Arguments) -> str:
    """``{{ordinal|21}}`` is 21st."""
    text = args.at(1)
    if not text.isdigit() or not text.isascii():
        return text
    ending = "th" if text[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")
    return text + ending


def _percentage(args: Arguments) -> str | None:
    try:
        share = 100 * float(args.at(1).replace(",", "")) / float(args.at(2).replace(",", ""))
        return f"{share:.{min(int(args.at(3) or 0), 9)}f}%"
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _rail_gauge(args: Arguments) -> str | None:
    text = args.at(1).lower().replace(" ", "")
    if text in _GAUGES:
        return _GAUGES[text]
    if match := re.fullmatch(r"([\d.,]+)(mm|m|cm)?", text):
        return f"{with_separators(match[1])} {match[2] or 'mm'}"
    imperial = re.fullmatch(r"(?:(\d+)ft)?([\d./+]+in)?", text)
    if imperial is None or not text:
        return None
    feet, inches = imperial.groups()
    return " ".join(part for part in (feet and f"{feet} ft", inches and f"{inches[:-2].replace('+', ' ')} in") if part)


_GAUGES = {
    **dict.fromkeys("sg ussg uksg std stdgauge standard gaugesg 1435".split(), "1,435 mm"),
    "cape": "1,067 mm",
    "metre": "1,000 mm",
    "russian": "1,520 mm",
    "irish": "1,600 mm",
    "indian": "1,676 mm",
}

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# Numbers below a hundred in words.
SPELLED = {str(number): word for number, word in enumerate(_SMALL)} | {
    str(20 + 10 * ten + one): word + (f"-{_SMALL[one]}" if one else "")
    for ten, word in enumerate(_TENS)
    for one in range(10)
}


_CURRENCIES = {"inr": "₹", "pkr": "Rs", "bdt": "৳", "npr": "Rs", "lkr": "Rs"}


def _rupees_converted(args: Arguments) -> str | None:
    """``{{INRConvert|50|c}}`` is ₹50 crore."""
    unit = _AMOUNTS.get(args.at(2), args.at(2))
    if not args.at(1) or LOST in args.at(1):
        return None
    symbol = _CURRENCIES[args.name.strip().lower()[:3]]
    return f"{symbol}{with_separators(args.at(1))}" + (f" {unit}" if unit else "")


ELEMENTS = dict(
    pair.split(":")
    for pair in (
        "hydrogen:H helium:He lithium:Li carbon:C nitrogen:N oxygen:O fluorine:F sodium:Na sulfur:S "
        "phosphorus:P chlorine:Cl potassium:K calcium:Ca iron:Fe bromine:Br iodine:I"
    ).split()
)


TABLE: dict[str, Renderer] = {
    # ``{{Carbon}}`` and its like in a formula.
    **dict.fromkeys(ELEMENTS, lambda args: ELEMENTS[args.name.strip().lower()] + args.at(1)),
    "co2": lambda args: "CO2",
    "h2o": lambda args: "H2O",
    **names("frac | fraction | sfrac | tfrac | dfrac | xfrac", fraction),
    **names("val | value", val),
    **names(
        "nts | number table sorting | commas | formatnum | format price | formatprice | num | sigfig",
        lambda args: with_separators(args.at(1)),
    ),
    **names("e | esp | 10^", lambda args: "×10" + superscript(args.at(1).replace("-", "−")) if args.at(1) else ""),
    **names("pow | superscript power", lambda args: args.at(1) + superscript(args.at(2))),
    **names("gaps | gapnum", _gaps),
    **names("chem | chem2 | chemf | ce | hill", _formula),
    **names("sqrt | radic", lambda args: f"√{args.at(1)}" if not args.at(2) else f"{args.at(2)}√{args.at(1)}"),
    **names("nuclide | simplenuclide | simplenuclide2 | simplenuclide link | nuclide link", _nuclide),
    **names("nuclide2 | physics particle", _nuclide_by_number),
    **names("ordinal | ord | ordinal to word", _ordinal),
    **names("us$ | usd | us dollar", money("US$")),
    **names("a$ | aud | au$", money("A$")),
    **names("c$ | cad | ca$ | canadian dollar", money("C$")),
    **names("nz$ | nzd", money("NZ$")),
    **names("hk$ | hkd", money("HK$")),
    **names("£ | gbp | pound sterling | pound | gb£ | ukl", money("£")),
    **names("€ | euro | eur", money("€")),
    **names("¥ | yen | jpy | jp¥ | jpy¥", money("¥")),
    **names("cny | rmb | cn¥", money("CN¥")),
    **names("krw | won | ₩", money("₩")),
    **names("php | ₱ | peso sign | philippine peso", money("₱")),
    **names("r$ | brl", money("R$")),
    **names("rub | ruble", money("₽")),
    **names("ils | nis", money("₪")),
    **names("chf | swiss franc", money("CHF", spaced=True)),
    **names("sek", money("SEK", spaced=True)),
    **names("nok", money("NOK", spaced=True)),
    **names("dkk", money("DKK", spaced=True)),
    **names("sgd | s$", money("S$")),
    **names("inr | indian rupee | indian rupees | rs | rupee", _rupees),
    **names(" | ".join(f"{code}convert | {code} convert" for code in _CURRENCIES), _rupees_converted),
    # ``{{spellnum|7}}`` is seven.
    **names("spellnum | numtext | number to word | spell number | num2word", lambda args: SPELLED.get(args.at(1))),
    **names("unité | unite", lambda args: " ".join(args.words()[:2]) or None),
    **names("currency | cur", _money_by_code),
    **names("percentage | pct | percent", _percentage),
    **names("railgauge | track gauge | trackgauge | rail gauge", _rail_gauge),
}


_NOTHING = frozenset("defaultsort defaultsortkey defaultcategorysort displaytitle #related shortdesc".split())
# What is a number for MediaWiki; the rest of the text stays as it is.
_functions_NUMBER = re.compile(
    r"(?<!\d)(?P<sign>-?)(?:(?P<whole>\d++)(?P<part>\.\d*+)?+|(?P<only_part>\.\d++))(?![eE][+-]?\d)", re.ASCII
)
_ONE_AND_MORE = frozenset("bg ca da de el en eo es et fi hu it nl nn no pt sv tr".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Numerals:
    """How a language writes numbers; see ``numerals.toml``."""

    group: str
    decimal: str
    least: int = 4
    digits: str = "0123456789"
    pairs: bool = False

    def written(self, text: str, *, grouped: bool = True) -> str:
        """Returns a text with the numbers in it as MediaWiki writes them; ``grouped``: with separators."""

        def number(match: re.Match[str]) -> str:
            whole, part = match["whole"] or "", match["part"] or match["only_part"] or ""
            if grouped and len(whole) >= self.least:
                whole = self.group.join(self._groups(whole))
            part = part.replace(".", self.decimal) if grouped else part
            return ("−" if match["sign"] else "") + whole + part

        return _functions_NUMBER.sub(number, text).translate(str.maketrans("0123456789", self.digits))

    def plain(self, text: str) -> str:
        """Returns a number that is written so as digits with a decimal point."""
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


def render(name: str, language: str, args: Arguments) -> str | None:
    """Returns the text of a parser function on a wiki in a language, None for one that is unknown or cannot be computed
    here."""
    code = local_of(language).code
    function, _, _ = name.partition(":")
    first = args.name.partition(":")[2].strip()
    function = function.strip()
    if function == "formatnum":
        option = args.at(1).upper()
        numerals = NUMERALS.get(code)
        if not first or numerals is None:
            return None
        return numerals.plain(first) if option == "R" else numerals.written(first, grouped=option != "NOSEP")
    if function in _NOTHING or (function == "#tag" and first.lower() in DROPPED_TAGS):
        return HOLE
    if function in ("lc", "uc", "lcfirst", "ucfirst"):
        return _cased(function, first, code)
    if function in ("#formatdate", "#dateformat"):
        return first
    if function == "plural" and code in _ONE_AND_MORE and first.isdecimal() and args.at(2):
        return args.at(1 if int(first) == 1 else 2)
    return None


def _cased(function: str, text: str, language: str) -> str:
    if function == "lc":
        return text.lower()
    if function == "uc":
        return text.upper()
    first = text[:1]
    if language in ("az", "tr") and first in ("i", "I"):
        return ("ı" if function == "lcfirst" else "İ") + text[1:] if (first == "I") == (function == "lcfirst") else text
    return (first.lower() if function == "lcfirst" else first.upper()) + text[1:]
