"""Symbols and names of the units that ``{{convert}}`` knows, with British spelling as that template has by default."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Unit:
    """``tight`` units follow their number without a space, ``symbol_only`` ones are never spelled out."""

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


# code: symbol; singular; plural (singular + s when left out)
_NAMED = """
nm: nm; nanometre | um μm µm: μm; micrometre | mm: mm; millimetre | cm: cm; centimetre | dm: dm; decimetre
m metre meter metres meters: m; metre | dam: dam; decametre | hm: hm; hectometre
km kilometre kilometer kilometres kilometers: km; kilometre | Mm: Mm; megametre | Gm: Gm; gigametre
in inch inches: in; inch; inches | ft foot feet: ft; foot; feet | yd yard yards: yd; yard | mi mile miles: mi; mile
nmi NM: nmi; nautical mile | furlong: furlong; furlong | chain ch: chain; chain | fathom ftm: fathom; fathom
rd rod perch pole: rod; rod | ly light-year: ly; light-year | AU au: AU; astronomical unit | pc parsec: pc; parsec
kpc: kpc; kiloparsec
Mpc: Mpc; megaparsec | hand hands: h; hand | league: league; league | thou mil: thou; thou; thou
usft: ft; foot; feet | mm2 sqmm: mm2; square millimetre | cm2 sqcm: cm2; square centimetre
m2 sqm: m2; square metre | km2 sqkm squarekilometre squarekilometres: km2; square kilometre
in2 sqin: sq in; square inch; square inches
ft2 sqft: sq ft; square foot; square feet | yd2 sqyd: sq yd; square yard
mi2 sqmi squaremile squaremiles: sq mi; square mile
acre acres: acre; acre | ha hectare: ha; hectare | are: a; are | dunam: dunam; dunam
sqnmi nmi2: sq nmi; square nautical mile | section: section; section | daa decare: daa; decare | rood: rood; rood
cm3: cm3; cubic centimetre | cc: cc; cubic centimetre | m3: m3; cubic metre | km3: km3; cubic kilometre
mm3: mm3; cubic millimetre | dm3: dm3; cubic decimetre
in3 cuin: cu in; cubic inch; cubic inches | ft3 cuft: cu ft; cubic foot; cubic feet
yd3 cuyd: cu yd; cubic yard | mi3 cumi: cu mi; cubic mile | acre.ft acreft acre-ft: acre⋅ft; acre-foot; acre-feet
l L litre liter: L; litre | ml mL: mL; millilitre | cl cL: cL; centilitre | dl dL: dL; decilitre
hl hL: hL; hectolitre | Ml ML: ML; megalitre | usgal U.S.gal USgal: US gal; US gallon
impgal imp.gal: imp gal; imperial gallon | gal gallon gallons: gal; gallon | usqt USqt: US qt; US quart
impqt: imp qt; imperial quart | uspt USpt: US pt; US pint | imppt: imp pt; imperial pint
usfloz USoz USfloz USoz: US fl oz; US fluid ounce | impfloz impoz: imp fl oz; imperial fluid ounce
USbsh bsh bushel usbsh: US bsh; US bushel | oilbbl bbl barrel barrels: bbl; barrel | USbbl: US bbl; US barrel
impbsh: imp bsh; imperial bushel | Moilbbl: million barrels; million barrels; million barrels
Goilbbl: billion barrels; billion barrels; billion barrels | mg: mg; milligram | ug μg: μg; microgram | g: g; gram
kg: kg; kilogram | t tonne tonnes metricton metrictons MT: t; tonne | kt: kt; kilotonne | Mt: Mt; megatonne
Gt: Gt; gigatonne
lb lbs pound pounds: lb; pound | oz ounce ounces: oz; ounce | st stone: st; stone; stone
LT long.ton lton longton longtons: long ton; long ton
ST short.ton shton S/T shortton shorttons: short ton; short ton | ton tons: ton; ton
cwt long.cwt: cwt; hundredweight; hundredweight
gr grain: gr; grain | ozt troyoz: ozt; troy ounce | carat: ct; carat
uscwt: US cwt; short hundredweight; short hundredweight | dwt: dwt; pennyweight; pennyweight
km/h kph kmh: km/h; kilometre per hour; kilometres per hour | mph: mph; mile per hour; miles per hour
kn knot knots: kn; knot | m/s: m/s; metre per second; metres per second
ft/s: ft/s; foot per second; feet per second | km/s: km/s; kilometre per second; kilometres per second
mi/s: mi/s; mile per second; miles per second | m/min: m/min; metre per minute; metres per minute
mm/s: mm/s; millimetre per second; millimetres per second | ft/min: ft/min; foot per minute; feet per minute
cm/s: cm/s; centimetre per second; centimetres per second | cm/y: cm/y; centimetre per year; centimetres per year
m3/s: m3/s; cubic metre per second; cubic metres per second
cuft/s ft3/s: cu ft/s; cubic foot per second; cubic feet per second
m3/d: m3/d; cubic metre per day; cubic metres per day | oilbbl/d bbl/d: bbl/d; barrel per day; barrels per day
J: J; joule | kJ: kJ; kilojoule | MJ: MJ; megajoule | GJ: GJ; gigajoule | cal: cal; calorie
kcal: kcal; kilocalorie | Cal: Cal; Calorie | Wh: Wh; watt-hour | kWh kW.h: kWh; kilowatt-hour
MWh: MWh; megawatt-hour | GWh: GWh; gigawatt-hour | TWh: TWh; terawatt-hour | BTU Btu: BTU; British thermal unit
eV: eV; electronvolt | keV: keV; kiloelectronvolt | MeV: MeV; megaelectronvolt | erg: erg; erg
tonTNT TtonTNT: tons of TNT; ton of TNT; tons of TNT
ktonTNT ktTNT: kilotons of TNT; kiloton of TNT; kilotons of TNT
MtonTNT MtTNT: megatons of TNT; megaton of TNT; megatons of TNT | W: W; watt | kW: kW; kilowatt | MW: MW; megawatt
GW: GW; gigawatt | hp bhp: hp; horsepower; horsepower | PS: PS; metric horsepower; metric horsepower
shp: shp; shaft horsepower; shaft horsepower | ihp: ihp; indicated horsepower; indicated horsepower | Pa: Pa; pascal
hPa: hPa; hectopascal | kPa: kPa; kilopascal | MPa: MPa; megapascal | GPa: GPa; gigapascal | bar: bar; bar
mbar mb: mbar; millibar | atm: atm; standard atmosphere | psi: psi; pound per square inch; pounds per square inch
mmHg: mmHg; millimetre of mercury; millimetres of mercury | inHg: inHg; inch of mercury; inches of mercury
Torr torr: Torr; torr; torr | N: N; newton | kN: kN; kilonewton | MN: MN; meganewton
lbf: lbf; pound-force; pounds-force | kgf: kgf; kilogram-force; kilograms-force | Nm N.m: N⋅m; newton-metre
lbft lbfft lb.ft ftlb: lb⋅ft; pound-foot; pound-feet | T: T; tesla | G: G; gauss; gauss
PD/sqmi /sqmi: /sq mi; inhabitant per square mile; inhabitants per square mile
PD/km2 /km2: /km2; inhabitant per square kilometre; inhabitants per square kilometre
kg/m3: kg/m3; kilogram per cubic metre; kilograms per cubic metre
g/cm3: g/cm3; gram per cubic centimetre; grams per cubic centimetre
lb/cuft lb/ft3: lb/cu ft; pound per cubic foot; pounds per cubic foot
kg/ha: kg/ha; kilogram per hectare; kilograms per hectare
mpgus mpgUS mpgu.s.: mpg‑US; mile per US gallon; miles per US gallon
mpgimp: mpg‑imp; mile per imperial gallon; miles per imperial gallon
L/km: L/km; litre per kilometre; litres per kilometre
L/100km l/100km: L/100 km; litre per 100 kilometres; litres per 100 kilometres | Hz: Hz; hertz; hertz
kHz: kHz; kilohertz; kilohertz | MHz: MHz; megahertz; megahertz | s second seconds: s; second
min minute minutes: min; minute | h hr hour hours: h; hour
d day days: d; day | week weeks wk: wk; week | month months: mo; month
year y: y; year | rpm: rpm; revolution per minute; revolutions per minute
ppm: ppm; part per million; parts per million
"""
# never spelled out
_SYMBOLS = {
    "C": "°C",
    "°C": "°C",
    "F": "°F",
    "°F": "°F",
    "K": "K",
    "R": "°R",
    "C-change": "°C",
    "F-change": "°F",
    "K-change": "K",
}


_SI = dict(
    pair.split(":")
    for pair in (
        "n:nano u:micro µ:micro μ:micro m:milli c:centi d:deci h:hecto k:kilo M:mega G:giga T:tera P:peta E:exa p:pico "
        "f:femto"
    ).split()
)
_BASES = dict(
    pair.split(":")
    for pair in (
        "m:metre g:gram W:watt J:joule Pa:pascal V:volt A:ampere N:newton L:litre l:litre Wh:watt-hour eV:electronvolt "
        "Hz:hertz s:second F:farad b:bit B:byte Bq:becquerel Sv:sievert Gy:gray mol:mole VA:volt-ampere cd:candela "
        "lm:lumen lx:lux ohm:ohm t:tonne cal:calorie T:tesla"
    ).split()
)
# Codes of quantities in thousands and more, such as e6m3.
_SCALES = {"e3": "thousand", "e6": "million", "e9": "billion", "e12": "trillion", "e15": "quadrillion"}
_SCALES |= {"k": "thousand", "M": "million", "G": "billion", "T": "trillion"}  # before units outside the SI
_SCALED = re.compile(r"(e\d{1,2})(.+)|([kMGT])((?:oilbbl|bbl|USbbl|cu|USgal|U\.S\.gal|impgal|gal|acre|ft3|board).*)")
_SUPERSCRIPTS = str.maketrans("23", "²³")
_POWERS = re.compile(r"(?<=m)[23]")


def _parsed() -> dict[str, Unit]:
    units = {code: Unit(symbol, symbol, symbol, symbol_only=True) for code, symbol in _SYMBOLS.items()}
    for entry in _NAMED.replace("\n", "|").split("|"):
        if not entry.strip():
            continue
        codes, _, names = entry.partition(":")
        symbol, singular, *plural = (name.strip() for name in names.split(";"))
        symbol = _POWERS.sub(lambda match: match.group().translate(_SUPERSCRIPTS), symbol)
        unit = Unit(symbol, singular, plural[0] if plural else f"{singular}s", tight=symbol.startswith("/"))
        units.update(dict.fromkeys(codes.split(), unit))
    return units


UNITS: dict[str, Unit] = _parsed()


@lru_cache(1024)
def unit_of(code: str) -> Unit | None:
    """Returns the unit of a code, or None. Scales, prefixes and quotients are put together: e6m3, kg/s."""
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
