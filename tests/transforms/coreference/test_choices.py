"""Which resolvers there are, and what is said when one is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gistmill.core.text_output import install_extra
from gistmill.pipelines.cli import main
from gistmill.transforms.coreference import NAMES, check_resolver, describe_resolver, load_resolver
from gistmill.transforms.installed import PackageError
from gistmill.transforms.steps.annotate import AnnotationConfig
from tests.environments import needs_package

PACKAGES = ("fastcoref", "coreferee")


def absent(package):
    return pytest.param(package, marks=needs_package(package, absent=True))


def test_the_names():
    assert {"none", "sieve", *PACKAGES} <= set(NAMES)
    assert load_resolver("none") is None and describe_resolver("none") == []
    (sieve,) = describe_resolver("sieve", version="1.2")
    assert (sieve["name"], sieve["version"]) == ("sieve", "1.2") and len(sieve["files"]["data/scorer.npz"]) == 64


def test_an_unknown_name_is_an_error():
    for function in (check_resolver, load_resolver, describe_resolver):
        with pytest.raises(ValueError, match="'best'; there are none, sieve"):
            function("best")
    with pytest.raises(ValueError, match="'best'"):
        AnnotationConfig(coref="best")


@pytest.mark.parametrize("name", ["none", "sieve", "coreferee"])
def test_only_fastcoref_takes_a_model(name):
    with pytest.raises(
        ValueError, match=f"the coreference resolver {name} takes no weights such as .*; fastcoref does"
    ):
        AnnotationConfig(coref=name, coref_model="biu-nlp/f-coref")
    check_resolver("fastcoref", model="biu-nlp/f-coref")


@pytest.mark.parametrize("package", [absent(p) for p in PACKAGES])
def test_a_missing_package_names_the_command_that_installs_it(package):
    for function in (load_resolver, describe_resolver):
        with pytest.raises(PackageError) as caught:
            function(package)
        assert str(caught.value) == (
            f"the coreference resolver {package} needs the package {package}: {install_extra(package)}"
        )


@pytest.mark.parametrize("package", [absent(p) for p in PACKAGES])
@pytest.mark.parametrize("job", [["split"], ["discofuse", "--output", "made"], ["annotate", "--output", "made"]])
def test_a_missing_package_is_told_before_any_input_is_read(package, job, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*job, "--coref", package, "--input", "there-is-no-such-file.xml"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and install_extra(package) in err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_no_package_is_imported_before_it_is_asked_for():
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, gistmill.pipelines.commands, gistmill.transforms.steps.annotate; print(*sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not {"torch", "transformers", "fastcoref", "coreferee", "datasets"} & set(said)
