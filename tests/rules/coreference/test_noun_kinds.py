import pytest

from gistmill.rules.augmentation.eda.wordnet import COUNTS
from gistmill.rules.coreference.noun_kinds import NO_KINDS, Kind, kinds_of_noun, main_kind
from research.build_noun_kinds import table

_DATA = """  1 the licence
00000010 03 n 01 artifact 0 000 | a gloss
00000011 06 n 01 structure 0 001 @ 00000010 n 0000 | a gloss
00000012 06 n 02 building 0 edifice 0 001 @ 00000011 n 0000 | a gloss
00000013 06 n 01 school 1 001 @ 00000012 n 0000 | a gloss
00000014 14 n 01 school 0 000 | a gloss
00000015 05 n 01 school 2 000 | a gloss
00000016 06 n 01 hammer 0 001 @ 00000010 n 0000 | a gloss
00000017 15 n 01 Paris 0 001 @i 00000010 n 0000 | a gloss
00000018 06 n 01 creation 0 001 @ 00000010 n 0000 | a gloss
00000019 06 n 01 statue 0 001 @ 00000018 n 0000 | a gloss
00000020 15 n 02 region 0 fire_house 0 001 @ 00000010 n 0000 | a gloss
"""
_INDEX = """  1 the licence
artifact n 1 0 1 0 00000010
building n 1 0 1 0 00000012
creation n 2 0 1 0 00000016 00000018
fire_house n 1 0 1 0 00000020
hammer n 1 0 1 0 00000016
paris n 1 0 1 0 00000017
region n 1 0 1 0 00000020
school n 3 0 2 2 00000014 00000013 00000015
statue n 1 0 1 0 00000019
structure n 1 0 1 0 00000011
"""
_COUNTS = "school%1:14:00:: 1 10\nschool%1:06:01:: 2 6\n"


def test_of_a_wordnet_the_kinds_come_by_use_and_rare_ones_fall_away() -> None:
    made = dict(
        table(
            {"data.noun": _DATA, "index.noun": _INDEX, COUNTS: _COUNTS},
            anchors={("structure", 1): Kind.PLACE, ("creation", 2): Kind.WORK},
        )
    )
    # the shoal is 1 of 19 uses, smoothed; Paris is an individual; "fire_house" a phrase; artifacts are of many kinds
    assert made == {
        "building": [Kind.PLACE],
        "creation": [Kind.THING, Kind.WORK],
        "hammer": [Kind.THING],
        "region": [Kind.PLACE],
        "school": [Kind.GROUP, Kind.PLACE],
        "statue": [Kind.WORK],
        "structure": [Kind.PLACE],
    }


@pytest.mark.parametrize(
    "noun, kind",
    [
        ("astronomer", Kind.PERSON),
        ("frenchman", Kind.PERSON),
        ("horse", Kind.ANIMAL),
        ("committee", Kind.GROUP),
        ("river", Kind.PLACE),
        ("museum", Kind.PLACE),
        ("novel", Kind.WORK),
        ("painting", Kind.WORK),
        ("hammer", Kind.THING),
        ("war", Kind.EVENT),
        ("theory", Kind.IDEA),
        ("disease", Kind.STATE),
        ("century", Kind.MEASURE),
    ],
)
def test_the_table_tells_kinds_apart(noun: str, kind: Kind) -> None:
    assert kind in kinds_of_noun(noun)


def test_a_noun_of_several_kinds_has_them_all_and_its_main_one() -> None:
    assert kinds_of_noun("party") >= {Kind.GROUP, Kind.EVENT}
    assert main_kind("party") is Kind.GROUP


@pytest.mark.parametrize("word", ["paris", "zzyzx", "", "vice president", "School"])
def test_names_phrases_and_unknown_words_have_no_kind(word: str) -> None:
    assert kinds_of_noun(word) == NO_KINDS
    assert main_kind(word) is None
