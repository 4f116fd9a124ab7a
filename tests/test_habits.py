"""What the project says of itself: citation, CI and pinned versions agree with each other and with their schemas."""

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
CITATION = ROOT / "CITATION.cff"


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


def test_ci_tests_every_python_that_the_package_is_for():
    (matrix,) = (
        j["strategy"]["matrix"]["python"] for p in WORKFLOWS for j in loaded(p)["jobs"].values() if "strategy" in j
    )
    said = {c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)}
    assert set(matrix) == said
    allowed = Requirement(f"python{PROJECT['requires-python']}").specifier
    assert {f"3.{minor}" for minor in range(30) if f"3.{minor}" in allowed} == said


def test_ci_calls_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    lines = [s["run"] for p in WORKFLOWS for j in loaded(p)["jobs"].values() for s in j["steps"] if "run" in s]
    lines += re.findall(r"^make .*", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M)
    called = {line.split()[1] for line in lines}
    assert {"check", "test", "test-train", "test-slow", "test-flink"} <= called <= targets


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


def test_every_paper_of_the_readme_is_cited():
    named = set(re.findall(r"https://arxiv\.org/abs/[\d.]+\d", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named and named == {reference["url"] for reference in loaded(CITATION)["references"]}


def pins(python: str) -> dict[str, str]:
    """The version of every package for a Python such as 3.11."""
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [r for r in map(Requirement, lines) if r.marker is None or r.marker.evaluate(environment)]
    found = {str(canonicalize_name(r.name)): str(r.specifier).removeprefix("==") for r in pinned}
    assert len(found) == len(pinned), "a package is pinned twice"
    return found


def test_constraints_are_sorted():
    names = [re.split("==|;", line)[0].lower() for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()]
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
