"""Templates for numbers, fractions, money and chemistry."""

from __future__ import annotations

import re

from rules.wiki.marks import SUP, SUP_END
from rules.wiki.templates.arguments import Arguments, Renderer, names

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
    """``{{frac|1|2}}`` is 1/2, ``{{frac|1|1|2}}`` is 1 1/2, ``{{frac|2}}`` is 1/2."""
    parts = args.words()
    if not parts:
        return "/"
    if len(parts) == 1:
        return f"1/{parts[0]}"
    if len(parts) == 2:
        return "/".join(parts)
    return f"{parts[0]} {parts[1]}/{parts[2]}"


def val(args: Arguments) -> str:
    """``{{val|1.2|0.3|e=6|u=m}}`` is 1.2±0.3×10⁶ m."""
    numbers = args.words()
    text = with_separators(numbers[0]) if numbers else ""
    error = numbers[1] if len(numbers) == 2 else ""
    if len(numbers) >= 3:
        text += f" +{numbers[1].lstrip('+')} −{numbers[2].lstrip('-−')}"
    elif error:
        text += error if error.startswith("(") else f"±{error}"
    if exponent := args.get("e"):
        text += "×10" + superscript(exponent.replace("-", "−"))
    unit = args.get("u", "ul")
    per = args.get("up", "upl")
    if unit:
        text += unit if unit in ("%", "°", "'", '"') else f" {unit.replace('.', ' ')}"
    if per:
        text += f"/{per}"
    return f"{args.get('p')}{text}{args.get('s')}"


def _exponent(args: Arguments) -> str:
    return "×10" + superscript(args.at(1).replace("-", "−")) if args.at(1) else ""


def _power(args: Arguments) -> str:
    return args.at(1) + superscript(args.at(2))


def _gaps(args: Arguments) -> str:
    text = "".join(args.words())
    text += f"×10{superscript(args.get('e'))}" if args.get("e") else ""
    return text + (f" {args.get('u')}" if args.get("u") else "")


def _formula(args: Arguments) -> str:
    return "".join(args.words())


def _radical(args: Arguments) -> str:
    return f"√{args.at(1)}" if not args.at(2) else f"{args.at(2)}√{args.at(1)}"


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
        gap = " " if spaced and args.at(1) else ""
        return f"{symbol}{gap}{args.at(1)}"

    return rendered


def _money_by_code(args: Arguments) -> str:
    """``{{currency|10|USD}}``: amount, then ISO code."""
    symbols = {"USD": "US$", "GBP": "£", "EUR": "€", "JPY": "¥", "INR": "₹"}
    symbol = symbols.get(args.at(2).upper(), args.at(2) + " ")
    return f"{symbol.lstrip()}{args.at(1)}"


def _rupees(args: Arguments) -> str:
    amount, unit = args.at(1), args.get("c")
    words = {"c": "crore", "l": "lakh", "m": "million", "b": "billion", "t": "trillion", "lc": "lakh crore"}
    return f"₹{amount}" + (f" {words.get(unit, unit)}" if unit else "")


def _first_number(args: Arguments) -> str:
    return with_separators(args.at(1))


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


def _rail_gauge(args: Arguments) -> str:
    known = {"sg": "1,435 mm", "cape": "1,067 mm", "metre": "1,000 mm", "russian": "1,520 mm", "irish": "1,600 mm"}
    text = args.at(1)
    if text.lower() in known:
        return known[text.lower()]
    match = re.fullmatch(r"([\d.,]+)\s*(mm|m|cm|in|ft)?", text)
    if match:
        return f"{with_separators(match[1])} {match[2] or 'mm'}"
    return re.sub(r"(?<=\d)(ft|in)", r" \1 ", text).strip()


ELEMENTS = {
    "hydrogen": "H",
    "helium": "He",
    "lithium": "Li",
    "carbon": "C",
    "nitrogen": "N",
    "oxygen": "O",
    "fluorine": "F",
    "sodium": "Na",
    "sulfur": "S",
    "phosphorus": "P",
    "chlorine": "Cl",
    "potassium": "K",
    "calcium": "Ca",
    "iron": "Fe",
    "bromine": "Br",
    "iodine": "I",
}


def _element(args: Arguments) -> str:
    """``{{Carbon}}`` and its like in a formula."""
    return ELEMENTS[args.name.strip().lower()] + args.at(1)


TABLE: dict[str, Renderer] = {
    **dict.fromkeys(ELEMENTS, _element),
    **names("frac | fraction | sfrac | tfrac | dfrac | xfrac", fraction),
    **names("val | value", val),
    **names(
        "nts | number table sorting | commas | formatnum | format price | formatprice | num | sigfig",
        _first_number,
    ),
    **names("e | esp | 10^", _exponent),
    **names("pow | superscript power", _power),
    **names("gaps | gapnum", _gaps),
    **names("chem | chem2 | chemf | ce | hill", _formula),
    **names("sqrt | radic", _radical),
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
    **names("currency | cur", _money_by_code),
    **names("percentage | pct | percent", _percentage),
    **names("railgauge | track gauge | trackgauge | rail gauge", _rail_gauge),
}
