"""What the project says of itself: citation, CI, changes and pinned versions agree with each other and with their schemas."""

import ast
import hashlib
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.dockerfiles import instructions
from tests.pins import FILES, hashes, pins, usable

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = DECLARED["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GITHUB = ROOT / ".github"
FORMS = sorted(p for p in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if p.name != "config.yml")
CITATION = ROOT / "CITATION.cff"
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d|not yet tagged)\)$", re.M)


def broken(*paths: Path, schema: str) -> str:
    """The objections of a schema to files, "" if there are none."""
    options = ["--default-filetype", "yaml", "--builtin-schema", schema]
    command = [sys.executable, "-m", "check_jsonschema", *options, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def loaded(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "custom.github-workflows-require-timeout": WORKFLOWS,
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.compose-spec": [ROOT / "deploy" / "flink" / "compose.yaml"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schemas(schema):
    assert SCHEMAS[schema] and broken(*SCHEMAS[schema], schema=schema) == ""


def of_jobs(key: str) -> list:
    """What the jobs of all workflows have under a key, where they have it."""
    return [job[key] for p in WORKFLOWS for job in loaded(p)["jobs"].values() if key in job]


def steps() -> list[dict]:
    return [step for steps in of_jobs("steps") for step in steps]


def test_ci_tests_every_python_that_the_package_is_for():
    said = {c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)}
    assert [set(strategy["matrix"]["python"]) for strategy in of_jobs("strategy")] == [said] * 2  # tests and package
    allowed = Requirement(f"python{PROJECT['requires-python']}").specifier
    assert {f"3.{minor}" for minor in range(30) if f"3.{minor}" in allowed} == said


@pytest.mark.parametrize(("version", "taken"), [("3.10", False), ("3.14", False), ("3.11", True), ("3.13", True)])
def test_make_setup_names_the_pythons_that_it_takes_at_once(tmp_path, version, taken):
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "constraints-pip.txt"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    python = tmp_path / "python"  # says its version, and makes no environment
    python.write_text(f'#!/bin/sh\n[ "$1" = -c ] && echo {version} || exit 9\n')
    python.chmod(0o755)
    make = ["make", "--no-print-directory", "setup", f"PYTHON={python}"]
    done = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True)
    said = (
        f"{python} is Python {version}, and Gistmill takes 3.11 3.12 3.13: name one, as in PYTHON=python3.11 make setup"
    )
    assert done.returncode == 2 and (tmp_path / ".venv").exists() is False
    assert (done.stdout.strip() == said) is not taken


def test_ci_calls_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    lines = [step["run"] for step in steps() if step.get("run", "").startswith("make ")]
    lines += re.findall(r"^make .*", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M)
    called = {line.split()[1] for line in lines}
    assert {"check", "test", "test-train", "test-slow", "test-nightly", "release", "audit"} <= called <= targets


def starred_choices(source: str) -> list[int]:
    """The lines that look for something in a tuple or list with a star, on which mypyc fails."""
    compared = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Compare)]
    displays = (c for node in compared for c in node.comparators if isinstance(c, ast.Tuple | ast.List))
    return [each.lineno for each in displays if any(isinstance(item, ast.Starred) for item in each.elts)]


def test_mypyc_can_compile_what_setup_py_gives_it():
    assert starred_choices("a in (*b, c)\na not in [c, *b]\na in (b, c)\nf(*b)") == [1, 2]
    folders = [ROOT / "rules" / name for name in ("coreference", "discofuse")]
    modules = [path for folder in folders for path in folder.rglob("*.py")]
    assert {path.name: lines for path in modules if (lines := starred_choices(path.read_text(encoding="utf-8")))} == {}


def unpinned(workflow: str) -> list[str]:
    """The actions of a workflow that a tag could move: those without the SHA of a commit and, as a comment, a version."""
    used = re.findall(r"uses: *(.*)", workflow)
    assert len(used) == workflow.count("uses:")
    pinned = re.compile(r"(\./\.github/workflows/[\w-]+\.yml|[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)")
    return [action for action in used if not pinned.fullmatch(action)]


