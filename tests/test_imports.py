"""The rooms: rules <- transforms <- pipelines; training -> rules. No import goes the other way."""
import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "rules": {"rules"},
    "transforms": {"rules", "transforms"},
    "pipelines": {"rules", "transforms", "pipelines"},
    "training": {"rules", "training"},
}
FORBIDDEN_IN_RULES = {"apache_beam", "spacy", "torch", "requests", "urllib", "google", "boto3", "pyarrow", "tensorflow"}


def imported_roots(source: str) -> set[str]:
    roots = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which room is meant"
            roots.add((node.module or "").split(".")[0])
    return roots


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", [r for r in MAY_IMPORT if (ROOT / r).is_dir()])
def test_imports_go_one_way(room):
    assert modules(room)
    for path in modules(room):
        wrong = (imported_roots(path.read_text(encoding="utf-8")) & set(MAY_IMPORT)) - MAY_IMPORT[room]
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_rules_are_pure():
    for path in modules("rules"):
        wrong = imported_roots(path.read_text(encoding="utf-8")) & FORBIDDEN_IN_RULES
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_an_import_against_the_direction_is_seen():
    assert imported_roots("def f():\n    from transforms.split import choose_split") == {"transforms"}
