"""How the page is read, and that what it shows is in the form of the house."""

import sys
from pathlib import Path

import pytest

from tests.contributing.page import example, sections

SECTIONS = sections()
TABLES = {
    "rules/recipes.py",
    "transforms/sources/registry.py",
    "transforms/sinks/formats.py",
    "transforms/steps/registry.py",
}


@pytest.mark.parametrize("name", SECTIONS)
def test_a_reader_of_a_section_sees_where_every_block_goes(name):
    found = example(SECTIONS[name])
    assert found.edits and found.commands
    assert "<!--" not in SECTIONS[name]  # GitHub and the site show no comment


@pytest.mark.parametrize("name", ["format", "recipe", "source", "step"])
def test_an_addition_costs_a_file_an_import_and_an_entry(name):
    found = example(SECTIONS[name])
    assert len([e for e in found.edits if e.line is None and not e.path.startswith("tests/")]) == 1
    entries = [e for e in found.edits if e.line is not None]
    assert len(entries) == 2 and {e.path for e in entries} < TABLES
    assert entries[0].text.startswith("from ") and all(e.text.count("\n") == 1 for e in entries)


def test_every_example_has_its_test():
    assert len(SECTIONS) == 9
    for name in SECTIONS:
        test = Path(__file__).with_name(f"test_{name.replace('-', '_')}.py")
        assert f'tree.add("{name}")' in test.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_examples_go_together_and_are_in_the_form_of_the_house(tree):
    paths = {edit.path for name in SECTIONS for edit in tree.add(name).edits if edit.path.endswith(".py")}
    formatted = tree.shell(f"{sys.executable} -m ruff format --check --no-cache {' '.join(sorted(paths))}")
    assert f"{len(paths)} files already formatted" in formatted.stdout
    assert "All checks passed!" in tree.shell(f"{sys.executable} -m ruff check --no-cache {' '.join(paths)}").stdout


@pytest.mark.long
def test_the_types_of_the_examples_are_right(tree):
    for name in SECTIONS:
        tree.add(name)
    # Modules have other names here than in `make check`, so pyproject.toml's exceptions for untyped libraries do not match.
    lenient = "--allow-any-generics --allow-subclassing-any --allow-untyped-calls --no-warn-return-any"
    options = f"{lenient} --no-warn-unused-ignores --cache-dir {tree.root / 'types'} rules transforms"
    assert "Success: no issues found" in tree.shell(f"{sys.executable} -m mypy {options}").stdout
