"""Evaluations from a published dataset or a file to a scorecard, without torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gistmill.core.options import OptionError
from gistmill.training.cli import main
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation.evaluate import CONFIG, evaluate
from tests.training.evaluation.made import fusion_dataset, fusions, lines, natural
from tests.training.made import publish

BASELINES = ["COPY", "always but", "repeated subject"]


def card(dataset, **options):
    return evaluate(CONFIG(dataset=str(dataset), **{"samples": 50, **options}))


@pytest.fixture
def dataset(tmp_path):
    return f"{fusion_dataset(tmp_path / 'data')}#balanced/test"


def predictions(tmp_path, changes=None, name="mine"):
    rows = [{"id": r["id"], "prediction": r["targets"]} for r in fusions()]
    for number, text in (changes or {}).items():
        rows[number]["prediction"] = text
    return lines(tmp_path / f"{name}.jsonl", rows)


def test_the_references_themselves_are_right_everywhere(dataset, tmp_path):
    found = card(dataset, predictions=predictions(tmp_path))
    mine = found.systems["mine"]
    assert found.rows == 5 and list(found.systems) == ["mine", *BASELINES]
    assert all(mine[m] == 100 for m in ("exact", "exact_uncased", "sari_discofuse", "sari_easse", "kept"))
    assert mine["connectives"] == mine["pronouns"] == mine["pronoun/she"] == 100
    assert {m.partition("/")[2] for m in mine if m.startswith("exact/")} == {r["discourse_type"] for r in fusions()}
    assert found.intervals["mine"]["exact"] == (100, 100)


def test_what_is_wrong_shows_in_its_own_score(dataset, tmp_path):
    changes = {
        0: "the bridge is old, but it is safe.",
        1: "Ann sings. But Bob dances.",
        2: "Ann sings. He loves her dog.",
    }
    found = card(dataset, predictions=predictions(tmp_path, {**changes, 3: "It rained, but they left."}))
    mine = found.systems["mine"]
    assert mine["exact"] == 20 and mine["exact_uncased"] == 40 and mine["kept"] == 0
    assert mine["exact/PAIR_CONN"] == 0 and mine["exact/SINGLE_VP_COORD"] == 100
    assert mine["connectives"] == pytest.approx(200 / 3) and mine["connective/however"] == 0
    assert found.confusions["mine"]["connectives"]["however"] == {"but": 1}
    assert found.confusions["mine"]["pronouns"] == {"she": {"he": 1}}


def test_a_system_below_copy_is_told_so(dataset, tmp_path, capsys):
    wrong = dict.fromkeys(range(5), "It rained.")
    arguments = ["evaluate", "--dataset", dataset, "--samples", "0", "--predictions"]
    assert main([*arguments, f"{predictions(tmp_path, wrong)},{predictions(tmp_path, name='right')}"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gistmill-train evaluate: mine scores below the baseline COPY (exact 0.00 against 20.00")
    assert main([*arguments, predictions(tmp_path), "--no-baselines"]) == 0 and not capsys.readouterr().err


def test_a_subset_is_scored_as_a_dataset_of_these_rows_alone(dataset, tmp_path):
    changes = {1: "Ann sings. But Bob dances.", 4: "wrong"}
    rows = [json.loads(line) for line in Path(predictions(tmp_path, changes)).read_text().splitlines()]
    file = lines(tmp_path / "part.jsonl", [rows[4], rows[1], rows[2]])
    with pytest.raises(TrainingError, match="no prediction for row 'row-0' and 1 more; use --subset to score the rest"):
        card(dataset, predictions=file)
    found = card(dataset, predictions=file, subset=True)
    alone = publish(tmp_path / "alone", {"test": [fusions()[n] for n in (1, 2, 4)]}, config="balanced")
    wanted = card(f"{alone}#balanced/test", predictions=file)
    assert (found.rows, found.of) == (3, 5) and (wanted.rows, wanted.of) == (3, None)
    assert found.systems == wanted.systems and found.intervals == wanted.intervals
    assert list(found.systems) == ["part", *BASELINES] and found.types == wanted.types
    assert "balanced test: 3 of 5 rows" in found.table() and found.to_json()["of"] == 5
    assert "of" not in wanted.to_json()


def test_two_systems_on_different_subsets_are_not_compared(dataset, tmp_path):
    rows = [json.loads(line) for line in Path(predictions(tmp_path)).read_text().splitlines()]
    files = lines(tmp_path / "a.jsonl", rows[:3]), lines(tmp_path / "b.jsonl", rows[:2])
    with pytest.raises(TrainingError, match="a.jsonl and .*b.jsonl have predictions for different rows"):
        card(dataset, predictions=",".join(files), subset=True)
    same = lines(tmp_path / "c.jsonl", rows[:3])
    assert card(dataset, predictions=f"{files[0]},{same}", subset=True).tests["exact"].difference == 0


def test_baselines_need_no_predictions(dataset):
    found = card(dataset)
    assert list(found.systems) == BASELINES
    assert found.systems["COPY"]["exact"] == 20 and found.systems["COPY"]["kept"] == 100
    assert (
        found.systems["always but"]["exact"] == 20 and found.systems["repeated subject"]["exact/SINGLE_VP_COORD"] == 100
    )
    assert card(dataset, metrics="exact").systems["COPY"].keys() == {"exact", "exact_uncased"}


def test_natural_and_tokenised_predictions_have_the_same_scores(dataset, tmp_path):
    tokenised = [
        {"id": r["id"], "prediction": f"{r['coherent_first_sentence']} {r['coherent_second_sentence']}".strip()}
        for r in fusions()
    ]
    found = card(dataset, form="tokenised", predictions=lines(tmp_path / "mine.jsonl", tokenised))
    assert found.systems["mine"] == card(dataset, predictions=predictions(tmp_path)).systems["mine"] | {
        m: found.systems["mine"][m] for m in ("sari_huggingface",)
    }
    assert card(dataset, form="natural", predictions=lines(tmp_path / "x.jsonl", tokenised)).systems["x"]["exact"] == 0


def test_released_files_are_read(tmp_path):
    columns = [c for c in fusions()[0] if c not in ("id", "inputs", "targets")]
    rows = ["\t".join(columns), *("\t".join(r[c] for c in columns) for r in fusions())]
    file = lines(tmp_path / "test.tsv", rows)
    found = card(file)
    assert found.systems["COPY"]["exact"] == 20 and found.settings["form"] == "tokenised" and found.rows == 5


def test_two_systems_are_tested(dataset, tmp_path):
    worse = dict.fromkeys(range(5), "Nothing.")
    files = [predictions(tmp_path, worse, "worse"), predictions(tmp_path, name="better")]
    found = card(dataset, predictions=files, samples=200)
    assert found.tests["exact"].difference == 100 and found.tests["exact"].bootstrap < 0.05
    assert "better - worse" in found.table()
    assert card(dataset, predictions=files, samples=0).tests == {}


def test_systems_of_one_name_are_told_apart(dataset, tmp_path):
    (tmp_path / "x").mkdir()
    files = [predictions(tmp_path), predictions(tmp_path / "x")]
    assert list(card(dataset, predictions=files).systems)[:2] == ["mine 1", "mine 2"]


def test_simple_sentences_are_scored_beside_the_copy(tmp_path):
    whole, simple = "Ann sings, and Bob dances.", ["Ann sings.", "Bob dances."]
    rows = [
        {"id": "a", "inputs": whole, "targets": " ".join(simple), "simple_sentences": simple},
        {"id": "b", "inputs": whole, "targets": " ".join(simple), "simple_sentences": simple},
    ]
    place = publish(tmp_path / "data", {"test": rows}, config="rephrase")
    mine = lines(tmp_path / "mine.jsonl", [{"prediction": " ".join(simple)}, {"prediction": whole}])
    found = card(f"{place}#rephrase/test", predictions=mine)
    assert list(found.systems) == ["mine", "COPY"] and found.metrics == ("exact", "sari")
    assert found.systems["mine"]["exact"] == 50 and found.systems["COPY"]["exact"] == 0
    assert found.systems["mine"]["sari_discofuse"] > found.systems["COPY"]["sari_discofuse"] > 0
    # who asks for ROUGE gets the baselines of summaries
    assert list(card(f"{place}#rephrase/test", metrics="rouge,exact").systems) == ["Lead-3", "oracle-3"]


def test_summaries(tmp_path):
    document = "The mayor resigned today. She cited her health. Rain fell. Dogs barked at night."
    rows = [
        {"id": "a", "inputs": document, "targets": ["The mayor resigned.", "She cited her health."]},
        {"id": "b", "inputs": document, "targets": "Dogs barked at night."},
    ]
    source = lines(tmp_path / "rows.jsonl", rows)
    mine = lines(tmp_path / "mine.jsonl", [{"prediction": "She cited her health."}, {"prediction": "Dogs barked."}])
    found = card(source, predictions=mine, lead=1)
    assert list(found.systems) == ["mine", "Lead-1", "oracle-1", "reference"]
    assert found.systems["mine"]["rouge1"] == pytest.approx((100 + 2 * 100 / (1 + 4 / 2)) / 2, abs=0.1)
    assert found.systems["oracle-1"]["rougeLsum"] > found.systems["Lead-1"]["rougeLsum"]
    assert found.systems["mine"]["novel1"] == 0 and found.systems["mine"]["novel_lead1"] == 100
    values = found.systems["mine"]
    assert values["combined"] == pytest.approx(values["rouge1"] + 2 * values["rouge2"] + values["rougeL"])
    assert "rougeL is based on the longest common subsequence of whole texts" in found.table()
    cut = card(source, predictions=mine, metrics="rouge", cut_bytes=3, measure="recall")
    assert cut.systems["mine"]["rouge1"] == pytest.approx(100 / 4)  # "Dog" is the stem of "Dogs"
    assert "ROUGE: recall, stems, predictions truncated to 3 bytes, best for several references." in cut.table()


def test_synthetic_tasks(tmp_path):
    rows = [
        {"id": str(n), "inputs": "a b", "targets": "b a" if n % 2 else "a b", "task": "ab"[n % 2]} for n in range(6)
    ]
    place = publish(tmp_path / "data", {"test": rows})
    found = card(place, predictions=lines(tmp_path / "m.jsonl", [{"prediction": "a b"}] * 6))
    assert found.systems["m"] == {"exact": 50, "exact_uncased": 50, "exact/a": 100, "exact/b": 0}
    assert found.systems["COPY"]["exact/a"] == 100


def synthetic():
    """Rows of synthetic tasks: any order, any synonym, and a STEP task, whose output is in the targets alone."""
    shuffled = "a __d5__keyword_0__ . no . __d5__keyword_1__ b . __d5__keyword_0__ c ."
    one, two, three = "a __d5__keyword_0__ .", "__d5__keyword_1__ b .", "__d5__keyword_0__ c ."
    texts = {
        "copy-kwd-multiple-shuffled": (shuffled, f"{three} {one} {two}"),
        "paraphrase-words": ("a __d18__src_3__ .", "a __d18__target_3_0__ ."),
        "sr": ("b . a .", "a . b ."),
    }
    rows = [{"inputs": text, "targets": target, "task": name} for name, (text, target) in texts.items()]
    return [{**row, "tasks": [] if row["task"] == "sr" else [row["task"]]} for row in rows]


def test_the_accuracy_of_tasks_lets_pass_what_is_right(tmp_path):
    source = lines(tmp_path / "rows.jsonl", synthetic())
    one, two, three = "a __d5__keyword_0__ .", "__d5__keyword_1__ b .", "__d5__keyword_0__ c ."
    right = [f"{one} {two} {three}", "a __d18__target_3_2__ .", " a .  b . "]
    found = card(source, predictions=lines(tmp_path / "m.jsonl", [{"prediction": p} for p in right]))
    assert found.systems["m"]["task_accuracy"] == 100 and found.systems["m"]["exact"] == pytest.approx(100 / 3)
    assert {m: v for m, v in found.systems["m"].items() if "/" in m} == {
        f"task_accuracy/{row['task']}": 100 for row in synthetic()
    }
    assert "task_accuracy" in found.table() and "| paraphrase-words | 100.0 | 0.0 |" in found.table()
    wrong = [f"{one} {two} {two}", "a __d18__target_2_0__ .", "b . a ."]
    found = card(source, predictions=lines(tmp_path / "m.jsonl", [{"prediction": p} for p in wrong]))
    assert found.systems["m"]["task_accuracy"] == 0


def test_rows_that_the_interpreter_cannot_read(tmp_path):
    no_list = "row '0' contains no list of names in column 'tasks'"
    for change, message in (
        ({"inputs": "a ."}, "the document of row '0' contains 0 keywords of copy-kwd-multiple-shuffled"),
        ({"tasks": None}, no_list),
        ({"tasks": [3]}, no_list),
        ({"tasks": ["copy"]}, "the document of row '0' has the unknown task 'copy'"),
    ):
        with pytest.raises(TrainingError, match=message):
            card(lines(tmp_path / "rows.jsonl", [{**synthetic()[0], **change}]))


def test_tokens(tmp_path):
    rows = [{"id": str(n), "inputs": "a", "targets": "b"} for n in range(2)]
    source = lines(tmp_path / "rows.jsonl", rows)
    given = [
        {"correct": [True, False], "log_likelihoods": [-1.0, -3.0]},
        {"correct": [True], "log_likelihoods": [-2.0]},
    ]
    found = card(source, predictions=lines(tmp_path / "m.jsonl", given), metrics="tokens")
    assert list(found.systems) == ["m"]
    assert found.systems["m"]["token_accuracy"] == pytest.approx(200 / 3) and found.systems["m"]["nll"] == 2
    with pytest.raises(TrainingError, match='"correct" is missing'):
        card(source, predictions=lines(tmp_path / "n.jsonl", [{"prediction": "b"}] * 2), metrics="tokens")
    both = lines(tmp_path / "n.jsonl", [{"prediction": "b", **given[0]}, {"prediction": "a"}])
    assert card(source, predictions=both, metrics="exact").systems["n"]["exact"] == 50
    with pytest.raises(SettingsError, match="not every line of n contains 'correct'"):
        card(source, predictions=both, metrics="exact,tokens")


def test_the_same_input_gives_the_same_bytes(dataset, tmp_path):
    files = [predictions(tmp_path, {1: "Ann sings."}, "one"), predictions(tmp_path, name="other")]
    written = []
    for number in range(2):
        card(dataset, predictions=files).write(str(tmp_path / f"{number}" / "card.json"))
        written.append((tmp_path / f"{number}" / "card.json").read_bytes())
    assert written[0] == written[1]
    assert json.loads(written[0])["predicted"] == ["one", "other"]


def test_settings_that_do_not_fit(dataset):
    folder = dataset.partition("#")[0]
    lines(Path(folder) / "rows.jsonl", [{"id": "a", "inputs": "x", "targets": "y"}])
    tokenised = {"form": "tokenised", "dataset": f"{folder}/rows.jsonl"}
    for options, message in (
        ({"dataset": "none"}, "none is not a dataset"),
        ({"dataset": "none.jsonl"}, "No such file"),
        ({"split": "train", "dataset": f"{folder}#balanced"}, "has no rows in split 'train'"),
        ({"dataset": f"{folder}#full"}, "has no configuration 'full'"),
        (tokenised, "--form tokenised: rows.jsonl lacks the DiscoFuse columns"),
        ({"metrics": "tasks"}, "--metrics tasks: data lacks the column 'task'"),
        ({"predictions": "none.jsonl"}, "No such file"),
    ):
        with pytest.raises(SettingsError, match=message):
            card(**{"dataset": dataset, **options})


def test_options_are_checked():
    for options, message in [
        ({"dataset": "a,b"}, "dataset: expected one dataset, not 2"),
        ({"predictions": "a,b,c"}, "predictions: expected one file, or two to compare, not 3"),
        ({"baselines": False}, "there is nothing to score"),
        ({"metrics": "rogue"}, "did you mean rouge"),
        ({"subset": True}, "subset requires predictions"),
        ({"subset": True, "predictions": "a", "card": "m"}, "subset cannot be used with card: a model card needs"),
    ]:
        with pytest.raises(OptionError, match=message):
            CONFIG(**{"dataset": "d", **options})


def test_rows_that_cannot_be_scored(tmp_path):
    row = {"id": "a", "inputs": "x", "targets": "x"}
    for rows, message in (
        ([], "rows.jsonl contains no rows"),
        ([{"id": "a", "inputs": "x"}], "row 'a' contains no text in column 'targets'"),
        ([{**row, "inputs": None}], "row 'a' contains no text in column 'inputs'"),
        ([{**row, "targets": []}], "row 'a' contains no text in column 'targets'"),
        ([row] * 2, "two rows have the id 'a'"),
        (["{"], "line 1: invalid JSON"),
    ):
        with pytest.raises((SettingsError, TrainingError), match=message):
            card(lines(tmp_path / "rows.jsonl", rows))


def test_inputs_that_are_not_the_sentences_are_named(tmp_path):
    rows = fusions()
    rows[2]["inputs"] = "Something else."
    with pytest.raises(TrainingError, match="row 'row-2': inputs and incoherent sentences do not match"):
        card(lines(tmp_path / "rows.jsonl", rows))


def test_the_command_prints_a_table_and_loads_no_torch(dataset, tmp_path):
    output = tmp_path / "card.json"
    code = (
        "import sys\nfrom gistmill.training.cli import main\n"
        f"code = main(['evaluate', '--dataset', {dataset!r}, '--predictions', {predictions(tmp_path)!r}, "
        f"'--output', {str(output)!r}, '--samples', '20'])\n"
        "assert 'torch' not in sys.modules\nsys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "| exact | 100.00 (100.0 to 100.0) | 20.00" in done.stdout
    assert json.loads(output.read_text())["systems"]["mine"]["exact"] == 100


def test_errors_are_one_line(dataset, tmp_path, capsys):
    wrong = lines(tmp_path / "wrong.jsonl", [{"id": "row-0"}])
    assert main(["evaluate", "--dataset", dataset, "--predictions", wrong]) == 1
    assert capsys.readouterr().err.strip().count("\n") == 0
    assert main(["evaluate", "--dataset", dataset, "--output", "/dev/null/x", "--metrics", "exact"]) == 2
    assert natural("a , b .") == "a, b."
