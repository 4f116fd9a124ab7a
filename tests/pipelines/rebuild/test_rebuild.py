"""`gistmill rebuild` on small inputs: versions, the pointer, what is done again and what is not, and how it fails."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from gistmill.pipelines.rebuild.layout import CorpusPlace
from gistmill.published.dataset import Dataset
from tests.commands import COMMAND, data_checksums, manifest
from tests.pipelines.rebuild.corpora import (
    articles,
    put_month,
    rebuilt,
    remains,
    served,
    tree,
    write_corpus,
    write_texts,
)
from tests.pipelines.rebuild.mirror import Mirror, serve, webhook

pytestmark = pytest.mark.slow


@pytest.fixture
def rebuild(tmp_path):
    """Rebuilds the corpus c.yaml of the folder in this process; returns code, JSON and lines for a person."""
    write_texts(tmp_path / "texts.jsonl", 6)
    write_corpus(tmp_path)

    def run(*arguments):
        return rebuilt(tmp_path, *arguments)

    run.folder = tmp_path
    run.corpus = tmp_path / "corpus"
    run.change = lambda **changes: write_corpus(tmp_path, **changes)
    return run


def recipes(**options):
    return {"gaps": {"recipe": "gap-sentences", "splits": [1, 0, 0], "formats": ["parquet"], **options}}


def how(summary):
    return {stage["name"]: stage["how"] for stage in summary.get("stages", ())}


def test_a_version_is_published_and_nothing_is_left(rebuild):
    code, summary, _err = rebuild()
    assert (code, summary["status"]) == (0, "published")
    version = summary["version"]
    assert summary["served"] == version and version.endswith("-1")
    assert served(rebuild.corpus) == rebuild.corpus / "versions" / version == (rebuild.corpus / "latest").resolve()
    made = manifest(rebuild.corpus / "latest" / "gaps")["counts"]["rows/default"]["train"]
    assert summary["rows"] == {"gaps": {"default": made}}
    assert remains(rebuild.corpus) == []
    assert Dataset(rebuild.corpus / "latest" / "gaps").validate() == []


def test_nothing_new_is_code_3_and_changes_nothing(rebuild):
    rebuild()
    before = tree(rebuild.corpus)
    code, summary, _err = rebuild()
    assert (code, summary["status"]) == (3, "nothing-new") and "stages" not in summary
    assert {name for name, _ in tree(rebuild.corpus).items() ^ before.items()} <= {"state/lock"}
    # whether a dataset may be empty decides nothing about its content
    rebuild.change(recipes=recipes(allow_empty=True))
    assert rebuild()[0] == 3


def test_a_changed_option_makes_that_dataset_again_and_no_other(rebuild):
    other = {"leads": {"recipe": "gap-sentences", "selection": "lead", "splits": [1, 0, 0]}}
    rebuild.change(recipes={**recipes(), **other})
    _, first, _ = rebuild()
    rebuild.change(recipes={**recipes(gap_ratio=0.5), **other})
    code, second, err = rebuild()
    assert code == 0 and how(second) == {"gaps": "built", "leads": "taken over"}
    assert "gaps is rebuilt: options.gap_ratio was" in err and "leads is rebuilt" not in err
    old, new = (rebuild.corpus / "versions" / s["version"] / "leads" for s in (first, second))
    assert tree(old) == tree(new)
    reports = [rebuild.corpus / "versions" / s["version"] / "gaps/report.html" for s in (first, second)]
    assert ["Against the version before" in r.read_text(encoding="utf-8") for r in reports] == [False, True]
    shutil.rmtree(old.parent)
    assert Dataset(new).validate() == []


def test_a_changed_input_is_noticed_and_old_versions_go(rebuild):
    rebuild.change(retention={"versions": 2})
    versions = []
    for count in (6, 7, 8):
        write_texts(rebuild.folder / "texts.jsonl", count)
        versions.append(rebuild()[1])
    assert [v["version"][-2:] for v in versions] == ["-1", "-2", "-3"]
    assert versions[-1]["removed"] == [versions[0]["version"]]
    assert sorted(p.name for p in (rebuild.corpus / "versions").iterdir()) == [v["version"] for v in versions[1:]]


def test_rollback_moves_the_pointer_and_the_next_rebuild_respects_it(rebuild):
    _, first, _ = rebuild()
    write_texts(rebuild.folder / "texts.jsonl", 7)
    _, second, _ = rebuild()
    code, summary, err = rebuild("--rollback")
    assert (code, summary["status"], summary["served"]) == (0, "rolled-back", first["version"])
    assert (rebuild.corpus / "latest").resolve().name == first["version"]
    code, summary, err = rebuild()
    assert (code, summary["served"], summary["version"]) == (3, first["version"], second["version"])
    assert "--rollback selected" in err
    assert rebuild("--rollback", second["version"])[1]["served"] == second["version"]
    rebuild("--rollback")
    code, summary, err = rebuild("--rollback")
    assert code == 1 and "there is no version before" in err
    assert "there is no version 20000101-1" in rebuild("--rollback", "20000101-1")[2]


def test_a_version_that_is_served_is_never_removed(rebuild):
    rebuild.change(retention={"versions": 1})
    _, first, _ = rebuild()
    rebuild.change(retention={"versions": 2})
    write_texts(rebuild.folder / "texts.jsonl", 7)
    rebuild()
    rebuild("--rollback")
    rebuild.change(retention={"versions": 1})
    assert rebuild()[0] == 3
    assert served(rebuild.corpus).name == first["version"] and (served(rebuild.corpus) / "version.json").exists()


def test_guards_hold_back_half_a_corpus_until_it_is_accepted(rebuild):
    _, first, _ = rebuild()
    write_texts(rebuild.folder / "texts.jsonl", 2)
    code, summary, err = rebuild()
    assert code == 1 and summary["served"] == first["version"] == served(rebuild.corpus).name
    held_back = "gaps: rows of default: 2, 0.333 times the 6 before (guards.rows: 0.8..1.5)"
    assert held_back in summary["error"] and "--accept" in summary["advice"]
    code, summary, err = rebuild("--accept")
    assert code == 0 and how(summary) == {"gaps": "finished before"} and "accepted: gaps" in err
    assert served(rebuild.corpus).name == summary["version"] and remains(rebuild.corpus) == []


def test_a_dataset_that_may_be_empty_is_left_to_the_guards(rebuild):
    rebuild.change(recipes=recipes(min_sentences=1000))
    code, summary, err = rebuild()
    assert code == 1 and "Use `allow_empty: true` to publish a dataset" in summary["error"] and "--" not in err
    assert "change the options or the input, then repeat the command" in summary["advice"]
    rebuild.change(recipes=recipes(min_sentences=1000, allow_empty=True))
    code, summary, _ = rebuild()
    assert code == 1 and "(guards.min_rows: 1)" in summary["error"], summary
    assert rebuild("--accept")[0] == 0
    rebuild.change(recipes=recipes(min_sentences=1001, allow_empty=True), guards={"min_documents": 0, "min_rows": 0})
    code, summary, _err = rebuild()
    assert code == 0 and summary["rows"] == {"gaps": {}}, summary


def test_a_failure_leaves_the_old_version_and_says_what_to_do(rebuild):
    with webhook() as (port, sent):
        rebuild.change(webhook=f"http://127.0.0.1:{port}/hook")
        _, first, _ = rebuild()
        assert sent == []
        texts = rebuild.folder / "texts.jsonl"
        write_texts(texts, 7)
        shutil.copy(texts, rebuild.folder / "good.jsonl")
        with texts.open("ab") as file:  # an id that is there already
            file.write(b'{"id": "o1", "text": ["' + b"A sentence is here. " * 12 + b'"]}\n')
        code, summary, err = rebuild("--metrics-file", rebuild.folder / "m.prom")
    assert (code, summary["status"], summary["failed_stage"]) == (1, "failed", "gaps")
    assert f"{first['version']} is still served; repeat the command" in summary["advice"]
    assert [told["error"] for _, told in sent] == [summary["error"]]
    metrics = (rebuild.folder / "m.prom").read_text(encoding="utf-8")
    assert 'gistmill_rebuild_success{corpus="c.yaml"} 0.0' in metrics and "Traceback" not in err
    shutil.copy(rebuild.folder / "good.jsonl", texts)
    with webhook() as (port, sent):
        rebuild.change(webhook={"url": f"http://127.0.0.1:{port}/hook", "on": ["published"]})
        code, summary, err = rebuild("--metrics-file", rebuild.folder / "m.prom")
        assert code == 0 and remains(rebuild.corpus) == []
        assert [told["status"] for _, told in sent] == ["published"]
        assert rebuild()[0] == 3 and len(sent) == 1
    assert all(
        re.match(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ gistmill rebuild: ", s)
        for s in err.splitlines()
        if "writing" not in s
    )
    assert f"{summary['version']} was published: {rebuild.corpus}" in err
    metrics = (rebuild.folder / "m.prom").read_text(encoding="utf-8")
    assert 'gistmill_rebuild_rows{config="default",corpus="c.yaml",dataset="gaps"} 7.0' in metrics
    assert 'gistmill_rebuild_exit_code{corpus="c.yaml"} 0.0' in metrics


def test_two_never_run_at_once(rebuild):
    with CorpusPlace(str(rebuild.corpus)).held():
        code, _, err = rebuild()
    assert code == 1 and f"another rebuild of {rebuild.corpus} is running (process {os.getpid()}" in err
    assert not (rebuild.corpus / "versions").exists()
    assert rebuild()[0] == 0  # a lock that is left does not count


def test_a_folder_of_work_serves_one_corpus(rebuild):
    rebuild.change(work=str(rebuild.folder / "work"))
    assert rebuild()[0] == 0
    rebuild.change(work=str(rebuild.folder / "work"), publish=str(rebuild.folder / "other"))
    code, _summary, err = rebuild()
    assert code == 2 and f"belongs to the corpus {rebuild.corpus}" in err


@pytest.mark.waits
def test_a_signal_ends_it_cleanly_and_the_next_run_goes_on(rebuild):
    write_texts(rebuild.folder / "texts.jsonl", 4000)
    process = subprocess.Popen(
        [*COMMAND, "rebuild", "c.yaml"], cwd=rebuild.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 240
    while not list(rebuild.corpus.rglob(".gaps.gistmill-*")) and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 143 and json.loads(out)["status"] == "interrupted" and "Traceback" not in err
    assert served(rebuild.corpus) is None
    assert rebuild()[0] == 0 and remains(rebuild.corpus) == []


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """A corpus of a wiki after two months, with what each rebuild said, and one of the second month from nothing."""
    folder = tmp_path_factory.mktemp("months")
    options = {"splits": [1, 0, 0], "formats": ["parquet"]}
    (folder / "other").mkdir()
    with serve(Mirror()) as mirror:
        for place in (folder, folder / "other"):
            write_corpus(
                place,
                sources={"wiki": {"wiki": "simplewiki", "mirrors": [mirror.url], "coref": "none"}},
                recipes={
                    "fusion": {"recipe": "discofuse", **options},
                    "leads": {"recipe": "lead-bias", "lead": "lead-section", "min_overlap": 0, **options},
                },
                guards={"documents": "0..", "rows": "0.."},
            )
        said = []
        put_month(mirror, folder, "20260101", articles()[:3])
        said.append(rebuilt(folder))
        put_month(mirror, folder, "20260201", [*articles()[:3], articles()[7]])  # which has prose
        status = mirror.files["simplewiki/20260201/dumpstatus.json"]
        mirror.files["simplewiki/20260201/dumpstatus.json"] = status.replace(b"done", b"waiting")
        said.append(rebuilt(folder))
        mirror.files["simplewiki/20260201/dumpstatus.json"] = status
        said.append(rebuilt(folder))
        assert rebuilt(folder / "other")[0] == 0
    return folder / "corpus", said, folder / "other" / "corpus"


def test_each_complete_dump_becomes_a_version_with_the_bytes_of_a_rebuild_from_nothing(months):
    corpus, said, other = months
    assert [code for code, _, _ in said] == [0, 3, 0], said
    assert "20260201 is not complete" in said[1][2]
    first, _, last = (summary for _, summary, _ in said)
    assert (first["version"], last["version"]) == ("20260101-1", "20260201-1")
    assert list(how(first)) == ["download simplewiki 20260101", "annotate wiki", "fusion", "leads"]
    (annotated,) = (s["documents"] for s in last["stages"] if s["name"] == "annotate wiki")
    assert annotated == {"reused": 3, "revised": 0, "parsed": 1}
    for name in ("fusion", "leads"):
        (dump,) = manifest(corpus / "latest" / name)["dumps"]
        assert (dump["wiki"], dump["date"], len(dump["sha1"])) == ("simplewiki", "20260201", 40)
        assert data_checksums(corpus / "latest" / name) == data_checksums(other / "latest" / name) != {}
    assert manifest(corpus / "latest" / "fusion")["sources"][0]["kind"] == "annotated"
    # what is superseded is removed
    assert [p.name for p in (corpus / "state" / "dumps" / "simplewiki").iterdir()] == ["20260201"]
    assert len(list((corpus / "state" / "annotated" / "wiki").iterdir())) == 1
    assert remains(corpus) == []
