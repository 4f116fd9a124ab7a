"""The interpreter, on documents written by hand: what each task's summary says, and what is not a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.synthetic.interpreter import TASKS, LanguageError, difference, summaries
from gistmill.rules.synthetic.language import is_reserved
from tests.cases import by_heading

CASES = by_heading(__file__)

FOUND, NOT_FOUND = "the special word was found .", "the special word was not found ."
FIRST, SECOND, LAST = "ab cd ef .", "gh ij .", "kl mn op ."
PLAIN = f"{FIRST} {SECOND} {LAST}"


def accepts(inputs, tasks, output):
    return difference(inputs, tasks, output) is None


def told(task, inputs):
    """All right summaries of a document of one task."""
    (found,) = summaries(inputs, [task])
    assert all(accepts(inputs, [task], one) for one in found)
    return found


def problem(inputs, *tasks):
    with pytest.raises(LanguageError) as error:
        summaries(inputs, tasks)
    assert "\n" not in str(error.value)
    return str(error.value)


# Of each task: documents, and the only summary that is right.
def test_a_summary():
    for task, inputs, summary in CASES["a summary"]:
        assert told(task, inputs) == (summary,), task
        for wrong in (
            "",
            ".",
            inputs,
            summary[:-2],
            f"{summary} ",
            f" {summary}",
            summary.upper(),
            f"{summary} {summary}",
        ):
            assert accepts(inputs, [task], wrong) == (wrong == summary), task


def test_sentences_in_any_order():
    task = "copy-kwd-multiple-shuffled"
    one, two, three = "a __d5__keyword_1__ .", "__d5__keyword_1__ b .", "c __d5__keyword_0__ d ."
    inputs = f"{one} no . {two} {three}"
    assert len(set(told(task, inputs))) == 6
    assert accepts(inputs, [task], f"{three} {one} {two}")
    for wrong in (f"{one} {two}", f"{one} {one} {two}", f"{one} {two} {three} no .", f"{one} {two} {three} {three}"):
        assert not accepts(inputs, [task], wrong)
    same, other = "__d5__keyword_1__ .", "__d5__keyword_2__ ."
    inputs = f"{same} {same} {other}"
    assert accepts(inputs, [task], f"{same} {other} {same}") and not accepts(inputs, [task], f"{same} {other} {other}")


def test_any_synonym():
    inputs = "no . a __d18__src_19__ b ."
    assert set(told("paraphrase-words", inputs)) == {f"a __d18__target_19_{j}__ b ." for j in range(3)}
    for wrong in ("a __d18__target_19_3__ b .", "a __d18__target_18_0__ b .", "a __d18__src_19__ b ."):
        assert not accepts(inputs, ["paraphrase-words"], wrong)


def test_the_outputs_of_an_ensemble_follow_each_other_in_turn():
    quoted = "__d8__bullet__ a __d7__begin_quote__ b __d18__src_0__ __d7__end_quote__ ."
    inputs = f"ab . {quoted} cd ."
    tasks = ["paraphrase-words", "copy-bulleted", "copy-quoted"]
    bulleted, run = "a __d7__begin_quote__ b __d18__src_0__ __d7__end_quote__ .", "b __d18__src_0__ ."
    for j in range(3):
        paraphrase = f"__d8__bullet__ a __d7__begin_quote__ b __d18__target_0_{j}__ __d7__end_quote__ ."
        assert accepts(inputs, tasks, f"{paraphrase} {bulleted} {run}")
        assert not accepts(inputs, tasks, f"{bulleted} {paraphrase} {run}")
        assert accepts(inputs, tasks[::-1], f"{run} {bulleted} {paraphrase}")
    assert not accepts(inputs, tasks, f"{paraphrase} {bulleted}")
    assert not accepts(inputs, tasks, f"{paraphrase} {bulleted}{run}")


def test_the_difference_is_said():
    inputs = f"{FIRST} gh __d9__keyword__ ."
    tasks = ["copy-first-sentence", "check-keyword"]
    right = f"{FIRST} {FOUND}"
    assert difference(inputs, tasks, right) is None
    assert difference(inputs, tasks, "ab cd .") == f"copy-first-sentence requires {FIRST!r}, not 'ab cd .'"
    assert difference(inputs, tasks, FIRST) == f"check-keyword requires {FOUND!r}, not ''"
    assert difference(inputs, tasks, f"{right} {'x ' * 50}") == f"text after the last summary: {'x ' * 30 + '...'!r}"


def test_a_summary_that_begins_like_another_is_not_taken_for_it():
    """An output may fit the first task in several ways; one that goes on has to be found."""
    same, longer = "a __d5__keyword_1__ .", "a __d5__keyword_1__ . a __d5__keyword_1__ ."
    inputs = f"{longer} __d5__keyword_0__ . a __d12__keyword_2__ . __d12__keyword_2__ . __d12__keyword_1__ ."
    tasks = ["copy-kwd-multiple-shuffled", "majority-keyword"]
    majority = "The keyword 2 occurred more number of times ."
    assert accepts(inputs, tasks, f"{same} __d5__keyword_0__ . {same} {majority}")
    assert not accepts(inputs, tasks, f"{same} {same} {majority}")


def test_what_is_not_a_document():
    for inputs, message in CASES["what is not a document"]:
        assert message in problem(inputs, "copy-first-sentence"), inputs
    words = "__d3 d3__ __d3__ __ __d __dx__keyword_1__ __d3__keyword_1 .. <extra_id_1> x<extra_id_0> ."
    assert told("copy-first-sentence", words) == (words,)  # they only look like keywords


def test_what_is_not_a_document_of_a_task():
    for task, inputs, message in CASES["what is not a document of a task"]:
        assert message in problem(inputs, task), task
    assert "has the unknown task 'copy-first-sentance'" in problem(PLAIN, "copy-first-sentance")
    assert "has no tasks, or the same task twice" in problem(PLAIN)
    assert "has no tasks, or the same task twice" in problem(PLAIN, "check-keyword", "check-keyword")


WORDS = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1).filter(
    lambda word: not is_reserved(word) and len(word.split()) == 1
)
SENTENCES = st.lists(st.lists(WORDS, min_size=2, max_size=6), min_size=4, max_size=7)


def _text(sentences):
    return " ".join(" ".join([*words, "."]) for words in sentences)


@given(SENTENCES, st.data())
def test_a_keyword_in_any_place_of_any_words(sentences, data):
    """What is copied, replaced and cut is what plain lists of words say."""
    at = data.draw(st.integers(0, len(sentences) - 1))
    place = data.draw(st.integers(0, len(sentences[at]) - 1))

    def put(token):
        return _text([[*w[:place], token, *w[place + 1 :]] if n == at else w for n, w in enumerate(sentences)])

    before, after = sentences[at][:place], sentences[at][place + 1 :]
    assert told("copy-kwd-one-sentence", put("__d3__keyword_3__")) == (_text([[*before, "__d3__keyword_3__", *after]]),)
    assert told("truncate-sentence", put("__d21__keyword_3__")) == (_text([before]).strip(),)
    replaced = told("replace-class-keyword", put("__d11__class_1_kw_2__"))
    assert replaced == (_text([[*before, "__d11__class_1__", *after]]),)
    assert accepts(put("__d9__keyword__"), ["check-keyword"], FOUND)
    assert accepts(_text(sentences), ["check-keyword"], NOT_FOUND)


@given(SENTENCES, st.lists(st.integers(0, 9), min_size=3, max_size=3, unique=True), st.randoms(use_true_random=False))
def test_order_matters_where_it_has_to(sentences, numbers, chance):
    at = sorted(chance.sample(range(len(sentences)), 3))

    def put(task):
        marks = {a: f"__{task}__keyword_{n}__" for a, n in zip(at, numbers, strict=True)}
        return [[marks[n], *words[1:]] if n in marks else words for n, words in enumerate(sentences)]

    mixed = chance.sample(at, 3)
    document = put("d5")
    assert accepts(_text(document), ["copy-kwd-multiple-shuffled"], _text(document[n] for n in mixed))
    document = put("d4")
    assert accepts(_text(document), ["copy-kwd-multiple-in-order"], _text(document[n] for n in at))
    assert accepts(_text(document), ["copy-kwd-multiple-in-order"], _text(document[n] for n in mixed)) == (mixed == at)
    document = put("d6")
    by_number = [a for _, a in sorted(zip(numbers, at, strict=True))]
    assert accepts(_text(document), ["copy-kwd-multiple-sorted"], _text(document[n] for n in by_number))


@given(st.text(st.sampled_from("ab ._d3keywor1\n<>"), max_size=40), st.sampled_from(sorted(TASKS)))
def test_any_text_is_read_or_refused(text, task):
    try:
        found = summaries(text, [task])
    except LanguageError:
        return
    assert all(one and one.endswith(".") for told in found for one in told)
