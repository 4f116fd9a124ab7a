"""The other sources by the real command, the pages of other namespaces, and texts without full stops."""

import pytest

from tests.commands import call, make, manifest, rejects, stats
from tests.dumps import export, of_namespace, page_id, small_pages
from tests.transforms.sources.warc.warcs import http, members, page, record

TEXT = (
    "The house was built in 1901, but it burned down in 1950. However, the owner rebuilt it. She sold it to the town when "
    "she moved to the coast. The town, which needed a library, turned it into one. It opened in 1960."
)


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
