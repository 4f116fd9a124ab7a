"""Second clauses and predicates that the first one does not leave alone: instructions, shares of it, its auxiliary."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.reasons import DiscoFuseReason
from tests.rules.discofuse.helpers import candidates, rejections


class TestInstructions:
    TO_DO = """
    {all} {you}|PRP|nsubj|3 need|VBP|relcl|1||need to|TO|aux|5 do|VB|xcomp|3 {is_} call|VB|{label}|6||call us|PRP|dobj|7
    ,|,|punct|6 {cc}|CC|cc|6 the|DT|det|12 walls|NNS|nsubj|13||wall light|VBP|conj|6||light up|RP|prt|13 .|.|punct|6
    """
    IS = "is|VBZ|ROOT|0||be"

    def made(self, *, all="All|PRP|nsubj|6", you="you", is_=IS, label="xcomp", cc="and"):
        return rejections(self.TO_DO.format(all=all, you=you, is_=is_, label=label, cc=cc), "SINGLE_S_COORD")

    @pytest.mark.parametrize("subject", ["All|PRP|nsubj|6", "What|PRP|nsubj|6"])
    def test_what_comes_of_doing_so_needs_it(self, subject):
        assert self.made(all=subject) == ["NOT_ASSERTED"]

    @pytest.mark.parametrize(
        "changed",
        [{"all": "Mills|NNS|nsubj|6"}, {"you": "they"}, {"is_": "means|VBZ|ROOT|0||mean"}, {"cc": "but"}],
    )
    def test_other_clauses_do_not(self, changed):
        assert "NOT_ASSERTED" not in self.made(**changed)


class TestShares:
    RANKED = """
    Kent|NNP|nsubj|2|B-GPE lies|VBZ|ROOT|0||lie near|IN|prep|2 Leeds|NNP|pobj|3|B-GPE and|CC|cc|2 {is_}
    {its}|{tag}|poss|{towns} towns|NNS|pobj|{of}||town .|.|punct|2
    """
    IS_ONE = "is|VBZ|conj|2||be {one}|CD|attr|6||{one} {of}|IN|prep|7"
    AS_ONE = "ranks|VBZ|conj|2||rank {as_}|IN|prep|6 one|CD|pobj|7 of|IN|prep|8"

    def made(self, head: str, its="its|PRP$"):
        count = 5 + len(head.split())
        word, tag = its.split("|")
        text = self.RANKED.format(is_=head, its=word, tag=tag, towns=count + 2, of=count)
        return [
            c.verdict.reason
            for c in candidates(text, conventions="extended")
            if c.discourse_type.name in ("SINGLE_VP_COORD", "SINGLE_S_COORD")
        ]

    @pytest.mark.parametrize(
        "head",
        [IS_ONE.format(one="one", of="of"), IS_ONE.format(one="some", of="of"), AS_ONE.format(as_="as")],
    )
    def test_nothing_is_one_of_its_own(self, head):
        assert DiscoFuseReason.UNRESOLVED_ANAPHOR in self.made(head)

    @pytest.mark.parametrize(
        ("head", "its"),
        [
            (IS_ONE.format(one="one", of="of"), "old|JJ"),
            (IS_ONE.format(one="one", of="in"), "its|PRP$"),
            (IS_ONE.format(one="pride", of="of"), "its|PRP$"),
            (AS_ONE.format(as_="with"), "its|PRP$"),
        ],
    )
    def test_other_phrases_may_be(self, head, its):
        assert DiscoFuseReason.UNRESOLVED_ANAPHOR not in self.made(head, its)


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


class TestReasons:
    THEY_DO = """
    They|PRP|nsubj|3 {usually} {do}|VBP|ROOT|0||{do} {so}|RB|advmod|3 {word}|IN|mark|7 walls|NNS|nsubj|7||wall
    lean|VBP|advcl|3||lean far|RB|advmod|7 .|.|punct|3
    """

    def made(self, usually="usually|RB|advmod|3", do="do", so="so", word="because"):
        return rejections(self.THEY_DO.format(usually=usually, do=do, so=so, word=word), "SINGLE_CONN_INNER")

    def test_that_they_do_so_says_nothing_without_the_reason(self):
        assert self.made() == ["DANGLING"]

    @pytest.mark.parametrize(
        "changed", [{"usually": "both|DT|dep|3"}, {"do": "stay"}, {"so": "well"}, {"word": "although"}]
    )
    def test_other_parts_say_something(self, changed):
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

    @pytest.mark.parametrize(
        ("opening", "adverb", "reasons"),
        [("but|CC|cc|2", "legally", ["WRONG_SCOPE", "WRONG_SCOPE"]), ("there|RB|advmod|2", "legally", [None])],
    )
    def test_two_adverbs_open_one_clause(self, opening, adverb, reasons):
        text = f"""
        It|PRP|nsubj|2 fell|VBD|ROOT|0||fall {opening} officially|RB|advmod|2 and|CC|cc|2 {adverb}|RB|advmod|9 the|DT|det|8
        mill|NN|nsubj|9 stood|VBD|conj|2||stand there|RB|advmod|9 .|.|punct|2
        """
        assert rejections(text, "SINGLE_S_COORD") == reasons


class TestShips:
    LINER = """
    Niagara|NNP|nsubj|2|B-PRODUCT {was} an|DT|det|4 liner|NN|{label}|2 and|CC|cc|2 refrigerated|VBD|conj|2||refrigerate
    {the} {cargo}|{tag}|{dep}|{ship} {noun} .|.|punct|2
    """
    WAS = "was|VBD|ROOT|0||be"

    def made(self, was=WAS, label="attr", the="", noun="ship|NN|dobj|6"):
        ship = 8 + bool(the)
        text = self.LINER.format(
            was=was, label=label, the=the, cargo="cargo", tag="NN", dep="compound", ship=ship, noun=noun
        )
        return rejections(text, "SINGLE_VP_COORD")

    def test_a_noun_without_an_article_is_one_more_of_what_it_was(self):
        assert self.made() != self.made(the="the|DT|det|9")
        assert None not in self.made()

    @pytest.mark.parametrize(
        "changed",
        [
            {"was": "had|VBD|ROOT|0||have", "label": "dobj"},
            {"the": "the|DT|det|9"},
            {"noun": "ships|NNS|dobj|6||ship"},
            {"noun": "part|NN|dobj|6"},
        ],
    )
    def test_what_was_done_is_a_verb(self, changed):
        assert self.made(**changed) == [None]
