"""Duplicates and evaluation texts by the real command: real pages, copies of them, edited copies, and a test set."""

import gzip
import json
import os
import re
import signal
import subprocess
import time

import pytest

from gistmill.rules.text.grams import words
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.commands import COMMAND, call, data_checksums, leftovers, make, manifest
from tests.dumps import export, small_pages

FAR = 10**8  # above every page id
LOOSE = (
    "--min-rest-words",
    "1",
    "--min-lead-words",
    "1",
    "--min-sentences",
    "2",
    "--min-overlap",
    "0",
    "--splits",
    "60,20,20",
)


def articles():
    return [p for p in small_pages() if b"<redirect" not in p and b"<ns>0</ns>" in p and b"disambig" not in p]


def page_id(page):
    return int(re.search(rb"<id>(\d+)</id>", page)[1])


def prose(page):
    text = (
        re.search(rb"<text[^>]*>(.*?)</text>", page, re.S)[1]
        .decode()
        .replace("&quot;", '"')
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
    )
    return "\n".join(p for s in clean_wikitext(text) for p in s.paragraphs)


def copied(page, number, old=b"", new=b""):
    page = re.sub(rb"<id>(\d+)</id>", lambda m: b"<id>%d</id>" % (int(m[1]) + number * FAR), page, count=1)
    page = re.sub(
        rb"<timestamp>.*?</timestamp>", b"<timestamp>2999-01-0%dT00:00:00Z</timestamp>" % number, page, count=1
    )
    head, text = page.split(b"<text", 1)
    return (
        re.sub(rb"<title>(.*?)</title>", rb"<title>\1 (%d)</title>" % number, head)
        + b"<text"
        + text.replace(old, new, 1)
    )


@pytest.fixture(scope="module")
def chosen():
    """Articles with text, long enough that a word more or less leaves them nearly the same."""
    return [p for p in articles() if len(words(prose(p))) > 100 and b" the " in p]