def test_every_action_is_pinned_by_the_sha_of_its_commit():
    assert {path.name: found for path in WORKFLOWS if (found := unpinned(path.read_text(encoding="utf-8")))} == {}
    assert unpinned(f"- uses: a/b@v4 # v4.0.0\n- uses: a/b@{'0' * 40} # v4\n- uses: a/b@{'0' * 40} # v4.0.0\n") == [
        "a/b@v4 # v4.0.0",
        f"a/b@{'0' * 40} # v4",
    ]


def test_jobs_read_alone_but_for_the_one_that_publishes():
    assert all(loaded(p)["permissions"] == {"contents": "read"} for p in WORKFLOWS)
    (rights,) = of_jobs("permissions")
    publish = loaded(GITHUB / "workflows" / "release.yml")["jobs"]["publish"]
    assert publish["permissions"] == rights == {"id-token": "write", "attestations": "write"}
    assert publish["environment"] == "pypi" and not any("run" in step for step in publish["steps"])


def test_no_step_finds_the_token_of_a_checkout():
    checkouts = [step for step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts and all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_the_changelog_dates_the_version_of_the_package():
    headings = re.findall("^## .*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings.pop(0) == "## Unreleased"
    releases = [RELEASE.fullmatch(heading) for heading in headings]
    assert all(releases), headings
    assert releases[0].groups() == (PROJECT["version"], str(loaded(CITATION).get("date-released", "not yet tagged")))


def test_the_citation_follows_the_schema_and_the_package():
    assert broken(CITATION, schema="vendor.citation-file-format") == ""
    cited = loaded(CITATION)
    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])
    assert [a["name"] for a in cited["authors"]] == [a["name"] for a in PROJECT["authors"]]


def test_every_paper_of_the_jobs_is_cited():
    named = set(re.findall(r"https://arxiv\.org/abs/[\d.]+\d", (ROOT / "docs/build.md").read_text(encoding="utf-8")))
    assert named and named == {reference["url"] for reference in loaded(CITATION)["references"]}


def versions(python: str, *files: Path) -> dict[str, str]:
    """The version of every package for a Python such as 3.11."""
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    lines = [line for file in files for line in pins(file.read_text(encoding="utf-8"))]
    pinned = [r for r in map(Requirement, lines) if r.marker is None or r.marker.evaluate(environment)]
    found = {str(canonicalize_name(r.name)): str(r.specifier).removeprefix("==") for r in pinned}
    assert len(found) == len(pinned), "a package is pinned twice"
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.name)
def test_constraints_are_sorted_and_every_pin_has_hashes(file):
    pinned = pins(file.read_text(encoding="utf-8"))
    names = [re.split("==|;", line)[0].lower() for line in pinned]
    assert names and names == sorted(names)
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+(; python_version [<>]=? \"3\.\d+\")?", line) for line in pinned)
    odd = re.compile("(?!sha256:[0-9a-f]{64}$)")
    assert [line for line, found in pinned.items() if not found or any(map(odd.match, found))] == []


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_everything_that_is_asked_for_is_pinned_within_its_bounds(python):
    pinned = versions(python, ROOT / "constraints.txt", ROOT / "constraints-train.txt")
    extras, groups = PROJECT["optional-dependencies"], DECLARED["dependency-groups"]
    lists = [PROJECT["dependencies"], *extras.values(), *groups.values()]
    for requirement in (Requirement(line) for asked in lists for line in asked if isinstance(line, str)):
        name = canonicalize_name(requirement.name)
        if name != PROJECT["name"]:
            assert requirement.specifier.contains(pinned[name]), requirement


def test_the_tools_of_a_release_are_pinned():
    (line,) = re.findall(r"--constraint constraints-release.txt \\\n\s+(.*)", (ROOT / "Makefile").read_text("utf-8"))
    pinned = versions("3.11", ROOT / "constraints.txt", ROOT / "constraints-release.txt")
    assert {"build", "cyclonedx-bom", "pip-audit", "twine"} <= set(line.split()) <= pinned.keys()


