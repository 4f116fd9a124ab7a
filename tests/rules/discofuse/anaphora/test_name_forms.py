"""Names that come back in another form."""

from __future__ import annotations

from gistmill.rules.discofuse.anaphora import replacement_checks
from gistmill.rules.discofuse.checks import Region
from tests.cases import by_heading
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)


def sentence(*names: str) -> str:
    """A sentence about the names, each given as words, perhaps with ``/ENTITY`` and ``/ENTITY/label``."""
    items = []
    for name in names:
        words, entity, label = (*name.split("/"), "", "")[:3]
        for k, word in enumerate(words.split()):
            place = "I-" if k else "B-"
            tag = "IN" if word == "of" else "DT" if word == "The" else "JJ" if label == "amod" else "NNP"
            items.append(f"{word}|{tag}|{label or 'dep'}|1|{place + entity if entity else ''}")
        items.append("met|VBD|conj|1")
    return " ".join(["saw|VBD|ROOT|0", *items, ".|.|punct|1"])


def found(first: str, second: str) -> str | None:
    """The word where the second sentence has a name in another form."""
    one, two = parse(first), parse(second)
    position = replacement_checks.find(one, two, Region(0, 0, len(one)), Region(1, 0, len(two)))
    return None if position is None else two.tokens[position].text


class TestParts:
    def test_form_of_a_name(self):
        for first, second, word in CASES["form of a name"]:
            assert found(sentence(first), sentence(second)) == word, first

    def test_no_form(self):
        for first, second in CASES["no form"]:
            assert found(sentence(first), sentence(second)) is None, first

    def test_article_of_a_name_counts_within_a_sentence(self):
        assert found(sentence("Cena", "The Rock"), sentence("Rock")) == "Rock"
        assert found("The|DT|det|2 Rock|NNP|nsubj|3 won|VBD|ROOT|0 .|.|punct|3", sentence("Rock")) is None

    def test_equal_name_beside_a_longer_one(self):
        assert found(sentence("Meshack Lufile/PERSON", "Lufile/PERSON"), sentence("Lufile/PERSON")) == "Lufile"

    def test_first_half_without_names(self):
        assert found("It|PRP|nsubj|2 rained|VBD|ROOT|0 .|.|punct|2", sentence("Lufile")) is None


class TestDescribedNames:
    LATER = "Jabba|NNP|nsubj|2 met|VBD|ROOT|0 Solo|NNP|dobj|2 .|.|punct|2"

    def test_apposition(self):
        text = "Solo|NNP|nsubj|6 ,|,|punct|1 a|DT|det|4 smuggler|NN|appos|1 ,|,|punct|6 fled|VBD|ROOT|0 .|.|punct|6"
        assert found(text, self.LATER) == "Solo"
        assert found(text.replace(",|,|punct|1", ":|:|punct|1"), self.LATER) is None

    def test_predicate_noun(self):
        text = "Solo|NNP|nsubj|2 was|VBD|ROOT|0 a|DT|det|4 smuggler|NN|attr|2 .|.|punct|2"
        assert found(text, self.LATER) == "Solo"
        assert found(text.replace("smuggler|NN|attr|2", "bold|JJ|acomp|2"), self.LATER) is None


class TestPeoples:
    def test_people_and_country(self):
        for first, second in CASES["people and country"]:
            word = second.split("/")[0]
            second = second.replace("Kingdom", "United Kingdom")
            assert found(sentence("Brown", first), sentence("Mills", second)) == word, first

    def test_without_other_names(self):
        assert found(sentence("German/NORP/amod"), sentence("Germany/GPE")) == "Germany"

    def test_not_the_same(self):
        for first, second in CASES["not the same"]:
            assert found(sentence("Brown", first), sentence("Mills", second)) is None, first
