"""Whether a copied phrase is a whole one, also where an article was put before it."""

import pytest

from gistmill.rules.discofuse import discourse_connective
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, names_again
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse import parses as p
from tests.rules.discofuse.helpers import changed, parse, said

CASES = by_heading(__file__)


class TestArticleOfThePhrase:
    """An article that was put before the phrase has no place in the sentence."""

    @pytest.mark.parametrize("determiner", ["the|DT|det", "two|CD|nummod"])
    @pytest.mark.parametrize("conjunction", ["and", "or"])
    def test_another_name_for_the_noun_before(self, determiner, conjunction):
        tree = parse(f"""
        They|PRP|nsubj|2 saw|VBD|ROOT|0||see a|DT|det|4 clerk|NN|dobj|2 {conjunction}|CC|cc|4 {determiner}|7
        men|NNS|conj|4||man .|.|punct|2
        """)
        assert names_again(tree, definite(core(tree, 6)), 6) is (conjunction == "and")


class TestComplements:
    ROLL = parses.of("We read the Roll of {noun} there .")

    def test_a_name_goes_on_behind_of(self):
        for noun, made in CASES["a name goes on behind of"]:
            assert said(self.ROLL.format(entity="", noun=noun), 2, 4, "name") == made, noun

    def test_that_of_a_person_or_country_does_not(self):
        first = "Ada|NNP|nsubj|4|{0} of|IN|prep|1 Leeds|NNP|pobj|2|B-GPE left|VBD|ROOT|0||leave .|.|punct|4"
        assert said(first.format("B-ORG"), 0, 1, "name") == "Ada of Leeds"
        assert said(first.format("B-PERSON"), 0, 1, "name") == "Ada"
        assert said(first.format("B-GPE"), 0, 1, "name") == "Ada"


class TestArticles:
    NAMED = parses.of("{noun} of Leeds won there .")

    def test_an_institution_has_one(self):
        for noun, made in (("University", "the University of Leeds"), ("Acme", "Acme of Leeds")):
            assert said(self.NAMED.format(noun=noun), 0, 3, "name", head=0) == made, noun

    def test_one_that_it_has_is_enough(self):
        first = parses.of("The University of Leeds won .")
        assert said(first, 0, 4, "name", head=1) == "The University of Leeds"


class TestTitles:
    OFFICE = parses.of("During work as Envoy to Chad , came rain .")

    def test_an_office_is_not_a_name(self):
        assert said(self.OFFICE.format(entity="").replace("Envoy", "Ambassador"), 3, 4, "name") == ""

    def test_a_name_may_stand_there(self):
        assert said(self.OFFICE.format(entity=""), 3, 4, "name") == "Envoy"


# What an apposition or a relative clause is about, where another noun, a list or another time may be meant.


class TestSubjectThatIsAConnective:
    def test_it_is_none(self):
        assert discourse_connective.find(parse(p.HOPED)) is None

    def test_a_marker_is_one(self):
        match = discourse_connective.find(parse(changed(p.HOPED, ("This|DT|nsubj|8", "Then|RB|advmod|8"))))
        assert match is not None and match.text == "then ,"
