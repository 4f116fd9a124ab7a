from gistmill.rules.coreference.lexicon import NO_KINDS, ReferentKind, kinds_of_noun, main_kind


def test_the_table_tells_kinds_apart() -> None:
    for noun, kind in (
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
    ):
        assert kind in kinds_of_noun(noun), noun


def test_a_noun_of_several_kinds_has_them_all_and_its_main_one() -> None:
    assert kinds_of_noun("party") >= {ReferentKind.GROUP, ReferentKind.EVENT}
    assert main_kind("party") is ReferentKind.GROUP


def test_names_phrases_and_unknown_words_have_no_kind() -> None:
    for word in ("paris", "zzyzx", "", "vice president", "School"):
        assert kinds_of_noun(word) == NO_KINDS, word
        assert main_kind(word) is None, word
