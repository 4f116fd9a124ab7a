from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.alignment import align, pairs
from gistmill.rules.fusion.edits import DELETE, from_column, realise, to_column

FIRST = "Zeitler lost the match ."
SECOND = "Zeitler was tired ."
FEW = st.lists(st.sampled_from(["a", "A", "b", "he", "He", ".", ",", "(", "``", "\\", "iP", "ß"]), max_size=9)
ANY = st.lists(st.text(min_size=1, max_size=4).filter(lambda token: " " not in token), max_size=6)


def column(first, second, target, allowed=None):
    edits = align(first.split(), second.split(), target.split(), allowed=allowed)
    return None if edits is None else to_column(edits)


def test_the_edits_are_few():
    for target, edits in [
        ("Zeitler lost the match . Zeitler was tired .", []),
        ("Zeitler lost the match . He was tired .", ["5 replace he"]),
        ("Zeitler lost the match . However , he was tired .", ["5 before however ,", "5 replace he"]),
        ("Zeitler lost the match , but he was tired .", ["4 delete", "5 before , but", "5 replace he"]),
        ("Zeitler lost the match and was tired .", ["4 delete", "5 before and", "5 delete"]),
        (
            "Although Zeitler lost the match , he was tired .",
            ["0 before although", "4 delete", "5 before ,", "5 replace he"],
        ),
        (
            "Zeitler , who was tired , lost the match .",
            ["move 1", "1 before ,", "5 before , who", "5 delete", "8 delete"],
        ),
        ("Zeitler was tired . Zeitler lost the match .", ["move 0"]),
        ("Zeitler was tired after Zeitler lost the match .", ["move 0", "0 before after", "8 delete"]),
    ]:
        assert column(FIRST, SECOND, target) == edits, target


def test_awkward_fusions():
    for first, second, target, edits in [
        (
            "The talk begins .",
            "The talk is long .",
            "The talk , which is long , begins .",
            ["move 2", "2 before ,", "4 before , which", "4 delete", "5 delete", "8 delete"],
        ),
        (
            "He saw Bonn .",
            "It rained .",
            "He saw Bonn because it rained .",
            ["3 delete", "4 before because", "4 lower"],
        ),
        (
            "It was late .",
            "In Bonn it rained .",
            "It was late . In fact , in Bonn it rained .",
            ["4 before in fact ,", "4 lower"],
        ),
        (
            "He took a job .",
            "He won .",
            "Taking a job , he won .",
            ["0 delete", "1 replace taking", "4 delete", "5 before ,", "5 lower"],
        ),
        (
            "It was big .",
            "It won .",
            "Being big , it won .",
            ["0 delete", "1 replace being", "3 delete", "4 before ,", "4 lower"],
        ),
        (
            "Bob left Bonn .",
            "Bob is the king .",
            "Bob , the king , left Bonn :",
            ["move 1", "1 before ,", "3 before :", "3 delete", "4 before ,", "4 delete", "5 delete", "8 delete"],
        ),
        (
            "He debuted there .",
            "He won .",
            "Debuting there , he won .",
            ["0 delete", "1 replace debuting", "3 delete", "4 before ,", "4 lower"],
        ),
        ("He is old .", "Bob 's dog is old .", "He is old . His dog is old .", ["4 replace his", "5 delete"]),
        (
            "It rained .",
            "Bob 's dog ran .",
            "It rained and they say his dog ran .",
            ["2 delete", "3 before and they say", "3 replace his", "4 delete"],
        ),
        ("I saw it .", "Obama left .", "I saw it . Obama left .", []),
        ("It rained .", "They left .", "It rained . Obama said they left .", ["3 before obama said", "3 lower"]),
        (
            "Obama saw Obama .",
            "They left .",
            "Obama saw Obama . Obama said they left .",
            ["4 before Obama said", "4 lower"],
        ),
        ("It rained .", "They left .", "It rained . so They left .", [r"3 before \so"]),
    ]:
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


def test_a_mark_alone_is_not_kept():
    assert pairs(", so old".split(), "the , and".split()) == {}


@given(FEW, FEW, FEW)
def test_any_target_of_few_words_is_realised(first, second, target):
    assert_realised(first, second, target)


@given(ANY, ANY, ANY)
def test_any_target_is_realised(first, second, target):
    assert_realised(first, second, target)


def assert_realised(first, second, target):
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
