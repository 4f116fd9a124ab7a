"""What an apposition or a relative clause is about, where another noun, a list or another time may be meant."""

from __future__ import annotations

from gistmill.rules.discofuse import connectives
from tests.rules.discofuse import parses as p
from tests.rules.discofuse.helpers import changed, parse


class TestSubjectThatIsAConnective:
    def test_it_is_none(self):
        assert connectives.find(parse(p.HOPED)) is None

    def test_a_marker_is_one(self):
        match = connectives.find(parse(changed(p.HOPED, ("This|DT|nsubj|8", "Then|RB|advmod|8"))))
        assert match is not None and match.text == "then ,"
