import copy
import json
import shutil
import weakref

import numpy as np
import pytest
import torch
import transformers

from gistmill.rules.fusion.edits import KEEP
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.tagger.config import DecodingConfig, TaggerConfig
from gistmill.training.tagger.network import MAPS
from gistmill.training.tagger.rows import example
from gistmill.training.tagger.task import Tagger
from tests import hostile_models
from tests.training.made import publish
from tests.training.tagger.making import make_bert, make_row, make_rows


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"))


def create(bert, rows=None, **options):
    config = TaggerConfig(model="tagger", encoder=bert, **{"dropout": 0.0, **options})
    found = make_rows() if rows is None else rows
    return Tagger.create(config, lambda: iter(copy.deepcopy(found)), seed=3)


def train(task, rows, steps, learning_rate=3e-3):
    optimiser = torch.optim.AdamW(task.parameter_groups(0.0, learning_rate))
    task.module.train()
    losses = []
    for _ in range(steps):
        loss = task.loss(task.collate(rows))
        optimiser.zero_grad()
        (loss.total / loss.weight).backward()
        optimiser.step()
        losses.append(float(loss.total.detach() / loss.weight))
    return losses


@pytest.mark.parametrize("rank", [None, 4])
def test_it_learns_twenty_rows_by_heart(bert, rank):
    rows = make_rows()
    task = create(bert, rank=rank)
    losses = train(task, copy.deepcopy(rows), 250)
    assert losses[-1] < 0.05 * losses[0]
    assert task.predict(rows) == [row["targets"] for row in rows]


def test_rows_without_edits_of_their_own_are_aligned(bert):
    rows = [{k: v for k, v in row.items() if k != "edits"} for row in make_rows()]
    aligned = create(bert, rows)
    assert "edits" not in aligned.columns and "coherent_first_sentence" in aligned.columns
    known = create(bert)
    assert "edits" in known.columns and "coherent_first_sentence" not in known.columns
    assert aligned.labels == known.labels


def test_the_word_pieces_and_the_encoder_under_additions_stay_as_they_are(bert):
    task = create(bert, rank=2)
    before = {name: p.clone() for name, p in task.module.named_parameters()}
    train(task, make_rows(), 3)
    changed = {name for name, p in task.module.named_parameters() if not torch.equal(p, before[name])}
    encoder = {name for name in changed if name.startswith("encoder.bert.")}
    assert encoder and all(name.endswith((".up", ".down")) for name in encoder)
    assert {name.rpartition(".")[0].partition("layer.0.")[2] for name in encoder if "layer.0." in name} == set(MAPS)
    whole = create(bert)
    before = whole.module.encoder.bert.embeddings.word_embeddings.weight.clone()
    train(whole, make_rows(), 3)
    assert torch.equal(whole.module.encoder.bert.embeddings.word_embeddings.weight, before)


def test_heads_begin_at_the_frequencies(bert):
    task = create(bert)
    batch = task.collate(make_rows())
    states = torch.zeros(1, 5, task.network.encoder.width)
    operations, phrases = task.network.heads.tags(states, torch.tensor([0]), torch.tensor([0]))
    labels = batch["operations"][batch["operations"] >= 0]
    share = float((labels == task.labels.operations.index(KEEP)).float().mean())
    assert float(operations.detach().softmax(-1)[0, 0, 0]) == pytest.approx(share, abs=0.1)
    assert float(phrases.detach().softmax(-1)[0, 0, 0]) > 0.7


def test_the_heads_in_numpy_are_those_of_torch(bert):
    task = create(bert)
    train(task, make_rows(), 3)
    task.module.eval()
    batch = task.collate(make_rows()[:1])
    encoded = task.codec.encode(*(make_rows()[0][c].split() for c in task.columns[1:3]))
    (states,) = task.states([encoded])
    heads = task.decoder().heads
    with torch.inference_mode():
        found = task.network.states(batch)
        assert np.allclose(states, found[0].numpy(), atol=1e-5)
        torch_heads = task.network.heads
        plan, moved = torch.tensor([2]), torch.tensor([1])
        expected = [
            torch_heads.plans(found, batch["first"], batch["second"])[0],
            torch_heads.moves(found, plan, batch["first"])[0, : encoded.n + 1],
            *(x[0] for x in torch_heads.tags(found, plan, moved)),
        ]
    operations, phrases = heads.tags(states, 2, True)
    for ours, theirs in zip(
        [heads.plans(states, encoded.n), heads.moves(states, encoded.n, 2), operations, phrases], expected, strict=True
    ):
        assert np.allclose(ours, theirs.log_softmax(-1).numpy()[: len(ours)], atol=1e-4)


