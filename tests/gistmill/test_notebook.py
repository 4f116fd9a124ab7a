"""Gistmill in the kernel of a notebook, and in IPython: it works as elsewhere, shows progress in place, fails in few
lines, and ends all that it has started when it is interrupted."""

import json
import subprocess
import sys

import pytest

from tests.commands import data_checksums, leftovers, succeed
from tests.docs.world import TEXT
from tests.gistmill.kernel import Kernel, environment, python_without
from tests.pipelines.runners.harness import wait_until

TEXTS = 160  # several ranges of the parser
BUILD = "gistmill.build('gap-sentences', source='jsonl', input='texts.jsonl', splits=(60, 20, 20), limit=40"
PARSE = "gistmill.build('discofuse', source='jsonl', input='texts.jsonl', deduplicate='none'"


def world(folder):
    """A folder with texts."""
    rows = [
        {"id": f"t{i}", "title": f"The bridge {i}", "text": TEXT.replace("bridge", f"bridge {i}")} for i in range(TEXTS)
    ]
    (folder / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return world(tmp_path_factory.mktemp("notebook"))


@pytest.fixture(scope="module")
def kernel(folder):
    with Kernel(folder) as kernel:
        assert kernel.run("import gistmill").texts == []
        yield kernel


@pytest.mark.long
def test_a_notebook_builds_without_pandas(tmp_path):
    world(tmp_path)
    with Kernel(tmp_path, python_without("pandas", tmp_path)) as kernel:
        assert kernel.run("import importlib.util; importlib.util.find_spec('pandas') is not None").texts == ["False"]
        assert kernel.run("import gistmill").texts == []
        for workers, name in ((1, "one"), (2, "two")):
            answer = kernel.run(f"{BUILD}, output={name!r}, workers={workers})")
            assert answer.texts[0].startswith(f"Dataset('{tmp_path / name}', gap-sentences")
            assert len(answer.shown) == 1 and not answer.said["stdout"]
        assert kernel.run("import logging; logging.root.handlers, logging.root.filters").texts == ["([], [])"]
        assert kernel.run("import sys; 'apache_beam.dataframe' in sys.modules").texts == ["False"]
    succeed(
        *"gap-sentences --source jsonl --input texts.jsonl --splits 60,20,20 --limit 40 --output three".split(),
        cwd=tmp_path,
    )
    sums = [data_checksums(tmp_path / name) for name in ("one", "two", "three")]
    assert sums[0] == sums[1] == sums[2]
    assert not leftovers(tmp_path) and not list((tmp_path / "tmp").glob("beam-pipeline*"))


@pytest.mark.long
def test_ipython_builds_in_a_terminal_too(folder):
    code = (
        f"import gistmill\nprint(get_ipython().__class__.__name__)\nprint({BUILD}, output='terminal', overwrite=True))"
    )
    command = [sys.executable, "-m", "IPython", "--no-banner", "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)
    assert done.stdout.splitlines()[0] == "TerminalInteractiveShell", done.stdout + done.stderr
    assert done.stdout.splitlines()[1].startswith("Dataset('") and not done.stderr


@pytest.mark.long
def test_progress_is_one_line_that_is_replaced(kernel):
    answer = kernel.run(f"{BUILD}, output='shown', progress=True)")
    line, dataset = answer.texts
    assert line.startswith("writing: 40 documents (") and dataset.startswith("Dataset(")
    assert not any(answer.said.values())


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (f"{BUILD}, output='o', beam=['--help'])", "ConfigError", "unknown option --help"),
        (f"{BUILD}, output='o', beam=['--job_name', '-h'])", "ConfigError", "unexpected argument '-h'"),
        (f"{BUILD}, output='.', overwrite=True)", "OutputExists", "is not empty and does not contain a dataset"),
        (f"{BUILD}, output='o', min_sentences=99)", "EmptyDatasetError", "Use allow_empty=True to publish"),
        ("gistmill.build('gap-sentences', source='jsonl', input='twice.jsonl', output='o', deduplicate='none')",
         "JobFailed", "two rows of default/"),
        ("gistmill.Dataset('nowhere')", "NotADataset", "nowhere is not a dataset: no files found there"),
        ("gistmill.Manifest.from_json({})", "ManifestError", "manifest.json has no field 'manifest_version'"),
    ],
)  # fmt: skip
def test_an_error_is_short_and_ends_nothing(kernel, folder, call, error, message):
    line = (folder / "texts.jsonl").read_text().partition("\n")[0]
    (folder / "twice.jsonl").write_text(f"{line}\n{line}\n")
    answer = kernel.run(call)
    assert answer.error is not None and answer.error[0] == error and message in answer.error[1]
    assert not any(answer.said.values())
    assert len(answer.traceback.splitlines()) < 20, answer.traceback
    assert kernel.run("1 + 1").texts == ["2"]


