"""``gistmill.build``: datasets from Python, quietly, several times in one process, wherever Python runs."""

import json
import logging
import signal
import subprocess
import sys

import pytest

import gistmill
from gistmill.rules.recipes import RECIPES
from tests.commands import data_checksums, leftovers, succeed
from tests.pair_lengths import PairLengths

SENTENCES = [
    f"The {noun} of the town was {verb} by its mayor on a cold morning in spring."
    for noun in ("bridge", "library", "market", "school", "station", "theatre", "museum")
    for verb in ("opened", "closed", "painted")
]
OPTIONS = {"source": "jsonl", "min_sentences": 3, "splits": (60, 20, 20)}


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    rows = [{"id": f"t{i}", "text": " ".join(SENTENCES[i % 5 : i % 5 + 12])} for i in range(40)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.slow
def test_it_publishes_what_the_command_publishes(texts, tmp_path, capfd):
    handlers = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    root = logging.getLogger()
    before = (list(root.handlers), list(root.filters), root.level)
    made = gistmill.build("gap-sentences", input=str(texts), output=tmp_path / "one", **OPTIONS)
    again = gistmill.build("gap-sentences", input=texts, output=str(tmp_path / "two"), workers=2, **OPTIONS)
    assert capfd.readouterr() == ("", "")
    assert [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert (list(root.handlers), list(root.filters), root.level) == before
    options = ("--source", "jsonl", "--min-sentences", "3", "--splits", "60,20,20")
    succeed("gap-sentences", "--input", texts, "--output", tmp_path / "three", *options)
    sums = [data_checksums(tmp_path / name) for name in ("one", "two", "three")]
    assert sums[0] == sums[1] == sums[2] and not leftovers(tmp_path)
    assert made.manifest.counts["documents"]["read"] == 40 and again.manifest.recipe == "gap-sentences"
    assert {row["document_id"] for split in made.splits() for row in made.rows(split)} <= {f"t{i}" for i in range(40)}


@pytest.mark.slow
def test_from_standard_input_with_workers(texts, tmp_path):
    code = (
        "import gistmill\n"
        f"made = gistmill.build('gap-sentences', input={str(texts)!r}, output={str(tmp_path / 'out')!r}, workers=2, "
        "source='jsonl', min_sentences=3)\n"
        "print(made.manifest.counts['documents']['read'])\n"
    )
    done = subprocess.run([sys.executable, "-i"], input=code, capture_output=True, text=True)
    assert "40" in done.stdout.split(), done.stderr


@pytest.mark.slow
def test_a_configuration_may_be_a_preset_or_a_mapping(texts, tmp_path):
    made = gistmill.build(
        "gap-sentences", config="gap-sentences", input=texts, output=tmp_path / "one", source="jsonl", max_words=80
    )
    assert made.manifest.configuration["left_ratio"] == 0.2 and made.manifest.configuration["max_words"] == 80
    config = {"source": "jsonl", "input": [str(texts)], "beam": []}
    assert gistmill.build("gap-sentences", config=config, output=tmp_path / "two").manifest.counts


@pytest.mark.parametrize(
    ("job", "options", "message"),
    [
        ("gap-sentence", {}, "unknown job 'gap-sentence'; did you mean gap-sentences"),
        ("gap-sentences", {"gap_ratio": 2}, "gap_ratio: expected a number between 0 and 1, not 2"),
        ("gap-sentences", {"gap_rato": 0.5}, "unknown option 'gap_rato'; did you mean gap_ratio"),
        ("gap-sentences", {"input": "nowhere.jsonl"}, "no input file matches 'nowhere.jsonl'"),
        ("gap-sentences", {"beam": ["--runer=X"]}, "unknown option --runer; did you mean --runner"),
        ("gap-sentences", {"config": "lead-bias-news"}, "is for the job 'lead-bias', not 'gap-sentences'"),
        ("discofuse", {"spacy_model": "nowhere"}, "'nowhere' is neither an installed package nor a model folder"),
    ],
)
def test_a_bad_configuration_is_said(texts, tmp_path, job, options, message):
    with pytest.raises(gistmill.ConfigError, match=message):
        gistmill.build(job, **{"source": "jsonl", "input": texts, "output": tmp_path / "out", **options})
    assert not (tmp_path / "out").exists() and not leftovers(tmp_path)


@pytest.mark.slow
def test_a_dataset_is_not_replaced_unasked(texts, tmp_path):
    options = {"source": "jsonl", "input": texts, "output": tmp_path / "out"}
    gistmill.build("gap-sentences", **options)
    with pytest.raises(gistmill.OutputExists, match="contains a dataset"):
        gistmill.build("gap-sentences", **options)
    assert gistmill.build("gap-sentences", overwrite=True, **options).manifest.recipe == "gap-sentences"


def test_a_run_that_fails_raises_and_leaves_the_process_as_it_was(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text((json.dumps({"id": "same", "text": " ".join(SENTENCES)}) + "\n") * 2)
    with pytest.raises(gistmill.JobFailed, match="same"):
        gistmill.build("gap-sentences", source="jsonl", input=path, output=tmp_path / "out", deduplicate="none")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_recipe_of_ones_own_is_built_by_its_class(tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text("".join(json.dumps({"inputs": f"It rained {n}.", "targets": "Rain."}) + "\n" for n in range(9)))
    try:
        made = gistmill.build(PairLengths, input=pairs, output=tmp_path / "out")
        assert gistmill.build(PairLengths.NAME, input=pairs, output=tmp_path / "two").manifest.recipe == "pair-lengths"
    finally:
        RECIPES.pop(PairLengths.NAME, None)
    assert [row["input_words"] for row in made] == [3] * 9 and len(made.manifest.versions["recipe_sha256"]) == 64
    with pytest.raises(gistmill.ConfigError, match="is not a recipe class"):
        gistmill.build(dict, output=tmp_path / "no")
