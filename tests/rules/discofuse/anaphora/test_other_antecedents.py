"""Antecedents that a pronoun does not mean, or not alone, by their own place in the text before."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, second_of
from tests.testing import mention

LATER = "Today|NN|npadvmod|3 {}|PRP|nsubj|3 sold|VBD|ROOT|0||sell tools|NNS|dobj|3||tool there|RB|advmod|3 .|.|punct|3"
SHE_LATER = LATER.format("she")


def pronoun(at: int = 1, *, sentence: int = 1):
    return mention(sentence, at, at + 1, "pronoun", confidence=0.9)


class TestSpeakers:
    FIRST = """
    {who} was|VBD|ccomp|{said}||be ill|JJ|acomp|{was} ,|,|punct|{said} Bea|NNP|nsubj|{said}|B-PERSON
    {verb}|VBD|ROOT|0||{lemma} .|.|punct|{said}
    """
    ADA = "Ada|NNP|nsubj|2|B-PERSON"

    def made(self, who=ADA, verb="said", lemma="say", later=SHE_LATER):
        was = len(who.split()) + 1
        first = self.FIRST.format(who=who, was=was, said=was + 4, verb=verb, lemma=lemma)
        return second_of(first, later, mention(0, was + 2, was + 3, "name"), pronoun())

    def test_who_was_spoken_of_may_be_meant(self):
        assert self.made() == "Today she sold tools there ."

    def test_who_goes_on_to_speak_may_not(self):
        assert self.made(later=LATER.format("she").replace("sold|VBD|ROOT|0||sell", "said|VBD|ROOT|0||say")) == (
            "Today Bea said tools there ."
        )

    @pytest.mark.parametrize("who", ["It|PRP|nsubj|2", "\"|``|punct|4 Blue|NNP|nsubj|4 \"|''|punct|4"])
    def test_nobody_was_spoken_of(self, who):
        assert self.made(who) == "Today Bea sold tools there ."

    def test_the_verb_has_to_report(self):
        assert self.made(verb="left", lemma="leave") == "Today Bea sold tools there ."


class TestSources:
    CLOSED = "Acme|NNP|{label}|2|B-ORG {verb}|VBD|ROOT|0||{lemma} {more} .|.|punct|2"
    ADDS = "It|PRP|nsubj|2 {verb}|VBZ|ROOT|0||{lemma} that|IN|mark|5 walls|NNS|nsubj|5 fall|VBP|{label}|2||fall .|.|punct|2"

    def made(self, *, verb="closed", lemma="close", label="nsubj", adds=("adds", "add", "ccomp")):
        first = self.CLOSED.format(verb=verb, lemma=lemma, label=label, more="there|RB|advmod|2")
        second = self.ADDS.format(verb=adds[0], lemma=adds[1], label=adds[2])
        return second_of(first, second, mention(0, 0, 1, "name"), pronoun(0)).split()[0]

    def test_who_said_nothing_adds_nothing(self):
        assert self.made() == "It"

    @pytest.mark.parametrize(
        "changed",
        [{"verb": "said", "lemma": "say"}, {"adds": ("hopes", "hope", "ccomp")}, {"adds": ("adds", "add", "dobj")}],
    )
    def test_others_may(self, changed):
        assert self.made(**changed) == "Acme"

    def test_of_whom_something_is_said_adds_nothing(self):
        assert self.made(verb="said", lemma="say", label="dobj") == "It"


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


class TestRestrictions:
    FIRST = "{opening} {women} must|MD|aux|6 leave|VB|ROOT|0 {mills} .|.|punct|6"
    CASES = "In|IN|prep|6 {}|DT|det|3 cases|NNS|pobj|1||case"

    def made(self, opening, women="women|NNS|nsubj|6||woman", mills="mills|NNS|dobj|6||mill"):
        first = self.FIRST.format(opening=opening, women=women, mills=mills)
        return second_of(first, LATER.format("they"), mention(0, 3, 4, "nominal"), pronoun())

    @pytest.mark.parametrize(
        "opening", [CASES.format("some"), "When|WRB|advmod|2 rested|VBN|advcl|6||rest ,|,|punct|6"]
    )
    def test_what_is_so_in_some_cases_is_not_said_of_all(self, opening):
        assert self.made(opening) == "Today they sold tools there ."

    @pytest.mark.parametrize(
        "opening", [CASES.format("these"), "Before|IN|mark|2 resting|VBG|advcl|6||rest ,|,|punct|6"]
    )
    def test_another_opening_restricts_nothing(self, opening):
        assert self.made(opening) == "Today women sold tools there ."

    def test_a_phrase_with_an_article_is_said_of_those(self):
        opening = self.CASES.format("some").replace("|6", "|7")
        women = "the|DT|det|5 women|NNS|nsubj|7||woman"
        first = self.FIRST.replace("|6", "|7").format(opening=opening, women=women, mills="mills|NNS|dobj|7||mill")
        made = second_of(first, LATER.format("they"), mention(0, 3, 5, "nominal"), pronoun())
        assert made == "Today the women sold tools there ."


class TestLikeNouns:
    FIRST = """
    Black|JJ|amod|2 sheep|NNS|nsubj|3 fled|VBD|ROOT|0||flee so|RB|advmod|3 that|IN|mark|8 {other}
    stayed|VBD|advcl|3||stay .|.|punct|3
    """

    def made(self, other):
        return second_of(self.FIRST.format(other=other), LATER.format("they"), mention(0, 0, 2, "nominal"), pronoun())

    def test_others_of_the_name_may_be_meant(self):
        assert self.made("white|JJ|amod|7 sheep|NNS|nsubj|8") == "Today they sold tools there ."

    @pytest.mark.parametrize(
        "other",
        ["black|JJ|amod|7 sheep|NNS|nsubj|8", "the|DT|det|7 sheep|NNS|nsubj|8", "white|JJ|amod|7 fog|NN|nsubj|8"],
    )
    def test_the_same_and_other_nouns_do_not_count(self, other):
        assert self.made(other) == "Today the black sheep sold tools there ."


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
    PASSED = "{} {verb} and|CC|cc|2 the|DT|det|5 mills|NNS|nsubj|6||mill burned|VBD|conj|2||burn .|.|punct|2"

    @pytest.mark.parametrize(
        ("noun", "verb", "said"),
        [
            ("Decades|NNS|nsubj|2||decade", "passed|VBD|ROOT|0||pass", "they"),
            ("Decades|NNS|nsubj|2||decade", "ended|VBD|ROOT|0||end", "the decades"),
            ("Soldiers|NNS|nsubj|2||soldier", "passed|VBD|ROOT|0||pass", "the soldiers"),
        ],
    )
    def test_time_that_passes(self, noun, verb, said):
        first = self.PASSED.format(noun, verb=verb)
        made = second_of(first, LATER.format("they"), mention(0, 0, 1, "nominal"), pronoun())
        assert made == f"Today {said} sold tools there ."

    CALLED = "We|PRP|nsubj|3 may|MD|aux|3 call|VB|ROOT|0 this|DT|det|5 mill|NN|{}|3 .|.|punct|3"

    @pytest.mark.parametrize(("label", "said"), [("oprd", "it"), ("dobj", "the mill")])
    def test_what_something_is_called(self, label, said):
        made = second_of(self.CALLED.format(label), LATER.format("it"), mention(0, 3, 5, "nominal"), pronoun())
        assert made == f"Today {said} sold tools there ."

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
