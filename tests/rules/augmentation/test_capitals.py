"""Names of sentences in small letters."""

from gistmill.rules.augmentation.eda.operations import capitalised, with_names
from gistmill.rules.documents import Sentence
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.testing import parsed

CASES = by_heading(__file__)

SMALL = parsed(parses.of("the general motors unveiled in shanghai on monday"))


def entities(sentence):
    return {token.text: token.entity for token in sentence.tokens if token.entity}


def test_nouns_and_adjectives_get_capitals():
    assert capitalised(SMALL) == "the General Motors unveiled in Shanghai on Monday"


def test_sentences_that_are_not_parsed_again():
    for text in CASES["sentences that are not parsed again"]:
        assert capitalised(parsed(text)) == "", text


def test_names_are_found_by_their_place_whatever_the_tokens_are():
    second = [
        parsed("the|DT|det|2 General|NNP|ROOT|0|B-ORG"),
        parsed(
            "Motors|NNPS|nsubj|2|I-ORG unveiled|VBD|ROOT|0 inShanghai|NNP|dep|2|B-PERSON on|IN|prep|2 Monday|NNP|pobj|4|B-DATE"
        ),
    ]
    found = with_names(SMALL, second)
    assert entities(found) == {"general": "B-ORG", "motors": "I-ORG", "in": "B-PERSON", "shanghai": "B-GPE"}
    assert [t._replace(entity="") for t in found.tokens] == [t._replace(entity="") for t in SMALL.tokens]


def test_nothing_found_changes_nothing():
    assert with_names(SMALL, []) == SMALL == with_names(SMALL, [Sentence(())])
