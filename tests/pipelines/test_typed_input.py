"""Commands that read standard input: on a terminal they say that they wait for it, and elsewhere they do not."""

import os
import subprocess
import sys

import pytest

COMMAND = (sys.executable, "-m", "gistmill")
LINE = "gistmill {}: type the input, and end it with Ctrl-D\n"


@pytest.mark.slow
@pytest.mark.parametrize(("job", "typed"), [("split", b""), ("fuse", b""), ("try", b"He ran.\n")])
def test_a_command_that_waits_for_a_person_says_so(job, typed):
    leader, follower = os.openpty()
    with subprocess.Popen([*COMMAND, job], stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(follower)
        assert process.stderr.readline().decode() == LINE.format(job)
        os.write(leader, typed + b"\x04")
        assert process.wait(timeout=120) == 0
    os.close(leader)


@pytest.mark.slow
def test_a_pipe_is_read_without_a_word():
    done = subprocess.run([*COMMAND, "split"], input=b"", capture_output=True, check=True, timeout=120)
    assert done.stderr == b"" == done.stdout
