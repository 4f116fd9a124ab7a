"""Signs around a relative clause that it was read wrongly: of its antecedent, of its end, of what it is joined to."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

RELATIVE = "SINGLE_RELATIVE"
MEASURE = (
    "The|DT|det|2 road|NN|nsubj|3 was|VBD|ROOT|0||be 9|CD|nummod|5|B-{label} {noun}|NNS|attr|3|{label2}|{noun} "
    ",|,|punct|5 which|WDT|nsubj|8 felt|VBD|relcl|5||feel shorter|JJR|acomp|8 .|.|punct|3"
)
SAVED = (
    "They|PRP|nsubj|2 saved|VBD|ROOT|0||save the|DT|det|4 mill|NN|dobj|2 ,|,|punct|4 which|WDT|nsubj|7 "
    "is|VBZ|relcl|4||be {more}|JJR|attr|7 {than} .|.|punct|2"
)
OLD_PEOPLE = (
    "It|PRP|nsubj|2 is|VBZ|ROOT|0||be {article}|{tag}|det|{head} non|JJ|amod|7 -|HYPH|punct|4 Greek|JJ|amod|7 "
    "tribe|NN|attr|2 ,|,|punct|7 which|WDT|nsubj|10 fell|VBD|relcl|7||fall in|IN|prep|10 1402|CD|pobj|11|B-DATE "
    ".|.|punct|2"
)
HEATHEN = (
    "They|PRP|nsubj|2 mourned|VBD|ROOT|0||mourn Eric|NNP|dobj|2|{kind} ,|,|punct|3 a|DT|det|6 {heathen}|NN|appos|3 "
    "before|IN|prep|2 turning|VBG|pcomp|7||turn to|IN|prep|8 Olaf|NNP|pobj|9|B-PERSON ,|,|punct|10 who|WP|nsubj|13 "
    "sang|VBD|relcl|10||sing well|RB|advmod|13 .|.|punct|2"
)
TWO_NAMES = (
    "The|DT|det|2 road|NN|nsubj|3 joins|VBZ|ROOT|0||join Upton|NNP|dobj|3|B-GPE and|CC|cc|4 Norton|NNP|conj|4|{entity} "
    ",|,|punct|4 which|WDT|nsubj|9 has|VBZ|relcl|4||have mills|NNS|dobj|9||mill .|.|punct|3"
)
BELL = (
    "It|PRP|nsubj|2 rings|VBZ|ROOT|0||ring {when}|WRB|advmod|5 hammers|NNS|nsubj|5||hammer hit|VBP|advcl|2||hit "
    "the|DT|det|7 bell|NN|dobj|5 ,|,|punct|7 which|WDT|nsubj|10 has|VBZ|relcl|7||have cracks|NNS|dobj|10||crack "
    ",|,|punct|10 or|CC|cc|10 when|WRB|advmod|16 it|PRP|nsubj|16 falls|VBZ|conj|10||fall .|.|punct|2"
)
YOUNG = (
    "We|PRP|nsubj|2 saw|VBD|ROOT|0||see {young}|NNS|dobj|2||{lemma} of|IN|prep|3 two|CD|nummod|6|B-CARDINAL "
    "toads|NNS|pobj|4||toad ,|,|punct|6 which|WDT|nsubj|9 live|VBP|relcl|6||live in|IN|prep|9 mud|NN|pobj|10 .|.|punct|2"
)


class TestAntecedent:
    @pytest.mark.parametrize("label", ["QUANTITY", "MONEY", "CARDINAL"])
    def test_a_number_is_not_what_was_measured(self, label):
        text = MEASURE.format(label=label, label2="I-" + label, noun="miles")
        assert rejections(text, RELATIVE) == ["WRONG_SCOPE"]

    def test_counted_things_may_be_meant(self):
        text = MEASURE.format(label="CARDINAL", label2="", noun="stages")
        assert "WRONG_SCOPE" not in rejections(text, RELATIVE)

    def test_a_deed_is_a_gift(self):
        text = SAVED.format(more="x", than="").replace("x|JJR|attr|7 ", "a|DT|det|9 gift|NN|attr|7")
        assert rejections(text, RELATIVE) == ["CLAUSAL_ANTECEDENT"]

    def test_a_phrase_whose_article_is_read_as_another_s_is_cut(self):
        assert rejections(OLD_PEOPLE.format(article="a", tag="DT", head=2), RELATIVE) == ["WRONG_SCOPE"]
        assert accepted(OLD_PEOPLE.format(article="a", tag="DT", head=7), RELATIVE)[1].startswith(
            "The non - Greek tribe"
        )

    def test_a_belief_is_nobody(self):
        text = HEATHEN.format(kind="B-FAC", heathen="farm").replace("Olaf|NNP|pobj|9|B-PERSON", "Buddhism|NNP|pobj|9|")
        assert rejections(text, RELATIVE) == ["WRONG_SCOPE"]

    def test_two_names_are_not_one(self):
        assert "WRONG_SCOPE" in rejections(TWO_NAMES.format(entity="B-GPE"), RELATIVE)
        one = TWO_NAMES.format(entity="I-ORG").replace("B-GPE", "B-ORG").replace("and|CC|cc|4", "and|CC|cc|4|I-ORG")
        assert "WRONG_SCOPE" not in rejections(one, RELATIVE)

    @pytest.mark.parametrize(("young", "lemma"), [("adults", "adult"), ("males", "male")])
    def test_animals_are_adults_too(self, young, lemma):
        assert rejections(YOUNG.format(young=young, lemma=lemma), RELATIVE) == ["AMBIGUOUS"]

    def test_a_person_is_not_a_rival_of_toads(self):
        text = YOUNG.format(young="owners", lemma="owner")
        assert accepted(text, RELATIVE)[1] == "The two toads live in mud ."


class TestExtent:
    def test_the_next_of_two_clauses_is_not_swallowed(self):
        assert rejections(BELL.format(when="when"), RELATIVE) == ["CLAUSE_CUT"]

    def test_a_clause_of_its_own(self):
        assert rejections(BELL.format(when="because"), RELATIVE) == [None]


class TestArticle:
    HAS = (
        "{the} mill|NN|nsubj|3 {has}|VBZ|ROOT|0||{has} {wheels} ,|,|punct|3 which|WDT|nsubj|{p} "
        "turn|VBP|relcl|{a}||turn fast|RB|advmod|{p} .|.|punct|3"
    )

    def made(self, *, the="The|DT|det|2", has="have", pair=False):
        wheels = (
            "a|DT|det|5 pair|NN|dobj|3 of|IN|prep|5 wheels|NNS|pobj|6||wheel" if pair else "wheels|NNS|dobj|3||wheel"
        )
        text = self.HAS.format(the=the, has=has, wheels=wheels, p=10 if pair else 7, a=7 if pair else 4)
        return accepted(text, RELATIVE)[1]

    def test_what_one_thing_has_is_known_then(self):
        assert self.made() == "The wheels turn fast ."
        assert self.made(the="Its|PRP$|poss|2", has="contain") == "The wheels turn fast ."

    def test_what_any_has_is_not(self):
        assert self.made(the="A|DT|det|2") == "Wheels turn fast ."

    def test_what_one_makes_or_likes_is_of_any_kind(self):
        assert self.made(has="like") == "Wheels turn fast ."

    def test_a_pair_is_one_whoever_has_it(self):
        assert self.made(the="A|DT|det|2", has="like", pair=True) == "The wheels turn fast ."


class TestRelatives:
    TEXT = (
        "The|DT|det|2 {brother}|NN|nsubj|9 of|IN|prep|2 Ann|NNP|pobj|3|B-PERSON ,|,|punct|4 who|WP|nsubj|7 "
        "sang|VBD|relcl|4||sing ,|,|punct|2 left|VBD|ROOT|0||leave .|.|punct|9"
    )

    def test_a_person_or_a_relative_of_the_person(self):
        assert rejections(self.TEXT.format(brother="brother"), RELATIVE) == ["AMBIGUOUS"]

    def test_a_relative_in_the_plural_is_told_apart_by_the_verb(self):
        text = self.TEXT.format(brother="brothers").replace("brothers|NN|nsubj|9", "brothers|NNS|nsubj|9||brother")
        assert "AMBIGUOUS" not in rejections(text, RELATIVE)


class TestSomeOfMany:
    MET = "We|PRP|nsubj|2 met|VBD|ROOT|0||meet {clerks} ,|,|punct|3 who|WP|nsubj|6 {came} late|RB|advmod|6 .|.|punct|2"

    @pytest.mark.parametrize(
        ("clerks", "came", "made"),
        [
            ("men|NNS|dobj|2||man", "came|VBD|relcl|3||come", "The men came late ."),
            ("men|NNS|dobj|2||man", "come|VBP|relcl|3||come", "Men come late ."),
            ("Bo|NNP|dobj|2|B-PERSON", "came|VBD|relcl|3||come", "Bo came late ."),
        ],
    )
    def test_what_happened_is_told_of_some(self, clerks, came, made):
        assert accepted(self.MET.format(clerks=clerks, came=came), RELATIVE)[1] == made


def test_names_behind_a_noun_need_no_article():
    text = (
        "It|PRP|nsubj|2 includes|VBZ|ROOT|0||include storms|NNS|dobj|2||storm Ann|NNP|appos|3|B-PERSON and|CC|cc|4 "
        "Bo|NNP|conj|4|B-PERSON ,|,|punct|3 which|WDT|nsubj|9 hit|VBD|relcl|3||hit us|PRP|dobj|9||we .|.|punct|2"
    )
    assert accepted(text, RELATIVE)[1] == "Storms Ann and Bo hit us ."


def test_schools_of_a_name_in_the_plural_are_a_kind():
    text = (
        "Realschulen|{tag}|nsubj|2 are|VBP|ROOT|0||be old|JJ|amod|4 schools|NNS|attr|2||school ,|,|punct|4 which|WDT|nsubj|7 "
        "cost|VBP|relcl|4||cost much|RB|dobj|7 .|.|punct|2"
    )
    assert rejections(text.format(tag="NNP"), RELATIVE) == ["AMBIGUOUS"]


def test_a_verb_read_as_an_adjective_is_not_part_of_a_name():
    text = (
        "We|PRP|nsubj|2 call|VBP|ROOT|0||call the|DT|det|5 {meet} Quint|NNP|dobj|2 ,|,|punct|5 who|WP|nsubj|8 "
        "sang|VBD|relcl|5||sing well|RB|advmod|8 .|.|punct|2"
    )
    assert rejections(text.format(meet="meet|VBP|amod|5"), RELATIVE) == ["WRONG_SCOPE"]
    assert accepted(text.format(meet="young|JJ|amod|5"), RELATIVE)[1] == "The young Quint sang well ."
