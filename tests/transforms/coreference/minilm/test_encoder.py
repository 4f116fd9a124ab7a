"""The graph against a plain implementation, on random weights."""

from __future__ import annotations

import numpy as np
import pytest

from gistmill.transforms.encoders import ADAPTED, Encoder, Pieces, merged
from tests.transforms.coreference.minilm import tiny

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

IDS = [3, 17, 4, 4, 30, 21, 8, 49, 0, 11, 12]
CODES = [0, 1, 1, 0, 5, 9, 0, 0, 2, 12, 0]
SLOTS = [0, 1, 1, 0, 2, 0, 0, 0, 20, 0, 0]
ALL = np.arange(len(IDS))


def read(encoder, delta, *, ids=IDS, codes=CODES, slots=SLOTS, needed=ALL):
    """The states of a window."""
    return encoder.run(Pieces(ids, [(delta["codes"], codes), (delta["slots"], slots)], needed))


def expected(weights, delta):
    extra = delta["codes"][CODES] + delta["slots"][SLOTS]
    return tiny.states({**weights, **merged(weights, delta)}, IDS, extra)


@pytest.fixture(scope="module")
def weights():
    return tiny.weights()


@pytest.fixture(scope="module")
def delta():
    return tiny.delta()


@pytest.fixture(scope="module")
def encoder(weights, delta):
    return Encoder(weights, delta, heads=tiny.HEADS, quantised=False)


def test_states_are_those_of_bert(encoder, weights, delta):
    np.testing.assert_allclose(read(encoder, delta), expected(weights, delta), atol=2e-5)


def test_only_the_needed_states_are_returned(encoder, delta):
    needed = np.array([1, 5, 10])
    whole = read(encoder, delta)
    np.testing.assert_allclose(read(encoder, delta, needed=needed), whole[needed], atol=1e-5)


def test_the_delta_and_the_marks_change_the_states(encoder, weights, delta):
    without = {name: np.zeros_like(a) if name.endswith(".up") else a for name, a in delta.items()}
    plain = Encoder(weights, without, heads=tiny.HEADS, quantised=False)
    reference = read(encoder, delta)
    assert np.abs(read(plain, delta) - reference).max() > 0.1
    assert np.abs(read(encoder, delta, codes=[0] * len(IDS)) - reference).max() > 0.1


def test_a_delta_may_adapt_some_maps_only(weights, delta):
    some = {name: a for name, a in delta.items() if (".up" not in name and ".down" not in name) or "query" in name}
    changed = merged(weights, some)
    for part in ADAPTED:
        same = np.array_equal(changed[f"encoder.layer.1.{part}.weight"], weights[f"encoder.layer.1.{part}.weight"])
        assert same == ("query" not in part)


def test_integers_are_close_and_closer_without_outliers(weights, delta):
    weights = dict(weights)
    gain = weights["encoder.layer.0.attention.output.LayerNorm.weight"].copy()
    gain[7] *= 40  # one channel that is much larger than the others, as the real encoder has
    weights["encoder.layer.0.attention.output.LayerNorm.weight"] = gain
    exact = read(Encoder(weights, delta, heads=tiny.HEADS, quantised=False), delta)
    rough = read(Encoder(weights, delta, heads=tiny.HEADS), delta)
    apart = {"outliers.0.intermediate.dense": np.array([7], np.int16)}
    better = read(Encoder(weights, {**delta, **apart}, heads=tiny.HEADS), delta)
    assert np.abs(better - exact).mean() < np.abs(rough - exact).mean() < 0.1


@pytest.mark.parametrize("quantised", [False, True])
def test_a_second_encoder_gives_the_same_bytes(weights, delta, quantised):
    first, second = (Encoder(weights, delta, heads=tiny.HEADS, quantised=quantised) for _ in range(2))
    one = read(first, delta)
    read(first, delta, ids=IDS[::-1])
    assert one.tobytes() == read(first, delta).tobytes()
    assert one.tobytes() == read(second, delta).tobytes()
