"""Exported models behind the server's engines: the texts of the training's own prediction, and what cannot be served is said."""

import json
import shutil
from dataclasses import replace

import pytest

from gistmill.serving.engines import Article, Engines, SentencePair, open_engines
from gistmill.serving.engines import Seq2Seq as Served
from gistmill.training.exports.seq2seq import export_seq2seq
from gistmill.training.kinds import save_task
from gistmill.transforms.installed import PackageError
from tests.training.exports.test_seq2seq import ROWS, SIZES, made


def exported(folder, architecture, quantization="float32", **decoding):
    """The folder of an exported model of random weights, and the model."""
    task = made(folder, architecture)
    task.decoding = replace(task.decoding, **decoding)
    task.adapt(replace(task.config, max_source=24), list)
    place = folder / "exported"
    place.mkdir()
    export_seq2seq(task, place, quantization=quantization)
    return place, task


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    place, _ = exported(tmp_path_factory.mktemp("served"), "bart", beams=2)
    return place


def served(folder):
    return Served(str(folder), needed_by="--summarizer")


def written(place, rows=ROWS):
    """What a server writes for rows."""
    engine = served(place)
    return [outputs[0].text for outputs in engine.write([engine.read(row["inputs"]) for row in rows])]


def check_equal(task, place):
    found, wanted = written(place), task.predict(ROWS)
    assert len(set(wanted)) > 2  # or equality would say nothing
    # nearly: a random model has nearly equal choices, and two libraries round differently
    assert sum(a == b for a, b in zip(found, wanted, strict=True)) >= 0.85 * len(ROWS)


