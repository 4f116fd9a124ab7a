"""What the project says of itself: citation, CI, changes and pinned versions agree with each other and with their schemas."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GITHUB = ROOT / ".github"
FORMS = sorted(p for p in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if p.name != "config.yml")
CITATION = ROOT / "CITATION.cff"
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", re.M)


def broken(path: Path, *options: str) -> str:
    """What the schema has against a file, "" when nothing."""
    command = [sys.executable, "-m", "check_jsonschema", "--default-filetype", "yaml", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def loaded(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_workflows_follow_the_schema(path, schema):
    assert broken(path, "--builtin-schema", schema) == ""


def test_the_schema_sees_a_wrong_workflow(tmp_path):
    wrong = tmp_path / "ci.yml"
    wrong.write_text(WORKFLOWS[0].read_text(encoding="utf-8").replace("runs-on:", "runs-at:"), encoding="utf-8")
    assert "runs-at" in broken(wrong, "--builtin-schema", "vendor.github-workflows")


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


@pytest.mark.parametrize("version, taken", [("3.10", False), ("3.14", False), ("3.11", True), ("3.13", True)])
def test_make_setup_names_the_pythons_that_it_takes_at_once(tmp_path, version, taken):
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
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
    lines = [step["run"] for step in steps() if "run" in step]
    lines += re.findall(r"^make .*", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M)
    called = {line.split()[1] for line in lines}
    assert {"check", "test", "test-train", "test-slow", "test-flink", "release", "audit"} <= called <= targets


def unpinned(workflow: str) -> list[str]:
    """The actions of a workflow that a tag could move: those without the SHA of a commit and, as a comment, a version."""
    used = re.findall(r"uses: *(.*)", workflow)
    assert len(used) == workflow.count("uses:")
    pinned = re.compile(r"(\./\.github/workflows/[\w-]+\.yml|[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)")
    return [action for action in used if not pinned.fullmatch(action)]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_every_action_is_pinned_by_the_sha_of_its_commit(path):
    assert unpinned(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "action", ["a/b@v4 # v4.0.0", f"a/b@{'0' * 40}", f"a/b@{'0' * 39} # v4.0.0", f"a/b@{'0' * 40} # v4", "./other"]
)
def test_an_action_that_could_move_is_seen(action):
    assert unpinned(f"- uses: {action}\n") == [action]


def test_an_action_has_one_version_in_all_workflows():
    versions = {tuple(step["uses"].split("@")) for step in steps() if "uses" in step}
    assert len(dict(versions)) == len(versions)


def test_jobs_read_alone_but_for_the_one_that_publishes():
    assert all(loaded(p)["permissions"] == {"contents": "read"} for p in WORKFLOWS)
    (rights,) = of_jobs("permissions")
    publish = loaded(GITHUB / "workflows" / "release.yml")["jobs"]["publish"]
    assert publish["permissions"] == rights == {"id-token": "write", "attestations": "write"}
    assert publish["environment"] == "pypi" and not any("run" in step for step in publish["steps"])


def test_no_step_finds_the_token_of_a_checkout():
    checkouts = [step for step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts and all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_the_forms_of_issues_follow_their_schemas(tmp_path):
    assert {path.stem for path in FORMS} == {"bug", "feature", "row"}
    assert [said for path in FORMS if (said := broken(path, "--builtin-schema", "vendor.github-issue-forms"))] == []
    config = GITHUB / "ISSUE_TEMPLATE" / "config.yml"
    assert broken(config, "--builtin-schema", "vendor.github-issue-config") == ""
    assert broken(GITHUB / "dependabot.yml", "--builtin-schema", "vendor.dependabot") == ""
    wrong = tmp_path / "bug.yml"
    wrong.write_text(FORMS[0].read_text(encoding="utf-8").replace("type: input", "type: line"), encoding="utf-8")
    assert "line" in broken(wrong, "--builtin-schema", "vendor.github-issue-forms")


def test_who_opens_an_issue_is_told_where_vulnerabilities_go():
    text = "".join(path.read_text(encoding="utf-8") for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))
    assert text.count("SECURITY.md") == 2 and (ROOT / "SECURITY.md").is_file()  # the chooser and the form of bugs


def test_the_changelog_dates_the_version_of_the_package():
    headings = re.findall("^## .*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings.pop(0) == "## Unreleased"
    releases = [RELEASE.fullmatch(heading) for heading in headings]
    assert all(releases), headings
    assert releases[0].groups() == (PROJECT["version"], str(loaded(CITATION)["date-released"]))


def test_the_citation_follows_the_schema_and_the_package(tmp_path):
    assert broken(CITATION, "--builtin-schema", "vendor.citation-file-format") == ""
    cited = loaded(CITATION)
    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])
    assert [a["name"] for a in cited["authors"]] == [a["name"] for a in PROJECT["authors"]]
    wrong = tmp_path / "CITATION.cff"
    wrong.write_text(
        CITATION.read_text(encoding="utf-8").replace("type: conference-paper", "type: talk"), encoding="utf-8"
    )
    assert "talk" in broken(wrong, "--builtin-schema", "vendor.citation-file-format")


def test_every_paper_of_the_jobs_is_cited():
    named = set(re.findall(r"https://arxiv\.org/abs/[\d.]+\d", (ROOT / "docs/corpora.md").read_text(encoding="utf-8")))
    assert named and named == {reference["url"] for reference in loaded(CITATION)["references"]}


def pins(python: str) -> dict[str, str]:
    """The version of every package for a Python such as 3.11."""
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [r for r in map(Requirement, lines) if r.marker is None or r.marker.evaluate(environment)]
    found = {str(canonicalize_name(r.name)): str(r.specifier).removeprefix("==") for r in pinned}
    assert len(found) == len(pinned), "a package is pinned twice"
    return found


@pytest.mark.parametrize("file", ["constraints.txt", "constraints-release.txt"])
def test_constraints_are_sorted(file):
    names = [re.split("==|;", line)[0].lower() for line in (ROOT / file).read_text("utf-8").splitlines()]
    assert names == sorted(names)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("group", ["", "docs", "gcp", "s3", "minilm", "serve", "tokenizers", "dev"])
def test_everything_that_is_asked_for_is_pinned_within_its_bounds(group, python):
    asked = [Requirement(r) for r in (PROJECT["optional-dependencies"][group] if group else PROJECT["dependencies"])]
    assert asked
    for requirement in asked:
        name = canonicalize_name(requirement.name)
        if name != PROJECT["name"]:
            assert requirement.specifier.contains(pins(python)[name]), requirement


def test_the_tools_of_a_release_are_pinned():
    (line,) = re.findall(r"--constraint constraints-release.txt \\\n\s+(.*)", (ROOT / "Makefile").read_text("utf-8"))
    lines = [
        line
        for file in ("constraints.txt", "constraints-release.txt")
        for line in (ROOT / file).read_text().splitlines()
    ]
    pinned = {str(canonicalize_name(Requirement(line).name)) for line in lines}
    assert {"build", "cyclonedx-bom", "pip-audit", "twine"} <= set(line.split()) <= pinned


@pytest.mark.parametrize("tool", ["ruff", "mypy"])
def test_commits_are_checked_by_the_tools_of_the_environment(tool):
    hooks = [h for repo in loaded(ROOT / ".pre-commit-config.yaml")["repos"] for h in repo["hooks"]]
    assert any(h["entry"].startswith(f".venv/bin/{tool}") and h["language"] == "system" for h in hooks)


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_room_is_explained(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    rooms = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"].values()
    assert rooms and [room for room in sorted(rooms) if f"| `{room}` |" not in text] == []


@pytest.mark.parametrize("page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md")]))
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def repeated_words(source: str) -> list[str]:
    """The words that stand twice in a list of words, which is written as a text and split."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[]):
                found += [word for word, count in Counter(text.split()).items() if count > 1]
    return found


def test_no_word_stands_twice_in_a_list():
    found = {
        p: words for p in (ROOT / "rules").rglob("*.py") if (words := repeated_words(p.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_a_word_that_stands_twice_is_seen():
    assert repeated_words('A = frozenset("mill farm mill".split())\nB = "a a".split(",")') == ["mill"]
