import subprocess
import sys

import pytest

_HEAD = "import atexit, sys\nfrom pipelines.running.leaving import run_and_leave\natexit.register(print, 'torn down')\n"


@pytest.mark.parametrize("body, code, out, err", [
    ("print('done', end='')\nrun_and_leave(lambda: 0)", 0, "done", ""),
    ("run_and_leave(lambda: 2)", 2, "", ""),
    ("run_and_leave(lambda: sys.exit(130))", 130, "", ""),
    ("run_and_leave(lambda: sys.exit())", 0, "", ""),
    ("run_and_leave(lambda: sys.exit('wrong'))", 1, "", "wrong\n"),
    ("sys.stdout.close()\nrun_and_leave(lambda: 3)", 3, "", ""),
])
def test_the_exit_code_and_the_output_are_main_s(body, code, out, err):
    done = subprocess.run([sys.executable, "-c", _HEAD + body], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_an_exception_is_shown_as_ever():
    done = subprocess.run([sys.executable, "-c", _HEAD + "run_and_leave(lambda: 1 / 0)"], capture_output=True, text=True)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr
