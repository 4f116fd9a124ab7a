"""Sentences of many languages: what ends one, what does not, and the laws that hold for any text in any language."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.languages import language
from gistmill.rules.text import segment
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.sentences import splitter_for
from tests.cases import by_heading
from tests.samples import REAL_DATA, needs_real

CASES = by_heading(__file__)

FILES = sorted(p.stem for p in (Path(language.__file__).parent / "data").glob("*.toml"))
UNKNOWN = ["da", "el", "fi", "hu", "hy", "ka", "my", "ur", "xx", "zh-yue", "be-tarask", "roa-tara", "!"]


def test_sentences():
    """Sentences by "|"; the text is the same with the language's joiner instead."""
    english = (f"en {line}" for line in CASES["english"].splitlines())
    for line in (*CASES["lines"].splitlines(), *english):
        code, _, rest = line.partition(" ")
        sentences = rest.split("|")
        joiner = language.language_named(code).joiner
        assert splitter_for(code)(joiner.join(sentences)) == sentences, line


def test_english_has_the_rules_of_its_own():
    assert splitter_for("en") is splitter_for("") is splitter_for("simple") is split_sentences


def test_awkward_texts():
    for text, sentences in CASES["awkward english texts"]:
        assert split_sentences(text) == sentences, text
    for code in ("de", "ja", "ar", "xx"):
        for text, sentences in CASES["awkward texts of any language"]:
            assert splitter_for(code)(text) == sentences, (code, text)
        assert splitter_for(code)("Was\ud800? Das!") == ["Was\ud800?", "Das!"]


def test_sentences_of_a_kind():
    for code, text, sentences in CASES["sentences of a kind"]:
        assert splitter_for(code)(text) == sentences, text


def test_a_bracket_that_closes_far_away_holds_nothing_together():
    for code, begin, inside, end in (
        ("en", "It (was late.", "Nobody cared.", ")"),
        ("pt", "Isto (foi tarde.", "Ninguém veio.", ")"),
        ("ja", "彼「来た。", "また来た。", "」"),
    ):
        joiner = language.language_named(code).joiner
        expected = [begin, *[inside] * 89, f"{inside}{joiner}{end}"]
        assert splitter_for(code)(joiner.join((begin, *[inside] * 90, end))) == expected, code


def test_a_notice_of_a_place_is_no_end_but_a_long_sentence_of_dates_is():
    split = splitter_for("ru")
    assert split("В 1812 г. Кутузов ушёл.") == ["В 1812 г. Кутузов ушёл."]
    long = "Первые греческие тексты снова начали появляться там в 1812 г."
    assert split(f"{long} Греция росла.") == [long, "Греция росла."]
    assert split("Он долго жил там со всей своей большой семьёй в г. Москва.")[1:] == []


HOSTILE = (
    [".", ". ", "a. ", "(a. B", "A! ", '"', "[1]", "a.”", "J. ", "。「", "。」", "「。", "。", "«", " ", "a.B", "abc.Def", "1. ", "😀. A", "! (", "A.\xa0", "\n", " อ"]
)  # fmt: skip
BARS = {"zh": 0.95, "ja": 0.95, "ko": 0.95, "ar": 0.95, "hi": 0.95, "th": 0}


