"""Files in S3, against a server of this machine."""

import pytest
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.transforms.io import create, size_of
from tests.stores import BUCKET, S3, s3_server


@pytest.mark.parametrize("content", [b"", b"text"])
def test_a_file_is_written_even_if_it_is_empty(content):
    pytest.importorskip("moto")
    with s3_server() as port:
        store = S3(port)
        FileSystems.set_options(PipelineOptions([*store.options]))
        with create(f"s3://{BUCKET}/a") as file:
            file.write(content)
        assert store.get("a") == content and size_of(f"s3://{BUCKET}/a") == len(content)
