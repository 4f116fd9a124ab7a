"""Whether a copied phrase is a whole one, also where an article was put before it."""

import pytest

from gistmill.rules.discofuse import discourse_connective
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, names_again
from tests.rules.discofuse import parses as p
from tests.rules.discofuse.helpers import changed, parse


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


class TestSubjectThatIsAConnective:
    def test_it_is_none(self):
        assert discourse_connective.find(parse(p.HOPED)) is None

    def test_a_marker_is_one(self):
        match = discourse_connective.find(parse(changed(p.HOPED, ("This|DT|nsubj|8", "Then|RB|advmod|8"))))
        assert match is not None and match.text == "then ,"
