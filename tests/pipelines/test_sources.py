"""The other sources by the real command, the pages of other namespaces, and texts without full stops."""

import gzip
import json

import pytest

from tests.commands import call, data_checksums, make, manifest, rejects, stats, write_jsonl
from tests.dumps import export, of_namespace, page_id, small_pages
from tests.transforms.sources.warc.warcs import http, members, page, record

TEXT = (
    "The house was built in 1901, but it burned down in 1950. However, the owner rebuilt it. She sold it to the town when "
    "she moved to the coast. The town, which needed a library, turned it into one. It opened in 1960."
)


@pytest.mark.slow
def test_lines_become_a_dataset_and_annotations_give_the_same(tmp_path):
    more = "There were {} of them, and all were old."
    made = [{"id": f"a{n}", "body": [TEXT, more.format(n)], "url": f"https://example.org/{n}"} for n in range(2, 8)]
    lines = gzip.compress("\n".join(["no line", *map(json.dumps, made)]).encode())
    (tmp_path / "articles.jsonl.gz").write_bytes(lines)
    source = f"--input {tmp_path}/articles.jsonl.gz --source jsonl --text-field body --deduplicate none --coref none"
    make(f"discofuse {source} --output {tmp_path}/out --splits 60,20,20")
    found = manifest(tmp_path / "out")
    assert found["counts"]["documents"] == {"read": 7, "used": 6}
    assert found["counts"]["documents/rejected"] == {"BAD_LINE": 1}
    assert found["licence"] == "" and "namespaces" not in found["configuration"]
    make(f"annotate {source} --output {tmp_path}/annotated --splits 60,20,20")
    annotated = f"--source annotated --input {tmp_path}/annotated"
    make(f"discofuse {annotated} --output {tmp_path}/again --splits 60,20,20")
    assert data_checksums(tmp_path / "again") == data_checksums(tmp_path / "out") != {}
    assert manifest(tmp_path / "again")["models"] == found["models"] != []


@pytest.mark.slow
def test_a_truncated_crawl_is_published_only_if_allowed(tmp_path):
    pages = [page(n, "".join(f"<p>{TEXT}</p>" for _ in range(9))) for n in range(3)]
    whole = members(record(9, b"software: x\r\n", kind=b"warcinfo"), *pages, record(5, http(b"x", status=b"500 Oops")))
    (tmp_path / "x.warc.gz").write_bytes(whole + members(*pages)[:-9])
    job = f"gap-sentences --source warc --input {tmp_path}/x.warc.gz --output {tmp_path}/out"
    failed = call(job)
    assert failed.returncode == 1 and "--allow-truncated" in failed.stderr and not (tmp_path / "out").exists()
    make(job, "--allow-truncated")
    found = manifest(tmp_path / "out")
    counts = found["counts"]
    assert counts["records"] == {"response": 7, "warcinfo": 1} and counts["documents"]["read"] == 7
    assert counts["documents/rejected"]["BAD_RECORD"] == counts["documents/rejected"]["HTTP_STATUS"] == 1
    assert found["licence"] == "other" and "publishers" in found["attribution"] and found["models"] == []
    assert [d["file"] for d in found["damage"]] == ["x.warc.gz"]


ARTICLES = [page for page in small_pages() if b"<redirect" not in page and b"<ns>0</ns>" in page]
PAGES = [p for page in ARTICLES for p in (page, of_namespace(page, 1, 1_000_000 + page_id(page)))]


@pytest.fixture(scope="module")
def export_of_all(tmp_path_factory):
    """An export of articles, each with its page of talk."""
    path = tmp_path_factory.mktemp("namespaces") / "all.xml"
    path.write_bytes(export(PAGES))
    return path


@pytest.mark.parametrize("options", ["", pytest.param("--deduplicate exact", marks=pytest.mark.slow)])
def test_pages_of_other_namespaces_are_counted_and_not_listed(export_of_all, tmp_path, options):
    make(f"articles --input {export_of_all} --output {tmp_path}/out {options}")
    counts = manifest(tmp_path / "out")["counts"]
    assert counts["documents"] == {"read": len(PAGES), "used": len(ARTICLES) - len(rejects(tmp_path / "out"))}
    assert counts["documents/rejected"]["NAMESPACE"] == len(ARTICLES)
    assert stats(tmp_path / "out")["counts"] == counts
    assert "NAMESPACE" not in {reject["reason"] for reject in rejects(tmp_path / "out")}


@pytest.mark.slow
def test_a_limit_counts_pages_of_every_namespace_and_wanted_ones_are_not_counted_as_others(export_of_all, tmp_path):
    for number, (options, read, others) in enumerate([("", 9, 4), ("--namespaces 0,1", 9, 0)]):
        output = tmp_path / str(number)
        make(f"articles --input {export_of_all} --output {output} --limit 9 --range-bytes 20000 {options}")
        counts = manifest(output)["counts"]
        assert counts["documents"]["read"] == read
        assert counts.get("documents/rejected", {}).get("NAMESPACE", 0) == others
    failed = call(f"articles --input {export_of_all} --output {tmp_path}/none --namespaces 4")
    assert failed.returncode == 1
    assert f"0 of {len(PAGES)} documents were used; NAMESPACE {len(PAGES)}; nothing was published" in failed.stderr


CLAUSE = "The council met on Monday and talked of the bridge, and"
PROSE = "The bridge was closed in May because the river had risen. The council opened it again, but few people came."


@pytest.mark.slow
def test_a_page_without_full_stops_costs_no_other_page_and_the_deadline_holds_for_the_rules(tmp_path):
    texts = {"run-on": f"{CLAUSE} " * 360 + ", " + "," * 3000, "prose": PROSE}
    source = write_jsonl(tmp_path / "texts.jsonl", [{"id": name, "text": text} for name, text in texts.items()])
    options = "--languages any --deduplicate none --splits 1,0,0"
    make(f"annotate --source jsonl --input {source} --output {tmp_path}/annotated {options}")
    job = f"discofuse --source annotated --input {tmp_path}/annotated --splits 1,0,0"
    make(f"{job} --output {tmp_path}/rows")
    counts = manifest(tmp_path / "rows")["counts"]
    assert counts["documents"] == {"read": 2, "used": 1} and counts["documents/rejected"] == {"NO_EXAMPLES": 1}
    assert counts["sentences/rejected"]["RUN_ON"] >= 1 and counts["pairs/rejected"]["RUN_ON"] >= 1
    assert counts["types/full"] == {"SINGLE_CONN_INNER": 1}
    make(f"{job} --output {tmp_path}/late --parse-deadline 0.000000001 --allow-empty")
    found = manifest(tmp_path / "late")
    assert found["counts"]["documents/rejected"] == {"DEADLINE": 2}
    assert found["machine_dependent"] == {"documents/rejected/DEADLINE": 2}
    assert found["counts"]["rejects/recipe"] == {"document/DEADLINE": 2}
