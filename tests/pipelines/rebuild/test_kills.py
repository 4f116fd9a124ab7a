"""A rebuild that is killed with SIGKILL at any moment: readers see a whole version, and the next rebuild makes it good."""

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
from tests.pipelines.rebuild.corpora import articles, put_month, remains, served, write_corpus, write_texts
from tests.pipelines.rebuild.mirror import Mirror, serve

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
