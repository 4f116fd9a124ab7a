from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.lookup import Subject, folded, key_of, same, sketches_of

SENTENCE = "They allied themselves with the sections of the International, who advocated the overthrow of the state."


def test_the_same_words_have_one_key():
    for other in (
        "They allied themselves with the sections of the International , who advocated the overthrow of the state .",
        SENTENCE.upper(),
        f"“{SENTENCE}”",
        "  They allied\nthemselves with the sections of the International, who advocated the overthrow of the state",
    ):
        assert key_of(Subject.SENTENCE, other) == key_of(Subject.SENTENCE, SENTENCE) is not None, other
        assert same(other, ["Another one.", SENTENCE]), other


def test_tokens_of_contractions_and_hyphens_are_joined():
    assert folded("It does n't use the upper - case version .") == folded("It doesn’t use the upper-case version.")


def test_other_words_and_other_subjects_have_other_keys():
    keys = {key_of(subject, text) for subject in Subject for text in ("Otter", "Otters")}
    assert len(keys) == 2 * len(Subject)
    assert not same("Otter", ["Otters"])


def test_a_text_without_words_has_no_key():
    for text in ("", " ", "...", "“”"):
        assert key_of(Subject.TITLE, text) is None and sketches_of(Subject.SENTENCE, text) == [], text


def test_addresses():
    plain = key_of(Subject.URL, "https://example.org/a")
    for same_page in ("http://www.example.org/a/", "//EXAMPLE.org/a#part", " https://example.org/a "):
        assert key_of(Subject.URL, same_page) == plain
    for other in ("https://example.org/a?page=2", "https://example.org/b", "https://example.com/a"):
        assert key_of(Subject.URL, other) != plain


def test_texts_that_are_nearly_the_same_share_sketches():
    changed = SENTENCE.replace("overthrow", "end")
    assert set(sketches_of(Subject.SENTENCE, SENTENCE)) & set(sketches_of(Subject.SENTENCE, changed))
    assert set(sketches_of(Subject.TITLE, "Anarchism")) & set(sketches_of(Subject.TITLE, "Anarchsm"))
    assert not set(sketches_of(Subject.SENTENCE, SENTENCE)) & set(sketches_of(Subject.TITLE, SENTENCE))


@given(st.text(max_size=60))
def test_keys_are_of_64_bits_and_follow_the_words(text):
    for subject in (Subject.TITLE, Subject.SENTENCE):
        key = key_of(subject, text)
        assert (key is None) == (folded(text) == "")
        assert key is None or 0 <= key < 1 << 64
        assert all(0 <= sketch < 1 << 64 for sketch in sketches_of(subject, text))
        assert bool(sketches_of(subject, text)) == (key is not None)
