"""Where tokens stand: in a text as it was given, whatever cleaning takes out of it, and in the text of ``articles``."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.documents import Sentence, Token
from gistmill.rules.text.prose import Places, PlacesError, plain_paragraphs, without_controls, without_invisible
from tests.testing import document

PIECES = (
    *("Ada wrote it. ", "Rene\u0301 ", "a\u0323\u0302 q\u0302\u0323 ", "\u212b ", "\U0001f469\u200d\U0001f4bb ", "x"),
    *("\n", "\r", "\r\n", "\n\n", "\x85", " ", "\t", "\u2028", "\u00a0", "\x0b", "\x1c"),
    *("\x00", "\x1b", "\u00ad", "\u200b", "\ufeff", "\u200f", "\ud800", "\uffff"),
    *("\u672c\u3092\u304b", "\u3099"),  # a line end before the second vanishes, and it joins the letter before
)


def read(paragraph, *, number=0, section=0, glued=False):
    """A paragraph as one sentence, a token for each word or, if glued, for each letter."""
    found = re.findall(r"\S" if glued else r"\S+", paragraph)
    spaces = [bool(re.match(rf"{re.escape(word)}\s", rest)) for word, rest in _rests(paragraph, found)]
    tokens = tuple(Token(w, s, "NN", "NOUN", "dep", 0, w) for w, s in zip(found, spaces, strict=True))
    return Sentence(tokens, section, number)


def _rests(paragraph, words):
    at = 0
    for word in words:
        at = paragraph.index(word, at)
        yield word, paragraph[at:]
        at += len(word)


def cleaned(text):
    return unicodedata.normalize("NFC", "".join(without_invisible(without_controls(text)).split()))


def placed(text, **how):
    """The words of a text, each with what stands at its place."""
    made = document([read(p, number=number, **how) for number, p in enumerate(plain_paragraphs(text))])
    places = Places(made, text)
    for index, sentence in enumerate(made.sentences):
        for k, token in enumerate(sentence.tokens):
            start, end = places.span(index, k, k + 1)
            yield token.text, text[start:end]


def test_a_word_stands_where_the_text_has_it_with_what_cleaning_takes_out_of_it():
    for text, there in [
        ("Ada left\r\nher house.\r\n", ["Ada", "left", "her", "house."]),
        ("Ada\tleft  \u00a0her\u2028house.", ["Ada", "left", "her", "house."]),
        ("Ada Love\u00adlace left\x00 it\u200b.", ["Ada", "Love\u00adlace", "left", "it\u200b."]),
        ("\ufeff\u200fAda\u200e left \ud800 it.", ["Ada", "left", "it."]),
        ("Rene\u0301 left it.", ["Rene\u0301", "left", "it."]),
        (
            "Ada \U0001f600 left \U0001f469\u200d\U0001f4bb it.",
            ["Ada", "\U0001f600", "left", "\U0001f469\u200d\U0001f4bb", "it."],
        ),
    ]:
        assert [found for _, found in placed(text)] == there, text


def test_paragraphs_that_are_no_prose_are_passed_over_even_where_they_have_the_same_letters():
    text = "Ada wrote\n\nIamhere.\n\nI am here.\n\x00\nI am here too."
    made = document([read("I am here."), read("I am here too.", number=1)])
    assert [Places(made, text).span(i, 0, len(made.sentences[i].tokens)) for i in (0, 1)] == [(21, 31), (34, 48)]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.booleans())
def test_any_text_has_every_word_at_its_place(text, glued):
    end = -1
    for word, there in placed(text, glued=glued):
        end = max(end, 0)
        # letters that became others together share a place
        assert cleaned(there) == word or (glued and word in cleaned(there)), (word, there)
        assert not there[0].isspace() and not there[-1].isspace()
    assert end == (0 if plain_paragraphs(text) else -1)


def test_another_text_is_an_error():
    made = document([read("Ada wrote the book.")])
    with pytest.raises(PlacesError, match="expected 'wrotethebook.' at character 4 of the text, not 'slept all day.'"):
        Places(made, "Ada slept all day.")
    with pytest.raises(PlacesError, match="0 paragraphs of prose, fewer than its document"):
        Places(made, "Ada")


def test_the_text_of_a_document_has_spaces_where_its_tokens_have():
    first = read("He came.", number=0)
    glued = Sentence((*first.tokens[:1], first.tokens[1]._replace(space=False)), 0, 0)
    made = document([glued, read("She left it. ", number=0), read("They slept.", number=1, section=1)])
    places = Places(made)
    assert places.text == "He came.She left it.\nThey slept."
    assert [places.span(i, 0, 2) for i in range(3)] == [(0, 8), (8, 16), (21, 32)]


def test_a_token_may_hold_what_cleaning_takes_out():
    made = document([Sentence((Token("New\u200b York", True, "NNP", "PROPN", "dep", 0, ""), *read("is big.").tokens))])
    assert Places(made).text == "New\u200b York is big." and Places(made).span(0, 0, 2) == (0, 12)
