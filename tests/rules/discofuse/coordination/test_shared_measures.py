"""Superlatives and sources that a second part shares with the first."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import rejections


class TestSuperlatives:
    AMONG = """
    Prices|NNS|nsubj|2||price are|VBP|ROOT|0||be among|IN|prep|2 the|DT|det|5 {lowest} there|RB|advmod|2 ,|,|punct|2
    while|IN|mark|10 walls|NNS|nsubj|10||wall are|VBP|advcl|2||be among|IN|prep|10 the|DT|det|13 {highest} .|.|punct|2
    """

    def made(self, lowest="lowest|JJS|pobj|3", highest="highest|JJS|pobj|11"):
        return rejections(self.AMONG.format(lowest=lowest, highest=highest), "SINGLE_CONN_INNER")

    def test_the_highest_of_what(self):
        assert self.made() == ["SHARED_PART"]

    @pytest.mark.parametrize(
        "changed",
        [
            {"highest": "highest|JJS|pobj|11 in|IN|prep|13 Kent|NNP|pobj|14|B-GPE"},
            {"lowest": "ruins|NNS|pobj|3||ruin"},
            {"highest": "rocks|NNS|pobj|11||rock"},
        ],
    )
    def test_one_with_its_domain_is_whole(self, changed):
        assert self.made(**changed) == [None]


class TestSources:
    SHARES = """
    Acme|NNP|nsubj|2|B-ORG grew|VBD|ROOT|0||grow fast|RB|advmod|2 and|CC|cc|2 Ixo|NNP|nsubj|6|B-ORG shrank|VBD|conj|2||shrink
    fast|RB|advmod|6 {comma} {as_}|IN|prep|6 {per}|IN|prep|{at} {noun}|NNP|pobj|{per_at} {more} .|.|punct|2
    """

    def made(self, comma=",|,|punct|6", source=("as", "per"), more=""):
        at = 8 + bool(comma)
        text = self.SHARES.format(
            comma=comma, as_=source[0], per=source[1], noun="Kantar", at=at, per_at=at + 1, more=more
        )
        return rejections(text, "SINGLE_S_COORD")

    @pytest.mark.parametrize("source", [("as", "per"), ("according", "to")])
    def test_one_at_the_end_is_that_of_both(self, source):
        assert self.made(source=source) == ["NOT_ASSERTED"]

    @pytest.mark.parametrize("changed", [{"comma": ""}, {"source": ("as", "in")}])
    def test_other_phrases_are_not(self, changed):
        assert "NOT_ASSERTED" not in self.made(**changed)
