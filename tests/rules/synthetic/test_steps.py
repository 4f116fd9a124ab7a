"""The STEP tasks: lengths and shares are the paper's, and the original comes back."""

import re
from collections import Counter
from itertools import chain, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.rules.recipe import Refused
from gistmill.rules.synthetic.draws import Stream
from gistmill.rules.synthetic.generator import StepMaker, SyntheticReason, fill
from gistmill.rules.synthetic.language import MOST_OVER, RUN, WordTokens
from tests.rules.synthetic.helpers import rows

MASK = "<extra_id_0>"


class Pieces:
    """Tokens of at most three characters, with the space before them, as those of sentencepiece are."""

    pieces = (" ab", "cd", " x")
    record = {"name": "pieces"}

    def spans(self, text):
        return [found.span() for found in re.finditer(r"\s?\S{1,3}", text)]


def documents(task, numbers, tokenizer):
    maker = StepMaker(task, tokenizer)
    stream = Stream(1, task, widths=maker.WIDTHS, vocabulary=tuple(f"w{i:05d}" for i in range(3000)))
    return [maker.draw(stream.draws(number)) for number in numbers]


def split(text):
    return [f"{part} ." for part in text.removesuffix(" .").split(" . ")]


def test_next_sentences_follow():
    tokens = WordTokens()
    for row in rows(range(40), tasks="nsg"):
        assert len(tokens.spans(row["inputs"])) == 512 and len(tokens.spans(row["targets"])) == 256
        document = f"{row['inputs']} {row['targets']}"
        assert all(5 <= len(sentence.split()) - 1 <= 15 for sentence in split(document)[:-1])


def test_the_permutation_gives_the_document_back():
    for task in ["sr", "sr-adjusted"]:
        moved = 0
        for row in rows(range(60), tasks=task):
            shuffled, permutation = split(row["inputs"]), row["permutation"]
            assert sorted(permutation) == list(range(len(shuffled))) and len(shuffled) == row["sentences"], task
            original = " ".join(shuffled[place] for place in permutation)
            moved += original != row["inputs"]
            if task == "sr":
                assert original == row["targets"], task
            else:
                assert row["targets"] == " ".join(map(str, permutation)), task
            assert 512 < len(original.split()) <= 512 + 16, task
        assert moved == 60, task
    by_task = {row["task"]: row["inputs"] for row in rows([3], tasks="sr,sr-adjusted,mdg,mdg-adjusted,nsg")}
    assert len(set(by_task.values())) == 5  # each has documents of its own


def run_of(row):
    return row["inputs"][row["before"] : len(row["inputs"]) - row["after"]]


@pytest.mark.parametrize(
    "tokenizer", [WordTokens(["aaa", "bbb"]), WordTokens(), Pieces()], ids=["words", "own", "pieces"]
)
@pytest.mark.parametrize("task", ["mdg", "mdg-adjusted"])
def test_the_document_comes_back_from_its_run(task, tokenizer):
    for made in documents(task, range(30), tokenizer):
        inputs, values = made.inputs, made.values
        before, after = inputs[: values["before"]], inputs[len(inputs) - values["after"] :]
        assert inputs.count("  ") == 0 and inputs == inputs.strip()
        if task == "mdg":
            original = made.targets
            assert original.startswith(before) and original.endswith(after)
        else:
            original = before + made.targets + after
        spans = tokenizer.spans(original)
        assert 512 < len(spans) <= 512 + MOST_OVER
        first, length = values["mask_start"], values["mask_length"]
        assert length in RUN and first + length <= 512
        masked = original[spans[first][0] : spans[first + length - 1][1]].strip()
        assert masked == original[values["before"] : len(original) - values["after"]]
        assert all(5 <= len(sentence.split()) - 1 <= 15 for sentence in split(original))


def test_masks_lie_where_the_paper_puts_them():
    found, lengths, starts = Counter(), [], []
    for row in rows(range(400), tasks="mdg"):
        original = row["targets"].split()
        first, length = row["mask_start"], row["mask_length"]
        run, before = run_of(row).split(), original[first : first + length]
        assert len(run) == length  # words are tokens here
        found.update("masked" if a == MASK else "kept" if a == b else "random" for a, b in zip(run, before))
        lengths.append(length)
        starts.append(first / (len(original) - length))
    total = sum(found.values())
    assert found["masked"] / total == pytest.approx(0.8, abs=0.006)
    assert found["random"] / total == pytest.approx(0.1, abs=0.005)
    assert min(lengths) < 104 and max(lengths) > 251 and sum(lengths) / 400 == pytest.approx(177.5, abs=7)
    assert sum(starts) / 400 == pytest.approx(0.5, abs=0.05) and min(starts) < 0.02 and max(starts) > 0.98


def test_documents_with_too_many_tokens_are_drawn_anew():
    class Long(Pieces):
        def spans(self, text):
            return [found.span() for found in re.finditer(r"\S", text)]

    made = documents("sr", range(40), Long())
    assert any(m.discarded for m in made) and not all(m.discarded for m in made)
    for m in made:
        assert 512 < len(Long().spans(m.targets)) <= 512 + MOST_OVER
        assert m.words == len(m.targets.split()) - m.sentences


def test_a_document_ends_with_the_sentence_that_completes_it():
    text = fill(repeat("aaa bbb ccc ."), WordTokens(), 10)
    assert text.text == "aaa bbb ccc . aaa bbb ccc . aaa bbb ccc ." and len(text.spans) == 12
    assert len(fill(repeat("aaa bbb ccc ."), WordTokens(), 12).spans) == 16  # more than so many
    for texts, wanted, said in (
        (["aaa bbb ccc ."] * 2, 8, "TOO_FEW_TOKENS, 8 tokens"),
        (chain(["aaa ."], repeat("b " * 59 + ".")), 5, "OVERSHOT, 62 tokens"),
    ):
        with pytest.raises(Refused) as error:
            fill(iter(texts), WordTokens(), wanted)
        assert f"{error.value.reason.name}, {error.value.detail}" == said
    assert len(fill(chain(["aaa ."], repeat("b " * 53 + ".")), WordTokens(), 6).spans) == 56

    class Nothing(Pieces):
        def spans(self, text):
            return []

    with pytest.raises(Refused, match="0 tokens"):
        fill(repeat("aaa ."), Nothing(), 512)


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.text("abcxyz", min_size=1, max_size=9), min_size=1, max_size=12), min_size=60, max_size=90),
    st.integers(1, 150),
)
@pytest.mark.slow
def test_filling_counts_as_the_tokenizer_does(words, wanted):
    sentences = [" ".join([*found, "."]) for found in words]
    tokenizer = Pieces()
    try:
        text = fill(iter(sentences), tokenizer, wanted)
    except Refused as refused:
        assert refused.reason is SyntheticReason.OVERSHOT
        return
    assert text.spans == tokenizer.spans(text.text) and len(text.spans) > wanted
    assert list(text.sentences) == sentences[: len(text.sentences)]
    assert len(tokenizer.spans(" ".join(text.sentences[:-1]))) <= wanted
