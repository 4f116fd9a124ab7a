"""The package: what is in it, and that it works outside a clone."""

import os
import re
import signal
import subprocess
import tarfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.deploy.dockerfiles import instructions, last_stage
from tests.deploy.packages import ROOT, copy_of_the_tree, install, sdist, tracked, wheel
from tests.dumps import export, small_pages

DESCRIBED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAMED = DESCRIBED["tool"]["setuptools"]["package-dir"]
ROOMS = sorted(NAMED.values())


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    return sdist(copy_of_the_tree(folder / "tree"), folder)


@pytest.fixture(scope="module")
def built(archive, tmp_path_factory):
    return wheel(archive, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    return install(built, tmp_path_factory.mktemp("environment"))


@pytest.fixture
def run(python, tmp_path):
    """Runs the installed package in a folder of its own."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}

    def run(*arguments):
        return subprocess.run(
            [python, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )

    return run


def files(room):
    return {name for name in tracked() if name.startswith(f"{room}/")}


def test_the_archive_holds_what_builds_it_and_no_tests(archive):
    with tarfile.open(archive) as tar:
        inside = {name.partition("/")[2] for name in tar.getnames()}
    assert {"pyproject.toml", "setup.py", "README.md", "constraints.txt", "LICENSE", "CITATION.cff"} <= inside
    assert not any(name.startswith(("tests", "benchmarks", "research", "docs", ".")) for name in inside)


def test_every_file_of_a_room_is_in_the_wheel(built):
    with zipfile.ZipFile(built) as file:
        inside = {name for name in file.namelist() if ".dist-info/" not in name}
    assert {"rules", "transforms", "pipelines", "deploy", "corpora"} <= set(ROOMS)
    place = {folder: name.replace(".", "/") for name, folder in NAMED.items()}
    assert inside == {f"{place[room]}{name.removeprefix(room)}" for room in ROOMS for name in files(room)}


def test_the_wheel_brings_one_package(built):
    with zipfile.ZipFile(built) as file:
        (name,) = (name for name in file.namelist() if name.endswith("/top_level.txt"))
        assert file.read(name) == b"gistmill\n"


def test_an_installed_package_knows_no_room_by_the_name_of_its_folder(run):
    code = (
        "import sys, importlib.util as u, gistmill.pipelines.commands, gistmill.training.cli\n"
        f"print([room for room in {ROOMS!r} if room in sys.modules or u.find_spec(room)])"
    )
    assert run("-c", code).stdout == "['gistmill']\n"


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_that_it_is_typed(room):
    assert f"{room}/py.typed" in files(room)


def test_the_image_has_every_room():
    copied = {
        rest.split()[0] for word, rest in last_stage(instructions(ROOT / "deploy" / "Dockerfile")) if word == "COPY"
    }
    assert set(ROOMS) <= copied


@pytest.mark.slow
def test_the_commands_run_outside_a_clone(run, tmp_path):
    assert run("-m", "gistmill", "--version").stdout == f"gistmill {DESCRIBED['project']['version']}\n"
    done = run("-m", "gistmill.deploy.flink", "--help")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(
        "usage: python -m gistmill.deploy.flink"
    )
    done = run("-m", "gistmill.deploy.flink", "status")
    assert done.returncode == 1 and f"no cluster was started in {tmp_path / '.flink'}" in done.stderr
    done = run(
        "-m",
        "gistmill.deploy.flink",
        "submit",
        "--job-endpoint",
        "127.0.0.1:1",
        "discofuse",
        "--input",
        "none",
        "--output",
        "x",
    )
    note, said = done.stderr.splitlines()
    assert done.returncode == 2 and said == "gistmill discofuse: no input file matches 'none'"
    assert note.startswith("gistmill.deploy.flink submit: without --flink-master")


def answer(command, place, folder):
    """What a server of the installed package answers at a place; it is asked once it names its address."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            said = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in iter(process.stdout.readline, ""))
            url = next(found[0] for found in said if found)
            with urllib.request.urlopen(f"{url}{place}", timeout=60) as reply:
                return reply.read().decode()
        finally:
            process.send_signal(signal.SIGINT)


@pytest.mark.slow
def test_a_preset_is_made_explored_and_served_outside_a_clone(run, python, tmp_path):
    (tmp_path / "dump.xml").write_bytes(export([page for page in small_pages() if b"<redirect" not in page]))
    job = ("discofuse", "--config", "discofuse-demo", "--input", "dump.xml", "--output", "demo", "--splits", "1,0,0")
    done = run("-m", "gistmill", *job, "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert run("-m", "gistmill", "validate", "demo").returncode == 0
    command = python.with_name("gistmill")
    assert "<html" in answer([command, "explore", "demo", "--port", "0", "--index", "index"], "/", tmp_path)
    assert '"openapi"' in answer([command, "serve", "--port", "0", "--workers", "1"], "/openapi.json", tmp_path)


def test_presets_and_pinned_versions_are_found_outside_a_clone(run, python):
    code = "import gistmill.deploy.flink.install as i; from gistmill import corpora; print(corpora.preset('discofuse')); print(i.VERSIONS)"
    preset, versions = map(Path, run("-c", code).stdout.splitlines())
    assert preset.is_file() and preset.is_relative_to(python.parents[1])
    assert versions.is_file() and versions.is_relative_to(python.parents[1])


def test_flink_starts_the_worker_of_the_environment_that_submits(run, python):
    done = run("-c", "from gistmill.deploy.flink.submit import worker_command; print(worker_command())")
    assert done.stdout.strip() == str(python.with_name("gistmill-worker"))
