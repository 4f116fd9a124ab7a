"""Sequence-to-sequence models: from scratch, from folders of transformers, saved and read again; and how they write."""

import itertools
import json
import shutil
from dataclasses import replace
from functools import cache

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.engine import keep_fewer_states
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import is_trained_here, kind_of, load_task, save_task
from gistmill.training.seq2seq import encoding as tokenizers
from gistmill.training.seq2seq.config import DecodingConfig, Seq2SeqConfig, presets
from gistmill.training.seq2seq.networks import fresh, read_sizes
from gistmill.training.seq2seq.task import Seq2Seq
from tests import hostile_models
from tests.training.made import copies, copy_task, ran, tiny

ROWS = copies(60)
CLASSES = {
    "bart": (transformers.BartConfig, transformers.BartForConditionalGeneration),
    "pegasus": (transformers.PegasusConfig, transformers.PegasusForConditionalGeneration),
    "t5": (transformers.T5Config, transformers.T5ForConditionalGeneration),
}
LAYERS = dict.fromkeys(("encoder_layers", "decoder_layers", "num_layers", "num_decoder_layers"), 1)
WIDTHS = dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim", "d_ff"), 32) | {"d_kv": 8, "d_model": 16}
SIZES = LAYERS | WIDTHS | dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads", "num_heads"), 2)


def made(model="tiny-pointer", **options):
    config = Seq2SeqConfig(**{"model": str(model), "vocabulary": 400, "max_source": 40, "max_target": 40, **options})
    return Seq2Seq.create(config, lambda: iter(ROWS), seed=3)


@pytest.fixture(scope="module", params=CLASSES)
def checkpoint(request, tmp_path_factory):
    """A folder as the hub has it, with random weights."""
    folder = tmp_path_factory.mktemp(request.param)
    config, model = CLASSES[request.param]
    tokenizer = tokenizers.trained_tokenizer((row["inputs"] for row in ROWS), 300)
    tokenizer.save_pretrained(folder)
    known = {k: v for k, v in SIZES.items() if k in config().to_dict()}
    torch.manual_seed(1)
    special = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": None}
    model(config(vocab_size=len(tokenizer), **special, **known)).save_pretrained(folder)
    return folder


def test_a_checkpoint_of_transformers_is_trained_and_saved(checkpoint, tmp_path):
    output = tmp_path / "run"
    done = ran(
        tiny(copy_task(tmp_path / "data", 100), output, model=checkpoint, vocabulary=None, steps=4, score="exact")
    )
    assert done.returncode == 0, done.stderr
    task = load_task(output / "model")
    before = transformers.AutoModelForSeq2SeqLM.from_pretrained(checkpoint).state_dict()
    after = task.module.state_dict()
    assert before.keys() == after.keys() and any(not torch.equal(before[n], after[n]) for n in before)
    assert transformers.AutoModelForSeq2SeqLM.from_pretrained(output / "model").config.d_model == 16
    assert len(task.predict(ROWS[:3])) == 3
    card = (output / "model" / "README.md").read_text()
    assert f"beginning with the weights of `{checkpoint.name}`" in card and str(tmp_path) not in card


def test_a_checkpoint_of_a_stranger_runs_no_code_and_makes_no_weights_up(checkpoint, tmp_path, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    for number, (spoil, said) in enumerate(hostile_models.ATTACKS.values()):
        copy = shutil.copytree(checkpoint, tmp_path / str(number))
        spoil(copy, tmp_path / "trace")
        with pytest.raises(SettingsError, match=said) as raised:
            made(copy, vocabulary=32000)
        assert "\n" not in str(raised.value) and not (tmp_path / "trace").exists()


def test_the_loss_is_that_of_transformers(checkpoint):
    task = made(checkpoint, vocabulary=32000)
    batch = task.collate(ROWS[:5])
    task.module.eval()
    theirs = task.module(input_ids=batch["source"], attention_mask=batch["mask"], labels=batch["labels"]).loss
    loss = task.loss(batch)
    assert torch.allclose(loss.total / loss.weight, theirs, rtol=1e-5)
    assert loss.weight == sum(len(task.tokenizer(row["targets"])["input_ids"]) for row in ROWS[:5])


def test_label_smoothing_is_that_of_pytorch():
    plain, smooth = made(), made(label_smoothing=0.1)
    batch = plain.collate(ROWS[:5])
    logits, _ = plain.logits(batch)
    theirs = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), batch["labels"].flatten(), ignore_index=-100, label_smoothing=0.1, reduction="sum"
    )
    loss = smooth.loss_of(logits, None, batch["labels"])
    assert torch.allclose(loss.total, theirs) and torch.allclose(loss.sums["nll"], plain.loss(batch).total)


