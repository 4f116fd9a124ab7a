"""Connectives under the extended conventions: inside a sentence, at its head, and later in the second of two."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_coordination as p
from tests.rules.discofuse.helpers import candidates, found, outcome

FIRST = "The|DT|det|2 war|NN|nsubj|3 ended|VBD|ROOT|0||end in|IN|prep|3 May|NNP|pobj|4 .|.|punct|3"


def inner(text: str) -> list[tuple[str, str, str | None]]:
    """(connective, second sentence, reason) of the candidates with an inner connective."""
    return [
        (
            c.connective_string,
            c.incoherent_second_sentence,
            c.verdict.reason.name if c.verdict.reason else None,
        )
        for c in candidates(text, conventions="extended")
        if c.discourse_type.name.startswith("SINGLE_CONN_INNER")
    ]


class TestInnerConnective:
    @pytest.mark.parametrize(
        ("name", "connective", "second"),
        [
            ("HENCE", ", hence", "The stone is very strong in all of its parts ."),
            ("MEANING", ", meaning", "The crew could not see all of the numbers ."),
            ("MEANING_THAT", ", meaning that", "The shops pay a high tax ."),
            ("NOW_THAT", ", now that", "The long war was over ."),
            ("SO_THAT_RESULT", ", so that", "A long war was out of the question ."),
        ],
    )
    def test_opens_a_clause(self, name, connective, second):
        assert inner(getattr(p, name)) == [(connective, second, None)]

    @pytest.mark.parametrize("name", ["HENCE_NAME", "MEANING_WORD"])
    def test_without_a_clause_there_is_none(self, name):
        assert inner(getattr(p, name)) == []

    def test_released_data_has_no_comma_before_now_that(self):
        assert candidates(p.NOW_THAT, conventions="released") == ()

    def test_purpose_is_refused(self):
        assert [reason for _, _, reason in inner(p.SO_THAT_PRESENT)] == ["NOT_ASSERTED"]
        modal = (
            "He|PRP|nsubj|2 hid|VBD|ROOT|0||hide the|DT|det|4 keys|NNS|dobj|2 ,|,|punct|2 so|IN|mark|10 that|IN|mark|10 "
            "she|PRP|nsubj|10 {}|{}|aux|10 {} .|.|punct|2"
        )
        assert [r for _, _, r in inner(modal.format("could", "MD", "leave|VB|advcl|2"))] == ["NOT_ASSERTED"]
        assert [r for _, _, r in inner(modal.format("had", "VBD", "stayed|VBN|advcl|2"))] == [None]

    def test_denied_reason_is_refused(self):
        denied = (
            "The|DT|det|2 skin|NN|nsubj|5 is|VBZ|aux|5||be not|RB|neg|5 ageing|VBG|ROOT|0 fast|RB|advmod|5 "
            "because|IN|mark|9 it|PRP|nsubj|9 has|VBZ|advcl|5||have much|JJ|amod|11 air|NN|dobj|9 .|.|punct|5"
        )
        said = denied.replace("not|RB|neg|5", "now|RB|advmod|5")
        behind = (
            denied.replace("because|IN|mark|9", ",|,|punct|5 because|IN|mark|10")
            .replace("|9 ", "|10 ")
            .replace("|11 ", "|12 ")
        )
        assert [r for _, _, r in inner(denied)] == ["NOT_ASSERTED"]
        assert [r for _, _, r in inner(said)] == [None]
        assert "NOT_ASSERTED" not in [r for _, _, r in inner(behind)]

    def test_report_is_refused(self):
        assert [reason for _, _, reason in inner(p.BECAUSE_REPORT)] == ["NOT_ASSERTED"]
        fact = p.BECAUSE_REPORT.replace("argued|VBD|ROOT|0||argue", "showed|VBD|ROOT|0||show")
        assert [reason for _, _, reason in inner(fact)] == [None]


class TestForwardConnective:
    def test_a_pronoun_that_may_mean_what_comes_later_is_refused(self):
        assert [f[3] for f in found(p.ALTHOUGH_HE)] == ["AMBIGUOUS"]

    def test_a_pronoun_that_cannot_is_not(self):
        assert [f[3] for f in found(p.ALTHOUGH_IT)] == [None]

    def test_a_pronoun_for_a_pronoun_stays(self):
        he = p.ALTHOUGH_HE.replace("Einstein|NNP|nsubj", "he|PRP|nsubj")
        assert he != p.ALTHOUGH_HE and [f[3] for f in found(he)] == [None]


class TestLaterInTheSecondSentence:
    @pytest.mark.parametrize(
        ("name", "connective", "second"),
        [
            ("AS_A_RESULT", ", as a result ,", "The company moved its office to the capital of the country ."),
            ("THUS", "thus", "The company moved its office to the capital of the country ."),
            # the comma of the frame stays, that of the connective goes
            ("IN_JERSEY", ", for example ,", "In Jersey , the court has made a form of notice for all users ."),
            (
                "IF_FOR_INSTANCE",
                ", for instance ,",
                "If someone buries the money in the bank , people think of a building .",
            ),
        ],
    )
    def test_a_connective_is_found(self, name, connective, second):
        (made,) = candidates(FIRST, getattr(p, name), conventions="extended")
        assert (made.connective_string, made.incoherent_second_sentence) == (connective, second)
        assert made.discourse_type.name == "PAIR_CONN" and made.verdict.accepted

    @pytest.mark.parametrize(("adverb", "connective"), [("however", ", however ,"), ("as a result", ", as a result ,")])
    def test_behind_the_verb_no_comma_stays(self, adverb, connective):
        adverb = " ".join(f"{word}|RB|advmod|2" for word in adverb.split())
        size = len(adverb.split()) + 9
        text = (
            f"It|PRP|nsubj|2 is|VBZ|ccomp|{size}||be ,|,|punct|2 {adverb} ,|,|punct|2 cold|JJ|acomp|2 "
            f":|:|punct|{size} nobody|NN|nsubj|{size} came|VBD|ROOT|0 .|.|punct|{size}"
        ).replace(f"|{size}", f"|{size - 1}")
        (made,) = candidates(FIRST, text, conventions="extended")
        assert made.incoherent_second_sentence == "It is cold : nobody came ."
        assert made.connective_string == connective

    def test_an_adjective_is_none(self):
        assert outcome(FIRST, p.THEN_PRESIDENT, conventions="extended")[0] == "PAIR_NONE"

    def test_behind_the_first_words_there_is_none(self):
        late = p.AS_A_RESULT.replace("The|DT|det|2", "The|DT|det|2 big|JJ|amod|2 old|JJ|amod|2 local|JJ|amod|2")
        assert outcome(FIRST, late, conventions="extended")[0] == "PAIR_NONE"

    def test_released_data_has_none(self):
        assert outcome(FIRST, p.AS_A_RESULT)[0] == "PAIR_NONE"


class TestEnd:
    def test_a_question_is_not_split(self):
        assert [f[3] for f in found(p.QUESTION)] == ["QUESTION"]
        assert [f[3] for f in found(p.QUESTION.replace("?|.|", ".|.|"))] == [None]

    def test_a_question_may_be_the_second_sentence(self):
        question = p.AS_A_RESULT.replace(".|.|", "?|.|")
        (made,) = candidates(FIRST, question, conventions="extended")
        assert made.verdict.accepted and made.incoherent_second_sentence.endswith("country ?")

    def test_what_opens_a_list_ends_no_sentence(self):
        assert [f[3] for f in found(p.COLON_END)] == ["NO_END"]
        assert [f[3] for f in found(p.COLON_END.replace(":|:|", ".|.|"))] == [None]


UNLESS = """
The|DT|det|2 town|NN|nsubj|5 {} sell|VB|ROOT|0 the|DT|det|7 mill|NN|dobj|5 unless|IN|mark|11 the|DT|det|10
owners|NNS|nsubj|11||owner pay|VBP|advcl|5 for|IN|prep|11 it|PRP|pobj|12 .|.|punct|5
"""
AND_CASSANDRA = """
The|DT|det|2 king|NN|nsubj|3 killed|VBD|ROOT|0||kill her|PRP$|poss|5 husband|NN|dobj|3{comma} because|IN|mark|{verb}
he|PRP|nsubj|{verb} sold|VBD|advcl|3||sell {last}
"""
SHE_SAID = """
{word}|RB|advmod|7 ,|,|punct|4 she|PRP|nsubj|4 {tag}|7||{lemma} ,|,|punct|4 she|PRP|nsubj|7 plans|VBZ|ROOT|0||plan to|TO|aux|9
leave|VB|xcomp|7 the|DT|det|11 mill|NN|dobj|9 .|.|punct|7
"""
WAS_THEN = """
He|PRP|nsubj|{verb} was|VBD|{was}||be then|RB|advmod|{verb} {rest} in|IN|prep|{verb} Leeds|NNP|pobj|6|B-GPE .|.|punct|{verb}
"""


class TestConditions:
    @pytest.mark.parametrize(
        ("verb", "reason"),
        [
            ("will|MD|aux|5 not|RB|neg|5", "NOT_ASSERTED"),
            ("will|MD|aux|5 never|RB|neg|5", "NOT_ASSERTED"),
            ("refused|VBD|advcl|5||refuse to|TO|aux|5", "NOT_ASSERTED"),
            ("will|MD|aux|5 soon|RB|advmod|5", None),
        ],
    )
    def test_what_is_denied_but_for_a_condition(self, verb, reason):
        assert [r for _, _, r in inner(UNLESS.format(verb))] == [reason]

    def test_a_reason_is_not_a_condition(self):
        text = UNLESS.format("will|MD|aux|5 never|RB|neg|5").replace("unless|", "whereas|")
        assert [r for _, _, r in inner(text)] == [None]


class TestNounsBehindTheClause:
    def made(self, last, *, comma=False):
        text = AND_CASSANDRA.format(comma=" ,|,|punct|3" if comma else "", verb=9 if comma else 8, last=last)
        return [r for _, _, r in inner(text)]

    def test_a_noun_is_joined_to_no_verb(self):
        last = "mills|NNS|dobj|8||mill ,|,|punct|8 and|CC|cc|8 {}|conj|8 there|RB|advmod|8 .|.|punct|3"
        assert self.made(last.format("Cassandra|NNP")) == ["SHARED_PART"]
        assert self.made(last.format("sisters|NNS")) == ["SHARED_PART"]

    def test_a_noun_joined_to_a_noun(self):
        last = "mills|NNS|dobj|8||mill ,|,|punct|9 and|CC|cc|9 farms|NNS|conj|9||farm there|RB|advmod|8 .|.|punct|3"
        assert self.made(last) == [None]

    def test_behind_a_comma_the_clause_has_an_end_of_its_own(self):
        last = "mills|NNS|dobj|9||mill ,|,|punct|9 and|CC|cc|9 farms|NNS|conj|9||farm there|RB|advmod|9 .|.|punct|3"
        assert self.made(last, comma=True) == [None]


class TestTagBehindAConnective:
    @pytest.mark.parametrize("word", ["Instead", "However"])
    @pytest.mark.parametrize("tag", ["said|VBD|parataxis", "says|VBZ|ccomp"])
    def test_it_opens_no_sentence(self, word, tag):
        text = SHE_SAID.format(word=word, tag=tag, lemma="say")
        assert outcome(FIRST, text, conventions="extended")[3] == "DANGLING"

    def test_a_report_keeps_its_clause(self):
        text = SHE_SAID.format(word="Instead", tag="said|VBD|ROOT", lemma="say")
        text = text.replace("|ROOT|7|", "|ROOT|0|").replace("plans|VBZ|ROOT|0", "plans|VBZ|ccomp|4")
        assert outcome(FIRST, text, conventions="extended")[2:] == ("She said , she plans to leave the mill .", None)

    def test_another_verb_is_not_a_tag(self):
        text = SHE_SAID.format(word="Instead", tag="sang|VBD|ccomp", lemma="sing")
        assert outcome(FIRST, text, conventions="extended")[3] is None


class TestThen:
    def second(self, was, rest, verb=2):
        text = WAS_THEN.format(verb=verb, was=was, rest=rest)
        return outcome(FIRST, text, conventions="extended")[2]

    def test_beside_be_it_is_a_time(self):
        assert self.second("ROOT|0", "clerk|NN|attr|2 there|RB|advmod|2") == "He was then clerk there in Leeds ."

    def test_beside_another_verb_it_tells_what_comes_next(self):
        assert self.second("auxpass|4", "sold|VBN|ROOT|0||sell there|RB|advmod|4", 4) == "He was sold there in Leeds ."

    def test_a_participle_taken_for_an_adjective_may_be_a_verb(self):
        assert self.second("ROOT|0", "closed|JJ|acomp|2 there|RB|advmod|2") == "He was closed there in Leeds ."
