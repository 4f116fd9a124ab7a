"""A rebuild of a month of news that is killed with SIGKILL, in a download and in the pipeline, and the next one."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import psutil
import pytest

from tests.commands import COMMAND, data_checksums, gistmill, manifest
from tests.pipelines.rebuild.corpora import remains, served
from tests.pipelines.rebuild.crawls import AUGUST, SEPTEMBER, month_files, used, write_news
from tests.pipelines.rebuild.mirror import Mirror, serve
from tests.transforms.sources.warc.warcs import members, record

pytestmark = [pytest.mark.long, pytest.mark.waits]

SECOND = list(SEPTEMBER)[1]
# large enough for a download to be interrupted within: bytes are written by pieces of 256 KiB
LARGE = {
    **SEPTEMBER,
    SECOND: SEPTEMBER[SECOND] + members(record(98, random.Random(1).randbytes(1 << 20), kind=b"metadata")),
}


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """A corpus after August, when September is there; the server; and what a rebuild of September gives."""
    folder = tmp_path_factory.mktemp("kills")
    with serve(Mirror()) as server:
        server.files |= month_files("2026-08", AUGUST) | month_files("2026-09", LARGE)
        write_news(folder, server.url, months="2026-08")
        assert gistmill("rebuild", "c.yaml", cwd=folder).returncode == 0
        shutil.copytree(folder / "corpus", folder / "before", symlinks=True)
        write_news(folder, server.url, months="2026-09")
        assert gistmill("rebuild", "c.yaml", cwd=folder).returncode == 0
        yield folder, server, content(folder / "corpus")


def content(corpus):
    """Checksums of the rows, and of the signatures that are kept."""
    version = served(corpus)
    kept = sorted((corpus / "signatures/datasets/gaps").iterdir())
    return {
        "version": version.name,
        "rows": data_checksums(version / "gaps"),
        "signatures": {place.name: [f["sha256"] for f in manifest(place)["files"]] for place in kept},
    }


def killed(folder, when):
    """Rebuilds until ``when()`` and kills all of it."""
    shutil.rmtree(folder / "corpus")
    shutil.copytree(folder / "before", folder / "corpus", symlinks=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*COMMAND, "rebuild", "c.yaml"], cwd=folder, **quiet)
    until = time.monotonic() + 240
    while not when() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    psutil.wait_procs(children, timeout=30)
    assert served(folder / "corpus").name in ("202608-1", "202609-1")


def completed(folder):
    done = gistmill("rebuild", "c.yaml", cwd=folder)
    assert done.returncode in (0, 3), done.stderr
    assert remains(folder / "corpus") == []
    return content(folder / "corpus")


def test_september_has_no_story_of_august(case):
    folder, _, expected = case
    assert expected["version"] == "202609-1" and len(expected["signatures"]) == 2
    assert used(manifest(folder / "corpus/latest/gaps")) == 6


def test_a_rebuild_that_is_killed_in_a_download_completes_with_equal_bytes(case):
    folder, server, expected = case
    part = folder / "corpus/state/crawls/cc-news/2026-09" / f"{SECOND}.part"
    server.plan = lambda path, number: "slow" if path.endswith(SECOND) else None
    killed(folder, lambda: part.exists() and part.stat().st_size)
    came = part.stat().st_size
    assert 0 < came < len(LARGE[SECOND])
    server.plan = lambda path, number: None
    server.requests.clear()
    assert completed(folder) == expected
    assert server.asked(SECOND) == [f"bytes={came}-"]


def test_a_rebuild_that_is_killed_in_the_pipeline_completes_with_equal_bytes(case):
    folder, server, expected = case
    version = folder / "corpus/versions/202609-1"
    killed(folder, lambda: list(version.glob(".gaps.gistmill-*/*")))
    server.requests.clear()
    assert completed(folder) == expected
    assert [path for path, _ in server.requests if path.endswith(".warc.gz")] == []


def test_a_rebuild_that_is_killed_before_its_signatures_are_kept_keeps_them_the_next_time(case):
    folder, _server, expected = case
    killed(folder, (folder / "corpus/versions/202609-1/version.json").exists)
    assert completed(folder) == expected


def test_a_signal_ends_a_download_at_once_and_the_next_rebuild_goes_on(case):
    folder, server, expected = case
    shutil.rmtree(folder / "corpus")
    shutil.copytree(folder / "before", folder / "corpus", symlinks=True)
    part = folder / "corpus/state/crawls/cc-news/2026-09" / f"{SECOND}.part"
    server.plan = lambda path, number: "slow" if path.endswith(SECOND) else None
    process = subprocess.Popen(
        [*COMMAND, "rebuild", "c.yaml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 240
    while not (part.exists() and part.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=15)  # the server is slow for longer
    server.plan = lambda path, number: None
    assert process.returncode == 143 and json.loads(out)["status"] == "interrupted" and "Traceback" not in err
    assert completed(folder) == expected
