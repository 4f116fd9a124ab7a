"""Each operation of EDA on hand-written parses."""

import pytest

from gistmill.rules.augmentation.config import OPERATIONS
from gistmill.rules.augmentation.eda.operations import article, capitalised, with_names
from gistmill.rules.augmentation.eda.synonyms import (
    Synonyms,
    SynonymsError,
    WordNetError,
    inflected,
    shipped,
    synonym_table,
)
from gistmill.rules.documents import Sentence
from tests.cases import by_heading
from tests.rules.augmentation.helpers import outcomes, pieces
from tests.rules.augmentation.wordnet_files import FILES
from tests.rules.discofuse import parses
from tests.testing import parsed

CASES = by_heading(__file__)

BOUGHT = parses.of("The old mayor quickly bought a big car in the small town .")
TABLE = Synonyms(
    "a big large:p great outsized\na old aged\nn car auto automobile\nn mayor mass-noun\nv buy acquire:t purchase:i\n"
    "r quickly rapidly fast\n"
)


def changed(operation, text=BOUGHT, **options):
    return outcomes(operation, text, **{"table": TABLE, "alpha": 0.3, **options})


def test_all_that_an_operation_makes_of_a_sentence():
    for operation, text, table, options, made in CASES["all that an operation makes of a sentence"]:
        text = text if "|" in text else parses.of(text)
        known = TABLE if table == "TABLE" else Synonyms(table) if table else None
        assert outcomes(operation, text, table=known, **options) == set(made), (operation, text)


class TestSynonyms:
    def test_a_verb_needs_a_synonym_that_takes_what_it_takes(self):
        found = changed("synonyms")
        assert any(" acquired a" in text for text in found)
        assert not any("purchased" in text for text in found)  # which takes no object in this table

    def test_an_adjective_that_stands_only_after_a_verb_is_not_put_before_a_noun(self):
        found = changed("synonyms")
        assert any("great" in text or "outsized" in text for text in found)
        assert not any("large" in text for text in found)

    def test_the_capital_at_the_beginning_stays(self):
        text = "Old|JJ|amod|2 cars|NNS|nsubj|3||car stopped|VBD|ROOT|0||stop .|.|punct|3"
        assert "Aged cars stopped." in outcomes("synonyms", text, table=TABLE)


class TestInsertion:
    def test_an_adjective_stands_before_a_noun_and_an_adverb_before_a_verb(self):
        found = changed("insertion", alpha=0.1)
        assert "The old mayor quickly bought a big car in the small great town." in found
        assert not any("rapidly" in text for text in found)  # the verb has an adverb already
        assert all(len(text.split()) == 13 for text in found)

    def test_the_paper_inserts_anywhere(self):
        found = changed("insertion", alpha=0.1, fitting=False)
        assert any(f"The {word}" in text for text in found for word in ("rapidly", "fast", "acquire", "automobile"))
        assert len(found) > len(changed("insertion", alpha=0.1))

    def test_a_sentence_without_synonyms_stays(self):
        assert outcomes("insertion", BOUGHT, table=Synonyms("")) == outcomes("synonyms", BOUGHT, table=Synonyms(""))


class TestSwap:
    def test_words_of_one_kind_change_places(self):
        found = changed("swap", alpha=0.1)
        assert "The big mayor quickly bought an old car in the small town." in found
        assert "The old town quickly bought a big car in the small mayor." in found
        assert not any(text.startswith("The old car") for text in found)  # "a" and "the" are not alike

    def test_the_paper_swaps_any_two(self):
        assert any("The quickly mayor old" in text for text in changed("swap", alpha=0.1, fitting=False))


class TestDeletion:
    def test_modifiers_are_deleted_and_the_article_fits(self):
        found = changed("deletion", alpha=0.5)
        assert "The mayor bought a car in the town." in found
        assert all("mayor" in text and "bought" in text and text.endswith("town.") for text in found)
        text = "He|PRP|nsubj|2 saw|VBD|ROOT|0||see a|DT|det|5 big|JJ|amod|5 apple|NN|dobj|2 .|.|punct|2"
        assert outcomes("deletion", text, alpha=0.5) == {"He saw an apple.", "He saw a big apple."}

    def test_the_paper_deletes_any_word(self):
        found = changed("deletion", alpha=0.5, fitting=False)
        assert any("mayor" not in text for text in found)
        assert all(text.startswith("The") and "in the" in text for text in found)  # stop words stay

    def test_about_a_share_of_alpha_is_deleted(self):
        kept = [len(pieces("deletion", BOUGHT, seed=s, alpha=0.2, fitting=False)[1]) for s in range(400)]
        free = len(pieces("deletion", BOUGHT, seed=0)[0].free)
        assert free == 8 and 0.8 < sum(13 - k for k in kept) / (400 * free * 0.2) < 1.2


