"""Gistmill in the kernel of a notebook, and in IPython: it works as elsewhere, shows progress in place, fails in few
lines, and ends all that it has started when it is interrupted."""

import json
import subprocess
import sys

import pytest

import gistmill
from gistmill.rules.recipes import RECIPES
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
@pytest.mark.parametrize(
    "pandas", [pytest.param(True, id="with pandas"), pytest.param(False, id="without pandas", marks=pytest.mark.long)]
)
def test_a_notebook_builds_with_pandas_and_without(tmp_path, pandas):
    world(tmp_path)
    python = sys.executable if pandas else python_without("pandas", tmp_path)
    with Kernel(tmp_path, python) as kernel:
        assert kernel.run("import importlib.util; importlib.util.find_spec('pandas') is not None").texts == [
            str(pandas)
        ]
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
        ("gistmill.build('gap-sentence')", "ConfigError", "unknown job 'gap-sentence'; did you mean gap-sentences?"),
        (f"{BUILD}, output='o', gap_ratio=2)", "ConfigError", "gap_ratio: expected a number between 0 and 1, not 2"),
        (f"{BUILD}, output='o', beam=['--help'])", "ConfigError", "unknown option --help"),
        (f"{BUILD}, output='o', beam=['--job_name', '-h'])", "ConfigError", "unexpected argument '-h'"),
        (f"{BUILD}, output='o', beam=['--direct_num_workers=x'])", "ConfigError", "invalid int value: 'x'"),
        (f"{BUILD}, output='.', overwrite=True)", "OutputExists", "is not empty and does not hold a dataset"),
        ("gistmill.build('gap-sentences', output='o')", "ConfigError", "input is required"),
        (f"{BUILD}, output='o', min_sentences=99)", "EmptyDatasetError", "nothing was published; allow_empty=True publishes"),
        ("gistmill.build('gap-sentences', source='jsonl', input='twice.jsonl', output='o', deduplicate='none')",
         "JobFailed", "two rows of default/"),
        ("gistmill.Dataset('nowhere')", "NotADataset", "nowhere is not a dataset: nothing is there"),
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


JOBS = {
    "annotate": "source='jsonl', input='few.jsonl'",
    "discofuse": "source='annotated', input='annotate', workers=2",
    "lead-bias": "source='jsonl', input='few.jsonl', deduplicate='none', min_overlap=0, min_rest_words=20",
    "wikitransfer": "source='jsonl', input='few.jsonl', profile='xsum', deduplicate='none'",
    "gap-sentences": "source='jsonl', input='few.jsonl', deduplicate='none', splits=(1, 0, 0)",
    "headline": "source='jsonl', input='few.jsonl', deduplicate='none'",
    "propositions": "source='annotated', input='annotate'",
    "articles": "source='jsonl', input='few.jsonl'",
    "synthetic": "tasks='sr', documents=3",
    "curriculum": "input='gap-sentences', buckets=2",
    "augment": "input='gap-sentences'",
    "mix": "input='gap-sentences'",
}


def test_no_job_is_left_out():
    assert JOBS.keys() == RECIPES.keys()


@pytest.mark.long
def test_every_job_builds(kernel, folder):
    (folder / "few.jsonl").write_text("".join((folder / "texts.jsonl").read_text().splitlines(keepends=True)[:6]))
    for job, options in JOBS.items():
        (shown,) = kernel.run(f"gistmill.build({job!r}, {options}, output={job!r}, allow_empty=True)").texts
        assert shown.startswith(f"Dataset('{folder / job}', {job}, rows of "), job