def documents_of(path):
    """The documents of a file, each a list of sentences."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    documents = ([" ".join(line.split()) for line in block.split("\n") if line.strip()] for block in blocks)
    return [sentences for sentences in documents if sentences]


def ends(text, sentences):
    """Yields where the sentences of a text end, except the last."""
    at = 0
    for sentence in sentences[:-1]:
        at = text.index(sentence, at) + len(sentence)
        yield at


def f1_of(split, documents, joiner):
    """The F1 of the boundaries that a splitter finds."""
    right = found = known = 0
    for sentences in documents:
        text = joiner.join(sentences)
        gold, ours = set(ends(text, sentences)), set(ends(text, split(text)))
        right, found, known = right + len(gold & ours), found + len(ours), known + len(gold)
    return 2 * right / (found + known)


@needs_real
def test_boundaries_of_real_texts():
    for code in "ar cs de en es fr hi id it ja ko pl pt ru th tr zh".split():
        for half in (slice(0, None, 2), slice(1, None, 2)):
            documents = documents_of(REAL_DATA / "multilingual" / "sentences" / f"{code}.txt")[half]
            assert len(documents) > 90, (code, half)
            joiner = language.language_named(code).joiner
            assert f1_of(splitter_for(code), documents, joiner) >= BARS.get(code, 0.98), (code, half)


PIECES = st.sampled_from(
    [*" .!?…。！？।؟۔;።។«»“”„\"'’()[]「」『』—–:،、\n\xa0\u3000\u200d́", "😀", "[1]", "...", ". ", "。「", "。」と", "的", "が", "Er", "der", "Das", "z.", "B.", "Dr.", "5", "1998.", "XIV.", "т.", "Он", "г.", "هو", "है", "그는", "彼", "来た", "เขา", "อย่างไรก็ตาม", "iPad", "'s", "J.", "usw.", "etc.", "C.", "20°", "m.", "น.", "the", "U.S.", "Mr.", "p.m.", "e.g.", "No.", "$3.20", "end.", "end!", 'end?"', "(so", "so.)", "…", "“Oh", "Oh.”", "''", "—", "end.The", "I.", "x."]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.lists(PIECES, max_size=30).map(" ".join) | st.text(max_size=60)
CODES = st.sampled_from([*FILES, *UNKNOWN])


@given(CODES, TEXTS)
def test_sentences_are_pieces_in_order_with_only_white_space_between(code, text):
    at = 0
    for sentence in splitter_for(code)(text):
        assert sentence and sentence == sentence.strip()
        found = text.index(sentence, at)
        assert not text[at:found].strip()
        at = found + len(sentence)
    assert not text[at:].strip()


@given(CODES, TEXTS)
def test_same_text_same_sentences(code, text):
    assert splitter_for(code)(text) == splitter_for(code)(f" \n{text}\u3000")


@given(CODES, st.text(st.characters(categories=["L", "Mn", "Mc", "N", "Zs"]), max_size=60))
def test_a_paragraph_without_a_mark_is_one_sentence(code, text):
    text = text.translate(str.maketrans("อཀག", "กཁཁ"))  # openers of Thai, and what Tibetan marks lack after
    assert splitter_for(code)(text) == ([text.strip()] if text.strip() else [])


@pytest.mark.parametrize(
    "code", ["en", *(pytest.param(code, marks=pytest.mark.slow) for code in ("de", "th", "zh", "xx"))]
)
def test_hostile_texts_take_linear_time(code):
    split = splitter_for(code)
    start = time.process_time()
    for unit in HOSTILE:
        many = unit * (200_000 if len(unit) == 1 else 20_000 // len(unit))
        assert split(f"Ab cd{many}Ef")
        assert "".join("".join(split(many)).split()) == "".join(many.split())
    assert split("x" * 1_000_000) == ["x" * 1_000_000]
    assert len(split("x " * 500_000)) == 1
    assert time.process_time() - start < 30  # three seconds; an hour when something goes back over what it read


def test_words_of_the_tables_have_no_full_stop_at_their_end_and_one_meaning():
    for code in FILES:
        table = language.language_named(code).tables.get("sentences", {})
        for key in ("never_last", "before_numbers", "either", "dates", "last", "starters"):
            words = table.get(key, [])
            assert words == sorted(set(words)) and not any(re.search(r"[.\s]$|^\s|^$", word) for word in words), key
        assert not set(table.get("never_last", ())) & {*table.get("before_numbers", ()), *table.get("either", ())}, code
        assert set(table) <= set(KEYS), code


KEYS = "never_last before_numbers either dates last starters goes_on speech openers shortened".split()


def test_the_english_lists_hold_no_full_stops_at_the_end():
    lists = [v for k, v in vars(segment).items() if k.isupper() and isinstance(v, frozenset)]
    assert lists and not [w for words in lists for w in words if w.endswith(".")]
