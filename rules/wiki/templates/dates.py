"""Templates for dates and ages. What depends on today's date is left out: the corpus must not change with the day."""

from __future__ import annotations

import re

from gistmill.rules.wiki.templates.arguments import Arguments, Renderer, names

MONTHS = tuple("January February March April May June July August September October November December".split())


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
    """Returns a date as prose writes it: May 4, 1990, or 4 May 1990; what cannot be read stays as it is."""
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
    return args.get("df", "dmy").lower() in ("y", "yes", "1", "true", "dmy")


def _date_at(args: Arguments, first: int) -> str:
    return spelled(args.at(first), args.at(first + 1), args.at(first + 2), day_first=_day_first(args))


def full_date(args: Arguments) -> str:
    """``{{birth date|1990|5|4}}``, ``{{start date|...}}``; text instead of numbers stays."""
    return _date_at(args, 1)


def years_between(later: tuple[str, str, str], earlier: tuple[str, str, str]) -> str:
    """Returns the whole years between two (year, month, day); a range when months are unknown, "" when years are."""
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


def death_and_age(args: Arguments) -> str:
    """``{{death date and age|2000|5|4|1930|6|7}}``: the date and, from both dates, the age."""
    later = (args.at(1), args.at(2), args.at(3))
    age = years_between(later, (args.at(4), args.at(5), args.at(6)))
    return _date_at(args, 1) + (f" (aged {age})" if age else "")


def age(args: Arguments) -> str | None:
    """``{{age|1930|6|7|2000|5|4}}``; without a second date it depends on today and is not known."""
    return years_between((args.at(4), args.at(5), args.at(6)), (args.at(1), args.at(2), args.at(3))) or None


def any_date(args: Arguments) -> str:
    """``{{dts|1990|May|4}}``, ``{{dts|4 May 1990}}``, ``{{date|2000-05-04}}``."""
    first = args.at(1)
    if match := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", first):
        day_first = _day_first(args) or args.at(2).lower() in ("", "dmy")
        return spelled(*match.groups(), day_first=day_first)
    if _number(first) is not None and args.at(2):
        return _date_at(args, 1)
    return first


def as_of(args: Arguments) -> str:
    """``{{as of|2010|5|lc=y}}`` is "as of May 2010"."""
    if alternative := args.get("alt"):
        return alternative
    lower = args.get("lc").lower() in ("y", "yes", "1", "on", "true")
    since = args.get("since").lower() in ("y", "yes", "1", "on", "true")
    opening = ("since" if since else "as of") if lower else ("Since" if since else "As of")
    date = spelled(args.at(1), args.at(2), args.at(3), day_first=_day_first(args) or not args.get("df"))
    if args.get("bare").lower() in ("y", "yes", "1", "on"):
        return date
    return f"{opening} {date}".rstrip() + args.get("post")


def old_style(args: Arguments) -> str:
    """``{{OldStyleDate|14 January|1892|2 January}}``: the new date, the old one in brackets."""
    date = f"{args.at(1)} {args.at(2)}".strip()
    return f"{date} [O.S. {args.at(3)}]" if args.at(3) else date


def circa(args: Arguments) -> str:
    """``{{circa|1900|1910}}`` is "c. 1900 – c. 1910"."""
    return " – ".join(f"c. {word}" for word in args.words()) or "c."


def _life(args: Arguments) -> str:
    years = args.words()
    return f"fl. {'–'.join(years)}" if years else "fl."


def _span(args: Arguments) -> str | None:
    """``{{Age in years|1900|1950}}`` and its like, with both ends given."""
    words = args.words()
    if len(words) == 2:
        return years_between((words[1], "1", "2"), (words[0], "1", "1")) or None
    return age(args) if len(words) >= 6 else None


TABLE: dict[str, Renderer] = {
    **names(
        "birth date | birth-date | birth date and age | birth-date and age | bda | dob | death date | death-date | "
        "dod | start date | start-date | end date | end-date | start date and age | release date | film date | "
        "end date and age | birth year and age | birth based on age as of date | launch date | oetymd",
        full_date,
    ),
    **names("death date and age | death-date and age | dda | death date and given age", death_and_age),
    **names("age | age nts", age),
    **names("age in years | ayd", _span),
    **names("dts | date table sorting | date | dtsh | sort date | dt | format date", any_date),
    **names("as of | asof", as_of),
    **names("oldstyledate | old style date | oldstyledatedy", old_style),
    **names("circa | c. | ca. | circa2", circa),
    **names("floruit | fl. | fl", _life),
    **names("reign | r.", lambda args: f"r. {'–'.join(args.words())}" if args.words() else "r."),
}
