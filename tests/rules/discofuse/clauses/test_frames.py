"""Frames of a part behind a semicolon, and phrases of the second clause that are not its frames."""

from gistmill.rules.discofuse.clauses.frames import frame, shared_frame
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse import parses as p
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)

# "The mill burned {mark} in 1990 , the town fell and the bridge held ."
BEHIND = parses.of("The mill burned {mark} in 1990 , the town fell and the bridge held .")
# "In 1990 , the town fell and the bridge {phrase} held ."
BETWEEN = parses.of("In 1990 , the town fell and the bridge {phrase} held .")


def text_of(words) -> str:
    return " ".join(w.text for w in words)


def test_a_frame_may_open_the_part_behind_a_semicolon():
    tree = parse(BEHIND.format(joined="ccomp|10", mark=";|:|punct|10", main="ROOT|0"))
    assert text_of(frame(tree, 9)) == "in 1990 ,"
    assert text_of(shared_frame(tree, 9, 13, 10, own_subject=True)) == "in 1990 ,"


def test_a_frame_does_not_open_a_clause_behind_a_comma():
    tree = parse(BEHIND.format(joined="ccomp|10", mark=",|,|punct|10", main="ROOT|0"))
    assert frame(tree, 9) == ()


def test_a_phrase_behind_the_subject_is_not_another_frame():
    for phrase, verb, expected in CASES["a phrase behind the subject is not another frame"]:
        tree = parse(BETWEEN.format(phrase=phrase, verb=verb))
        assert text_of(shared_frame(tree, 5, verb - 1, 6, own_subject=True)) == expected, phrase


def test_a_time_behind_the_subject_is_still_the_clause_s_own():
    tree = parse(BETWEEN.format(phrase="in|IN|prep|12 1995|CD|pobj|10|B-DATE", verb=12))
    assert shared_frame(tree, 5, 11, 6, own_subject=True) == ()


# "{On 1 May , after the fight ,} the town fell and the bridge held ."
TWO_PHRASES = parses.of("{first} , {second} the {noun} , the town fell and the bridge held .")
ON_MAY_1 = "On|IN|prep|11 May|NNP|pobj|1|B-DATE 1|CD|nummod|2|I-DATE"


def test_a_frame_may_be_of_two_phrases():
    for second, noun, expected in CASES["a frame may be of two phrases"]:
        tree = parse(TWO_PHRASES.format(first=ON_MAY_1, second=second, noun=noun))
        assert text_of(shared_frame(tree, 10, 14, 11, own_subject=False)) == expected, second


def test_what_stands_between_two_phrases_is_none_of_the_frame():
    text = TWO_PHRASES.format(first=ON_MAY_1, second="after", noun="fight|NN|pobj")
    tree = parse(text.replace(",|,|punct|11 after", "sadly|RB|advmod|11 after"))
    assert shared_frame(tree, 10, 14, 11, own_subject=False) == ()


# "{frame} , the mill closed and the {noun} {phrase} moved {rest} ."
FRAMED = parses.of("{frame} , the mill closed {comma}and the farms {phrase}moved {rest}.")


def framed(opening: str, *, phrase: str = "", rest: str = "", own_subject: bool = True, comma: bool = False) -> str:
    """The frame of the second clause behind an opening whose first word, of the tag and label given, hangs on the
    verb; items of ``phrase`` and ``rest`` may name the noun and verbs as {noun} and {second}."""
    n = len(opening.split())
    verb = n + 4
    noun = verb + 3 + comma
    second = noun + 1 + len(phrase.split())
    text = FRAMED.format(
        frame=opening.format(verb=verb),
        verb=verb,
        mill=verb - 1,
        noun=noun,
        second=second,
        comma=f",|,|punct|{verb} " if comma else "",
        phrase=phrase.format(noun=noun, next=noun + 1) + " " if phrase else "",
        rest=rest.format(second=second, next=second + 1, after=second + 2, later=second + 3) + " " if rest else "",
    )
    tree = parse(text)
    return text_of(shared_frame(tree, verb - 1, second - 1, verb + comma, own_subject=own_subject))


KENT = "In|IN|prep|{verb} Kent|NNP|pobj|1|B-GPE"
SPRING = "During|IN|prep|{verb} that|DT|det|3 spring|NN|pobj|1|B-DATE"
ACT = "Under|IN|prep|{verb} the|DT|det|3 act|NN|pobj|1 of|IN|prep|3 1799|CD|pobj|4|B-DATE"
UNTIL = "until|IN|prep|{second} 1850|CD|pobj|{next}|B-DATE"


def test_an_adverb_may_be_a_frame():
    for opening, expected in CASES["an adverb may be a frame"]:
        assert framed(opening, own_subject=False) == expected, opening


def test_a_relative_clause_without_a_comma_stays_in_the_frame():
    opening = "In|IN|prep|{verb} towns|NNS|pobj|1||town where|WRB|advmod|5 it|PRP|nsubj|5 rained|VBD|relcl|2||rain"
    assert framed(opening, own_subject=False) == "In towns where it rained ,"


def test_a_law_is_not_a_time_that_another_one_could_take_the_place_of():
    assert framed(ACT, rest=UNTIL, own_subject=False) == "Under the act of 1799 ,"
    assert framed(SPRING, rest=UNTIL, own_subject=False) == ""


def test_a_place_in_brackets_is_a_note():
    for rest, expected in CASES["a place in brackets is a note"]:
        assert framed(KENT, rest=rest) == expected, rest


# The frame of a sentence.


def test_a_frame_with_a_preposition_at_its_end_goes_on_in_the_subject():
    for label, head, expected in (("pobj", 2, 3), ("compound", 4, 0)):
        text = (
            f"Tonight|NN|npadvmod|7|B-TIME at|IN|prep|1 midnight|NN|{label}|{head} Cork|NNP|nsubjpass|7|B-GPE|Cork "
            "will|MD|aux|7 be|VB|auxpass|7 closed|VBN|ROOT|0||close .|.|punct|7"
        )
        assert len(frame(parse(text), 6)) == expected, label


class TestFrame:
    def test_is_what_opens_the_sentence(self):
        tree = parse(p.FRAME_VP)
        assert [w.text for w in frame(tree, tree.root())] == ["In", "1990", ","]
        assert frame(parse(p.OR_FACT), 3) == ()
