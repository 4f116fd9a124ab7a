"""Duplicates and evaluation texts by the real command: real pages, copies of them, edited copies, and a test set."""

import gzip
import html
import json
import re

import pytest

from gistmill.rules.text.grams import words
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.commands import data_checksums, killed, leftovers, make, manifest, rejects
from tests.dumps import export, page_id, small_pages

FAR = 10**8  # above every page id
LOOSE = "lead-bias --min-rest-words 1 --min-lead-words 1 --min-sentences 2 --min-overlap 0 --splits 60,20,20"


def prose(page):
    text = html.unescape(re.search(rb"<text[^>]*>(.*?)</text>", page, re.S)[1].decode())
    return "\n".join(p for s in clean_wikitext(text) for p in s.paragraphs)


def copied(page, number, old=b"", new=b""):
    page = re.sub(rb"<id>(\d+)</id>", lambda m: b"<id>%d</id>" % (int(m[1]) + number * FAR), page, count=1)
    day = b"<timestamp>2999-01-0%dT00:00:00Z</timestamp>" % number
    head, text = re.sub(rb"<timestamp>.*?</timestamp>", day, page, count=1).split(b"<text", 1)
    title = re.sub(rb"<title>(.*?)</title>", rb"<title>\1 (%d)</title>" % number, head)
    return title + b"<text" + text.replace(old, new, 1)


@pytest.fixture(scope="module")
def chosen():
    """Articles with text, long enough that a word more or less leaves them nearly the same."""
    articles = (p for p in small_pages() if b"<redirect" not in p and b"<ns>0</ns>" in p and b"disambig" not in p)
    return [p for p in articles if len(words(prose(p))) > 100 and b" the " in p]


@pytest.fixture(scope="module")
def copies(chosen, tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "copies.xml"
    made = [copied(p, 1) for p in chosen] + [copied(p, 2, b" is a", b" is surely a") for p in chosen]
    path.write_bytes(export([*small_pages()[:20], *made, *small_pages()[20:]]))
    return path


@pytest.fixture(scope="module")
def evaluation_set(chosen, tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "test.jsonl.gz"
    document = " ".join(["So:", *words(prose(chosen[0]))[20:40]]).title()
    path.write_bytes(gzip.compress(json.dumps({"document": document, "id": 3}).encode()))
    return path


@pytest.fixture(scope="module")
def near(copies, evaluation_set):
    """The job that looks for both; without its output."""
    return f"{LOOSE} --input {copies} --deduplicate near --decontaminate {evaluation_set}"


@pytest.fixture(scope="module")
def dataset(near, copies):
    make(f"{near} --output {copies.parent}/near")
    return copies.parent / "near"


def test_every_copy_is_rejected_and_names_what_stays(dataset, chosen, evaluation_set):
    found = {r["id"]: r for r in rejects(dataset) if r["unit"] == "document"}
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


def test_nothing_is_lost_and_the_manifest_names_the_evaluation_files(dataset, copies, chosen, evaluation_set):
    counts = manifest(dataset)["counts"]
    assert counts["documents"]["read"] == len(small_pages()) + 2 * len(chosen) == copies.read_bytes().count(b"<page>")
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    assert counts["documents"]["used"] > 3
    (found,) = manifest(dataset)["evaluation"]
    assert (found["name"], found["size"], found["texts"]) == (evaluation_set.name, evaluation_set.stat().st_size, 1)
    assert len(found["sha256"]) == 64
    assert manifest(dataset)["configuration"]["deduplicate"] == "near"


@pytest.mark.slow
def test_two_workers_give_the_same_bytes_and_annotated_documents_the_same_choice(dataset, near, copies, tmp_path):
    make(f"{near} --output {tmp_path}/two --workers 2")
    assert data_checksums(tmp_path / "two") == data_checksums(dataset)
    assert rejects(tmp_path / "two") == rejects(dataset)
    make(f"annotate --input {copies} --output {tmp_path}/parsed --coref none")
    make(near.replace(str(copies), f"{tmp_path}/parsed"), f"--source annotated --output {tmp_path}/out")

    def chosen_by(folder):
        made = (r for r in rejects(folder) if r["stage"] in ("deduplicate", "decontaminate"))
        return {(r["id"], r["reason"], r["detail"]) for r in made}

    assert chosen_by(tmp_path / "out") == chosen_by(dataset)


@pytest.mark.slow
@pytest.mark.waits
def test_a_run_that_died_in_the_first_pass_is_resumed_to_the_same_bytes(dataset, near, tmp_path):
    job = f"{near} --output {tmp_path}/out --resume"
    killed(job, when=lambda: len(list(tmp_path.glob(".*.gistmill-*/sketches/0*.json"))) >= 2)
    assert "resuming" in make(job).stderr
    assert data_checksums(tmp_path / "out") == data_checksums(dataset)
    assert leftovers(tmp_path) == []


def test_what_was_rejected_before_is_rejected_after(tmp_path):
    text = " ".join(f"Sentence {n} tells of the otters in the river." for n in range(9))
    page = {"text": text, "url": "https://example.com/sport/a", "date": "2026-02-01"}
    german = "Die Otter schwimmen jeden Morgen durch den kalten Fluss. " * 9
    changed = {
        "section": {"url": "https://example.com/news/a"},
        "no-url": {"url": ""},
        "language": {"text": german},
        "old": {"date": "2019-02-01"},
        "new": {"date": "2026-07-01"},
        "no-date": {"date": ""},
        "first": {"date": "2026-06-30T22:00:00Z"},
        "second": {},
    }
    lines = ["no JSON", *(json.dumps({**page, "id": name, **values}) for name, values in changed.items())]
    (tmp_path / "news.jsonl").write_text("\n".join(lines))
    wanted = "--url-sections sports --since 2026-01-01 --until 2026-06-30 --deduplicate near --splits 1,0,0"
    make(f"gap-sentences --source jsonl --input news.jsonl {wanted} --output out", cwd=tmp_path)
    found = manifest(tmp_path / "out")
    reasons = "BAD_LINE OTHER_SECTION NO_URL LANGUAGE TOO_OLD TOO_NEW NO_DATE EXACT_DUPLICATE".split()
    assert found["counts"]["documents/rejected"] == dict.fromkeys(reasons, 1)
    assert found["counts"]["documents"]["used"] == 1
    assert (found["configuration"]["since"], found["configuration"]["url_sections"]) == ("2026-01-01", ["sports"])