@pytest.mark.parametrize("beams", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("architecture", SIZES)
def test_it_writes_what_the_trained_model_writes(tmp_path, architecture, beams):
    place, task = exported(tmp_path, architecture, beams=beams)
    check_equal(task, place)


def test_the_bounds_of_decoding_and_the_first_token_go_with_the_model(tmp_path):
    task, place, first = made(tmp_path, "bart"), tmp_path / "exported", 17
    task.decoding = replace(task.decoding, min_tokens=9, max_tokens=9)
    task.adapt(replace(task.config, max_source=8), list)
    task.module.generation_config.forced_bos_token_id = first
    place.mkdir()
    export_seq2seq(task, place, quantization="float32")
    described = json.loads((place / "export.json").read_text())
    assert described["decoding"]["min_decoding_length"] == described["decoding"]["max_decoding_length"] == 9
    start = task.tokenizer.decode([first])
    assert all(text.startswith(start) for text in written(place))
    long = [{**row, "inputs": row["inputs"] * 5} for row in ROWS[:9]]
    cut = [{**row, "inputs": task.tokenizer.decode(task.source_ids(row["inputs"])[:-1])} for row in long]
    assert written(place, long) == written(place, cut)
    check_equal(task, place)


def test_prefix_first_token_and_tidying_are_those_of_the_export(tmp_path):
    task = made(tmp_path, "bart")
    task.module.generation_config.forced_bos_token_id = 17
    task.adapt(replace(task.config, prefix="sum: "), list)
    task.tokenizer.clean_up_tokenization_spaces = True  # which transformers ignores for byte pairs
    place = tmp_path / "exported"
    place.mkdir()
    export_seq2seq(task, place, quantization="float32")
    check_equal(task, place)
    engine = served(place)
    assert engine.read("da").pieces[:4] == list("sum:") and engine.read("da").read == 2
    described = json.loads((place / "export.json").read_text())
    assert described["tidies"] is False
    (place / "export.json").write_text(json.dumps({**described, "tidies": True}))
    tidied = served(place)._output([*"don", "Ġ", "'", "t", "Ġ", "."], 0.0).text
    assert tidied == "don 't." and engine._output(["a", "Ġ", "."], 0.0).text == "a ."


def test_what_it_does_not_read_is_counted(model):
    engine = served(model)
    short, long = engine.read("bal dem"), engine.read("ünd " + "bal " * 40)
    assert (short.read, short.tokens) == (7, len(short.pieces))
    assert (len(long.pieces), engine.most_tokens, long.pieces[-1]) == (24, 24, "</s>")
    assert long.tokens > 24 and 4 < long.read < 164
    assert engine.read(("ünd " + "bal " * 40)[: long.read]).pieces == long.pieces


def test_more_outputs_are_others_the_likeliest_first(model):
    engine = served(model)
    (outputs,) = engine.write([engine.read("bal dem fin")], count=5)
    scores = [output.log_probability for output in outputs]
    assert len(outputs) == 5 and len({output.text for output in outputs}) > 2
    assert scores == sorted(scores, reverse=True) and scores[0] < 0


def test_a_log_probability_does_not_depend_on_the_length_penalty(tmp_path):
    place, _ = exported(tmp_path, "bart", beams=1)
    described = json.loads((place / "export.json").read_text())
    found = []
    for penalty in (0.0, 1.0, 2.0):
        changed = {**described, "decoding": {**described["decoding"], "length_penalty": penalty}}
        (place / "export.json").write_text(json.dumps(changed))
        engine = served(place)
        found.append(engine.write([engine.read("bal dem")])[0][0].log_probability)
    assert found[1:] == pytest.approx([found[0]] * 2, rel=1e-4)


@pytest.fixture(scope="module")
def engines(model) -> Engines:
    from gistmill.serving.config import ServingConfig

    return open_engines(ServingConfig(fusion=str(model), summarizer=str(model)))


def test_it_fuses_with_edits_that_make_the_fusion(engines, monkeypatch):
    fuser = engines.fuser
    assert fuser.name == "exported"
    found = fuser.fuse([SentencePair(first="bal", second="dem ."), SentencePair(first="fin", second="bam", n=2)])
    assert [len(fusions.fusions) for fusions in found] == [1, 2]
    best = found[0].fusions[0]
    assert best.discourse_type == "" and best.score < 0
    from gistmill.serving.engines import Output, _fused

    pair = SentencePair(first="The dog ran.", second="The dog was fast.")
    assert _fused(pair, Output("The dog ran and was fast.", -1.0)).edits == [
        "3 delete",
        "4 before and",
        "4 delete",
        "5 delete",
    ]
    assert _fused(pair, Output("", -1.0)).edits == []


def test_what_it_cannot_fuse_it_says(engines):
    told = "this model does not support a discourse type, a connective or a caution"
    for wanted, why in (
        ({"type": "PAIR_CONN"}, told),
        ({"connective": "but"}, told),
        ({"caution": 1.0}, told),
        ({"tokenized": True}, "this model reads natural text, not tokens separated by spaces"),
        ({"second": "bal " * 30}, "the model reads 24"),
    ):
        other = SentencePair(first="a", second="b")
        refused, fine = engines.fuser.fuse([SentencePair(**{"first": "bal", "second": "dem", **wanted}), other])
        assert refused.fusions == () and why in refused.why
        assert len(fine.fusions) == 1


def test_it_summarizes_and_says_what_it_has_read(engines, model):
    article = Article(paragraphs=(("bal dem fin.", "bem dal."), ("fan bil. " * 20,)))
    short = Article(paragraphs=(("bal dem fin.",),))
    assert not engines.summarizer.is_baseline
    found = engines.summarizer.summarize([article, short])
    assert [summary.text for summary in found] == written(model, [{"inputs": a.text} for a in (article, short)])
    assert found[0].read < len(article.text) and found[1].read == len(short.text)
    assert all(" ".join(summary.sentences).split() == summary.text.split() for summary in found)


def damaged(model, folder, name, content):
    shutil.copytree(model, folder)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("export.json", None, "export.json is missing"),
        ("export.json", b"{}", "export.json: source_column: Field required"),
        ("export.json", b"\xff{", "Invalid JSON"),
        ("export.json", b"[]", "should be an object"),
        ("tokenizer.json", b"{}", "tokenizer.json: "),
        ("model.bin", b"no weights", "exported"),
        ("model.bin", None, "model.bin"),
        ("config.json", b"{", "parse"),
    ],
)
def test_a_damaged_folder_is_one_line(model, tmp_path, name, content, said):
    folder = damaged(model, tmp_path / "exported", name, content)
    with pytest.raises(PackageError) as caught:
        served(folder)
    line = str(caught.value)
    assert line.startswith(f"--summarizer {folder}") and said in line and "\n" not in line
    assert "export the model again with gistmill-train export" in line


def test_a_model_of_another_column_is_refused(model, tmp_path):
    described = json.loads((model / "export.json").read_text())
    folder = damaged(model, tmp_path / "x", "export.json", json.dumps({**described, "source_column": "a"}).encode())
    with pytest.raises(
        PackageError, match="the model reads the column 'a' of a dataset; only models that read 'inputs'"
    ):
        served(folder)


def test_a_trained_folder_has_to_be_exported_first(tmp_path):
    from gistmill.serving.config import ServingConfig

    (tmp_path / "model").mkdir()
    save_task(made(tmp_path, "t5"), tmp_path / "model")
    for option in ("fusion", "summarizer"):
        with pytest.raises(
            PackageError, match="is a trained model that has not been exported; gistmill-train export --model"
        ):
            open_engines(ServingConfig(**{option: str(tmp_path / "model")}))
        with pytest.raises(PackageError, match=f"--{option} .*none is not a folder"):
            open_engines(ServingConfig(**{option: str(tmp_path / "none")}))
