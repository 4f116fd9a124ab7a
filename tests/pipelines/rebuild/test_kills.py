"""A rebuild that is killed with SIGKILL at any moment, or ended amid a download: readers see a whole version, and the next
rebuild makes it good."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import psutil
import pytest

from gistmill.published.dataset import Dataset
from tests.commands import COMMAND, data_checksums, gistmill
from tests.pipelines.rebuild.corpora import articles, put_month, rebuilt, remains, served, write_corpus, write_texts
from tests.pipelines.rebuild.crawls import AUGUST, SEPTEMBER, month_files, write_news
from tests.pipelines.rebuild.mirror import Mirror, serve
from tests.transforms.sources.warc.warcs import members, record

pytestmark = pytest.mark.waits

MOMENTS = int(os.environ.get("GISTMILL_KILLS", "2"))  # `make test-nightly` takes 20
DATASETS = ("fusion", "gaps")


def command(folder):
    return {"args": [*COMMAND, "rebuild", "c.yaml"], "cwd": folder, "stdout": subprocess.DEVNULL}


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """A corpus after the first month, when the second is there; how long its rebuild takes, and what it gives."""
    folder = tmp_path_factory.mktemp("kills")
    options = {"splits": [1, 0, 0], "formats": ["parquet"]}
    with serve(Mirror()) as mirror:
        # slow enough that downloads are killed too
        mirror.plan = lambda path, number: time.sleep(0.3)
        write_texts(folder / "texts.jsonl", 50)
        write_corpus(
            folder,
            sources={
                "wiki": {"wiki": "simplewiki", "mirrors": [mirror.url], "coref": "none"},
                "texts": {"source": "jsonl", "input": str(folder / "texts.jsonl"), "deduplicate": "none"},
            },
            recipes={
                "fusion": {"recipe": "discofuse", "reads": "wiki", **options},
                "gaps": {"recipe": "gap-sentences", "reads": "wiki", "min_sentences": 2, **options},
            },
            guards={"documents": "0..", "rows": "0.."},
        )
        put_month(mirror, folder, "20260101", articles()[:3])
        assert gistmill("rebuild", "c.yaml", cwd=folder).returncode == 0
        shutil.copytree(folder / "corpus", folder / "before", symlinks=True)
        put_month(mirror, folder, "20260201", articles()[1:5])
        begin = time.monotonic()
        assert gistmill("rebuild", "c.yaml", cwd=folder).returncode == 0
        seconds = time.monotonic() - begin
        yield folder, seconds, sums(served(folder / "corpus"))


def sums(version):
    return {name: data_checksums(version / name) for name in DATASETS}


def is_whole(version):
    return (version / "version.json").exists() and all(Dataset(version / name).validate() == [] for name in DATASETS)


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(MOMENTS))
def test_any_moment_leaves_a_whole_version_and_the_next_rebuild_completes_it(case, moment):
    folder, seconds, expected = case
    corpus = folder / "corpus"
    shutil.rmtree(corpus)
    shutil.copytree(folder / "before", corpus, symlinks=True)
    process = subprocess.Popen(**command(folder), stderr=subprocess.DEVNULL)
    # from the first moment on to shortly after the end, one in each of as many equal parts
    time.sleep(seconds * 1.05 * (moment + random.Random(moment).random()) / MOMENTS)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    psutil.wait_procs(children, timeout=30)

    version = served(corpus)
    assert version.name in ("20260101-1", "20260201-1") and is_whole(version)
    done = gistmill("rebuild", "c.yaml", cwd=folder)
    assert done.returncode in (0, 3), done.stderr
    assert done.returncode == 0 or version.name == "20260201-1"
    version = served(corpus)
    assert version.name == "20260201-1" == (corpus / "latest").resolve().name and is_whole(version)
    assert sums(version) == expected
    assert remains(corpus) == []
    assert gistmill("rebuild", "c.yaml", cwd=folder).returncode == 3
    assert sorted(p.name for p in (corpus / "state").iterdir()) == ["annotated", "corpus.json", "dumps", "lock"]
    assert [p.name for p in (corpus / "state" / "dumps" / "simplewiki").iterdir()] == ["20260201"]
    assert len(list((corpus / "state" / "annotated" / "wiki").iterdir())) == 1


SECOND = list(SEPTEMBER)[1]
# large enough for a download to be interrupted within: bytes are written by pieces of 256 KiB
LARGE = {
    **SEPTEMBER,
    SECOND: SEPTEMBER[SECOND] + members(record(98, random.Random(1).randbytes(1 << 20), kind=b"metadata")),
}


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_rebuild_that_is_ended_in_a_download_goes_on_with_equal_bytes(tmp_path, number):
    def rebuild(folder):
        write_news(folder, server.url, months="2026-08")
        assert rebuilt(folder)[0] == 0
        write_news(folder, server.url, months="2026-09")

    with serve(Mirror()) as server:
        server.files |= month_files("2026-08", AUGUST) | month_files("2026-09", LARGE)
        (tmp_path / "whole").mkdir()
        rebuild(tmp_path / "whole")
        assert rebuilt(tmp_path / "whole")[0] == 0
        rebuild(tmp_path)
        part = tmp_path / "corpus/state/crawls/cc-news/2026-09" / f"{SECOND}.part"
        server.plan = lambda path, number: "slow" if path.endswith(SECOND) else None
        process = subprocess.Popen(**{**command(tmp_path), "stdout": subprocess.PIPE}, text=True)
        until = time.monotonic() + 240
        while not (part.exists() and part.stat().st_size) and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(number)
        out, _ = process.communicate(timeout=15)  # the server is slow for longer
        if number == signal.SIGTERM:
            assert process.returncode == 143 and json.loads(out)["status"] == "interrupted"
        came = part.stat().st_size
        assert 0 < came < len(LARGE[SECOND])
        server.plan = lambda path, number: None
        server.requests.clear()
        assert rebuilt(tmp_path)[0] == 0 and remains(tmp_path / "corpus") == []
        assert server.asked(SECOND) == [f"bytes={came}-"]
    one, other = (served(folder / "corpus") / "gaps" for folder in (tmp_path, tmp_path / "whole"))
    assert data_checksums(one) == data_checksums(other) != {}
