"""What a pronoun can stand for."""

from gistmill.rules.coreference.lexicon import ReferentKind
from gistmill.rules.discofuse.nouns.references import agrees, commands, heads, is_empty, kinds_at, may_agree
from gistmill.rules.discofuse.parse import Parse, with_main_verb
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse
from tests.testing import parsed

CASES = by_heading(__file__)


def classes(text: str, head: int, **given) -> str:
    """The pronouns that the phrase agrees with, by their class."""
    made = parse(text)
    return "".join(g for g in "mfnp" if agrees(made, head, g, **given))


def phrase(*items: str) -> str:
    """Items ``word|tag|label`` that hang on the last of them, the subject of "won"."""
    head = len(items)
    rest = [f"{item.split('|B-')[0].split('|I-')[0]}|{head}{entity(item)}" for item in items[:-1]]
    last = f"{items[-1].split('|B-')[0].split('|I-')[0]}|{head + 1}{entity(items[-1])}"
    return " ".join([*rest, last, "won|VBD|ROOT|0"])


def entity(item: str) -> str:
    """The entity field of an item."""
    return next((f"|{mark}{item.split(mark)[1]}" for mark in ("B-", "I-") if f"|{mark}" in item), "")


class TestAgreement:
    def test_a_phrase_has_the_classes_of_its_head(self):
        for items, expected in CASES["a phrase has the classes of its head"]:
            assert classes(phrase(*items), len(items) - 1) == expected, items

    def test_person_by_the_recogniser_alone(self):
        # "East Belmont" is a team: neither first name nor title
        assert "n" in classes(phrase("East|NNP|compound|B-PERSON", "Belmont|NNP|nsubj|I-PERSON"), 1)
        assert "n" not in classes(phrase("Colonel|NNP|compound|B-PERSON", "Digby|NNP|nsubj|I-PERSON"), 1)

    def test_place_is_a_person_only_where_persons_stand(self):
        assert "m" in classes(phrase("Lincoln|NNP|nsubj|B-GPE"), 0)
        assert "m" not in classes("He|PRP|nsubj|2 left|VBD|ROOT|0 Lincoln|NNP|dobj|2|B-GPE", 2)

    def test_noun_that_is_known_to_be_a_name(self):
        text = "Ruiz|NN|nsubj|2 won|VBD|ROOT|0"
        assert classes(text, 0) == "n" and "m" in classes(text, 0, named=True)
        assert classes(text.replace("nsubj|2", "nsubj|2|B-PERSON"), 0) == "mf"


class TestHeads:
    def test_only_heads_of_phrases(self):
        text = parses.of("The penalty area grew in May by 10 feet .")
        assert list(heads(parse(text), 0, 10)) == [2]
        assert list(heads(parse(text), 0, 2)) == []


# Where a name cannot be said again.


SAID = "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 .|.|punct|2"
ARMY = "Walsh|NNP|poss|3|B-PERSON 's|POS|case|1 army|NN|nsubj|4 met|VBD|ROOT|0 him|PRP|dobj|4 .|.|punct|4"
JOINED = (
    "Walsh|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 ,|,|punct|2 but|CC|cc|2 he|PRP|nsubj|6 returned|VBD|conj|2 .|.|punct|2"
)


class TestCommands:
    def test_a_pronoun_has_to_stand(self):
        for text, name, position in CASES["a pronoun has to stand"]:
            assert commands(parse(text), name, position), text

    def test_a_name_may(self):
        for text, name, position in CASES["a name may"]:
            assert not commands(parse(text), name, position), text


# An "it" that means nothing.


def test_an_it_means_nothing_or_something():
    for text, empty in CASES["an it means nothing"]:
        it = next(i for i, word in enumerate(parse(text).lower) if word == "it")
        assert is_empty(parse(text), it) == empty, text


# Relative clauses and appositions: what they are about, where they end, and what is put in their place.


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

    def test_unknown_kinds_agree_with_all(self):
        person, nothing = frozenset((ReferentKind.PERSON,)), frozenset[ReferentKind]()
        assert may_agree(person, nothing) and may_agree(nothing, nothing)

    def test_akin_kinds_may_agree_in_both_directions(self):
        group, place, event = (frozenset((k,)) for k in (ReferentKind.GROUP, ReferentKind.PLACE, ReferentKind.EVENT))
        assert may_agree(group, place) and may_agree(place, group)
        assert not may_agree(place, event) and not may_agree(event, place)
