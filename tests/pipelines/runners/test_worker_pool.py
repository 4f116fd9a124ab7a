"""Worker processes: what they see, and how they end: killed, crashed, orphaned."""

import ast
import os
import signal
import subprocess
import sys
import sysconfig
import time

import psutil
import pytest

from gistmill.transforms.arithmetic import THREAD_CAPS, pins
from tests.pipelines.runners.harness import Driver

pytestmark = pytest.mark.slow


def seen(folder):
    return [ast.literal_eval(file.read_text()) for file in sorted(folder.glob("*.seen"))]


def test_workers_see_options_caps_and_the_project_wherever_they_start(tmp_path):
    # a proxy for the internet must not stand between the workers and their driver
    environment = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "OMP_NUM_THREADS": "3"}
    environment["OPENBLAS_CORETYPE"] = "Haswell"
    with Driver(
        "record",
        2,
        tmp_path,
        "--s3_endpoint_url=http://example.test:9000",
        "--max_cache_memory_usage_mb=7",
        cwd=tmp_path,
        env=environment,
    ) as driver:
        assert driver.wait() == 0, driver.said
        assert driver.said == []
    found = seen(tmp_path)
    assert len(found) == 10
    assert {f["endpoint"] for f in found} == {"http://example.test:9000"}
    assert {f["cache"] for f in found} == {7}
    assert {f["cwd"] for f in found} == {str(tmp_path)}
    assert {tuple(f["caps"]) for f in found} == {("3",) + ("1",) * (len(THREAD_CAPS) - 1)}
    assert [f["pins"] for f in found] == [pins().variables] * 10
    # static partition: elements go round the workers
    pids = [f["pid"] for f in found]
    assert len(set(pids)) == 2 and driver.process.pid not in pids
    assert pids[::2] == [pids[0]] * 5 and pids[1::2] == [pids[1]] * 5


def test_a_virtual_environment_in_a_folder_with_a_space(tmp_path):
    home = tmp_path / "with a space"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    with open(os.path.join(site, "borrowed.pth"), "w") as borrowed:
        # their .pth files count too: one of them finds the checkout
        for name in ("purelib", "platlib"):
            borrowed.write(f"import site; site.addsitedir({sysconfig.get_path(name)!r})\n")
    with Driver("record", 2, tmp_path, python=str(python)) as driver:
        assert driver.wait() == 0, driver.said
    assert {f["python"] for f in seen(tmp_path)} == {str(python)}


def test_a_killed_worker_ends_the_job_within_ten_seconds_with_one_line_and_no_orphan(tmp_path):
    with Driver("hang", 2, tmp_path) as driver:
        victim, _other = driver.there(2)
        assert len(driver.others()) >= 4  # two workers, and a stubborn child of each
        started = time.monotonic()
        os.kill(victim, signal.SIGKILL)
        assert driver.wait() == 1
        assert time.monotonic() - started < 10
        assert driver.said == [
            f"failed: worker process {victim} was killed by SIGKILL (usually because memory ran out)"
        ]
        assert driver.none_left(), driver.others()


def test_a_crashed_worker_ends_the_job_and_its_last_words_are_told(tmp_path):
    with Driver("die", 2, tmp_path) as driver:
        assert driver.wait() == 1
        (line,) = driver.said
        assert "was killed by SIGABRT: free(): invalid pointer" in line
        assert driver.none_left()


def test_workers_end_when_their_driver_is_killed(tmp_path):
    with Driver("hang", 2, tmp_path) as driver:
        driver.there(2)
        driver.process.kill()
        assert driver.none_left(), [psutil.Process(p.pid).cmdline() for p in driver.others()]


def test_warnings_of_workers_arrive_once_and_chatter_does_not(tmp_path):
    with Driver("talk", 2, tmp_path) as driver:
        assert driver.wait() == 0
        said = driver.said
    for number in range(10):
        assert said.count(f"WARNING warning {number}") == 1
        assert said.count(f"INFO information {number}") == 1
    assert said.count("second line") == 10
    assert sum("UserWarning: python warning" in line for line in said) in (1, 2, 10)
    assert not any("chatter" in line or "printed" in line or "harness" in line for line in said)
