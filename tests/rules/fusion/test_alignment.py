from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.alignment import align, pairs
from gistmill.rules.fusion.edits import DELETE, from_column, realise, to_column
from tests.cases import by_heading

CASES = by_heading(__file__)

FIRST = "Zeitler lost the match ."
SECOND = "Zeitler was tired ."
FEW = st.lists(st.sampled_from(["a", "A", "b", "he", "He", ".", ",", "(", "``", "\\", "iP", "ß"]), max_size=9)
ANY = st.lists(st.text(min_size=1, max_size=4).filter(lambda token: " " not in token), max_size=6)


def column(first, second, target, allowed=None):
    edits = align(first.split(), second.split(), target.split(), allowed=allowed)
    return None if edits is None else to_column(edits)


def test_the_edits_are_few():
    for target, edits in CASES["the edits are few"]:
        assert column(FIRST, SECOND, target) == edits, target


def test_awkward_fusions():
    for first, second, target, edits in CASES["awkward fusions"]:
        assert column(first, second, target) == edits, first


def test_only_phrases_that_are_allowed():
    target = "Zeitler lost the match , but he was tired ."
    assert column(FIRST, SECOND, target, {", but"}) == ["4 delete", "5 before , but", "5 replace he"]
    assert column(FIRST, SECOND, target, {"but"}) is None
    assert column(FIRST, SECOND, FIRST + " " + SECOND, ()) == []


def test_another_way_is_found_where_the_shortest_is_not_allowed():
    # the shortest keeps the second "a": its phrases are "b c" and "d"
    first, second, target = "x .", "a .", "x , who a b ."
    assert column(first, second, target, {", who", "b"}) == ["1 delete", "2 before , who", "3 before b"]


def test_pairs_prefer_one_gap():
    assert pairs("a b c".split(), "a x b c".split()) == {0: 0, 1: 2, 2: 3}
    assert pairs("x , y , z , w v".split(), "x , w v".split()) == {0: 0, 1: 1, 6: 2, 7: 3}
    assert pairs("so he he".split(), "he the".split()) == {2: 0}
    assert pairs(", so old".split(), "the , and".split()) == {}


@given(st.one_of(st.tuples(FEW, FEW, FEW), st.tuples(ANY, ANY, ANY)))
def test_any_target_is_realised(texts):
    first, second, target = texts
    edits = align(first, second, target)
    assert edits is not None and realise(first, second, edits) == target
    assert from_column(to_column(edits), len(first), len(second)) == edits


@given(FEW, FEW, st.lists(st.sampled_from(["a", "b c", ", but", "he"]), max_size=3))
def test_phrases_are_allowed_or_there_are_no_edits(first, second, allowed):
    edits = align(first, second, [*first, *second, "b", "c"], allowed=set(allowed))
    assert edits is None or set(edits.phrases) <= {"", *allowed}
    assert edits is None or realise(first, second, edits) == [*first, *second, "b", "c"]


@given(FEW)
def test_unchanged_sentences_have_no_edits(words):
    edits = align(words, words, words + words)
    assert edits is not None and DELETE not in edits.operations and not any(edits.phrases)
