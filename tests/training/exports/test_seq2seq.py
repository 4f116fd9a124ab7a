"""Models exported for CTranslate2 write what the original writes; too few equal outputs are an error that leaves nothing."""

import json
from dataclasses import replace

import pytest
import torch
import yaml

from gistmill.training.exports.seq2seq import export_seq2seq, load_exported
from gistmill.training.kinds import save_task
from gistmill.training.seq2seq.config import Seq2SeqConfig
from gistmill.training.seq2seq.task import Seq2Seq
from tests.training.made import copies, copy_task, ran

BART = {"d_model": 64, "encoder_layers": 2, "decoder_layers": 2, "max_position_embeddings": 128}
BART |= dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 4)
BART |= dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 128)
SIZES = {
    "t5": {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_decoder_layers": 2, "num_heads": 4},
    "bart": BART,
    "pegasus": {**BART, "scale_embedding": True},
}
SIZES["pegasus"] = {**SIZES["bart"], "scale_embedding": True}
ROWS = copies(60)


def made(folder, architecture):
    """A model of random weights, widened so that its outputs depend on its inputs."""
    file = folder / f"{architecture}.yaml"
    file.write_text(yaml.safe_dump({"architecture": architecture, **SIZES[architecture]}))
    config = Seq2SeqConfig(model=str(file), vocabulary=300, max_source=48, max_target=24)
    task = Seq2Seq.create(config, lambda: iter(ROWS), seed=1)
    with torch.no_grad():
        for name, parameter in task.module.named_parameters():
            if parameter.ndim > 1 and "embed" not in name:
                parameter.mul_(5)
    task.decoding = replace(task.decoding, beams=1)
    return task


def equal(task, folder):
    found = zip(task.predict(ROWS), load_exported(folder)(ROWS), strict=True)
    return sum(a == b for a, b in found) / len(ROWS)


@pytest.mark.parametrize("architecture", SIZES)
def test_the_outputs_are_the_originals(tmp_path, architecture):
    task = made(tmp_path, architecture)
    folder = tmp_path / "exported"
    folder.mkdir()
    export_seq2seq(task, folder, quantization="float32")
    assert len(set(task.predict(ROWS))) > 2  # or equality would say nothing
    # nearly: a random model has nearly equal choices, and two libraries round differently
    assert equal(task, folder) >= 0.85
    assert {p.name for p in tmp_path.iterdir()} == {f"{architecture}.yaml", "exported"}
    size = sum(p.stat().st_size for p in folder.iterdir())
    export_seq2seq(task, folder, quantization="int8")
    assert sum(p.stat().st_size for p in folder.iterdir()) < size / 1.8


def test_the_bounds_of_decoding_and_the_first_token_go_with_the_model(tmp_path):
    task, folder, first = made(tmp_path, "bart"), tmp_path / "exported", 17
    task.decoding = replace(task.decoding, min_tokens=9, max_tokens=9)
    task.config = replace(task.config, max_source=8)
    task.module.generation_config.forced_bos_token_id = first
    folder.mkdir()
    export_seq2seq(task, folder, quantization="float32")
    described = json.loads((folder / "export.json").read_text())
    assert described["decoding"]["min_decoding_length"] == described["decoding"]["max_decoding_length"] == 9
    start = task.tokenizer.decode([first])
    assert all(text.startswith(start) for text in load_exported(folder)(ROWS))
    long = [{**row, "inputs": row["inputs"] * 5} for row in ROWS[:9]]
    cut = [{**row, "inputs": task.tokenizer.decode(task.source_ids(row["inputs"])[:-1])} for row in long]
    assert load_exported(folder)(long) == load_exported(folder)(cut)
    assert equal(task, folder) >= 0.85


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    (folder / "t5").mkdir()
    save_task(made(folder, "t5"), folder / "t5")
    (folder / "t5" / "README.md").write_text("---\nlanguage: [en]\n---\n# A model\n")
    return folder / "t5", copy_task(folder / "data", rows=60)


def export(model, output, *more):
    return ran(["export", "--model", str(model), "--output", str(output), *more])


def test_the_command_exports_and_compares(model, tmp_path):
    folder, data = model
    done = export(folder, tmp_path / "out", "--quantization", "float32", "--dataset", data, "--rows", "40")
    assert done.returncode == 0, done.stderr
    assert "of 40 outputs are equal to the original's" in done.stderr
    card = (tmp_path / "out" / "README.md").read_text()
    assert card.startswith("---\nlanguage: [en]\n---\n# A model\n\n## Export\n")
    assert "on 40 rows of `data test`" in card and str(tmp_path) not in card
    compared = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert compared["rows"] == 40 and 0 < compared["equal"] <= 40
    again = export(folder, tmp_path / "out")
    assert again.returncode == 2 and "is there already; --overwrite replaces it" in again.stderr
    assert export(folder, tmp_path / "out", "--overwrite").returncode == 0
    assert not (tmp_path / "out" / "comparison.json").exists()


def test_only_an_exported_model_is_replaced(model, tmp_path):
    folder, _ = model
    (tmp_path / "thesis.txt").write_text("years of work")
    for output in (tmp_path, tmp_path / "thesis.txt", folder):
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        done = export(folder, output, "--overwrite")
        assert done.returncode == 2 and "is not an exported model" in done.stderr
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    (tmp_path / "empty").mkdir()
    assert export(folder, tmp_path / "empty", "--overwrite").returncode == 0


def test_too_few_equal_outputs_leave_nothing(model, tmp_path):
    folder, data = model
    other = tmp_path / "other"
    other.mkdir()
    task = Seq2Seq.load(folder)
    task.decoding = replace(task.decoding, beams=4, length_penalty=9.0)  # beams differ between the libraries
    save_task(task, other)
    done = export(other, tmp_path / "out", "--dataset", data, "--min-equal", "1")
    assert done.returncode == 1 and "outputs are equal" in done.stderr and "--min-equal is 100.0%" in done.stderr
    assert {p.name for p in tmp_path.iterdir()} == {"other"}


def test_what_cannot_be_exported_is_said(model, tmp_path):
    kinds = "expected one of int8, int8_float16, float16, float32 (did you mean int8?)"
    for arguments, said in (
        (["--model", "none"], "--model none is not the folder of a model that was trained here"),
        (["--min-equal", "0.9"], "min_equal needs a dataset to compare on"),
        (["--dataset", "none"], "none"),
        (["--dataset", "a,b"], "dataset: one, not 2"),
        (["--quantization", "int4"], kinds),
    ):
        done = export(model[0], tmp_path / "out", *arguments)
        assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
        assert said in done.stderr and done.stderr.count("\n") == 1
    for name, task, said in (
        ("other", Seq2Seq.load(model[0]), "CTranslate2 divides by a power of the length, not as gnmt"),
        ("pointer", pointer_generator(tmp_path), "CTranslate2 has no pointer-generator"),
    ):
        task.decoding = replace(task.decoding, length_penalty=0.6, length_penalty_kind="gnmt")
        (tmp_path / name).mkdir()
        save_task(task, tmp_path / name)
        done = export(tmp_path / name, tmp_path / "out")
        assert done.returncode == 2 and said in done.stderr, done.stderr
        assert not (tmp_path / "out").exists()


def pointer_generator(folder):
    file = folder / "sizes.yaml"
    file.write_text(yaml.safe_dump({"architecture": "pointer-generator", "embedding": 8, "hidden": 8}))
    return Seq2Seq.create(Seq2SeqConfig(model=str(file), vocabulary=300), lambda: iter(ROWS), seed=1)
