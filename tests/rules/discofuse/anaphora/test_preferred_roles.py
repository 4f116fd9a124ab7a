"""Antecedents whose role another noun has too, so that a pronoun rather means that one."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates
from tests.testing import mention

REGISTERED = """
The|DT|det|2 firm|NN|nsubj|3 {verb} the|DT|det|5 {thing}|dobj|3 in|IN|prep|3 May|NNP|pobj|6|B-DATE ,|,|punct|3
and|CC|cc|3 {rest}
"""
WAS_SOLD = "it|PRP|nsubjpass|12 was|VBD|auxpass|12 {}|VBN|conj|3||{} {} .|.|punct|3"
SOLD = "it|PRP|nsubj|11 sold|VBD|conj|3||sell tools|NNS|dobj|11||tool there|RB|advmod|11 .|.|punct|3"
MARK = "mark|NN"
LINKS = (mention(0, 0, 2, "nominal"), mention(0, 9, 10, "pronoun", confidence=0.9))

REASON = """
The|DT|det|2 firm|NN|nsubj|3 {verb} the|DT|det|6 new|JJ|amod|6 {thing}|dobj|3 {word}|IN|mark|10 it|PRP|nsubj|10
would|MD|aux|10 cost|VB|advcl|3||cost jobs|NNS|dobj|10||job .|.|punct|3
"""
REASON_LINKS = (mention(0, 0, 2, "nominal"), mention(0, 7, 8, "pronoun", confidence=0.9))

GUIDES = """
The|DT|det|2 guides|NNS|nsubj|3||guide came|VBD|ROOT|0||come late|RB|advmod|3 ,|,|punct|3 and|CC|cc|3 we|PRP|nsubj|8
help|VBP|conj|3||help {who}|PRP|nsubj|10 keep|VB|ccomp|8 {what}|dobj|10 {mark}|WRB|advmod|14 they|PRP|nsubj|14
grow|VBP|{label} now|RB|advmod|14 .|.|punct|3
"""


def second_of(text: str, kind: str, links) -> str:
    """The second sentence of the only candidate of a kind, with or without anaphora."""
    (made,) = [
        c for c in candidates(text, clusters=[links], conventions="extended") if c.discourse_type.name.startswith(kind)
    ]
    return made.incoherent_second_sentence


class TestPassiveSubjects:
    def made(self, *, verb="registered|VBD|ROOT|0||register", thing=MARK, rest=None, links=LINKS):
        rest = rest or WAS_SOLD.format("granted", "grant", "there|RB|advmod|12")
        return second_of(REGISTERED.format(verb=verb, thing=thing, rest=rest), "SINGLE_S_COORD", links)

    def test_the_object_before_is_meant(self):
        assert self.made() == "It was granted there ."

    def test_an_active_subject_goes_on_about_the_subject(self):
        assert self.made(rest=SOLD) == "The firm sold tools there ."

    @pytest.mark.parametrize("thing", ["marks|NNS", "owner|NN"])
    def test_an_object_that_does_not_agree(self, thing):
        assert self.made(thing=thing) == "The firm was granted there ."

    def test_a_belief_has_no_object_for_its_subject(self):
        rest = WAS_SOLD.format("known", "know", "there|RB|advmod|12 to|TO|aux|15 fail|VB|xcomp|12")
        assert self.made(rest=rest) == "The firm was known there to fail ."

    def test_a_sure_link_holds(self):
        sure = (LINKS[0], mention(0, 9, 10, "pronoun", confidence=0.97))
        assert self.made(links=sure) == "The firm was granted there ."


class TestReasons:
    def made(self, verb, thing="tax|NN", word="because"):
        text = REASON.format(verb=verb, thing=thing, word=word)
        return second_of(text, "SINGLE_CONN_INNER", REASON_LINKS)

    @pytest.mark.parametrize(
        "verb", ["opposed|VBD|ROOT|0||oppose", "praised|VBD|ROOT|0||praise", "helped|VBD|ROOT|0||help"]
    )
    def test_what_one_opposes_or_likes_or_helps_is_the_reason(self, verb):
        assert self.made(verb) == "It would cost jobs ."

    def test_a_deed_has_its_reason_in_the_doer(self):
        assert self.made("sold|VBD|ROOT|0||sell") == "The firm would cost jobs ."

    def test_an_object_that_does_not_agree(self):
        assert self.made("opposed|VBD|ROOT|0||oppose", "taxes|NNS") == "The firm would cost jobs ."

    def test_a_contrast_is_not_a_reason(self):
        assert self.made("opposed|VBD|ROOT|0||oppose", word="whereas") == "The firm would cost jobs ."


class TestNearerPlurals:
    def made(self, what="plants|NNS", confidence=0.9):
        text = GUIDES.format(who="you", what=what, mark="where", label="advcl|10")
        links = (mention(0, 0, 2, "nominal"), mention(0, 12, 13, "pronoun", confidence=confidence))
        return second_of(text, "SINGLE_S_COORD", links)

    def test_the_object_of_another_subject(self):
        assert self.made() == "We help you keep plants where they grow now ."

    def test_a_singular_is_none(self):
        assert self.made("order|NN") == "We help you keep order where the guides grow now ."

    def test_a_sure_link_holds(self):
        assert self.made(confidence=0.97) == "We help you keep plants where the guides grow now ."