@pytest.mark.parametrize("model", ["tiny", "tiny-pointer"])
def test_a_saved_model_is_the_same(tmp_path, model):
    task = made(model)
    task.decoding = DecodingConfig(beams=2, max_tokens=7)
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        save_task(task, folder)
    assert {f.name: f.read_bytes() for f in folders[0].iterdir()} == {
        f.name: f.read_bytes() for f in folders[1].iterdir()
    }
    again = load_task(folders[0])
    assert isinstance(again, Seq2Seq) and again.decoding == task.decoding and again.fingerprint() == task.fingerprint()
    for name, tensor in task.module.state_dict().items():
        assert torch.equal(tensor, again.module.state_dict()[name])
    assert again.predict(ROWS[:4]) == task.predict(ROWS[:4])
    assert is_trained_here(str(folders[0])) and kind_of(str(folders[0])) == "seq2seq"
    assert str(tmp_path) not in (folders[0] / "seq2seq.json").read_text()


def test_a_folder_that_is_not_whole_is_refused(tmp_path):
    task = made()
    spoiled = {"seq2seq.json": b"{", "model.safetensors": b"short", "pointer_generator.json": b"{}"}
    for name, content in {**spoiled, "kind.json": None, "tokenizer.json": None}.items():
        folder = tmp_path / name
        folder.mkdir()
        save_task(task, folder)
        (folder / name).unlink()
        if content is not None:
            (folder / name).write_bytes(content)
        with pytest.raises(TrainingError, match=str(folder)):
            load_task(folder)
    other = tmp_path / "other"
    other.mkdir()
    save_task(task, other)
    tokenizers.trained_tokenizer(["quite other words"], 300).save_pretrained(other)
    with pytest.raises(TrainingError, match="not the one used to train the model"):
        load_task(other)


def test_the_presets_have_the_sizes_of_the_papers():
    counts = {}
    with torch.device("meta"):
        for name, vocabulary in (("t5-small", 32128), ("t5-base", 32128), ("discofuse", 32000)):
            network = fresh(read_sizes(presets()[name]), vocabulary, {"pad": 0, "end": 1}, "sdpa")
            counts[name] = sum(p.numel() for p in network.module.parameters())
    assert counts["t5-small"] == 60_506_624  # as T5 has it
    assert counts["t5-base"] == 222_903_552
    assert 150e6 < counts["discofuse"] < 220e6


def test_wrong_sizes_are_refused(tmp_path):
    file = tmp_path / "mine.yaml"
    for text, message in {
        "d_model: 3": "set `architecture` to one of",
        "architecture: t6": "set `architecture` to one of t5, bart, pegasus, pointer-generator",
        "architecture: t5\nd_modle: 3": "t5 has no setting 'd_modle'",
        "architecture: pointer-generator\nhiden: 3": "hiden",
        "a: [": "is not YAML",
    }.items():
        file.write_text(text)
        with pytest.raises(SettingsError, match=message):
            made(file)


@given(st.text(max_size=60))
def test_a_trained_tokenizer_gives_every_text_back(text):
    tokenizer = _shared_tokenizer()
    ids = tokenizer(text)["input_ids"]
    assert ids[-1] == tokenizer.eos_token_id
    special = (tokenizers.PAD, tokenizers.EOS, tokenizers.UNK)
    if not any(token in text for token in special):
        assert tokenizer.decode(ids, skip_special_tokens=True) == text


