"""The text before the first sentence of a news article: bylines, dates, datelines and labels.

The rules check the form as well as the names: a dateline must be followed by text that begins like a sentence, and the
only lower-case words in a byline are those used in names and job titles. If the form is ambiguous, the text is kept.
"""

from __future__ import annotations

import re

from gistmill.rules.languages.language import ENGLISH, english_words, language_named

# Letters that may begin a name; ``re`` has no class for upper-case letters.
UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪİĶĻŁŃŅŇŌŐŒŔŘŚŞŠŤŪŮŰŹŻŽȘȚ"

_MONTHS = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:Mon|Tue(?:s)?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date as people write it, including the day; the year is optional.
DATE = (
    rf"(?i:(?:{_WEEKDAY},?\s+)?(?:{_MONTHS}\s+{_DAY}\b(?:,?\s+\d{{4}}\b)?|{_DAY}\s+{_MONTHS}(?:,?\s+\d{{4}}\b)?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d\d)\b))"
)


def _choice(key: str) -> str:
    """Returns a pattern that matches any of the patterns in a list in ``[news_words]``."""
    return f"(?:{'|'.join(language_named(ENGLISH).tables['news_words'][key])})"


# Agencies and broadcasters as written in datelines, and other words showing that brackets after a place name a medium.
AGENCY, MEDIUM = _choice("agencies"), rf"\b{_choice('media')}\b"
# Places that may stand without a country in a dateline, even in mixed case or before a colon; and countries and US
# states, with AP and postal abbreviations, which mark the place before them as a dateline.
PLACES, REGIONS = english_words("news_words", "places"), english_words("news_words", "regions")
# Lower-case words in bylines and credits: name particles, prepositions, job titles.
BYLINE_WORDS = english_words("news_words", "byline_words")

_DASH = r"(?:\s*(?:--+|[—―‒])\s*|\s*–\s*|\s+[-_]\s*|\s*-\s+)"
_CAPS = rf"[{UPPER}][{UPPER}.'’\-]+"
_CAPITALISED = rf"[{UPPER}][\w.'’\-]*"
_REGION = rf"{_CAPITALISED}(?: {_CAPITALISED}){{0,2}}"
# "PLACE" or "PLACE, Region", either in capitals or capitalised.
_CAPS_PLACE = rf"{_CAPS}(?:[ /]{_CAPS}){{0,4}}(?:,\s*{_REGION}\.?)?"
_PLACE = rf"{_CAPITALISED}(?:(?:[ /]|\s(?:de|da|la|del|of|the|and|upon|sur|am|al)\s){_CAPITALISED}){{0,4}}"
_ANY_PLACE = rf"{_PLACE}(?:,\s*{_REGION}\.?(?:\s?/\s?{_PLACE})?|(?: [\[(][{UPPER}][\w .]{{2,30}}[\])]){{1,2}})?"
_SENTENCE = rf"""(?=["“”'‘’«\[(¿¡]{{0,2}}[{UPPER}0-9$£€#@])"""
_BRACKETED = r"(?:\((?P<agency>[^()]{2,60})\)|\[(?P<agency2>[^\[\]]{2,40})\]|/(?P<agency3>[A-Z][\w ]{2,30})/)"

