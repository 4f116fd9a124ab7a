"""Relative clauses and appositions: what they are about, where they end, and what is put in their place."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import ReferentKind
from gistmill.rules.discofuse.nouns.references import agree, kinds_at, may_agree
from gistmill.rules.discofuse.parse import Parse, with_main_verb
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse
from tests.testing import parsed

CASES = by_heading(__file__)


class TestMainVerbBehindAnInsertion:
    NIOBE = parses.of("Niobe , the queen of Thebes , boasted of her children .")

    def test_other_participles_stay(self):
        for old, new in (("boasted|VBN", "taken|VBN"), (",|,|punct|1 boasted", "and|CC|cc|1 boasted")):
            tokens = parsed(self.NIOBE.replace(old, new)).tokens
            assert with_main_verb(tokens) == tokens, old

    def test_a_sentence_with_a_finite_verb_stays(self):
        tokens = parsed(parses.OSLO).tokens
        assert with_main_verb(tokens) is tokens


class TestKinds:
    def kinds(self, text: str, word: str):
        made: Parse = parse(text)
        return kinds_at(made, [t.text for t in made.tokens].index(word))

    def test_of_names_nouns_and_pronouns(self):
        for text, word, kinds in CASES["of names nouns and pronouns"]:
            assert self.kinds(text, word) == frozenset(map(ReferentKind, kinds)), text

    def test_a_kind_of_termite_is_one(self):
        text = "a|DT|det|2 kind|NN|ROOT|0 of|IN|prep|2 termite|NN|pobj|3"
        assert ReferentKind.ANIMAL in self.kinds(text, "kind")

    def test_unknown_kinds_agree_with_all_but_not_surely(self):
        person, nothing = frozenset((ReferentKind.PERSON,)), frozenset[ReferentKind]()
        assert may_agree(person, nothing) and may_agree(nothing, nothing)
        assert not agree(person, nothing)

    def test_akin_kinds_may_agree_in_both_directions(self):
        group, place, event = (frozenset((k,)) for k in (ReferentKind.GROUP, ReferentKind.PLACE, ReferentKind.EVENT))
        assert may_agree(group, place) and may_agree(place, group)
        assert not may_agree(place, event) and not may_agree(event, place)
