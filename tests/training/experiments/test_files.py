"""The experiments that come with Gistmill: they can be planned, their options are known, their figures are the papers'."""

import functools
import hashlib
import re
from pathlib import Path

import pytest
import yaml

from gistmill.rules.synthetic.interpreter import TASKS
from gistmill.rules.wikitransfer.profiles import profiles
from gistmill.training.errors import SettingsError
from gistmill.training.experiments import plan as plans
from gistmill.training.experiments.command import ExperimentConfig, check, dry_run, planned
from gistmill.training.experiments.plan import NAMES, experiment_file
from tests.samples import REAL, needs_real

FOLDER = Path(plans.__file__).parent / "files"
PAGE = Path(__file__).parents[3] / "docs" / "evaluation.md"
PAPERS = REAL / "papers"
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


@functools.cache
def plan(name):
    return planned(ExperimentConfig(experiment=name))


def first_of(cell):
    """The settings of a cell's first training."""
    return next(iter(cell.stages.values()))


def table(name, number):
    """The paper's figures of a table, which may stand in several of the file, by the labels of their rows."""
    found = [
        t
        for t in plan(name)[0].tables
        if re.match(rf"Table {number}\b", t.title) and any(any(row.paper) for row in t.rows.values())
    ]
    rows = [(label, row.paper or [None] * len(t.columns)) for t in found for label, row in t.rows.items()]
    assert len(dict(rows)) == len(rows) > 0
    return dict(rows)


def test_an_experiment_that_is_not_there_is_told_of_with_those_that_are():
    assert set(NAMES) == {p.stem for p in FOLDER.glob("*.yaml")} and len(NAMES) == 14
    assert experiment_file("lats") == FOLDER / "lats.yaml" and experiment_file("mine.yaml") == Path("mine.yaml")
    there = "the included experiments are curricula-tiny, discofuse, discofuse-websplit, lats"
    with pytest.raises(SettingsError, match=f"none: No such file or directory; {there}"):
        planned(ExperimentConfig(experiment="none"))


def test_it_says_what_it_needs_and_how_long_it_takes():
    for name in NAMES:
        experiment, cells = plan(name)
        shown = dry_run(experiment, cells, {})
        assert f"\n{len(cells)} cells\n" in shown, name
        assert "not measured" in experiment.estimate and experiment.device and experiment.about, name
        for needed in experiment.needs.values():
            assert needed.of or needed.what, name
            assert not needed.file or (FOLDER / needed.file).is_file(), name
        assert {n for n, needed in experiment.needs.items() if not needed.of} == {n for c in cells for n in c.needs()}


def test_every_option_is_known_to_the_commands():
    for name in NAMES:
        check(plan(name)[1], {})
    wrong = planned(ExperimentConfig(experiment="rephrase", settings={"stepss": 3}))[1]
    with pytest.raises(SettingsError, match="seed1: (train|pretrain|finetune|transfer): unknown option .stepss."):
        check(wrong, {})


def test_its_profiles_are_read_by_wikitransfer():
    for name in sorted(p.stem for p in FOLDER.glob("profiles/*.yaml")):
        values = yaml.safe_load((FOLDER / "profiles" / f"{name}.yaml").read_text(encoding="utf-8"))
        (profile,) = profiles([{"name": name, **values}])
        assert values.items() <= profile.items(), name
        assert f"{name}.yaml" in plan("wikitransfer-ablations")[0].needs["wikitransfer"].command, name
        cells = plan("wikitransfer-ablations")[1]
        assert [f"$wikitransfer#{name}"] in [first_of(cell)["datasets"] for cell in cells], name


def test_all_cells_of_lats_but_two_add_up():
    wrong = {
        (label, samples)
        for label, figures in table("lats", 6).items()
        for samples, (one, two, long, score) in zip((10, 100, 1000), (figures[i : i + 4] for i in (0, 4, 8)))
        if abs(one + 2 * two + long - score) > 0.015
    }
    assert wrong == {("Baby-Steps, reduction", 1000), ("Baby-Steps, complexity", 1000)}
    (noted,) = (note for note in plan("lats")[0].tables[0].notes if "contradict" in note)
    assert "87.91" in noted and "86.22" in noted


def lines(paper):
    """The numbers of every line of a paper's text."""
    text = (PAPERS / f"{paper}.md").read_text(encoding="utf-8")
    return [[float(n) for n in NUMBER.findall(line.replace("/", " ").replace("*", " "))] for line in text.splitlines()]


def holds(numbers, wanted):
    return any(numbers[i : i + len(wanted)] == list(wanted) for i in range(len(numbers) - len(wanted) + 1))


def printed_figures(name, number):
    """The rows of a table that have figures of the paper."""
    return {label: figures for label, figures in table(name, number).items() if any(f is not None for f in figures)}


def known(figures):
    return [figure for figure in figures if figure is not None]


