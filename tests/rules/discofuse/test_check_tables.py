"""Each check of the tables refuses its first example, which passes without it, and lets its second one pass."""

from __future__ import annotations

import pytest

from benchmarks.check_tables import tables, with_predicates, without
from tests.rules.discofuse import parsed_cases

CHECKS = [check for table in tables() for check in table.checks]
each_check = pytest.mark.parametrize("check", CHECKS, ids=[check.id for check in CHECKS])


def test_the_ids_are_unique():
    ids = [check.id for check in CHECKS]
    assert len(ids) == len(set(ids))


@each_check
def test_a_check_alone_refuses_its_example(check):
    refused = list(map(parsed_cases.described, parsed_cases.candidates(check.refuses)))
    with without(check.id):
        assert list(map(parsed_cases.described, parsed_cases.candidates(check.refuses))) != refused


@each_check
def test_a_check_lets_its_other_example_pass(check):
    answers = []

    def asked(parse, match):
        answers.append(check.holds(parse, match))
        return answers[-1]

    with with_predicates(lambda other: asked if other.id == check.id else other.holds):
        made = parsed_cases.candidates(check.passes)
    assert answers and not all(answers)
    assert any(candidate.verdict.accepted for candidate in made)
