"""The benchmark of SARI runs where its packages and the code of the metric are."""

import json
import os
from pathlib import Path

import pytest

DEMO, METRIC = Path("out/demo"), os.environ.get("SARI_METRIC", "")


@pytest.mark.slow
@pytest.mark.skipif(not METRIC, reason="SARI_METRIC does not name a folder with the code of evaluate's metric")
@pytest.mark.skipif(not DEMO.is_dir(), reason="there is no out/demo")
def test_the_benchmark_runs(capsys):
    pytest.importorskip("evaluate", reason="evaluate is not installed")
    from benchmarks.sari import main

    main(["--metric", METRIC, "--rows", "50", "--rounds", "1"])
    rows = json.loads(capsys.readouterr().out.strip().splitlines()[-1])["rows"]
    assert {(row["texts"], row["sari"]) for row in rows} >= {("natural", "huggingface"), ("tokenised", "discofuse")}
