"""What the rules make of sentences: the cases of the folder beside this file."""

import pytest

from tests.rules.discofuse import parsed_cases


def test_the_candidates_of_texts():
    wrong = []
    for case in parsed_cases.cases():
        made = parsed_cases.candidates(case.text, conventions=parsed_cases.conventions_of(case))
        if tuple(map(parsed_cases.described, made)) != case.made:
            wrong.append((case, [parsed_cases.described(candidate) for candidate in made]))
    assert not wrong


@pytest.mark.slow
def test_the_parses_are_those_of_the_models():
    assert "".join(parsed_cases.annotate(parsed_cases.texts())) == parsed_cases.PARSES.read_text(encoding="utf-8")
