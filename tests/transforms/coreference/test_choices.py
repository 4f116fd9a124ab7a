"""Which resolvers there are, and when their packages are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gistmill.transforms.coreference import NAMES, describe_resolver, load_resolver
from gistmill.transforms.steps.annotate import AnnotationConfig


def test_the_names():
    assert NAMES[:3] == ("none", "sieve", "minilm")
    assert load_resolver("none") is None and describe_resolver("none") == []
    (sieve,) = describe_resolver("sieve", version="1.2")
    assert (sieve["name"], sieve["version"]) == ("sieve", "1.2") and len(sieve["files"]["data/scorer.npz"]) == 64


def test_an_unknown_name_is_an_error():
    for function in (load_resolver, describe_resolver):
        with pytest.raises(ValueError, match="'best'; expected one of none, sieve"):
            function("best")
    with pytest.raises(ValueError, match="'best'"):
        AnnotationConfig(coref="best")


@pytest.mark.slow
def test_no_package_is_imported_before_it_is_asked_for():
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, gistmill.pipelines.api, gistmill.transforms.steps.annotate; print(*sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not {"torch", "transformers", "onnxruntime", "datasets"} & set(said)
