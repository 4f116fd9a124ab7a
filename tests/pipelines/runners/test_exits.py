import subprocess
import sys

import pytest

# A destructor at the end of the interpreter would say so, and what is registered for the exit does.
_HEAD = """\
import atexit, os, sys
from pipelines.runners.exits import run_and_leave

class Global:
    def __del__(self):
        os.write(1, b"torn down")

kept = Global()
atexit.register(os.write, 2, b"registered")
"""


@pytest.mark.parametrize(
    "body, code, out, err",
    [
        ("print('done', end='')\nrun_and_leave(lambda: 0)", 0, "done", "registered"),
        ("run_and_leave(lambda: 2)", 2, "", "registered"),
        ("run_and_leave(lambda: sys.exit(130))", 130, "", "registered"),
        ("run_and_leave(lambda: sys.exit())", 0, "", "registered"),
        ("run_and_leave(lambda: sys.exit('wrong'))", 1, "", "wrong\nregistered"),
        ("sys.stdout = open(os.devnull, 'w'); sys.stdout.close()\nrun_and_leave(lambda: 3)", 3, "", "registered"),
    ],
)
def test_the_exit_code_and_the_output_are_main_s(body, code, out, err):
    done = subprocess.run([sys.executable, "-c", _HEAD + body], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_an_exception_is_shown_as_ever():
    done = subprocess.run(
        [sys.executable, "-c", _HEAD + "run_and_leave(lambda: 1 / 0)"], capture_output=True, text=True
    )
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr
