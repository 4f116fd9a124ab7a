"""Who else may be meant: other persons beside a pronoun, and nouns that are not phrases or names of their own."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, parse
from tests.testing import mention

LEE_SAID = """
Lee|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0||say that|IN|mark|6 a|DT|det|5 {noun}|NN|nsubj|6 came|VBD|ccomp|2||come
late|RB|advmod|6 .|.|punct|2
"""
HE_LEFT = "He|PRP|nsubj|2 left|VBD|ROOT|0||leave two|CD|nummod|4 bags|NNS|dobj|2||bag there|RB|advmod|2 .|.|punct|2"
LEE_CAME = """
The|DT|det|2 crowd|NN|nsubj|3 liked|VBD|ROOT|0||like Lee|NNP|dobj|3|B-PERSON at|IN|prep|3 once|RB|pcomp|5 .|.|punct|3
"""
EDISON_PAID = """
Tesla|NNP|nsubj|2|B-PERSON agreed|VBD|ROOT|0||agree ,|,|punct|2 and|CC|cc|2 Edison|NNP|nsubj|6|B-PERSON
gave|VBD|conj|2||give him|PRP|dative|6 a|DT|det|9 dollar|NN|dobj|6 .|.|punct|2
"""
LIST_MADE = (
    "The|DT|det|2 list|NN|nsubjpass|4 was|VBD|auxpass|4 made|VBN|ROOT|0||make in|IN|prep|4 May|NNP|pobj|5 .|.|punct|4"
)
IT_NAMED = """
However|RB|advmod|4 ,|,|punct|4 it|PRP|nsubj|4 named|VBD|ROOT|0||name the|DT|det|6 {noun}|NN|dobj|4 "|``|punct|8
Leeds|NNP|oprd|4 "|''|punct|8 .|.|punct|4
"""
RIGHT_FUNCTION = """
We|PRP|nsubj|2 sought|VBD|ROOT|0||seek the|DT|det|5 right|JJ|amod|5 function|NN|dobj|2 here|RB|advmod|2 .|.|punct|2
"""
LIST_OF = """
But|CC|cc|3 there|EX|expl|3 is|VBZ|ROOT|0||be a|DT|det|5 list|NN|attr|3 of|IN|prep|5 the|DT|det|8 function|NN|pobj|6
{behind} .|.|punct|3
"""


def second_of(first: str, second: str, *clusters) -> str:
    """The second sentence made of a pair under the extended conventions."""
    (made,) = candidates(first, second, clusters=clusters, conventions="extended")
    return made.incoherent_second_sentence


class TestNearerPersons:
    LINKS = (mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9))

    def test_a_person_in_a_clause_behind_the_antecedent(self):
        assert second_of(LEE_SAID.format(noun="man"), HE_LEFT, self.LINKS) == "He left two bags there ."

    @pytest.mark.parametrize("noun", ["bus", "woman"])
    def test_another_kind_or_gender_is_not_a_rival(self, noun):
        assert second_of(LEE_SAID.format(noun=noun), HE_LEFT, self.LINKS) == "Lee left two bags there ."

    def test_a_person_who_is_meant_too(self):
        links = (self.LINKS[0], mention(0, 3, 5, "nominal"), self.LINKS[1])
        assert second_of(LEE_SAID.format(noun="man"), HE_LEFT, links) == "Lee left two bags there ."

    def test_an_object_is_not_a_rival(self):
        text = LEE_SAID.format(noun="man").replace("man|NN|nsubj|6", "man|NN|dobj|6")
        assert second_of(text, HE_LEFT, self.LINKS) == "Lee left two bags there ."


class TestPersonsOfTheSameHalf:
    LINKS = (mention(0, 3, 4, "name"), mention(1, 6, 7, "pronoun", confidence=0.9))

    def test_the_same_in_one_sentence(self):
        links = (mention(0, 0, 1, "name"), mention(0, 6, 7, "pronoun", confidence=0.9))
        assert second_of(EDISON_PAID, "", links) == "Edison gave Tesla a dollar ."

    def test_a_name_does_not_come_back_below_a_pronoun_that_stays(self):
        second = HE_LEFT.replace("two|CD|nummod", "his|PRP$|poss")
        links = [self.LINKS[0], *(mention(1, k, k + 1, "pronoun", confidence=c) for k, c in ((0, 0.3), (2, 0.99)))]
        assert second_of(LEE_CAME, second, links) == "He left his bags there ."


class TestBinding:
    LINKS = (mention(0, 0, 2, "nominal"), mention(1, 2, 3, "pronoun", confidence=0.9), mention(1, 4, 6, "nominal"))

    def test_a_pronoun_is_not_its_own_object(self):
        assert second_of(LIST_MADE, IT_NAMED.format(noun="list"), self.LINKS).startswith("It named the list")

    def test_another_object(self):
        links = self.LINKS[:2]
        assert second_of(LIST_MADE, IT_NAMED.format(noun="town"), links).startswith("The list named the town")


class TestModifiers:
    LINKS = (mention(0, 2, 5, "nominal"), mention(1, 6, 8, "nominal", confidence=0.9))

    @pytest.mark.parametrize("label", ["compound", "nmod", "amod"])
    def test_a_modifier_is_never_replaced(self, label):
        text = LIST_OF.format(behind="-|HYPH|punct|10 calls|NNS|pobj|6||call")
        text = text.replace("function|NN|pobj|6", f"function|NN|{label}|10").replace("the|DT|det|8", "the|DT|det|10")
        assert second_of(RIGHT_FUNCTION, text, self.LINKS) == "There is a list of the function - calls ."


class TestWhatIsMeant:
    LINKS = (mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9))
    FIRST = "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0||burn at|IN|prep|3 night|NN|pobj|4 .|.|punct|3"
    CLEFT = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be {} that|WDT|nsubj|6 makes|VBZ|relcl|4||make flour|NN|dobj|6||flour .|.|punct|2"

    @pytest.mark.parametrize("noun", ["cheap|JJ|amod|4 water|NN|attr|2", "here|RB|advmod|2 water|NN|attr|2"])
    def test_a_bare_noun_between_it_and_that(self, noun):
        assert second_of(self.FIRST, self.CLEFT.format(noun), self.LINKS).startswith("It is ")

    @pytest.mark.parametrize(("label", "lemma"), [("ROOT|0", "be"), ("aux|3", "'s")])
    def test_a_contraction_with_a_typographic_mark(self, label, lemma):
        made = parse(f"It|PRP|nsubj|2 ’s|VBZ|{label}||’s made|VBN|ROOT|0||make")
        assert made.tokens[1].lemma == lemma

    def test_a_cleft_with_one(self):
        text = self.CLEFT.format("cheap|JJ|amod|4 water|NN|attr|2").replace("is|VBZ|ROOT|0||be", "’s|VBZ|ROOT|0||’s")
        assert second_of(self.FIRST, text, self.LINKS).startswith("It 's ")

    @pytest.mark.parametrize("noun", ["a|DT|det|4 house|NN|attr|2", "the|DT|det|4 house|NN|attr|2"])
    def test_a_noun_with_an_article(self, noun):
        assert second_of(self.FIRST, self.CLEFT.format(noun), self.LINKS).startswith("The mill is ")

    def test_the_object_of_one_who_is_said_to_be_the_same(self):
        first = "He|PRP|nsubj|2 left|VBD|ROOT|0||leave Lee|NNP|dobj|2|B-PERSON there|RB|advmod|2 .|.|punct|2"
        links = [mention(0, 0, 1, "pronoun"), mention(0, 2, 3, "name"), self.LINKS[1]]
        assert second_of(first, HE_LEFT, links) == "He left two bags there ."
        assert second_of(first, HE_LEFT, links[1:]) == "He left two bags there ."  # nor if "he" is another
        assert second_of(first.replace("He|PRP", "We|PRP"), HE_LEFT, links[1:]) == "Lee left two bags there ."


class TestNouns:
    LINKS = (mention(0, 6, 8, "nominal"), mention(1, 0, 2, "nominal", confidence=0.9))
    THINK_AS = """
    They|PRP|nsubj|2 think|VBP|ROOT|0||think of|IN|prep|2 Iowa|NNP|pobj|3|B-GPE today|NN|npadvmod|2 {role}|IN|prep|2
    {modifier}|8 country|NN|pobj|6 .|.|punct|2
    """
    COUNTRY = "The|DT|det|2 country|NN|nsubj|3 is|VBZ|ROOT|0||be at|IN|prep|3 peace|NN|pobj|4 .|.|punct|3"

    THINK_IN = """
    They|PRP|nsubj|2 think|VBP|ROOT|0||think of|IN|prep|2 Iowa|NNP|pobj|3|B-GPE {role}|IN|prep|2 a|DT|det|8
    {modifier}|8 country|NN|pobj|5 .|.|punct|2
    """

    def test_one_said_of_another_with_as(self):
        text = self.THINK_AS.format(role="as", modifier="coal|NN|compound")
        assert second_of(text, self.COUNTRY, self.LINKS) == "The country is at peace ."
        text = self.THINK_IN.format(role="as", modifier="coal|NN|compound")
        assert second_of(text, self.COUNTRY, self.LINKS) == "The country is at peace ."

    def test_one_that_another_stands_in(self):
        text = self.THINK_IN.format(role="in", modifier="coal|NN|compound")
        assert second_of(text, self.COUNTRY, self.LINKS) == "The coal country is at peace ."

    @pytest.mark.parametrize(("word", "again"), [("previous", "The"), ("new", "The new")])
    def test_one_that_is_told_from_the_next(self, word, again):
        text = self.THINK_IN.format(role="in", modifier=f"{word}|JJ|amod")
        assert second_of(text, self.COUNTRY, self.LINKS) == f"{again} country is at peace ."

    @pytest.mark.parametrize(("joint", "again"), [("and|CC|cc", "The"), ("of|IN|prep", "The bread")])
    def test_one_of_two_modifiers(self, joint, again):
        first = (
            f"Milk|NN|nsubj|5 {joint}|1 bread|NN|compound|4 runs|NNS|conj|1||run came|VBD|ROOT|0||come late|RB|advmod|5 "
            ".|.|punct|5"
        )
        second = "The|DT|det|2 runs|NNS|nsubj|3||run ended|VBD|ROOT|0||end at|IN|prep|3 night|NN|pobj|4 .|.|punct|3"
        links = (mention(0, 2, 4, "nominal"), self.LINKS[1])
        assert second_of(first, second, links) == f"{again} runs ended at night ."

    @pytest.mark.parametrize(("mark", "again"), [('"', "Bell"), (",", "Mr. Bell")])
    def test_what_something_is_called(self, mark, again):
        first = (
            f"She|PRP|nsubj|2 has|VBZ|ROOT|0||have a|DT|det|4 dog|NN|dobj|2 {mark}|``|punct|4 Mr.|NNP|compound|7 "
            f"Bell|NNP|appos|4|B-PERSON {mark}|''|punct|4 here|RB|advmod|2 .|.|punct|2"
        )
        second = "Bell|NNP|nsubj|2|B-PERSON lives|VBZ|ROOT|0||live in|IN|prep|2 Leeds|NNP|pobj|3|B-GPE .|.|punct|2"
        links = (mention(0, 5, 7, "name"), mention(1, 0, 1, "name", confidence=0.9))
        assert second_of(first, second, links) == f"{again} lives in Leeds ."
