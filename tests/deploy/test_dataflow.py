"""Dataflow without a cloud: the graph that it would get, the launch of the template, and the graph's own publishing."""

import bz2
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from gistmill.deploy.dataflow.main import command_line
from gistmill.pipelines import cli
from tests.cases import by_heading
from tests.credentials import service_account
from tests.dumps import export, small_pages
from tests.stores import BUCKET, gcs_server

CASES = by_heading(__file__)

pytestmark = [pytest.mark.long, pytest.mark.waits]

ROOT = Path(__file__).parents[2]
CLOUD = (
    "--runner=DataflowRunner",
    "--project=project-one",
    "--region=europe-west1",
    f"--temp_location=gs://{BUCKET}/tmp",
)
IMAGE = "--sdk_container_image=registry/gistmill:1"


@pytest.fixture(scope="module")
def bucket(tmp_path_factory):
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import storage

    folder = tmp_path_factory.mktemp("account")
    with gcs_server() as port, service_account(folder) as account, pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{port}")
        patch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(account))
        patch.setenv("GOOGLE_CLOUD_PROJECT", "project-one")
        made = storage.Client(project="project-one", credentials=AnonymousCredentials()).bucket(BUCKET)
        articles = [p for p in small_pages() if b"<redirect" not in p]
        made.blob("dump.xml.bz2").upload_from_string(bz2.compress(export(articles[:5])))
        yield made


def names(bucket, prefix):
    return sorted(b.name for b in bucket.list_blobs(prefix=prefix))


def job(output, *more):
    places = ("--input", f"gs://{BUCKET}/dump.xml.bz2", "--output", f"gs://{BUCKET}/{output}")
    return (*places, "--coref", "none", "--splits", "60,20,20", *more)


def gistmill(*arguments):
    """Runs the command in this process, which has loaded everything already; returns exit code, output, error output."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(list(map(str, arguments)))
    return code, out.getvalue(), err.getvalue()


def succeed(*arguments):
    code, out, err = gistmill(*arguments)
    assert code == 0, err
    return out


def parameters(output, *more):
    """What the service's launcher passes to the template."""
    location = f"--template_location=gs://{BUCKET}/launch/{output}/job_object"
    places = (f"--input=gs://{BUCKET}/dump.xml.bz2", f"--output=gs://{BUCKET}/{output}")
    given = ("--coref=none", "--limit=", "--splits=60,20,20")
    return [*CLOUD, "--no_auth", "--job_name=fusion", location, *places, *given, *more]


def launch(output, *more):
    return gistmill(*command_line(parameters(output, *more), {"GISTMILL_IMAGE": "registry/gistmill:1"}))


def launched_graph(bucket, output):
    """The job as the launcher wrote it, and the graph that it names."""
    from apache_beam.portability.api import beam_runner_api_pb2

    written = json.loads(bucket.blob(f"launch/{output}/job_object").download_as_bytes())
    place = written["environment"]["sdkPipelineOptions"]["options"]["pipelineUrl"].removeprefix(f"gs://{BUCKET}/")
    return written, beam_runner_api_pb2.Pipeline.FromString(bucket.blob(place).download_as_bytes())


def run(graph):
    """Runs a graph that was made for Dataflow, with the local runner."""
    from apache_beam.options.pipeline_options import PipelineOptions
    from apache_beam.portability import python_urns
    from apache_beam.runners.portability.fn_api_runner import FnApiRunner

    for environment in graph.components.environments.values():
        environment.urn = python_urns.EMBEDDED_PYTHON
    FnApiRunner().run_via_runner_api(graph, PipelineOptions([])).wait_until_finish()