@pytest.mark.long
def test_a_dataset_is_shown_and_goes_to_other_libraries(kernel):
    (shown,) = kernel.run(f"dataset = {BUILD}, output='shared')\ndataset").shown
    assert shown["text/plain"].startswith("Dataset('") and "<th" in shown["text/html"]
    kernel.run(f"empty = {BUILD}, output='none', min_sentences=99, allow_empty=True)")
    (shown,) = kernel.run("empty").shown
    assert shown["text/plain"].endswith("rows of nothing)") and "It has no rows." in shown["text/html"]
    assert kernel.run("len(dataset), len(list(dataset)), len(dataset.to_pandas())").texts == ["(40, 40, 40)"]
    assert kernel.run("len(empty), len(list(empty)), len(empty.to_pandas())").texts == ["(0, 0, 0)"]
    (shown,) = kernel.run("sum(map(len, dataset.to_datasets().values())), empty.to_datasets().num_rows").shown
    assert shown["text/plain"] == "(40, {})"  # datasets itself may warn of widgets that are missing


@pytest.mark.long
def test_builds_from_threads_and_from_a_running_loop_are_the_same(kernel, folder):
    few = f"{PARSE}, limit=8"
    cells = {
        "a": f"{few}, output='a')",
        "b": f"import threading; t = threading.Thread(target=lambda: {few}, output='b', workers=2)); t.start(); t.join()",
        "c": f"async def build(): return {few}, output='c', workers=2)\nawait build()",
        "d": f"import asyncio; await asyncio.gather(*(asyncio.to_thread(lambda o=o, w=w: {few}, output=o, workers=w)) "
        "for o, w in (('d', 1), ('e', 2), ('f', 1))))",
    }
    for code in cells.values():
        assert len(kernel.run(code).texts) <= 1
    sums = [data_checksums(folder / name) for name in "abcdef"]
    assert sums[0] and all(each == sums[0] for each in sums)
    assert kernel.run("import logging, apache_beam.pipeline as p; logging.root.handlers, p.is_in_ipython()").texts == [
        "([], True)"
    ]


def ranges(folder, output):
    """The ranges that an unpublished run has finished."""
    return list(folder.glob(f".{output}.gistmill-*/ranges/*.json"))


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_ends_all_at_once_and_the_next_run_goes_on_if_it_may(tmp_path, workers):
    world(tmp_path)
    with Kernel(tmp_path) as kernel:
        assert kernel.run("import gistmill").texts == []
        for resume in (False, True):
            cell = kernel.begin(f"{PARSE}, output='out', workers={workers}, resume={resume})")
            assert wait_until(lambda: ranges(tmp_path, "out"))
            kernel.interrupt()
            answer = kernel.answer(cell)
            assert answer.error == ("KeyboardInterrupt", "") and not any(answer.said.values())
            assert len(answer.traceback.splitlines()) < 20, answer.traceback
            assert len(kernel.processes()) == 1  # itself
            assert len(leftovers(tmp_path)) == resume
        finished = [(marker.name, marker.stat().st_mtime_ns) for marker in ranges(tmp_path, "out")]
        cell = kernel.begin(f"{PARSE}, output='out', workers={workers}, resume=True)")
        assert wait_until(lambda: len(ranges(tmp_path, "out")) > len(finished))
        now = [(marker.name, marker.stat().st_mtime_ns) for marker in ranges(tmp_path, "out")]
        assert set(finished) < set(now)
        assert len(kernel.answer(cell).texts) == 1
        assert len(kernel.run(f"{PARSE}, output='whole')").texts) == 1
    assert data_checksums(tmp_path / "out") == data_checksums(tmp_path / "whole")
    assert not leftovers(tmp_path) and not list((tmp_path / "tmp").glob("beam-pipeline*"))


@pytest.mark.long
def test_no_worker_outlives_its_kernel(tmp_path):
    world(tmp_path)
    with Kernel(tmp_path) as kernel:
        kernel.run("import gistmill")
        kernel.begin(f"{PARSE}, output='out', workers=2)")
        assert wait_until(lambda: ranges(tmp_path, "out")) and len(kernel.processes()) > 2
        kernel.kill()
        assert wait_until(lambda: not kernel.processes(), 10)
