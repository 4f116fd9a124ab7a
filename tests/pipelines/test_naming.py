"""Messages for Python: they name arguments, where those of the command name flags."""

from gistmill.pipelines.errors import ConfigError, JobFailed, in_python, naming_arguments
from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES

OPTIONS = job_options(RECIPES["discofuse"])


def test_flags_of_the_job_become_arguments():
    for message, said in [
        ("--input is required", "input is required"),
        ("it holds a dataset; --overwrite replaces it", "it holds a dataset; overwrite=True replaces it"),
        ("go on with --resume", "go on with resume=True"),
        ("no effect with --source warc, only with jsonl", "no effect with source='warc', only with jsonl"),
        ("--coref minilm needs the package onnx", "coref='minilm' needs the package onnx"),
        ("--text-field names a field, not 'x'", "text_field names a field, not 'x'"),
        ("name one by --text-field.", "name one by text_field."),
        ("--workers is not for --runner Flink", "workers is not for --runner Flink"),  # Beam's own
        ("unpack it (xz --decompress --keep)", "unpack it (xz --decompress --keep)"),
        ("no file matches 'a--input.txt'", "no file matches 'a--input.txt'"),
    ]:
        assert in_python(message, OPTIONS) == said


def test_an_error_keeps_its_class_and_what_it_knows():
    error = naming_arguments(ConfigError("--input is required"), OPTIONS)
    assert type(error) is ConfigError and str(error) == "input is required"
    failed = naming_arguments(JobFailed("damaged; --allow-truncated publishes", step="Read", details="d"), OPTIONS)
    assert failed.message == "damaged; allow_truncated=True publishes" and (failed.step, failed.details) == (
        "Read",
        "d",
    )
    assert str(failed) == "damaged; allow_truncated=True publishes (in step Read)"


def test_without_options_nothing_changes():
    assert in_python("--input is required", {}) == "--input is required"
