"""What is taken from inside Beam: its flags, exceptions that it leaves alone, and its S3 client's session."""

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.transforms.beam.internals import beam_flags, raised_as_it_is, use_boto3_session


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
