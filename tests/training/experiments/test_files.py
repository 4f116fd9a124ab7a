"""The experiments that come with Gistmill: they can be planned, their options are known, their figures are the papers'."""

import re
from pathlib import Path

import pytest
import yaml

from gistmill.rules.synthetic.language import TASKS
from gistmill.rules.wikitransfer.profiles import profiles
from gistmill.training.errors import SettingsError
from gistmill.training.experiments import commands, files
from gistmill.training.experiments.command import ExperimentConfig, planned
from gistmill.training.experiments.dry import dry_run
from gistmill.training.experiments.grid import filled
from tests.samples import REAL, needs_real

FOLDER = Path(files.__file__).parent
PAGE = Path(__file__).parents[3] / "docs" / "experiments.md"
PAPERS = REAL / "papers"
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def plan(name):
    return planned(ExperimentConfig(experiment=name))


def table(name, number):
    (found,) = (t for t in plan(name)[0].tables if f"Table {number}" in t.title and any(map(any, t.paper)))
    return {row.label: figures for row, figures in zip(found.rows, found.paper)}


def test_they_are_those_of_the_folder():
    assert set(files.NAMES) == {
        "curricula-tiny",
        "discofuse",
        "lats",
        "nonsense-tasks",
        "nonsense-tasks-tiny",
        "nonsense-transfer",
        "wikitransfer-ablations",
        "wikitransfer-few-shot",
    }
    with pytest.raises(ValueError, match="there is no experiment 'none'; there are curricula-tiny, discofuse, lats"):
        files.experiment_file("none")


@pytest.mark.parametrize("name", files.NAMES)
def test_it_says_what_it_needs_and_how_long_it_takes(name):
    experiment, cells = plan(name)
    shown = dry_run(experiment, cells, {})
    assert len(re.findall(r"; about [\d.]+ h$", shown, re.M)) == len(cells)
    assert "not measured" in experiment.estimate and experiment.device and experiment.about
    assert all(stage.hours > 0 for cell in cells for stage in cell.stages)
    for needed in experiment.needs.values():
        assert needed.of or needed.what
        assert not needed.file or (FOLDER / needed.file).is_file()
    assert set(experiment.needs) == {n for c in cells for n in c.needs()} | {
        needed.of for needed in experiment.needs.values() if needed.of
    }


@pytest.mark.parametrize("name", files.NAMES)
def test_every_option_is_known_to_the_commands(name):
    cells = plan(name)[1]
    commands.check(cells, {})
    with pytest.raises(SettingsError, match="seed1: (train|pretrain|finetune|transfer): unknown option .stepss."):
        commands.check(planned(ExperimentConfig(experiment=name, settings={"stepss": 3}))[1], {})


@pytest.mark.parametrize("name", sorted(p.stem for p in FOLDER.glob("profiles/*.yaml")))
def test_its_profiles_are_read_by_wikitransfer(name):
    values = yaml.safe_load((FOLDER / "profiles" / f"{name}.yaml").read_text(encoding="utf-8"))
    (profile,) = profiles([{"name": name, **values}])
    assert values.items() <= profile.items()
    assert f"{name}.yaml" in plan("wikitransfer-ablations")[0].needs["wikitransfer"].command
    experiment = plan("wikitransfer-ablations")[0]
    assert name in {needed.config for needed in experiment.needs.values()}


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


@pytest.mark.parametrize(
    "name, number, rows, total",
    [
        ("discofuse", 6, 4, 1677.7),
        ("discofuse", 7, 13, 3398),
        ("nonsense-transfer", 2, 14, 2510.64),
        ("nonsense-tasks", 7, 21, 1969.04),
        ("nonsense-tasks-tiny", 7, 21, 1969.04),
        ("wikitransfer-ablations", 3, 5, 744.87),
        ("wikitransfer-ablations", 4, 4, 616.62),
        ("wikitransfer-ablations", 5, 3, 459.31),
        ("wikitransfer-few-shot", 6, 8, 2427.56),
        ("lats", 6, 11, 4929.75),
    ],
)
def test_the_figures_add_up_to_what_was_read_in_the_papers(name, number, rows, total):
    found = printed_figures(name, number)
    assert len(found) == rows and sum(sum(figures) for figures in found.values()) == pytest.approx(total, abs=0.001)


@needs_real
@pytest.mark.parametrize(
    "name, number, paper, width, rows",
    [
        ("discofuse", 6, "discofuse", 4, 4),
        ("discofuse", 7, "discofuse", 4, 13),
        ("nonsense-transfer", 2, "nonsense-pretraining", 12, 14),
        ("nonsense-tasks", 7, "nonsense-pretraining", 1, 21),
        ("nonsense-tasks-tiny", 7, "nonsense-pretraining", 1, 21),
        ("wikitransfer-ablations", 3, "wikitransfer", 6, 5),
        ("wikitransfer-ablations", 4, "wikitransfer", 6, 4),
        ("wikitransfer-ablations", 5, "wikitransfer", 3, 3),
        ("wikitransfer-few-shot", 6, "wikitransfer", 3, 8),
        ("lats", 6, "lats", 12, 11),
    ],
)
def test_the_figures_are_those_of_the_paper(name, number, paper, width, rows):
    found = printed_figures(name, number)
    printed = lines(paper)
    assert len(found) == rows
    for label, figures in found.items():
        assert None not in figures
        for start in range(0, len(figures), width):
            assert any(holds(numbers, figures[start : start + width]) for numbers in printed), (label, figures)