@pytest.fixture(scope="module")
def dump(chosen, tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "copies.xml"
    copies = [copied(p, 1) for p in chosen] + [copied(p, 2, b" is a", b" is surely a") for p in chosen]
    path.write_bytes(export([*small_pages()[:20], *copies, *small_pages()[20:]]))
    return path


@pytest.fixture(scope="module")
def evaluation_set(chosen, tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "test.jsonl.gz"
    found = words(prose(chosen[0]))
    path.write_bytes(
        gzip.compress(json.dumps({"document": " ".join(["So:", *found[20:40]]).title(), "id": 3}).encode())
    )
    return path


def run(dump, output, *more, **options):
    return make("lead-bias", "--input", dump, "--output", output, *LOOSE, *more, **options)


@pytest.fixture(scope="module")
def dataset(dump, evaluation_set, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "near"
    run(dump, folder, "--deduplicate", "near", "--decontaminate", evaluation_set)
    return folder


def rejects(folder):
    with gzip.open(folder / "rejects/part-00000-of-00001.jsonl.gz", "rt", encoding="utf-8") as file:
        return {r["id"]: r for r in map(json.loads, file) if r["unit"] == "document"}


def test_every_copy_is_rejected_and_names_what_stays(dataset, chosen, evaluation_set):
    found = rejects(dataset)
    assert len(chosen) >= 5
    for page in chosen:
        first = page_id(page)
        for number in (1, 2):
            reject = found[f"wikipedia-{first + number * FAR}"]
            assert reject["reason"] == ("EXACT_DUPLICATE" if number == 1 or b" is a" not in page else "NEAR_DUPLICATE")
            assert (reject["stage"], reject["detail"]) == ("deduplicate", f"wikipedia-{first} stays")
        assert found.get(f"wikipedia-{first}", {}).get("stage") in (None, "recipe", "decontaminate")
    contaminated = found[f"wikipedia-{page_id(chosen[0])}"]
    assert contaminated["reason"] == "CONTAMINATED" and f" in {evaluation_set.name}, such as" in contaminated["detail"]
    assert sum(r["reason"] == "CONTAMINATED" for r in found.values()) == 1


def test_nothing_is_lost(dataset, dump, chosen):
    counts = manifest(dataset)["counts"]
    assert counts["documents"]["read"] == len(small_pages()) + 2 * len(chosen) == dump.read_bytes().count(b"<page>")
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    assert counts["documents"]["used"] > 3


def test_the_manifest_names_the_evaluation_files(dataset, evaluation_set):
    (found,) = manifest(dataset)["evaluation"]
    assert (found["name"], found["size"], found["texts"]) == (evaluation_set.name, evaluation_set.stat().st_size, 1)
    assert len(found["sha256"]) == 64
    assert manifest(dataset)["configuration"]["deduplicate"] == "near"


@pytest.mark.slow
def test_two_workers_give_the_same_bytes(dataset, dump, evaluation_set, tmp_path):
    run(dump, tmp_path / "two", "--deduplicate", "near", "--decontaminate", evaluation_set, "--workers", "2")
    assert data_checksums(tmp_path / "two") == data_checksums(dataset)
    assert rejects(tmp_path / "two") == rejects(dataset)


@pytest.mark.slow
def test_wikipedia_is_taken_as_it_is_by_default(dump, tmp_path):
    run(dump, tmp_path / "all", "--limit", "25")
    assert manifest(tmp_path / "all")["configuration"]["deduplicate"] == "none"
    assert not {r["stage"] for r in rejects(tmp_path / "all").values()} & {"deduplicate", "decontaminate"}


@pytest.mark.slow
def test_annotated_documents_give_the_same_choice(dataset, dump, evaluation_set, tmp_path):
    make("annotate", "--input", dump, "--output", tmp_path / "parsed", "--coref", "none")
    run(
        tmp_path / "parsed",
        tmp_path / "out",
        "--source",
        "annotated",
        "--deduplicate",
        "near",
        "--decontaminate",
        evaluation_set,
    )

    def chosen_by(folder):
        return {
            (r["id"], r["reason"], r["detail"])
            for r in rejects(folder).values()
            if r["stage"] in ("deduplicate", "decontaminate")
        }

    assert chosen_by(tmp_path / "out") == chosen_by(dataset)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["sketches", pytest.param("ranges", marks=pytest.mark.long)])
def test_a_dead_run_is_resumed_to_the_same_bytes(dataset, dump, evaluation_set, tmp_path, folder):
    """Killed amid the first pass, and amid the second."""
    arguments = (
        "lead-bias",
        "--input",
        dump,
        "--output",
        tmp_path / "out",
        *LOOSE,
        "--deduplicate",
        "near",
        "--decontaminate",
        evaluation_set,
        "--resume",
    )
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 300
    while not len(list(tmp_path.glob(f".*.gistmill-*/{folder}/0*.json"))) >= 2:
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = make(*arguments)
    assert "resuming" in done.stderr
    assert data_checksums(tmp_path / "out") == data_checksums(dataset)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deduplicate", "fuzzy"], "expected one of none, exact, near"),
        (["--duplicate-threshold", "0"], "above 0"),
        (["--decontaminate", "missing-*.tsv"], "missing-*.tsv"),
        (["--decontaminate", "broken.jsonl"], "broken.jsonl, line 2 is not JSON"),
        (["--decontaminate", "broken.jsonl", "--decontaminate-ngram", "100"], "from 1 to 64"),
        (["--decontaminate", "broken.jsonl", "--decontaminate-threshold", "2.5"], "whole number"),
    ],
)
def test_bad_arguments_are_one_clear_line(dump, tmp_path, arguments, message):
    (tmp_path / "broken.jsonl").write_text('{"text": "fine"}\n{"text": \n')
    failed = call("lead-bias", "--input", dump, "--output", tmp_path / "out", *arguments, cwd=tmp_path)
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1 and message in failed.stderr, failed.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["broken.jsonl"]


def test_what_was_rejected_before_is_rejected_after(tmp_path):
    text = " ".join(f"Sentence {n} tells of the otters in the river." for n in range(9))
    page = {"text": text, "url": "https://example.com/sport/a", "date": "2026-02-01"}
    lines = [
        "no JSON",
        json.dumps({**page, "id": "section", "url": "https://example.com/news/a"}),
        json.dumps({**page, "id": "language", "text": "Die Otter schwimmen jeden Morgen durch den kalten Fluss. " * 9}),
        json.dumps({**page, "id": "old", "date": "2019-02-01"}),
        *(json.dumps({**page, "id": id}) for id in ("first", "second")),
    ]
    (tmp_path / "news.jsonl").write_text("\n".join(lines))
    wanted = ("--url-sections", "sports", "--since", "2026-01-01", "--deduplicate", "near", "--splits", "1,0,0")
    make("gap-sentences", "--source", "jsonl", "--input", "news.jsonl", *wanted, "--output", "out", cwd=tmp_path)
    counts = manifest(tmp_path / "out")["counts"]
    reasons = ("BAD_LINE", "OTHER_SECTION", "LANGUAGE", "TOO_OLD", "EXACT_DUPLICATE")
    assert counts["documents/rejected"] == dict.fromkeys(reasons, 1) and counts["documents"]["used"] == 1
