"""Antecedents whose role another noun has too, so that a pronoun rather means that one."""

from __future__ import annotations

from tests.rules.discofuse.helpers import candidates
from tests.testing import mention

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
