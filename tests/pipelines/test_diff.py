"""``gistmill diff`` on datasets of two months of the slice, which real jobs made."""

from __future__ import annotations

import json
import re
import shutil

import pytest
import yaml

import gistmill
from gistmill.pipelines import diff
from gistmill.pipelines.errors import ConfigError
from gistmill.published.comparison.comparison import Comparison, Moved, Side
from gistmill.published.comparison.drift import drift
from tests.commands import gistmill as command
from tests.commands import manifest, write_jsonl
from tests.months import months

CHANGED, DELETED, NEW, RENAMED = 6, 2, 3, 1


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Datasets of both months, by recipe and month."""
    folder = tmp_path_factory.mktemp("diff")
    two = months(changed=CHANGED, deleted=DELETED, new=NEW, renamed=RENAMED, most_bytes=15_000)
    for number, dump in enumerate(two.write(folder), start=1):
        gistmill.build("gap-sentences", input=dump, output=folder / f"gap-sentences{number}", splits=(60, 20, 20))
        gistmill.build("articles", input=dump, output=folder / f"articles{number}")
    return folder


@pytest.fixture(scope="module")
def parsed(made):
    """The same folder, with datasets of recipes that need a parser."""
    for number, dump in enumerate(sorted(made.glob("*.bz2")), start=1):
        annotated = made / f"annotate{number}"
        gistmill.build("annotate", input=dump, output=annotated, coref="none")
        output = made / f"discofuse{number}"
        gistmill.build("discofuse", source="annotated", input=annotated, output=output, splits=(60, 20, 20))
    return made


def compared(capsys, *arguments):
    assert diff.main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def read(folder, config="default"):
    """The rows of a dataset by id."""
    from gistmill.published.dataset import Dataset

    dataset = Dataset(folder)
    return {row["id"]: row | {"split": s} for s in dataset.splits(config) for row in dataset.rows(s, config)}


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["annotate", "discofuse"])
def test_the_parsed_pages_that_changed_are_found(parsed, capsys, recipe):
    test_the_pages_that_changed_are_found(parsed, capsys, recipe)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["gap-sentences", "articles"])
def test_the_pages_that_changed_are_found(made, capsys, recipe):
    found = compared(capsys, made / f"{recipe}1", made / f"{recipe}2")
    documents = found["content"]["documents"]
    assert (documents["added"], documents["removed"], documents["revised"]) == (NEW, DELETED, CHANGED)
    assert documents["remade"] == RENAMED
    same = documents["new"] - NEW - CHANGED - RENAMED
    assert documents["same"] == same == documents["old"] - DELETED - CHANGED - RENAMED
    assert documents["same"] > 0 and found["recipe"] == recipe and found["guards"] == []


@pytest.mark.slow
def test_rows_are_those_that_the_datasets_have(parsed, capsys):
    found = compared(capsys, parsed / "discofuse1", parsed / "discofuse2")["content"]["rows"]["full"]
    old, new = (read(parsed / f"discofuse{n}", "full") for n in (1, 2))
    assert found["all"]["added"] == len(new.keys() - old.keys())
    assert found["all"]["removed"] == len(old.keys() - new.keys())
    assert found["all"]["same"] == sum(old.get(i) == row for i, row in new.items()) > 0
    for kind, change in found["types"].items():
        assert change["new"] == sum(row["discourse_type"] == kind for row in new.values())
    for split, change in found["splits"].items():
        assert change["old"] == sum(row["split"] == split for row in old.values())
    assert found["columns"]["revision"] == sum(
        old[i]["revision"] != new[i]["revision"] for i in old.keys() & new.keys()
    )


def test_a_new_dump_moves_rows_and_changes_nothing_else(made, capsys):
    found = compared(capsys, made / "gap-sentences1", made / "gap-sentences2")["content"]["rows"]["default"]
    assert found["all"]["same"] == 0 and found["all"]["found_elsewhere"] > found["all"]["changed"] > 0
    assert found["columns"]["file"] == found["all"]["found_elsewhere"] + found["all"]["changed"]


def test_a_dataset_beside_itself_is_the_same(made, capsys, tmp_path):
    copy = shutil.copytree(made / "gap-sentences1", tmp_path / "copy")
    found = compared(capsys, made / "gap-sentences1", copy)
    rows = manifest(copy)["counts"]["rows/default"]
    assert found["content"]["rows"]["default"]["all"]["same"] == sum(rows.values())
    assert (found["causes"], found["guards"]) == ([], [])
    assert found["transfer"]["moved_files"] == (copy / "manifest.json").stat().st_size


@pytest.mark.slow
def test_the_terminal_shows_the_important_first(parsed, capsys):
    assert diff.main([str(parsed / "discofuse1"), str(parsed / "discofuse2")]) == 0
    shown = capsys.readouterr().out
    headings = "Guards: none is broken|Documents|Rows of full|Rejects|Types of full|Lengths|What may|Upload"
    places = [re.search(rf"^{heading}", shown, re.M).start() for heading in headings.split("|")]
    assert places == sorted(places)
    assert re.search(rf"^  new revision +{CHANGED} ", shown, re.M)
    assert "--all" in shown and max(map(len, shown.splitlines())) <= 140
    diff.main([str(parsed / "discofuse1"), str(parsed / "discofuse2"), "--all"])
    assert "--all" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ({"a": 500, "b": 500}, "not significant at 0.001 (chi-square 0.0, 1 degrees of freedom, p 1)"),
        ({"a": 551, "b": 449}, "not significant at 0.001 (chi-square 5.2, 1 degrees of freedom, p 0.022)"),
        ({"a": 580, "b": 420}, "; significant at 0.001 (chi-square 12.9, 1 degrees of freedom, p 0.00033)"),
    ],
)
def test_a_test_of_significance_is_called_no_more_than_that(new, said):
    old = {"a": 500, "b": 500}
    moved = Moved(kind="types", config="full", drift=drift(old, new), values=tuple((k, old[k], new[k]) for k in old))
    side = Side(place="a", end="", code_version="", rows={}, splits={}, read=1, used=1, bytes=1)
    transfer = {"bytes": 1, "same_path": 1, "same_content": 0, "moved_files": 0}
    found = {"old": side, "new": side, "causes": (), "distributions": (moved,), "rejected": (), "transfer": transfer}
    shown = diff.text(Comparison(recipe="discofuse", **found))
    assert said in shown and "chance" not in shown


@pytest.mark.slow
def test_quick_reads_no_rows(parsed, capsys, tmp_path):
    copy = shutil.copytree(parsed / "discofuse1", tmp_path / "copy")
    for shard in copy.rglob("*.parquet"):
        shard.unlink()
    found = compared(capsys, copy, parsed / "discofuse2", "--quick")
    assert found["content"] is None and found["distributions"] and found["rejected"]
    assert diff.main([str(copy), str(parsed / "discofuse2"), "--quick"]) == 0
    assert "full/train" in capsys.readouterr().out


def test_broken_guards_are_shown_and_are_a_code_only_when_asked_for(made, capsys, tmp_path):
    corpus = tmp_path / "c.yaml"
    sources = {"texts": {"source": "jsonl", "input": "texts.jsonl"}}
    recipes = {"gaps": {"recipe": "gap-sentences"}}
    guards = {"min_documents": 10_000, "removed": 0.01}
    values = {"publish": "x", "sources": sources, "recipes": recipes, "guards": guards}
    corpus.write_text(yaml.safe_dump(values), encoding="utf-8")
    places = [str(made / "gap-sentences1"), str(made / "gap-sentences2")]
    assert diff.main([*places, "--check"]) == 0
    assert diff.main([*places, "--guards", str(corpus)]) == 0
    capsys.readouterr()
    assert diff.main([*places, "--guards", str(corpus), "--check"]) == 1
    shown = capsys.readouterr().out
    assert "Guards: 2 broken" in shown and "documents gone: 2 of " in shown and "guards.min_documents: 10,000" in shown


@pytest.mark.slow
def test_half_a_corpus_breaks_the_default_guards(made, tmp_path, capsys):
    texts = [
        {"id": f"t{n}", "text": [f"Otter {n} swims. It eats fish. It sleeps. Nobody wakes it."] * 2} for n in range(40)
    ]
    for name, part in (("old", texts), ("new", texts[::2])):
        input = write_jsonl(tmp_path / f"{name}.jsonl", part)
        options = {"source": "jsonl", "deduplicate": "none", "splits": (1, 0, 0)}
        gistmill.build("gap-sentences", input=input, output=tmp_path / name, **options)
    assert diff.main([str(tmp_path / "old"), str(tmp_path / "new"), "--check"]) == 1
    assert "documents used: 20, 0.5 times the 40 before" in capsys.readouterr().out
    assert diff.main([str(tmp_path / "new"), str(tmp_path / "old"), "--check"]) == 1


def newer(folder):
    value = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(value | {"manifest_version": 99}), encoding="utf-8")


def cut(folder):
    path = next(iter(sorted(folder.rglob("*.parquet"))))
    path.write_bytes(path.read_bytes()[:100])


def lost(folder):
    next(iter(sorted(folder.rglob("*.parquet")))).unlink()


def unreadable(folder):
    (folder / "stats.json").write_text("[", encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (newer, "written by a newer gistmill"),
        (cut, "parquet cannot be read: "),
        (lost, "parquet cannot be read: "),
        (unreadable, "stats.json is not JSON"),
        (lambda folder: (folder / "manifest.json").unlink(), "is not a dataset yet"),
    ],
)
def test_a_spoilt_dataset_is_one_line(made, tmp_path, spoil, said):
    copy = shutil.copytree(made / "gap-sentences2", tmp_path / "copy")
    spoil(copy)
    with pytest.raises(ConfigError, match=said) as error:
        diff.main([str(made / "gap-sentences1"), str(copy)])
    assert str(copy) in str(error.value) and "\n" not in str(error.value)


BOTH = ("{made}/gap-sentences1", "{made}/gap-sentences2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{made}/gap-sentences1"], "the following arguments are required: NEW"),
        (["{made}/gap-sentences1", "{made}/articles1"], "was made by articles, and .* by gap-sentences"),
        (["{made}/gap-sentences1", "{made}/nowhere"], "nowhere is not a dataset: nothing is there"),
        ([*BOTH, "--by", "colour"], "no configuration has a column 'colour'"),
        ([*BOTH, "--jsno"], "unknown option --jsno; did you mean --json"),
        ([*BOTH, "--guards", "{made}/no.yaml"], "no.yaml: No such file"),
    ],
)
def test_a_wrong_command_is_one_line(made, arguments, said):
    with pytest.raises(ConfigError, match=said):
        diff.main([argument.format(made=made) for argument in arguments])


@pytest.mark.slow
def test_the_command_itself(made):
    done = command("diff", made / "gap-sentences1", made / "gap-sentences2", "--by", "revision")
    assert done.returncode == 0 and "by revision" in done.stdout and done.stderr == ""
    done = command("diff", made / "gap-sentences1", made / "articles2")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
