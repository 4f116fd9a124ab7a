"""The guard: deadlines, deaths, restarts, no orphans. The targets are functions of this module, run in a real child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from gistmill.core.deadline import DeadlineExceeded
from gistmill.transforms.guard import ChildDied, Guard, RemoteError

HERE = "tests.transforms.guard_targets"


def target(name: str, **options: Any) -> Guard:
    return Guard(f"{HERE}:{name}", **{"deadline_s": 20.0, **options})


def gone(pid: int, seconds: float = 10.0) -> bool:
    """Waits until a process is gone (or a zombie)."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


def test_calls_go_to_one_long_lived_child() -> None:
    with target("echo") as guard:
        assert guard.child_pid is None
        first, again = guard.call({"a": (1, "é")}), guard.call("x" * 5_000_000)
        assert first[0] == {"a": (1, "é")} and len(again[0]) == 5_000_000
        assert first[1] == again[1] == guard.child_pid != os.getpid()
        pid = guard.child_pid
    assert pid and gone(pid)
    assert guard.child_pid is None
    with guard:
        assert guard.call(1)[0] == 1  # a closed guard starts again


def test_keywords_go_with_every_call() -> None:
    with target("add", keywords={"more": 5}) as guard:
        assert [guard.call(1), guard.call(2)] == [6, 7]


@pytest.mark.slow
def test_deadline_kills_and_is_retried_once(tmp_path: Path) -> None:
    with target("count_then_hang", deadline_s=1.5) as guard:
        started = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            guard.call(str(tmp_path / "calls"))
        assert 2.9 < time.monotonic() - started < 60  # it would hang for 600 s
        pids = (tmp_path / "calls").read_text().split()
        assert len(pids) == len(set(pids)) == 2
        assert all(gone(int(pid)) for pid in pids)
        assert guard.call("no such file")  # the next call has a fresh child


@pytest.mark.slow
def test_a_second_attempt_may_succeed(tmp_path: Path) -> None:
    with target("hang_the_first_time", deadline_s=3.0) as guard:
        assert guard.call(str(tmp_path / "once")) == "done"
    with target("die_the_first_time") as guard:
        assert guard.call(str(tmp_path / "once more")) == "done"


def test_death_of_the_child() -> None:
    with target("die") as guard, pytest.raises(ChildDied, match="exit status 3"):
        guard.call(3)
    with target("kill_itself") as guard, pytest.raises(ChildDied, match="signal 9"):
        guard.call(0)


def test_child_that_died_between_calls_is_replaced() -> None:
    with target("echo") as guard:
        guard.call(1)
        os.kill(guard.child_pid or 0, signal.SIGKILL)
        assert guard.call(2)[0] == 2


def test_errors_of_the_target_come_back_and_are_not_retried() -> None:
    with target("fail") as guard:
        with pytest.raises(RemoteError, match="KeyError: 'x'") as caught:
            guard.call("x")
        assert caught.value.kind == "KeyError" and "in fail" in caught.value.remote_traceback
        pid = guard.child_pid
        with pytest.raises(RemoteError):
            guard.call("y")
        assert guard.child_pid == pid
    with pytest.raises(RemoteError, match="nothing_here"), Guard("nothing_here:f") as guard:
        guard.call(1)


def test_printing_targets_do_not_disturb() -> None:
    with target("printing") as guard:
        assert guard.call("x") == "x"
        assert guard.call("y") == "y"


def test_child_imports_no_beam() -> None:
    with Guard("gistmill.rules.wiki.wikitext:clean_wikitext") as guard:
        assert guard.call("Some words of prose.")[0].paragraphs == ("Some words of prose.",)
    with target("loaded_modules", keywords={"needs": "gistmill.rules.wiki.wikitext"}) as guard:
        modules = guard.call(None)
    assert "mwparserfromhell" in modules
    assert not {m for m in modules if m.split(".")[0] in ("apache_beam", "spacy", "numpy", "pyarrow", "grpc")}
    assert not {m for m in modules if m.startswith("google.protobuf")}  # `google` itself may be there from a .pth file


def test_memory_limit() -> None:
    with target("allocate", memory_limit=512 << 20) as guard:
        assert guard.call(1 << 20) == 1 << 20
        with pytest.raises(ChildDied, match="exit status 12"):
            guard.call(2 << 30)


def test_threads_share_a_guard() -> None:
    results: list[Any] = []
    with target("echo") as guard:
        threads = [threading.Thread(target=lambda n=n: results.append(guard.call(n)[0])) for n in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(results) == list(range(40))


@pytest.mark.slow
@pytest.mark.parametrize("busy", ["sleep", "spin_in_c", "idle"])
def test_no_orphan_when_the_parent_is_killed(busy: str, tmp_path: Path) -> None:
    code = (
        "import sys, threading, time\nfrom gistmill.transforms.guard import Guard\n"
        f"guard = Guard('{HERE}:echo' if '{busy}' == 'idle' else '{HERE}:{busy}', deadline_s=600)\n"
        "if sys.argv[1] == 'idle': guard.call(1)\n"
        "else: threading.Thread(target=guard.call, args=(300,), daemon=True).start()\n"
        "time.sleep(1.5); print(guard.child_pid, flush=True); time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, busy], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    child = int(parent.stdout.readline())
    assert psutil.pid_exists(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(child)


def test_interpreter_path_with_a_space_and_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a folder" / "bin"
    folder.mkdir(parents=True)
    python = folder / "python"
    python.symlink_to(sys.executable)
    (tmp_path / "a folder" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    (tmp_path / "a folder" / "lib").symlink_to(Path(sys.prefix) / "lib")
    # the tests lie where this interpreter has them; the guard passes its search path on
    monkeypatch.setattr(sys, "executable", str(python))
    with target("echo") as guard:
        monkeypatch.chdir("/")
        assert guard.call("x")[0] == "x"


def test_bad_options_fail_at_construction() -> None:
    with pytest.raises(ValueError, match="no_colon"):
        Guard("no_colon")
    wrong: tuple[dict[str, Any], ...] = ({"deadline_s": 0}, {"retries": -1}, {"memory_limit": 5})
    for options in wrong:
        with pytest.raises(ValueError):
            Guard("a:b", **options)
