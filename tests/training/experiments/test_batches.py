"""Several processes share the batches of an update: it stays as large as in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.errors import SettingsError
from gistmill.training.experiments.subsets import divided, shares

SIZES = st.one_of(st.none(), st.integers(1, 4096))


@given(SIZES, SIZES, st.one_of(st.none(), st.integers(1, 64)), st.integers(1, 64))
def test_an_update_stays_as_large_as_it_was(rows, tokens, accumulate, processes):
    given = {"batch_rows": rows, "batch_tokens": tokens, "accumulate": accumulate, "steps": 3}
    settings = {name: value for name, value in given.items() if value is not None}
    batches = accumulate or 1
    before = {"batch_rows": rows or (None if tokens else 32), "batch_tokens": tokens}
    sizes = {name: size for name, size in before.items() if size is not None}
    try:
        found = divided(settings, processes)
    except SettingsError as error:
        assert "\n" not in str(error) and str(processes) in str(error)
        ways = [a for a in range(1, batches + 1) if batches % a == 0 and processes % (batches // a) == 0]
        least = min(ways)  # batches of each process, where as many as can be are shared
        assert any(size * batches % (least * processes) for size in sizes.values())
        return
    if processes == 1:
        assert found == settings
        return
    for name, size in sizes.items():
        assert found[name] * found["accumulate"] * processes == size * batches
    assert found["steps"] == 3 and set(found) == {*settings, *sizes, "accumulate"}


def test_batches_are_shared_before_they_are_made_smaller():
    assert divided({"batch_tokens": 1024, "accumulate": 32}, 8) == {"batch_tokens": 1024, "accumulate": 4}
    assert divided({"batch_tokens": 1024, "accumulate": 8}, 32) == {"batch_tokens": 256, "accumulate": 1}
    assert divided({"batch_rows": 80}, 8) == {"batch_rows": 10, "accumulate": 1}
    assert divided({"model": "tagger"}, 4) == {"model": "tagger", "batch_rows": 8, "accumulate": 1}


def test_what_cannot_be_shared_is_refused():
    for settings, processes, said in [
        ({"batch_rows": 1}, 8, "8 processes cannot share a batch of 1 row evenly"),
        ({"batch_rows": 16, "accumulate": 3}, 5, "5 processes cannot share 3 batches of 16 rows evenly"),
        ({"batch_rows": 8, "batch_tokens": 1001}, 2, "2 processes cannot share a batch of 8 rows and 1,001 tokens"),
        ({"stages": [{"steps": 3}]}, 2, "--processes 1"),
    ]:
        with pytest.raises(SettingsError, match=said):
            divided(settings, processes)
        assert divided(settings, 1) == settings, settings


def test_what_each_process_has_is_said():
    assert shares({"batch_tokens": 1024, "accumulate": 4}, 8) == (
        "8 processes, of which each has 4 batches of 1,024 tokens in an update"
    )
