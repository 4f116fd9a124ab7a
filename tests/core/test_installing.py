"""Commands that install what is missing, held against the real metadata and pip."""

import importlib
import importlib.metadata
import shlex
import subprocess
import sys

import pytest
from packaging.requirements import Requirement

from gistmill.core import extras

EXTRAS = sorted(importlib.metadata.metadata("gistmill").get_all("Provides-Extra") or ())


@pytest.mark.parametrize("extra", ["explore", "serve"])  # which .venv has: pip needs no index
def test_the_command_for_an_extra_runs_as_it_is_printed(extra):
    command = f"{extras.install_extra(extra)} --no-index --dry-run --quiet"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("extra", EXTRAS)
def test_no_command_asks_an_index_for_gistmill(extra):
    python, *arguments = shlex.split(extras.install_extra(extra))
    assert python == sys.executable
    assert arguments[:3] == ["-m", "pip", "install"] and len(arguments) > 3
    assert not any(word.startswith("gistmill") or ";" in word for word in arguments)


@pytest.mark.parametrize("extra", EXTRAS)
def test_no_package_of_an_extra_is_left_out(extra):
    declared = [line for line in importlib.metadata.requires("gistmill") if f'extra == "{extra}"' in line]
    asked = [Requirement(line) for line in declared]
    named = {Requirement(word).name for word in shlex.split(extras.install_extra(extra))[4:]}
    assert named >= {found.name for found in asked} - {"gistmill"}


def test_an_extra_within_an_extra_is_resolved():
    command = extras.install_extra("train")
    assert "onnxruntime" in command and "'torch" in command


def test_there_is_a_command_without_an_installation(monkeypatch):
    monkeypatch.setattr(extras, "_OWN", "gistmill-is-not-installed")
    assert extras.install_extra("explore").endswith("-m pip install '.[explore]', in a checkout")


def test_an_unknown_extra_is_a_fault():
    with pytest.raises(ValueError, match="unknown extra 'explorer'"):
        extras.install_extra("explorer")


@pytest.mark.parametrize(("extra", "named"), [(None, "news"), ("serve", "serve")])
def test_a_missing_module_is_one_line_that_names_the_extra(monkeypatch, extra, named):
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(extras.MissingExtra) as error, extras.extra_for("gistmill.clean_html", extra):
        from lxml import etree  # noqa: F401
    assert str(error.value) == f"gistmill.clean_html needs gistmill[{named}]: {extras.install_extra(named)}"


def test_a_module_of_no_extra_stays_a_bug():
    with pytest.raises(ModuleNotFoundError), extras.extra_for("it", "serve"):
        importlib.import_module("gistmill.nowhere")
