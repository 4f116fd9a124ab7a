"""Which mentions give way to which phrases: parts of names, brackets, possessors, measures and places of subjects."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention

SECOND = "{}|NNP|nsubj|2{} sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"
NAMED = (
    "We|PRP|nsubj|2 met|VBD|ROOT|0||meet {0}|NNP|compound|4|B-{2} {1}|NNP|dobj|2|I-{2} there|RB|advmod|2 .|.|punct|2"
)


class TestPartsOfNames:
    LINKS = (mention(0, 2, 4, "name"), mention(1, 0, 1, "name", confidence=0.9))

    @pytest.mark.parametrize(
        ("first", "last", "kind", "short", "made"),
        [
            ("Ada", "Lane", "PERSON", "Ada", "Ada Lane"),
            ("Ada", "Lane", "PERSON", "Lane", "Ada Lane"),
            ("Dolby", "Vision", "PERSON", "Dolby", "Dolby"),
            ("Harvard", "University", "ORG", "Harvard", "Harvard University"),
        ],
    )
    def test_a_person_goes_by_surname_or_first_name(self, first, last, kind, short, made):
        second = SECOND.format(short, f"|B-{kind}")
        assert second_of(NAMED.format(first, last, kind), second, *self.LINKS) == f"{made} sold tools there ."


class TestBrackets:
    BRACKETS = """
    We|PRP|nsubj|3 now|RB|advmod|3 made|VBD|ROOT|0||make a|DT|det|5 release|NN|dobj|3 (|-LRB-|punct|5 {inside}
    )|-RRB-|punct|5 there|RB|advmod|3 .|.|punct|3
    """
    IT_SOLD = SECOND.format("It", "").replace("NNP", "PRP")

    def made(self, inside, start, end, kind, *more):
        links = (*more, mention(0, start, end, kind), mention(1, 0, 1, "pronoun", confidence=0.9))
        return second_of(self.BRACKETS.format(inside=inside), self.IT_SOLD, *links)

    def test_an_abbreviation_is_not_a_topic(self):
        assert self.made("LTR|NNP|appos|5|B-ORG", 6, 7, "name").startswith("It sold")

    def test_what_it_stands_for_is_one(self):
        whole = mention(0, 3, 5, "nominal")
        assert self.made("LTR|NNP|appos|5|B-ORG", 6, 7, "name", whole) == "The release sold tools there ."

    def test_nor_is_a_noun_of_a_remark(self):
        assert self.made("the|DT|det|8 panel|NN|appos|5", 6, 8, "nominal").startswith("It sold")

    def test_a_name_in_a_remark_may_be(self):
        assert self.made("now|RB|advmod|8 Acme|NNP|appos|5|B-ORG", 7, 8, "name") == "Acme sold tools there ."


class TestPossessors:
    FIRST = NAMED.format("Ada", "Lane", "PERSON")
    SPITE = """
    Despite|IN|prep|9 {owner} illness|NN|pobj|1 and|CC|cc|{joint} her|PRP$|poss|7 pain|NN|conj|{joint} we|PRP|nsubj|9
    left|VBD|ROOT|0||leave today|NN|npadvmod|9 .|.|punct|9
    """
    LINKS = (mention(0, 2, 4, "name"), mention(1, 5, 6, "pronoun", confidence=0.9))

    def made(self, owner, joint):
        text = self.SPITE.format(owner=owner, joint=joint)
        return second_of(self.FIRST, text, *self.LINKS)

    @pytest.mark.parametrize("joint", [4, 1])
    def test_the_noun_beside_it_has_an_owner(self, joint):
        assert self.made("daughter|NN|poss|4 's|POS|case|2", joint).startswith("Despite daughter 's illness and her")

    @pytest.mark.parametrize("owner", ["father|NN|poss|4 's|POS|case|2", "a|DT|det|4 bad|JJ|amod|4"])
    def test_one_that_does_not_agree_is_none(self, owner):
        assert "illness and Ada Lane 's pain" in self.made(owner, 4)

    @pytest.mark.parametrize(("label", "name"), [("ORG", "his"), ("FAC", "Leo Grey 's")])
    def test_a_full_name_taken_for_an_organisation_s(self, label, name):
        first = NAMED.format("Leo", "Grey", "PERSON")
        second = (
            f"Then|RB|advmod|4 Novak|NNP|compound|3|B-{label} Dolan|NNP|nsubj|4|I-{label} won|VBD|ROOT|0||win "
            "his|PRP$|poss|6 title|NN|dobj|4 there|RB|advmod|4 .|.|punct|4"
        )
        links = (mention(0, 2, 4, "name"), mention(1, 4, 5, "pronoun", confidence=0.9))
        assert f"Novak Dolan won {name} title" in second_of(first, second, *links)

    @pytest.mark.parametrize(("before", "said"), [("of|IN|prep|3", "their"), ("in|IN|prep|2", "the mills '")])
    def test_of_their_own_is_the_subject_s(self, before, said):
        first = (
            "The|DT|det|2 mills|NNS|nsubj|3||mill sold|VBD|ROOT|0||sell flour|NN|dobj|3 there|RB|advmod|3 .|.|punct|3"
        )
        second = (
            f"It|PRP|nsubj|2 had|VBD|ROOT|0||have ten|CD|dobj|2 {before} their|PRP$|poss|6 own|JJ|pobj|4 there|RB|advmod|2 "
            ".|.|punct|2"
        )
        links = (mention(0, 0, 2, "nominal"), mention(1, 4, 5, "pronoun", confidence=0.9))
        assert f"{said} own" in second_of(first, second, *links)


class TestPlaces:
    FIRST = NAMED.format("Ada", "Lane", "PERSON")
    WHEN = """
    When|WRB|advmod|3 friends|NNS|nsubj|3||friend came|VBD|advcl|{verb}||come {to_visit} she|PRP|nsubj|{verb}
    wept|VBD|ROOT|0||weep there|RB|advmod|{verb} .|.|punct|{verb}
    """

    def made(self, text, at):
        return second_of(self.FIRST, text, mention(0, 2, 4, "name"), mention(1, at, at + 1, "pronoun", confidence=0.9))

    def test_a_name_behind_a_verb_would_be_its_object(self):
        text = self.WHEN.format(verb=7, to_visit="to|TO|aux|5 visit|VB|advcl|3")
        assert self.made(text, 5) == "When friends came to visit she wept there ."

    def test_a_comma_keeps_them_apart(self):
        text = self.WHEN.format(verb=7, to_visit="late|RB|advmod|3 ,|,|punct|7")
        assert self.made(text, 5) == "When friends came late , Ada Lane wept there ."

    def test_the_verb_above_has_the_clause(self):
        text = (
            "We|PRP|nsubj|2 said|VBD|ROOT|0||say she|PRP|nsubj|4 wept|VBD|ccomp|2||weep there|RB|advmod|4 .|.|punct|2"
        )
        assert self.made(text, 2) == "We said Ada Lane wept there ."

    def test_the_auxiliary_is_its_own(self):
        text = "Now|RB|advmod|4 had|VBD|aux|4 she|PRP|nsubj|4 wept|VBN|ROOT|0||weep there|RB|advmod|4 .|.|punct|4"
        assert self.made(text, 2) == "Now had Ada Lane wept there ."


class TestKinds:
    def made(self, entity, article=""):
        first = f"We|PRP|nsubj|2 left|VBD|ROOT|0||leave Next|NNP|dobj|2|B-{entity} there|RB|advmod|2 .|.|punct|2"
        n = 5 if article else 4
        second = (
            f"He|PRP|nsubj|2 was|VBD|ROOT|0||be {article}president|NN|attr|2 of|IN|prep|{n - 1} Leeds|NNP|pobj|{n}|B-GPE "
            ".|.|punct|2"
        )
        return second_of(first, second, mention(0, 2, 3, "name"), mention(1, 0, 1, "pronoun", confidence=0.9))

    def test_an_office_is_a_person_s(self):
        assert self.made("ORG") == "He was president of Leeds ."

    def test_a_person_has_it(self):
        assert self.made("PERSON") == "Next was president of Leeds ."

    def test_a_description_may_be_said_of_a_name_of_any_kind(self):
        assert self.made("ORG", "a|DT|det|4 ") == "Next was a president of Leeds ."

    GB = (
        "It|PRP|nsubj|2 has|VBZ|ROOT|0||have {} {}|NNS|dobj|2||gb of|IN|prep|4 RAM|NNP|pobj|5{} now|RB|advmod|2 "
        ".|.|punct|2"
    )

    @pytest.mark.parametrize(("number", "made"), [("8|CD|nummod|4", "RAM"), ("fast|JJ|amod|4", "Alpha RAM")])
    def test_a_measure_is_of_other_stuff(self, number, made):
        first = NAMED.format("Alpha", "RAM", "PRODUCT")
        second = self.GB.format(number, "bars", "|B-PRODUCT")
        links = (mention(0, 2, 4, "name"), mention(1, 5, 6, "name", confidence=0.9))
        assert f"of {made} now" in second_of(first, second, *links)

    @pytest.mark.parametrize(
        ("entity", "pronoun", "made"), [("values", "They", "They"), ("owners", "They", "The owners")]
    )
    def test_a_property_of_many(self, entity, pronoun, made):
        first = (
            f"The|DT|det|2 {entity}|NNS|nsubj|6||{entity[:-1]} of|IN|prep|2 all|DT|det|5 mills|NNS|pobj|3||mill "
            "rose|VBD|ROOT|0||rise .|.|punct|6"
        )
        second = f"{pronoun}|PRP|nsubj|2 sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"
        links = (mention(0, 0, 5, "nominal", head=1), mention(1, 0, 1, "pronoun", confidence=0.9))
        assert second_of(first, second, *links).startswith(f"{made} ")


@pytest.mark.parametrize(("verb", "made"), [("live|VBP", "Older people"), ("lived|VBD", "The older people")])
def test_a_kind_that_is_compared_has_no_article(verb, made):
    first = (
        f"Older|JJR|amod|2||old people|NNS|nsubj|3 {verb}|ROOT|0||live well|RB|advmod|3 here|RB|advmod|3 .|.|punct|3"
    )
    second = "They|PRP|nsubj|2 feel|VBP|ROOT|0 younger|JJR|acomp|2||young now|RB|advmod|2 .|.|punct|2"
    links = (mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9))
    assert second_of(first, second, *links) == f"{made} feel younger now ."
