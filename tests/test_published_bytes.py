"""What every job publishes is, byte for byte, what it published before; see tests/published_bytes.py."""

import pytest

from tests.environments import REAL_TEXTS, needs
from tests.published_bytes import CASES, TYPES, publish, recorded
from tests.samples import REAL

needs_real_texts = needs(REAL_TEXTS, there=REAL.is_dir())

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("published")


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name, marks=[needs_real_texts] * c.real) for c in CASES])
def test_the_bytes_are_those_on_record(case, folder):
    assert publish(case, folder) == recorded()[case.name]


def test_every_case_is_on_record():
    assert set(recorded()) == set(recorded(TYPES)) == {case.name for case in CASES}
