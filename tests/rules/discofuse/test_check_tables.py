"""Each check of the tables refuses its first example, which passes without it, and lets its second one pass."""

from __future__ import annotations

import dataclasses

import pytest

from tests.rules.discofuse import parsed_cases

TABLES = list(parsed_cases.tables())
CHECKS = [(module, name, check) for module, name, table in TABLES for check in table]


def with_check(monkeypatch, module, name, check, holds):
    """Puts another predicate into the table in the place of that of a check."""
    table = getattr(module, name)
    other = tuple(dataclasses.replace(c, holds=holds) if c is check else c for c in table)
    monkeypatch.setattr(module, name, other)


def test_the_ids_are_unique():
    ids = [check.id for _, _, check in CHECKS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("module", "name", "check"), CHECKS, ids=[check.id for _, _, check in CHECKS])
def test_a_check_alone_refuses_its_example(module, name, check, monkeypatch):
    refused = list(map(parsed_cases.described, parsed_cases.candidates(check.refuses)))
    with_check(monkeypatch, module, name, check, lambda parse, match: False)
    assert list(map(parsed_cases.described, parsed_cases.candidates(check.refuses))) != refused


@pytest.mark.parametrize(("module", "name", "check"), CHECKS, ids=[check.id for _, _, check in CHECKS])
def test_a_check_lets_its_other_example_pass(module, name, check, monkeypatch):
    answers = []

    def asked(parse, match):
        answers.append(check.holds(parse, match))
        return answers[-1]

    with_check(monkeypatch, module, name, check, asked)
    made = parsed_cases.candidates(check.passes)
    assert answers and not all(answers)
    assert any(candidate.verdict.accepted for candidate in made)
