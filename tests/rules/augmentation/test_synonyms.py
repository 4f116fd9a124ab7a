"""The table of synonyms, and what is made of WordNet's files."""

import pytest

from gistmill.rules.augmentation.eda.operations import article
from gistmill.rules.augmentation.eda.synonyms import (
    Synonyms,
    SynonymsError,
    WordNetError,
    inflected,
    shipped,
    synonym_table,
)
from tests.cases import by_heading
from tests.rules.augmentation.wordnet_files import FILES

CASES = by_heading(__file__)


def test_a_table_has_the_synonyms_of_dominant_senses():
    assert synonym_table(FILES).splitlines() == [
        "a big large",
        "a large big",  # "great" is mostly something else
        "n auto car",
        "n car auto",  # not machine, of which it is a rare sense; not railcar, which nobody uses
        "v buy purchase:it",
        "v purchase buy:it",
    ]


def test_a_word_of_two_even_senses_has_no_synonyms():
    files = {**FILES, "cntlist.rev": FILES["cntlist.rev"] + "car%1:06:01:: 2 80\n"}
    assert not any(line.startswith("n car ") for line in synonym_table(files).splitlines())


def test_a_file_that_is_not_wordnets():
    for name in FILES:
        for wrong in ("nonsense\n", "car n x 1 2\n", "00000001 06 n zz car 0\n"):
            with pytest.raises(WordNetError, match="not in the form of WordNet's files"):
                synonym_table({**FILES, name: FILES[name] + wrong})


def test_the_table_that_is_shipped():
    table = shipped()
    assert len(table.digest) == 64 and table.record["name"] == "wordnet-synonyms"


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
