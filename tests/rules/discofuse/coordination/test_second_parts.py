"""Second parts that need something from the first: a predicate, a name, an article, a subject, a source."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora import fronted_commas
from gistmill.rules.documents import Mention
from tests.rules.discofuse import parses_second_parts as p
from tests.rules.discofuse.helpers import accepted, candidates, changed, parse, rejections

PREDICATE, CLAUSE = "SINGLE_VP_COORD", "SINGLE_S_COORD"


class TestEllipsis:
    def test_what_they_do_is_said_in_the_first_part_alone(self):
        assert rejections(p.DO, CLAUSE) == ["SHARED_PART"]

    @pytest.mark.parametrize(
        "change",
        [
            ("in|IN|prep|10 May|NNP|pobj|11|B-DATE|May", "our|PRP$|poss|12 work|NN|dobj|10"),
            ("in|IN|prep|10 May|NNP|pobj|11|B-DATE|May", "much|RB|advmod|12 better|RB|advmod|10"),
            ("do|VB|conj|3", "come|VB|conj|3"),
        ],
    )
    def test_a_verb_with_its_object_or_manner_is_whole(self, change):
        assert "SHARED_PART" not in rejections(changed(p.DO, change), CLAUSE)

    def test_a_form_of_be_needs_something_behind_it(self):
        text = changed(p.DO, ("will|MD|aux|10 do|VB|conj|3", "soon|RB|advmod|10 were|VBD|conj|3||be"))
        assert "SHARED_PART" not in rejections(text, CLAUSE)
        bare = changed(text, ("in|IN|prep|10 May|NNP|pobj|11|B-DATE|May", "as|IN|mark|12 said|VBN|advcl|10||say"))
        assert rejections(bare, CLAUSE) == ["SHARED_PART"]


class TestSubjectAgain:
    def test_what_came_to_be_is_definite(self):
        assert accepted(p.CHURCH, PREDICATE)[1] == "The mill in Bath was built by Lee ."

    def test_a_perfect_tells_of_a_particular_one_too(self):
        text = changed(p.CHURCH, ("was|VBD|auxpass|11||be", "has|VBZ|aux|11||have"), ("built|VBN", "lost|VBN"))
        text = changed(text, ("by|IN|agent|11 Lee|NNP|pobj|12|B-PERSON|Lee", "its|PRP$|poss|13 roof|NN|dobj|11"))
        assert accepted(text, PREDICATE)[1] == "The mill in Bath has lost its roof ."

    def test_any_one_stays_indefinite(self):
        text = changed(p.CHURCH, ("was|VBD|auxpass|11||be", "is|VBZ|auxpass|11||be"))
        assert accepted(text, PREDICATE)[1] == "A mill in Bath is built by Lee ."

    def test_a_gerund_behind_what_something_is_goes_on_another(self):
        assert rejections(p.SPINNING, PREDICATE) == ["SHARED_PART"]
        quality = changed(p.SPINNING, ("a|DT|det|4 mill|NN|attr|2", "very|RB|advmod|4 old|JJ|acomp|2"))
        assert rejections(quality, PREDICATE) == ["SHARED_PART"]
        gerund = "for|IN|prep|4 spinning|VBG|pcomp|5||spin yarn|NN|dobj|6"
        plain = changed(quality, (gerund, "today|RB|advmod|2 and|CC|cc|5 tomorrow|RB|conj|5"))
        assert accepted(plain, PREDICATE)[1] == "It is weaving it ."


class TestNoVerb:
    @pytest.mark.parametrize("word", ["filming|VBG|amod|8", "1990|CD|nummod|8", "storms|NNS|compound|8"])
    def test_a_name_right_before_the_verb_is_its_subject(self, word):
        assert rejections(changed(p.FILMING, ("filming|VBG|amod|8", word)), PREDICATE) == ["VERB_FORM"]

    def test_a_name_of_two_words_is_the_adverbials(self):
        text = changed(p.FILMING, ("during|IN", "with|IN"), ("filming|VBG|amod|8", "Ann|NNP|compound|8"))
        assert "VERB_FORM" not in rejections(text, PREDICATE)


class TestReportedRow:
    def test_what_he_complained_of_goes_on_behind_each_conjunction(self):
        assert rejections(p.COMPLAINED, CLAUSE) == ["WRONG_SCOPE", "WRONG_SCOPE"]

    def test_a_verb_that_vouches_for_its_clause_does_not_report(self):
        text = changed(p.COMPLAINED, ("complained|VBD|ROOT|0||complain", "proved|VBD|ROOT|0||prove"))
        assert "WRONG_SCOPE" not in rejections(text, CLAUSE)


class TestComma:
    @pytest.mark.parametrize(
        "opening, comma",
        [
            ("In|IN|prep|4 Bath|NNP|pobj|1|B-GPE|Bath", True),
            ("After|IN|prep|4 work|NN|pobj|1", True),
            ("In|IN|prep|4 May|NNP|pobj|1|B-DATE|May", False),  # a date
            ("That|DT|det|2 day|NN|npadvmod|4|B-DATE|day", False),
            ("Old|JJ|amod|4 Bath|NNP|npadvmod|4|B-GPE|Bath", False),  # a lone noun
            ("Now|RB|advmod|4 quietly|RB|advmod|4", False),  # no noun
        ],
    )
    def test_one_parts_an_opening_phrase_from_a_name(self, opening, comma):
        words = parse(f"{opening} she|PRP|nsubj|4 sold|VBD|ROOT|0||sell cloth|NN|dobj|4 .|.|punct|4").words
        assert [w.text for w in fronted_commas.before(words, 2)] == [","] * comma

    def test_a_noun_with_a_clause_of_its_own_keeps_it(self):
        words = parse(
            "The|DT|det|2 mill|NN|nsubj|5 she|PRP|nsubj|4 sold|VBD|relcl|2||sell burnt|VBD|ROOT|0||burn"
        ).words
        assert fronted_commas.before(words, 2) == ()

    def test_the_row_has_it_before_the_name(self):
        text = (
            "Ann|NNP|nsubj|2|B-PERSON|Ann sold|VBD|ROOT|0||sell cloth|NN|dobj|2 ,|,|punct|2 but|CC|cc|2 after|IN|prep|9 "
            "work|NN|pobj|6 she|PRP|nsubj|9 wove|VBD|conj|2||weave a|DT|det|11 carpet|NN|dobj|9 .|.|punct|2"
        )
        link = [(Mention(0, 0, 1, 0, "name", 0.95), Mention(0, 7, 8, 7, "pronoun", 0.95))]
        seconds = [c.incoherent_second_sentence for c in candidates(text, clusters=link)]
        assert "After work , Ann wove a carpet ." in seconds
