"""Document filters based on the date, the words in the URL, and the text shared with an evaluation set.

Dates: the lead-bias paper (Zhu et al., 2021), section 3.2, uses articles from June 2016 to June 2019. Bounds are
inclusive.

Sections of a news site, such as ``/sport/football/`` and ``sports.example.com``: the Sports half of DiscoFuse (Geva et
al., 2019, section 3.2) consists of "several million sports articles" from the Web; the paper does not say how they
were found. Here, they are selected by URL.

Contamination: runs of n normalised words (``rules/text/grams.py``) are compared. A text with fewer than n words but at
least SHORTEST is compared as a whole; shorter texts are ignored, because they would match everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gistmill.core.options import HTML, PLAIN, Options, option
from gistmill.core.records import ACCEPTED, FromDocument, Origin, Reason, Verdict
from gistmill.core.values import POSITIVE, custom, list_of, whole
from gistmill.rules.text.grams import LONGEST, Numbers, gram_hashes, word_hashes, words

_LENGTH = len("2016-06-01")
_EPOCH = re.compile(r"[0-9]{9,10}(?:\.[0-9]*)?")  # seconds, for 1973 to 2286; fewer digits may be a year or a day
_MAIL = re.compile(r"(?:[A-Za-z]{3,9},? +)?[0-9]{1,2} [A-Za-z]{3,9} [0-9]{4}(?![0-9])")


class DateReason(Reason):
    """Reasons for rejecting a document because of its date."""

    NO_DATE = "the document has no readable date"
    TOO_OLD = "the document is dated before --since"
    TOO_NEW = "the document is dated after --until"


def _day(value: Any) -> str:
    if isinstance(value, date):  # YAML parses days as dates
        return value.isoformat()[:_LENGTH]
    try:
        if isinstance(value, str) and len(value.strip()) == _LENGTH:
            return date.fromisoformat(value.strip()).isoformat()
    except ValueError:
        pass
    raise ValueError("expected a day such as 2016-06-01")


DAY = custom(
    _day,
    pattern=r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    metavar="DAY",
    allowed="a day such as 2016-06-01",
)


@dataclass(frozen=True, kw_only=True)
class DatesConfig(Options):
    """Options that select documents by date."""

    GROUP: ClassVar[str] = "input"

    since: str | None = option(
        DAY,
        help="keep documents dated on or after this day. The date is the publication date if the page or its field "
        "gives one, otherwise WARC-Date (when a crawler fetched the page) or the date of the wiki "
        "revision. A document without a date is rejected",
    )
    until: str | None = option(DAY, help="keep documents dated on or before this day; see --since for the date")

    def check(self) -> None:
        """Raises ValueError if the first day is after the last."""
        if self.since and self.until and self.since > self.until:
            raise ValueError(f"since: {self.since} is after until, {self.until}")

    def verdict(self, document: FromDocument) -> Verdict:
        """Returns ACCEPTED or, depending on the document's date, NO_DATE, TOO_OLD or TOO_NEW."""
        origin = document.origin
        day = day_of(origin)
        if not day:
            return Verdict(DateReason.NO_DATE, origin.metadata.published or origin.timestamp)
        if self.since and day < self.since:
            return Verdict(DateReason.TOO_OLD, day)
        return Verdict(DateReason.TOO_NEW, day) if self.until and day > self.until else ACCEPTED


def day_of(origin: Origin) -> str:
    """Returns a document's date as an ISO 8601 day, without time zone conversion; "" if it has none.

    It is the date of publication or, if that is missing or cannot be read, of the source's time stamp (WARC-Date, or
    the time of the revision).
    """
    days = (_day_in(text.strip()) for text in (origin.metadata.published, origin.timestamp))
    return next(filter(None, days), "")


def _day_in(text: str) -> str:
    """Returns the day of an ISO 8601 or RFC 2822 date ("Mon, 06 Jun 2016 10:00:00 +0200") or of epoch seconds (UTC)."""
    head, rest = text[:_LENGTH], text[_LENGTH:]
    try:
        if _EPOCH.fullmatch(text):
            return datetime.fromtimestamp(float(text), UTC).date().isoformat()
        if not rest or rest[0] in "T ":
            return _day(head)
    except (ValueError, OverflowError, OSError):
        pass
    try:
        found = _MAIL.match(text)
        return parsedate_to_datetime(f"{found.group()} 00:00").date().isoformat() if found else ""
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


