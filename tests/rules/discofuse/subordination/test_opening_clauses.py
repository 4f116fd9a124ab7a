"""Clauses and participle phrases that open a sentence: what their pronouns mean, whose they are, in which tense."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

PHRASE, FRONTED = "SINGLE_CATAPHORA", "SINGLE_CONN_START"
LITTLE_OF_HIS = (
    (
        "Although|IN|mark|5 {much} of|IN|prep|2 {his} life|NN|pobj|3 is|VBZ|advcl|9||be obscure|JJ|acomp|6 ,|,|punct|10 "
        "{lee} was|VBD|ROOT|0||be kind|JJ|acomp|10 .|.|punct|10"
    )
    .replace("mark|5", "mark|6")
    .replace("{much}", "much|JJ|nsubj|6")
    .replace("advcl|9", "advcl|10")
)
ADDITION = (
    "In|IN|prep|9 addition|NN|pobj|1 to|IN|prep|2 {opening} ,|,|punct|9 the|DT|det|8 walls|NNS|nsubj|9||wall "
    "fell|VBD|ROOT|0||fall .|.|punct|9"
)
ESTIMATED = (
    "Spreading|VBG|advcl|6||spread fast|RB|advmod|1 ,|,|punct|6 the|DT|det|5 fire|NN|nsubjpass|7 is|VBZ|auxpass|7 "
    "{said}|VBN|ROOT|0||{lemma} to|TO|aux|10 have|VB|aux|10 burnt|VBN|xcomp|7||burn mills|NNS|dobj|10||mill .|.|punct|7"
)
CONTRASTING = "Contrasting|VBG|advcl|6 {with} ,|,|punct|6 Ann|NNP|nsubj|6|B-PERSON sang|VBD|ROOT|0||sing well|RB|advmod|6 .|.|punct|6"


class TestPronounsOfTheFirstClause:
    def made(self, his="his|PRP$|poss|5", lee="Lee|NNP|nsubj|10|B-PERSON"):
        return rejections(LITTLE_OF_HIS.format(his=his, lee=lee), FRONTED)

    def test_one_that_is_not_a_subject_points_forward_too(self):
        assert self.made() == ["AMBIGUOUS"]

    def test_one_that_means_another(self):
        assert self.made(his="its|PRP$|poss|5") == [None]

    def test_before_another_pronoun_it_means_the_same_as_that(self):
        assert self.made(lee="he|PRP|nsubj|10") == [None]

    def test_a_name_before_it_is_meant(self):
        text = LITTLE_OF_HIS.format(his="his|PRP$|poss|5", lee="Lee|NNP|nsubj|10|B-PERSON")
        text = text.replace("much|JJ|nsubj|6", "Leo|NNP|nsubj|6|B-PERSON")
        assert rejections(text, FRONTED) == [None]

    def test_a_place_before_it_is_not(self):
        text = LITTLE_OF_HIS.format(his="his|PRP$|poss|5", lee="Lee|NNP|nsubj|10|B-PERSON")
        text = text.replace("much|JJ|nsubj|6", "Paris|NNP|nsubj|6|B-GPE")
        assert rejections(text, FRONTED) == ["AMBIGUOUS"]

    def test_an_owner_before_it_is_meant_whatever_its_label(self):
        text = LITTLE_OF_HIS.format(his="his|PRP$|poss|5", lee="Lee|NNP|nsubj|10|B-PERSON")
        text = text.replace("much|JJ|nsubj|6", "Leo|NNP|poss|6|B-GPE")
        assert rejections(text, FRONTED) != ["AMBIGUOUS"]


class TestWhatIsNotAClause:
    def test_a_noun_behind_a_preposition(self):
        text = ADDITION.format(opening="roofs|NNS|nsubj|5 built|VBD|pcomp|3||build")
        assert rejections(text, FRONTED) == ["NO_VERB"]

    def test_a_gerund_is_one(self):
        text = ADDITION.format(opening="losing|VBG|pcomp|3||lose roofs|NNS|dobj|4||roof")
        assert accepted(text, FRONTED)[0] == "The walls lost roofs ."

    @pytest.mark.parametrize(("word", "reasons"), [("not|RB|neg|9", ["SHARED_PART"]), ("new|JJ|acomp|9", [None])])
    def test_a_main_clause_that_leaves_out_what_it_denies(self, word, reasons):
        text = (
            "Although|IN|mark|4 the|DT|det|3 plan|NN|nsubj|4 was|VBD|advcl|9||be old|JJ|acomp|4 ,|,|punct|9 "
            f"the|DT|det|8 mills|NNS|nsubj|9||mill were|VBD|ROOT|0||be {word} .|.|punct|9"
        )
        assert rejections(text, FRONTED) == reasons

    @pytest.mark.parametrize(("word", "reason"), [("prior", "UNRESOLVED_ANAPHOR"), ("early", None)])
    def test_one_that_is_before_the_other(self, word, reason):
        text = (
            f"Although|IN|mark|4 the|DT|det|3 mill|NN|nsubj|4 closed|VBD|advcl|8||close {word}|RB|advmod|4 ,|,|punct|8 "
            "people|NNS|nsubj|8 stayed|VBD|ROOT|0||stay .|.|punct|8"
        )
        assert rejections(text, FRONTED) == [reason]


class TestTenseOfAPhrase:
    @pytest.mark.parametrize(("said", "lemma"), [("estimated", "estimate"), ("reckoned", "reckon")])
    def test_what_is_thought_to_have_been(self, said, lemma):
        text = ESTIMATED.format(said=said, lemma=lemma).replace("advcl|6", "advcl|7").replace("punct|6", "punct|7")
        assert (
            accepted(text.replace("Spreading", "Losing").replace("|spread", "|lose"), PHRASE)[0]
            == "The fire lost fast ."
        )

    def test_what_is_meant_to_be(self):
        text = ESTIMATED.format(said="hired", lemma="hire").replace("advcl|6", "advcl|7").replace("punct|6", "punct|7")
        assert (
            accepted(text.replace("Spreading", "Losing").replace("|spread", "|lose"), PHRASE)[0]
            == "The fire loses fast ."
        )


class TestWhoseThePhraseIs:
    @pytest.mark.parametrize("preposition", ["with", "from", "to"])
    def test_a_contrast_is_the_author_s(self, preposition):
        with_lee = f"{preposition}|IN|prep|1 Lee|NNP|pobj|2|B-PERSON"
        assert rejections(CONTRASTING.format(with_=with_lee, **{"with": with_lee}), PHRASE) == ["DANGLING_PARTICIPLE"]

    def test_who_contrasts_two_things_acts(self):
        two = "the|DT|det|3 two|NNS|dobj|1"
        assert accepted(CONTRASTING.format(**{"with": two}), PHRASE)[0] == "Ann contrasted the two ."


class TestSinceThen:
    BEING = """
    In|IN|prep|13 addition|NN|pobj|1 to|IN|prep|2 {being}|{tag}|pcomp|3||{lemma} a|DT|det|6 member|NN|attr|4
    {since}|IN|prep|4 1991|CD|pobj|7|B-DATE ,|,|punct|13 the|DT|det|11 mill|NN|nsubj|13 now|RB|advmod|13
    is|VBZ|ROOT|0||be old|JJ|acomp|13 .|.|punct|13
    """

    @pytest.mark.parametrize(("since", "reasons"), [("since", ["VERB_FORM"]), ("of", [None])])
    def test_since_asks_for_a_perfect(self, since, reasons):
        text = self.BEING.format(being="being", tag="VBG", lemma="be", since=since)
        assert rejections(text, FRONTED) == reasons

    REST = """
    Although|IN|mark|3 many|JJ|nsubj|3 sold|VBD|advcl|{v}||sell bread|NN|dobj|3 ,|,|punct|{v} {rest} the|DT|det|{n}
    mill|NN|nsubj|{v} fell|VBD|ROOT|0||fall down|RB|advmod|{v} .|.|punct|{v}
    """

    @pytest.mark.parametrize(
        ("rest", "reasons"),
        [
            ("mostly|RB|advmod|{v} Lee|NNP|dep|6 's|POS|case|7 ,|,|punct|{v}", ["CLAUSE_CUT"]),
            ("in|IN|prep|{v} old|JJ|amod|8 Leeds|NNP|pobj|6 ,|,|punct|{v}", [None]),
            ("today|NN|npadvmod|{v} ,|,|punct|{v}", [None]),
        ],
    )
    def test_a_noun_before_the_subject_is_not_an_adverbial(self, rest, reasons):
        n = 7 + len(rest.split())
        text = self.REST.format(rest=rest.format(v=n + 1), n=n, v=n + 1)
        assert rejections(text, FRONTED) == reasons


class TestTimesOfParticiples:
    SPEAKING = """
    {speaking}|VBG|advcl|7||{speak} in|IN|prep|1 May|NNP|pobj|2|B-DATE ,|,|punct|7 Lee|NNP|nsubj|7|B-PERSON {had}|VBD|aux|7
    urged|VBN|ROOT|0||urge peace|NN|dobj|7 there|RB|advmod|7 .|.|punct|7
    """

    @pytest.mark.parametrize(
        ("speaking", "speak", "had", "reasons"),
        [
            ("Speaking", "speak", "had", ["NO_SUBJECT"]),
            ("Speaking", "speak", "did", [None]),
            ("Arriving", "arrive", "had", [None]),
        ],
    )
    def test_what_had_been_said_was_said_then(self, speaking, speak, had, reasons):
        text = self.SPEAKING.format(speaking=speaking, speak=speak, had=had)
        assert rejections(text, PHRASE) == reasons
