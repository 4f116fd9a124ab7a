"""``gistmill trace`` and ``gistmill why`` on a dataset in a store of this machine."""

from __future__ import annotations

import json

import pytest

from gistmill.pipelines.inspect import trace_main, why_main
from tests.pipelines.inspect.test_trace import rows_of
from tests.stores import BUCKET, S3, s3_server

pytestmark = pytest.mark.waits


@pytest.mark.slow
def test_a_dataset_in_a_store(gaps, monkeypatch, capsys):
    pytest.importorskip("moto")
    with s3_server() as port:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        store = S3(port)
        for path in gaps.rglob("*"):
            if path.is_file():
                store.put(f"gaps/{path.relative_to(gaps)}", path.read_bytes())
        (row,) = rows_of(gaps, "default")
        for place in (f"s3://{BUCKET}/gaps", f"s3://{BUCKET}/gaps/"):
            assert trace_main([place, row["id"], "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["lineage"]["title"] == "Otters"
            assert why_main([place, "otters"]) == 0
            assert row["id"] in capsys.readouterr().out
        assert trace_main([place, "none"]) == 1