_WITH_AGENCY = re.compile(
    rf"(?:(?P<place>{_ANY_PLACE})\s*[,:.]?\s*)?(?P<date>{DATE})?[,:]?\s*(?:{_DASH})?{_BRACKETED}"
    rf"(?P<dash>{_DASH}|\s*:\s+|\s*\.\s+)?\s*"
)
_KNOWN_AGENCY = re.compile(
    rf"(?:[^()]{{2,30}}[/ ]via )?(?:{AGENCY})(?:(?:\s*[/,&-]\s*|\s+(?:via|and|for|in)\s+){AGENCY})*(?:\s+\d+)?$"
)
_MEDIUM = re.compile(MEDIUM)
_PARTY = re.compile(r"[RDI]-|[A-Z]{1,5}[:.][A-Z]")  # (D-Ill.), (NYSE: H)
# "Town News – The mayor"
_BARE_MEDIUM = re.compile(rf"(?:The )?(?:{_CAPITALISED} ){{1,3}}{MEDIUM}(?P<dash>{_DASH}){_SENTENCE}")
_AFTER_SITE = re.compile(rf"{_DASH}{_SENTENCE}")
_BARE_AGENCY = re.compile(rf"(?:[A-Z][\w ]{{1,20}} via )?(?:{AGENCY}){_DASH}{_SENTENCE}")
_DATED = re.compile(rf"(?:(?P<place>{_ANY_PLACE})\s*[,:.(]\s*)?(?P<date>{DATE})\)?(?P<dash>{_DASH}|\s*:\s+){_SENTENCE}")
_CAPS_ONLY = re.compile(rf"(?P<place>{_CAPS_PLACE})\s*(?P<dash>{_DASH}|:\s+){_SENTENCE}")
_MIXED = re.compile(
    rf"(?P<place>{_PLACE})(?:,\s*{_REGION})??(?:,\s*(?P<region>{_REGION}))?(?P<dash>{_DASH}|:\s+){_SENTENCE}"
)
_NO_PLACES = english_words("news_words", "not_places")
_YEAR = re.compile(r"\d{4}")
_LABEL = re.compile(
    rf"(?:(?:BREAKING(?: NEWS)?|UPDATED?(?: \d+)?|EXCLUSIVE|WATCH|REVIEW|OPINION|ANALYSIS|DEVELOPING|JUST IN"
    rf"|LATEST)\s*[:|–—-]\s*|(?:Anchor|Presenter|Reporter|Report|Announcer)\s*:\s+){_SENTENCE}"
)
_LABELS_NOT_PLACES = english_words("news_words", "labels")
_INTRO = re.compile(
    r"(?:By|(?:Written|Posted|Published|Reported|Submitted|Compiled|Edited|Filmed|Produced)(?: on .{4,30})? by"
    r"|(?:Story|Words|Text|Report|Interview|Review|Article|Guest post|Analysis|Opinion|Post) by|Author|From)"
    r"(?:\s*:\s*|\s+)",
    re.I,
)
_TIME = re.compile(
    r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?)?|\d+(?:st|nd|rd|th)?|[ap]\.?m\.?|\d+(?:am|pm)", re.I
)
_EDGES = "|•·,;:()[]<>/&-–—*\"“”'‘’"
_WORD = re.compile(r"\S+")
# Words after "By" or "From" that are not names: "By Monday.", "By 2018."
_CALENDAR = re.compile(
    rf"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d.*|{'|'.join(sorted(english_words('news_words', 'not_names')))}"
)
# A newsreader's handover: "Max Lee has more."
_HANDED_OVER = re.compile(
    rf"(?:Our [\w ]{{1,40}} )?(?:(?:The )?[A-Z]\w*(?: [A-Z]\w*)?['’]s? )?(?!The\b)(?:{_CAPITALISED}\s){{1,4}}"
    rf"(?:has (?:more|the (?:story|details|latest|report))|reports|explains|filed this report|brings us .{{0,30}}"
    rf"|tells us more)(?: (?:from|in|for) [^.]{{2,40}}| now| here| on [^.]{{2,30}})?[.:]$"
)
_MAX_BYLINE_WORDS = 25
_MAX_BYLINE = 240  # characters
_MAX_BEFORE_DATELINE = 120
_MAX_PREFIXES = 8
_LONGEST_HEAD = 600  # characters searched for a prefix and the sentence after it


def without_dateline(text: str, *, site: str = "") -> str:
    """Returns a paragraph without any byline, dateline, labels and ``site`` name before its first sentence."""
    for _ in range(_MAX_PREFIXES):  # there may be a label, a byline and a dateline in succession
        end = _prefix(text[:_LONGEST_HEAD]) or _site(text[:_LONGEST_HEAD], site)
        if not 0 < end < len(text):
            break
        text = text[end:]
    return text


def _prefix(text: str) -> int:
    """Returns the length of the prefix before the text proper, 0 for none."""
    if match := _LABEL.match(text):
        return match.end()
    if end := _dateline(text):
        return end
    match = _INTRO.match(text)
    return _byline_before_dateline(text, match.end()) if match else 0


def _site(text: str, site: str) -> int:
    """Returns the length of the publication's name before the text, as in "Example.com - The mayor"."""
    begins = site and text.casefold().startswith(site.casefold())
    match = _AFTER_SITE.match(text, len(site)) if begins else None
    return match.end() if match else 0


