"""The files of cases beside the tests: each heading is read."""

import itertools
import re
from pathlib import Path

from tests.cases import by_heading, cases

TESTS = Path(__file__).parents[1]


def test_every_heading_is_read():
    for test in TESTS.rglob("test_*.py"):
        source = test.read_text(encoding="utf-8")
        if "by_heading(__file__)" in source:
            assert set(by_heading(str(test))) == set(re.findall(r'CASES\[\s*"([^"]+)"', source)), test


def test_no_heading_comes_twice():
    for file in TESTS.rglob("cases/*.txt"):
        headings = [case.heading for case in cases(file)]
        changes = sum(a != b for a, b in itertools.pairwise(headings))
        assert changes + 1 == len(set(headings)), file


def test_what_stands_below_a_text(tmp_path):
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "names.txt").write_text('# one\na\n    b\n    ""\n#c\n# two\nd\n', encoding="utf-8")
    (tmp_path / "cases" / "names.toml").write_text('three = [["e ", 1]]\n', encoding="utf-8")
    expected = {"one": [("a", "b", ""), "#c"], "two": ["d"], "three": [["e ", 1]]}
    assert by_heading(str(tmp_path / "test_names.py")) == expected
