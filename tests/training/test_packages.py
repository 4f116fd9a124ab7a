"""The packages that training needs: each is declared, and one that is missing is one clear line."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gistmill.core.extras import install_extra
from gistmill.training.cli import PACKAGES
from gistmill.training.commands import COMMANDS
from tests.training.made import copies, publish

ROOT = Path(__file__).parents[2]
FOLDERS = ("training", "published", "rules", "core")
DISTRIBUTIONS = {"google": "protobuf", "yaml": "pyyaml"}  # of packages that are imported by another name


def imported(path: Path) -> set[str]:
    """The modules that a file imports, also inside functions, but not for types alone; a name that is imported from one
    counts as one."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    types = [n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    for node in ast.walk(ast.Module([n for n in tree.body if n not in types], [])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return found


def needed() -> set[str]:
    """The packages that training imports, or the modules of other packages that it imports."""
    modules = {
        ".".join(("gistmill", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
    }
    seen, todo, packages = set(), {name for name in modules if name.startswith("gistmill.training.")}, set()
    while todo:
        seen.add(name := todo.pop())
        for target in imported(modules[name]):
            parents = {target.rsplit(".", n)[0] for n in range(target.count(".") + 1)}
            todo |= (parents & modules.keys()) - seen
            packages |= {target.split(".")[0]} - {"gistmill", *sys.stdlib_module_names}
    return packages


def declared() -> set[str]:
    """The packages that `pip install '.[train]'` asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["train"]]
    for extra in re.findall(r"gistmill\[(.+?)\]", " ".join(asked)):
        asked += extras[extra]
    return {re.split(r"[^\w-]", requirement)[0].lower().replace("_", "-") for requirement in asked}


def test_the_extra_declares_every_package_that_training_needs():
    found = needed()
    assert {"torch", "numpy", "google_crc32c", "google"} <= found
    assert {DISTRIBUTIONS.get(name, name.replace("_", "-")) for name in found} <= declared()


def test_the_command_line_knows_every_package_that_may_be_missing():
    assert needed() == set(PACKAGES)


def run_without(package: str, *lines: list[str]) -> list[tuple[int, str]]:
    """Exit code and standard error of commands, in a Python that does not have a package."""
    code = (
        "import contextlib, io, json, sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from gistmill.training.cli import main\n"
        "for argv in json.loads(sys.argv[1]):\n"
        "    out, error = io.StringIO(), io.StringIO()\n"
        "    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):\n"
        "        try:\n"
        "            code = main(argv)\n"
        "        except SystemExit as stop:\n"
        "            code = stop.code\n"
        "    print(json.dumps([code, error.getvalue()]))\n"
    )
    command = [sys.executable, "-c", code, json.dumps(lines)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_help_ends_without_a_traceback_whatever_is_missing():
    for package in sorted(PACKAGES):
        (code, error), *others = run_without(package, ["--help"], *([name, "--help"] for name in COMMANDS))
        assert (code, error) == (0, ""), package
        for name, (code, error) in zip(COMMANDS, others, strict=True):
            line = rf"gistmill-train {name}: the package {package}\S* is missing: {re.escape(install_extra('train'))}\n"
            assert (code, error) == (0, "") or (code == 1 and re.fullmatch(line, error)), error


def test_help_needs_no_checksums_and_no_torch():
    for package in ("google_crc32c", "torch"):
        assert {code for code, _ in run_without(package, *([name, "--help"] for name in COMMANDS))} == {0}


def test_parquet_is_read_without_the_package_of_checksums(tmp_path):
    place, predictions = publish(tmp_path / "data", {"test": copies(3)}), tmp_path / "p.jsonl"
    predictions.write_text("".join(json.dumps({"id": row["id"], "prediction": "word"}) + "\n" for row in copies(3)))
    lines = ["evaluate", "--predictions", str(predictions), "--dataset", f"{place}#full/test", "--no-baselines"]
    ((code, error),) = run_without("google_crc32c", lines)
    assert code == 0, error