@pytest.mark.parametrize(
    ("tag", "taken"),
    [
        ("cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64", True),
        ("cp313-cp313-manylinux_2_28_aarch64", True),
        ("cp38-abi3-linux_x86_64", True),
        ("py3-none-manylinux_2_17_aarch64", True),
        ("py2.py3-none-any", True),
        ("py312-none-any", True),
        ("cp310-cp310-manylinux_2_28_x86_64", False),
        ("cp313-cp313t-manylinux_2_28_x86_64", False),
        ("cp314-abi3-manylinux_2_28_x86_64", False),
        ("py2-none-any", False),
        ("pp311-pypy311_pp73-manylinux_2_28_x86_64", False),
        ("cp311-cp311-musllinux_1_2_x86_64", False),
        ("cp311-cp311-manylinux_2_28_ppc64le", False),
        ("cp311-cp311-macosx_11_0_arm64", False),
        ("cp311-cp311-win_amd64", False),
    ],
)
def test_hashes_are_those_of_wheels_for_supported_machines(tag, taken):
    assert usable(f"some_package-1.0+cpu-{tag}.whl") is taken


def test_a_source_archive_has_a_hash_unless_a_wheel_suits_every_machine():
    def archive(name, digest):
        return {"url": f"https://files.example/1/{name}", "hashes": {"sha256": digest}}

    source, other = archive("a-1.tar.gz", "c"), archive("a-1-cp311-cp311-win_amd64.whl", "d")
    wheels = [archive("a-1-cp312-abi3-linux_x86_64.whl", "b"), archive("a-1-cp311-cp311-linux_x86_64.whl", "a"), other]
    assert hashes({"sdist": source, "wheels": wheels}) == ["sha256:a", "sha256:b", "sha256:c"]
    assert hashes({"sdist": source, "wheels": [archive("a-1-py3-none-any.whl", "e"), other]}) == ["sha256:e"]
    assert hashes({"sdist": source}) == ["sha256:c"]
    assert hashes({"wheels": wheels}) == ["sha256:a", "sha256:b"]


@pytest.mark.parametrize(
    ("pin", "said"),
    [
        ("asked==1 --hash={found}", ""),
        ("asked==1 --hash=sha256:" + "0" * 64, "DO NOT MATCH THE HASHES"),
        ("other==1 --hash={found}", "must have their versions pinned"),
        ("asked==1", "must have their versions pinned"),
    ],
)
def test_pip_takes_what_the_constraints_name_and_nothing_else(pin, said, tmp_path):
    """With the options of the Makefile and the images: what a package asks for is not named on the command line either."""
    with zipfile.ZipFile(wheel := tmp_path / "asked-1-py3-none-any.whl", "w") as file:
        file.writestr("asked-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: asked\nVersion: 1\n")
        file.writestr("asked-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("asked-1.dist-info/RECORD", "")
    (tmp_path / "pins").write_text(pin.format(found=f"sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"))
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--isolated",
        "--no-index",
        "--find-links",
        tmp_path,
    ]
    command += ["--require-hashes", "--constraint", tmp_path / "pins", "asked"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) is (said == "") and said in done.stderr


def careless(command: str) -> bool:
    """Whether an installation could take an archive that no hash names, from pip's index or to build a package."""
    hashed = "--require-hashes" in command
    wheels = hashed and ("constraints-pip.txt" in command or "--no-deps setuptools" in command)
    own = re.search(r"--no-deps.* (\.|dist/\*\.whl)$", command)
    return not (hashed or own) or not (wheels or "--no-build-isolation" in command)


@pytest.mark.parametrize("file", ["Makefile", *(str(p.relative_to(ROOT)) for p in ROOT.glob("deploy/**/Dockerfile"))])
def test_nothing_is_installed_without_its_hash(file):
    if file == "Makefile":
        make = ["make", "--dry-run", "--always-make", "setup-train", "audit", "release"]
        done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True)
        steps = done.stdout.replace("\\\n", " ").splitlines()
    else:
        steps = [rest for word, rest in instructions(ROOT / file) if word == "RUN"]
    commands = [part.strip() for step in steps for part in step.split("&&") if re.search(r"pip +install", part)]
    assert len(commands) >= (0 if "flink" in file else 5) and [c for c in commands if careless(c)] == []
