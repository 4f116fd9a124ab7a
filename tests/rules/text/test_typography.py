"""Typographic marks fold to ASCII, token by token, and unfold to what was printed."""

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.news.article import Article
from gistmill.rules.news.html import extract_article
from gistmill.rules.text.prose import plain_paragraphs
from gistmill.rules.text.typography import fold, folded, is_folded, length_of_print, spaced, unfolded
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.cases import by_heading

CASES = by_heading(__file__)

MARKS = "“”„‟«»″‘’‚‛‹›′´‐‑‒–−—―⸺⸻…"
tokens = st.text(st.sampled_from(MARKS + "aZ9é.'\"-"), min_size=1, max_size=6)
texts = st.lists(st.tuples(tokens, st.booleans()), max_size=8)


def cut(text):
    """Tokens of a text: words and marks that a bar parts, with spaces where the text has them."""
    words = [part for word in text.split(" ") for part in (*word.split("|"), None)][:-1]
    pairs = zip(words, [*words[1:], None], strict=True)
    return [(word, following is None and i < len(words) - 1) for i, (word, following) in enumerate(pairs) if word]


def test_a_token():
    for token, ascii in CASES["a token"]:
        assert fold(token) == ascii, token


def test_dashes_by_what_is_around_them():
    for text, ascii in CASES["dashes by what is around them"]:
        assert " ".join(folded(cut(text))) == ascii, text


@given(st.sampled_from(MARKS))
def test_every_mark_becomes_ascii(mark):
    assert fold(mark).isascii() and fold(f"a{mark}1").isascii()


@given(texts)
def test_folding_is_idempotent_and_keeps_the_number_of_tokens(text):
    once = folded(text)
    assert len(once) == len(text) and all(once)
    assert folded([(word, space) for word, (_, space) in zip(once, text)]) == once


@given(texts)
def test_what_was_folded_unfolds(text):
    for word, (printed, _) in zip(folded(text), text):
        assert is_folded(word, printed) and unfolded(word, printed) == printed


@given(texts)
def test_what_was_printed_is_found_in_the_text(text):
    words, natural, at = folded(text), "".join(word + " " * space for word, space in text), 0
    for word, (printed, space) in zip(words, text):
        if space:  # else what follows may belong to the token as well
            assert length_of_print(natural[at:], 0, word) == len(printed)
        at += len(printed) + space


def test_a_token_keeps_the_capital_that_it_was_given():
    assert unfolded("L'amour", "l’amour") == "L’amour"
    assert unfolded("'tis", "’Tis") == "’tis"
    assert unfolded("she", "O’Brien") == "she" and unfolded("the", "a") == "the"


def test_other_texts_are_not_what_was_printed():
    assert length_of_print("“no”", 0, "'") == length_of_print("", 0, "a") == length_of_print("ab", 0, "abc") == -1
    assert length_of_print("––x", 0, "--") == 2 and length_of_print("—x", 0, "--") == 1


def test_spaces_around_dashes():
    for text, natural in CASES["spaces around dashes"]:
        printed = cut(text)
        words = folded(printed)
        assert "".join(w + " " * s for w, s in zip(words, spaced(words, printed))) == natural, text


# Every space of Unicode that ends no line, and two marks without width.
SPACES = "\u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000" + "\u200b\u00ad"


def test_cleaning_leaves_no_other_spaces_than_blanks():
    for space in SPACES:
        text = f"The old mill of the town was sold{space} to the council{space} in 1901, and it became a good museum."
        page = f"<html><body><article><p>{text}</p><p>{text}</p></article></body></html>"
        article = extract_article((page, "https://a.example/b"))
        assert isinstance(article, Article), space
        (section,) = clean_wikitext(text)
        for paragraph in (*plain_paragraphs(text), *section.paragraphs, *article.paragraphs):
            assert paragraph.isascii() and "sold to the council in 1901" in paragraph, space
