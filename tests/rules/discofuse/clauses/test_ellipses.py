"""Second clauses that leave out what the first one says, and rows of clauses that lose their last one."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

CLAUSE, INNER = "SINGLE_S_COORD", "SINGLE_CONN_INNER"

# "{opening} , the wool was dear , but {farms} {closed} {end} ."
FARMS = """
{opening} ,|,|punct|6 the|DT|det|5 wool|NN|nsubj|6 was|VBD|ROOT|0||be dear|JJ|acomp|6 ,|,|punct|6 but|CC|cc|6
{farms} {closed} fast|RB|advmod|12 {end} .|.|punct|6
"""
KENT, MANY_FARMS = "In|IN|prep|6 Kent|NNP|pobj|1|B-GPE", "most|JJS|amod|11 farms|NNS|nsubj|12||farm"
CLOSED = "closed|VBD|conj|6||close"
# "The north built three mills , {word} the south {rest} ."
SOUTH = """
The|DT|det|2 north|NN|nsubj|3 built|VBD|ROOT|0||build three|CD|nummod|5|B-CARDINAL mills|NNS|dobj|3||mill ,|,|punct|3
{word}|IN|mark|{verb} {subject} {rest} .|.|punct|3
"""
# "Some birds sing , {joint} others dance , while bees hum aloud ."
ROW = """
Some|DT|det|2 birds|NNS|nsubj|3||bird sing|VBP|ROOT|0 ,|,|punct|3 {joint} others|NNS|nsubj|{dance}||other
dance|VBP|conj|3 ,|,|punct|{dance} while|IN|mark|{bees} bees|NNS|nsubj|{bees}||bee hum|VBP|advcl|{dance}
aloud|RB|advmod|{bees} .|.|punct|3
"""


def south(rest: str, *, word: str = "while", subject: str = "the|DT|det|9 south|NN|nsubj|10", verb: int = 10) -> str:
    return SOUTH.format(word=word, rest=rest, subject=subject, verb=verb)


@pytest.mark.parametrize(
    ("opening", "farms", "closed", "end"),
    [
        (KENT, MANY_FARMS, CLOSED, "there|RB|advmod|12"),
        ("Before|IN|prep|6 1900|CD|pobj|1|B-DATE", MANY_FARMS, CLOSED, "there|RB|advmod|12"),
        (KENT, "small|JJ|amod|11 farms|NNS|nsubj|12||farm", CLOSED, "there|RB|advmod|12"),
    ],
)
def test_a_general_statement_needs_the_frame_of_the_first_clause(opening, farms, closed, end):
    text = FARMS.format(opening=opening, farms=farms, closed=closed, end=end)
    assert rejections(text, CLAUSE) == ["SHARED_PART"]


@pytest.mark.parametrize(
    ("opening", "farms", "closed", "end"),
    [
        (KENT, "the|DT|det|11 farms|NNS|nsubj|12||farm", CLOSED, "there|RB|advmod|12"),  # known ones
        (KENT, MANY_FARMS, "close|VBP|conj|6", "there|RB|advmod|12"),  # another time
        (KENT, MANY_FARMS, CLOSED, "in|IN|prep|12 Devon|NNP|pobj|14|B-GPE"),  # another place
        (KENT, "some|DT|det|11 farms|NNS|nsubj|12||farm", CLOSED, "there|RB|advmod|12"),  # some do anywhere
        (KENT, "three|CD|nummod|11 farms|NNS|nsubj|12||farm", CLOSED, "there|RB|advmod|12"),
        (KENT, "no|DT|det|11 farm|NN|nsubj|12", CLOSED, "there|RB|advmod|12"),
        ("Despite|IN|prep|6 rain|NN|pobj|1", MANY_FARMS, CLOSED, "there|RB|advmod|12"),  # limits nothing
    ],
)
def test_another_one_does_without_it(opening, farms, closed, end):
    text = FARMS.format(opening=opening, farms=farms, closed=closed, end=end)
    assert rejections(text, CLAUSE) == [None]


def test_with_the_frame_it_stands():
    text = FARMS.format(opening=KENT, farms=MANY_FARMS, closed=CLOSED, end="there|RB|advmod|12")
    assert accepted(text.replace("but|CC", "and|CC"), CLAUSE)[1] == "In Kent , most farms closed fast there ."


@pytest.mark.parametrize(
    "rest",
    [
        "built|VBD|advcl|3||build 18|CD|nummod|12|B-CARDINAL barns|NNS|dobj|10||barn",
        "built|VBD|advcl|3||build 18|CD|dobj|10|B-CARDINAL of|IN|prep|11 them|PRP|pobj|12",
        "grew|VBD|advcl|3||grow 18|CD|dobj|10|B-PERCENT %|NN|dobj|10|I-PERCENT",
        "sold|VBD|advcl|3||sell his|PRP$|poss|12 barn|NN|dobj|10",
        "slept|VBD|advcl|3||sleep very|RB|advmod|12 little|RB|advmod|10",
    ],
)
def test_it_may_count_what_it_names_itself(rest):
    assert rejections(south(rest), INNER) == [None]


@pytest.mark.parametrize(("of", "reason"), [("of|IN|prep|8", "SHARED_PART"), ("who|WP|nsubj|10", None)])
def test_those_of_another_place_have_their_noun_in_the_first_clause(of, reason):
    subject = f"those|DT|nsubj|11 {of} Leeds|NNP|pobj|9|B-GPE"
    if reason is None:
        subject = f"those|DT|nsubj|11 {of} came|VBD|relcl|8||come"
    rest = "fell|VBD|advcl|3||fall soon|RB|advmod|11"
    assert rejections(south(rest, subject=subject, verb=11), INNER) == [reason]


@pytest.mark.parametrize(
    ("joint", "reason"),
    [("now|RB|advmod|7", "LIST"), ("and|CC|cc|3", None), ("and|CC|cc|3 ,|,|punct|3", None)],
)
def test_the_last_of_a_row_of_clauses_is_not_cut_off(joint, reason):
    n = len(joint.split())
    assert rejections(ROW.format(joint=joint, dance=n + 6, bees=n + 10), INNER) == [reason]


# "In the {9th} , it grew fast , but in the {10th} century it fell there ."
NINTH = """
In|IN|prep|6 the|DT|det|3 9th|NN|pobj|1|{entity} ,|,|punct|6 it|PRP|nsubj|6 grew|VBD|ROOT|0||grow fast|RB|advmod|6
,|,|punct|6 but|CC|cc|6 in|IN|prep|15 the|DT|det|13 {modifier} century|NN|pobj|10|I-DATE it|PRP|nsubj|15
fell|VBD|conj|6||fall there|RB|advmod|15 .|.|punct|6
"""


@pytest.mark.parametrize(
    ("entity", "modifier"),
    [
        ("B-ORDINAL", "last|JJ|amod|13|B-DATE"),  # no ordinal
        ("B-DATE", "10th|JJ|amod|13|B-DATE"),  # a day: "On the 9th"
    ],
)
def test_one_without_another_stands_for_itself(entity, modifier):
    assert rejections(NINTH.format(entity=entity, modifier=modifier), CLAUSE) == [None]


# "{In the film} she wins , but in the book she loses , because she is ill ."
IN_THE_BOOK = """
{0} she|PRP|nsubj|5 wins|VBZ|ROOT|0||win ,|,|punct|5 but|CC|cc|5 {1} she|PRP|nsubj|12 loses|VBZ|conj|5||lose
,|,|punct|12 because|IN|mark|16 she|PRP|nsubj|16 is|VBZ|advcl|12||be ill|JJ|acomp|16 .|.|punct|5
"""
IN_THE_FILM, BUT_IN_THE_BOOK = (
    "In|IN|prep|5 the|DT|det|3 film|NN|pobj|1",
    "in|IN|prep|12 the|DT|det|10 book|NN|pobj|8",
)


def test_a_reason_stands_in_the_second_of_two_frames():
    assert rejections(IN_THE_BOOK.format(IN_THE_FILM, BUT_IN_THE_BOOK), INNER) == ["SHARED_PART"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Very|RB|advmod|2 often|RB|advmod|5 ,|,|punct|5", BUT_IN_THE_BOOK),
        (IN_THE_FILM, "so|RB|advmod|12 then|RB|advmod|12 though|RB|advmod|12"),
    ],
)
def test_without_a_contrast_it_stands_alone(first, second):
    assert rejections(IN_THE_BOOK.format(first, second), INNER) == [None]


def test_a_clause_of_a_mere_do_is_none():
    assert rejections(south("did|VBD|advcl|3||do not|RB|neg|10"), INNER) == ["SHARED_PART"]


def test_one_that_says_what_they_do_not_is_whole():
    text = south(
        "did|VBD|aux|12||do not|RB|neg|12 build|VB|advcl|3 it|PRP|dobj|12",
        subject="the|DT|det|9 south|NN|nsubj|12",
        verb=12,
    )
    assert rejections(text, INNER) == [None]