_SPORTS = """
sport sports sporting sportsnews othersports moresports athletics gymnastics olympics paralympics trackandfield
football soccer americanfootball collegefootball rugby rugbyunion rugbyleague cricket baseball softball basketball
netball volleyball handball hockey icehockey fieldhockey lacrosse tennis badminton squash golf bowls snooker darts
boxing mma ufc wrestling judo karate taekwondo archery swimming waterpolo sailing rowing surfing cycling
triathlon biathlon skiing snowboarding curling horseracing racing motorsport motorsports motorracing
formula1 formulaone f1 motogp nascar indycar
nba wnba nfl mlb nhl mls cfl ncaa ncaaf ncaab afl nrl ipl pga pgatour lpga atp wta fifa uefa
premierleague championsleague worldcup tourdefrance espn
"""
_SPORTS_SECTIONS = frozenset(_SPORTS.split())
_SPORTS_HOSTS = re.compile("(?<!pas|ran)sports|football|soccer|basketball|baseball|cricket|hockey|tennis|espn")

_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#@]*@)?(?P<host>[\w.-]+)(?::\d*)?(?P<path>(?:/[^?#]*)?)(?:[?#]|$)")
_BETWEEN_WORDS = re.compile(r"(?:%[0-9a-f]{2}|[\W_])+")
_SECTION = re.compile(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*")
_KINDS = frozenset(
    "article articles blog blogs columns feature features headlines live news opinion reports results".split()
)
_MOST_WORDS = 3  # a folder name with more words is an article's headline


class SectionReason(Reason):
    """Reasons for rejecting a document because of its section."""

    NO_URL = "the document has no readable URL"
    OTHER_SECTION = "the document's URL names none of the sections given by --url-sections"


def _section(value: Any) -> str:
    if not isinstance(value, str) or not _SECTION.fullmatch(value):
        raise ValueError("expected words such as sports")
    return "".join(_parts(value))


SECTIONS = list_of(custom(_section, pattern=_SECTION.pattern, metavar="WORD", allowed="a word of URLs, such as sports"))


@dataclass(frozen=True, kw_only=True)
class SectionsConfig(Options):
    """Options that select documents by section."""

    GROUP: ClassVar[str] = "input"

    url_sections: tuple[str, ...] | None = option(
        SECTIONS,
        help="keep documents whose URL names one of these sections in a folder or in the host; `sports` covers "
        "sports, leagues and sports sites (docs/sources.md). A document without a URL is rejected",
        markups=frozenset({HTML, PLAIN}),
    )

    def verdict(self, document: FromDocument) -> Verdict:
        """Returns ACCEPTED or, depending on the document's URL, NO_URL or OTHER_SECTION."""
        url = document.origin.metadata.url
        found = _URL.match(url.lower())
        if not found:
            return Verdict(SectionReason.NO_URL, url)
        host, path = found["host"], found["path"]
        folders = [folder for folder in path.split("/") if folder][:-1]  # the last part is the article
        named = {name for part in (*host.split("."), *folders) for name in _names(part)}
        wanted = set(self.url_sections or ())
        if wanted & named or ("sports" in wanted and (_SPORTS_SECTIONS & named or _SPORTS_HOSTS.search(host))):
            return ACCEPTED
        return Verdict(SectionReason.OTHER_SECTION, url)


def _parts(text: str) -> list[str]:
    return [word for word in _BETWEEN_WORDS.split(text.lower()) if word]


def _names(part: str) -> Iterator[str]:
    """Yields the sections that a folder or host label may denote: its whole name, and its last word.

    ``college-football`` is football, but ``football-boots`` are boots. Words such as "news", and numbers, are ignored
    at the end: ``football-news``, ``sport1``.
    """
    found = _parts(part)
    yield "".join(found)
    while found and found[-1] in _KINDS:
        found.pop()
    if found and len(found) <= _MOST_WORDS:
        for name in ("".join(found), found[-1]):
            yield name
            yield name.rstrip("0123456789")


SHORTEST = 8
GRAM_WORDS = 13


@dataclass(frozen=True, kw_only=True)
class ContaminationConfig(Options):
    """Options that define when a document counts as contaminated."""

    GROUP: ClassVar[str] = "duplicates"

    decontaminate_ngram: int = option(
        whole(1, LONGEST),
        default=GRAM_WORDS,
        unit="words",
        help=f"number of words in an n-gram; shorter texts of at least {SHORTEST} words are matched as a whole",
    )
    decontaminate_threshold: float = option(
        POSITIVE,
        default=1.0,
        help="minimum overlap for rejection: if 1 or more, the number of distinct n-grams shared with a file; "
        "if less, the share of the document's n-grams",
    )

    def check(self) -> None:
        """Raises ValueError if the threshold is neither a share nor a whole number of n-grams."""
        threshold = self.decontaminate_threshold
        if threshold > 1 and threshold != int(threshold):
            raise ValueError(
                "decontaminate_threshold: expected a whole number of n-grams, or a share of them below 1, "
                f"not {threshold}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contamination:
    """An overlap between a document and an evaluation set.

    Attributes:
        set: number of the evaluation set.
        text: a shared n-gram.
        shared, of: number of the document's distinct n-grams that occur in the set, and their total number.
    """

    set: int
    text: str
    shared: int
    of: int


def text_grams(text: str, ngram: int) -> tuple[Numbers, int]:
    """Returns the hashes of an evaluation text's n-grams, of shape (n-grams,), uint64, and their length in words.

    If the text is too short, there are no hashes and the length is 0.
    """
    hashes = word_hashes(words(text))
    length = min(ngram, len(hashes))
    if length < min(ngram, SHORTEST):
        return np.zeros(0, np.uint64), 0
    return gram_hashes(hashes, length), length


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GramIndex:
    """The n-grams of all evaluation sets.

    Attributes:
        grams: hashes in ascending order, of shape (n-grams,), uint64; an n-gram is repeated for each set it occurs in.
        sets: the set number of each n-gram, of shape (n-grams,), uint16.
        lengths: the distinct lengths in words.
    """

    grams: Numbers
    sets: npt.NDArray[np.uint16]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, grams: Iterable[Numbers], lengths: Iterable[int]) -> GramIndex:
        """Returns the index of the sets.

        Args:
            grams: n-gram hashes for each set, of shape (n-grams,), uint64, in any order.
            lengths: the lengths of the n-grams in words.
        """
        sets = [np.unique(g) for g in grams]
        together = np.concatenate(sets) if sets else np.zeros(0, np.uint64)
        owners = np.repeat(np.arange(len(sets), dtype=np.uint16), [len(s) for s in sets])
        order = np.argsort(together, kind="stable")
        return cls(grams=together[order], sets=owners[order], lengths=tuple(sorted(set(lengths))))

    def look(self, text: str, config: ContaminationConfig) -> Contamination | None:
        """Returns the overlap with the first set that reaches the threshold; None if no set does."""
        found = words(text)
        hashes = word_hashes(found)
        hits: list[tuple[int, int, int]] = []  # position in the text, length, position in the index
        for length in self.lengths:  # empty if there are no n-grams
            grams = gram_hashes(hashes, length)
            places = np.searchsorted(self.grams, grams)
            there = np.flatnonzero(self.grams[np.minimum(places, len(self.grams) - 1)] == grams)
            hits += [(int(i), length, int(places[i])) for i in there]
        if not hits:
            return None
        of = len(np.unique(gram_hashes(hashes, config.decontaminate_ngram))) or 1
        shared: dict[int, dict[int, tuple[int, int]]] = {}
        for start, length, place in sorted(hits):
            for entry in range(place, int(np.searchsorted(self.grams, self.grams[place], side="right"))):
                shared.setdefault(int(self.sets[entry]), {}).setdefault(place, (start, length))
        threshold = config.decontaminate_threshold
        enough = threshold if threshold >= 1 else threshold * of
        for number, mine in sorted(shared.items()):
            if len(mine) >= enough:
                start, length = next(iter(mine.values()))
                return Contamination(set=number, text=" ".join(found[start : start + length]), shared=len(mine), of=of)
        return None
