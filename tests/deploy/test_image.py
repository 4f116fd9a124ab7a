"""The container images: linted, in step with the constraints, and built but for the engine."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from gistmill.transforms.arithmetic import THREAD_CAPS, X86
from tests.commands import data_checksums, manifest, succeed
from tests.deploy.dockerfiles import built, instructions, last_stage
from tests.deploy.packages import copy_of_the_tree, sdist
from tests.dumps import export, small_pages

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "deploy" / "Dockerfile"
FILES = (IMAGE, *(ROOT / "deploy" / name / "Dockerfile" for name in ("flink", "serving", "training")))
DIGEST = "(@sha256:[0-9a-f]{64})?"  # which `make digests` writes for a release
PINNED = re.compile(rf"FROM [a-z0-9./_-]+:[A-Za-z0-9._-]*\d[A-Za-z0-9._-]*{DIGEST}( AS [a-z]+)?")


def test_every_base_is_pinned():
    # Google's launcher, of which it supports the latest; only the program in it is taken
    launcher = f"FROM gcr.io/dataflow-templates-base/python311-template-launcher-base:latest{DIGEST} AS launcher"
    for path in FILES:
        bases = [f"{word} {rest}" for word, rest in instructions(path) if word == "FROM"]
        outer = [b for b in bases if b.split()[1] not in {b.partition(" AS ")[2] for b in bases}]
        moving = [b for b in outer if not PINNED.fullmatch(b)]
        assert len(outer) > len(moving) and all(re.fullmatch(launcher, base) for base in moving), path


def test_a_release_names_every_base_by_its_digest(tmp_path):
    (tmp_path / "docker").write_text(
        '#!/bin/sh\necho "sha256:$(printf "$DIGIT %s" "$*" | sha256sum | cut -c -64)"; [ "$DIGIT" != x ]\n',
        encoding="utf-8",
    )
    (tmp_path / "docker").chmod(0o755)
    for file in ("Makefile", "pyproject.toml", *FILES):
        copy = tmp_path / (ROOT / file).relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, copy)

    def make(*arguments, digit=""):
        path = f"{tmp_path}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "DIGIT": digit, "GIT_DIR": str(tmp_path / "none")}
        return subprocess.run(["make", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)

    def bases():
        lines = [line for path in FILES for line in (tmp_path / path.relative_to(ROOT)).read_text("utf-8").splitlines()]
        return [line.split()[1] for line in lines if line.startswith("FROM ") and ":" in line]

    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    release = ("-o", "setup", "-o", ".venv-release/.ready", "release", f"TAG=v{version}")
    before = bases()
    tags = [base.partition("@")[0] for base in before]
    assert make("digests", digit="x").returncode == 2 and bases() == before
    found = []
    for digit in ("1", "2"):
        assert make("digests", digit=digit).returncode == 0
        found += [bases()]
        assert [base.partition("@")[0] for base in bases()] == tags and all(
            re.fullmatch("[^@]+@sha256:[0-9a-f]{64}", base) for base in bases()
        )
        assert "make digests" not in make(*release).stdout
    assert not set(found[0]) & set(found[1])
    image = tmp_path / IMAGE.relative_to(ROOT)
    image.write_text(re.sub("@sha256:[0-9a-f]*", "", image.read_text("utf-8"), count=1), encoding="utf-8")
    refused = make(*release)
    assert refused.returncode == 2 and f"FROM {tags[0]} AS" in refused.stdout and "make digests" in refused.stdout


def test_they_have_the_beam_and_the_python_that_the_constraints_are_for():
    text = IMAGE.read_text(encoding="utf-8")
    (beam,) = re.findall(r"^apache-beam==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    assert re.search(rf"^FROM apache/beam_python3\.11_sdk:{re.escape(beam)}{DIGEST} AS beam$", text, re.M)
    assert "python311-template-launcher-base" in text
    for path in IMAGE, *FILES[2:]:
        (base,) = (rest for word, rest in instructions(path) if word == "FROM" and rest.startswith("python:"))
        assert re.fullmatch(r"python:3\.11\.16-(slim-)?trixie" + DIGEST + "( AS packages)?", base), path


def test_it_is_a_container_of_beam_and_the_one_for_dataflow_is_a_launcher_too():
    for target in None, "dataflow":
        made = last_stage(instructions(IMAGE), target)
        assert ("COPY", "--from=beam /opt/apache/beam /opt/apache/beam") in made
        assert [rest for word, rest in made if word == "ENTRYPOINT"] == ['["/opt/apache/beam/boot"]']
    launcher = "/opt/google/dataflow/python_template_launcher"
    assert ("COPY", f"--from=launcher {launcher} {launcher}") in made
    assert ("ENV", "FLEX_TEMPLATE_PYTHON_PY_FILE=/template/main.py") in made


def test_workers_have_one_numeric_thread_and_the_pinned_kernels():
    settled = [*(f"{name}=1" for name in THREAD_CAPS), *(f"{name}={value}" for name, value in X86.variables.items())]
    for target in (None, "dataflow"):
        made = last_stage(instructions(IMAGE), target)
        assert settled in [shlex.split(rest) for word, rest in made if word == "ENV"]


def test_the_context_holds_what_is_copied_and_no_more():
    for path in IMAGE, FILES[2]:
        ignore = path.with_name("Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        copies = [rest for word, rest in instructions(path) if word == "COPY" and "--from" not in rest]
        copied = {source for rest in copies for source in rest.split()[:-1]}
        assert {line[1:] for line in ignore if line.startswith("!")} == copied and "*" in ignore
        assert all((ROOT / source).exists() for source in copied)


def test_the_sums_of_flinks_image_are_those_of_the_versions_file(tmp_path):
    (step,) = (rest for word, rest in instructions(FILES[1]) if word == "RUN" and "sha256sum" in rest)
    work = tmp_path / "all"
    work.mkdir()
    versions = FILES[1].with_name("versions.toml").read_text(encoding="utf-8")
    (tmp_path / "versions.toml").write_text(versions, encoding="utf-8")
    subprocess.run(["bash", "-euc", step.partition(" && ")[0]], cwd=work, check=True)
    listed = dict(line.split("  ")[::-1] for line in (tmp_path / "sums").read_text(encoding="utf-8").splitlines())
    assert listed == tomllib.loads(versions)["job_server"]["jars"] and len(listed) > 100


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """What the Dockerfile makes, and the environment of its programs."""
    root = tmp_path_factory.mktemp("image")
    return root, built(IMAGE, root, "dataflow")


@pytest.mark.long
def test_its_steps_build_an_image_that_runs(image, tmp_path):
    root, environment = image

    def run(*arguments):
        command, given = (
            [root / "python/bin/python", *arguments],
            {**environment, "GISTMILL_IMAGE": "registry/gistmill:1"},
        )
        return subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True)

    main = root / environment["FLEX_TEMPLATE_PYTHON_PY_FILE"].lstrip("/")
    places = ("--input=gs://bucket/dump.xml", "--output=gs://bucket/out", "--template_location=gs://bucket/t")
    done = run(main, "--runner=DataflowRunner", "--gistmill_job=annotate", *places)
    assert done.returncode == 2, done.stderr
    assert done.stderr == "gistmill annotate: --runner DataflowRunner requires --project, --region, --temp_location\n"
    done = run("-c", "import apache_beam.runners.worker.sdk_worker_main")  # Beam's boot program starts this one
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_source_archive_installs_and_runs_from_anywhere(image, tmp_path):
    root, environment = image
    environment = {k: v for k, v in environment.items() if k != "GISTMILL_IMAGE"}
    python = root / "python/bin/python"

    def run(*command, cwd=tmp_path):
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
        return done.stdout

    archive = sdist(copy_of_the_tree(tmp_path / "tree"), tmp_path / "dist")
    run(python, "-m", "pip", "uninstall", "--yes", "--quiet", "gistmill")
    installed = run(python, "-m", "pip", "install", f"gistmill[gcp,s3] @ {archive.as_uri()}")
    assert re.search("^Successfully installed gistmill-[0-9.]+$", installed, re.M)  # all that it needs was there
    dump, elsewhere = tmp_path / "small.xml", tmp_path / "else where"
    dump.write_bytes(export([p for p in small_pages() if b"<redirect" not in p][:6]))
    elsewhere.mkdir()
    options = ("--workers", "2", "--formats", "parquet,tfrecord,tsv", "--splits", "60,20,20")
    program = root / "python/bin/gistmill"
    run(program, "discofuse", "--input", dump, "--output", "corpus", *options, cwd=elsewhere)
    run(program, "validate", "corpus", cwd=elsewhere)
    succeed("discofuse", "--input", dump, "--output", tmp_path / "here", "--splits", "60,20,20")
    assert data_checksums(elsewhere / "corpus") == data_checksums(tmp_path / "here")
    assert manifest(elsewhere / "corpus")["counts"]["documents"]["read"] == 6
