"""The interpreter, on documents written by hand: what each task's summary says, and what is not a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.synthetic import language
from gistmill.rules.synthetic.interpreter import READINGS, LanguageError, accepts, difference, summaries
from tests.cases import by_heading

CASES = by_heading(__file__)

FIRST, SECOND, LAST = "ab cd ef .", "gh ij .", "kl mn op ."
PLAIN = f"{FIRST} {SECOND} {LAST}"


def told(task, inputs):
    """All right summaries of a document of one task."""
    (found,) = summaries(inputs, [task])
    assert all(accepts(inputs, [task], one) for one in found)
    return found


def fault(inputs, *tasks):
    with pytest.raises(LanguageError) as error:
        summaries(inputs, tasks)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_there_is_a_reading_of_every_task():
    assert list(READINGS) == [task.name for task in language.TASKS]


# Of each task: documents, and the only summary that is right.
def test_a_summary():
    for task, inputs, summary in [
        ("copy-first-sentence", PLAIN, FIRST),
        ("copy-first-sentence", "ab .", "ab ."),
        ("copy-last-sentence", PLAIN, LAST),
        ("copy-last-sentence", "ab .", "ab ."),
        ("copy-kwd-one-sentence", f"{FIRST} gh __d3__keyword_9__ . {LAST}", "gh __d3__keyword_9__ ."),
        ("copy-kwd-one-sentence", "__d3__keyword_0__ .", "__d3__keyword_0__ ."),
        (
            "copy-kwd-multiple-in-order",
            "a __d4__keyword_5__ . no no . __d4__keyword_5__ b . c __d4__keyword_0__ d .",
            "a __d4__keyword_5__ . __d4__keyword_5__ b . c __d4__keyword_0__ d .",
        ),
        (
            "copy-kwd-multiple-sorted",
            "a __d6__keyword_9__ . __d6__keyword_2__ b . no . c __d6__keyword_3__ .",
            "__d6__keyword_2__ b . c __d6__keyword_3__ . a __d6__keyword_9__ .",
        ),
        ("copy-quoted", "ab __d7__begin_quote__ cd ef __d7__end_quote__ . gh .", "cd ef ."),
        ("copy-quoted", "__d7__begin_quote__ ab __d7__end_quote__ .", "ab ."),
        ("copy-bulleted", f"{FIRST} __d8__bullet__ {SECOND} {LAST}", SECOND),
        ("check-keyword", PLAIN, "the special word was not found ."),
        ("check-keyword", "ab __d9__keyword__ . cd .", "the special word was found ."),
        ("classify-keyword", "ab __d10__keyword_4__ .", "the keyword was positive ."),
        ("classify-keyword", "ab __d10__keyword_5__ .", "the keyword was negative ."),
        ("replace-class-keyword", "ab . cd __d11__class_2_kw_0__ ef .", "cd __d11__class_2__ ef ."),
        (
            "majority-keyword",
            "__d12__keyword_1__ a . __d12__keyword_2__ . __d12__keyword_2__ b .",
            "The keyword 2 occurred more number of times .",
        ),
        (
            "majority-keyword",
            " ".join(f"a __d12__keyword_{n}__ ." for n in (1, 2, 1, 2, 1)),
            "The keyword 1 occurred more number of times .",
        ),
        ("majority-keyword", " ".join(["a __d12__keyword_2__ ."] * 5), "The keyword 2 occurred more number of times ."),
        (
            "topic-segregation",
            "a __d13__class_2_kw_0__ . no . b __d13__class_0_kw_2__ . __d13__class_2_kw_1__ c .",
            "section __d13__class_0__ b __d13__class_0_kw_2__ . section __d13__class_1__ "
            "section __d13__class_2__ a __d13__class_2_kw_0__ . __d13__class_2_kw_1__ c .",
        ),
        ("threshold-number", "ab __d14__50__ .", "the number was above or equal to threshold ."),
        ("threshold-number", "ab __d14__49__ .", "the number was below threshold ."),
        ("threshold-number", "ab __d14__0__ .", "the number was below threshold ."),
        ("compare-numbers", "__d15__9__ a . b __d15__10__ .", "The second number is greater ."),
        ("compare-numbers", "__d15__99__ . __d15__0__ .", "The first number is greater ."),
        ("largest-number", "__d16__9__ a . b __d16__10__ .", "The largest number is 10 ."),
        ("largest-number", "__d16__0__ .", "The largest number is 0 ."),
        ("sum-of-numbers", " ".join(f"a __d17__{n}__ ." for n in (99, 98, 97, 4)), "The sum of numbers is 298 ."),
        (
            "join-clauses",
            "a __d19__join_4__ b c . no . __d19__join_0__ d . e __d19__join_2__ f .",
            "The combined sentence is __d19__join_4__ b c __d19__join_0__ d __d19__join_2__ f .",
        ),
        (
            "break-clauses",
            "no . p q __d20__join_3__ a b __d20__join_0__ c .",
            "p q __d20__join_3__ a b . p q __d20__join_0__ c .",
        ),
        ("break-clauses", "p __d20__join_3__ __d20__join_0__ .", "p __d20__join_3__ . p __d20__join_0__ ."),
        ("break-clauses", "__d20__join_3__ a __d20__join_0__ b .", "__d20__join_3__ a . __d20__join_0__ b ."),
        ("truncate-sentence", "no . a b __d21__keyword_6__ c d .", "a b ."),
        ("truncate-sentence", "__d21__keyword_6__ c .", "."),
    ]:
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


def test_two_equal_sentences_are_wanted_twice():
    task, same, other = "copy-kwd-multiple-shuffled", "__d5__keyword_1__ .", "__d5__keyword_2__ ."
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
    right = f"{FIRST} {language.FOUND}"
    assert difference(inputs, tasks, right) is None
    assert difference(inputs, tasks, "ab cd .") == f"copy-first-sentence says {FIRST!r}, and there is 'ab cd .'"
    assert difference(inputs, tasks, FIRST) == f"check-keyword says {language.FOUND!r}, and there is ''"
    assert difference(inputs, tasks, f"{right} {'x ' * 50}") == f"after the last summary there is {'x ' * 30 + '...'!r}"


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
        assert message in fault(inputs, "copy-first-sentence"), inputs


def test_words_that_look_like_keywords_are_words():
    inputs = "__d3 d3__ __d3__ __ __d __dx__keyword_1__ __d3__keyword_1 .. <extra_id_1> x<extra_id_0> ."
    assert told("copy-first-sentence", inputs) == (inputs,)


def _apart(task, *kinds):
    return " ".join(f"a __{task}__{kind}__ ." for kind in kinds)


def test_what_is_not_a_document_of_a_task():
    for task, inputs, message in [
        ("copy-kwd-one-sentence", PLAIN, "has 0 keywords of copy-kwd-one-sentence, not 1"),
        ("copy-kwd-one-sentence", _apart("d3", "keyword_0", "keyword_0"), "has 2 keywords"),
        ("copy-kwd-one-sentence", _apart("d3", "keyword_10"), "which is not a keyword of copy-kwd-one-sentence"),
        ("copy-kwd-one-sentence", _apart("d3", "bullet"), "which is not a keyword of copy-kwd-one-sentence"),
        ("copy-kwd-multiple-in-order", _apart("d4", "keyword_0", "keyword_1"), "has 2 keywords"),
        (
            "copy-kwd-multiple-in-order",
            f"__d4__keyword_1__ {_apart('d4', 'keyword_0', 'keyword_1')}",
            "has the keywords of copy-kwd-multiple-in-order not in sentences of their own",
        ),
        ("copy-kwd-multiple-sorted", _apart("d6", "keyword_1", "keyword_0", "keyword_1"), "has a keyword of copy-k"),
        ("copy-quoted", "a __d7__begin_quote__ b .", "has 1 keywords of copy-quoted, not 2"),
        ("copy-quoted", "a __d7__end_quote__ b __d7__begin_quote__ .", "not as a begin and an end"),
        ("copy-quoted", "a __d7__begin_quote__ b __d7__begin_quote__ .", "not as a begin and an end"),
        ("copy-quoted", "a __d7__begin_quote__ __d7__end_quote__ .", "has nothing between the markers"),
        ("copy-quoted", "a __d7__begin_quote__ b . c __d7__end_quote__ .", "not in one sentence"),
        ("copy-bulleted", "a __d8__bullet__ b .", "has the marker of copy-bulleted inside a sentence"),
        ("check-keyword", _apart("d9", "keyword", "keyword"), "has 2 keywords of check-keyword, not 0 or"),
        ("check-keyword", _apart("d9", "keyword_0"), "which is not a keyword of check-keyword"),
        ("classify-keyword", _apart("d10", "keyword_10"), "which is not a keyword of classify-keyword"),
        ("replace-class-keyword", _apart("d11", "class_3_kw_0"), "which is not a keyword of replace-class"),
        ("replace-class-keyword", _apart("d11", "class_0"), "which is not a keyword of replace-class"),
        ("majority-keyword", _apart("d12", *["keyword_1"] * 4), "has 4 keywords of majority-keyword, not 3 or"),
        (
            "majority-keyword",
            _apart("d12", "keyword_1", "keyword_0", "keyword_2"),
            "which is not a keyword of majority",
        ),
        (
            "majority-keyword",
            _apart("d12", "keyword_1", "keyword_2", "keyword_3"),
            "which is not a keyword of majority",
        ),
        ("topic-segregation", _apart("d13", "class_0_kw_0"), "has 1 keywords"),
        ("topic-segregation", _apart("d13", *["class_0_kw_0"] * 6), "has 6 keywords"),
        ("threshold-number", _apart("d14", "100"), "which is not a keyword of threshold-number"),
        ("threshold-number", PLAIN, "has 0 keywords"),
        ("compare-numbers", _apart("d15", "5", "5"), "has a keyword of compare-numbers twice"),
        ("compare-numbers", _apart("d15", "5"), "has 1 keywords"),
        ("largest-number", PLAIN, "has 0 keywords"),
        ("largest-number", _apart("d16", "5", "6", "5"), "has a keyword of largest-number twice"),
        ("largest-number", "a __d16__5__ __d16__6__ .", "not in sentences of their own"),
        ("sum-of-numbers", _apart("d17", "5", "5"), "has a keyword of sum-of-numbers twice"),
        ("sum-of-numbers", _apart("d17", *["5"] * 5), "has 5 keywords"),
        ("paraphrase-words", _apart("d18", "target_1_1"), "which is not a keyword of paraphrase-words"),
        ("paraphrase-words", _apart("d18", "src_20"), "which is not a keyword of paraphrase-words"),
        ("join-clauses", _apart("d19", "join_0", "join_1", "join_0"), "has a keyword of join-clauses twice"),
        ("join-clauses", "a __d19__join_0__ b __d19__join_1__ . __d19__join_2__ .", "not in sentences of their"),
        ("join-clauses", "__d19__join_0__ a . __d19__join_1__ b . c __d19__join_2__ .", "at the end of a sentence"),
        ("break-clauses", _apart("d20", "join_0", "join_1"), "has the keywords of break-clauses not in one sentence"),
        ("break-clauses", "__d20__join_1__ __d20__join_1__ .", "has a keyword of break-clauses twice"),
        ("truncate-sentence", PLAIN, "has 0 keywords"),
    ]:
        assert message in fault(inputs, task), task


def test_tasks_that_cannot_be():
    assert "is of the unknown task 'copy-first-sentance'" in fault(PLAIN, "copy-first-sentance")
    assert "is of no task, or of one twice" in fault(PLAIN)
    assert "is of no task, or of one twice" in fault(PLAIN, "check-keyword", "check-keyword")


WORDS = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1).filter(
    lambda word: not language.is_reserved(word) and len(word.split()) == 1
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
    assert accepts(put("__d9__keyword__"), ["check-keyword"], language.FOUND)
    assert accepts(_text(sentences), ["check-keyword"], language.NOT_FOUND)


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


@given(st.text(st.sampled_from("ab ._d3keywor1\n<>"), max_size=40), st.sampled_from(sorted(READINGS)))
def test_any_text_is_read_or_refused(text, task):
    try:
        found = summaries(text, [task])
    except LanguageError:
        return
    assert all(one and one.endswith(".") for told in found for one in told)
