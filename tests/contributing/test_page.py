"""How a page is read, and that what the pages show is in the form of the house."""

import re
import sys
from pathlib import Path

import pytest

from tests.contributing.page import EXAMPLES, INDEX, PageError, example, page_text

TABLES = {
    "rules/recipes.py",
    "transforms/sources/registry.py",
    "transforms/sinks/formats.py",
    "transforms/steps/registry.py",
}
SMALL = """\
# A thing
New file `rules/thing.py`:

```python
# a comment is not a heading
THING = 1
```
In `rules/words.py`, below the line `WORDS = (`:
```python
    "thing",
```
```sh
gistmill thing
```
"""


def test_a_page_is_read(tmp_path):
    found = example(SMALL)
    first, second = found.edits
    assert (first.path, first.line, first.text) == ("rules/thing.py", None, "# a comment is not a heading\nTHING = 1\n")
    assert (second.line, second.text, found.commands) == ("WORDS = (", '    "thing",\n', "gistmill thing\n")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/words.py").write_text('WORDS = (\n    "word",\n)\n')
    for edit in found.edits:
        edit.apply(tmp_path)
    assert (tmp_path / "rules/words.py").read_text() == 'WORDS = (\n    "thing",\n    "word",\n)\n'
    assert (tmp_path / "rules/thing.py").read_text() == first.text
    with pytest.raises(PageError, match="rules/thing.py is there already"):
        first.apply(tmp_path)


@pytest.mark.parametrize(("content", "count"), [("WORDS = {\n", 0), ("WORDS = (\nWORDS = (\n", 2)])
def test_a_line_that_moved_is_a_failure(tmp_path, content, count):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/words.py").write_text(content)
    with pytest.raises(PageError, match=f"has {count} lines"):
        example(SMALL).edits[1].apply(tmp_path)


@pytest.mark.parametrize(
    "broken",
    [
        SMALL.replace("New file `rules/thing.py`:\n", "New file `rules/thing.py`:\nmore text\n"),
        SMALL.replace("New file", "New files"),
        SMALL.replace(", below the line `WORDS = (`", ""),
        SMALL.replace("New file `rules/thing.py`:", "<!-- file: rules/thing.py -->"),
        SMALL.replace("New file `rules/thing.py`:", "New file `rules/thing.py`, below the line `THING`:"),
        SMALL + "New file `rules/last.py`:\n",
    ],
)
def test_a_page_that_cannot_be_read(broken):
    with pytest.raises(PageError):
        example(broken)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_reader_of_a_page_sees_where_every_block_goes(name):
    text = page_text(name)
    found = example(text)
    assert found.edits and found.commands
    assert "<!--" not in text  # GitHub and the site show no comment


@pytest.mark.parametrize("name", ["format", "recipe", "source", "step"])
def test_an_addition_costs_a_file_an_import_and_an_entry(name):
    found = example(page_text(name))
    assert len([e for e in found.edits if e.line is None and not e.path.startswith("tests/")]) == 1
    entries = [e for e in found.edits if e.line is not None]
    assert len(entries) == 2 and {e.path for e in entries} < TABLES
    assert entries[0].text.startswith("from ") and all(e.text.count("\n") == 1 for e in entries)


def test_every_example_has_its_test_and_stands_in_the_index():
    assert sorted(re.findall(r"\]\(([\w-]+)\.md\)", INDEX.read_text(encoding="utf-8"))) == EXAMPLES != []
    for name in EXAMPLES:
        test = Path(__file__).with_name(f"test_{name.replace('-', '_')}.py")
        assert f'tree.add("{name}")' in test.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_examples_go_together_and_are_in_the_form_of_the_house(tree):
    paths = {edit.path for name in EXAMPLES for edit in tree.add(name).edits if edit.path.endswith(".py")}
    formatted = tree.shell(f"{sys.executable} -m ruff format --check --no-cache {' '.join(sorted(paths))}")
    assert f"{len(paths)} files already formatted" in formatted.stdout
    assert "All checks passed!" in tree.shell(f"{sys.executable} -m ruff check --no-cache {' '.join(paths)}").stdout


@pytest.mark.long
def test_the_types_of_the_examples_are_right(tree):
    for name in EXAMPLES:
        tree.add(name)
    # Here modules have other names than in `make check`, and so another strictness.
    options = f"--no-warn-unused-ignores --cache-dir {tree.root / 'types'}"
    done = tree.shell(f"{sys.executable} -m mypy {options} rules transforms")
    assert "Success: no issues found" in done.stdout
