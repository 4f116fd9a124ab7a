"""Definite nouns that mean what the text is about, and not what the links give them."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.nominal_topics import means_topic
from tests.rules.discofuse.helpers import parse
from tests.testing import mention


class TestPronounAbove:
    GIVES = """
    {it}|{tag}|{label}|2 gave|VBD|ROOT|0||give the|DT|det|4 country|NN|dative|2 oil|NN|dobj|2 .|.|punct|2
    """

    def made(self, it="It", tag="PRP", label="nsubj", *, kind="B-GPE", antecedent="name", known=()):
        first = parse(f"Lee|NNP|nsubj|2|{kind} grew|VBD|ROOT|0||grow .|.|punct|2")
        links = mention(0, 0, 1, antecedent), mention(1, 2, 4, "nominal")
        second = parse(self.GIVES.format(it=it, tag=tag, label=label))
        return means_topic(first, links[0], second, links[1], [*links, *known])

    def test_under_a_pronoun_a_name_is_another(self):
        assert self.made()

    @pytest.mark.parametrize(
        "changed",
        [
            {"it": "He"},
            {"it": "We"},
            {"it": "Acme", "tag": "NNP"},
            {"label": "dobj"},
            {"antecedent": "nominal"},
            {"known": [mention(1, 0, 1, "pronoun")]},
        ],
    )
    def test_under_others_it_may_be_the_same(self, changed):
        assert not self.made(**changed)

    @pytest.mark.parametrize(("kind", "other"), [("B-PERSON", True), ("B-GPE", False)])
    def test_he_may_be_a_person(self, kind, other):
        assert self.made("He", kind=kind) == other


class TestPredicates:
    CROWNED = "That|DT|nsubj|2 {was}|VBD|ROOT|0||{lemma} the|DT|det|5 tall|JJ|amod|5 mill|NN|{label}|2 there|RB|advmod|2 .|.|punct|2"

    @pytest.mark.parametrize(("label", "said"), [("attr", True), ("dobj", False)])
    def test_what_is_said_of_another_is_not_a_topic(self, label, said):
        first = parse("Ixo|NNP|nsubj|2|B-FAC fell|VBD|ROOT|0||fall .|.|punct|2")
        second = parse(self.CROWNED.format(was="was", lemma="be", label=label))
        links = mention(0, 0, 1, "name"), mention(1, 2, 5, "nominal")
        assert means_topic(first, links[0], second, links[1], links) == said
