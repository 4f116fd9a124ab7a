"""Antecedents that a pronoun does not mean, or not alone, by their own place in the text before."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, second_of
from tests.testing import mention

LATER = "Today|NN|npadvmod|3 {}|PRP|nsubj|3 sold|VBD|ROOT|0||sell tools|NNS|dobj|3||tool there|RB|advmod|3 .|.|punct|3"


def pronoun(at: int = 1, *, sentence: int = 1):
    return mention(sentence, at, at + 1, "pronoun", confidence=0.9)


class TestLists:
    PERSONS = "Fox|NNP|nsubj|4|B-PERSON {} {}|conj|1 came|VBD|ROOT|0||come there|RB|advmod|4 .|.|punct|4"

    def made(self, joint="and|CC|cc|1", other="Lee|NNP", word="he"):
        first = self.PERSONS.format(joint, other).replace("conj|1", "conj|1|B-PERSON" if "NNP" in other else "conj|1")
        return second_of(first, LATER.format(word), mention(0, 0, 1, "name"), pronoun())

    def test_the_other_man_may_be_meant(self):
        assert self.made() == "Today he sold tools there ."

    @pytest.mark.parametrize("other", ["Ada|NNP", "books|NNS"])
    def test_one_who_does_not_agree_may_not(self, other):
        assert self.made(other=other) == "Today Fox sold tools there ."

    def test_a_comma_alone_makes_no_list(self):
        assert self.made(joint=",|,|punct|1") == "Today Fox sold tools there ."

    LIST = """
    Prams|NNS|nsubj|{verb}||pram ,|,|punct|1 carts|NNS|conj|1||cart {last} are|VBP|ROOT|0||be new|JJ|acomp|{verb}
    .|.|punct|{verb}
    """

    @pytest.mark.parametrize("last", ["and|CC|cc|3 bikes|NNS|conj|3||bike", "and|CC|cc|3 one|PRP|conj|3"])
    def test_all_of_a_list_are_meant(self, last):
        first = self.LIST.format(verb=6, last=last)
        links = (mention(0, 0, 1, "nominal"), pronoun())
        assert second_of(first, LATER.format("they"), *links) == "Today they sold tools there ."

    def test_a_list_that_is_the_mention_is_one(self):
        first = "Prams|NNS|nsubj|4||pram and|CC|cc|1 carts|NNS|conj|1||cart burn|VBP|ROOT|0"
        links = (mention(0, 0, 3, "nominal", head=0), pronoun())
        assert second_of(first, LATER.format("they"), *links) == "Today prams and carts sold tools there ."


class TestParts:
    FIRST = """
    {part} of|IN|prep|1 the|DT|det|4 mills|NNS|pobj|2||mill are|VBP|ROOT|0||be old|JJ|acomp|5 .|.|punct|5
    """

    @pytest.mark.parametrize("part", ["Some|DT|nsubj|5", "Many|JJ|nsubj|5", "Ten|CD|nsubj|5"])
    def test_some_of_them_are_not_all(self, part):
        assert self.made(part) == "Today they sold tools there ."

    @pytest.mark.parametrize("part", ["All|DT|nsubj|5", "One|CD|nsubj|5", "Each|DT|nsubj|5"])
    def test_others_may_be_of_all(self, part):
        assert self.made(part) == "Today the mills sold tools there ."

    def made(self, part):
        return second_of(self.FIRST.format(part=part), LATER.format("they"), mention(0, 2, 4, "nominal"), pronoun())


class TestBarred:
    PUT = "We|PRP|nsubj|2 put|VBD|ROOT|0 pots|NNS|dobj|2||pot under|IN|prep|{} them|PRP|pobj|4||they .|.|punct|2"

    def made(self, first, word, start, end, *more):
        return second_of(first, LATER.format(word), mention(0, start, end, "nominal"), *more, pronoun())

    @pytest.mark.parametrize("above", [2, 3])
    def test_nothing_is_put_under_itself(self, above):
        made = self.made(self.PUT.format(above), "they", 2, 3, pronoun(4, sentence=0))
        assert made == "Today they sold tools there ."

    def test_without_the_wrong_link_it_is_meant(self):
        assert self.made(self.PUT.format(2), "they", 2, 3) == "Today the pots sold tools there ."

    RULED = """
    {} tired|VBD|ROOT|0||tire now|RB|advmod|2 and|CC|cc|2 beat|VBD|conj|2||beat the|DT|det|7 clerk|NN|dobj|5
    .|.|punct|2
    """

    def test_a_subject_is_not_its_own_object(self):
        made = self.made(self.RULED.format("He|PRP|nsubj|2"), "he", 5, 7, pronoun(0, sentence=0))
        assert made == "Today he sold tools there ."

    def test_one_without_a_link_may_be(self):
        assert self.made(self.RULED.format("We|PRP|nsubj|2"), "he", 5, 7) == "Today the clerk sold tools there ."


class TestNoThings:
    OPENING = "{} made|VBD|ccomp|4||make up|RP|prt|2 left|VBD|ROOT|0||leave there|RB|advmod|4 .|.|punct|4"

    @pytest.mark.parametrize(
        ("name", "word", "said"),
        [
            ("Mind|NNP|nsubj|2", "he", "he"),
            ("Mind|NNP|nsubj|2", "it", "Mind"),
            ("Mind|NNP|nsubj|2|B-PERSON", "he", "Mind"),
            ("Baker|NNP|nsubj|2", "he", "Baker"),
            ("Zorn|NNP|nsubj|2", "he", "Zorn"),
        ],
    )
    def test_a_noun_that_opens_the_sentence_is_not_a_name(self, name, word, said):
        links = (mention(0, 0, 1, "name"), pronoun())
        assert second_of(self.OPENING.format(name), LATER.format(word), *links) == f"Today {said} sold tools there ."


def test_within_a_sentence_the_pronoun_stays():
    text = """
    Some|DT|nsubj|5 of|IN|prep|1 the|DT|det|4 mills|NNS|pobj|2||mill are|VBP|ROOT|0||be old|JJ|acomp|5 ,|,|punct|5
    but|CC|cc|5 they|PRP|nsubj|10 sold|VBD|conj|5||sell tools|NNS|dobj|10||tool .|.|punct|5
    """
    links = [mention(0, 2, 4, "nominal"), pronoun(8, sentence=0)]
    (made,) = candidates(text, clusters=[links], conventions="extended")
    assert made.incoherent_second_sentence == "They sold tools ."
