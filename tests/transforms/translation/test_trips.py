from gistmill.rules.augmentation.round_trip import Variant
from gistmill.transforms.translation.opening import RoundTrip, trips
from tests.transforms.translation.fakes import Backwards

FIRST = [Variant("de", 1, 1)]


def pivot(longest=10_000):
    return RoundTrip(Backwards("de", longest=longest), Backwards("en", longest=longest))


def test_a_sentence_goes_there_and_back():
    found = trips(pivot(), {"Otters swim.": {1, 3}}, beams=3)
    assert found["Otters swim."].back == {
        1: ["Otters swim. 1ed en1", "Otters swim. 1ed en2", "Otters swim. 1ed en3"],
        3: ["Otters swim. 3ed en1", "Otters swim. 3ed en2", "Otters swim. 3ed en3"],
    }


def test_only_what_is_wanted_is_translated_back():
    ways = pivot()
    trips(ways, {"a": {1}, "b": {1, 2}}, beams=4)
    assert ways.forward.asked == ["a", "b"]
    assert sorted(ways.backward.asked) == ["a de1", "b de1", "b de2"]


def test_a_sentence_that_is_too_long_has_no_trip():
    ways = pivot(longest=12)
    found = trips(ways, {"much too long a sentence": {1}, "short": {1}, "twelve chars": {1}}, beams=1)
    assert not found["much too long a sentence"].is_complete(FIRST)
    assert found["short"].is_complete(FIRST)
    assert not found["twelve chars"].is_complete(FIRST)  # there, but not back


def test_what_is_not_unicode_is_not_sent():
    ways = pivot()
    found = trips(ways, {"a \ud800 b": {1}, "c": {1}}, beams=1)
    assert ways.forward.asked == ["c"] and not found["a \ud800 b"].is_complete(FIRST)
