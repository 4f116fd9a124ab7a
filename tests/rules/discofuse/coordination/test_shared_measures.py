"""Periods, superlatives and forms that a second part shares with the first."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import rejections


class TestPeriods:
    RULED = """
    They|PRP|nsubj|2 ruled|VBD|ROOT|0||rule {kent} and|CC|cc|2 built|VBD|conj|2||build mills|NNS|dobj|{built}||mill
    from|IN|prep|{built} {year}|CD|pobj|{from_}|B-DATE {until}|IN|prep|{built} 1979|CD|pobj|{until_}|B-DATE .|.|punct|2
    """

    def made(self, kent="Kent|NNP|dobj|2|B-GPE", year="1975", until="until"):
        built = 4 + len(kent.split())
        text = self.RULED.format(kent=kent, year=year, until=until, built=built, from_=built + 2, until_=built + 4)
        return rejections(text, "SINGLE_VP_COORD")

    @pytest.mark.parametrize("until", ["until", "till", "to"])
    def test_both_may_fill_one(self, until):
        assert self.made(until=until) == ["SHARED_PART"]

    @pytest.mark.parametrize(
        "changed",
        [
            {"kent": "Kent|NNP|dobj|2|B-GPE ,|,|punct|2"},
            {"kent": "in|IN|prep|2 Kent|NNP|pobj|3|B-GPE"},
            {"kent": "Kent|NNP|dobj|2|B-GPE well|RB|advmod|2"},
            {"kent": "Kent|NNP|dobj|2|B-GPE 1970|CD|npadvmod|2|B-DATE"},
            {"year": "18"},
            {"until": "by"},
        ],
    )
    def test_other_times_are_of_the_second(self, changed):
        assert self.made(**changed) == [None]


class TestParticiples:
    ROOM = """
    It|PRP|nsubj|2 {means} a|DT|det|4 room|NN|dobj|2 that|WDT|nsubj|6 {is_} ,|,|punct|2 and|CC|cc|2 {used}
    {thing} at|IN|prep|{used_at} night|NN|pobj|{at} .|.|punct|2
    """
    IS = "is|VBZ|relcl|4||be round|JJ|acomp|6"
    USED = "used|VBD|conj|2||use"

    def made(self, means="means|VBZ|ROOT|0||mean", is_=IS, used=USED, thing=""):
        used_at = 7 + len(is_.split()) + len(used.split()) + (used == self.USED) * 0
        text = self.ROOM.format(
            means=means,
            is_=is_,
            used=used,
            thing=thing.format(used_at),
            used_at=used_at,
            at=used_at + len(thing.split()) + 1,
        )
        return rejections(text, "SINGLE_VP_COORD")

    def test_one_that_goes_with_an_adjective(self):
        assert self.made() == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(
        "changed",
        [
            {"means": "meant|VBD|ROOT|0||mean"},
            {"is_": "has|VBZ|relcl|4||have walls|NNS|dobj|6||wall"},
            {"thing": "mills|NNS|dobj|{}||mill"},
            {"used": "rose|VBD|conj|2||rise"},
        ],
    )
    def test_a_past_tense_of_its_own(self, changed):
        assert "WRONG_SCOPE" not in self.made(**changed)


class TestSources:
    TIME = """
    She|PRP|nsubj|2 sings|VBZ|ROOT|0||sing well|RB|advmod|2 there|RB|advmod|2 ,|,|punct|2 while|IN|mark|10
    {watching}|{tag}|{label}|10 the|DT|det|9 time|NN|dobj|7 elapsed|VBD|advcl|2||elapse {more} .|.|punct|2
    """

    def test_a_participle_at_the_end_is_not_a_verb(self):
        text = self.TIME.format(watching="watching", tag="VBG", label="csubj", more="")
        assert rejections(text, "SINGLE_CONN_INNER") == ["NO_SUBJECT"]

    @pytest.mark.parametrize(
        ("watching", "tag", "label", "more"),
        [("watching", "VBG", "csubj", "slowly|RB|advmod|10"), ("all", "DT", "nsubj", "")],
    )
    def test_a_verb_with_something_behind_it_or_a_noun_before_it_is_one(self, watching, tag, label, more):
        text = self.TIME.format(watching=watching, tag=tag, label=label, more=more)
        assert rejections(text, "SINGLE_CONN_INNER") == [None]

    BEING = """
    Being|VBG|advcl|{v}||be the|DT|det|3 last|{tag}|attr|1|{kind} ,|,|punct|{v} {subject} grew|VBD|ROOT|0||grow fast|RB|advmod|{v}
    there|RB|advmod|{v} .|.|punct|{v}
    """

    @pytest.mark.parametrize(
        ("kind", "subject", "reasons"),
        [
            ("B-DATE", "sales|NNS|nsubj|6||sale", ["DANGLING_PARTICIPLE"]),
            ("B-DATE", "May|NNP|nsubj|6|B-DATE", [None]),
            ("", "Acme|NNP|nsubj|6|B-ORG", [None]),
        ],
    )
    def test_no_thing_is_a_week(self, kind, subject, reasons):
        text = self.BEING.format(v=6, tag="NN", kind=kind, subject=subject)
        assert rejections(text, "SINGLE_CATAPHORA") == reasons
