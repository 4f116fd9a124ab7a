"""What a pronoun can stand for."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.references import agrees, heads
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse

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
