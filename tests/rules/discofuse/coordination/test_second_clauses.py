"""Second clauses that share the auxiliary of the first, and phrases that look like clauses."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import rejections


class TestAuxiliary:
    DOUGH = """
    Dough|NN|nsubjpass|3 {is_}|{tag}|{aux}|3 made|VBN|ROOT|0||make here|RB|advmod|3 ,|,|punct|3 and|CC|cc|3
    water|NN|nsubj|8 added|VBD|conj|3||add {thing} slowly|RB|advmod|8 there|RB|advmod|8 .|.|punct|3
    """

    def made(self, is_="is", tag="VBZ", aux="auxpass", thing=""):
        return rejections(self.DOUGH.format(is_=is_, tag=tag, aux=aux, thing=thing), "SINGLE_S_COORD")

    def test_a_passive_in_the_present_is_shared(self):
        assert self.made() == ["SHARED_PART"]

    def test_to_say_what_for_changes_nothing(self):
        assert self.made(thing="to|TO|aux|10 melt|VB|xcomp|8||melt") == ["SHARED_PART"]

    @pytest.mark.parametrize("changed", [{"thing": "taste|NN|dobj|8"}, {"is_": "was", "tag": "VBD"}, {"aux": "advmod"}])
    def test_the_past_tense_of_another_verb_is_not(self, changed):
        assert self.made(**changed) == [None]


class TestJoinedPhrases:
    KNOWN = """
    It|PRP|nsubj|2 grew|VBD|ROOT|0||grow {for_}|IN|prep|2 delays|NNS|pobj|3||delay and|CC|cc|{cc} {later}|IN|prep|10 the|DT|det|8
    money|NN|pobj|6 {it} cost|VBD|conj|2||cost there|RB|advmod|10 .|.|punct|2
    """

    def made(self, for_="for", cc=3, later="for", it="it|PRP|nsubj|10"):
        text = self.KNOWN.format(for_=for_, cc=cc, later=later, it=it).replace("pobj|6", "pobj|6")
        return rejections(text, "SINGLE_S_COORD")

    @pytest.mark.parametrize("cc", [2, 3])
    def test_a_clause_without_a_pronoun_ends_the_second(self, cc):
        assert self.made(cc=cc) == ["WRONG_SCOPE"]

    @pytest.mark.parametrize("changed", [{"for_": "in"}, {"later": "after"}])
    def test_another_preposition_opens_a_clause(self, changed):
        assert self.made(cc=2, **changed) == [None]
