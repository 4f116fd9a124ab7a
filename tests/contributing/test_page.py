"""How the page is read, and that what it shows is in the form of the house."""

import re
import sys

import pytest

from tests.contributing.page import PAGE, PageError, example

SECTIONS = ("An option", "A recipe", "A source", "A format", "A step", "A phenomenon of DiscoFuse", "A synthetic task")
TABLES = {
    "rules/recipes.py",
    "transforms/sources/registry.py",
    "transforms/sinks/formats.py",
    "transforms/steps/registry.py",
}
SMALL = """\
# Page
## A thing
Put it into `rules/thing.py`:
<!-- file: rules/thing.py -->
```python
# a comment is not a heading
THING = 1
```
In `rules/words.py`:
<!-- line after: rules/words.py | WORDS = ( -->
```python
    "thing",
```
```sh
gistmill thing
```
## Another
```sh
gistmill other
```
"""


def test_a_section_is_read(tmp_path):
    found = example("A thing", SMALL)
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


@pytest.mark.parametrize("content, count", [("WORDS = {\n", 0), ("WORDS = (\nWORDS = (\n", 2)])
def test_a_line_that_moved_is_a_failure(tmp_path, content, count):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/words.py").write_text(content)
    with pytest.raises(PageError, match=f"has {count} lines"):
        example("A thing", SMALL).edits[1].apply(tmp_path)


@pytest.mark.parametrize(
    "broken",
    [
        SMALL.replace("## A thing", "## No thing"),
        SMALL.replace("<!-- file: rules/thing.py -->\n", "<!-- file: rules/thing.py -->\nmore text\n"),
        SMALL.replace("<!-- file:", "<!-- fill:"),
        SMALL.replace(" | WORDS = (", ""),
        SMALL.replace("<!-- file: rules/thing.py -->", "<!-- file: rules/thing.py | WORDS -->"),
    ],
)
def test_a_page_that_cannot_be_read(broken):
    with pytest.raises(PageError):
        example("A thing", broken)


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_prose_names_the_file_of_every_block(heading):
    section = example(heading)
    assert section.edits and section.commands
    for edit in section.edits:
        assert f"`{edit.path}`" in edit.before


@pytest.mark.parametrize("heading", SECTIONS[1:5])
def test_an_addition_costs_a_file_an_import_and_an_entry(heading):
    section = example(heading)
    assert len([e for e in section.edits if e.line is None and not e.path.startswith("tests/")]) == 1
    entries = [e for e in section.edits if e.line is not None]
    assert len(entries) == 2 and {e.path for e in entries} < TABLES
    assert entries[0].text.startswith("from ") and all(e.text.count("\n") == 1 for e in entries)


def test_every_example_has_its_test():
    page = PAGE.read_text(encoding="utf-8").split("## How to add something")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^### (.+)$", page, re.M)) == SECTIONS


@pytest.mark.slow
def test_the_examples_go_together_and_are_in_the_form_of_the_house(tree):
    paths = {edit.path for heading in SECTIONS for edit in tree.add(heading).edits}
    for check in ("format --check", "check"):
        tree.shell(f"{sys.executable} -m ruff {check} --no-cache {' '.join(sorted(paths))}")


@pytest.mark.long
def test_the_types_of_the_examples_are_right(tree):
    for heading in SECTIONS:
        tree.add(heading)
    tree.shell(f"{sys.executable} -m mypy --cache-dir {tree.root / 'types'} rules transforms")
