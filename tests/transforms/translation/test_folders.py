"""Models that translate, with random weights, as they lie in folders. They run where torch is: `make test-train`."""

import json
import re
import shutil
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmill
from gistmill.core.extras import install_extra
from gistmill.rules.augmentation.round_trip import TranslationError
from gistmill.transforms.installed import PackageError
from gistmill.transforms.translation.opening import TranslationConfig, look, look_at, open_folder
from tests import hostile_models
from tests.commands import data_checksums, manifest
from tests.environments import needs_package
from tests.transforms.translation import models

TEXTS = [*models.TEXTS, "Frogs.", "Otters and frogs. They swim."]
needs_torch = needs_package("torch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with one folder for each model."""
    root = tmp_path_factory.mktemp("models")
    models.marian(root / "en-de", seed=1)
    models.marian(root / "de-en", seed=2)
    models.m2m(root / "m2m")
    models.fsmt(root / "fsmt")
    return root


def opened(path, source="en", target="de"):
    return open_folder(str(path), "cpu", source, target, sha256=look_at(str(path))[0]["sha256"])


@needs_torch
@pytest.mark.parametrize("name", ["en-de", "m2m", "fsmt"])
def test_a_sentence_has_its_hypotheses_whatever_stands_beside_it(folder, name):
    translator = opened(folder / name)
    found = translator.translate(TEXTS, count=4)
    assert [len(each) for each in found] == [4] * len(TEXTS)
    assert found == [translator.translate([text], count=4)[0] for text in TEXTS]
    assert found[::-1] == translator.translate(TEXTS[::-1], count=4)
    assert len({text for each in found for text in each}) > 8
    assert not any("__" in text or "</s>" in text for each in found for text in each)


@needs_torch
def test_the_best_hypothesis_is_that_of_the_library(folder):
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    model = AutoModelForSeq2SeqLM.from_pretrained(folder / "en-de")
    tokenizer = AutoTokenizer.from_pretrained(folder / "en-de")
    for text in TEXTS:
        asked = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            made = model.generate(**asked, num_beams=4, max_new_tokens=min(64, 2 * asked["input_ids"].shape[1] + 10))
        assert opened(folder / "en-de").translate([text], count=4)[0][0] == tokenizer.decode(
            made[0], skip_special_tokens=True
        )


@needs_torch
def test_a_model_of_many_languages_is_told_which(folder):
    german, russian, back = (opened(folder / "m2m", *way) for way in (("en", "de"), ("en", "ru"), ("de", "en")))
    assert len({str(each.translate(TEXTS, count=2)) for each in (german, russian, back)}) == 3
    assert len({each.identity for each in (german, russian, back)}) == 3
    with pytest.raises(TranslationError, match="m2m: language 'xx' is not supported; .* include af, am, "):
        opened(folder / "m2m", "en", "xx")


@needs_torch
def test_a_sentence_that_the_model_cannot_read_has_no_hypotheses(folder):
    long = "The old library of the young teacher was cold. " * 9
    found = opened(folder / "en-de").translate(["Frogs.", long, "", "\u2603 \U0001f9a6"], count=2)
    assert [len(each) for each in found] == [2, 0, 2, 2]


@needs_torch
def test_the_identity_is_that_of_the_files(folder, tmp_path):
    first = opened(folder / "en-de").identity
    assert opened(folder / "de-en").identity.split()[0] != first.split()[0]
    copy = shutil.copytree(folder / "en-de", tmp_path / "copy")
    assert opened(copy).identity == first
    config = json.loads((copy / "generation_config.json").read_text())
    (copy / "generation_config.json").write_text(json.dumps({**config, "length_penalty": 2.0}))
    look_at.cache_clear()
    assert opened(copy).identity != first


@needs_torch
def test_a_pair_of_languages_needs_both_folders(folder):
    one, back = str(folder / "en-de"), str(folder / "de-en")
    for options in ({"forward": (one,)}, {"forward": (one,), "backward": (back,), "pivots": ("de", "ru")}):
        config = TranslationConfig(method="round-trip", **{"pivots": ("de",), **options})
        with pytest.raises(PackageError, match="one folder per language; .* only one language pair"):
            look(config)
    directions = look(TranslationConfig(method="round-trip", pivots=("de",), forward=(one,), backward=(back,)))
    assert [way.record["name"] for way in directions["de"]] == ["en-de", "de-en"]
    assert set(directions["de"][0].record["packages"]) == {"torch", "transformers"}


@needs_torch
def test_one_model_of_many_languages_goes_there_and_back(folder):
    directions = look(TranslationConfig(method="round-trip", forward=(str(folder / "m2m"),)))
    there, back = (way.open() for way in directions["ru"])
    assert there.identity.endswith("transformers cpu en-ru") and back.identity.endswith("transformers cpu ru-en")


@needs_torch
def test_a_broken_folder_is_one_line(folder, tmp_path):
    copy = shutil.copytree(folder / "en-de", tmp_path / "en-de")
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(TranslationError, match="cannot be loaded as a translation model: ") as raised:
        opened(copy)
    assert "\n" not in str(raised.value)


@pytest.fixture
def willing(monkeypatch):
    """Somebody who answers every question with yes, as `yes | gistmill` does; returns the questions."""
    asked = []
    monkeypatch.setattr("builtins.input", lambda *words: asked.append(words) or "y")
    return asked


@needs_torch
@pytest.mark.parametrize("attack", hostile_models.ATTACKS)
def test_a_model_of_a_stranger_runs_no_code_and_makes_no_weights_up(folder, tmp_path, willing, attack):
    spoil, said = hostile_models.ATTACKS[attack]
    copy = shutil.copytree(folder / "en-de", tmp_path / "copy")
    spoil(copy, tmp_path / "trace")
    with pytest.raises(TranslationError, match=said) as raised:
        opened(copy)
    assert "\n" not in str(raised.value) and not (tmp_path / "trace").exists() and not willing


@needs_torch
def test_a_tokenizer_of_a_stranger_runs_no_code(folder, tmp_path, willing):
    copy = shutil.copytree(folder / "en-de", tmp_path / "copy")
    hostile_models.code_for_the_tokenizer(copy, tmp_path / "trace")
    with suppress(TranslationError):  # transformers may know another tokenizer for this kind of model
        opened(copy)
    assert not (tmp_path / "trace").exists() and not willing


@needs_torch
def test_a_tokenizer_that_panics_is_one_line(folder, tmp_path):
    copy = shutil.copytree(folder / "m2m", tmp_path / "copy")
    model = {"type": "BPE", "vocab": {"a": 0}, "merges": ["a a"]}
    (copy / "tokenizer.json").write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}))
    (copy / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    with pytest.raises(TranslationError, match="cannot be loaded as a translation model") as raised:
        opened(copy)
    assert "\n" not in str(raised.value)


@needs_torch
def test_a_dataset_is_augmented_by_models_in_folders(folder, tmp_path):
    texts = ["Frogs hide.", "Otters swim.", "The mayor eats.", "Nobody knows."]  # short: random models do not stop
    rows = [{"id": f"r{n}", "inputs": " ".join(texts[n:]), "targets": texts[n]} for n in range(4)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {"input": tmp_path / "pairs.jsonl", "method": "round-trip", "beams": 3, "splits": (1, 0, 0)}
    options |= {"pivots": ("de",), "forward": folder / "en-de", "backward": folder / "de-en"}
    options |= {"translation_cache": tmp_path / "cache"}
    one, _ = (gistmill.build("augment", output=tmp_path / name, **options) for name in ("one", "two"))
    counts = manifest(tmp_path / "one")["counts"]
    assert counts["copies"]["read"] == 36 and counts["sentences"] == {"read": 10, "used": 10}
    assert one.num_rows("train") == 4 + counts["copies"]["used"] > 20
    assert data_checksums(tmp_path / "one") == data_checksums(tmp_path / "two")
    names = {m["name"]: set(m["packages"]) for m in manifest(tmp_path / "one")["models"]}
    assert names == dict.fromkeys(("en-de", "de-en"), {"torch", "transformers"})


def test_a_folder_without_a_model_is_one_line(tmp_path):
    with pytest.raises(PackageError, match="is not a model folder: config.json is missing or unreadable"):
        look_at(str(tmp_path))


@needs_package("torch", absent=True)
def test_a_package_that_is_missing_is_named_with_the_remedy(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "marian"}')
    with pytest.raises(PackageError, match=rf"needs the package transformers: {re.escape(install_extra('translate'))}"):
        look_at(str(tmp_path))


@needs_torch
@given(st.lists(st.integers(0, 50), max_size=60), st.integers(0, 200))
def test_batches_hold_everything_once_within_their_bounds(lengths, budget):
    from gistmill.transforms.translation.model import batches

    found = list(batches(lengths, budget=budget))
    assert sorted(n for batch in found for n in batch) == list(range(len(lengths)))
    for batch in found:
        assert len({lengths[n] for n in batch}) == 1
        assert len(batch) == 1 or lengths[batch[0]] * len(batch) <= budget or lengths[batch[0]] == 0
