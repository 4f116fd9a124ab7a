"""run_remote: results and failures, and the end of a job on Flink; a small server answers as Flink's REST API."""

from __future__ import annotations

import json

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.runners.remote import beam_options, cancel_on_flink, check_dataflow, run_remote
from tests.pipelines.runners import jobs
from tests.pipelines.runners.test_local import numbers
from tests.servers import serving

REMOTE = ["--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"]


@pytest.mark.slow
def test_another_runner_runs_the_same_pipeline(tmp_path):
    run_remote(numbers(beam.ParDo(jobs.Record(str(tmp_path)))), options=PipelineOptions(REMOTE))
    assert len(list(tmp_path.glob("*.seen"))) == 10


def test_a_failure_on_another_runner_is_told_in_one_line():
    with pytest.raises(JobFailed) as caught:
        run_remote(numbers(beam.Map(jobs.fail_at_seven)), options=PipelineOptions(REMOTE))
    assert "page 7 is bad" in str(caught.value) and "\n" not in str(caught.value)


def test_other_runners_are_asked_for_no_memory():
    for arguments in ([], ["--runner=DirectRunner"], ["--runner=FlinkRunner"]):
        options = beam_options(arguments)
        check_dataflow(options, {})
        assert not options.get_all_options()["resource_hints"]


@pytest.fixture
def flink():
    """The address of a server that answers as Flink does, its answer, and the paths of what is cancelled."""
    answer, cancelled = {}, []

    class Handler:
        def do_GET(self):
            body = json.dumps(answer if self.path == "/jobs/overview" else "no").encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def do_PATCH(self):
            cancelled.append(self.path)
            self.send_response(202)
            self.end_headers()

    with serving(Handler) as port:
        yield f"127.0.0.1:{port}", answer, cancelled


def test_a_job_is_found_by_its_name_and_cancelled_unless_it_has_ended(flink):
    address, answer, cancelled = flink
    jobs_there = [
        ("a", "mine", "FINISHED"),
        ("b", "other", "RUNNING"),
        ("c", "mine", "RUNNING"),
        ("d", "mine", "FAILED"),
    ]
    answer["jobs"] = [{"jid": jid, "name": name, "state": state} for jid, name, state in jobs_there]
    for master in (address, f"http://{address}/"):
        cancel_on_flink(PipelineOptions([f"--flink_master={master}", "--job_name=mine"]))
        assert cancelled == ["/jobs/c?mode=cancel"]
        cancelled.clear()
    cancel_on_flink(PipelineOptions(["--job_name=mine"]))  # Beam's default is [auto]
    assert cancelled == []
