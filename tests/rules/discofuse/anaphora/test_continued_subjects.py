"""A subject that goes on about the one before: its place says what it means."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora import places_of_links
from tests.rules.discofuse.helpers import parse

MILL = "The|DT|det|2 mill|NN|nsubj|3 hit|VBD|ROOT|0 the|DT|det|5 market|NN|dobj|3 .|.|punct|3"
IT = "It|PRP|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2"
IN_MAY_IT = "In|IN|prep|4 May|NNP|pobj|1|B-DATE it|PRP|nsubj|4 closed|VBD|ROOT|0 .|.|punct|4"
ITS_ROOF = "Its|PRP$|poss|2 roof|NN|nsubj|3 fell|VBD|ROOT|0 in|RB|advmod|3 .|.|punct|3"
HE = IT.replace("It|", "He|")
THEY = IT.replace("It|", "They|")


def meant(first: str, second: str) -> str | None:
    """The noun that the pronoun of the second sentence goes on about."""
    one, two = parse(first), parse(second)
    place = places_of_links.find(one, two, range(len(one)), range(len(two)))
    return None if place is None else one.lower[place[0]]


class TestPlace:
    @pytest.mark.parametrize("second", [IT, IN_MAY_IT, ITS_ROOF])
    def test_subject_means_the_subject(self, second):
        assert meant(MILL, second) == "mill"

    def test_person_and_plural(self):
        walsh = MILL.replace("The|DT|det|2 mill|NN", "Old|NNP|compound|2|B-PERSON Walsh|NNP").replace(
            "Walsh|NNP|nsubj|3", "Walsh|NNP|nsubj|3|I-PERSON"
        )
        assert meant(walsh, HE) == "walsh" and meant(walsh, IT) is None
        mills = MILL.replace("mill|NN", "mills|NNS")
        assert meant(mills, THEY) == "mills" and meant(mills, IT) is None and meant(MILL, THEY) is None

    @pytest.mark.parametrize(
        "second",
        [
            "Rain|NN|nsubj|2 closed|VBD|ROOT|0 it|PRP|dobj|2 .|.|punct|2",
            "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 it|PRP|nsubj|4 closed|VBD|ccomp|2 .|.|punct|2",
            "When|WRB|advmod|3 it|PRP|nsubj|3 closed|VBD|advcl|5 Walsh|NNP|nsubj|5|B-PERSON left|VBD|ROOT|0 .|.|punct|5",
            "It|PRP|nsubj|2 rained|VBD|ROOT|0||rain later|RB|advmod|2 .|.|punct|2",
        ],
        ids=["object", "behind another subject", "in a clause", "empty"],
    )
    def test_other_places_say_nothing(self, second):
        assert meant(MILL, second) is None

    @pytest.mark.parametrize(
        "first",
        [
            "Walsh|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0 the|DT|det|4 mill|NN|dobj|2 .|.|punct|2",
            "The|DT|det|2 shape|NN|nsubj|6 of|IN|prep|2 the|DT|det|5 mill|NN|pobj|3 hit|VBD|ROOT|0 me|PRP|dobj|6 "
            ".|.|punct|6",
            "Its|PRP$|poss|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 .|.|punct|3",
            "It|PRP|nsubj|2 stood|VBD|ROOT|0 and|CC|cc|2 the|DT|det|5 mill|NN|nsubj|6 burned|VBD|conj|2 .|.|punct|2",
            "This|DT|nsubj|2 helped|VBD|ROOT|0 and|CC|cc|2 the|DT|det|5 mill|NN|nsubj|6 burned|VBD|conj|2 .|.|punct|2",
            "Rain|NN|nsubj|2 fell|VBD|ROOT|0 and|CC|cc|2 the|DT|det|5 mill|NN|nsubj|6 burned|VBD|conj|2 .|.|punct|2",
            "The|DT|det|2 mill|NN|nsubj|5 and|CC|cc|2 barn|NN|conj|2 burned|VBD|ROOT|0 .|.|punct|5",
        ],
        ids=["object", "inside a phrase", "of a pronoun", "pronoun", "demonstrative", "two subjects", "joined"],
    )
    def test_not_with_a_rival(self, first):
        assert meant(first, IT) is None

    def test_another_plural_is_a_rival(self):
        assert meant(MILL.replace("mill|NN", "mills|NNS").replace("market|NN", "markets|NNS"), THEY) is None

    def test_halves_of_a_sentence(self):
        text = (
            "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 because|IN|mark|6 it|PRP|nsubj|6 stood|VBD|advcl|3 "
            "empty|JJ|acomp|6 .|.|punct|3"
        )
        one = parse(text)
        assert places_of_links.find(one, one, range(3), range(3, len(one))) == (1, 4)
        said = text.replace("burned|VBD|ROOT|0", "said|VBD|ROOT|0")
        deeper = parse(said.replace("it|PRP|nsubj|6 stood|VBD|advcl|3", "it|PRP|poss|6 stood|NN|dobj|3"))
        assert places_of_links.find(deeper, deeper, range(3), range(3, len(deeper))) is None


class TestPredicates:
    @pytest.mark.parametrize(
        "first",
        [
            "He|PRP|nsubj|2 left|VBD|ROOT|0 .|.|punct|2",
            "He|PRP|nsubj|2 was|VBD|ROOT|0||be her|PRP$|poss|4 captain|NN|attr|2 .|.|punct|2",
            "He|PRP|nsubj|2 was|VBD|ROOT|0||be a|DT|det|4 success|NN|attr|2 .|.|punct|2",
        ],
        ids=["none", "of a pronoun", "no person"],
    )
    def test_nothing_else(self, first):
        assert meant(first, HE) is None

    def test_a_thing_is_called_by_its_noun_and_a_success_is_not(self):
        it_was = "It|PRP|nsubj|2 was|VBD|ROOT|0||be a|DT|det|4 {}|NN|attr|2 .|.|punct|2"
        assert meant(it_was.format("town"), IT) == "town" and meant(it_was.format("success"), IT) is None

    def test_subject_of_a_first_half_under_the_second(self):
        text = (
            "The|DT|det|2 server|NN|nsubj|3 starts|VBZ|ccomp|7 ,|,|punct|7 so|RB|cc|7 it|PRP|nsubj|7 waits|VBZ|ROOT|0 "
            ".|.|punct|7"
        )
        one = parse(text)
        assert places_of_links.find(one, one, range(4), range(4, len(one))) == (1, 5)
