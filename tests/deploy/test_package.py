"""The package: what is in it, and that it works outside a clone.

`make release` names what it built (GISTMILL_DIST) and the Python that it installed it for (GISTMILL_FRESH). Elsewhere
the tests build the package themselves, and borrow the packages that it needs.
"""

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

from benchmarks.slice import slice_path
from gistmill import corpora
from tests.commands import data_checksums
from tests.deploy.dockerfiles import instructions, last_stage
from tests.deploy.packages import ROOT, copy_of_the_tree, install, sdist, tracked, wheel
from tests.published_bytes import recorded

DESCRIBED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAMED = DESCRIBED["tool"]["setuptools"]["package-dir"]
PACKAGES = sorted(NAMED.values())
DIST = os.environ.get("GISTMILL_DIST")
FRESH = os.environ.get("GISTMILL_FRESH")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    if DIST:
        (made,) = (ROOT / DIST).glob("gistmill-*.tar.gz")
        return made
    folder = tmp_path_factory.mktemp("sdist")
    return sdist(copy_of_the_tree(folder / "tree"), folder)


@pytest.fixture(scope="module")
def built(archive, tmp_path_factory):
    if DIST:
        (made,) = (ROOT / DIST).glob("gistmill-*.whl")
        return made
    return wheel(archive, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    if FRESH:
        return Path(FRESH)
    return install(built, tmp_path_factory.mktemp("environment"))


@pytest.fixture
def run(python, tmp_path):
    """Runs the installed package in a folder of its own."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}

    def run(*arguments, cwd=tmp_path):
        return subprocess.run(
            [python, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
        )

    return run


def files(package):
    return {name for name in tracked() if name.startswith(f"{package}/")}


@pytest.mark.long
def test_the_archive_holds_what_builds_it_and_no_tests_and_builds_the_same_wheel_again(archive, built, tmp_path):
    with tarfile.open(archive) as tar:
        inside = {name.partition("/")[2] for name in tar.getnames()}
    assert {"pyproject.toml", "setup.py", "README.md", "constraints.txt", "LICENSE", "CITATION.cff"} <= inside
    assert not any(name.startswith(("tests", "benchmarks", "research", "docs", ".")) for name in inside)
    assert wheel(archive, tmp_path).read_bytes() == built.read_bytes()


@pytest.mark.slow
def test_the_wheel_brings_one_package_with_every_file_of_a_room(built):
    assert built.name == f"gistmill-{DESCRIBED['project']['version']}-py3-none-any.whl"
    with zipfile.ZipFile(built) as file:
        inside = {name for name in file.namelist() if ".dist-info/" not in name}
        (name,) = (name for name in file.namelist() if name.endswith("/top_level.txt"))
        assert file.read(name) == b"gistmill\n"
    assert {"rules", "transforms", "pipelines", "deploy", "corpora"} <= set(PACKAGES)
    place = {folder: name.replace(".", "/") for name, folder in NAMED.items()}
    assert inside == {f"{place[folder]}{name.removeprefix(folder)}" for folder in PACKAGES for name in files(folder)}


@pytest.mark.long
def test_an_installed_package_knows_no_room_by_the_name_of_its_folder(run):
    code = (
        "import sys, importlib.util as u, gistmill.pipelines.api, gistmill.training.cli\n"
        f"print([package for package in {PACKAGES!r} if package in sys.modules or u.find_spec(package)])"
    )
    assert run("-c", code).stdout == "['gistmill']\n"


@pytest.mark.long
def test_an_installed_package_is_found_in_a_clone_too(run):
    """There Python finds the folder ``gistmill`` first, which contains none of the packages."""
    found = run("-c", "import gistmill, gistmill.rules as rules; print(rules.__file__, gistmill.__file__)", cwd=ROOT)
    rules, face = map(Path, found.stdout.split())
    assert face == ROOT / "gistmill" / "__init__.py" and ROOT not in rules.parents
    assert run("-m", "gistmill", "--version", cwd=ROOT).stdout.startswith("gistmill ")


def test_every_room_says_that_it_is_typed_and_is_in_every_image():
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(tracked())
    for name, extra in ("", "gcp,s3"), ("serving", "serve"), ("training", "train"):
        made = last_stage(instructions(ROOT / "deploy" / name / "Dockerfile"))
        assert set(PACKAGES) <= {rest.split()[0] for word, rest in made if word == "COPY"}, name
        assert any(f"'gistmill[{extra}]'" in rest for word, rest in made if word == "RUN"), name
        ignored = (ROOT / "deploy" / name / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        assert {f"!{package}" for package in PACKAGES} <= set(ignored), name


@pytest.mark.slow
def test_the_commands_run_outside_a_clone(run, python):
    assert run("-m", "gistmill", "--version").stdout == f"gistmill {DESCRIBED['project']['version']}\n"
    found = run("-c", "import gistmill.deploy.flink as f; print(*f.__path__)").stdout.strip()
    cluster = dict.fromkeys(("JOB_ENDPOINT", "FLINK_MASTER"), "127.0.0.1:1")
    environment = {"PATH": f"{python.parent}:/usr/bin:/bin", **cluster}
    command = ["sh", f"{found}/submit", "discofuse", "--input", "none", "--output", "x"]
    done = subprocess.run(command, cwd=python.parent, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (2, "gistmill discofuse: no input file matches 'none'\n")


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


@pytest.mark.long
def test_the_demo_is_made_checked_explored_and_served_outside_a_clone(run, python, tmp_path):
    job = ("discofuse", "--config", "discofuse-demo", "--input", slice_path(), "--output", "demo", "--workers", "2")
    done = run("-m", "gistmill", *job)
    assert done.returncode == 0, done.stderr
    assert data_checksums(tmp_path / "demo") == recorded()["discofuse"]
    assert run("-m", "gistmill", "validate", "demo").returncode == 0
    explore = ("explore", "demo", "--index", "index")
    assert run("-m", "gistmill", *explore, "--export", "site").returncode == 0
    assert "<html" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    command = python.with_name("gistmill")
    assert "<html" in answer([command, *explore, "--port", "0"], "/", tmp_path)
    assert '"openapi"' in answer([command, "serve", "--port", "0", "--workers", "1"], "/openapi.json", tmp_path)


@pytest.mark.long
def test_presets_are_found_outside_a_clone(run, python):
    code = "from gistmill import corpora\nprint(*map(corpora.preset, corpora.NAMES), sep='\\n')"
    presets = list(map(Path, run("-c", code).stdout.splitlines()))
    assert {place.stem for place in presets} == set(corpora.NAMES)
    assert all(place.is_file() and place.is_relative_to(python.parents[1]) for place in presets)
