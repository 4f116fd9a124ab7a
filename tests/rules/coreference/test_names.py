"""Names that are one person's, and names that are not."""

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.names import mark_title, title_words, whole_names
from gistmill.rules.coreference.scorer import ask
from gistmill.rules.documents import Sentence
from tests.cases import by_heading
from tests.testing import parsed

CASES = by_heading(__file__)


def _named(name: str, entity: str = "PERSON") -> Sentence:
    """ "NAME slept ." with the name as one entity."""
    *first, last = name.split()
    noun, begins, inside = len(first) + 1, *([f"|B-{entity}", f"|I-{entity}"] if entity else ["", ""])
    items = [f"{word}|NNP|compound|{noun}{inside if i else begins}" for i, word in enumerate(first)]
    items.append(f"{last}|NNP|nsubj|{noun + 1}{inside if first else begins}")
    return parsed(" ".join([*items, f"slept|VBD|ROOT|0||sleep .|.|punct|{noun + 1}"]))


def _numbers(*names: str | tuple[str, str], title: str = "") -> list[int]:
    sentences = [_named(*((n,) if isinstance(n, str) else n)) for n in names]
    return [m.cluster.number for m in ask(sentences, title=title)[0]]


def test_one_person():
    for names in CASES["one person"]:
        first, second = _numbers(*names)
        assert first == second, names


def test_two_persons():
    for names in CASES["two persons"]:
        first, second = _numbers(*names)
        assert first != second, names


def test_the_latest_of_two_bearers_of_a_surname():
    ann, bob, lee = _numbers("Ann Lee", "Bob Lee", "Lee")
    assert lee == bob != ann


def test_a_title_picks_the_bearer_by_gender():
    ann, bob, lee = _numbers("Ann Lee", "Bob Lee", "Mrs. Lee")
    assert lee == ann != bob


def test_title_words():
    for title, words in CASES["title words"]:
        assert title_words(title) == tuple(words), title


def test_the_title_marks_the_whole_name_before_a_part_of_it():
    clusters = ask([_named("Bob Lee"), _named("Ann Lee")])[1]
    assert mark_title(clusters, "Ann Lee").longest == ("ann", "lee")
    assert mark_title(clusters, "Lake Michigan") is None


def test_of_names_that_a_title_fits_the_fullest_is_marked():
    for title, names in (("Ann Marie Lee", ["Ann Marie Lee", "Ann Lee", "Lee", "Ann"]), ("Lee", ["Lee", "Ann Lee"])):
        clusters = [ask([_named(name)])[1][0] for name in names]
        while clusters:
            assert mark_title(clusters, title) is mark_title(clusters[::-1], title) is clusters[0], title
            del clusters[0]


def test_a_title_does_not_fit_another_name():
    for title, name in (("Ann Lee", "Bob Lee"), ("Ann Lee", "Bob"), ("Ann", "Ann Lee")):
        assert mark_title(ask([_named(name)])[1], title) is None, title


def test_the_title_tells_the_gender_of_a_surname():
    cluster = ask([_named("Mayakovsky")], title="Vladimir Mayakovsky")[1][0]
    assert cluster.gender == lexicon.MALE


def test_word_lists_do_not_overlap():
    assert not lexicon.MALE_NAMES & lexicon.FEMALE_NAMES
    assert not lexicon.MALE_NOUNS & lexicon.FEMALE_NOUNS
    assert lexicon.gender_of_first_name("Mary") == lexicon.FEMALE and lexicon.gender_of_first_name("Xyzzy") == ""


def _mentions(sentence: Sentence) -> dict[str, object]:
    return {" ".join(t.text for t in sentence.tokens[m.start : m.end]): m for m in ask([sentence])[0]}


class TestInstitutions:
    def test_an_institution_is_not_a_person_but_holds_one(self):
        found = _mentions(_named("Andrei Tarkovsky Museum"))
        museum, person = found["Andrei Tarkovsky Museum"], found["Andrei Tarkovsky"]
        assert not museum.cluster.person and not museum.gender
        assert person.cluster.person and person.cluster is not museum.cluster

    def test_it_is_not_a_candidate_of_he(self):
        left = parsed("He|PRP|nsubj|2||he left|VBD|ROOT|0||leave .|.|punct|2")
        _, _, (question,) = ask([_named("Andrei Tarkovsky Museum"), left])
        assert [x.words for x in question.candidates if x.cluster.person] == [("andrei", "tarkovsky")]

    def test_a_fort_is_not_a_person(self):
        assert not _mentions(_named("Fort Donelson"))["Fort Donelson"].person


def test_words_in_lower_case_are_not_part_of_a_person():
    assert set(_mentions(_named("stab Collins"))) == {"Collins"}
    assert set(_mentions(_named("Vincent van Gogh"))) == {"Vincent van Gogh"}


def test_surname_of_a_name_that_the_recogniser_does_not_know():
    first, second = _numbers(("Meshack Lufile", "PRODUCT"), ("Lufile", ""))
    assert first == second
    # a place is not a surname
    first, second = _numbers(("Ann York", "ORG"), ("York", "GPE"))
    assert first != second


# Names with a comma inside are one name; lists, and names that only stand next to each other, are not.


def names(text: str) -> list[str]:
    """The names that are found in a sentence."""
    sentence = parsed(text)
    found = ask([sentence])[0]
    return [" ".join(t.text for t in sentence.tokens[m.start : m.end]) for m in found if m.kind == "name"]


ATHENS = (
    "Athens|NNP|npadvmod|4|B-GPE ,|,|punct|4 Georgia|NNP|nsubj|4|B-GPE is|VBZ|ROOT|0||be old|JJ|acomp|4 .|.|punct|4"
)


def test_a_name_is_whole():
    for text, name in CASES["a name is whole"]:
        assert names(text) == [name], text


def test_others_stay_apart():
    for text, there in CASES["others stay apart"]:
        assert names(text) == there, text


def test_the_head_is_that_of_the_first_part_in_the_place_of_the_whole():
    tokens = whole_names(parsed(ATHENS).tokens)
    assert [(t.dep, t.head) for t in tokens[:3]] == [("nsubj", 3), ("punct", 0), ("nmod", 0)]
    assert [t.entity for t in tokens[:3]] == ["B-GPE", "I-GPE", "I-GPE"]
    assert whole_names(tokens) == tokens
