"""A rebuild that ends in the moment before or after each of its decisive steps, and the one that follows."""

import pytest

from pipelines.rebuild import rebuild as module
from pipelines.rebuild import stages
from pipelines.rebuild.places import CorpusPlace
from tests.commands import data_checksums
from tests.pipelines.rebuild.corpora import rebuilt, remains, served, write_corpus, write_texts


class Crash(BaseException):
    """As a power cut: nothing is cleaned up."""


SLOW = [(module, "write"), (module, "prune"), (module, "remove_file"), (module, "faults"), (CorpusPlace, "link")]
SLOW += [(stages, "take_over"), (stages, "remove"), (stages, "carry_out")]
POINTS = [(CorpusPlace, "serve"), *(pytest.param(*point, marks=pytest.mark.slow) for point in SLOW)]


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


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("owner", "name"), POINTS, ids=lambda p: p if isinstance(p, str) else "")
def test_a_crash_is_mended_by_the_next_rebuild(tmp_path, monkeypatch, expected, owner, name, after):
    write_texts(tmp_path / "texts.jsonl", 4)
    write_corpus(tmp_path, recipes=recipes(0.3))
    first = rebuilt(tmp_path)[1]["version"]
    write_corpus(tmp_path, recipes=recipes(0.5))
    real, calls = getattr(owner, name), []

    def crashing(*arguments, **options):
        calls.append(name)
        if after:
            real(*arguments, **options)
        raise Crash

    monkeypatch.setattr(owner, name, crashing)
    with pytest.raises(Crash):
        rebuilt(tmp_path)
    monkeypatch.undo()
    assert calls and (served(tmp_path / "corpus") / "version.json").exists()

    code, summary, err = rebuilt(tmp_path)
    assert code in (0, 3) and summary["served"] != first, err
    assert served(tmp_path / "corpus").name == summary["served"] == (tmp_path / "corpus" / "latest").resolve().name
    assert sums(tmp_path) == expected and remains(tmp_path / "corpus") == []
    assert len(list((tmp_path / "corpus" / "versions").iterdir())) == 2
    assert rebuilt(tmp_path)[0] == 3
