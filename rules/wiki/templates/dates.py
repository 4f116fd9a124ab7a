"""Templates for dates and ages; values that depend on today's date are left out, so that the corpus is reproducible."""

from __future__ import annotations

import re

from gistmill.rules.wiki.templates.arguments import Arguments

MONTHS = tuple("January February March April May June July August September October November December".split())
_YES = frozenset("y yes 1 true on".split())


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _month(text: str) -> int | None:
    if (number := _number(text)) is not None:
        return number if 1 <= number <= 12 else None
    for number, name in enumerate(MONTHS, start=1):
        if len(text) >= 3 and name.lower().startswith(text.lower().rstrip(".")):
            return number
    return None


def spelled(year: str, month: str = "", day: str = "", *, day_first: bool = False) -> str:
    """Returns a date as in prose: May 4, 1990, or 4 May 1990; parts that cannot be parsed are kept as they are."""
    number = _month(month)
    if number is None:
        return " ".join(part for part in (day, month, year) if part)
    name = MONTHS[number - 1]
    day = day.lstrip("0")
    if not day:
        return f"{name} {year}".strip()
    if day_first:
        return f"{day} {name} {year}".strip()
    return f"{name} {day}, {year}" if year else f"{name} {day}"


def _day_first(args: Arguments) -> bool:
    return args.get("df", "dmy").lower() in _YES | {"dmy"}


def full_date(args: Arguments) -> str:
    """Renders ``{{birth date|1990|5|4}}``, ``{{start date|...}}``; text instead of numbers is kept."""
    return spelled(args.get(1), args.get(2), args.get(3), day_first=_day_first(args))


def years_between(later: tuple[str, ...], earlier: tuple[str, ...]) -> str:
    """Returns the whole years between two (year, month, day): a range if a month is unknown, "" if a year is."""
    end, start = _number(later[0]), _number(earlier[0])
    if end is None or start is None or end < start:
        return ""
    places = [(_month(month), _number(day)) for _, month, day in (later, earlier)]
    (end_month, end_day), (start_month, start_day) = places
    vague = end_month is None or start_month is None or (end_month == start_month and None in (end_day, start_day))
    if vague:
        return f"{end - start - 1}–{end - start}" if end > start else "0"
    before = (end_month, end_day or 0) < (start_month, start_day or 0)
    return str(end - start - before)


def _both(args: Arguments) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the two dates in a call, each as (year, month, day)."""
    texts = tuple(args.get(number) for number in range(1, 7))
    return texts[:3], texts[3:]


def death_and_age(args: Arguments) -> str:
    """Renders ``{{death date and age|2000|5|4|1930|6|7}}`` as the date and the age computed from both dates."""
    age = years_between(*_both(args))
    return full_date(args) + (f" (aged {age})" if age else "")


def age(args: Arguments) -> str | None:
    """Renders ``{{age|1930|6|7|2000|5|4}}``; None without a second date, since the age then depends on today's date."""
    earlier, later = _both(args)
    return years_between(later, earlier) or None


def age_in_years(args: Arguments) -> str | None:
    """Renders ``{{age in years|1900|1950}}`` and similar templates with both dates given."""
    words = args.words()
    if len(words) == 2:
        return years_between((words[1], "1", "2"), (words[0], "1", "1")) or None
    return age(args) if len(words) >= 6 else None


def any_date(args: Arguments) -> str:
    """Renders ``{{dts|1990|May|4}}``, ``{{dts|4 May 1990}}`` and ``{{date|2000-05-04}}``."""
    first = args.get(1)
    if match := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", first):
        return spelled(*match.groups(), day_first=_day_first(args) or args.get(2).lower() in ("", "dmy"))
    return full_date(args) if _number(first) is not None and args.get(2) else first


def as_of(args: Arguments) -> str:
    """Renders ``{{as of|2010|5|lc=y}}`` as "as of May 2010"."""
    if alternative := args.get("alt"):
        return alternative
    date = spelled(args.get(1), args.get(2), args.get(3), day_first=_day_first(args) or not args.get("df"))
    if args.get("bare").lower() in _YES:
        return date
    opening = "since" if args.get("since").lower() in _YES else "as of"
    if args.get("lc").lower() not in _YES:
        opening = opening.capitalize()
    return f"{opening} {date}".rstrip() + args.get("post")


def old_style(args: Arguments) -> str:
    """Renders ``{{OldStyleDate|14 January|1892|2 January}}`` as the new date with the old date in brackets."""
    date = f"{args.get(1)} {args.get(2)}".strip()
    return f"{date} [O.S. {args.get(3)}]" if args.get(3) else date


def circa(args: Arguments) -> str:
    """Renders ``{{circa|1900|1910}}`` as "c. 1900 – c. 1910"."""
    return " – ".join(f"c. {word}" for word in args.words()) or "c."
