"""What a second part needs of the first: frames, owners, auxiliaries and conditions."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, changed, rejections

PREDICATE, CLAUSE, INNER = "SINGLE_VP_COORD", "SINGLE_S_COORD", "SINGLE_CONN_INNER"


class TestFrames:
    CLOSED = """
    After|IN|prep|8 the|DT|det|3 war|NN|pobj|1 ,|,|punct|8 {0}|RB|advmod|8 ,|,|punct|8 Lee|NNP|nsubj|8|B-PERSON
    closed|VBD|ROOT|0||close the|DT|det|10 mill|NN|dobj|8 and|CC|cc|8 sold|VBD|conj|8||sell the|DT|det|14 land|NN|dobj|12
    .|.|punct|8
    """

    def test_a_link_to_the_text_before_does_not_part_it(self):
        assert accepted(self.CLOSED.format("however"), PREDICATE)[1] == "After the war , Lee sold the land ."

    def test_a_rate_is_not_a_time(self):
        text = """
        In|IN|prep|5 1990|CD|pobj|1|B-DATE ,|,|punct|5 Lee|NNP|nsubj|5|B-PERSON sold|VBD|ROOT|0||sell land|NN|dobj|5
        and|CC|cc|5 the|DT|det|10 {0}|JJ|amod|10|B-DATE rent|NN|nsubj|11 rose|VBD|conj|5||rise fast|RB|advmod|11
        .|.|punct|5
        """
        assert accepted(text.format("annual"), CLAUSE)[1] == "In 1990 , the annual rent rose fast ."
        assert accepted(text.format("1980"), CLAUSE)[1] == "The 1980 rent rose fast ."

    def test_a_deed_of_the_first_is_not_a_frame_of_another_s(self):
        text = """
        With|IN|prep|6 Ada|NNP|nsubj|3|B-PERSON working|VBG|pcomp|1||work ,|,|punct|6 Lee|NNP|nsubj|6|B-PERSON
        sold|VBD|ROOT|0||sell land|NN|dobj|6 and|CC|cc|6 the|DT|det|10 rent|NN|nsubj|11 rose|VBD|conj|6||rise
        fast|RB|advmod|11 .|.|punct|6
        """
        assert accepted(text, CLAUSE)[1] == "The rent rose fast ."

    @pytest.mark.parametrize(("word", "reasons"), [("her|PRP$|poss", ["AMBIGUOUS"]), ("the|DT|det", [None])])
    def test_whose_it_is_may_change(self, word, reasons):
        text = """
        In|IN|prep|6 {0}|3 time|NN|pobj|1 ,|,|punct|6 Ada|NNP|nsubj|6|B-PERSON sold|VBD|ROOT|0||sell land|NN|dobj|6
        and|CC|cc|6 the|DT|det|10 clerk|NN|nsubj|11 left|VBD|conj|6||leave town|NN|dobj|11 .|.|punct|6
        """
        assert rejections(text.format(word), CLAUSE) == reasons

    BY_MAY = """
    By|IN|prep|6 May|NNP|pobj|1|B-DATE ,|,|punct|6 Lee|NNP|nsubj|6|B-PERSON {0} reached|{1}|ROOT|0||reach
    Kent|NNP|dobj|6|B-GPE and|CC|cc|6 was|VBD|auxpass|10||be sent|VBN|conj|6||send {2}|RB|advmod|10 .|.|punct|6
    """

    @pytest.mark.parametrize("own", ["later", "then"])
    def test_the_second_has_a_time_of_its_own(self, own):
        text = self.BY_MAY.format("had|VBD|aux|6||have", "VBN", own)
        assert rejections(text, PREDICATE) == [None]


class TestOwners:
    WHILE = """
    Kent|NNP|poss|3|B-GPE 's|POS|case|1 crew|NN|nsubj|4 was|VBD|ROOT|0||be old|JJ|acomp|4 ,|,|punct|4 while|IN|mark|{0}
    """

    @pytest.mark.parametrize(("noun", "reasons"), [("", ["SHARED_PART"]), ("crew|NN|nsubj|11", [None])])
    def test_an_owner_is_not_what_is_owned(self, noun, reasons):
        verb = 11 if noun else 10
        text = self.WHILE.format(verb) + (
            f"Rome|NNP|{'poss|10' if noun else 'nsubj|10'}|B-GPE 's|POS|case|8 {noun} "
            f"was|VBD|advcl|4||be quite|RB|advmod|{verb + 2} young|JJ|acomp|{verb} .|.|punct|4"
        )
        assert rejections(text, INNER) == reasons

    def test_it_may_mean_nothing(self):
        text = """
        {0} {1}|VBZ|ROOT|0||{2} that|IN|mark|5 Lee|NNP|nsubj|5|B-PERSON left|VBD|ccomp|2||leave ,|,|punct|2
        and|CC|cc|2 may|MD|aux|9 help|VB|conj|2||help us|PRP|dobj|9 .|.|punct|2
        """
        assert rejections(text.format("It|PRP|nsubj|2", "seems", "seem"), PREDICATE) == ["NO_SUBJECT"]
        assert rejections(text.format("Ada|NNP|nsubj|2|B-PERSON", "shows", "show"), PREDICATE) == [None]


class TestForms:
    PUT = """
    The|DT|det|2 rule|NN|nsubjpass|4 was|VBD|auxpass|4||be put|VBN|ROOT|0||put in|IN|prep|4 place|NN|pobj|5 and|CC|cc|4
    {0}|VBD|conj|4||{1} permanent|JJ|{2}|8 in|IN|prep|8 May|NNP|pobj|10|B-DATE .|.|punct|4
    """

    def test_what_was_made_of_it_is_a_passive(self):
        assert rejections(self.PUT.format("made", "make", "oprd"), PREDICATE) == ["SHARED_PART"]

    def test_what_it_made_is_none(self):
        text = changed(self.PUT.format("made", "make", "dobj"), ("permanent|JJ", "history|NN"))
        assert accepted(text, PREDICATE)[1] == "The rule made history in May ."

    IS = """
    The|DT|det|2 mill|NN|nsubj|3 {0}|ROOT|0||be a|DT|det|6 stone|NN|compound|6 house|NN|attr|3 and|CC|cc|3
    built|VBN|conj|3||build in|IN|prep|8 {1} .|.|punct|3
    """

    def test_a_present_is_not_of_a_day(self):
        assert rejections(self.IS.format("is|VBZ", "1990|CD|pobj|9|B-DATE"), PREDICATE) == ["SHARED_PART"]
        assert (
            accepted(self.IS.format("is|VBZ", "Kent|NNP|pobj|9|B-GPE"), PREDICATE)[1] == "The mill is built in Kent ."
        )


class TestConditions:
    RAINED = """
    {0}|VBD|aux|3 it|PRP|nsubj|3 rained|VBN|advcl|8||rain ,|,|punct|8 Lee|NNP|nsubj|8|B-PERSON might|MD|aux|8
    have|VB|aux|8||have left|VBN|ROOT|0||leave ,|,|punct|8 and|CC|cc|8 Ada|NNP|nsubj|14|B-PERSON might|MD|aux|14
    have|VB|aux|14||have stayed|VBN|conj|8||stay there|RB|advmod|14 .|.|punct|8
    """

    def test_an_inverted_one_holds_for_both(self):
        assert rejections(self.RAINED.format("Had"), CLAUSE) == ["NOT_ASSERTED"]

    def test_a_verb_that_opens_a_sentence_may_be_none(self):
        text = changed(self.RAINED.format("Had"), ("Had|VBD|aux|3", "Later|RB|advmod|8"), ("advcl", "dep"))
        assert rejections(text, CLAUSE) == [None]


class TestPassives:
    NAMED = """
    He|PRP|nsubjpass|3 was|VBD|auxpass|3||be named|VBN|ROOT|0||name to|IN|prep|3 teams|NNS|pobj|4||team and|CC|cc|3
    {0}|conj|3||{1} the|DT|det|9 best|NN|dobj|7 .|.|punct|3
    """

    def test_the_same_verb_may_be_one_more(self):
        assert rejections(self.NAMED.format("named|VBD", "name"), PREDICATE) == ["SHARED_PART"]

    def test_another_has_an_object_of_its_own(self):
        assert accepted(self.NAMED.format("called|VBD", "call"), PREDICATE)[1] == "He called the best ."


class TestModals:
    CAME = """
    Ada|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come there|RB|advmod|2 and|CC|cc|2 {0} help|{1}|conj|2||help us|PRP|dobj|6
    .|.|punct|2
    """

    @pytest.mark.parametrize("word", ["may", "will", "can"])
    def test_a_second_predicate_may_have_its_own(self, word):
        text = self.CAME.format(f"{word}|MD|aux|6||{word}", "VB")
        assert accepted(text, PREDICATE)[1] == f"Ada {word} help us ."

    def test_a_form_that_it_does_not_go_with_is_refused(self):
        assert rejections(self.CAME.format("may|MD|aux|6||may", "VBD"), PREDICATE) == ["VERB_FORM"]
