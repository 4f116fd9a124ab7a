"""Jobs side by side: real processes, small ones."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import psutil
import pytest

from gistmill.training import cli
from gistmill.training.experiments.runner import Job, run_jobs


@dataclass(slots=True, kw_only=True, eq=False)
class Code(Job):
    """A job that is a piece of Python and leaves its result where it ends well."""

    code: str

    def start(self, gpu, lock):
        seen = {} if gpu is None else {"CUDA_VISIBLE_DEVICES": gpu}
        code = f"{self.code}\nopen({str(self.result)!r}, 'w').close()"
        with self.log.open("ab") as file:
            return subprocess.Popen([sys.executable, "-c", code], stdout=file, stderr=file, env={**os.environ, **seen})


class Jobs:
    """Jobs, and what becomes of them."""

    def __init__(self, folder):
        self.folder, self.said, self.all = folder, [], []

    def add(self, name, code, after=None):
        given = {"folder": self.folder, "settings": {}, "flags": {}, "result": self.folder / f"{name}.done"}
        job = Code(what=name, command=name, code=code, after=after, **given)
        self.all.append(job)
        return job

    def run(self, gpus=(None,)):
        run_jobs(self.all, gpus, lock=2, say=self.said.append, ended=lambda: None)
        return [job.what for job in self.all if job.result.exists()]


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


def sleeping(text):
    return f"import time; print({text!r}, flush=True); time.sleep(0.5)"


@pytest.mark.slow
@pytest.mark.parametrize(("gpus", "together"), [([None], 1), ([None, None], 2)])
def test_as_many_run_at_a_time_as_there_are_places(jobs, gpus, together):
    times = jobs.folder / "times"
    code = (
        f"import time; f = open({str(times)!r}, 'a'); f.write('1 '); f.flush(); time.sleep(0.6); "
        "f.write('-1 '); f.flush()"
    )
    for number in range(4):
        jobs.add(f"job{number}", code)
    assert len(jobs.run(gpus)) == 4
    changes = list(map(int, times.read_text().split()))
    assert len(changes) == 8 and max(sum(changes[:n]) for n in range(9)) == together


def test_a_job_follows_the_one_whose_result_it_needs_and_earlier_ones_go_first(jobs):
    for name in "ab":
        last = None
        for number in range(3):
            last = jobs.add(f"{name}{number}", f"print({number})", last)
    assert jobs.run() == jobs.said == ["a0", "a1", "a2", "b0", "b1", "b2"]
    assert jobs.all[-1].log.read_text() == "2\n"


def test_what_has_its_result_is_not_run(jobs):
    done = jobs.add("done", "raise ValueError")
    done.result.touch()
    jobs.add("next", "print(1)", done)
    assert jobs.run() == ["done", "next"] and jobs.said == ["next"]


def test_each_job_is_told_its_gpu(jobs):
    for name in "abc":
        jobs.add(name, "import os, time; print(os.environ['CUDA_VISIBLE_DEVICES']); time.sleep(0.6)")
    jobs.run(["2", "GPU-x"])
    logs = [job.log.read_text() for job in jobs.all]
    assert sorted(logs[:2]) == ["2\n", "GPU-x\n"] and logs[2] in ("2\n", "GPU-x\n")
    assert jobs.said[:2] == ["a on GPU 2", "b on GPU GPU-x"]


def test_a_job_that_fails_ends_those_that_need_it_alone_and_is_reported_in_one_line(jobs):
    bad = jobs.add("bad", "import sys; print('first'); sys.exit('no such thing')")
    jobs.add("never", "print('never')", jobs.add("neither", "print('never')", bad))
    jobs.add("good", sleeping("x"))
    assert jobs.run([None, None]) == ["good"]
    error = f"bad: exit code 1: no such thing ({bad.log})"
    assert [job.error for job in jobs.all] == [error, error, error, ""]
    assert jobs.said == ["bad", "good", error]


def test_a_job_that_leaves_no_result_failed(jobs):
    job = jobs.add("empty", "import sys; sys.exit(0)")
    assert jobs.run() == [] and job.error == f"empty: exit code 0: no output ({job.log})"


def test_a_job_that_waits_leaves_its_place_to_the_next(jobs):
    first = jobs.add("first", sleeping("x"))
    jobs.add("second", "print(1)", first)
    jobs.add("third", "print(1)")
    assert len(jobs.run([None, None])) == 3 and jobs.said == ["first", "third", "second"]


@pytest.mark.parametrize(("number", "error"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_an_interrupt_ends_all_processes_and_waits_for_them(jobs, number, error):
    slow = (
        "import signal, sys, time\n"
        "def end(*_): time.sleep(0.3); print('a checkpoint', flush=True); sys.exit(143)\n"
        "signal.signal(signal.SIGTERM, end); print('begun', flush=True); time.sleep(120)"
    )
    for name in "abc":
        jobs.add(name, slow)

    def interrupt():
        while not all(job.log.exists() and "begun" in job.log.read_text() for job in jobs.all[:2]):
            time.sleep(0.02)
        os.kill(os.getpid(), number)

    handler = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, cli._terminate)  # as the command line has it
    before = psutil.Process().children()  # of other tests
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(error) as raised:
        jobs.run([None, None])
    signal.signal(signal.SIGTERM, handler)
    thread.join()
    assert error is KeyboardInterrupt or raised.value.code == 143
    assert [job.log.read_text() for job in jobs.all[:2]] == ["begun\na checkpoint\n"] * 2
    assert not jobs.all[2].log.exists() and not list(jobs.folder.glob("*.done"))
    assert psutil.Process().children() == before
