"""The sizes of packages; see tests/budgets.py."""

from tests.budgets import lower, problems


def test_no_package_is_above_its_budget():
    assert problems() == []


def test_a_package_above_its_budget_is_named_and_no_budget_is_raised(tmp_path):
    for name, lines in {"core/a.py": 3, "core/inner/b.py": 4, "rules/c.py": 5, "tests/d.py": 6, "out/e.py": 7}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n" * lines)
    budgets = tmp_path / "tests" / "budgets.toml"
    kept = '# A.\n[lines]\nall = 12\ncore = 6\n"core/inner" = 4\nrules = 5\ntests = 6\n\n[modules]\ncore = 1\n'
    budgets.write_text(kept.replace("rules = 5", 'rules = 99\n"rules/gone" = 8'))
    found = problems(tmp_path)
    assert len(found) == 2
    assert found[0].startswith("core has 7 lines, 1 more than its budget")
    assert found[1].startswith("core has 2 modules, 1 more than its budget")
    lower(tmp_path)
    assert budgets.read_text() == kept