def _dateline(text: str) -> int:
    """Returns the length of the dateline at the start of ``text``, 0 for none."""
    if (match := _WITH_AGENCY.match(text)) and _names_agency(match, text):
        return match.end()
    if match := _BARE_AGENCY.match(text):
        return match.end()
    if (match := _BARE_MEDIUM.match(text)) and not _paired(match, text):
        return match.end()
    if (match := _DATED.match(text)) and (
        (match["place"] and match["place"].split()[0] not in _NO_PLACES) or _YEAR.search(match["date"])
    ):
        return match.end()
    if (match := _CAPS_ONLY.match(text)) and _is_caps_dateline(match, text):
        return match.end()
    if match := _MIXED.match(text):
        known = match["place"].casefold() in PLACES or (match["region"] or "").casefold() in REGIONS
        return match.end() if known and not _paired(match, text) else 0
    return 0


def _names_agency(match: re.Match[str], text: str) -> bool:
    name = (match["agency"] or match["agency2"] or match["agency3"]).strip()
    after = text[match.end() : match.end() + 1]
    if match.start("agency") == 1 and _KNOWN_AGENCY.match(name.upper()):
        return bool(after)  # accepts "( cnn ) the mayor" too, as in tokenised corpora
    known = _KNOWN_AGENCY.match(name) is not None
    if not after or not (after.isupper() or not after.isalpha() or (match["dash"] and known)):
        return False
    return _is_dateline_of_agency(match) if known else _is_dateline_of_medium(match, name, text)


def _is_dateline_of_agency(match: re.Match[str]) -> bool:
    place = match["place"] or ""
    known = not place or place.casefold() in PLACES or place.split(",")[0].isupper()
    return bool(match["dash"] or match["date"] or known)


def _is_dateline_of_medium(match: re.Match[str], name: str, text: str) -> bool:
    if not match["dash"] or match["dash"].strip() in (".", ":") or _PARTY.match(name) or not name[0].isupper():
        return False
    in_capitals = (match["place"] or "").split(",")[0].isupper()
    of_medium = _MEDIUM.search(name) is not None and len(name.split()) <= 5
    return bool(match["date"] or (in_capitals and not _paired(match, text)) or of_medium)


def _is_caps_dateline(match: re.Match[str], text: str) -> bool:
    city, _, region = match["place"].partition(",")
    if city.casefold() in PLACES or region.strip().casefold() in REGIONS:
        return True
    if ":" in match["dash"] or city.casefold() in _LABELS_NOT_PLACES or len(city) < 4:
        return False
    return not _paired(match, text)


def _paired(match: re.Match[str], text: str) -> bool:
    """Whether the dash opens an insertion that a second dash closes: "NASA — Boeing's client — said"."""
    dash = match["dash"].strip()
    end = re.search(r"[.!?](?:\s|$)", text[match.end() :])
    sentence = text[match.end() : match.end() + end.start()] if end else text[match.end() :]
    return (
        re.search(rf"\s{re.escape(dash)}\s" if dash in ("-", "–", "_") else re.escape(dash), sentence[:120]) is not None
    )


def _byline_before_dateline(text: str, start: int) -> int:
    """Returns the end of a dateline that follows a byline ("By ..."), or 0 if the text has no such beginning."""
    for match in _WORD.finditer(text, start, min(len(text), start + _MAX_BEFORE_DATELINE)):
        if match.start() > start and (length := _dateline(text[match.start() :])):
            return match.start() + length if _without_prose(text[start : match.start()]) else 0
    return 0


def is_byline(text: str) -> bool:
    """Whether a paragraph is only a byline, possibly with job title, date and time: "By Jane Roe, 10 May 2018"."""
    if len(text) > _MAX_BYLINE:
        return False
    if _HANDED_OVER.match(text):
        return True
    intro = _INTRO.match(text)
    rest = text[intro.end() :] if intro else text
    if text[-1:] in "!?…\"”'’" or not _without_prose(rest):
        return False
    first = _WORD.match(rest.lstrip())
    if intro and intro.group().strip().casefold() in ("by", "from"):
        return first is not None and not (_CALENDAR.fullmatch(first.group().strip(_EDGES + ".")) and text.endswith("."))
    return True


def _without_prose(text: str) -> bool:
    """Whether ``text`` consists only of names, job titles, dates and times."""
    words = text.split()
    if not 0 < len(words) <= _MAX_BYLINE_WORDS:
        return False
    for word in words:
        bare = word.strip(_EDGES).rstrip(".")
        if not bare or bare[0].isupper() or "@" in bare or bare.casefold() in BYLINE_WORDS or _TIME.fullmatch(bare):
            continue
        return False
    return True


def repeats(text: str, title: str) -> bool:
    """Whether a paragraph merely repeats the headline."""
    return bool(title) and _letters(text) == _letters(title)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
