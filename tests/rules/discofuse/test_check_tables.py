"""Each check of the tables refuses its first example, which passes without it, and lets its second one pass."""

import dataclasses
import re
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.checks import page, tables
from gistmill.rules import discofuse
from gistmill.rules.discofuse.parse import WORDS
from tests.rules.discofuse import parsed_cases

CHECKS = [check for table in tables() for check in table.checks]


@contextmanager
def with_predicates(change):
    """Gives each check the predicate that ``change`` returns for it."""
    known = tables()
    try:
        for module, name, checks in known:
            setattr(module, name, tuple(dataclasses.replace(check, holds=change(check)) for check in checks))
        yield
    finally:
        for module, name, checks in known:
            setattr(module, name, checks)


def without(id):
    """Takes a check out: it never holds."""
    return with_predicates(lambda check: (lambda parse, match: False) if check.id == id else check.holds)


def test_the_predicates_come_back_after_an_error():
    before = tables()
    with pytest.raises(RuntimeError), without(CHECKS[0].id):
        assert tables() != before
        raise RuntimeError
    assert tables() == before


def test_the_page_has_each_check_with_its_figures_if_there_are_any():
    known = CHECKS[0]
    figures = f"# python -m study, made-up texts\ncheck,asked,refuses,alone\n{known.id},7,5,3\n"
    lines = page(figures).splitlines()
    assert "Measured: made-up texts." in lines
    assert [f"| `{c.id}` |" in line for c, line in zip(CHECKS, (x for x in lines if x.startswith("| `")))] == [
        True
    ] * len(CHECKS)
    assert f"| `{known.id}` | `{known.reason.name}` | 7 | 5 | 3 | {known.refuses} | {known.passes} |" in lines
    assert sum(" |  |  |  | " in line for line in lines) == len(CHECKS) - 1


def test_the_ids_are_unique():
    ids = [check.id for check in CHECKS]
    assert len(ids) == len(set(ids))


def test_a_check_alone_refuses_its_example():
    for check in CHECKS:
        refused = list(map(parsed_cases.described, parsed_cases.candidates(check.refuses)))
        with without(check.id):
            assert list(map(parsed_cases.described, parsed_cases.candidates(check.refuses))) != refused, check.id


def test_the_rules_ask_for_each_list_of_words_and_for_no_other():
    code = "".join(path.read_text(encoding="utf-8") for path in Path(discofuse.__path__[0]).rglob("*.py"))
    assert set(re.findall(r'WORDS\["(\w+)"\]', code)) == set(WORDS)


def answering(check, answers):
    """Puts what a check says of texts into ``answers``."""

    def asked(parse, match):
        answers.append(check.holds(parse, match))
        return answers[-1]

    return with_predicates(lambda other: asked if other.id == check.id else other.holds)


def test_a_check_lets_its_other_example_pass():
    for check in CHECKS:
        answers = []
        with answering(check, answers):
            made = parsed_cases.candidates(check.passes)
        assert answers and not all(answers), check.id
        assert any(candidate.verdict.accepted for candidate in made), check.id
