"""Encoders of other architectures than BERT, made on the spot with random weights and tokenizers of their kind."""

import json
import shutil

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from gistmill.training.errors import SettingsError
from gistmill.training.exports.tagger import export_tagger
from gistmill.training.tagger.network import LowRank
from gistmill.training.tagger.task import Tagger
from tests import hostile_models
from tests.training.made import publish, ran
from tests.training.tagger.making import make_bert, make_rows
from tests.training.tagger.test_task import create, train

BERTS, ROBERTAS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
TEXTS = [row[name] for row in make_rows() for name in ("inputs", "targets", "incoherent_first_sentence")]
WIDE = {"hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 64}
PLACES = {"max_position_embeddings": 64}
RELATIVE = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_biased_input": False}
DISTIL = {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64}
ROBERTA = {"max_position_embeddings": 66, "type_vocab_size": 1, "pad_token_id": 1}
KINDS = {
    "roberta": (transformers.RobertaConfig, {**WIDE, **ROBERTA}, "bytes", ROBERTAS),
    "distilbert": (transformers.DistilBertConfig, {**DISTIL, **PLACES}, "words", BERTS),
    "electra": (transformers.ElectraConfig, {**WIDE, **PLACES, "embedding_size": 16}, "words", BERTS),
    "deberta-v2": (
        transformers.DebertaV2Config,
        {**WIDE, **PLACES, **RELATIVE, "share_att_key": True},
        "unigram",
        BERTS,
    ),
    "modernbert": (
        transformers.ModernBertConfig,
        {**WIDE, **PLACES, "pad_token_id": 0, "cls_token_id": 2, "sep_token_id": 3},
        "bytes",
        BERTS,
    ),
}


def make_tokenizer(kind, special):
    """A tokenizer of the kind that an architecture has."""
    if kind == "bytes":
        tokenizer, trainer = Tokenizer(models.BPE()), trainers.BpeTrainer
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        options = {"initial_alphabet": pre_tokenizers.ByteLevel.alphabet(), "vocab_size": 340}
    elif kind == "unigram":
        tokenizer, trainer = Tokenizer(models.Unigram()), trainers.UnigramTrainer
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        options = {"unk_token": "[UNK]", "vocab_size": 90}
    else:
        tokenizer, trainer = Tokenizer(models.WordPiece(unk_token="[UNK]")), trainers.WordPieceTrainer
        tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
        options = {"vocab_size": 120}
    tokenizer.train_from_iterator(TEXTS, trainer(special_tokens=list(special), show_progress=False, **options))
    return tokenizer


def make_encoder(folder, name):
    config_class, sizes, kind, special = KINDS[name]
    tokenizer = make_tokenizer(kind, special)
    torch.manual_seed(0)
    config = config_class(vocab_size=tokenizer.get_vocab_size(), **sizes)
    transformers.AutoModel.from_config(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)


@pytest.fixture(scope="module", params=KINDS)
def encoder(request, tmp_path_factory):
    return make_encoder(tmp_path_factory.mktemp(request.param), request.param)


@pytest.mark.parametrize("rank", [None, 4])
def test_a_tagger_learns_with_any_encoder_and_is_read_again(encoder, rank, tmp_path):
    rows = make_rows()
    task = create(encoder, rank=rank)
    before = {name: p.clone() for name, p in task.network.encoder.bert.named_parameters()}
    losses = train(task, make_rows(), 60)
    assert losses[-1] < 0.5 * losses[0]
    changed = [name for name, p in task.network.encoder.bert.named_parameters() if not torch.equal(p, before[name])]
    assert changed and (rank is None or all(name.endswith((".up", ".down")) for name in changed))
    assert (sum(isinstance(part, LowRank) for part in task.module.modules()) > 0) == (rank is not None)
    task.save(tmp_path)
    again = Tagger.load(tmp_path)
    assert again.predict(rows) == task.predict(rows) and again.fingerprint() == task.fingerprint()
    with pytest.raises(SettingsError, match="a tagger whose encoder is .* cannot be exported"):
        export_tagger(task, tmp_path)


def test_an_encoder_of_a_stranger_runs_no_code_and_makes_no_weights_up(encoder, tmp_path, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    for number, (spoil, said) in enumerate(hostile_models.ATTACKS.values()):
        copy = shutil.copytree(encoder, tmp_path / str(number))
        spoil(copy, tmp_path / "trace")
        with pytest.raises(SettingsError, match=said) as raised:
            create(str(copy))
        assert "\n" not in str(raised.value) and not (tmp_path / "trace").exists()


def test_padding_changes_nothing(encoder):
    task = create(encoder)
    short = task.codec.encode(*(make_rows()[0][c].split() for c in task.columns[1:3]))
    long = task.codec.encode(["a"] * 10, ["b"] * 10)
    alone, together = task.states([short])[0], task.states([short, long])[0]
    assert np.allclose(alone, together, atol=1e-4)


def test_the_longest_sentences_are_read(encoder):
    task = create(encoder, longest=256)
    assert task.codec.longest == 64  # a RoBERTa has 66 positions, of which two are none
    count = next(n for n in range(30, 0, -1) if len(task.codec._pieces("a")) * 2 * n + 3 <= 64)
    (states,) = task.states([task.codec.encode(["a"] * count, ["a"] * count)])
    assert states.shape == (2 * count + 2, 32) and np.isfinite(states).all()


def test_words_have_the_pieces_that_they_have_in_a_text(encoder):
    pieces = create(encoder).pieces
    text = " ".join(words := ["Anna", "slept", "late", "Bob"])
    whole = pieces.tokenizer.encode(f" {text}", add_special_tokens=False).ids
    assert [number for word in words for number in pieces(word)] == whole


@pytest.mark.parametrize("name", [n if not i else pytest.param(n, marks=pytest.mark.slow) for i, n in enumerate(KINDS)])
def test_from_fit_to_predict(tmp_path, name):
    rows = make_rows()
    place, run, found = publish(tmp_path / "data", {"train": rows, "test": rows}), tmp_path / "run", tmp_path / "p"
    (tmp_path / "encoder").mkdir()
    made = make_encoder(tmp_path / "encoder", name)
    options = ["--encoder", made, "--epochs", "2", "--batch-rows", "8", "--device", "cpu", "--cache", str(tmp_path)]
    done = ran(["fit", "--model", "tagger", "--datasets", place, "--output", str(run), *options])
    assert done.returncode == 0, done.stderr
    model = ["--model", str(run / "model"), "--dataset", place, "--output", str(found), "--device", "cpu"]
    done = ran(["predict", *model])
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["id"] for line in found.read_text().splitlines()] == [row["id"] for row in rows]
    done = ran(["export", "--model", str(run / "model"), "--output", str(tmp_path / "exported")])
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f"whose encoder is {name} cannot be exported" in done.stderr
    assert not (tmp_path / "exported").exists()


def test_what_cannot_be_an_encoder_is_one_line(tmp_path):
    one_way = transformers.GPT2Config(vocab_size=44, n_embd=32, n_layer=1, n_head=2)
    both = transformers.BartConfig(vocab_size=44, d_model=32, encoder_layers=1, decoder_layers=1)
    images = transformers.ViTConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
    make_bert(tmp_path)
    for config, message in (
        (one_way, "gpt2 reads in one direction, and a tagger needs both"),
        (both, "expected an encoder, and bart has a decoder too"),
        (images, "vit reads no word pieces"),
    ):
        (tmp_path / "model.safetensors").unlink()
        transformers.AutoModel.from_config(config).save_pretrained(tmp_path)
        with pytest.raises(SettingsError) as caught:
            create(str(tmp_path))
        assert message in str(caught.value) and "\n" not in str(caught.value)
    make_bert(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    transformers.CanineTokenizer().save_pretrained(tmp_path)
    with pytest.raises(SettingsError, match="CanineTokenizer is not a tokenizer of the fast kind"):
        create(str(tmp_path))


def test_layers_that_share_their_maps_get_no_additions(tmp_path):
    make_bert(tmp_path)
    config = transformers.AlbertConfig(vocab_size=90, embedding_size=16, **WIDE)
    transformers.AutoModel.from_config(config).save_pretrained(tmp_path)
    create(str(tmp_path))
    with pytest.raises(SettingsError, match="--rank: albert has no module for each layer"):
        create(str(tmp_path), rank=2)
