"""Names that come back in another form."""

from gistmill.rules.discofuse.anaphora import anaphora_suffix, places_of_links
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse, scene

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
    position = anaphora_suffix.find_name_form(scene(first, second))
    return None if position is None else parse(second).tokens[position].text


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


# A subject that goes on about the one before: its place says what it means.


MILL = "The|DT|det|2 mill|NN|nsubj|3 hit|VBD|ROOT|0 the|DT|det|5 market|NN|dobj|3 .|.|punct|3"
IT = "It|PRP|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2"
IN_MAY_IT = "In|IN|prep|4 May|NNP|pobj|1|B-DATE it|PRP|nsubj|4 closed|VBD|ROOT|0 .|.|punct|4"
ITS_ROOF = "Its|PRP$|poss|2 roof|NN|nsubj|3 fell|VBD|ROOT|0 in|RB|advmod|3 .|.|punct|3"
HE = IT.replace("It|", "He|")
THEY = IT.replace("It|", "They|")


def meant(first: str, second: str) -> str | None:
    """The noun that the pronoun of the second sentence goes on about."""
    one, two = parse(first), parse(second)
    place = places_of_links.find(one, two, range(len(one)), range(len(two)))
    return None if place is None else one.lower[place[0]]


class TestPlace:
    def test_subject_means_the_subject(self):
        for second in (IT, IN_MAY_IT, ITS_ROOF):
            assert meant(MILL, second) == "mill", second

    def test_person_and_plural(self):
        walsh = MILL.replace("The|DT|det|2 mill|NN", "Old|NNP|compound|2|B-PERSON Walsh|NNP").replace(
            "Walsh|NNP|nsubj|3", "Walsh|NNP|nsubj|3|I-PERSON"
        )
        assert meant(walsh, HE) == "walsh" and meant(walsh, IT) is None
        mills = MILL.replace("mill|NN", "mills|NNS")
        assert meant(mills, THEY) == "mills" and meant(mills, IT) is None and meant(MILL, THEY) is None

    def test_other_places_say_nothing(self):
        for second in CASES["other places say nothing"]:
            assert meant(MILL, second) is None, second

    def test_not_with_a_rival(self):
        for first in CASES["not with a rival"]:
            assert meant(first, IT) is None, first

    def test_another_plural_is_a_rival(self):
        assert meant(MILL.replace("mill|NN", "mills|NNS").replace("market|NN", "markets|NNS"), THEY) is None

    def test_halves_of_a_sentence(self):
        text = parses.of("The mill burned because it stood empty .")
        one = parse(text)
        assert places_of_links.find(one, one, range(3), range(3, len(one))) == (1, 4)
        said = text.replace("burned|VBD|ROOT|0", "said|VBD|ROOT|0")
        deeper = parse(said.replace("it|PRP|nsubj|6 stood|VBD|advcl|3", "it|PRP|poss|6 stood|NN|dobj|3"))
        assert places_of_links.find(deeper, deeper, range(3), range(3, len(deeper))) is None


class TestPredicates:
    def test_nothing_else(self):
        for first in CASES["nothing else"]:
            assert meant(first, HE) is None, first

    def test_a_thing_is_called_by_its_noun_and_a_success_is_not(self):
        it_was = "It|PRP|nsubj|2 was|VBD|ROOT|0||be a|DT|det|4 {}|NN|attr|2 .|.|punct|2"
        assert meant(it_was.format("town"), IT) == "town" and meant(it_was.format("success"), IT) is None

    def test_subject_of_a_first_half_under_the_second(self):
        text = parses.of("The server starts , so it waits .")
        one = parse(text)
        assert places_of_links.find(one, one, range(4), range(4, len(one))) == (1, 5)
