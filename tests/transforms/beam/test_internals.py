"""What is taken from inside Beam: its flags, exceptions that it leaves alone, its S3 client's session, and the collector
of cycles, which is spared while an owner lives, and is as it was afterwards."""

import gc
import inspect
import json
import subprocess
import sys

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.transforms.beam.internals import beam_flags, raised_as_it_is, spare_collector, use_boto3_session


def test_flags_are_those_of_every_class_of_options():
    class Late(PipelineOptions):
        @classmethod
        def _add_argparse_args(cls, parser):
            parser.add_argument("--seen_late", action="store_true")

    flags = beam_flags()
    assert {"--runner", "--flink_master", "--project", "--temp_location", "--seen_late"} <= flags
    assert "--no_such_flag" not in flags
    assert Late().view_as(Late).seen_late is False


class Plain(BaseException):
    """An exception that Beam may replace."""


@raised_as_it_is
class Kept(BaseException):
    """An exception that Beam has to leave alone."""


def fail(_, *, cls):
    raise cls("reason")


def run(cls):
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        _ = pipeline | beam.Create([1]) | "Failing" >> beam.Map(fail, cls=cls)


def test_a_marked_exception_passes_through_a_step():
    with pytest.raises(Kept) as kept:
        run(Kept)
    assert kept.value.args == ("reason",)
    with pytest.raises(BaseException) as changed:
        run(Plain)
    assert "Failing" in str(changed.value)


def test_a_session_for_s3():
    client = pytest.importorskip("apache_beam.io.aws.clients.s3.boto3_client")
    if client.boto3 is None:
        pytest.skip("the extra s3 is not installed")
    before = client.boto3

    class Session:
        def client(self, **options):
            return options

    try:
        use_boto3_session(Session)
        assert client.boto3.session.Session().client(service_name="s3") == {"service_name": "s3"}
    finally:
        client.boto3 = before


class Owner:
    """May be pointed to weakly."""


@pytest.mark.slow
def test_it_is_as_before_when_the_last_owner_is_gone():
    """In a process of its own: a model that another test keeps would be an owner too."""
    steps = inspect.getsource(_first_and_second)
    code = f"{inspect.getsource(Owner)}\n{steps}\n_first_and_second()"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    before, with_first, with_second, with_none = map(json.loads, done.stdout.splitlines())
    assert with_first[0] > 0 and with_second[0] > 0
    assert with_first[1] == with_second[1] == 100_000 and with_none == before


def _first_and_second():
    import gc

    from gistmill.transforms.beam.internals import spare_collector

    print([gc.get_freeze_count(), gc.get_threshold()[0]])
    first = Owner()
    spare_collector(first)
    print([gc.get_freeze_count(), gc.get_threshold()[0]])
    second = Owner()
    spare_collector(second)
    del first  # a new model is loaded before the old one goes
    print([gc.get_freeze_count(), gc.get_threshold()[0]])
    del second
    print([gc.get_freeze_count(), gc.get_threshold()[0]])


def test_garbage_in_cycles_is_still_found():
    owner = Owner()
    spare_collector(owner)
    gone = []

    class Circle:
        def __del__(self):
            gone.append(True)

    circle = Circle()
    circle.itself = circle
    del circle
    gc.collect()
    assert gone
