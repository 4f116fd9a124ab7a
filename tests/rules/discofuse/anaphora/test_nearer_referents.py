"""What stands nearer to a pronoun than its antecedent, or fits it better."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention


class TestSubjectsBefore:
    FIRST = "The|DT|det|2 law|NN|nsubj|3 failed|VBD|ROOT|0||fail there|RB|advmod|3 .|.|punct|3"
    SECOND = """
    {subject} may|MD|aux|3 end|VB|ROOT|0 ,|,|punct|3 but|CC|cc|3 it|PRP|nsubj|7 costs|VBZ|{joint}|3||cost
    money|NN|dobj|7 .|.|punct|3
    """

    def made(self, subject, joint="conj"):
        links = (mention(0, 0, 2, "nominal"), mention(1, 5, 6, "pronoun", confidence=0.9))
        return second_of(self.FIRST, self.SECOND.format(subject=subject, joint=joint), *links)

    @pytest.mark.parametrize("subject", ["War|NN|nsubj|3", "Rabies|NNS|nsubj|3||raby"])
    def test_the_subject_of_the_clause_before_is_meant(self, subject):
        assert "but it costs" in self.made(subject)

    @pytest.mark.parametrize("subject", ["Ada|NNP|nsubj|3|B-PERSON", "We|PRP|nsubj|3", "Clerks|NNS|nsubj|3||clerk"])
    def test_one_that_does_not_agree_is_not(self, subject):
        assert "but the law costs" in self.made(subject)

    def test_below_another_clause_it_is_free(self):
        assert "but the law costs" in self.made("War|NN|nsubj|3", "advcl")


class TestOneOfThem:
    FIRST = "Two|CD|nummod|2 clerks|NNS|nsubj|3||clerk came|VBD|ROOT|0||come there|RB|advmod|3 .|.|punct|3"
    SECOND = """
    {one} of|IN|prep|1 the|DT|det|4 {noun} said|VBD|ROOT|0||say they|PRP|nsubj|7 sold|VBD|ccomp|5||sell
    tools|NNS|dobj|7||tool .|.|punct|5
    """
    ONE, CLERKS = "One|CD|nsubj|5", "clerks|NNS|pobj|2||clerk"

    def made(self, one=ONE, noun=CLERKS, linked=True):
        inner = (mention(1, 2, 4, "nominal", confidence=0.9),) if linked else ()
        links = (mention(0, 0, 2, "nominal"), *inner, mention(1, 5, 6, "pronoun", confidence=0.9))
        return second_of(self.FIRST, self.SECOND.format(one=one, noun=noun), *links)

    def test_they_may_be_the_one(self):
        assert self.made() == "One of the two clerks said they sold tools ."

    def test_one_of_others_says_it_of_them(self):
        assert self.made(noun="mill|NN|pobj|2", linked=False).endswith("said the two clerks sold tools .")

    def test_so_does_the_owner_of_all(self):
        assert self.made(one="Owners|NNS|nsubj|5||owner").startswith("Owners of the two clerks said")
