"""``gistmill.propositions`` and ``gistmill.resolve`` with the real models: what they say, and where it stands in any text."""

import pickle
from unicodedata import normalize

import pytest

import gistmill
from gistmill.rules.propositions.statements import PropositionsConfig

TEXT = (
    "Ada Lovelace was an English writer. She worked with Charles Babbage, who built engines, and she published a "
    "program in 1843. Was it run? We do not know."
)
# Ways to write two sentences, and what stands for the pronoun of the second.
WRITTEN = {
    "Windows line ends": "Ada Lovelace left Kent.\r\nShe slept.\r\n",
    "old line ends": "Ada Lovelace left Kent.\rShe slept.\r",
    "tabs": "Ada Lovelace\tleft Kent.\tShe\tslept.",
    "wide spaces": "Ada\u00a0Lovelace left  Kent.\u2003\u3000She\u202fslept.\u2028",
    "emoji": "Ada Lovelace left Kent \U0001f600. She slept \U0001f469\u200d\U0001f4bb well.",
    "soft hyphens": "Ada Love\u00adlace left Kent. She sl\u00adept.",
    "zero width": "\ufeffAda Lovelace left\u200b Kent. She\u2060 slept.\u200b",
    "directions": "\u200fAda Lovelace\u200e left Kent. \u202bShe\u202c slept.",
    "NUL": "Ada Lovelace left\x00 Kent. \x00She slept.\x00",
    "escapes": "Ada Lovelace left Kent.\x1b \x07She slept.\x0c",
    "lone surrogates": "Ada Lovelace left Kent. \ud800 She slept.",
    "decomposed letters": "Ada Love\u0301lace left Kent. She slept.",
    "a heading": "Ada Lovelace\n\n\nAda Lovelace left Kent.\n\n\x00\nShe slept all day.\n\n* * *\n",
    "wrapped lines": "Ada\nLovelace left\nKent. She\nslept.",
}


def places(text):
    """Every place that the two calls tell of a text, with the words that should stand there."""
    for statement in gistmill.propositions(text):
        yield statement.sentence, text[statement.start : statement.end]
        yield from ((o.text, text[o.start : o.end]) for o in statement.unresolved if o.start >= 0)
        assert statement.resolved is (not statement.unresolved) and 0 < statement.quality <= 1
        assert all(0 <= start < end <= len(text) for start, end in statement.pieces)


def plain(words):
    """Words without white space, and without what cleaning takes out."""
    return [c for c in words if c.isprintable() and not c.isspace()]


def made_again(text, found):
    """The text with the replacements that were told of made in it."""
    out, at = [], 0
    for one in found.replaced:
        assert text[one.start : one.end] == one.text and found.text[one.new_start : one.new_end] == one.by
        assert 0 <= one.antecedent_start < one.antecedent_end <= len(text)
        out += [text[at : one.start], one.by]
        at = one.end
    return "".join([*out, text[at:]])


def test_a_text_becomes_statements_that_stand_alone():
    found = gistmill.propositions(TEXT, title="Ada Lovelace")
    assert [s.text for s in found[:4]] == [
        "Ada Lovelace was an English writer.",
        "Ada Lovelace worked with Charles Babbage.",
        "Charles Babbage built engines.",
        "Ada Lovelace published a program in 1843.",
    ]
    assert [u.kind for s in found[:4] for u in s.unresolved] == ["NAMELESS"] and found[1].sentence == found[3].sentence
    last = found[3]
    assert [TEXT[start:end] for start, end in last.pieces] == ["Ada Lovelace", "published a program in 1843."]
    assert last.operations[-1].startswith("REPLACE She by Ada Lovelace (") and last.quality < 1
    assert not any("run" in s.text for s in found), "a question asserts nothing"
    assert [(s.unresolved[0].kind, s.unresolved[0].text) for s in found[4:]] == [("SPEAKER", "We")]


def test_a_sentence_without_statements_has_its_place_and_its_reason():
    text = "she left. Ada Lovelace wrote notes.\n\nWas it\tread? Mary knew Bath."
    found = gistmill.propositions(text)
    assert [s.text for s in found] == ["Ada Lovelace wrote notes.", "Mary knew Bath."]
    assert [(r.reason, text[r.start : r.end]) for r in found.rejected] == [
        ("STATES_NO_BEGINNING", "she left."),
        ("STATES_A_QUESTION", "Was it\tread?"),
    ]
    assert found.rejected[1].why == "a question asserts nothing"


def test_lower_case_is_no_reason_where_the_whole_text_has_it():
    found = gistmill.propositions("ada lovelace left kent. she wrote notes. who read them?")
    assert len(found) >= 2 and [r.reason for r in found.rejected] == ["STATES_A_QUESTION"]


