"""The elementary tasks: what each puts in, how often, and where. What they say is checked by the interpreter."""

from collections import Counter
from math import comb

import pytest

from gistmill.rules.synthetic.language import TASKS, Kind, parse_keyword
from gistmill.rules.synthetic.tasks.base import Draft
from gistmill.rules.synthetic.tasks.elementary import ELEMENTARY
from tests.rules.synthetic.helpers import draws, rows, stream_of

MANY = range(600)
# of each task, the kinds of keyword that it puts in, and how many keywords a document may have
PUT = {
    "copy-first-sentence": ({}, {0}),
    "copy-last-sentence": ({}, {0}),
    "copy-kwd-one-sentence": ({Kind.KEYWORD: 10}, {1}),
    "copy-kwd-multiple-in-order": ({Kind.KEYWORD: 10}, {3}),
    "copy-kwd-multiple-shuffled": ({Kind.KEYWORD: 10}, {3}),
    "copy-kwd-multiple-sorted": ({Kind.KEYWORD: 10}, {3}),
    "copy-quoted": ({Kind.BEGIN: 1, Kind.END: 1}, {2}),
    "copy-bulleted": ({Kind.BULLET: 1}, {1}),
    "check-keyword": ({Kind.SPECIAL: 1}, {0, 1}),
    "classify-keyword": ({Kind.KEYWORD: 10}, {1}),
    "replace-class-keyword": ({Kind.CLASS_KEYWORD: 9}, {1}),
    "majority-keyword": ({Kind.KEYWORD: 2}, {3, 5}),
    "topic-segregation": ({Kind.CLASS_KEYWORD: 9}, {2, 3, 4, 5}),
    "threshold-number": ({Kind.NUMBER: 100}, {1}),
    "compare-numbers": ({Kind.NUMBER: 100}, {2}),
    "largest-number": ({Kind.NUMBER: 100}, {1, 2, 3, 4}),
    "sum-of-numbers": ({Kind.NUMBER: 100}, {1, 2, 3, 4}),
    "paraphrase-words": ({Kind.SOURCE: 20}, {1}),
    "join-clauses": ({Kind.JOINER: 5}, {3}),
    "break-clauses": ({Kind.JOINER: 5}, {2}),
    "truncate-sentence": ({Kind.KEYWORD: 10}, {1}),
}
IN_ONE_SENTENCE = ("copy-quoted", "break-clauses")


def keywords(text):
    return [found for token in text.split() if (found := parse_keyword(token))]


def sentences(text):
    return [part.split() for part in text.removesuffix(" .").split(" . ")]


def test_the_table_is_the_papers():
    assert [task.TASK for task in ELEMENTARY.values()] == list(TASKS) and list(ELEMENTARY) == list(PUT)
    left_out = {name for name, task in ELEMENTARY.items() if not task.ENSEMBLE}
    assert left_out == {
        "copy-first-sentence",
        "copy-last-sentence",
        "check-keyword",
        "compare-numbers",
        "sum-of-numbers",
    }


@pytest.mark.slow
def test_what_a_task_puts_in():
    for name in ELEMENTARY:
        kinds, counts = PUT[name]
        found, put = Counter(), Counter()
        for row in rows(MANY, tasks=name):
            in_document = keywords(row["inputs"])
            assert {k.task for k in in_document} <= {ELEMENTARY[name].TASK.number}, name
            put[len(in_document)] += 1
            found.update(in_document)
            per_sentence = [len(keywords(" ".join(s))) for s in sentences(row["inputs"])]
            assert max(per_sentence) <= (2 if name in IN_ONE_SENTENCE else 1), name
            assert row["tasks"] == [name] and row["task"] == name, name
        assert set(put) == counts, name
        assert all(count > 0.6 * len(MANY) / len(counts) for count in put.values()), name  # each number is as likely
        assert Counter(k.kind for k in found) == kinds, name  # every keyword of every kind occurs
        total = sum(found.values())
        assert all(count < 3 * total / len(found) + 20 for count in found.values()), name


def test_base_documents_lie_where_the_paper_puts_them():
    found = [sentences(row["inputs"]) for row in rows(range(2000), tasks="copy-first-sentence")]
    assert Counter(map(len, found)).keys() == set(range(7, 14))
    lengths = Counter(len(words) for document in found for words in document)
    assert lengths.keys() == set(range(5, 16))
    assert max(lengths.values()) < 1.1 * min(lengths.values())
    assert 9.8 < sum(map(len, found)) / len(found) < 10.2
    words = Counter(word for document in found for words in document for word in words)
    assert len(words) == 5000 and max(words.values()) < 90  # 40 on average


@pytest.mark.slow
def test_keywords_stand_anywhere():
    for name in ["copy-kwd-one-sentence", "truncate-sentence", "threshold-number", "copy-quoted"]:
        firsts, places = Counter(), Counter()
        for row in rows(range(1500), tasks=name):
            for number, words in enumerate(found := sentences(row["inputs"])):
                for place, token in enumerate(words):
                    if parse_keyword(token):
                        firsts[number] += 1
                        places["first" if not place else "last" if place == len(words) - 1 else "inside"] += 1
                        assert len(found) > number, name
        assert firsts.keys() == set(range(13)) and firsts[0] == pytest.approx(firsts[6], rel=0.35), name
        assert places["first"] > 50 and places["last"] > 50, name


