"""Taggers are loaded from their folders and run; what is not a tagger is refused in one line."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
import zipfile
from importlib.resources import files

import numpy as np
import pytest

from gistmill.rules.fusion.codec import ARRAYS, LABELS, ONNX, TOKENIZER, Codec, Heads, Labels, LabelsError, TooLongError
from gistmill.rules.fusion.decode import ANYTHING, Decoder, FusionConstraints
from gistmill.rules.fusion.edits import realise

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")
import onnx

from gistmill.transforms import encoders
from gistmill.transforms.encoders import Encoder, Pieces, WordPieces, read_safetensors
from gistmill.transforms.fusion.tagger import load_tagger
from gistmill.transforms.installed import PackageError
from tests.transforms.fusion import tiny

FIRST, SECOND = "he won the match .".split(), "the dog was big .".split()
real = pytest.mark.skipif(
    importlib.util.find_spec(encoders.MODULE) is None, reason="the encoder's package is not installed"
)
MAKE = [pytest.param(tiny.with_additions, marks=real), tiny.with_encoder]


def fuse(tagger, first, second, wanted=ANYTHING):
    """The fusions of two sentences, and the probability that they are left alone."""
    (states,) = tagger.states([(first, second)])
    if isinstance(states, TooLongError):
        raise states
    return tagger.decode(states, first, second, wanted)


def claiming(numbers):
    """A file of arrays with one that claims to have so many numbers."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f4", "fortran_order": False, "shape": (numbers,)})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("w.npy", stream.getvalue())
    return file.getvalue()


def with_external_data(location):
    """A graph whose weights are in another file."""
    weights = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=[1])
    weights.data_location = onnx.TensorProto.EXTERNAL
    weights.external_data.add(key="location", value=location)
    output = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1])
    nodes = [onnx.helper.make_node("Identity", ["w"], ["y"])]
    graph = onnx.helper.make_graph(nodes, "g", [], [output], [weights])
    return onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=10
    ).SerializeToString()


@pytest.mark.parametrize("make", MAKE)
def test_a_tagger_fuses(tmp_path, make):
    tagger = load_tagger(make(tmp_path / "tagger"))
    found, _unchanged = fuse(tagger, FIRST, SECOND, FusionConstraints(count=4))
    assert 1 < len(found) <= 4 and len({tuple(f.tokens) for f in found}) == len(found)
    for fusion in found:
        assert fusion.tokens == realise(FIRST, SECOND, fusion.edits)
    again, _ = fuse(load_tagger(make(tmp_path / "again")), FIRST, SECOND, FusionConstraints(count=4))
    assert again == found


@pytest.mark.parametrize("make", MAKE)
def test_the_prior_and_the_caution_decide_whether_sentences_are_left_alone(tmp_path, make):
    plans = tiny.VALUES["plans"]
    for name, shift, alone in (("never", -9.0, False), ("always", 9.0, True)):
        prior = {plan: shift if plan == "PAIR_NONE" else 0.0 for plan in plans}
        tagger = load_tagger(make(tmp_path / name, prior=prior))
        (found,), unchanged = fuse(tagger, FIRST, SECOND)
        assert (found.tokens == FIRST + SECOND) is alone and (unchanged > 0.5) is alone
        (told,), same = fuse(tagger, FIRST, SECOND, FusionConstraints(plan="PAIR_NONE"))
        assert unchanged == same == pytest.approx(np.exp(told.log_probability))
        (other,), same = fuse(tagger, FIRST, SECOND, FusionConstraints(caution=-3 * shift))
        assert (other.tokens == FIRST + SECOND) is not alone and same == unchanged


