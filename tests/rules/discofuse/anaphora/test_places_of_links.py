"""What the places of two mentions add to the probability that they mean the same."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import outcome
from tests.testing import mention

CUT = 0.75
IT = "It|PRP|nsubj|2 grew|VBD|ROOT|0 in|IN|prep|2 May|NNP|pobj|3 .|.|punct|2"
THEY = IT.replace("It|", "They|")
HE = IT.replace("It|", "He|")
MILL = "The|DT|det|2 mill|NN|nsubj|3 hit|VBD|ROOT|0 the|DT|det|5 market|NN|dobj|3 .|.|punct|3"
WALSH = "Boats|NNS|nsubj|2 found|VBD|ROOT|0 Walsh|NNP|dobj|2|B-PERSON there|RB|advmod|2 .|.|punct|2"
LETTER = "The|DT|det|2 letter|NN|nsubj|3 made|VBD|ROOT|0 him|PRP|dobj|3 famous|JJ|oprd|3 .|.|punct|3"
WROTE = "He|PRP|nsubj|2 wrote|VBD|ROOT|0 the|DT|det|5 long|JJ|amod|5 letter|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"


def pair(first: str, span: tuple[int, int], second: str, place: tuple[int, int], *, at: float, kind="nominal") -> str:
    """The type of a pair with a link of confidence ``at`` from the mention at ``place`` to that at ``span``."""
    anaphor = "pronoun" if place[1] - place[0] == 1 else "nominal"
    clusters = [[mention(0, *span, kind), mention(1, *place, anaphor, confidence=at)]]
    return outcome(first, second, clusters=clusters, conventions="extended", min_coref_confidence=CUT)[0]


class TestTopic:
    @pytest.mark.parametrize(("at", "expected"), [(0.45, "PAIR_ANAPHORA"), (0.44, "PAIR_NONE")])
    def test_subject_of_the_only_clause(self, at, expected):
        assert pair(MILL, (0, 2), IT, (0, 1), at=at) == expected

    @pytest.mark.parametrize(("at", "expected"), [(0.66, "PAIR_ANAPHORA"), (0.64, "PAIR_NONE")])
    def test_plural_subject_beside_another_plural(self, at, expected):
        mills = MILL.replace("mill|NN", "mills|NNS").replace("market|NN", "markets|NNS")
        assert pair(mills, (0, 2), THEY, (0, 1), at=at) == expected

    def test_a_property_is_not_a_topic(self):
        length = (
            "The|DT|det|2 length|NN|nsubj|6 of|IN|prep|2 the|DT|det|5 mill|NN|pobj|3 hit|VBD|ROOT|0 the|DT|det|8 "
            "market|NN|dobj|6 .|.|punct|6"
        )
        assert pair(length, (0, 2), IT, (0, 1), at=0.6) == "PAIR_NONE"
        its = MILL.replace("The|DT|det|2", "Its|PRP$|poss|2")
        assert pair(its, (0, 2), IT, (0, 1), at=0.6) == "PAIR_NONE"

    def test_of_inside_a_name_is_not_an_owner(self):
        church = (
            "The|DT|det|2 Church|NNP|nsubj|5|B-ORG of|IN|prep|2|I-ORG Rome|NNP|pobj|3|I-ORG hit|VBD|ROOT|0 a|DT|det|7 "
            "market|NN|dobj|5 .|.|punct|5"
        )
        clusters = [[mention(0, 1, 4, "name", head=1), mention(1, 0, 1, "pronoun", confidence=0.46)]]
        assert (
            outcome(church, IT, clusters=clusters, conventions="extended", min_coref_confidence=CUT)[0]
            == "PAIR_ANAPHORA"
        )

    def test_another_clause_is_another_topic(self):
        first = MILL.replace(".|.|punct|3", "when|WRB|advmod|8 rain|NN|nsubj|8 fell|VBD|advcl|3 .|.|punct|3")
        assert pair(first, (0, 2), IT, (0, 1), at=0.46) == "PAIR_NONE"

    def test_behind_another_subject(self):
        second = (
            "May|MD|aux|3 French|NNP|nsubjpass|3|B-NORP taught|VBN|ROOT|0 and|CC|cc|3 it|PRP|nsubj|6 grew|VBD|conj|3 "
            ".|.|punct|3"
        )
        assert pair(MILL, (0, 2), second, (4, 5), at=0.46) == "PAIR_NONE"

    def test_object_does_not(self):
        object_ = "In|IN|prep|3 May|NNP|pobj|1 grew|VBD|ROOT|0 it|PRP|dobj|3 fast|RB|advmod|3 .|.|punct|3"
        assert pair(MILL, (3, 5), object_, (3, 4), at=0.68) == "PAIR_NONE"


class TestOnlyPerson:
    @pytest.mark.parametrize(("at", "expected"), [(0.5, "PAIR_ANAPHORA"), (0.49, "PAIR_NONE")])
    def test_nobody_else_is_there(self, at, expected):
        assert pair(WALSH, (2, 3), HE, (0, 1), at=at, kind="name") == expected

    def test_two_persons(self):
        first = WALSH.replace("there|RB|advmod|2", "near|IN|prep|2 Baker|NNP|pobj|4|B-PERSON")
        assert pair(first, (2, 3), HE, (0, 1), at=0.5, kind="name") == "PAIR_NONE"

    def test_a_name_before_the_pronoun(self):
        second = (
            "It|PRP|nsubjpass|3 was|VBD|auxpass|3 said|VBN|ROOT|0||say by|IN|agent|3 Strabo|NNP|pobj|4|B-GPE in|IN|prep|3 "
            "his|PRP$|poss|8 letter|NN|pobj|6 .|.|punct|3"
        )
        assert pair(WALSH, (2, 3), second, (6, 7), at=0.5, kind="name") == "PAIR_NONE"
        one = second.replace("Strabo|NNP|pobj|4|B-GPE", "radio|NN|pobj|4")
        assert pair(WALSH, (2, 3), one, (6, 7), at=0.5, kind="name") == "PAIR_ANAPHORA"

    def test_quoted(self):
        first = WALSH.replace("there|RB|advmod|2", "there|RB|advmod|2 `|``|punct|2").replace("`|", "``|", 1)
        assert pair(first, (2, 3), HE, (0, 1), at=0.5, kind="name") == "PAIR_NONE"


class TestSameNoun:
    @pytest.mark.parametrize("opening", ["The", "This"])
    @pytest.mark.parametrize(("at", "expected"), [(0.56, "PAIR_ANAPHORA"), (0.54, "PAIR_NONE")])
    def test_the_noun_stands_once(self, opening, at, expected):
        assert pair(WROTE, (2, 5), LETTER.replace("The|", f"{opening}|"), (0, 2), at=at) == expected

    def test_two_letters(self):
        first = WROTE.replace("there|RB|advmod|2", "letters|NNS|dobj|2||letter")
        assert pair(first, (2, 5), LETTER, (0, 2), at=0.6) == "PAIR_NONE"

    def test_several_under_one_noun(self):
        first = (
            "He|PRP|nsubj|2 wrote|VBD|ROOT|0 the|DT|det|7 long|JJ|amod|7 and|CC|cc|4 short|JJ|conj|4 letter|NN|dobj|2 "
            ".|.|punct|2"
        )
        assert pair(first, (2, 7), LETTER, (0, 2), at=0.6) == "PAIR_NONE"

    def test_a_name_by_its_noun(self):
        first = "Johnson|NNP|nsubj|2 left|VBD|ROOT|0 the|DT|det|5 British|NNP|compound|5|B-ORG Army|NNP|dobj|2|I-ORG .|.|punct|2"
        second = "The|DT|det|2 army|NN|nsubj|3 was|VBD|ROOT|0||be small|JJ|acomp|3 .|.|punct|3"
        assert pair(first, (3, 5), second, (0, 2), at=0.56, kind="name") == "PAIR_ANAPHORA"
        assert pair(first, (3, 5), second.replace("army|", "Army|"), (0, 2), at=0.56, kind="name") == "PAIR_NONE"

    def test_a_name_of_another_noun_needs_its_link_alone(self):
        first = "Johnson|NNP|nsubj|2 left|VBD|ROOT|0 Leeds|NNP|dobj|2|B-GPE there|RB|advmod|2 .|.|punct|2"
        second = "The|DT|det|2 city|NN|nsubj|3 was|VBD|ROOT|0||be small|JJ|acomp|3 .|.|punct|3"
        assert pair(first, (2, 3), second, (0, 2), at=0.74, kind="name") == "PAIR_NONE"
        assert pair(first, (2, 3), second, (0, 2), at=0.76, kind="name") == "PAIR_ANAPHORA"


class TestForm:
    @pytest.mark.parametrize(
        "name",
        [
            "Highway|NNP|dobj|2|B-FAC 401|CD|nummod|3|I-FAC",  # the mention ends before the number
            "City|NNP|dobj|2|B-GPE of|IN|prep|3|I-GPE",
            "TV|NNP|compound|5|B-ORG /|SYM|punct|5|I-ORG film|NNP|dobj|2|I-ORG",
        ],
    )
    def test_a_name_that_is_cut(self, name):
        first = f"Boats|NNS|nsubj|2 reached|VBD|ROOT|0 {name} .|.|punct|2"
        span, head = ((2, 5), 4) if "/" in name else ((2, 3), 2) if "401" in name else ((2, 4), 2)
        clusters = [[mention(0, *span, "name", head=head), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, IT, clusters=clusters, conventions="extended", min_coref_confidence=CUT)[0] == "PAIR_NONE"

    def test_number_of_several_words(self):
        first = "Forty|CD|compound|3 -|HYPH|punct|3 two|CD|nummod|4 firms|NNS|nsubj|5 closed|VBD|ROOT|0 there|RB|advmod|5 .|.|punct|5"
        clusters = [[mention(0, 0, 4, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, THEY, clusters=clusters)[2] == "The forty - two firms grew in May ."
