"""A rebuild that ends in the moment before or after each of its decisive steps, and the one that follows."""

import pytest

from gistmill.pipelines.rebuild import layout
from gistmill.pipelines.rebuild import rebuild as module
from gistmill.pipelines.rebuild.layout import CorpusPlace
from gistmill.published.dataset import Dataset
from tests.commands import data_checksums
from tests.pipelines.rebuild.corpora import articles, put_month, rebuilt, remains, served, write_corpus, write_texts
from tests.pipelines.rebuild.mirror import Mirror, serve

pytestmark = pytest.mark.long


class Crash(BaseException):
    """As a power cut: nothing is cleaned up."""


# What is called, and the how manieth call it is: `remove` is called before the plan is written, before a dataset is made,
# and when all is done.
POINTS: list[tuple[object, str, int]] = [
    (module, "write", 1),
    (module, "broken_guards", 1),
    (module, "take_over", 1),
    (module, "carry_out", 1),
]
POINTS += [(module, "remove", call) for call in (1, 3, 5)]
POINTS += [(CorpusPlace, name, 1) for name in ("prune", "link", "serve")]


def recipes(ratio):
    options = {"splits": [1, 0, 0], "formats": ["parquet"]}
    return {
        "gaps": {"recipe": "gap-sentences", "gap_ratio": ratio, **options},
        "words": {"recipe": "synthetic", "documents": 40, "tasks": "ensemble", **options},
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    write_texts(folder / "texts.jsonl", 4)
    write_corpus(folder, recipes=recipes(0.5))
    assert rebuilt(folder)[0] == 0
    return sums(folder)


def sums(folder):
    return {name: data_checksums(served(folder / "corpus") / name) for name in recipes(0)}


def crash(folder, monkeypatch, owner, name, *, after=False, call=1):
    """Rebuilds until a function is called for the first, second, ... time, and no further."""
    real, calls = getattr(owner, name), []

    def crashing(*arguments, **options):
        calls.append(name)
        done = real(*arguments, **options) if after or len(calls) < call else None
        if len(calls) == call:
            raise Crash
        return done

    monkeypatch.setattr(owner, name, crashing)
    with pytest.raises(Crash):
        rebuilt(folder)
    monkeypatch.undo()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("owner", "name", "call"), POINTS, ids=lambda p: p if isinstance(p, (str, int)) else "")
def test_a_crash_is_repaired_by_the_next_rebuild(tmp_path, monkeypatch, expected, owner, name, call, after):
    write_texts(tmp_path / "texts.jsonl", 4)
    write_corpus(tmp_path, recipes=recipes(0.3))
    first = rebuilt(tmp_path)[1]["version"]
    write_corpus(tmp_path, recipes=recipes(0.5))
    crash(tmp_path, monkeypatch, owner, name, call=call, after=after)
    assert (served(tmp_path / "corpus") / "version.json").exists()

    code, summary, err = rebuilt(tmp_path)
    assert code in (0, 3) and summary["served"] != first, err
    assert served(tmp_path / "corpus").name == summary["served"] == (tmp_path / "corpus" / "latest").resolve().name
    assert sums(tmp_path) == expected and remains(tmp_path / "corpus") == []
    assert len(list((tmp_path / "corpus" / "versions").iterdir())) == 2
    assert rebuilt(tmp_path)[0] == 3


def test_what_was_made_with_other_options_is_not_taken_for_finished(tmp_path, monkeypatch, expected):
    write_texts(tmp_path / "texts.jsonl", 4)
    write_corpus(tmp_path, recipes=recipes(0.3))
    crash(tmp_path, monkeypatch, module, "carry_out", call=2)  # the first dataset is there
    write_corpus(tmp_path, recipes=recipes(0.5))
    crash(tmp_path, monkeypatch, module, "write", call=2, after=True)  # the plan is written, and nothing made of it
    assert rebuilt(tmp_path)[0] == 0
    assert sums(tmp_path) == expected and remains(tmp_path / "corpus") == []


def test_a_newer_dump_takes_over_what_was_made_beside_an_older_one(tmp_path, monkeypatch):
    with serve(Mirror()) as mirror:
        put_month(mirror, tmp_path, "20260101", articles()[:2])
        made = {"a-words": recipes(0)["words"], "gaps": {**recipes(0.3)["gaps"], "min_sentences": 2}}
        wiki = {"wiki": "simplewiki", "mirrors": [mirror.url]}
        write_corpus(tmp_path, sources={"wiki": wiki}, recipes=made)
        crash(tmp_path, monkeypatch, module, "carry_out", call=2)
        put_month(mirror, tmp_path, "20260201", articles()[:3])
        code, summary, err = rebuilt(tmp_path)
    how = {stage["name"]: stage["how"] for stage in summary["stages"]}
    assert code == 0 and (how["a-words"], how["gaps"]) == ("taken over", "built"), err
    assert [p.name for p in (tmp_path / "corpus" / "versions").iterdir()] == ["20260201-1"]
    assert remains(tmp_path / "corpus") == []


@pytest.mark.parametrize("call", [1, 3])
def test_a_dataset_that_was_taken_over_in_part_is_taken_over_again(tmp_path, monkeypatch, expected, call):
    write_texts(tmp_path / "texts.jsonl", 4)
    write_corpus(tmp_path, recipes=recipes(0.3))
    rebuilt(tmp_path)
    write_corpus(tmp_path, recipes=recipes(0.5))
    crash(tmp_path, monkeypatch, layout.os, "link", call=call, after=True)
    assert rebuilt(tmp_path)[0] == 0
    assert sums(tmp_path) == expected
    assert Dataset(served(tmp_path / "corpus") / "words").validate() == []


def test_a_dataset_that_the_file_names_no_more_is_in_no_version(tmp_path, monkeypatch):
    write_texts(tmp_path / "texts.jsonl", 4)
    write_corpus(tmp_path, recipes=recipes(0.3))
    crash(tmp_path, monkeypatch, module, "carry_out", call=2)
    write_corpus(tmp_path, recipes={"words": recipes(0)["words"]})
    assert rebuilt(tmp_path)[0] == 0
    assert {p.name for p in served(tmp_path / "corpus").iterdir()} == {"version.json", "words"}
