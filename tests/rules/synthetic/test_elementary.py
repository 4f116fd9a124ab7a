"""The elementary tasks: which keywords a document has, how often, and where; and what the targets say of them."""

import random
import re
from collections import Counter
from itertools import permutations, product
from math import comb

import pytest

from gistmill.rules.synthetic.interpreter import TASKS, read_document
from gistmill.rules.synthetic.keywords import Draft, put
from gistmill.rules.synthetic.language import ENSEMBLE, STEP_TASKS, Keyword, Kind, parse_keyword
from gistmill.rules.synthetic.law import problem
from gistmill.rules.synthetic.recipe import Synthetic, SyntheticConfig
from tests.rules.synthetic.helpers import draws, rows, stream_of
from tests.testing import segmented

MANY = range(600)
ALL = [*TASKS, ENSEMBLE, *STEP_TASKS]
NOT_COMBINED = {"copy-first-sentence", "copy-last-sentence", "check-keyword", "compare-numbers", "sum-of-numbers"}
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


def asked(task):
    return f"elementary:{task}" if task in TASKS else task


def keywords(text):
    return [found for token in text.split() if (found := parse_keyword(token))]


def sentences(text):
    return [part.split() for part in text.removesuffix(" .").split(" . ")]


def right_summaries(task, inputs):
    """The right summaries of a document as table 8 of the paper words them: a second definition of the tasks."""
    number = TASKS[task].number
    document = [f"{part} ." for part in inputs.removesuffix(" .").split(" . ")]
    own = [sentence for sentence in document if f"__d{number}__" in sentence]
    found = [int(n) for n in re.findall(rf"__d{number}__[a-z_]*(\d+)\S*__", inputs)]
    return copied(task, document, own, found) if number <= 8 else made(task, own, found)


def copied(task, document, own, found):
    match task:
        case "copy-first-sentence" | "copy-last-sentence":
            return [document[0 if task == "copy-first-sentence" else -1]]
        case "copy-kwd-one-sentence" | "copy-kwd-multiple-in-order":
            return [" ".join(own)]
        case "copy-kwd-multiple-shuffled":
            return [" ".join(order) for order in permutations(own)]
        case "copy-kwd-multiple-sorted":
            return [" ".join(sentence for _, sentence in sorted(zip(found, own, strict=True)))]
        case "copy-quoted":
            return [re.search("__d7__begin_quote__ (.*) __d7__end_quote__", own[0])[1] + " ."]
        case "copy-bulleted":
            return [own[0].removeprefix("__d8__bullet__ ")]


def made(task, own, found):
    match task:
        case "check-keyword":
            return ["the special word was found ." if own else "the special word was not found ."]
        case "classify-keyword":
            return ["the keyword was positive ." if found[0] < 5 else "the keyword was negative ."]
        case "replace-class-keyword":
            return [re.sub(r"__d11__class_(\d)_kw_\d__", r"__d11__class_\1__", own[0])]
        case "majority-keyword":
            return [f"The keyword {1 if found.count(1) > found.count(2) else 2} occurred more number of times ."]
        case "topic-segregation":
            parts = [[s for n, s in zip(found, own, strict=True) if n == topic] for topic in range(3)]
            return [" ".join(" ".join([f"section __d13__class_{n}__", *part]) for n, part in enumerate(parts))]
        case "threshold-number":
            return [f"the number was {'above or equal to' if found[0] >= 50 else 'below'} threshold ."]
        case "compare-numbers":
            return [f"The {'first' if found[0] > found[1] else 'second'} number is greater ."]
        case "largest-number":
            return [f"The largest number is {max(found)} ."]
        case "sum-of-numbers":
            return [f"The sum of numbers is {sum(found)} ."]
        case "paraphrase-words":
            return [re.sub(r"__d18__src_(\d+)__", rf"__d18__target_\1_{j}__", own[0]) for j in range(3)]
        case "join-clauses":
            clauses = [sentence[sentence.index("__d19__") :].removesuffix(" .") for sentence in own]
            return [f"The combined sentence is {' '.join(clauses)} ."]
        case "break-clauses":
            prefix, first, second = re.fullmatch(r"(.*?)(__d20__\S+ .*?)(__d20__\S+ .*)", own[0]).groups()
            return [f"{prefix}{first}. {prefix}{second}"]
        case "truncate-sentence":
            return [own[0][: own[0].index("__d21__")] + "."]


def disagreements(found):
    """The rows that break the law, or of which this file's definition says something else."""
    for row in found:
        wanted = product(*(right_summaries(task, row["inputs"]) for task in row["tasks"]))
        if (said := problem(row)) is not None or (row["tasks"] and row["targets"] not in map(" ".join, wanted)):
            yield row["id"], said, row["targets"]


def test_generator_interpreter_and_a_second_definition_agree():
    for task in ALL:
        found = rows(range(60), tasks=asked(task), seed=5)
        assert len(found) == 60 and {row["task"] for row in found} == {task} and not [*disagreements(found)], task


@pytest.mark.long
def test_they_agree_on_ten_thousand_documents():
    for task in ALL:
        count = 1000 if task in STEP_TASKS else 10_000
        for start in range(0, count, 1000):
            assert not [*disagreements(rows(range(start, start + 1000), tasks=asked(task), seed=6))], task


def test_an_output_with_another_word_is_seen():
    for task in [*TASKS, ENSEMBLE]:
        chance = random.Random(task)
        for row in rows(range(40), tasks=asked(task), seed=7):
            tokens = row["targets"].split(" ")
            place = chance.randrange(len(tokens))
            for changed in ([*tokens[:place], "zzzz", *tokens[place + 1 :]], tokens[:place], [*tokens, "zzzz"]):
                assert problem({**row, "targets": " ".join(changed)}) is not None, task


