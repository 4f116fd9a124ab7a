"""Cells of the experiments that come with Gistmill, run for real: tiny weights, tiny datasets, two updates."""

import json

import pytest
import yaml

from gistmill.core.manifest import MANIFEST
from tests.environments import needs_package
from tests.training.made import copies, publish, ran
from tests.training.tagger.making import make_rows

pytestmark = [needs_package("torch"), pytest.mark.slow]

SIZES = {"encoder_layers": 1, "decoder_layers": 1, "d_model": 16, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
HEADS = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "max_position_embeddings": 1100}
T5 = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}
SPECIAL = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": None}
BRIEF = {"steps": 2, "warmup_steps": 0, "accumulate": 1, "validation_rows": 4, "device": "cpu", "token_cache": False}
POINTER = {"architecture": "pointer-generator", "embedding": 16, "hidden": 16}


def weights(folder, model):
    """Random weights with a tokenizer, as a folder of the hub has them."""
    import torch

    from gistmill.training.seq2seq import encoding as tokenizers

    texts = tokenizers.trained_tokenizer((row["inputs"] for row in copies(50)), 300)
    texts.save_pretrained(folder)
    torch.manual_seed(1)
    model(len(texts)).save_pretrained(folder)
    return str(folder)


def bart(size):
    import transformers

    return transformers.BartForConditionalGeneration(
        transformers.BartConfig(vocab_size=size, **SIZES, **HEADS, **SPECIAL)
    )


def t5(size):
    import transformers

    return transformers.T5ForConditionalGeneration(transformers.T5Config(vocab_size=size, **T5, **SPECIAL))