@pytest.fixture(scope="module")
def graph(bucket):
    done = subprocess.run(
        [sys.executable, "deploy/dataflow/main.py", *parameters("looked-at", "--formats=parquet,tfrecord,tsv")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "GISTMILL_IMAGE": "registry/gistmill:1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return launched_graph(bucket, "looked-at")


def test_step_names_are_readable(graph):
    labels = [t.unique_name for t in graph[1].components.transforms.values()]
    assert len(labels) == len(set(labels))
    stages = "Plan Deal Read Clean Annotate DiscoFuse Split Write Merge Finish Publish"
    assert set(stages.split()) <= set(labels)
    for label in labels:
        assert not re.search(r"lambda|core\.py|0x[0-9a-f]{4}| at ", label), label


def test_no_payload_is_large(graph):
    written, pipeline = graph
    for transform in pipeline.components.transforms.values():
        assert len(transform.spec.payload) < 40_000, transform.unique_name
    assert pipeline.ByteSize() < 400_000
    assert len(json.dumps(written)) < 1_000_000  # the service takes 10 MB


def test_the_workers_get_the_image_and_what_matters(graph):
    written, pipeline = graph
    (pool,) = written["environment"]["workerPools"]
    assert [i["containerImage"] for i in pool["sdkHarnessContainerImages"]] == ["registry/gistmill:1"]
    assert pool["numThreadsPerWorker"] == 1
    assert written["type"] == "JOB_TYPE_BATCH"
    for environment in pipeline.components.environments.values():
        staged = [d.role_payload for d in environment.dependencies]
        assert not any(b"main_session" in s for s in staged), "no job defines anything in __main__"


def min_ram(graph):
    """The memory that each step asks for, in bytes."""
    environments = graph.components.environments
    steps = [t for t in graph.components.transforms.values() if t.environment_id]
    return {
        t.unique_name: int(environments[t.environment_id].resource_hints.get("beam:resources:min_ram_bytes:v1", b"0"))
        for t in steps
    }


def test_workers_have_memory_for_a_model_and_a_hostile_page(graph):
    asked = min_ram(graph[1])
    assert {"Clean/Clean", "Annotate/Parse", "Write"} <= set(asked)
    # one environment for all steps: they are fused as without a hint
    assert set(asked.values()) == {5 << 30}
    assert len(graph[1].components.environments) == 1


def test_a_choice_of_machines_is_the_users(bucket):
    for given, bytes_asked in {
        "--resource_hints=min_ram=16GB": 16 * 10**9,
        "--worker_machine_type=n2-standard-4": 0,  # a hint would go before it
        "--machine_type=n2-standard-4": 0,
        "--flexrs_goal=COST_OPTIMIZED": 0,  # which has no right fitting
    }.items():
        assert launch("chosen", given)[0] == 0
        bucket.blob(".chosen.gistmill-lease.json").delete()
        assert set(min_ram(launched_graph(bucket, "chosen")[1]).values()) == {bytes_asked}, given


def test_service_options_reach_the_service(bucket):
    assert launch("served", "--dataflow_service_options=enable_prime,enable_google_cloud_heap_sampling")[0] == 0
    written = launched_graph(bucket, "served")[0]
    options = written["environment"]["serviceOptions"]
    assert {"enable_prime", "enable_google_cloud_heap_sampling"} <= set(options)
    bucket.blob(".served.gistmill-lease.json").delete()


def test_the_package_is_staged_when_there_is_no_image(bucket, tmp_path):
    setup = tmp_path / "package" / "setup.py"
    setup.parent.mkdir()
    setup.write_text(
        'import os\nfrom setuptools import setup\nassert os.environ["GISTMILL_EXTRAS"] == "pipelines"\n'
        'setup(name="gistmill", version="0.1.0", py_modules=[])\n'
    )
    import apache_beam as beam
    from apache_beam.options.pipeline_options import PipelineOptions

    from gistmill.pipelines.runners.remote import check_dataflow, dry_run

    options = PipelineOptions([*CLOUD, "--dry_run=true", f"--setup_file={setup}"])
    places = {"--input": [f"gs://{BUCKET}/x"], "--output": [f"gs://{BUCKET}/y"]}
    check_dataflow(options, places)
    pipeline = dry_run(lambda p: p | beam.Impulse(), options=options)
    (environment,) = pipeline.components.environments.values()
    assert any(b"workflow.tar.gz" in d.role_payload for d in environment.dependencies)


def test_a_dry_run_leaves_nothing(bucket):
    said = succeed("discofuse", *job("dry"), *CLOUD, IMAGE, "--dry_run=true")
    assert re.fullmatch(r"dry run: \d+ steps in [\d,]+ bytes; nothing was submitted\n", said)
    assert names(bucket, "dry") == names(bucket, ".dry") == []


@pytest.fixture(scope="module")
def published(bucket):
    """A dataset that a launched graph has published by itself."""
    code, said, err = launch("fusion")
    assert code == 0, err
    assert "its last step publishes" in said
    assert names(bucket, "fusion/") == []  # the launcher publishes nothing
    lease = json.loads(bucket.blob(".fusion.gistmill-lease.json").download_as_bytes())
    assert lease["left_to"] == "the job fusion"
    graph = launched_graph(bucket, "fusion")[1]
    run(graph)
    return graph


def manifest_of(bucket, output):
    return json.loads(bucket.blob(f"{output}/manifest.json").download_as_bytes())


def data_of(bucket, output):
    return {
        re.sub("^data-[^/]*/", "", f["path"]): f["sha256"] for f in manifest_of(bucket, output)["files"] if "rows" in f
    }


def test_the_graph_publishes_what_a_driver_would(bucket, published):
    succeed("discofuse", *job("by-driver"))
    assert data_of(bucket, "fusion") == data_of(bucket, "by-driver")
    assert len(data_of(bucket, "fusion")) > 3
    assert manifest_of(bucket, "fusion")["runner"] == "DataflowRunner"
    assert names(bucket, ".fusion") == []  # neither workspace nor lease is left
    succeed("validate", f"gs://{BUCKET}/fusion")


def test_a_graph_that_makes_no_row_publishes_nothing_unless_that_is_allowed(bucket):
    others = "--namespaces=2"
    assert launch("none", others)[0] == 0
    with pytest.raises(Exception, match="no rows were produced: 0 of 5 documents were used; NAMESPACE 5; "):
        run(launched_graph(bucket, "none")[1])
    assert names(bucket, "none/") == []
    code, _, err = launch("none", others, "--resume=true", "--allow_empty=true")
    assert code == 0 and "1 ranges are finished" in err, err
    run(launched_graph(bucket, "none")[1])
    assert manifest_of(bucket, "none")["counts"]["documents"] == {"read": 5}
    assert names(bucket, ".none") == []


def test_a_step_that_is_tried_again_publishes_once(bucket, published):
    before = bucket.get_blob("fusion/manifest.json").generation
    publisher = _publisher(published)
    assert publisher("results").endswith("already published")
    assert bucket.get_blob("fusion/manifest.json").generation == before
    assert names(bucket, ".fusion") == []


def test_it_publishes_from_where_it_was_cut(bucket, published):
    assert launch("cut")[0] == 0
    graph = launched_graph(bucket, "cut")[1]
    publisher = _publisher(graph)
    # a first attempt got as far as one shard
    bucket.blob(f"cut/data-{publisher.run_id}/full/parquet/train-00000-of-00001.parquet").upload_from_string(b"torn")
    run(graph)
    succeed("validate", f"gs://{BUCKET}/cut")
    assert data_of(bucket, "cut") == data_of(bucket, "fusion")


def test_an_output_that_a_job_is_writing_is_refused_and_resumed(bucket):
    assert launch("busy")[0] == 0
    for code, _, err in (gistmill("discofuse", *job("busy")), launch("busy")):
        assert code == 1
        assert re.search(r"the job fusion is writing to this output .*--resume, or delete gs://", err), err
    code, _, err = launch("busy", "--resume=true")  # who resumes says that it is dead
    assert code == 0, err
    run(launched_graph(bucket, "busy")[1])
    succeed("validate", f"gs://{BUCKET}/busy")
    assert names(bucket, ".busy") == []


def test_a_job_that_was_given_up_publishes_nothing(bucket):
    from gistmill.pipelines.errors import BusyError

    assert launch("given-up")[0] == 0
    publisher = _publisher(launched_graph(bucket, "given-up")[1])
    assert launch("given-up", "--resume=true")[0] == 0
    with pytest.raises(BusyError):
        publisher("results")
    assert names(bucket, "given-up/") == []


def test_an_existing_dataset_is_refused_at_the_launch(bucket, published):
    code, _, err = launch("fusion")
    assert code == 2 and "already contains a dataset; use --overwrite to replace it" in err


def test_a_launch_that_fails_leaves_nothing(bucket, monkeypatch):
    from apache_beam.runners.dataflow.internal import apiclient

    def refuse(*arguments):
        raise OSError("the service does not answer")

    monkeypatch.setattr(apiclient.DataflowApplicationClient, "create_job", refuse)
    code, _, err = launch("failed")
    assert code == 1 and "the service does not answer" in err
    assert names(bucket, "failed") == names(bucket, ".failed") == []


LEFT_OUT = {
    "--project=": r"requires --project$",
    "--region=": r"requires --region$",
    "--sdk_container_image=": r"requires --sdk_container_image .* or --setup_file",
}
GIVEN = CASES["given"]
ELSEWHERE = {
    "--template_location=gs://corpora/t": r"--template_location requires --runner DataflowRunner",
    "--dry_run=true": r"--dry_run requires --runner DataflowRunner",
}


def test_wrong_options_are_one_line_at_once(bucket):
    usual = [*job("wrong"), *CLOUD, IMAGE]

    def without(*starts):
        return [a for a in usual if not str(a).startswith(starts)]

    wrong = [(without(start), said) for start, said in LEFT_OUT.items()]
    wrong += [(without("--temp_location=", "--project="), r"requires --project, --temp_location$")]
    for more, said in GIVEN.items():
        instead = "--sdk_container_image=" if more.startswith("--setup_file") else f"{more.partition('=')[0]}="
        wrong += [([*without(instead), more], said)]
    wrong += [([*without("--runner="), more], said) for more, said in ELSEWHERE.items()]
    for arguments, said in wrong:
        code, _, err = gistmill("discofuse", *arguments)
        (line,) = err.strip().splitlines()
        assert code == 2 and re.search(said, line.removeprefix("gistmill discofuse: ")), line


def _publisher(graph):
    """The publisher that travels in a graph."""
    from apache_beam.internal import pickler
    from apache_beam.portability.api import beam_runner_api_pb2

    (step,) = (t for t in graph.components.transforms.values() if t.unique_name == "Publish")
    wrapped = pickler.loads(beam_runner_api_pb2.ParDoPayload.FromString(step.spec.payload).do_fn.payload)[0]._fn
    return next(c.cell_contents for c in wrapped.__closure__ if hasattr(c.cell_contents, "run_id"))
