"""The ANAPHORA suffix of the released conventions: what counts as an anaphor, link or no link."""

from gistmill.rules.discofuse.anaphora.anaphora_suffix import Evidence, find_anaphora_suffix
from gistmill.rules.discofuse.checks import Region
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import scene
from tests.testing import mention

CASES = by_heading(__file__)

# The texts of several cases, by their name in the files.
TEXTS = {
    "MILL": "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 down|RP|prt|3 in|IN|prep|3 May|NNP|pobj|5|B-DATE .|.|punct|3",
    "IT_CLOSED": "It|PRP|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2",
    "WALSH": parses.of("Walsh met the players in Detroit ."),
    "HE_LEFT": "He|PRP|nsubj|2 left|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2",
    "THEY_LEFT": "They|PRP|nsubj|2 left|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2",
}
MILL, IT_CLOSED, WALSH, HE_LEFT, _ = TEXTS.values()


def read(text: str) -> str:
    """A parse: one of a name above, one of parses.txt by its words, or itself."""
    return TEXTS.get(text) or (text if "|" in text else parses.of(text))


def found(first: str, second: str, *clusters):
    """Evidence for an anaphor of the second sentence, with its word; (None, None) if there is none."""
    both = scene(first, second, *clusters)
    made = find_anaphora_suffix(both)
    return (None, None) if made is None else (made.evidence, both.second.lower[made.position])


def inside(text: str, boundary: int):
    """The same for one sentence without links whose second half begins at ``boundary``."""
    both = scene(text, text)
    first, second = Region(0, 0, boundary), Region(0, boundary, len(both.first))
    made = find_anaphora_suffix(both._replace(second=both.first, antecedents=first, anaphors=second))
    return made and made.evidence


class TestLinks:
    def test_link_decides(self):
        link = [mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.4)]
        assert found(MILL, IT_CLOSED, link) == (Evidence.LINK, "it")

    def test_link_against_agreement_is_not_believed(self):
        link = [mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.8)]
        they = IT_CLOSED.replace("It|PRP", "They|PRP")
        assert found(WALSH.replace("players|NNS", "player|NN"), they, link) == (None, None)
        assert found(WALSH, they, link) == (Evidence.CANDIDATE, "they")

    def test_name_that_was_tagged_as_a_noun(self):
        link = [mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.8)]
        assert found("Ruiz|NN|nsubj|2 won|VBD|ROOT|0 .|.|punct|2", HE_LEFT, link)[0] is Evidence.LINK

    def test_object_is_not_its_own_subject(self):
        walsh = "Walsh|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0 him|PRP|dobj|2 there|RB|advmod|2 .|.|punct|2"
        both = [mention(0, 0, 1, "name"), mention(1, 0, 1, "name"), mention(1, 2, 3, "pronoun", confidence=0.9)]
        other = WALSH.replace("Walsh|", "Mills|")
        assert found(MILL, walsh, both) == (None, None)
        # the one that is free to be meant stands in the first sentence
        assert found(other, walsh, both) == (Evidence.CANDIDATE, "him")

    def test_subject_of_an_infinitive_is_bound_too(self):
        text = parses.of("Walsh arranged for him to play .")
        link = [mention(1, 0, 1, "name"), mention(1, 3, 4, "pronoun", confidence=0.9)]
        assert found(WALSH.replace("Walsh|", "Mills|"), text, link) == (Evidence.CANDIDATE, "him")

    def test_other_sentences_of_the_cluster_do_not_count(self):
        link = [mention(7, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]
        assert found("It|PRP|nsubj|2 rained|VBD|ROOT|0 there|RB|advmod|2 .|.|punct|2", HE_LEFT, link) == (None, None)


def test_an_anaphor_without_a_link():
    for first, second, evidence, word in CASES["anaphors"]:
        assert found(read(first), read(second)) == (Evidence[evidence], word), (first, second)


def test_no_anaphor_without_a_link():
    for first, second in CASES["no anaphors"]:
        assert found(read(first), read(second)) == (None, None), (first, second)


def test_shared_subject_is_not_an_antecedent_of_its_object():
    text = parses.of("Lang is sad but is unable to convince her .")
    assert inside(text, 4) is None
    assert inside(text.replace("her|PRP|dobj|8", "it|PRP|dobj|8"), 4) is None


class TestRivals:
    def test_one_that_is_resolved_is_not_a_rival(self):
        text = parses.of("Walsh sold his mill in May .")
        link = [mention(0, 0, 1, "name"), mention(0, 2, 3, "pronoun"), mention(1, 0, 1, "pronoun", confidence=0.8)]
        assert found(text, HE_LEFT, link) == (Evidence.LINK, "he")

    def test_sure_link_of_a_person_outweighs_it(self):
        text = "He|PRP|nsubj|2 met|VBD|ROOT|0 Walsh|NNP|dobj|2|B-PERSON there|RB|advmod|2 .|.|punct|2"
        for confidence, evidence in ((0.95, Evidence.LINK), (0.6, None)):
            link = [mention(0, 2, 3, "name"), mention(1, 0, 1, "pronoun", confidence=confidence)]
            assert found(text, HE_LEFT, link)[0] is evidence

    def test_main_subject_that_is_linked_to_something_else(self):
        text = "With|IN|prep|4 Walsh|NNP|pobj|1|B-PERSON he|PRP|nsubj|4 met|VBD|ROOT|0 her|PRP|dobj|4 .|.|punct|4"
        own = [mention(0, 1, 2, "name"), mention(0, 2, 3, "pronoun")]
        assert found(text, HE_LEFT, own) == (None, None)
        assert found(text, HE_LEFT, [*own, mention(1, 0, 1, "pronoun")]) == (Evidence.LINK, "he")


class TestClear:
    """What stands for itself keeps the suffix, and the example its words."""

    def test_one_that_is_not_clear_comes_first(self):
        text = "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 them|PRP|dobj|4 .|.|punct|2"
        links = [mention(0, 0, 1, "name"), mention(1, 0, 1, "name"), mention(1, 2, 3, "pronoun", confidence=0.9)]
        assert found(WALSH, text, links) == (Evidence.CANDIDATE, "them")


class TestElsewhere:
    def test_a_link_to_what_stands_before_both(self):
        far = [mention(7, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.6)]
        assert found(MILL, IT_CLOSED, far) == (None, None)
        far[1] = mention(1, 0, 1, "pronoun", confidence=0.4)
        assert found(MILL, IT_CLOSED, far) == (Evidence.CANDIDATE, "it")

    def test_a_link_inside_the_second_half(self):
        text = "The|DT|det|2 fort|NN|nsubj|3 helped|VBD|ROOT|0 when|WRB|advmod|6 it|PRP|nsubj|6 fell|VBD|advcl|3 .|.|punct|3"
        here = [mention(1, 0, 2, "nominal"), mention(1, 4, 5, "pronoun", confidence=0.6)]
        assert found(MILL, text, here) == (None, None)