@pytest.mark.parametrize("make", MAKE)
def test_plan_and_connective_are_as_wanted(tmp_path, make):
    tagger = load_tagger(make(tmp_path / "tagger"))
    (none,), _ = fuse(tagger, FIRST, SECOND, FusionConstraints(plan="PAIR_NONE"))
    assert none.tokens == FIRST + SECOND
    for fusion in fuse(tagger, FIRST, SECOND, FusionConstraints(plan="SINGLE_S_COORD", connective="but", count=3))[0]:
        assert fusion.plan == "SINGLE_S_COORD" and "but" in fusion.tokens
    with pytest.raises(LabelsError, match="SINGLE_CATAPHORA"):
        fuse(tagger, FIRST, SECOND, FusionConstraints(plan="SINGLE_CATAPHORA"))
    with pytest.raises(LabelsError, match="unless"):
        fuse(tagger, FIRST, SECOND, FusionConstraints(connective="unless"))


@pytest.mark.parametrize("make", MAKE)
def test_sentences_that_are_too_long_are_said_to_be(tmp_path, make):
    tagger = load_tagger(make(tmp_path / "tagger", longest=12))
    with pytest.raises(TooLongError, match="13 word pieces; the encoder's limit is 12"):
        fuse(tagger, FIRST, SECOND)


@real
def test_states_are_those_of_the_encoder(tmp_path):
    arrays = {name: np.float32(array) for name, array in tiny.arrays().items()}
    folder = encoders.model_folder("a test")
    weights, pieces = read_safetensors(folder / encoders.WEIGHTS), WordPieces(folder / encoders.TOKENIZER)
    row = Codec(pieces.pieces, opening=pieces.opening, separator=pieces.separator).encode(FIRST, SECOND)
    sides = weights["embeddings.token_type_embeddings.weight"]
    extra = (sides - sides[0])[row.types] + arrays["codes"][row.codes]
    sequence = Pieces(row.ids, [(extra, range(len(row.ids)))], row.places)
    with files("gistmill.transforms.fusion").joinpath("data", "outliers.npz").open("rb") as stream:
        states = Encoder(weights, {**arrays, **np.load(stream)}).run(sequence)
    expected = Decoder(Heads(Labels.from_values(tiny.VALUES), arrays)).fuse(
        states, FIRST, SECOND, FusionConstraints(count=3)
    )
    found, _ = fuse(load_tagger(tiny.with_additions(tmp_path / "tagger")), FIRST, SECOND, FusionConstraints(count=3))
    assert [f.edits for f in found] == [f.edits for f in expected]
    assert [f.log_probability for f in found] == pytest.approx([f.log_probability for f in expected], abs=1e-3)


def _sentences(number: int) -> list[tuple[list[str], list[str]]]:
    """Pairs of unlike lengths, of words in an order of their own."""
    random = np.random.default_rng(3)
    words = [*FIRST[:-1], *SECOND[:-1]]
    found = [[*random.choice(words, random.integers(1, 30)).tolist(), "."] for _ in range(2 * number)]
    return list(zip(found[::2], found[1::2], strict=True))


@pytest.mark.parametrize("make", MAKE)
def test_pairs_give_the_bits_of_each_alone(tmp_path, make):
    tagger = load_tagger(make(tmp_path / "tagger"))
    pairs = _sentences(40)
    together = tagger.states(pairs)
    for states, pair in zip(together, pairs, strict=True):
        (alone,) = tagger.states([pair])
        assert states.shape[0] == len(pair[0]) + len(pair[1]) + 2 and np.array_equal(states, alone)
        assert tagger.decode(states, *pair, FusionConstraints(count=3)) == fuse(
            tagger, *pair, FusionConstraints(count=3)
        )
    assert tagger.states([]) == []


@pytest.mark.parametrize("make", MAKE)
def test_a_pair_that_is_too_long_leaves_the_others_alone(tmp_path, make):
    tagger = load_tagger(make(tmp_path / "tagger", longest=13))
    before, too_long, after = tagger.states([(FIRST, SECOND), (FIRST * 2, SECOND), (SECOND, FIRST)])
    assert isinstance(too_long, TooLongError)
    for states, pair in ((before, (FIRST, SECOND)), (after, (SECOND, FIRST))):
        assert np.array_equal(states, tagger.states([pair])[0])