@cache
def _shared_tokenizer():
    return tokenizers.trained_tokenizer((row["inputs"] for row in ROWS), 300)


def test_a_trained_tokenizer_depends_on_the_texts_alone():
    digests = {tokenizers.digest(tokenizers.trained_tokenizer((r["inputs"] for r in ROWS), 350)) for _ in range(2)}
    assert len(digests) == 1
    used = tokenizers.trained_tokenizer((r["inputs"] for r in ROWS), 350)
    used(["a", "b c"], padding=True, truncation=True, max_length=2)
    assert {tokenizers.digest(used)} == digests
    assert tokenizers.digest(tokenizers.trained_tokenizer((r["inputs"] for r in ROWS[:5]), 350)) not in digests


def test_long_texts_are_cut_and_keep_their_end():
    task = made(max_source=5, max_target=4)
    row = {"id": "a", "inputs": "bal " * 50, "targets": "bal " * 50}
    assert task.length(row) == 9
    assert row["_source"][-1] == row["_target"][-1] == task.tokenizer.eos_token_id
    batch = task.collate([row])
    assert batch["written"][0, 0] == task.network.start and batch["tokens"] == 9
    assert batch["written"][0, 1:4].tolist() == batch["labels"][0, :3].tolist()


def test_padding_changes_nothing():
    for model in ("tiny", "tiny-pointer"):
        task = made(model)
        task.module.eval()
        rows = sorted(ROWS[:8], key=lambda row: len(row["inputs"]))
        alone = [task.loss(task.collate([row])).total for row in rows]
        assert torch.allclose(torch.stack(alone).sum(), task.loss(task.collate(rows)).total, rtol=1e-4)


@pytest.mark.parametrize("model", ["tiny", "tiny-pointer"])
def test_decoding_obeys_its_settings(model):
    task = made(model)
    plain = task.predict(ROWS[:6])
    assert plain == task.predict(ROWS[:6]) and task.module.training
    for beams in (1, 3):
        task.decoding = DecodingConfig(beams=beams, min_tokens=6, max_tokens=9, no_repeat_ngram=2)
        ids, mask = task.sources([task.source_ids(row["inputs"]) for row in ROWS[:6]])
        task.module.eval()
        for found in task.network.generate(ids, mask, task.decoding, 40):
            written = [token for token in found if token > 1]
            assert 5 <= len(written) <= 9
            pairs = list(itertools.pairwise(written))
            assert len(set(pairs)) == len(pairs)
        task.module.train()


def test_the_prefix_and_the_columns_are_read():
    task = made(prefix="say: ", source_column="targets", target_column="inputs")
    assert task.columns == ("targets", "inputs")
    assert task.tokenizer.decode(task.source_ids("x"), skip_special_tokens=True) == "say: x"


def test_predictions_of_a_file_and_a_dataset_are_in_order(tmp_path):
    place, output = copy_task(tmp_path / "data", 100), tmp_path / "run"
    assert ran(tiny(place, output, steps=2, device="cpu")).returncode == 0
    model = str(output / "model")
    file, tsv = tmp_path / "rows.jsonl", tmp_path / "rows.tsv"
    rows = [{"inputs": row["inputs"] * (1 + n % 3)} for n, row in enumerate(ROWS)]
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    tsv.write_text("inputs\tother\n" + "".join(f"{row['inputs']}\t\n" for row in rows))
    for dataset, number in ((str(file), "jsonl"), (str(tsv), "tsv"), (place, "test")):
        arguments = ["predict", "--model", model, "--dataset", dataset, "--output", str(tmp_path / number)]
        done = ran([*arguments, "--beams", "1", "--batch-rows", "7", "--max-tokens", "5", "--device", "cpu"])
        assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in (tmp_path / "jsonl").read_text().splitlines()]
    assert [row["id"] for row in found] == [str(n) for n in range(60)]
    assert (tmp_path / "jsonl").read_bytes() == (tmp_path / "tsv").read_bytes()
    task = load_task(output / "model")
    assert isinstance(task, Seq2Seq)
    task.decoding = replace(task.decoding, beams=1, max_tokens=5)
    assert [row["prediction"] for row in found] == [task.predict([row])[0] for row in rows]
    assert len((tmp_path / "test").read_text().splitlines()) == 60


