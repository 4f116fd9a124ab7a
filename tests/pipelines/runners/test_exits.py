import os
import subprocess
import sys

import pytest

# A destructor at the end of the interpreter would say so, and what is registered for the exit does.
_HEAD = """\
import atexit, os, sys
from gistmill.pipelines.runners.exits import run_and_leave

class Global:
    def __del__(self):
        os.write(1, b"torn down")

kept = Global()
atexit.register(os.write, 2, b"registered")
"""


@pytest.mark.slow
def test_the_exit_code_and_the_output_are_main_s():
    for body, code, out, err in [
        ("print('done', end='')\nrun_and_leave(lambda: 0)", 0, "done", "registered"),
        ("run_and_leave(lambda: 2)", 2, "", "registered"),
        ("run_and_leave(lambda: sys.exit(130))", 130, "", "registered"),
        ("run_and_leave(lambda: sys.exit())", 0, "", "registered"),
        ("run_and_leave(lambda: sys.exit('wrong'))", 1, "", "wrong\nregistered"),
        ("sys.stdout = open(os.devnull, 'w'); sys.stdout.close()\nrun_and_leave(lambda: 3)", 3, "", "registered"),
    ]:
        done = subprocess.run([sys.executable, "-c", _HEAD + body], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_an_exception_is_shown_as_ever():
    done = subprocess.run(
        [sys.executable, "-c", _HEAD + "run_and_leave(lambda: 1 / 0)"], capture_output=True, text=True
    )
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr


@pytest.mark.slow
def test_a_closed_pipe_and_an_interrupt_show_no_traceback():
    for body, code, err in [
        (
            "def main():\n    raise KeyboardInterrupt\nrun_and_leave(main)",
            130,
            "gistmill: stopped by SIGINT\nregistered",
        ),
        ("run_and_leave(lambda: [print('x' * 80) for _ in range(100_000)] and 0)", 141, "registered"),
        ("run_and_leave(lambda: print('done') or 0)", 141, "registered"),
        ("def main():\n    raise BrokenPipeError(32, 'elsewhere')\nrun_and_leave(main)", 1, "BrokenPipeError"),
    ]:
        reading, writing = os.pipe()
        os.close(reading)
        head = _HEAD.replace("kept = Global()\n", "")  # its destructor would write to the pipe
        done = subprocess.run([sys.executable, "-c", head + body], stdout=writing, stderr=subprocess.PIPE, text=True)
        os.close(writing)
        assert done.returncode == code and err in done.stderr
        assert ("Traceback" in done.stderr) == (code == 1)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("count", [1, 100_000])
def test_a_full_disk_is_said_in_one_line(count):
    body = f"run_and_leave(lambda: [print('x' * 80) for _ in range({count})] and 0)"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", _HEAD + body], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.replace("registered", "") == (
        "gistmill: standard output cannot be written: No space left on device\n"
    )


def test_closed_output_is_not_output():
    command = f'{sys.executable} -c "$BODY" >&-'
    environment = {**os.environ, "BODY": _HEAD + "run_and_leave(lambda: sys.stdout.write('x') and 0)"}
    done = subprocess.run(["bash", "-c", command], env=environment, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr
