"""What every job publishes is, byte for byte, what it published before; see tests/published_bytes.py."""

import pytest

from tests.published_bytes import CASES, SHARED, publish, recorded

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("published")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_bytes_are_those_on_record(case, folder):
    if case.needs_shared and not SHARED.is_dir():
        pytest.skip("the development data is not beside the project")
    assert publish(case, folder) == recorded()[case.name]


def test_every_case_is_on_record():
    assert set(recorded()) == {case.name for case in CASES}