@real
def test_the_additions_and_the_second_sentence_are_read(tmp_path):
    base = tiny.with_additions(tmp_path / "base")
    without = {k: v * 0 if k.endswith(".up") else v for k, v in tiny.arrays().items()}
    other = tiny.write(tmp_path / "other", without, tiny.described())
    swapped = fuse(load_tagger(base), SECOND, FIRST)[0][0].log_probability
    scores = [fuse(load_tagger(folder), FIRST, SECOND)[0][0].log_probability for folder in (base, other)]
    assert len({*scores, swapped}) == 3


REFUSED = [
    (LABELS, None, "labels.json is missing"),
    (LABELS, b"{", "Expecting property name"),
    (LABELS, b"[]", "list indices"),
    (LABELS, b"\xff", "utf-8"),
    (LABELS, json.dumps(tiny.described(format=99)).encode(), "uses the format 99; this version reads 1"),
    (LABELS, json.dumps(tiny.described(prior={"PAIR_NONE": 1})).encode(), "prior: expected a number for each plan"),
    (LABELS, json.dumps(tiny.described(encoder={"name": "x"})).encode(), "made for the encoder {'name': 'x'}"),
    (LABELS, json.dumps(tiny.described(encoder=None, phrases=["but"])).encode(), "the first must be empty"),
    (LABELS, json.dumps(tiny.described(encoder=None, phrases=["", "but"])).encode(), "has the shape"),
    (LABELS, json.dumps({"format": 1}).encode(), "'encoder' is missing"),
    (ARRAYS, None, "tagger.npz is missing"),
    (ARRAYS, b"", "is not a tagger folder"),
    (ARRAYS, b"PK\x03\x04 torn", "is not a tagger folder"),
    (ARRAYS, claiming(1 << 45), "Unable to allocate"),
    (LABELS, b"[" * 200_000, "recursion"),
    (ONNX, with_external_data("/etc/hostname"), "External data path validation failed"),
    (ONNX, with_external_data("../../secret"), "External data path"),
    (ONNX, b"no graph", "is not a tagger folder"),
    (ONNX, None, "is not a tagger folder"),
    (TOKENIZER, b"{}", "is not a tagger folder"),
]


def test_what_is_not_a_tagger_is_refused_in_one_line(tmp_path):
    folder = tiny.with_encoder(tmp_path / "tagger")
    for file, content, said in REFUSED:
        whole = (folder / file).read_bytes()
        (folder / file).unlink()
        if content is not None:
            (folder / file).write_bytes(content)
        with pytest.raises(PackageError) as error:
            load_tagger(folder)
        assert said in str(error.value) and str(folder) in str(error.value) and "\n" not in str(error.value)
        (folder / file).write_bytes(whole)


@real
def test_arrays_that_do_not_fit_are_refused(tmp_path):
    for name, array, said in (
        ("codes", None, "table of codes"),
        ("codes", np.zeros((3, 4), np.float16), "table of codes"),
        ("0.attention.self.query.up", np.zeros((7, 2), np.float16), "is not a tagger folder"),
        ("plan.score.bias", np.zeros(2, np.float16), "plan.score.bias has the shape (2,)"),
    ):
        arrays = {key: value for key, value in {**tiny.arrays(), name: array}.items() if value is not None}
        with pytest.raises(PackageError) as error:
            load_tagger(tiny.write(tmp_path / "tagger", arrays, tiny.described()))
        assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.slow
def test_loading_needs_no_torch():
    code = (
        "import sys, gistmill.transforms.fusion.tagger, gistmill.pipelines.fuse\n"
        "print([m for m in ('torch', 'transformers', 'apache_beam', 'spacy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("[]", "['spacy']")
