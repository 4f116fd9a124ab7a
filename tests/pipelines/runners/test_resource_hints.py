"""Resource hints: Dataflow alone is asked for memory, and elsewhere a hint of the user's changes no row."""

import pytest

from gistmill.pipelines.runners.dataflow import beam_options, check_dataflow
from tests.commands import data_checksums, succeed
from tests.dumps import export, small_pages


@pytest.mark.parametrize("arguments", [[], ["--runner=DirectRunner"], ["--runner=FlinkRunner"]])
def test_other_runners_are_asked_for_no_memory(arguments):
    options = beam_options(arguments)
    check_dataflow(options, {})
    assert not options.get_all_options()["resource_hints"]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_hint_changes_no_row_on_this_machine(tmp_path, workers):
    dump = tmp_path / "dump.xml"
    dump.write_bytes(export([p for p in small_pages() if b"<redirect" not in p][:6]))
    arguments = ("articles", "--input", dump, "--splits", "60,20,20", "--workers", workers)
    succeed(*arguments, "--output", tmp_path / "plain")
    succeed(*arguments, "--output", tmp_path / "hinted", "--resource_hints", "min_ram=5GiB")
    assert data_checksums(tmp_path / "hinted") == data_checksums(tmp_path / "plain") != {}