@needs_real
@pytest.mark.parametrize("name", ["nonsense-tasks", "nonsense-tasks-tiny"])
def test_the_accuracies_of_tasks_stand_beside_their_names(name):
    text = (PAPERS / "nonsense-pretraining.md").read_text(encoding="utf-8")
    for label, (figure,) in table(name, 7).items():
        assert re.search(rf"^{label}\t[\d.]+\t[\d.]+\t[\d.]+\t{figure:.2f}$", text, re.M), label


@pytest.mark.parametrize("name", ["nonsense-tasks", "nonsense-tasks-tiny"])
def test_each_task_has_the_row_of_its_name(name):
    experiment, cells = plan(name)
    names = {task.name: task.paper_name for task in TASKS}
    rows = [(*row.where["task"], row.label) for row in experiment.tables[0].rows]
    assert len(rows) == 21 and all(names[task] == label for task, label in rows)
    assert {cell.values["task"] for cell in cells} == {task for task, _ in rows}


def test_samples_of_lats_are_those_that_the_curriculum_job_names():
    experiment, cells = plan("lats")
    named = re.search(r"--sample ([\d,]+) ", experiment.needs["cnndm-few"].command)[1].split(",")
    for cell in cells:
        (place,) = cell.stages[0].settings["datasets"]
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
        settings, (shots, _, cons) = cell.stages[-1].settings, cell.values["shots"].partition("-")
        rows, target, seed = int(shots), cell.values["target"], cell.seed
        weight = {10: 0.1, 100: 0.5}[rows] if cons else None
        assert settings.get("consistency_weight") == weight
        assert settings["steps"] == {10: 100, 100: 200}[rows]
        place = f"${target}-round-trips/{rows}-{seed}" if cons else f"${target}-{rows}"
        assert settings["datasets"] == [place]
        plain = experiment.needs[f"{target}-{rows}"]
        assert (plain.of, plain.rows, plain.seed) == (f"{target}-pairs", rows, None)
        command = experiment.needs[f"{target}-round-trips"].command
        assert f"--input {plain.of} --sample 10,100 --subsets {len(experiment.seeds)}" in command
    # the long training is shared by all of a target
    first = {c.values["target"]: c.stages[0].settings for c in cells if c.values["start"] == "wikitransfer"}
    assert all(c.stages[0].settings == first[c.values["target"]] for c in cells if len(c.stages) == 2)


def test_a_wrong_figure_would_be_seen():
    assert holds([1.0, 2.0, 3.0], [2.0, 3.0]) and not holds([1.0, 2.0, 3.0], [2.0, 2.9]) and not holds([], [1.0])


def test_the_same_training_is_named_alike():
    """So that rows of WikiTransfer's tables share it: M = 3 is CNN/DailyMail's own."""
    experiment, cells = plan("wikitransfer-ablations")
    found = {cell.name: cell.stages[0].settings for cell in cells}
    known = {name: f"{n.of}#{n.config}, {n.rows}" for name, n in experiment.needs.items()}

    def content(name):
        return {k: filled(v, {}) if k != "datasets" else [known[d[1:]] for d in v] for k, v in found[name].items()}

    assert content("cnndm.m3.seed1") == content("cnndm.size-400k.seed1") == content("cnndm.lr-3e-6.seed1")
    assert content("xsum.m1.seed1") == content("xsum.lr-3e-6.seed1") != content("xsum.size-400k.seed1")
    assert content("xsum.lr-3e-5.seed1") == content("xsum.size-400k.seed1")


def test_the_page_names_every_experiment_with_its_cells_and_hours():
    page = PAGE.read_text(encoding="utf-8")
    for name in files.NAMES:
        experiment, cells = plan(name)
        (hours,) = re.findall(r"cells, about ([\d.]+) hours in all", dry_run(experiment, cells, {}))
        (row,) = re.findall(rf"^\| `{name}` \|.*\| (\d+) \|.*\| (\d+) \|$", page, re.M)
        assert row == (str(len(cells)), f"{float(hours):.0f}")


def test_the_file_that_the_page_shows_is_right(tmp_path):
    (content,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    (tmp_path / "mine.yaml").write_text(content, encoding="utf-8")
    experiment, cells = planned(ExperimentConfig(experiment=str(tmp_path / "mine.yaml")))
    commands.check(cells, {})
    assert len(cells) == 12 and len(experiment.tables) == 1
