from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.discofuse import operations
from gistmill.rules.discofuse.parse import Parse, Word
from gistmill.rules.documents import natural_text, tokenised_text
from tests.cases import by_heading
from tests.rules.discofuse.helpers import parse
from tests.testing import parsed

CASES = by_heading(__file__)


def words(text: str, *, start: int = 0) -> tuple[Word, ...]:
    """Words of a tokenised text with natural spacing."""
    texts = text.split()
    return tuple(
        Word(
            t,
            i + 1 < len(texts) and texts[i + 1] not in (",", ".", "'s", ")", "?") and t != "(",
            "NN",
            "NOUN",
            "",
            t,
            "",
            start + i,
            -1,
        )
        for i, t in enumerate(texts)
    )


some_words = st.lists(st.sampled_from(["Kubler", ",", "who", "won", ".", "the", "(", ")"]), max_size=12).map(
    lambda w: words(" ".join(w))
)


class TestOperations:
    def test_delete_keeps_natural_spacing(self):
        kubler = words("Kubler , who retired , remained here .")
        assert natural_text(operations.delete(kubler, 1, 4)) == "Kubler remained here."

    def test_delete_before_final_punctuation(self):
        assert natural_text(operations.delete(words("It ended , too ."), 2, 2)) == "It ended."

    def test_replace_takes_over_the_spacing(self):
        made = operations.replace(words("before his kick ."), 1, 2, (Word("Ruiz", False), Word("'s")))
        assert natural_text(made) == "before Ruiz's kick."

    def test_replace_with_nothing_changes_nothing(self):
        assert operations.replace(words("a b"), 0, 1, ()) == words("a b")

    def test_trim_cuts_at_the_first_punctuation(self):
        for text, made in CASES["trimmed"]:
            assert tokenised_text(operations.trim(words(text))) == made, text

    @given(some_words, st.integers(0, 12))
    def test_split_parts_join_to_the_whole(self, given_words, position):
        joined = operations.join(given_words[:position], given_words[position:])
        assert [w.text for w in joined] == [w.text for w in given_words]

    @given(some_words, st.integers(0, 12), st.integers(0, 12))
    def test_delete_removes_exactly_the_range(self, given_words, start, count):
        texts = [w.text for w in given_words]
        assert [w.text for w in operations.delete(given_words, start, count)] == texts[:start] + texts[start + count :]

    @given(some_words)
    def test_trim_is_idempotent(self, given_words):
        assert operations.trim(operations.trim(given_words)) == operations.trim(given_words)


class TestSentence:
    def test_ends(self):
        for text, made in CASES["ends"]:
            assert tokenised_text(operations.sentence(words(text))) == made, text

    @given(some_words)
    def test_idempotent(self, given_words):
        once = operations.sentence(given_words)
        assert operations.sentence(once) == once


class TestLowered:
    def test_a_former_first_word(self):
        for text, tag, pos, dep, entity, expected in CASES["lowered"]:
            word = Word(text, True, tag, pos, dep, text.lower(), entity, 0)
            assert operations.lowered((word, Word("Raven", position=1)))[0].text == expected, text

    def test_a_word_that_did_not_open_the_sentence_is_left_alone(self):
        for start, opening, expected in ((4, 0, "The"), (2, 2, "the"), (3, 2, "The")):
            assert operations.lowered(words("The Hague", start=start), opening=opening)[0].text == expected, start


class TestSpelledOut:
    def test_verbs(self):
        for joined, full in CASES["verbs"]:
            words = Parse(parsed(f"They|PRP|nsubj|2 {joined} in|IN|prep|2")).words
            made = operations.spelled_out(words, 1)
            assert [w.text for w in made] == ["They", full, "in"] and made[0].space, joined

    def test_the_next_verb_tells_a_perfect(self):
        for joined, verb, full in CASES["the next verb tells a perfect"]:
            words = Parse(parsed(f"It|PRP|nsubj|4 {joined}|4||be all|RB|advmod|4 {verb}|ROOT|0")).words
            made = operations.spelled_out(words, 1)[1]
            assert [made.text, made.tag] == full, joined

    def test_what_has_an_object_is_a_perfect(self):
        text = "It|PRP|nsubjpass|3 's|VBZ|auxpass|3||be sold|VBN|ROOT|0||sell {}|3 .|.|punct|3"
        for more, full in (("cloth|NN|dobj", "has"), ("here|RB|advmod", "is")):
            assert operations.spelled_out(Parse(parsed(text.format(more))).words, 1)[1].text == full

    def test_a_possessive_is_none(self):
        words = Parse(parsed("Leo|NNP|poss|3 's|POS|case|1 mill|NN|ROOT|0")).words
        assert operations.spelled_out(words, 1) == words

    def test_nothing_follows(self):
        words = Parse(parsed("They|PRP|ROOT|0")).words
        assert operations.spelled_out(words, 1) == words


class TestParticipleOnly:
    def test_no_past_tense(self):
        for word in ("begun", "gone", "done", "seen", "taken", "drunk", "proven", "overtaken"):
            assert operations.is_participle_only(word), word

    def test_another_form_or_no_verb(self):
        for word in ("went", "held", "closed", "come", "run", "are", "has", "raising", "town", "men"):
            assert not operations.is_participle_only(word), word


# Contractions as the parser splits them.


def test_a_contraction_with_a_typographic_mark():
    for label, lemma in (("ROOT|0", "be"), ("aux|3", "'s")):
        made = parse(f"It|PRP|nsubj|2 ’s|VBZ|{label}||’s made|VBN|ROOT|0||make")
        assert made.tokens[1].lemma == lemma, label