# file, table, paper, figures that stand side by side in the paper, rows, and the sum that was read in the paper
FIGURES = [
    ("discofuse", 6, "discofuse", 4, 4, 1677.7),
    ("discofuse", 7, "discofuse", 4, 13, 3398),
    ("discofuse", 9, "discofuse", 2, 11, 1138.9),
    ("discofuse-websplit", 10, "discofuse", 4, 3, 411.5),
    ("lead-bias", 3, "lead-bias", 3, 9, 1658.33),
    ("nonsense-transfer", 2, "nonsense-pretraining", 12, 14, 2510.64),
    ("nonsense-transfer", 6, "nonsense-pretraining", 8, 9, 1813.99),
    ("nonsense-tasks", 7, "nonsense-pretraining", 1, 21, 1969.04),
    ("nonsense-tasks-tiny", 7, "nonsense-pretraining", 1, 21, 1969.04),
    ("nonsense-tasks-transfer", 7, "nonsense-pretraining", 3, 21, 398.84),
    ("wikitransfer-ablations", 3, "wikitransfer", 6, 5, 744.87),
    ("wikitransfer-ablations", 4, "wikitransfer", 6, 4, 616.62),
    ("wikitransfer-ablations", 5, "wikitransfer", 3, 3, 459.31),
    ("wikitransfer-few-shot", 6, "wikitransfer", 3, 18, 5456.77),
    ("wikitransfer-few-shot", 8, "wikitransfer", 3, 8, 643.02),
    ("wikitransfer-uda", 10, "wikitransfer", 3, 3, 822.15),
    ("wikitransfer-zero-shot", 1, "wikitransfer", 3, 4, 376.44),
    ("wikitransfer-zero-shot", 2, "wikitransfer", 3, 1, 92.09),
    ("wikitransfer-zero-shot", 6, "wikitransfer", 3, 3, 755.04),
    ("wikitransfer-zero-shot", 8, "wikitransfer", 3, 4, 279.34),
    ("lats", 6, "lats", 12, 11, 4929.75),
]


# SHA-256 of all figures with the names of their rows, which were compared with the papers' row by row.
READ = "c48b01a8a3e78b17505a0a61eb5ca0dc49aab5706873a3ecef1c25c76cbfaa1c"


def test_the_figures_add_up_to_what_was_read_in_the_papers():
    for name, number, _, _, rows, total in FIGURES:
        found = printed_figures(name, number)
        assert len(found) == rows, name
        assert sum(sum(known(figures)) for figures in found.values()) == pytest.approx(total, abs=0.001), name
    printed = [sorted(printed_figures(name, number).items()) for name, number, *_ in FIGURES]
    assert hashlib.sha256(repr(printed).encode()).hexdigest() == READ


def test_every_table_with_figures_of_a_paper_is_among_them():
    for name in NAMES:
        titles = [t.title for t in plan(name)[0].tables if any(any(row.paper) for row in t.rows.values())]
        numbers = {int(re.match(r"Table (\d+)\b", title)[1]) for title in titles}
        assert numbers == {number for file, number, *_ in FIGURES if file == name}


@needs_real
def test_the_figures_are_those_of_the_paper():
    for name, number, paper, width, *_ in FIGURES:
        printed = lines(paper)
        for label, figures in printed_figures(name, number).items():
            for start in range(0, len(figures), width):
                wanted = known(figures[start : start + width])
                assert any(holds(numbers, wanted) for numbers in printed), (label, figures)


@pytest.mark.parametrize("name", ["nonsense-tasks", "nonsense-tasks-tiny"])
def test_each_task_has_the_row_of_its_name(name):
    experiment, cells = plan(name)
    names = {task.name: task.paper_name for task in TASKS.values()}
    rows = [(*row.where["task"], label) for label, row in experiment.tables[0].rows.items()]
    assert len(rows) == 21 and all(names[task] == label for task, label in rows)
    assert {cell.values["task"] for cell in cells} == {task for task, _ in rows}


def test_samples_of_lats_are_those_that_the_curriculum_job_names():
    experiment, cells = plan("lats")
    named = re.search(r"--sample ([\d,]+) ", experiment.needs["cnndm-few"].command)[1].split(",")
    for cell in cells:
        (place,) = cell.stages["train"]["datasets"]
        samples = cell.values["samples"]
        assert samples in named
        if "eda" in cell.values["strategy"]:
            command = experiment.needs[place[1:]].command
            assert place == f"$cnndm-{samples}-eda" and f"cnndm-few#sample-{samples}-seed-1 " in command
        else:
            assert place == f"$cnndm-few#sample-{samples}-seed-{cell.seed}"