def test_the_row_has_any_of_the_right_summaries():
    """The order and the synonym are drawn, so that each of them comes."""
    for task, count in [("copy-kwd-multiple-shuffled", 6), ("paraphrase-words", 3)]:
        found = Counter(
            right_summaries(task, row["inputs"]).index(row["targets"]) for row in rows(range(240), tasks=asked(task))
        )
        assert len(found) == count and all(240 / count * 0.6 < n < 240 / count * 1.5 for n in found.values()), task


def test_real_sentences():
    words = "The U.S. river's water-mill (1912) stood 3.5 km away , e.g. __here__ ... and “there” — until <b> naïve 12:30".split()
    chance = random.Random(3)
    recipe = Synthetic(SyntheticConfig(words="wikipedia", tasks=f"elementary,{ENSEMBLE},sr,mdg"))
    count = 0
    for number in range(40):
        texts = [" ".join(chance.choices(words, k=chance.randint(5, 14))) + "." for _ in range(chance.randint(7, 13))]
        made = [dict(row.values) for row in recipe.process(segmented(texts, per_paragraph=4, id=f"page-{number}")).rows]
        assert not [*disagreements(made)]
        count += len(made)
    assert count > 40 * 15


@pytest.mark.slow
def test_what_a_task_puts_in():
    assert list(TASKS) == list(PUT)
    for name, (kinds, counts) in PUT.items():
        found, number_of = Counter(), Counter()
        for row in rows(MANY, tasks=name):
            in_document = keywords(row["inputs"])
            assert {k.task for k in in_document} <= {TASKS[name].number}, name
            number_of[len(in_document)] += 1
            found.update(in_document)
            per_sentence = [len(keywords(" ".join(s))) for s in sentences(row["inputs"])]
            assert max(per_sentence) <= (2 if name in IN_ONE_SENTENCE else 1), name
            assert row["tasks"] == [name] and row["task"] == name, name
        assert set(number_of) == counts, name
        assert all(n > 0.6 * len(MANY) / len(counts) for n in number_of.values()), name  # each number is as likely
        assert Counter(k.kind for k in found) == kinds, name  # every keyword of every kind occurs
        assert all(count < 3 * found.total() / len(found) + 20 for count in found.values()), name


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
    for name in ["copy-kwd-one-sentence", "truncate-sentence", "threshold-number", "copy-quoted", "break-clauses"]:
        firsts, places = Counter(), Counter()
        for row in rows(range(1500), tasks=name):
            for number, words in enumerate(sentences(row["inputs"])):
                for place, token in enumerate(words):
                    if parse_keyword(token):
                        firsts[number] += 1
                        places["first" if not place else "last" if place == len(words) - 1 else "inside"] += 1
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


def test_a_quotation_begins_and_ends_anywhere_but_before_a_keyword_that_opens_the_sentence():
    begins, ends = Counter(), Counter()
    stream = stream_of("quotes")
    for number in range(3000):
        draft = Draft([["a", "b", "c", "."] for _ in range(7)])
        for sentence in range(7):
            draft.insert(sentence, 0, Keyword(8, Kind.BULLET))
        put(TASKS["copy-quoted"], draft, stream.draws(number))
        (tokens,) = (found for found in draft.sentences if "__d7__begin_quote__" in found)
        begin, end = tokens.index("__d7__begin_quote__"), tokens.index("__d7__end_quote__")
        begins[begin] += 1
        ends[begin, end] += 1
        assert tokens[0] == "__d8__bullet__" and tokens[-1] == "." and end > begin + 1
    assert begins.keys() == {1, 2, 3} and all(850 < n < 1150 for n in begins.values())
    assert ends.keys() == {(b, e) for b in (1, 2, 3) for e in range(b + 2, 6)}
    assert ends[1, 3] == pytest.approx(ends[1, 5], rel=0.3) and ends[3, 5] == begins[3]


def test_the_ensemble_combines_three_different_tasks():
    """Their keywords tell the model what to write, as the paper says in its appendix (exclusions from the ensemble)."""
    made = Counter()
    for row in rows(range(3000), tasks="ensemble"):
        assert len(set(row["tasks"])) == 3 and row["task"] == "ensemble"
        made.update(row["tasks"])
        assert {k.task for k in keywords(row["inputs"])} == {TASKS[name].number for name in row["tasks"]}
        assert len(sentences(row["inputs"])) == row["sentences"]  # no stop was replaced
    assert made.keys() == TASKS.keys() - NOT_COMBINED
    assert all(470 < count < 660 for count in made.values())  # 562.5 each


def test_tasks_find_words_in_a_crowded_document():
    """Every task in one document of short sentences: there is a place for each keyword."""
    for number in range(50):
        chance = draws(number, "crowded")
        draft = Draft([[*chance.words(15), "."] for _ in range(7)])
        places = [put(task, draft, chance) for task in TASKS.values()]
        document = read_document(draft.text)
        assert all(task.summaries(document)[place] for task, place in zip(TASKS.values(), places, strict=True))
        for name, task in TASKS.items():
            assert len(document.marks.get(task.number, ())) in PUT[name][1]


def test_a_full_document_is_an_error():
    draft, chance = Draft([["aaa", "."]]), draws()
    draft.replace(0, Keyword(3, Kind.KEYWORD, (0,)), chance)
    with pytest.raises(ValueError, match="only 0 sentences have 1 words left; 1 are needed"):
        draft.choose(1, chance)
