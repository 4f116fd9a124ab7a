"""Pronouns that stay because another one of the same says already, or is to say, who is meant; groups that exist."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, second_of
from tests.testing import mention


def made_of(text: str, *links) -> list[str]:
    """The second sentences of coordinated clauses."""
    found = candidates(text, clusters=[links], conventions="extended")
    return [c.incoherent_second_sentence for c in found if "S_COORD" in c.discourse_type.name]


class TestBesideOneThatStays:
    FIRST = "Fox|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come there|RB|advmod|2 .|.|punct|2"
    SECOND = """
    {first} sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool ,|,|punct|2 but|CC|cc|2 his|PRP$|poss|7 mill|NN|nsubj|8
    burned|VBD|conj|2||burn .|.|punct|2
    """
    NAME = mention(0, 0, 1, "name")

    def made(self, *, first="He|PRP|nsubj|2", sure=0.1, linked=True):
        links = [self.NAME, mention(1, 5, 6, "pronoun", confidence=0.9)]
        if linked:
            links.insert(1, mention(1, 0, 1, "pronoun", confidence=sure))
        return second_of(self.FIRST, self.SECOND.format(first=first), *links)

    def test_a_name_would_seem_another_s(self):
        assert self.made() == "He sold tools , but his mill burned ."

    def test_the_first_is_replaced_where_it_is_sure(self):
        assert self.made(sure=0.9) == "Fox sold tools , but Fox 's mill burned ."

    def test_another_subject_before_it_does_not_count(self):
        made = self.made(first="We|PRP|nsubj|2", linked=False)
        assert made == "We sold tools , but Fox 's mill burned ."

    def test_nor_one_of_a_subordinate_clause(self):
        second = """
        When|WRB|advmod|3 he|PRP|nsubj|3 left|VBD|advcl|7||leave ,|,|punct|7 his|PRP$|poss|6 mill|NN|nsubj|7
        burned|VBD|ROOT|0||burn .|.|punct|7
        """
        links = (mention(1, 1, 2, "pronoun", confidence=0.1), mention(1, 4, 5, "pronoun", confidence=0.9))
        assert second_of(self.FIRST, second, self.NAME, *links) == "When he left , Fox 's mill burned ."


class TestGroupsThatExist:
    TEXT = """
    There|EX|{label}|2 are|VBP|ROOT|0||be angry|JJ|amod|4 critics|NNS|{role}|2||critic of|IN|prep|4 {law}
    ,|,|punct|2 but|CC|cc|2 they|PRP|nsubj|11 sold|VBD|conj|2||sell {their} tools|NNS|dobj|11||tool .|.|punct|2
    """

    def made(self, label="expl", role="attr", law="the|DT|det|7 law|NN|pobj|5", their="their|PRP$|poss|13"):
        text = self.TEXT.format(label=label, role=role, law=law, their=their)
        links = [mention(0, 2, 4, "nominal"), mention(0, 9, 10, "pronoun", confidence=0.9)]
        if their.startswith("their"):
            links.append(mention(0, 11, 12, "pronoun", confidence=0.9))
        return made_of(text, *links)[-1]

    def test_it_is_those_critics_and_they_have_their_own(self):
        assert self.made() == "The angry critics of the law sold their tools ."

    def test_whatever_the_number_of_the_last_noun(self):
        made = self.made(law="the|DT|det|7 laws|NNS|pobj|5||law", their="new|JJ|amod|13")
        assert made == "The angry critics of the laws sold new tools ."

    @pytest.mark.parametrize("their", ["their|PRP$|poss|13", "new|JJ|amod|13"])
    def test_what_is_said_of_others_has_no_article(self, their):
        made = self.made(label="nsubj", their=their)
        assert made == f"Angry critics of the law sold {their.split('|')[0]} tools ."


class TestTheirs:
    FIRST = "The|DT|det|2 clerks|NNS|nsubj|3||clerk came|VBD|ROOT|0||come there|RB|advmod|3 .|.|punct|3"
    SECOND = """
    It|PRP|nsubj|2 lets|VBZ|ROOT|0||let the|DT|det|4 {who}|nsubj|5 work|VB|ccomp|2 without|IN|prep|5
    hurting|VBG|pcomp|6||hurt their|PRP$|poss|9 hands|NNS|dobj|7||hand .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("who", "said"),
        [("user|NN", "their"), ("users|NNS", "their"), ("king|NN", "the clerks '"), ("tool|NN", "the clerks '")],
    )
    def test_a_subject_of_either_sex_may_own(self, who, said):
        lemma = "||user" if who == "users|NNS" else ""
        second = self.SECOND.format(who=who).replace("|nsubj|5 work", f"|nsubj|5{lemma} work")
        links = (mention(0, 0, 2, "nominal"), mention(1, 7, 8, "pronoun", confidence=0.9))
        assert f"hurting {said} hands" in second_of(self.FIRST, second, *links)