def both(folder, splits):
    """Publishes rows as `balanced`, and as `full` too."""
    manifests = []
    for config in ("full", "balanced"):
        publish(folder, splits, config=config)
        manifests.append(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    first, second = manifests
    merged = {key: first[key] | second[key] if isinstance(first[key], dict) else second[key] for key in second}
    merged["files"] = [*first["files"], *second["files"]]
    (folder / MANIFEST).write_text(json.dumps(merged), encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the cells need, by name."""
    folder = tmp_path_factory.mktemp("needs")
    (folder / "sizes.yaml").write_text(yaml.safe_dump(POINTER), encoding="utf-8")
    splits = {"train": copies(40), "validation": copies(4, 10**6), "test": copies(4, 2 * 10**6)}
    augmented = [{**row, "augmented_inputs": row["inputs"]} for row in copies(12)]
    fusions = [{**row, "connective_string": ", but" if "but" in row["targets"] else ""} for row in make_rows()]
    labels = folder / "labels"
    labels.mkdir()
    for start in ("wikitransfer", "other", "bart"):
        lines = (json.dumps({"id": row["id"], "prediction": row["targets"]}) for row in augmented)
        (labels / f"{start}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    few = folder / "few"
    publish(few / "10-1", {"train": copies(30), "validation": copies(4, 10**6)}, config="default")
    for rows in 10, 10_000:  # a sample has the name of its size
        publish(folder / f"sample-{rows}", {**splits, "train": copies(10)}, config=f"sample-{rows}-seed-1")
    lists = [{**row, "targets": [row["targets"], "bab ban"]} for row in copies(4)]
    (folder / "duc.jsonl").write_text("\n".join(map(json.dumps, lists)) + "\n", encoding="utf-8")
    return {
        "pairs": publish(folder / "pairs", splits, config="default"),
        "cnndm": publish(folder / "wikitransfer", splits, config="cnndm"),
        "synthetic": publish(folder / "synthetic", splits, config="copy-quoted"),
        "unlabelled": publish(folder / "unlabelled", {"train": augmented}, config="default"),
        "fusions": both(folder / "fusions", dict.fromkeys(("train", "validation", "test"), fusions)),
        "labels": str(labels),
        "few": str(few),
        **{name: str(folder / name) for name in ("sample-10", "sample-10000")},
        "duc": str(folder / "duc.jsonl"),
        "sizes": str(folder / "sizes.yaml"),
        "bart": weights(folder / "bart", bart),
        "t5": weights(folder / "t5", t5),
    }


NEWS = dict.fromkeys(("news", "xsum-pairs", "cnndm-pairs", "nyt-pairs", "gigaword-pairs"), "pairs")
LEAD = {**NEWS, "duc2003": "duc", "duc2004": "duc", "bart-large": "bart", "t5-large": "t5"}
SUMMARIES = {f"{name}-pairs": "pairs" for name in ("cnndm", "xsum", "reddit", "bigpatent")}
TRANSFER = {**SUMMARIES, "wikitransfer": "cnndm", "bart-large": "bart"}
# the experiment, the cell, what it needs, further settings, and the tables that have its scores
CELLS = [
    ("lead-bias", "t5.seed1", LEAD, {}, [3]),
    ("wikitransfer-zero-shot", "cnndm.wikitransfer.seed1", TRANSFER, {}, [1, 2, 6, 8]),
    ("wikitransfer-few-shot", "10-aug.cnndm.other.seed1", {**TRANSFER, "cnndm-augmented": "few"}, {}, [6]),
    (
        "wikitransfer-uda",
        "cnndm.wikitransfer.seed1",
        {**TRANSFER, "cnndm-few": "sample-10", "cnndm-unlabelled": "unlabelled", "cnndm-pseudo-labels": "labels"},
        {"steps": 6},
        [10],
    ),
    (
        "nonsense-tasks-transfer",
        "copy-quoted.seed1",
        {"nonsense": "synthetic", "cnndm-pairs": "pairs", "cnndm-10k": "sample-10000", "t5-pieces": "t5"},
        {},
        [7],
    ),
    (
        "nonsense-transfer",
        "pg-random.cnndm.seed1",
        {"cnndm-pairs": "pairs", "cnndm-10k": "sample-10000", "t5-pieces": "t5"},
        {},
        [2, 6],
    ),
    (
        "discofuse-websplit",
        "wiki-websplit.seed1",
        {"wiki": "fusions", "websplit-pairs": "pairs", "sizes": "sizes"},
        {},
        [10],
    ),
]


def run(name, cell, places, settings, output):
    """Runs a cell by the command."""
    given = {"--only": cell, "--parallel": "1", "--output": str(output)}
    given |= {"--places": json.dumps(places), "--settings": json.dumps(settings)}
    return ran(["experiment", name, *(part for flag in given.items() for part in flag)])


def shown(output):
    """The figures of a cell, by table, row and column: all that have a score, with the paper's."""
    content = json.loads((output / "results.json").read_text(encoding="utf-8"))
    return {
        (made["title"].partition(":")[0], row["label"], column): (figure["mean"], figure["paper"])
        for made in content["tables"]
        for row in made["rows"]
        for column, figure in zip(made["columns"], row["figures"])
        if figure["mean"] is not None
    }


@pytest.mark.parametrize(("name", "cell", "needs", "changes", "tables"), CELLS, ids=[f"{c[0]}-{c[1]}" for c in CELLS])
def test_a_tiny_cell_of_it_fills_its_places_in_the_tables(name, cell, needs, changes, tables, made, tmp_path):
    places = {need: made[what] for need, what in needs.items()}
    done = run(name, cell, places, {**BRIEF, **changes}, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = shown(tmp_path / "out")
    assert found and any(paper is not None for _, paper in found.values())
    assert {name for name, *_ in found} == {f"Table {number}" for number in tables}


def test_a_tiny_model_that_rephrases_stands_beside_the_copy_in_the_table(made, tmp_path):
    rows = [
        {
            "id": f"d-{n}",
            "inputs": f"{first}, and {second}.",
            "targets": f"{first}. {second}.",
            "simple_sentences": [f"{first}.", f"{second}."],
        }
        for n, (first, second) in enumerate(zip(*([r["inputs"] for r in copies(40, k)] for k in (0, 1))))
    ]
    splits = {"train": rows, "validation": rows[:4], "test": rows[:8]}
    places = {"propositions": publish(tmp_path / "data", splits, config="rephrase"), "t5-small": made["t5"]}
    done = run("rephrase", "t5.seed1", places, {**BRIEF, "max_source": 48, "max_target": 16}, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = {(row, column): mean for (_, row, column), (mean, _) in shown(tmp_path / "out").items()}
    assert {row for row, _ in found} == {"COPY", "T5-small"}
    assert found["COPY", "Exact"] == 0 and found["COPY", "SARI"] > 20
    # all but the comma and "and" is kept, which are not deleted
    assert found["COPY", "Keep"] > 70 and found["COPY", "Delete"] == 0


def test_connectives_and_pronouns_of_a_tiny_discofuse_are_in_the_tables(made, tmp_path):
    """Rows of eleven connectives are not made here, so that the command says which scores are missing."""
    places = {"wiki": made["fusions"], "sport": made["fusions"], "sizes-wiki": made["sizes"]}
    settings = {**BRIEF, "vocabulary": 300, "max_source": 32, "max_target": 32}
    done = run("discofuse", "wiki.transformer.seed1", places, settings, tmp_path / "out")
    assert done.returncode == 1, done.stderr
    found = shown(tmp_path / "out")
    assert found["Table 9", "but", "DFWiki"][1] == 43.7 and found["Figure 3", "he", "DFWiki"][1] is None
    assert "table scores are missing" in done.stderr
