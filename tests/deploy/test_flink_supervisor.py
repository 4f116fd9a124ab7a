"""Where options of the command stand, and how soon the supervisor starts again what died. Clusters are in
test_flink_losses.py."""

from pathlib import Path

import pytest

from gistmill.deploy.flink.__main__ import _parser, main
from gistmill.deploy.flink.cluster import Cluster, ClusterError
from gistmill.deploy.flink.install import Distribution
from gistmill.deploy.flink.settings import Settings
from gistmill.deploy.flink.supervisor import FIRST_DELAY, LAST_DELAY, Delays


@pytest.mark.parametrize("action", ["up", "status", "down"])
def test_the_places_stand_before_the_action_or_after_it(action):
    for words in (["--state", "x", "--home", "y", action], [action, "--state", "x", "--home", "y"]):
        read = _parser().parse_args(words)
        assert (read.state, read.home) == (Path("x"), Path("y"))
    assert _parser().parse_args([action]).state == Path(".flink")
    assert _parser().parse_args(["--state", "x", action, "--state", "y"]).state == Path("y")


def test_submit_takes_the_places_and_leaves_the_job_its_options():
    read = _parser().parse_args(["submit", "--state", "x", "discofuse", "--state", "job's own"])
    assert read.state == Path("x") and read.job == ["discofuse", "--state", "job's own"]


def test_a_state_without_a_cluster_is_one_line(tmp_path, capsys):
    assert main(["down", "--state", str(tmp_path)]) == 0
    assert main(["status", "--state", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out == "nothing was running\n"
    assert said.err == f"gistmill.deploy.flink status: no cluster was started in {tmp_path}; `up` starts one\n"


def test_two_commands_do_not_start_one_cluster(tmp_path):
    one, two = (Cluster(tmp_path, Distribution(tmp_path)) for _ in "ab")
    with one._alone(), pytest.raises(ClusterError, match="another command is starting"):
        two.up(Settings())


def test_what_dies_soon_is_started_ever_later():
    delays, now, waits = Delays(), 1000.0, []
    assert delays.due("a", now)
    for _ in range(9):
        delays.note("a", now)
        assert delays.due("b", now) and not delays.due("a", now)
        waits.append(next(w for w in range(1, 100) if delays.due("a", now + w)))
        now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert waits[0] == FIRST_DELAY and waits[-1] == LAST_DELAY
    delays.note("a", now + 1000)
    assert delays.due("a", now + 1000 + FIRST_DELAY)