def test_half_of_the_documents_have_the_special_word():
    found = Counter(row["targets"] for row in rows(range(1000), tasks="check-keyword"))
    assert len(found) == 2 and all(440 < count < 560 for count in found.values())


def test_each_sentence_of_a_majority_has_one_of_two_keywords():
    shares = Counter()
    for row in rows(range(2000), tasks="majority-keyword"):
        found = Counter(k.numbers[0] for k in keywords(row["inputs"]))
        assert found.keys() <= {1, 2}
        shares[found[1], found[2]] += 1
    wanted = {(i, n - i): 1000 * comb(n, i) / 2**n for n in (3, 5) for i in range(n + 1)}
    assert shares.keys() == wanted.keys()
    assert all(shares[key] == pytest.approx(count, abs=5 * count**0.5) for key, count in wanted.items())


def test_numbers_are_different():
    for name in ["compare-numbers", "largest-number", "sum-of-numbers"]:
        assert all(
            len(set(found)) == len(found) for found in (keywords(r["inputs"]) for r in rows(MANY, tasks=name))
        ), name


def test_the_answer_does_not_stand_in_the_spelling():
    found = {
        (k.numbers[0], row["targets"]) for row in rows(MANY, tasks="classify-keyword") for k in keywords(row["inputs"])
    }
    assert sorted(found) == [(n, f"the keyword was {'positive' if n < 5 else 'negative'} .") for n in range(10)]


def test_a_clause_that_is_joined_is_not_empty():
    for name in ["join-clauses", "ensemble"]:
        for row in rows(MANY, tasks=name):
            assert all(not words[-1].startswith("__d19__join_") for words in sentences(row["inputs"])), name


def test_a_sentence_that_is_broken_up_keeps_its_joiners():
    last = 0
    for row in rows(MANY, tasks="break-clauses"):
        joiners = [k.token for k in keywords(row["inputs"])]
        assert [[k.token for k in keywords(" ".join(s))] for s in sentences(row["targets"])] == [[j] for j in joiners]
        last += f"{joiners[1]} ." in row["inputs"]
    assert last > 50  # here a clause may be its joiner alone


def test_a_quotation_begins_and_ends_anywhere_but_before_a_keyword_that_opens_the_sentence():
    begins, ends = Counter(), Counter()
    stream = stream_of("quotes")
    for number in range(3000):
        chance = stream.draws(number)
        draft = Draft([["__d8__bullet__", "a", "b", "c", "."] for _ in range(7)])
        draft.keywords.add("__d8__bullet__")
        task = ELEMENTARY["copy-quoted"]()
        tokens = draft.sentences[task.put(draft, chance)]
        begin, end = tokens.index("__d7__begin_quote__"), tokens.index("__d7__end_quote__")
        begins[begin] += 1
        ends[begin, end] += 1
        assert tokens[0] == "__d8__bullet__" and tokens[-1] == "." and end > begin + 1
    assert begins.keys() == {1, 2, 3} and all(850 < n < 1150 for n in begins.values())
    assert ends.keys() == {(b, e) for b in (1, 2, 3) for e in range(b + 2, 6)}
    assert ends[1, 3] == pytest.approx(ends[1, 5], rel=0.3) and ends[3, 5] == begins[3]


def test_the_ensemble_combines_three_different_tasks():
    made, able = Counter(), [name for name, task in ELEMENTARY.items() if task.ENSEMBLE]
    for row in rows(range(3000), tasks="ensemble"):
        assert len(set(row["tasks"])) == 3 and row["task"] == "ensemble"
        made.update(row["tasks"])
        numbers = {k.task for k in keywords(row["inputs"])}
        assert numbers == {ELEMENTARY[name].TASK.number for name in row["tasks"]}
        assert len(sentences(row["inputs"])) == row["sentences"]  # no stop was replaced
    assert made.keys() == set(able) and all(470 < count < 660 for count in made.values())  # 562.5 each


def test_no_keyword_replaces_another():
    for row in rows(range(400), tasks="ensemble"):
        found = Counter(k.task for k in keywords(row["inputs"]))
        for name in row["tasks"]:
            assert found[ELEMENTARY[name].TASK.number] in PUT[name][1]


def test_tasks_find_words_in_a_crowded_document():
    """Every task of the ensemble in one document of short sentences: there is a place for each keyword."""
    for number in range(50):
        chance = draws(number, "crowded")
        draft = Draft([[*chance.words(15), "."] for _ in range(7)])
        tasks = [task() for task in ELEMENTARY.values()]
        memories = [task.put(draft, chance) for task in tasks]
        assert all(task.say(draft, memory) for task, memory in zip(tasks, memories, strict=True))
        for task in tasks:
            own = [k for k in keywords(draft.join()) if k.task == task.TASK.number]
            assert len(own) in PUT[task.TASK.name][1]


def test_a_full_document_is_an_error():
    draft, chance = Draft([["aaa", "."]]), draws()
    draft.replace(0, "__d3__keyword_0__", chance)
    with pytest.raises(ValueError, match="0 sentences have 1 words left, and 1 are needed"):
        draft.choose(1, chance)
