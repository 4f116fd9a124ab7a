"""Second predicates and clauses that share more with the first than a subject, or that are not clauses."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, changed, found, rejections

PREDICATE, CLAUSE = "SINGLE_VP_COORD", "SINGLE_S_COORD"


class TestParticiple:
    SOLD = """
    The|DT|det|2 roof|NN|nsubjpass|4 was|VBD|auxpass|4 {0}|4 by|IN|{1}|4 a|DT|det|7 clerk|NN|pobj|5 and|CC|cc|4
    bearing|VBG|conj|4||bear a|DT|det|11 flag|NN|dobj|9 .|.|punct|4
    """

    def test_a_form_in_ing_does_not_go_on_a_passive(self):
        text = self.SOLD.format("sold|VBN|ROOT", "agent").replace("|ROOT|4", "|ROOT|0||sell")
        assert rejections(text, PREDICATE) == ["SHARED_PART"]

    def test_it_goes_on_another(self):
        text = self.SOLD.format("standing|VBG|ROOT", "prep").replace("|ROOT|4", "|ROOT|0||stand")
        text = changed(text, ("was|VBD|auxpass", "was|VBD|aux"), ("nsubjpass", "nsubj"), ("by|IN", "beside|IN"))
        assert accepted(text, PREDICATE)[1] == "The roof was bearing a flag ."

    SEEKS = """
    They|PRP|nsubj|3 are|VBP|aux|3||be seeking|VBG|ROOT|0||seek damages|NNS|dobj|3 {0}|IN|prep|4 theft|NN|pobj|5
    and|CC|cc|3 hiding|VBG|conj|3||hide the|DT|det|10 money|NN|dobj|8 .|.|punct|3
    """

    @pytest.mark.parametrize("word", ["for", "of", "without"])
    def test_it_may_go_on_a_deed_in_a_phrase(self, word):
        assert rejections(self.SEEKS.format(word), PREDICATE) == ["SHARED_PART"]

    def test_a_place_is_not_a_deed(self):
        assert accepted(self.SEEKS.format("in"), PREDICATE)[1] == "They are hiding the money ."


class TestPerfect:
    LIKED = """
    They|PRP|nsubj|3 had|VBD|aux|3||have liked|VBN|ROOT|0||like Lee|NNP|dobj|3|B-PERSON from|IN|prep|3 the|DT|det|7
    day|NN|pobj|5 they|PRP|nsubj|9 met|VBD|relcl|7||meet him|PRP|dobj|9 {0} but|CC|cc|3 never|RB|neg|14
    helped|VBD|conj|3||help Lee|NNP|dobj|14|B-PERSON .|.|punct|3
    """

    def test_behind_a_comma_it_goes_on_the_perfect(self):
        text = self.LIKED.format(",|,|punct|3")
        assert accepted(text, PREDICATE)[1] == "They had never helped Lee ."


class TestListInRelative:
    HOLDS = """
    Leeds|NNP|nsubj|2|B-GPE is|VBZ|ROOT|0||be the|DT|det|4 seat|NN|attr|2 of|IN|prep|4 a|DT|det|7 district|NN|pobj|5
    which|WDT|nsubj|9 held|VBD|relcl|7||hold two|CD|nummod|11 towns|NNS|dobj|9 {0}|:|punct|2 and|CC|cc|2
    had|VBD|conj|2||have a|DT|det|16 court|NN|dobj|14 .|.|punct|2
    """

    def test_the_clause_goes_on_behind_the_comma_that_closes_it(self):
        assert rejections(self.HOLDS.format(","), PREDICATE) == ["WRONG_SCOPE"]

    def test_not_in_the_tense_of_the_first_verb(self):
        text = changed(self.HOLDS.format("--"), ("had|VBD|conj|2||have", "has|VBZ|conj|2||have"))
        assert rejections(text, PREDICATE) == [None]


class TestCompany:
    LIES = """
    The|DT|det|2 mill|NN|nsubj|10 ,|,|punct|2 {0}|IN|prep|2 {1}|IN|prep|4 two|CD|nummod|7 farms|NNS|pobj|5 ,|,|punct|2
    also|RB|advmod|10 lies|VBZ|ROOT|0||lie in|IN|prep|10 Kent|NNP|pobj|11|B-GPE and|CC|cc|10 belongs|VBZ|conj|10||belong
    to|IN|prep|14 Ada|NNP|pobj|15|B-PERSON .|.|punct|10
    """

    @pytest.mark.parametrize(("first", "second"), [("along", "with"), ("together", "with"), ("as", "well")])
    def test_others_beside_the_subject_are_lost(self, first, second):
        assert rejections(self.LIES.format(first, second), PREDICATE) == ["SHARED_PART"]

    def test_an_insertion_that_adds_nobody_may_be_left_out(self):
        assert accepted(self.LIES.format("out", "of"), PREDICATE)[1] == "The mill belongs to Ada ."

    def test_a_total_is_not_said_twice(self):
        text = """
        A|DT|det|2 {0}|NN|nsubjpass|7 of|IN|prep|2 nine|CD|nummod|5 mills|NNS|pobj|3 were|VBD|auxpass|7||be
        sold|VBN|ROOT|0||sell there|RB|advmod|7 and|CC|cc|7 moved|VBN|conj|7||move to|IN|prep|10
        Kent|NNP|pobj|11|B-GPE .|.|punct|7
        """
        assert rejections(text.format("total"), PREDICATE) == ["AMBIGUOUS"]
        assert accepted(text.format("group"), PREDICATE)[1].startswith("The group of nine mills were moved")


class TestClauses:
    STAYED = """
    Mills|NNS|nsubjpass|3 were|VBD|auxpass|3||be moved|VBN|ROOT|0||move to|IN|prep|3 Bath|NNP|pobj|4|B-GPE {0}
    Lee|NNP|conj|5|B-PERSON and|CC|cc|3 his|PRP$|poss|10 son|NN|nsubj|11 stayed|VBD|conj|3||stay there|RB|advmod|11
    .|.|punct|3
    """

    def test_a_noun_behind_but_begins_the_clause(self):
        assert rejections(self.STAYED.format("but|CC|cc|5"), CLAUSE)[-1] == "WRONG_SCOPE"

    def test_a_noun_behind_and_ends_the_first(self):
        assert rejections(self.STAYED.format("or|CC|cc|5"), CLAUSE) == [None]

    @pytest.mark.parametrize(("noun", "kind"), [("Ada", "B-PERSON"), ("Leeds", "B-GPE")])
    def test_a_name_behind_after_may_begin_it(self, noun, kind):
        text = """
        Mills|NNS|nsubjpass|3 were|VBD|auxpass|3||be moved|VBN|ROOT|0||move after|IN|prep|3 {0}|NNP|pobj|4|{1}
        and|CC|cc|3 her|PRP$|poss|8 son|NN|nsubj|9 left|VBD|conj|3||leave town|NN|dobj|9 .|.|punct|3
        """
        assert rejections(text.format(noun, kind), CLAUSE)[-1] == "WRONG_SCOPE"
        assert rejections(text.format("May", "B-DATE"), CLAUSE) == [None]

    SAID = """
    Lee|NNP|nsubj|2|B-PERSON {0}|ROOT|0||{1} he|PRP|nsubj|4 was|VBD|ccomp|2||be ill|JJ|acomp|4 ,|,|punct|2
    but|CC|cc|2 {2} job|NN|nsubj|10 was|VBD|conj|2||be done|JJ|acomp|10 .|.|punct|2
    """

    def test_what_is_the_speaker_s_may_be_said_too(self):
        assert rejections(self.SAID.format("said|VBD", "say", "his|PRP$|poss|9"), CLAUSE) == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(
        "given", [("said|VBD", "say", "the|DT|det|9"), ("thought|VBD", "think", "his|PRP$|poss|9")]
    )
    def test_a_contrast_is_the_author_s_otherwise(self, given):
        assert rejections(self.SAID.format(*given), CLAUSE) == [None]


class TestFrames:
    def test_a_count_is_of_a_time(self):
        text = """
        As|IN|prep|10 of|IN|prep|1 {0} ,|,|punct|10 the|DT|det|9 town|NN|nsubj|10 had|VBD|ROOT|0||have many|JJ|amod|12
        mills|NNS|dobj|10 ,|,|punct|10 and|CC|cc|10 the|DT|det|16 rent|NN|nsubj|17 was|VBD|conj|10||be low|JJ|acomp|17
        .|.|punct|10
        """
        dated = text.format("the|DT|det|4 count|NN|pobj|2 of|IN|prep|4 1990|CD|pobj|5|B-DATE")
        assert accepted(dated, CLAUSE)[1] == "As of the count of 1990 , the rent was low ."

    def test_what_may_have_been_is_past(self):
        text = """
        After|IN|prep|5 the|DT|det|3 war|NN|pobj|1 Leeds|NNP|nsubj|5|B-GPE grew|VBD|ROOT|0||grow fast|RB|advmod|5
        and|CC|cc|5 some|DT|nsubjpass|12 may|MD|aux|12 have|VB|aux|12||have been|VBN|auxpass|12||be
        moved|VBN|conj|5||move there|RB|advmod|12 .|.|punct|5
        """
        assert accepted(text, CLAUSE)[1] == "After the war some may have been moved there ."
        now = changed(text, ("have|VB|aux|12||have been|VBN|auxpass|12||be", "be|VB|auxpass|12||be now|RB|advmod|12"))
        assert all(second != "After the war some may be now moved there ." for _, _, second, _ in found(now))

    STATE = """
    {0}|{1}|advcl|6 by|IN|prep|1 Lee|NNP|pobj|2|B-PERSON ,|,|punct|6 Ada|NNP|nsubj|6|B-PERSON opens|VBZ|ROOT|0||open
    the|DT|det|8 mill|NN|dobj|6 and|CC|cc|6 meets|VBZ|conj|6||meet the|DT|det|12 clerk|NN|dobj|10 .|.|punct|6
    """

    def test_how_the_subject_is_holds_for_both(self):
        assert accepted(self.STATE.format("Unseen", "JJ"), PREDICATE)[1] == "Unseen by Lee , Ada meets the clerk ."

    def test_what_was_done_to_it_may_not(self):
        assert accepted(self.STATE.format("Born", "VBN"), PREDICATE)[1] == "Ada meets the clerk ."

    FELL = """
    In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 roof|NN|nsubj|6 fell|VBD|ROOT|0||fall and|CC|cc|6
    the|DT|det|9 wall|NN|nsubjpass|11 was|VBD|auxpass|11||be moved|VBN|conj|6||move to|IN|prep|11
    Kent|NNP|pobj|12|B-GPE and|CC|cc|11 {0} sold|VBN|conj|11||sell .|.|punct|6
    """

    def test_it_holds_for_the_second_part_of_a_second_clause(self):
        assert (
            accepted(self.FELL.format("soundly|RB|advmod|16"), PREDICATE)[1] == "In 1990 , the wall was soundly sold ."
        )

    def test_unless_that_has_a_time_of_its_own(self):
        assert "In 1990" not in accepted(self.FELL.format("later|RB|advmod|16"), PREDICATE)[1]

    def test_that_of_a_second_clause_holds_for_its_second_part(self):
        text = """
        The|DT|det|2 roof|NN|nsubj|3 fell|VBD|ROOT|0||fall ,|,|punct|3 and|CC|cc|3 in|IN|prep|9 1990|CD|pobj|6|B-DATE
        Lee|NNP|nsubj|9|B-PERSON moved|VBD|conj|3||move the|DT|det|11 wall|NN|dobj|9 and|CC|cc|9 {0}|RB|advmod|14
        sold|VBD|conj|9||sell the|DT|det|16 mill|NN|dobj|14 .|.|punct|3
        """
        assert accepted(text.format("quietly"), PREDICATE)[1] == "In 1990 Lee quietly sold the mill ."
        assert "1990" not in accepted(text.format("later"), PREDICATE)[1]

    @pytest.mark.parametrize(("word", "frame"), [("After", "After she left , "), ("As", "")])
    def test_what_came_before_came_before_both(self, word, frame):
        text = """
        {0}|IN|mark|3 she|PRP|nsubj|3 left|VBD|advcl|6||leave ,|,|punct|6 Lee|NNP|nsubj|6|B-PERSON
        moved|VBD|ROOT|0||move to|IN|prep|6 Kent|NNP|pobj|7|B-GPE and|CC|cc|6 sold|VBD|conj|6||sell the|DT|det|12
        mill|NN|dobj|10 .|.|punct|6
        """
        assert accepted(text.format(word), PREDICATE)[1] == f"{frame}Lee sold the mill ."

    def test_in_turn_is_none(self):
        text = """
        In|IN|prep|5 turn|NN|pobj|1 ,|,|punct|5 Lee|NNP|nsubj|5|B-PERSON moved|VBD|ROOT|0||move to|IN|prep|5
        Kent|NNP|pobj|6|B-GPE and|CC|cc|5 sold|VBD|conj|5||sell the|DT|det|11 mill|NN|dobj|9 .|.|punct|5
        """
        assert [second for _, _, second, _ in found(text)] == ["Lee sold the mill ."]
