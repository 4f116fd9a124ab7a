"""What the rules make of sentences: the cases of the folder beside this file."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parsed_cases


@pytest.mark.parametrize("case", list(parsed_cases.cases()), ids=lambda case: f"{case.file}: {case.text}")
def test_the_candidates_of_a_text(case):
    made = parsed_cases.candidates(case.text, conventions=parsed_cases.conventions_of(case))
    assert tuple(map(parsed_cases.described, made)) == case.made, case.heading


@pytest.mark.slow
def test_the_parses_are_those_of_the_models():
    assert "".join(parsed_cases.annotate(parsed_cases.texts())) == parsed_cases.PARSES.read_text(encoding="utf-8")
