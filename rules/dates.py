"""Documents of some days: by the date that a document has, between two days that both count.

Source: the lead-bias paper (Zhu et al., 2021), section 3.2, whose articles are of June 2016 to June 2019.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.records import ACCEPTED, FromDocument, Origin, Reason, Verdict
from gistmill.core.values import custom

_LENGTH = len("2016-06-01")
_EPOCH = re.compile(r"[0-9]{9,10}(?:\.[0-9]*)?")  # seconds, of 1973 to 2286; fewer digits may be a year or a day
_MAIL = re.compile(r"(?:[A-Za-z]{3,9},? +)?[0-9]{1,2} [A-Za-z]{3,9} [0-9]{4}(?![0-9])")


class DateReason(Reason):
    """Why a document is not of the wanted days."""

    NO_DATE = "the document has no date that can be read"
    TOO_OLD = "the document is of a day before --since"
    TOO_NEW = "the document is of a day after --until"


def _day(value: Any) -> str:
    if isinstance(value, date):  # YAML reads a day as one
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
    """The days that documents may be of."""

    GROUP: ClassVar[str] = "input"

    since: str | None = option(
        DAY,
        help="keep documents of this day and later. A document's day is that of publication, if the page or its field "
        "names it; else of WARC-Date, when a crawler fetched the page, or of a wiki's revision. Without a date it is "
        "rejected",
    )
    until: str | None = option(DAY, help="keep documents of this day and earlier, by the same date")

    def check(self) -> None:
        """Raises ValueError where the first day is after the last."""
        if self.since and self.until and self.since > self.until:
            raise ValueError(f"since: {self.since} is after until, {self.until}")

    def verdict(self, document: FromDocument) -> Verdict:
        """Returns whether a document is of these days, else NO_DATE, TOO_OLD or TOO_NEW."""
        origin = document.origin
        day = day_of(origin)
        if not day:
            return Verdict(DateReason.NO_DATE, origin.metadata.published or origin.timestamp)
        if self.since and day < self.since:
            return Verdict(DateReason.TOO_OLD, day)
        return Verdict(DateReason.TOO_NEW, day) if self.until and day > self.until else ACCEPTED


def day_of(origin: Origin) -> str:
    """Returns the day of a document as its source writes it, in no other time zone; "" if it has none.

    It is that of publication. Where that is not there, or cannot be read, it is that of the source's time stamp:
    WARC-Date, or the time of a revision.
    """
    days = (_day_in(text.strip()) for text in (origin.metadata.published, origin.timestamp))
    return next(filter(None, days), "")


def _day_in(text: str) -> str:
    """The day of a date in ISO 8601, RFC 2822 ("Mon, 06 Jun 2016 10:00:00 +0200") or epoch seconds, taken as UTC."""
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
