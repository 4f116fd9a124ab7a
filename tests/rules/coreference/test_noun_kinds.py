import pytest

from gistmill.rules.coreference.lexicon import NO_KINDS, ReferentKind, kinds_of_noun, main_kind


@pytest.mark.parametrize(
    ("noun", "kind"),
    [
        ("astronomer", ReferentKind.PERSON),
        ("frenchman", ReferentKind.PERSON),
        ("horse", ReferentKind.ANIMAL),
        ("committee", ReferentKind.GROUP),
        ("river", ReferentKind.PLACE),
        ("museum", ReferentKind.PLACE),
        ("novel", ReferentKind.WORK),
        ("painting", ReferentKind.WORK),
        ("hammer", ReferentKind.THING),
        ("war", ReferentKind.EVENT),
        ("theory", ReferentKind.IDEA),
        ("disease", ReferentKind.STATE),
        ("century", ReferentKind.MEASURE),
    ],
)
def test_the_table_tells_kinds_apart(noun: str, kind: ReferentKind) -> None:
    assert kind in kinds_of_noun(noun)


def test_a_noun_of_several_kinds_has_them_all_and_its_main_one() -> None:
    assert kinds_of_noun("party") >= {ReferentKind.GROUP, ReferentKind.EVENT}
    assert main_kind("party") is ReferentKind.GROUP


@pytest.mark.parametrize("word", ["paris", "zzyzx", "", "vice president", "School"])
def test_names_phrases_and_unknown_words_have_no_kind(word: str) -> None:
    assert kinds_of_noun(word) == NO_KINDS
    assert main_kind(word) is None