# Every name that Gistmill offers, and an expression that uses it and is true.
USES = {
    "__version__": "gistmill.__version__ != ''",
    "build": f"isinstance({BUILD}, output='named', min_sentences=2), gistmill.Dataset)",
    "Dataset": "next(gistmill.Dataset('named').rows('train'))['id'] != ''",
    "Manifest": "isinstance(gistmill.Dataset('named').manifest, gistmill.Manifest)",
    "Statistics": "isinstance(gistmill.Dataset('named').stats, gistmill.Statistics)",
    "propositions": "[p.text for p in gistmill.propositions(TEXT)] == ['Ada Smith ran home.', 'Ada Smith fell.']",
    "resolve": "gistmill.resolve(TEXT).text == 'Ada Smith ran home. Ada Smith fell.'",
    "trace_row": "gistmill.trace_row(d := gistmill.Dataset('named'), next(d.rows('train'))['id']).found != []",
    "ConfigError": "issubclass(gistmill.ConfigError, ValueError)",
    "JobFailed": "issubclass(gistmill.JobFailed, Exception)",
    "ManifestError": "issubclass(gistmill.ManifestError, ValueError)",
    "NotADataset": "issubclass(gistmill.NotADataset, ValueError)",
    "OutputExists": "issubclass(gistmill.OutputExists, RuntimeError)",
    "fusion.alternatives": "gistmill.fusion.alternatives('He ran.', 'He fell.', n=3).fusions[0] == fused",
    "fusion.Alternatives": "isinstance(gistmill.fusion.alternatives('He ran.', 'He fell.'), gistmill.fusion.Alternatives)",
    "fusion.Asked": "gistmill.fusion.Asked(first='He ran.', second='He fell.').n == 1",
    "fusion.as_json": "gistmill.fusion.as_json(gistmill.fusion.split(SENTENCE)[0])['inputs'] == 'He ran. He fell.'",
    "fusion.DiscourseType": "gistmill.fusion.split(SENTENCE)[0].discourse_type in gistmill.fusion.DiscourseType",
    "fusion.edits_between": "gistmill.fusion.edits_between('He ran.', 'He fell.', 'He ran and he fell.') != []",
    "fusion.explain": "'<' in gistmill.fusion.explain(SENTENCE)._repr_html_()",
    "fusion.Explained": "isinstance(gistmill.fusion.explain(SENTENCE), gistmill.fusion.Explained)",
    "fusion.explain_fusion": "gistmill.fusion.explain_fusion('He ran.', 'He fell.', fused).operations != ()",
    "fusion.explain_splits": "gistmill.fusion.explain_splits([(SENTENCE, '')])[0][0][1].operations != ()",
    "fusion.Explanation": "isinstance(gistmill.fusion.explain_fusion('He ran.', 'He fell.', fused), gistmill.fusion.Explanation)",
    "fusion.fuse": "gistmill.fusion.fuse('He ran.', 'He fell.')[0].fusion == fused.fusion",
    "fusion.fuse_rows": "gistmill.fusion.fuse_rows([gistmill.fusion.Asked(first='He ran.', second='He fell.')])[0].fusions[0] == fused",
    "fusion.Fused": "isinstance(fused, gistmill.fusion.Fused)",
    "fusion.split": "gistmill.fusion.split(SENTENCE)[0].connective_string == ', but'",
    "fusion.split_rows": "len(gistmill.fusion.split_rows([('He ran.', 'But he fell.')])) == 1",
    "rouge.Score": "isinstance(gistmill.rouge.score(words, words)['rouge1'], gistmill.rouge.Score)",
    "rouge.score": "gistmill.rouge.score(words, words)['rouge2'].fmeasure == 1",
    "rouge.tokenise": "[*gistmill.rouge.tokenise('A b.').lines] != []",
    "recipes.RECIPES": "all(getattr(gistmill.recipes, r.__name__) is r for r in gistmill.recipes.RECIPES.values())",
    "recipes.Recipe": "all(issubclass(r, gistmill.recipes.Recipe) for r in gistmill.recipes.RECIPES.values())",
    "recipes.annotate": "len(gistmill.recipes.annotate(SENTENCE).sentences) == 1",
    "recipes.clean": "gistmill.recipes.clean(SENTENCE).sections[0].paragraphs == (SENTENCE,)",
    "recipes.segment": "len(gistmill.recipes.segment(SENTENCE).sentences) == 1",
}


def test_no_name_is_left_out():
    modules = {"fusion", "recipes", "rouge"}
    classes = {f"recipes.{kind.__name__}" for r in RECIPES.values() for kind in (r, r.CONFIG)}  # all are in RECIPES
    inner = {f"{module}.{name}" for module in modules for name in getattr(gistmill, module).__all__}
    assert USES.keys() == ({*gistmill.__all__} - modules) | (inner - classes)


@pytest.mark.long
def test_every_name_works(kernel):
    kernel.run("SENTENCE = 'He ran, but he fell.'; fused = gistmill.fusion.fuse('He ran.', 'He fell.')[0]")
    kernel.run("words = gistmill.rouge.tokenise('a b'); TEXT = 'Ada Smith ran home. She fell.'")
    for name, use in USES.items():
        assert kernel.run(use).texts == ["True"], name


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
