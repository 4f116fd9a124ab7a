"""Sentences of plain text: what ends one, what does not, and cases in which even people have to look twice."""

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.text import segment
from gistmill.rules.text.segment import split_sentences
from tests.cases import by_heading

CASES = by_heading(__file__)

# Sentences by "|"; the text is the same with spaces instead.
ENDS = CASES["ends"]
GOES_ON = CASES["goes on"]
EITHER = CASES["either"]


def test_sentences():
    for line in (*ENDS.splitlines(), *GOES_ON.splitlines(), *EITHER.splitlines()):
        sentences = line.split("|")
        assert split_sentences(" ".join(sentences)) == sentences, line


def test_awkward_texts():
    for text, sentences in (
        ("", []),
        (" \n\t ", []),
        (".", ["."]),
        ("...", ["..."]),
        ("A headline without a mark", ["A headline without a mark"]),
        ("  One.\n\nTwo.\u00a0Three. ", ["One.", "Two.", "Three."]),
        # a space that was forgotten, but not in the name of a file or a site
        ("He went home.The others stayed.", ["He went home.", "The others stayed."]),
        ("He wrote Foo.The and a.The file.", ["He wrote Foo.", "The and a.The file."]),
        # white space before the mark, as tokenisers leave it
        ("He went . She stayed .", ["He went .", "She stayed ."]),
        ("`` He went . '' She stayed .", ["`` He went . ''", "She stayed ."]),
        # a bracket that nobody closes, or only far away, holds nothing together
        ("It (was late. Nobody cared.", ["It (was late.", "Nobody cared."]),
        (f"It (was late. {'Nobody cared. ' * 30})", ["It (was late.", *["Nobody cared."] * 29, "Nobody cared. )"]),
        ("No mark of a sentence — but a dash. — Reuters", ["No mark of a sentence — but a dash. — Reuters"]),
    ):
        assert split_sentences(text) == sentences, text


PIECES = st.sampled_from(
    [
        "He",
        "the",
        "U.S.",
        "Mr.",
        "p.m.",
        "e.g.",
        "J.",
        "No.",
        "5",
        "$3.20",
        "end.",
        "end!",
        'end?"',
        "(so",
        "so.)",
        "...",
        "…",
        "[1]",
        "“Oh",
        "Oh.”",
        "''",
        ".",
        "iPad",
        "—",
        "\n",
        "\u00a0",
        "end.The",
        "I.",
        "x.",
    ]
)


@given(st.lists(PIECES, max_size=30).map(" ".join) | st.text(max_size=60))
def test_nothing_is_lost_and_no_sentence_is_empty(text):
    sentences = split_sentences(text)
    assert re.sub(r"\s", "", "".join(sentences)) == re.sub(r"\s", "", text)
    assert all(s and s == s.strip() for s in sentences)


@given(st.lists(PIECES, max_size=30).map(" ".join))
def test_same_text_same_sentences(text):
    assert split_sentences(text) == split_sentences(f"  {text}\n")


def test_hostile_texts_take_linear_time():
    start = time.process_time()
    for text in (
        "." * 100_000,
        ". " * 50_000,
        "(a. B" * 20_000,
        "A! " * 30_000,
        '"' * 100_000,
        "[1]" * 30_000,
        "a.”" * 30_000,
        "J. " * 50_000,
        ". " * 50_000 + "x",
        ".[" + "1" * 100_000,
        "a.B" * 30_000,
    ):
        assert split_sentences(text)
    assert time.process_time() - start < 10  # a fifth of a second; hours when a pattern goes back over what it read


def test_the_word_lists_hold_no_full_stops_at_the_end():
    lists = [v for k, v in vars(segment).items() if k.isupper() and isinstance(v, frozenset)]
    assert lists and not [w for words in lists for w in words if w.endswith(".")]