def test_the_statements_of_a_text_are_copied_with_the_rejected_sentences():
    found = gistmill.propositions("Mary knew Bath. Why?")
    copied = pickle.loads(pickle.dumps(found))
    assert copied == found and copied.rejected == found.rejected and len(found.rejected) == 1


@pytest.mark.slow
def test_options_decide():
    text = "The bridge fell, and the tower burned. It was old."
    strict, generous = (PropositionsConfig(precision=how) for how in ("strict", "generous"))
    assert len(gistmill.propositions(TEXT, config=strict)) < len(gistmill.propositions(TEXT, config=generous))
    assert gistmill.resolve(text, coref="none").replaced == ()
    assert gistmill.resolve(TEXT, config=PropositionsConfig(min_coref_confidence=0.0)).replaced
    with pytest.raises(ValueError, match="best"):
        gistmill.resolve(text, coref="best")


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_words_stand_where_they_are_said_to(text):
    told = list(places(text))
    assert told and all(plain(said) == plain(normalize("NFC", there)) for said, there in told), told


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_a_text_stays_as_it_is_but_for_the_mentions_that_give_way(text):
    found = gistmill.resolve(text)
    assert found.text == made_again(text, found)
    (one,) = found.replaced
    assert one.text.strip("\u2060\u202c") in ("She", "He") and one.by.startswith("Ada") and one.kind == "pronoun"


@pytest.mark.parametrize("text", ["", " \r\n\t\u200a", "\n\n"])
def test_an_empty_text_is_an_error(text):
    for call in (gistmill.propositions, gistmill.resolve):
        with pytest.raises(ValueError, match="the text is empty"):
            call(text)


@pytest.mark.parametrize(
    "text",
    ["Who left Kent? Why did she go?", "x", "....", "\x00", "\U0001f600", "彼女は本を書いた。", "# Title", '{"a": [1]}', "a\x00" * 99],
)  # fmt: skip
def test_what_states_nothing_gives_nothing_and_stays(text):
    assert gistmill.propositions(text) == ()
    found = gistmill.resolve(text)
    assert (found.text, found.replaced) == (text, ())


def some_texts(number):
    return [f"Ada Lovelace wrote letter {i}. She slept, and she left Kent." for i in range(number)]


@pytest.mark.parametrize(("function", "workers"), [("resolve", 2), ("propositions", 1), ("sentences", 1)])
def test_many_texts_give_what_each_gives_alone_in_order(function, workers):
    texts = some_texts(40)
    assert list(gistmill.pipe(texts, function, workers=workers)) == [getattr(gistmill, function)(t) for t in texts]
    assert list(gistmill.pipe([], function, workers=workers)) == []


def test_the_function_gets_its_keywords():
    assert list(gistmill.pipe(["Er kam am 3. Mai."], "sentences", language="de")) == [["Er kam am 3. Mai."]]
    text = "She slept. She left Kent."
    assert next(gistmill.pipe([text], title="Ada Lovelace")) == gistmill.resolve(text, title="Ada Lovelace") != text


def test_texts_are_taken_as_results_are():
    taken = []
    results = gistmill.pipe((taken.append(i) or f"Sentence {i} is here." for i in range(10**9)), "sentences")
    assert taken == [] and next(results) == ["Sentence 0 is here."] and len(taken) < 100


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_names_the_text(workers):
    results = gistmill.pipe([*some_texts(16), "He left.", " \n"], "resolve", workers=workers)
    assert len([next(results) for _ in range(16)]) == 16
    with pytest.raises(ValueError, match=r"^text 17 is empty$"):
        next(results)
    with pytest.raises(TypeError, match=r"^text 1 is NoneType, not a string$"):
        next(gistmill.pipe(["He left.", None], "sentences", workers=workers))


def test_what_cannot_begin_is_an_error_at_once():
    with pytest.raises(ValueError, match="pipe accepts resolve, propositions, sentences, not 'fuse'"):
        gistmill.pipe(["He left."], "fuse")
    with pytest.raises(ValueError, match="workers: expected a whole number of at least 1, not 0"):
        gistmill.pipe(["He left."], workers=0)
    with pytest.raises(TypeError, match="an iterable of texts, not one text"):
        gistmill.pipe("He left.")


@pytest.mark.slow
def test_a_very_long_text_and_a_very_long_word():
    text = "Ada Lovelace left Kent. She slept.\n\n" * 300 + "She wrote " + "x" * 20_000 + ".\n\nShe slept in Bath."
    found = gistmill.resolve(text)
    assert found.text == made_again(text, found) and len(found.replaced) > 300
    last = gistmill.propositions(text)[-1]
    assert (last.text, text[last.start : last.end]) == ("Ada Lovelace slept in Bath.", "She slept in Bath.")
