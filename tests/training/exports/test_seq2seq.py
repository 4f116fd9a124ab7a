"""Models are exported for CTranslate2; test_served.py looks at what they write."""

from dataclasses import replace

import pytest
import torch
import yaml

from gistmill.training.exports.seq2seq import export_seq2seq
from gistmill.training.kinds import save_task
from gistmill.training.seq2seq.config import Seq2SeqConfig
from gistmill.training.seq2seq.task import Seq2Seq
from tests.training.made import copies, ran

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


def test_an_exported_model_is_a_folder_of_small_weights(tmp_path):
    task, folder, sizes = made(tmp_path, "t5"), tmp_path / "exported", {}
    folder.mkdir()
    for quantization in ("float32", "int8"):
        export_seq2seq(task, folder, quantization=quantization)
        sizes[quantization] = sum(p.stat().st_size for p in folder.iterdir())
    assert {p.name for p in tmp_path.iterdir()} == {"t5.yaml", "exported"}
    assert sizes["int8"] < sizes["float32"] / 1.8


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    (folder / "t5").mkdir()
    save_task(made(folder, "t5"), folder / "t5")
    (folder / "t5" / "README.md").write_text("---\nlanguage: [en]\n---\n# A model\n")
    return folder / "t5"


def export(model, output, *more):
    return ran(["export", "--model", str(model), "--output", str(output), *more])


def test_the_command_exports(model, tmp_path):
    done = export(model, tmp_path / "out", "--quantization", "float32")
    assert done.returncode == 0, done.stderr
    card = (tmp_path / "out" / "README.md").read_text()
    assert card.startswith(
        "---\nlanguage: [en]\n---\n# A model\n\n## Export\n\nExported by `gistmill-train export` for"
    )
    assert "with weights as float32" in card and str(tmp_path) not in card
    again = export(model, tmp_path / "out")
    assert again.returncode == 2 and "already exists; use --overwrite to replace it" in again.stderr
    assert export(model, tmp_path / "out", "--overwrite").returncode == 0


def test_only_an_exported_model_is_replaced(model, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    for output in (tmp_path, tmp_path / "thesis.txt", model):
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        done = export(model, output, "--overwrite")
        assert done.returncode == 2 and "is not an exported model" in done.stderr
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    (tmp_path / "empty").mkdir()
    assert export(model, tmp_path / "empty", "--overwrite").returncode == 0


def test_what_cannot_be_exported_is_said(model, tmp_path):
    kinds = "expected one of int8, int8_float16, float16, float32 (did you mean int8?)"
    for arguments, said in (
        (["--model", "none"], "--model none does not contain a model trained with gistmill-train fit"),
        (["--quantization", "int4"], kinds),
    ):
        done = export(model, tmp_path / "out", *arguments)
        assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
        assert said in done.stderr and done.stderr.count("\n") == 1
    for name, task, said in (
        ("other", Seq2Seq.load(model), "CTranslate2 does not support length_penalty_kind gnmt"),
        ("pointer", pointer_generator(tmp_path), "CTranslate2 does not support the pointer-generator"),
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
