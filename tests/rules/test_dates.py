import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.core.records import FromDocument, Metadata, Origin
from gistmill.rules.dates import DateReason, DatesConfig, day_of
from tests.cases import by_heading

CASES = by_heading(__file__)


def origin(published="", timestamp=""):
    return Origin("d", "warc", timestamp=timestamp, metadata=Metadata(published=published))


def test_the_day_of_a_document():
    for published, timestamp, day in CASES["the day of a document"]:
        assert day_of(origin(published, timestamp)) == day, published


def test_both_days_count():
    for day, reason in (
        ("2016-05-31", DateReason.TOO_OLD),
        ("2016-06-01", None),
        ("2018-02-03", None),
        ("2019-06-30T23:59:59Z", None),
        ("2019-07-01", DateReason.TOO_NEW),
        ("", DateReason.NO_DATE),
    ):
        config = DatesConfig(since="2016-06-01", until="2019-06-30")
        assert config.verdict(FromDocument(origin(day))).reason is reason, day


@given(st.dates(), st.dates() | st.none(), st.dates() | st.none())
def test_a_document_is_kept_if_its_day_is_within(day, since, until):
    if since and until and since > until:
        since, until = until, since
    config = DatesConfig(since=since, until=until)
    within = (since is None or since <= day) and (until is None or day <= until)
    assert config.verdict(FromDocument(origin(day.isoformat()))).accepted == within


def test_a_day_of_yaml_is_a_date():
    assert DatesConfig(since=datetime.date(2016, 6, 1)).to_values() == {"since": "2016-06-01"}


def test_what_is_not_a_day_is_refused():
    for wrong in ("2016-6-1", "2016-13-01", "2016-02-30", "June 2016", "", "20160601", 2016, True):
        with pytest.raises(OptionError, match="since.*expected a day such as 2016-06-01"):
            DatesConfig(since=wrong)


def test_the_first_day_is_not_after_the_last():
    DatesConfig(since="2016-06-01", until="2016-06-01")
    with pytest.raises(OptionError, match="since: 2016-06-02 is after until, 2016-06-01"):
        DatesConfig(since="2016-06-02", until="2016-06-01")
