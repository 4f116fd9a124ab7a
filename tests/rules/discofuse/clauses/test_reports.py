"""Reports and restrictions: a half may not say as a fact what somebody said, or what holds for a part alone."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

CLAUSE, INNER = "SINGLE_S_COORD", "SINGLE_CONN_INNER"
RELATIVE, FRONTED = "SINGLE_RELATIVE", "SINGLE_CONN_START"

SAID_THAT = """
Ann|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0||say that|IN|mark|6 the|DT|det|5 mill|NN|nsubj|6 burned|VBD|ccomp|2||burn
,|,|punct|2 {cc}|CC|cc|2 the|DT|det|10 farm|NN|nsubj|11 {verb}|conj|2 old|JJ|acomp|11 .|.|punct|2
"""
ASKED_HOW = """
Ann|NNP|nsubj|2|B-PERSON told|VBD|ROOT|0||tell how|WRB|advmod|6 the|DT|det|5 mill|NN|nsubj|6 burned|VBD|ccomp|2||burn
,|,|punct|2 and|CC|cc|2 the|DT|det|10 farm|NN|nsubj|11 was|VBD|conj|2||be old|JJ|acomp|11 .|.|punct|2
"""
BECAUSE = """
The|DT|det|2 letter|NN|nsubj|3 {verb}|ROOT|0||{verb_lemma} that|IN|mark|8 each|DT|det|6 old|JJ|amod|7 flight|NN|nsubj|8
{said} because|IN|mark|11 it|PRP|nsubj|11 was|VBD|advcl|{head}||be long|JJ|acomp|11 .|.|punct|3
"""
HOPEFUL = """
The|DT|det|2 team|NN|nsubj|3 is|VBZ|ROOT|0||be {}|JJ|acomp|3 that|IN|mark|7 Ann|NNP|nsubj|7|B-PERSON
agreed|VBD|ccomp|4||agree because|IN|mark|10 it|PRP|nsubj|10 was|VBD|advcl|7||be old|JJ|acomp|10 .|.|punct|3
"""
SOURCE = """
According|VBG|prep|8 to|IN|prep|1 a|DT|det|4 report|NN|pobj|2 ,|,|punct|8 the|DT|det|7 firm|NN|nsubj|8
used|VBD|ROOT|0||use gaps|NNS|dobj|8||gap so|IN|mark|13 that|IN|mark|13 it|PRP|nsubj|13 had|VBD|advcl|8||have
no|DT|det|15 home|NN|dobj|13 .|.|punct|8
"""
TAG_BEHIND = """
The|DT|det|2 mill|NN|nsubj|3 burned|VBD|{burned}||burn down|RP|prt|3 ,|,|punct|3 and|CC|cc|3 the|DT|det|8
farm|NN|nsubj|9 fell|VBD|conj|3||fall ,|,|punct|12 police|NNS|nsubj|12 said|VBD|{dep}||say .|.|punct|12
"""
TAG_BETWEEN = """
Since|IN|mark|3 rain|NN|nsubj|3 fell|VBD|advcl|11||fall early|RB|advmod|3 ,|,|punct|7 {tag} ,|,|punct|7 the|DT|det|10
mill|NN|nsubj|11 was|VBD|ROOT|0||be wet|JJ|acomp|11 .|.|punct|11
"""
QUOTED_CLAUSE = """
"|``|punct|{root} We|PRP|nsubj|3 like|VBP|{like}||like the|DT|det|6 old|JJ|amod|6 mill|NN|dobj|3 ,|,|punct|6
which|WDT|nsubj|9 has|VBZ|relcl|6||have wheels|NNS|dobj|9||wheel {end}
"""
WHOLLY_QUOTED = """
"|``|punct|9 The|DT|det|3 mill|NN|nsubj|9 ,|,|punct|3 which|WDT|nsubj|6 has|VBZ|relcl|3||have wheels|NNS|dobj|6||wheel
,|,|punct|3 needs|VBZ|ROOT|0||need rain|NN|dobj|9 .|.|punct|9 "|''|punct|9
"""
WHERE = """
It|PRP|nsubj|2 has|VBZ|ROOT|0||have ones|NNS|dobj|2||one on|IN|prep|2 the|DT|det|6 place|NN|pobj|4
where|WRB|advmod|9 rain|NN|nsubj|9 is|VBZ|relcl|6||be rare|JJ|acomp|9 {conn}|IN|mark|15 snow|NN|nsubj|15 is|VBZ|aux|15
often|RB|advmod|15 falling|VBG|advcl|{head}||fall .|.|punct|2
"""
FOCUS = """
They|PRP|nsubj|2 sold|VBD|ROOT|0||sell it|PRP|dobj|2 to|IN|prep|2 him|PRP|pobj|4 {adverb}|{tag}|advmod|{head}
because|IN|mark|9 he|PRP|nsubj|9 was|VBD|advcl|2||be rich|JJ|acomp|9 .|.|punct|2
"""


WHEN_SHE_LEFT = """
It|PRP|nsubj|2 was|VBD|ROOT|0||be small|JJ|acomp|2 in|IN|prep|2 May|NNP|pobj|4|B-DATE ,|,|punct|5 {word}|WRB|advmod|9
she|PRP|nsubj|9 left|VBD|relcl|5||leave {comma} and|CC|cc|2 Lee|NNP|nsubj|14|B-PERSON there|RB|advmod|14
tried|VBD|conj|2||try again|RB|advmod|14 .|.|punct|2
"""
WHICH_MEANT = """
It|PRP|nsubj|2 had|VBD|ROOT|0||have rules|NNS|dobj|2||rule ,|,|punct|3 which|WDT|nsubj|6 meant|VBD|relcl|3||mean
{asked} he|PRP|nsubj|9 left|VBD|ccomp|6||leave and|CC|cc|2 Lee|NNP|nsubj|12|B-PERSON {verb} again|RB|advmod|12 .|.|punct|2
"""


class TestClausesOfReports:
    def test_a_statement_behind_and_may_be_reported_too(self):
        assert rejections(SAID_THAT.format(cc="and", verb="was|VBD"), CLAUSE) == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(
        ("cc", "verb"),
        [("but", "was|VBD"), ("and", "is|VBZ")],  # a contrast is the author's, and another tense another statement
    )
    def test_one_that_stands_apart(self, cc, verb):
        assert accepted(SAID_THAT.format(cc=cc, verb=verb), CLAUSE)[0] == "Ann said that the mill burned ."

    def test_a_verb_of_saying_with_a_mere_object_reports_nothing(self):
        text = SAID_THAT.format(cc="and", verb="required|VBD").replace("old|JJ|acomp|11", "rain|NN|dobj|11")
        text = text.replace("conj|2 rain", "conj|2||require rain")
        assert rejections(text, CLAUSE) == ["WRONG_SCOPE"]
        assert rejections(text.replace("rain|NN|dobj", "again|RB|advmod"), CLAUSE) == [None]

    @pytest.mark.parametrize(
        ("verb", "reasons"), [("seemed|VBD|ROOT|0||seem", ["WRONG_SCOPE"]), ("happened|VBD|ROOT|0||happen", [None])]
    )
    def test_what_seems_may_go_on(self, verb, reasons):
        text = SAID_THAT.format(cc="and", verb="was|VBD")
        text = text.replace("Ann|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0||say", f"It|PRP|nsubj|2 {verb}")
        assert rejections(text, CLAUSE) == reasons

    def test_a_question_takes_in_no_statement(self):
        assert accepted(ASKED_HOW, CLAUSE)[1] == "The farm was old ."

    def test_a_deed_is_not_a_report(self):
        text = SAID_THAT.format(cc="and", verb="was|VBD").replace("said|VBD|ROOT|0||say", "showed|VBD|ROOT|0||show")
        assert accepted(text, CLAUSE)[1] == "The farm was old ."


class TestDeepClauses:
    """What ends at a conjunction without a comma may take in the clause behind it, however deep it stands."""

    def test_a_clause_of_time(self):
        text = WHEN_SHE_LEFT.format(word="when", comma="then|RB|advmod|9")
        assert rejections(text, CLAUSE) == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(("word", "comma"), [("where", "then|RB|advmod|9"), ("when", ",|,|punct|2")])
    def test_another_clause_or_one_that_a_comma_ends(self, word, comma):
        assert rejections(WHEN_SHE_LEFT.format(word=word, comma=comma), CLAUSE) == [None]

    @pytest.mark.parametrize(
        ("asked", "verb", "reason"),
        [
            ("that|IN|mark|9", "tried|VBD|conj|2||try", "WRONG_SCOPE"),
            ("how|WRB|advmod|9", "tried|VBD|conj|2||try", None),  # a question takes in no statement
            ("that|IN|mark|9", "answered|VBD|conj|2||answer", None),  # what others say is another report
        ],
    )
    def test_a_clause_of_a_clause(self, asked, verb, reason):
        assert rejections(WHICH_MEANT.format(asked=asked, verb=verb), CLAUSE) == [reason]


class TestReasonsInReports:
    # or a verb that was taken for an adjective
    @pytest.mark.parametrize("said", ["qualified|VBD|ccomp|3||qualify", "qualified|JJ|ccomp|3||qualified"])
    def test_a_reason_behind_a_report(self, said):
        text = BECAUSE.format(verb="noted|VBD", verb_lemma="note", said=said, head=8)
        assert rejections(text, INNER) == ["NOT_ASSERTED"]

    def test_a_reason_in_what_is_hoped(self):
        assert rejections(HOPEFUL.format("hopeful"), INNER) == ["NOT_ASSERTED"]
        assert rejections(HOPEFUL.format("lucky"), INNER) == [None]

    def test_a_proof_is_not_a_report(self):
        text = BECAUSE.format(verb="proved|VBD", verb_lemma="prove", said="qualified|VBD|ccomp|3||qualify", head=3)
        assert accepted(text, INNER)[1] == "It was long ."


class TestSources:
    def test_one_in_front_holds_for_a_result(self):
        assert accepted(SOURCE.format(long=""), INNER)[1] == "According to a report , it had no home ."


class TestTags:
    def test_one_behind_both_parts(self):
        assert rejections(TAG_BEHIND.format(burned="ccomp|12", dep="ROOT|0"), CLAUSE) == ["WRONG_SCOPE"]
        assert rejections(TAG_BEHIND.format(burned="ROOT|0", dep="parataxis|9"), CLAUSE) == ["NOT_ASSERTED"]

    def test_one_between_a_clause_and_its_main_clause(self):
        tag = "Ann|NNP|nsubj|7|B-PERSON said|VBD|parataxis|11||say"
        assert rejections(TAG_BETWEEN.format(tag=tag), FRONTED) == ["NOT_ASSERTED"]

    def test_words_between_commas_are_not_a_tag(self):
        tag = "in|IN|prep|11 May|NNP|pobj|6"
        assert rejections(TAG_BETWEEN.format(tag=tag), FRONTED) == [None]


class TestQuotations:
    END = ",|,|punct|13 \"|''|punct|13 Ann|NNP|nsubj|14|B-PERSON said|VBD|ROOT|0||say .|.|punct|14"

    def test_a_clause_of_one_with_a_tag(self):
        text = QUOTED_CLAUSE.format(root=14, like="ccomp|14", end=self.END)
        assert rejections(text, RELATIVE) == ["NOT_ASSERTED"]

    def test_the_author_s_own_words(self):
        text = QUOTED_CLAUSE.format(root=14, like="ccomp|14", end=self.END).replace('"|', ",|")
        assert "NOT_ASSERTED" not in rejections(text, RELATIVE)

    def test_one_that_is_the_whole_sentence(self):
        assert rejections(WHOLLY_QUOTED, RELATIVE) == ["NOT_ASSERTED"]  # only one half keeps the marks


class TestRestrictiveClauses:
    def test_one_that_takes_it_in(self):
        assert rejections(WHERE.format(conn="whereas", head=9), INNER) == ["WRONG_SCOPE"]


class TestFocus:
    @pytest.mark.parametrize(
        ("adverb", "head"), [("specifically", 2), ("only", 2), ("exactly", 9), ("again", 9), ("today", 9)]
    )
    def test_one_that_the_reason_has_before_it(self, adverb, head):
        assert rejections(FOCUS.format(adverb=adverb, tag="RB", head=head), INNER) == ["DANGLING"]

    def test_an_adverb_of_the_main_clause(self):
        assert accepted(FOCUS.format(adverb="today", tag="RB", head=2), INNER)[0] == "They sold it to him today ."


class TestHearers:
    """ "Since rain fell early , the mill was wet , police {told} {us} ." """

    SINCE = """
    Since|IN|mark|3 rain|NN|nsubj|3 fell|VBD|advcl|8||fall early|RB|advmod|3 ,|,|punct|8 the|DT|det|7 mill|NN|nsubj|8
    was|VBD|{was}||be wet|JJ|acomp|8 ,|,|punct|12 police|NNS|nsubj|12 {told} them|PRP|dobj|12 .|.|punct|12
    """

    def test_who_hears_it_makes_a_tag_no_statement(self):
        text = self.SINCE.format(was="ccomp|12", told="told|VBD|ROOT|0||tell")
        assert rejections(text, FRONTED) == ["NOT_ASSERTED"]

    def test_a_retort_is_a_report_too(self):
        text = self.SINCE.format(was="ccomp|12", told="countered|VBD|ROOT|0||counter").replace(
            "them|PRP|dobj", "then|RB|advmod"
        )
        assert rejections(text, FRONTED) == ["NOT_ASSERTED"]

    def test_an_order_tells_nothing(self):
        text = self.SINCE.format(was="ccomp|12", told="ordered|VBD|ROOT|0||order")
        assert rejections(text, FRONTED) == [None]
