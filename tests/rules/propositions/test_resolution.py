"""A text with its mentions resolved, and where its tokens stand."""

from gistmill.rules.propositions.resolution import resolve
from gistmill.rules.propositions.statements import PropositionExtractor, PropositionsConfig
from gistmill.rules.text.prose import Places
from tests.rules.discofuse import parses
from tests.rules.propositions import parsed_texts
from tests.rules.propositions.helpers import resolved, sentences, stated
from tests.rules.propositions.test_standing_alone import ADA, LANE, LEFT, she
from tests.testing import document, mention, parsed

STATER = PropositionExtractor(PropositionsConfig())
TWO = document(sentences(ADA, LEFT), clusters=[[LANE, she()]])


def test_a_mention_gives_way_and_its_places_are_told():
    made = resolved(TWO)
    assert made.text == "Ada Lane sold Mill Works. Ada Lane left Kent."
    (one,) = made.resolved
    assert (one.text, one.start, one.end) == ("She", 26, 29)
    assert (one.by, one.new_start, one.new_end) == ("Ada Lane", 26, 34)
    assert (one.antecedent_start, one.antecedent_end) == (0, 8)
    assert (one.kind, one.confidence) == ("pronoun", 1.0) and made.unresolved == ()


def test_white_space_of_the_given_text_stays():
    text = "\n Ada  Lane sold\tMill Works.\r\n\u2028She   left Kent. \n"
    made = resolve(TWO, STATER, Places(TWO, text))
    assert made.text == text.replace("She", "Ada Lane")
    (one,) = made.resolved
    assert text[one.start : one.end] == "She"
    assert made.text[one.new_start : one.new_end] == "Ada Lane"


def test_a_possessive_gives_way_with_its_mark():
    text = "Her|PRP$|poss|2 son|NN|nsubj|3 left|VBD|ROOT|0||leave .|.|punct|3"
    made = resolved(document(sentences(ADA, text), clusters=[[LANE, she()]]))
    assert made.text.endswith("Ada Lane's son left.") and made.resolved[0].by == "Ada Lane's"


def test_a_verb_that_was_joined_to_it_is_written_out():
    text = "She|PRP|nsubj|3 's|VBZ|aux|3||have left|VBN|ROOT|0||leave Kent|NNP|dobj|3|B-GPE|Kent .|.|punct|3"
    made = resolved(document(sentences(ADA, text), clusters=[[LANE, she()]]))
    assert made.text.endswith("Works. Ada Lane has left Kent.")
    (one,) = made.resolved
    assert made.text[one.new_start : one.new_end] == one.by == "Ada Lane"


def test_a_comma_before_a_name_stands_close():
    text = parses.of("At the end of term she left .")
    made = resolved(document(sentences(ADA, text), clusters=[[LANE, she(1, 5)]]))
    assert made.text.endswith("At the end of term, Ada Lane left.")
    assert made.text[made.resolved[0].new_start :].startswith("Ada Lane")


def test_a_sentence_that_goes_on_in_lower_case_stays_so():
    for mark in ["", "(|-LRB-|punct|{0} "]:
        verb = 4 if mark else 3
        text = f"{mark}and|CC|cc|{{0}} she|PRP|nsubj|{{0}} left|VBD|ROOT|0||leave .|.|punct|{{0}}".format(verb)
        made = resolved(document(sentences(ADA, text), clusters=[[LANE, she(1, verb - 2)]]))
        assert "and Ada Lane left." in made.text, mark


def test_two_mentions_of_one_sentence():
    text = "He|PRP|nsubj|2 met|VBD|ROOT|0||meet her|PRP|dobj|2 .|.|punct|2"
    leo = "Leo|NNP|compound|2|B-PERSON|Leo Grey|NNP|nsubj|3|I-PERSON|Grey won|VBD|ROOT|0||win .|.|punct|3"
    clusters = [[LANE, she(2, 2, 1.0)], [mention(1, 0, 2, "name"), she(2, 0, 1.0)]]
    made = resolved(document(sentences(ADA, leo, text), clusters=clusters))
    assert made.text.endswith("Leo Grey met Ada Lane.") and [m.by for m in made.resolved] == ["Leo Grey", "Ada Lane"]


def test_what_is_left_open_has_its_sentence():
    made = resolved(document(sentences(ADA, LEFT)))
    assert made.text == "Ada Lane sold Mill Works. She left Kent." and made.resolved == ()
    assert [(index, u.kind.name, u.text, u.start, u.end) for index, u in made.unresolved] == [
        (1, "PRONOUN", "She", 0, 1)
    ]


def test_typographic_marks_stay():
    text = "She|PRP|nsubj|2 left|VBD|ROOT|0||leave Leo|NNP|poss|5 ’s|POS|case|3 mill|NN|dobj|2 .|.|punct|2"
    made = document(sentences(ADA, text), clusters=[[LANE, she()]])
    assert resolved(made).text == "Ada Lane sold Mill Works. Ada Lane left Leo ’s mill."


def test_a_real_text_names_whom_its_statements_name():
    for case in parsed_texts.cases("stated"):
        parsed_one = parsed_texts.parsed_text(case.text)
        named = {r.mention for s in stated(parsed_one) for r in s.replaced}
        made = resolved(parsed_one)
        # a whole sentence needs no more replacements than its statements
        assert len(made.resolved) <= len(named), case
        assert [m.new_start for m in made.resolved] == sorted(m.new_start for m in made.resolved), case


class TestPlaces:
    def test_paragraphs_are_lines(self):
        first, second = parsed(ADA), parsed(LEFT, paragraph=1)
        places = Places(document([first, second]))
        assert places.text == "Ada Lane sold Mill Works.\nShe left Kent."
        assert places.span(1, 0, 1) == (26, 29) and places.span(0, 0, 6) == (0, 25)

    def test_marks_without_a_width_are_passed_over(self):
        for mark in ["\u00ad", "\u200b", "\u2060", "\ufeff", "\u00a0"]:
            text = f"Ada{mark} Lane sold Mill Works.{mark} She left Kent."
            assert Places(TWO, text).span(0, 0, 2) == (0, 9), mark

    def test_characters_are_code_points(self):
        text = "Ada Lane sold Mill Works. She left Kent.".replace("Kent", "𝔎ent")
        made = document(sentences(ADA, LEFT.replace("Kent|NNP", "𝔎ent|NNP")), clusters=[[LANE, she()]])
        places = Places(made, text)
        assert places.span(1, 2, 3) == (35, 39) and places.span(1, 3, 4) == (39, 40)
