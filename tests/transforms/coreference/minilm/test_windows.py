"""Windows: every wanted question is asked once, with what it needs around it."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.coreference.minilm.windows import LEFT, LONGEST, RIGHT, Window, windows


def test_a_short_document_is_one_window():
    assert windows([1] * 60, [0, 20, 40], [5, 30, 59], [0, 1, 2]) == [Window(0, 60, (0, 1, 2))]


def test_nothing_wanted_gives_no_window():
    assert windows([1] * 60, [0], [5], []) == []


def test_stretches_without_wanted_questions_are_skipped():
    found = windows([1] * 5000, range(0, 5000, 25), [100, 2500, 2510, 4990], [1, 3])
    assert [w.questions for w in found] == [(1,), (3,)]
    assert found[0].start % 25 == 0 and 2500 - LEFT <= found[0].start < 2500 < found[0].end
    assert found[1].end == 5000


@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=900),
    data=st.data(),
)
def test_laws(lengths, data):
    places = sorted(data.draw(st.sets(st.integers(0, len(lengths) - 1), max_size=40)))
    starts = sorted({0, *data.draw(st.sets(st.integers(0, len(lengths) - 1), max_size=40))})
    wanted = [k for k in range(len(places)) if data.draw(st.booleans())]
    found = windows(lengths, starts, places, wanted)
    assert [k for w in found for k in w.questions] == wanted
    ends = [0, *accumulate(lengths)]
    for w in found:
        assert 0 <= w.start < w.end <= len(lengths)
        assert ends[w.end] - ends[w.start] <= LONGEST
        for k in w.questions:
            assert w.start <= places[k] < w.end
        first, last = places[w.questions[0]], places[w.questions[-1]]
        # what is cut off on the right is cut at the limit or after enough
        assert w.end == len(lengths) or ends[w.end] - ends[last + 1] >= RIGHT or w.questions == (w.questions[0],)
        assert ends[first] - ends[w.start] <= LEFT
