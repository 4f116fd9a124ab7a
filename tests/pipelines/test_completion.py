"""The script for shells, in a real bash."""

import subprocess

import pytest

from gistmill.pipelines.cli import main, names


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    import contextlib

    path = tmp_path_factory.mktemp("shell") / "gistmill.bash"
    with path.open("w") as file, contextlib.redirect_stdout(file):
        assert main(["completion"]) == 0
    return path


def completed(script, *words):
    """What bash offers for the last of the words behind ``gistmill``."""
    line = " ".join(f"'{word}'" for word in ("gistmill", *words))
    asked = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _gistmill gistmill "{words[-1]}"; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", f"source {script}; {asked}"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_jobs_are_completed(script):
    assert completed(script, "dis") == ["discofuse"]
    assert sorted(completed(script, "")) == sorted(["help", *names()])
    assert completed(script, "help", "lead") == ["lead-bias"]
    assert completed(script, "nothing-of-this-name") == []


def test_the_flags_of_a_job_are_completed(script):
    for words, offered in [
        (("discofuse", "--conv"), ["--conventions"]),
        (("discofuse", "--no-keep-m"), ["--no-keep-marks"]),
        (("mix", "--wei"), ["--weights"]),
        (("diff", "--qu"), ["--quick"]),
        (("serve", "--fus"), ["--fusion"]),
        (("explore", "--exp"), ["--export"]),
        (("validate", "--conv"), []),
    ]:
        assert completed(script, *words) == offered


def test_a_word_that_is_no_flag_is_left_to_the_names_of_files(script):
    assert completed(script, "discofuse", "--input", "du") == []