def test_padding_changes_nothing(bert):
    task = create(bert)
    rows = make_rows()
    long = task.codec.encode(["a"] * 20, ["b"] * 20)
    short = task.codec.encode(*(rows[0][c].split() for c in task.columns[1:3]))
    alone, together = task.states([short])[0], task.states([short, long])[0]
    assert np.allclose(alone, together, atol=1e-5)
    losses = [float(task.loss(task.collate(part)).total.detach()) for part in (rows[:1], rows[1:], rows)]
    assert losses[0] + losses[1] == pytest.approx(losses[2], rel=1e-4)


def test_the_same_seed_gives_the_same_task(bert):
    first, second = create(bert, rank=2).module.state_dict(), create(bert, rank=2).module.state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_what_is_saved_is_loaded(bert, tmp_path):
    task = create(bert, rank=2)
    task.prior = {**task.prior, "PAIR_NONE": -1.5}
    train(task, make_rows(), 3)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        task.save(tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
    loaded = Tagger.load(tmp_path / "one")
    assert loaded.predict(make_rows()) == task.predict(make_rows())
    assert (loaded.labels, loaded.prior, loaded.columns) == (task.labels, task.prior, task.columns)
    assert loaded.fingerprint() == task.fingerprint()
    state, kept = loaded.module.state_dict(), task.module.state_dict()
    assert state.keys() == kept.keys() and all(torch.equal(state[n], kept[n]) for n in kept)


@pytest.mark.parametrize("name", ["tagger.json", "model.safetensors", "config.json", "tokenizer.json"])
def test_a_broken_folder_gives_one_line(bert, tmp_path, name):
    create(bert).save(tmp_path)
    file = tmp_path / name
    whole = file.read_bytes()
    for content in None, whole[: len(whole) // 2], b"", b"[1, 2]":
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(TrainingError) as caught:
            Tagger.load(tmp_path)
        assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)
        file.touch()


def test_labels_of_another_tagger_are_noticed(bert, tmp_path):
    create(bert).save(tmp_path)
    described = json.loads((tmp_path / "tagger.json").read_text())
    described["labels"]["phrases"][1] = "meanwhile ,"
    (tmp_path / "tagger.json").write_text(json.dumps(described))
    with pytest.raises(TrainingError, match="not those used to train the tagger"):
        Tagger.load(tmp_path)


def test_an_encoder_has_to_have_its_tokenizer(tmp_path):
    with pytest.raises(SettingsError, match="--encoder .* cannot be loaded"):
        create(str(tmp_path / "nothing"))
    (tmp_path / "odd").mkdir()
    with pytest.raises(TrainingError, match=r"the tokenizer lacks \[SEP\], which a tagger needs"):
        create(make_bert(tmp_path / "odd", special=("[PAD]", "[UNK]", "[CLS]", "[END]", "[MASK]")))
    (tmp_path / "bare").mkdir()
    make_bert(tmp_path / "bare")
    (tmp_path / "bare" / "tokenizer.json").write_text("{")
    with pytest.raises(SettingsError, match="its tokenizer cannot be loaded"):
        create(str(tmp_path / "bare"))


def test_what_cannot_be_an_encoder_is_one_line(tmp_path):
    wide = {"vocab_size": 44, "hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 1}
    make_bert(tmp_path)
    for config in transformers.RobertaConfig(**wide), transformers.BertConfig(**wide, is_decoder=True):
        (tmp_path / "model.safetensors").unlink()
        transformers.AutoModel.from_config(config).save_pretrained(tmp_path)
        with pytest.raises(SettingsError, match="a tagger requires a bidirectional BERT model"):
            create(str(tmp_path))
    make_bert(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    transformers.CanineTokenizer().save_pretrained(tmp_path)
    with pytest.raises(SettingsError, match="a fast tokenizer is required, not CanineTokenizer"):
        create(str(tmp_path))


def test_an_encoder_of_a_stranger_runs_no_code_and_makes_no_weights_up(bert, tmp_path, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    for number, (spoil, said) in enumerate(hostile_models.ATTACKS.values()):
        copied = shutil.copytree(bert, tmp_path / str(number))
        spoil(copied, tmp_path / "trace")
        with pytest.raises(SettingsError, match=said) as raised:
            create(str(copied))
        assert "\n" not in str(raised.value) and not (tmp_path / "trace").exists()


def test_a_tagger_of_another_encoder_is_one_line(bert, tmp_path):
    """Earlier versions saved such ones."""
    create(bert).save(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "model_type": "roberta"}))
    with pytest.raises(TrainingError, match="its encoder must be a BERT model, not roberta"):
        Tagger.load(tmp_path)


def test_the_longest_sentences_are_read(bert):
    task = create(bert, longest=256)
    assert task.codec.longest == 96
    (states,) = task.states([task.codec.encode(["a"] * 46, ["a"] * 47)])
    assert states.shape == (95, 32) and np.isfinite(states).all()


def test_rows_that_cannot_be_learnt_are_left_out(bert):
    rows = make_rows()
    rows.append(make_row("long", "PAIR_NONE", "a " * 200 + ".", "b .", "a " * 200 + ". b ."))
    rows.append(make_row("rare", "PAIR_CONN", "a b .", "c d .", "a b . Strangely c d ."))
    task = create(bert, rows)
    assert len(task.collate(rows)["ids"]) == 20
    assert task.predict(rows[-2:-1]) == [rows[-2]["inputs"]]
    empty = task.collate(rows[-1:])
    loss = task.loss(empty)
    loss.total.backward()
    assert int(loss.weight) == int(empty["tokens"]) == 0
    assert all(p.grad is not None and not p.grad.any() for p in task.module.parameters() if p.requires_grad)


def test_edits_of_natural_text_with_typographic_marks_are_learnt_as_tokens():
    row = make_row(1, "SINGLE_S_COORD", "Anna 's here .", "She ran .", "Anna 's here -- but she ran .")
    marked = {**row, "edits": [edit.replace("--", "—") for edit in row["edits"]]}
    assert marked["edits"] != row["edits"]
    assert example(marked, known_edits=True) == example(row, known_edits=True)


def test_unchanged_rows_are_thinned_by_their_text(bert):
    rows = [make_row(i, "PAIR_NONE", f"a{i} .", f"b{i} .", f"a{i} . b{i} .") for i in range(400)]
    rows += make_rows()
    task = create(bert, rows, unchanged=0.25)
    kept = len(task.collate(rows)["ids"]) - 16
    assert 60 < kept < 140
    assert task.collate(rows[:50])["ids"].shape == task.collate(rows[:50])["ids"].shape


def test_rows_of_another_dataset_give_one_line(bert):
    with pytest.raises(TrainingError, match="a tagger needs rows from a DiscoFuse dataset"):
        create(bert, [])
    with pytest.raises(TrainingError, match="a tagger needs rows from a DiscoFuse dataset"):
        create(bert, [{"id": "x", "inputs": "a b", "targets": "a"}])
    broken = [{**make_rows()[0], "edits": ["5 eat"]}]
    with pytest.raises(TrainingError, match="row row-0-0: '5 eat' is not an edit"):
        create(bert, broken)
    empty = [{**make_rows()[0], "incoherent_second_sentence": " "}]
    with pytest.raises(TrainingError, match="row row-0-0: a sentence is missing or empty"):
        create(bert, empty)


class Counted(dict):
    """A row that can be counted as long as somebody keeps it."""

    __slots__ = ("__weakref__",)
    __hash__ = object.__hash__  # type: ignore[assignment]  # each row is one of its own


@pytest.mark.parametrize("known_edits", [True, False])
def test_rows_are_not_kept_while_labels_are_fitted(bert, known_edits):
    kept, most = weakref.WeakSet(), 0

    def rows():
        nonlocal most
        for row in make_rows() * 5:
            kept.add(counted := Counted(row if known_edits else {**row, "edits": None}))
            most = max(most, len(kept))
            yield counted
            del counted

    config = TaggerConfig(model="tagger", encoder=bert)
    task = Tagger.create(config, rows, seed=3)
    assert most <= 2 and len(task.labels.phrases) > 1


def test_rows_of_which_all_need_rare_phrases_give_one_line(bert):
    with pytest.raises(TrainingError, match="no row can be used for training"):
        create(bert, [row for row in make_rows() if row["discourse_type"] == "SINGLE_S_COORD"], phrase_rows=1000)


def test_predictions_follow_the_decoding(bert):
    task = create(bert)
    rows = make_rows()
    task.decoding = DecodingConfig(told_type=True)
    plans = [f.plan for f in task.fusions(rows)]
    assert plans == [row["discourse_type"] for row in rows]
    task.decoding = DecodingConfig(caution=100.0)
    assert task.predict(rows) == [row["inputs"] for row in rows]
    task.decoding = DecodingConfig()
    task.prior = {plan: 100.0 if plan == "SINGLE_S_COORD" else 0.0 for plan in task.labels.plans}
    assert {f.plan for f in task.fusions(rows)} == {"SINGLE_S_COORD"}


def test_the_prior_compares_the_rows_to_learn_with_those_of_other_datasets(bert, tmp_path):
    rows = make_rows()
    unchanged = [make_row(i, "PAIR_NONE", f"a{i} .", f"b{i} .", f"a{i} . b{i} .") for i in range(6)]
    fewer = publish(tmp_path / "prior", {"train": rows[:5]})
    task = create(bert, [*rows, *unchanged], prior=[f"{fewer}#full"])
    here, there = [*rows, *unchanged], rows[:5]
    for plan in task.labels.plans:
        shares = [(1 + sum(row["discourse_type"] == plan for row in part)) / (5 + len(part)) for part in (there, here)]
        assert task.prior[plan] == pytest.approx(np.log(shares[0] / shares[1]), abs=1e-4)
    more = publish(tmp_path / "more", {"train": unchanged})
    both = create(bert, [*rows, *unchanged], prior=[fewer, more])
    assert both.prior["PAIR_NONE"] == pytest.approx(np.log((1 + 7) / (5 + 11) / ((1 + 10) / (5 + 26))), abs=1e-4)
    thinned = create(bert, [*rows, *unchanged], unchanged=0.0, prior=[fewer])
    assert thinned.prior["PAIR_NONE"] > 0
    assert not any(create(bert, rows).prior.values())


def test_what_is_saved_names_no_dataset_of_the_prior(bert, tmp_path):
    fewer = publish(tmp_path / "prior", {"train": make_rows()[:5]})
    create(bert, make_rows(), prior=[fewer]).save(tmp_path)
    assert str(tmp_path / "prior") not in (tmp_path / "tagger.json").read_text(encoding="utf-8")


def test_a_further_training_fits_the_prior_anew(bert, tmp_path):
    rows, fewer = make_rows(), publish(tmp_path / "prior", {"train": make_rows()[:5]})
    task = create(bert, [*rows, *[row for row in rows if row["discourse_type"] == "PAIR_NONE"]], prior=[fewer])
    assert task.prior["PAIR_NONE"] < 0
    task.adapt(TaggerConfig(model="x", prior=[fewer]), lambda: iter(copy.deepcopy(rows)))
    assert not any(task.prior.values())
    task.prior = {**task.prior, "PAIR_NONE": 1.0}
    task.adapt(TaggerConfig(model="x"), lambda: iter(()))
    assert not any(task.prior.values())


def test_a_prior_without_such_rows_gives_one_line(bert, tmp_path):
    with pytest.raises(SettingsError, match="nowhere"):
        create(bert, prior=[str(tmp_path / "nowhere")])
    others = publish(tmp_path / "prior", {"train": [{"id": "1", "inputs": "a", "targets": "b"}]})
    with pytest.raises(TrainingError, match="discourse_type"):
        create(bert, prior=[others])
    with pytest.raises(ValueError, match="prior: remove the weights from the datasets"):
        TaggerConfig(model="tagger", prior=["a@2"])