def test_few_rows_follow_the_protocol_of_the_paper():
    experiment, cells = plan("wikitransfer-few-shot")
    assert len(experiment.seeds) == 5 and (experiment.protocol.best, experiment.protocol.by) == (3, "rouge1")
    for cell in cells:
        settings, (shots, _, kind) = list(cell.stages.values())[-1], cell.values["shots"].partition("-")
        rows, target, seed = int(shots), cell.values["target"], cell.seed
        assert settings.get("consistency_weight") == ({10: 0.1, 100: 0.5}[rows] if kind == "cons" else None)
        # section 4: warm-up, updates and rate; A.4: batches of an update
        aug = {10: (20, 200, 3e-5), 100: (200, 1000, 1e-5)}[rows]
        plain = {10: (25, 100, 3e-5), 100: (20, 200, 3e-5)}[rows]
        assert tuple(settings[k] for k in ("warmup_steps", "steps", "learning_rate")) == (
            aug if kind == "aug" else plain
        )
        assert (
            settings["accumulate"] == (8 if rows == 10 and kind != "aug" else 32) and settings["batch_tokens"] == 1024
        )
        folder = {"aug": "augmented", "cons": "round-trips"}.get(kind)
        sample = f"${target}-few#sample-{rows}-seed-{seed}"
        assert settings["datasets"] == [f"${target}-{folder}/{rows}-{seed}" if folder else sample]
        command = experiment.needs[f"{target}-few"].command
        assert f"--input {target}-pairs --sample 10,100 --subsets {len(experiment.seeds)}" in command
        command = experiment.needs[f"{target}-{folder or 'augmented'}"].command
        assert ("--augmented-as column" in command) == (folder == "round-trips")
    # the long training is shared by all of a target
    first = {c.values["target"]: first_of(c) for c in cells if c.values["start"] == "wikitransfer"}
    assert all(first_of(c) == first[c.values["target"]] for c in cells if c.values["start"] == "wikitransfer")
    learned = {c.values["target"]: first_of(c) for c in cells if c.values["start"] == "other"}
    others = {"cnndm": "reddit", "xsum": "reddit", "reddit": "cnndm", "bigpatent": "cnndm"}  # the columns of Table 6
    for target, settings in learned.items():
        assert settings["datasets"] == [f"${others[target]}-pairs"] and settings["learning_rate"] == 3e-5
        for name in ("wikitransfer-few-shot", "wikitransfer-zero-shot", "wikitransfer-uda"):
            assert plan(name)[0].needs[f"other-{target}"].of == f"{others[target]}-pairs"


def test_a_wrong_figure_would_be_seen():
    assert holds([1.0, 2.0, 3.0], [2.0, 3.0]) and not holds([1.0, 2.0, 3.0], [2.0, 2.9]) and not holds([], [1.0])


def test_the_same_training_is_named_alike():
    """So that rows of WikiTransfer's tables share it: M = 3 is CNN/DailyMail's own."""
    found = {cell.name: first_of(cell) for cell in plan("wikitransfer-ablations")[1]}
    assert found["cnndm.m3.seed1"] == found["cnndm.size-400k.seed1"] == found["cnndm.lr-3e-6.seed1"]
    assert found["xsum.m1.seed1"] == found["xsum.lr-3e-6.seed1"] != found["xsum.size-400k.seed1"]
    assert found["xsum.lr-3e-5.seed1"] == found["xsum.size-400k.seed1"]


def test_the_page_names_every_experiment_with_its_cells_and_estimate():
    page = PAGE.read_text(encoding="utf-8")
    for name in NAMES:
        experiment, cells = plan(name)
        (row,) = re.findall(rf"^\| `{name}` \|.*\| (\d+) \|.*\| ([\d,]+|minutes) \|$", page, re.M)
        (estimate,) = re.findall(r"^(?:about ([\d,]+) hours|a few (minutes)) in all; ", experiment.estimate)
        assert row == (str(len(cells)), "".join(estimate))


def test_the_file_that_the_page_shows_is_right(tmp_path):
    (content,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    (tmp_path / "mine.yaml").write_text(content, encoding="utf-8")
    experiment, cells = planned(ExperimentConfig(experiment=str(tmp_path / "mine.yaml")))
    check(cells, {})
    assert len(cells) == 12 and len(experiment.tables) == 1


def test_models_decode_and_learn_as_the_code_of_their_papers_does():
    """DiscoFuse by tensor2tensor, LATS by that of PEGASUS: both divide by GNMT's length penalty."""
    kinds = {"discofuse": (4, 0.6, "gnmt"), "lats": (8, 0.8, "gnmt")}
    for name, wanted in kinds.items():
        cells = [cell for cell in plan(name)[1] if cell.values.get("model") != "tagger"]
        found = {
            tuple(t.predict[k] for k in ("beams", "length_penalty", "length_penalty_kind"))
            for c in cells
            for t in c.tests.values()
        }
        assert found == {wanted}
    assert {first_of(cell)["optimizer"] for cell in plan("lats")[1]} == {"adafactor"}
    assert all(
        "beams" not in t.predict
        for c in plan("discofuse")[1]
        if c.values["model"] == "tagger"
        for t in c.tests.values()
    )
