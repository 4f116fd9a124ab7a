import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.core.records import Metadata, Origin
from gistmill.rules.dates import DateReason, DatesConfig, day_of


def origin(published="", timestamp=""):
    return Origin("d", "warc", timestamp=timestamp, metadata=Metadata(published=published))


@pytest.mark.parametrize(
    ("published", "timestamp", "day"),
    [
        ("2017-03-04", "2019-01-01T00:00:00Z", "2017-03-04"),
        ("2017-03-04T23:30:00-05:00", "", "2017-03-04"),  # as the page writes it
        ("2017-03-04 10:11", "", "2017-03-04"),
        ("", "2019-01-01T00:00:00Z", "2019-01-01"),
        ("March 4, 2017", "2019-01-01T00:00:00Z", "2019-01-01"),
        ("2017-02-30", "2019-01-01T00:00:00Z", "2019-01-01"),
        ("2017", "", ""),
        ("2017-03-041", "", ""),
        ("2017-W09-6", "", "2017-03-04"),  # the day of a week is ISO too
        ("", "", ""),
        ("tomorrow", "later", ""),
        ("Mon, 06 Jun 2016 23:30:00 -0500", "", "2016-06-06"),  # RFC 2822, as feeds have it
        ("6 June 2016 10:00", "", "2016-06-06"),
        ("Mon, 06 Jun 2016", "", "2016-06-06"),
        ("Mon, 31 Feb 2016 10:00:00 GMT", "2019-01-01T00:00:00Z", "2019-01-01"),
        ("1465207200", "", "2016-06-06"),  # seconds
        ("1465207200.25", "", "2016-06-06"),
        ("20160606", "2019-01-01T00:00:00Z", "2019-01-01"),
        ("1465207200000", "", ""),
    ],
)
def test_the_day_of_a_document(published, timestamp, day):
    assert day_of(origin(published, timestamp)) == day


@pytest.mark.parametrize(
    ("day", "reason"),
    [
        ("2016-05-31", DateReason.TOO_OLD),
        ("2016-06-01", None),
        ("2018-02-03", None),
        ("2019-06-30T23:59:59Z", None),
        ("2019-07-01", DateReason.TOO_NEW),
        ("", DateReason.NO_DATE),
    ],
)
def test_both_days_count(day, reason):
    config = DatesConfig(since="2016-06-01", until="2019-06-30")
    assert config.verdict(origin(day)).reason is reason


@given(st.dates(), st.dates() | st.none(), st.dates() | st.none())
def test_a_document_is_kept_if_its_day_is_within(day, since, until):
    if since and until and since > until:
        since, until = until, since
    config = DatesConfig(since=since, until=until)
    within = (since is None or since <= day) and (until is None or day <= until)
    assert config.verdict(origin(day.isoformat())).accepted == within


def test_a_day_of_yaml_is_a_date():
    assert DatesConfig(since=datetime.date(2016, 6, 1)).to_values() == {"since": "2016-06-01"}


@pytest.mark.parametrize("wrong", ["2016-6-1", "2016-13-01", "2016-02-30", "June 2016", "", "20160601", 2016, True])
def test_what_is_not_a_day_is_refused(wrong):
    with pytest.raises(OptionError, match="since.*expected a day such as 2016-06-01"):
        DatesConfig(since=wrong)


def test_the_first_day_is_not_after_the_last():
    DatesConfig(since="2016-06-01", until="2016-06-01")
    with pytest.raises(OptionError, match="since: 2016-06-02 is after until, 2016-06-01"):
        DatesConfig(since="2016-06-02", until="2016-06-01")
