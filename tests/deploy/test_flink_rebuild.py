"""A rebuild on a real Flink cluster: two recipes, of a wiki's dump and of a news crawl, by the same command and file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.commands import data_checksums, gistmill
from tests.flink_cluster import NEEDS_FLINK, started
from tests.pipelines.rebuild.corpora import articles, put_month, remains, served, write_corpus
from tests.pipelines.rebuild.mirror import Mirror, serve
from tests.transforms.sources.warc.warcs import http, members, record

pytestmark = NEEDS_FLINK
DATASETS = ("fusion", "leads")


@pytest.mark.long
def test_the_same_file_is_rebuilt_on_flink_and_here_to_the_same_bytes(tmp_path):
    sums = {}
    with started(tmp_path / "cluster") as cluster, serve(Mirror()) as mirror:
        worker = Path(sys.executable).with_name("gistmill-worker")
        options = {
            "runner": "PortableRunner",
            "job_endpoint": f"localhost:{cluster.job_port}",
            "flink_master": f"localhost:{cluster.rest_port}",
            "environment_type": "PROCESS",
            "environment_config": json.dumps({"command": str(worker)}),
            "environment_cache_millis": 60000,
            "parallelism": 2,
        }
        put_month(mirror, tmp_path, "20260101", articles()[:5])
        for name, runner in (("here", {"workers": 2}), ("flink", {"beam": options})):
            folder = tmp_path / name
            folder.mkdir()
            write_news(folder / "news.warc.gz")
            corpus(folder, mirror, runner)
            done = gistmill("rebuild", "c.yaml", cwd=folder)
            assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
            assert [s["how"] for s in json.loads(done.stdout)["stages"]] == ["done", "built", "built", "built"]
            version = served(folder / "corpus")
            sums[name] = {d: data_checksums(version / d) for d in DATASETS}
            assert remains(folder / "corpus") == []
            assert gistmill("rebuild", "c.yaml", cwd=folder).returncode == 3
        assert [j["state"] for j in cluster.jobs()] == ["FINISHED"] * 3
    assert sums["flink"] == sums["here"] and all(sums["here"].values())


def write_news(path):
    """Ten pages with an article each."""
    towns = "Leeds York Derby Bath Exeter Truro Lincoln Durham Ripon Wells".split()

    def paragraphs(town):
        yield f"The council of {town} opened a bridge over the river on Friday. Hundreds of people of {town} came to see it."
        yield f"The bridge of {town} took four years to build and cost nine million pounds. The old one in {town} was closed."
        yield f"A band played while the mayor of {town} cut the ribbon. Traders hope that visitors will return to {town} now."

    made = [
        record(
            n,
            http(
                f"<html><body><article><h1>{t}</h1><p>{'</p><p>'.join(paragraphs(t))}</p></article></body></html>".encode()
            ),
        )
        for n, t in enumerate(towns)
    ]
    path.write_bytes(members(*made))


def corpus(folder, mirror, runner):
    options = {"splits": [1, 0, 0], "formats": ["parquet"]}
    write_corpus(
        folder,
        sources={
            "wiki": {"wiki": "simplewiki", "mirrors": [mirror.url], "coref": "none"},
            "news": {"source": "warc", "input": "news.warc.gz", "languages": "any", "deduplicate": "none"},
        },
        recipes={
            "fusion": {"recipe": "discofuse", "reads": "wiki", **options},
            "leads": {"recipe": "lead-bias", "reads": "news", "min_overlap": 0, "min_rest_words": 20, **options},
        },
        runner=runner,
    )
