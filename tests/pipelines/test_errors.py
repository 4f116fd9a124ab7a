"""One line out of a traceback; for Python it names arguments, where that of the command names flags."""

import errno
import traceback
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from gistmill.pipelines import building
from gistmill.pipelines.errors import (
    AS_KEY,
    MAX_CHARACTERS,
    ConfigError,
    JobFailed,
    OutputExists,
    failure_of,
    in_python,
    naming_arguments,
)
from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES
from tests.cases import by_heading

CASES = by_heading(__file__)

HEAD = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    raise it\n    ^^^^^^^^\n'


def test_last_line_of_a_traceback():
    for end, line in CASES["the last line of a traceback"]:
        assert str(failure_of(HEAD + end + "\n")) == line
        chained = HEAD + "LookupError: first\n\nDuring handling of the above exception, another exception occurred:\n\n"
        assert str(failure_of(chained + HEAD + end + "\n")) == line


def test_the_traceback_is_kept_and_the_step_is_known():
    failure = failure_of(HEAD + "ValueError: bad [while running 'A/B']")
    assert failure.step == "A/B" and failure.message == "ValueError: bad" and failure.details.startswith("Traceback")


def test_a_message_of_a_novel_is_cut():
    assert len(str(failure_of(f"{HEAD}ValueError: {'x' * 5000}"))) < MAX_CHARACTERS + 10


@given(st.text(max_size=80))
def test_any_message_gives_one_line(message):
    try:
        raise ValueError(message)
    except ValueError as error:
        line = str(failure_of("".join(traceback.format_exception(error))))
    assert line and "\n" not in line
    assert "\n" not in str(failure_of(message))


def test_no_error_repeats_a_secret_of_a_url():
    for kind in [ConfigError, JobFailed, OutputExists]:
        error = kind("s3://user:PASSWORD@bucket/x and https://me:PASSWORD@host/a?key=PASSWORD: no")
        assert "PASSWORD" not in f"{error} {error.args}" and "s3://bucket/x" in str(error)
        assert "PASSWORD" not in getattr(error, "message", "")


def test_a_full_disk_is_named_and_other_errors_stay_as_they_are():
    run = SimpleNamespace(settings=SimpleNamespace(temp_dir=None))
    for number in (errno.ENOSPC, errno.EDQUOT):
        for error in (OSError(number, "full"), JobFailed(f"OSError: [Errno {number}] full", step="Write")):
            named = building._with_place(error, "/a/workspace", run)
            assert isinstance(named, JobFailed) and f"[Errno {number}] full" in str(named)
            assert str(named).endswith("no space is left for /a/workspace; free some space or use another --temp-dir")
    run.settings.temp_dir = "/b"
    assert "for /b/w or the output;" in str(building._with_place(OSError(errno.ENOSPC, "full"), "/b/w", run))
    for error in [OSError(errno.ENOSPC, "full", "/a/file"), OSError(5, "bad"), ValueError("[Errno 28]")]:
        assert building._with_place(error, "/a", SimpleNamespace()) is error


OPTIONS = job_options(RECIPES["discofuse"])


def test_flags_of_the_job_become_arguments():
    for message, said in CASES["flags become arguments"]:
        assert in_python(message, OPTIONS) == said
    assert in_python("--input is required", {}) == "--input is required"
    said = in_python("--allow-empty, --source warc or another --temp-dir", OPTIONS, given=AS_KEY)
    assert said == "`allow_empty: true`, `source: warc` or another temp_dir"


def test_an_error_for_python_keeps_its_class_and_what_it_knows():
    error = naming_arguments(ConfigError("--input is required"), OPTIONS)
    assert type(error) is ConfigError and str(error) == "input is required"
    failed = naming_arguments(JobFailed("damaged; --allow-truncated publishes", step="Read", details="d"), OPTIONS)
    assert (failed.message, failed.step, failed.details) == ("damaged; allow_truncated=True publishes", "Read", "d")
    assert str(failed) == "damaged; allow_truncated=True publishes (in step Read)"