PROTECTED = parses.of("Big Apple bought nearly ten cars , two well - known dogs and never sold them in 2019 .")


def test_entities_numbers_negations_and_stop_words_are_never_touched():
    for fitting in (True, False):
        for operation in OPERATIONS:
            kept = "Big Apple nearly ten two never 2019 them in and".split()
            for text in outcomes(operation, PROTECTED, alpha=0.9, fitting=fitting):
                assert "Big Apple" in text, (fitting, operation)
                words = text.replace(",", " ").replace(".", " ").split()
                assert [w for w in words if w in kept] == "Big Apple nearly ten two and never them in 2019".split(), (
                    fitting
                )


@pytest.mark.parametrize("fitting", [True, False])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_entity_of_usual_words_in_small_letters_stays(operation, fitting):
    """Only the parser can know it: "general motors" could be motors of a general kind."""
    text = "general|JJ|amod|2|{} motors|NNS|nsubj|3|{} quickly|RB|advmod|4 built|VBD|ROOT|0||build large|JJ|amod|6 cars|NNS|dobj|4||car"
    named, plain = text.format("B-ORG", "I-ORG"), text.format("", "")
    assert {found[:14] for found in outcomes(operation, named, alpha=0.9, fitting=fitting)} == {"general motors"}
    parse, _ = pieces(operation, plain, seed=0)
    assert {0, 1} <= set(parse.free)


def test_a_name_that_the_parser_missed_is_not_an_english_word():
    text = "in|IN|ROOT|0 kathmandu|NN|pobj|1 ,|,|punct|1 nepal|NN|appos|2 ,|,|punct|1 grace|NN|appos|2 sang|VBD|acl|2||sing"
    parse, _ = pieces("deletion", text, seed=0)
    assert [parse.tokens[i].text for i in parse.free] == ["sang"]


def test_short_and_foreign_sentences_come_out_whole():
    for operation in OPERATIONS:
        for text in CASES["short and foreign sentences come out whole"]:
            (found,) = outcomes(operation, text, alpha=0.9, fitting=False, table=TABLE)
            assert found.split() == [item.split("|")[0] for item in text.split()] or found == "“犬”", (operation, text)
            assert parsed(text), (operation, text)


# Names of sentences in small letters.


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
    assert with_names(SMALL, []) == SMALL == with_names(SMALL, [Sentence(())])


# The table of synonyms, and what is made of WordNet's files.


def test_a_table_has_the_synonyms_of_dominant_senses():
    assert synonym_table(FILES).splitlines() == [
        "a big large",
        "a large big",  # "great" is mostly something else
        "n auto car",
        "n car auto",  # not machine, of which it is a rare sense; not railcar, which nobody uses
        "v buy purchase:it",
        "v purchase buy:it",
    ]
    files = {**FILES, "cntlist.rev": FILES["cntlist.rev"] + "car%1:06:01:: 2 80\n"}  # two even senses
    assert not any(line.startswith("n car ") for line in synonym_table(files).splitlines())
    assert len(shipped().digest) == 64 and shipped().record["name"] == "wordnet-synonyms"


def test_a_file_that_is_not_wordnets():
    for name in FILES:
        for wrong in ("nonsense\n", "car n x 1 2\n", "00000001 06 n zz car 0\n"):
            with pytest.raises(WordNetError, match="not a WordNet file"):
                synonym_table({**FILES, name: FILES[name] + wrong})


def test_a_damaged_table():
    for line in ["x car auto", "n car", "n", "", "n car auto\n\nn auto car"]:
        with pytest.raises(SynonymsError, match="line"):
            Synonyms(line + "\n")


def test_synonyms_are_inflected_by_the_dictionary():
    for lemma, tag, form in CASES["synonyms are inflected by the dictionary"]:
        assert inflected(lemma, tag) == form, lemma


def test_the_article():
    assert [w for w in "apple hour honest heir unusual uncle opera umbrella X-ray".split() if article(w) == "a"] == [
        "X-ray"
    ]
    assert not [
        w for w in "car user unique European one-off house uniform once ewe utility".split() if article(w) == "an"
    ]
