"""The ANAPHORA suffix of the released conventions: what counts as an anaphor, link or no link."""

from gistmill.rules.discofuse.anaphora.anaphora_suffix import Evidence, find_anaphora_suffix
from gistmill.rules.discofuse.checks import Region
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import mentions, scene

CASES = by_heading(__file__)

# The texts of several cases, by their name in the files.
TEXTS = {
    "MILL": "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 down|RP|prt|3 in|IN|prep|3 May|NNP|pobj|5|B-DATE .|.|punct|3",
    "IT_CLOSED": "It|PRP|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2",
    "WALSH": parses.of("Walsh met the players in Detroit ."),
    "HE_LEFT": "He|PRP|nsubj|2 left|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2",
    "THEY_LEFT": "They|PRP|nsubj|2 left|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2",
}


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


def test_an_anaphor_without_a_link():
    for first, second, evidence, word in CASES["anaphors"]:
        assert found(read(first), read(second)) == (Evidence[evidence], word), (first, second)


def test_no_anaphor_without_a_link():
    for first, second in CASES["no anaphors"]:
        assert found(read(first), read(second)) == (None, None), (first, second)


def test_a_link_decides_and_is_not_always_believed():
    for first, second, clusters, evidence, word in CASES["anaphors with links"]:
        wanted = (Evidence[evidence], word) if evidence else (None, None)
        assert found(read(first), read(second), *map(mentions, clusters)) == wanted, (first, second, clusters)


def test_shared_subject_is_not_an_antecedent_of_its_object():
    text = parses.of("Lang is sad but is unable to convince her .")
    assert inside(text, 4) is None
    assert inside(text.replace("her|PRP|dobj|8", "it|PRP|dobj|8"), 4) is None