def test_rows_that_cannot_be_predicted_are_named(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    save_task(made(), model)
    for name, text, code, message in (
        ("a.jsonl", "{", 1, "a.jsonl, line 1: invalid JSON"),
        ("a.jsonl", "[1]", 1, "line 1: expected an object"),
        ("a.jsonl", '{"input": "x"}', 2, "no column 'inputs'; did you mean input?"),
        ("a.jsonl", '{"inputs": 3}', 1, "row 0 contains no text"),
        ("a.tsv", "x\ty\n1\t2\n", 2, "no column 'inputs'"),
        ("none.jsonl", None, 2, "No such file"),
    ):
        if text is not None:
            (tmp_path / name).write_text(text)
        places = ["--model", model, "--dataset", tmp_path / name, "--output", tmp_path / "p"]
        done = ran(["predict", *map(str, places)])
        assert done.returncode == code and message in done.stderr and done.stderr.count("\n") == 1, done.stderr
        assert not (tmp_path / "p").exists()


def test_ids_are_those_of_the_tokenizer(checkpoint):
    task = made(checkpoint, vocabulary=32000)
    for row in ROWS[:10]:
        assert task.source_ids(row["inputs"]) == task.tokenizer(row["inputs"])["input_ids"]


def test_tokens_are_judged_as_the_loss_does(tmp_path):
    task = made()
    task.module.eval()
    loss, judged = task.loss(task.collate(ROWS[:7])), task.judge(ROWS[:7])
    assert sum(sum(likelihoods) for _, likelihoods in judged) == pytest.approx(-loss.sums["nll"].item(), rel=1e-5)
    assert sum(sum(right) for right, _ in judged) == loss.sums["accuracy"]
    assert sum(len(right) for right, _ in judged) == loss.weight


def test_next_tokens_are_scored_from_a_file(checkpoint, tmp_path):
    place, file = copy_task(tmp_path / "data", 60), tmp_path / "p.jsonl"
    arguments = ["predict", "--model", str(checkpoint), "--dataset", place, "--output", str(file), "--beams", "1"]
    done = ran(
        [*arguments, "--max-tokens", "4", "--max-source", "40", "--tokens"]
    )  # a folder that was not trained here
    assert done.returncode == 0, done.stderr
    done = ran(["evaluate", "--predictions", str(file), "--dataset", place, "--metrics", "tokens", "--samples", "0"])
    assert done.returncode == 0 and "perplexity" in done.stdout, done.stderr


def gradients_of(form, *, bf16):
    """The loss and the gradients of a small T5 in one of its forms."""
    task = made("tiny")
    state = {name: tensor.clone() for name, tensor in task.module.state_dict().items()}
    if form == "fused":
        task.fuse()
    elif form == "fewer states":
        keep_fewer_states(task.module)
    assert any("FusedNorm" in type(part).__name__ for part in task.module.modules()) == (form == "fused")
    assert task.module.is_activation_checkpointing == (form == "fewer states")
    assert all(torch.equal(tensor, task.module.state_dict()[name]) for name, tensor in state.items())
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
        loss = task.loss(task.collate(ROWS[:6]))
    loss.total.backward()
    return loss.total.detach(), torch.cat([p.grad.flatten() for p in task.module.parameters() if p.grad is not None])


@pytest.mark.parametrize("form", ["fused", "fewer states"])
def test_a_form_for_a_gpu_computes_the_same_but_for_rounding(form):
    loss, exact = gradients_of("plain", bf16=False)
    formed_loss, formed = gradients_of(form, bf16=False)
    assert torch.allclose(loss, formed_loss, rtol=1e-5)
    assert (formed - exact).norm() < 1e-5 * exact.norm()
    _, rounded = gradients_of("plain", bf16=True)
    _, formed = gradients_of(form, bf16=True)
    assert (formed - exact).norm() < 1.2 * (rounded - exact).norm()
