"""The other sources by the real command."""

import gzip
import json

import pytest

from tests.commands import data_checksums, gistmill, manifest, succeed
from tests.transforms.sources.warc.warcs import http, members, page, record

TEXT = (
    "The house was built in 1901, but it burned down in 1950. However, the owner rebuilt it. She sold it to the town when "
    "she moved to the coast. The town, which needed a library, turned it into one. It opened in 1960."
)
SPLITS = ("--splits", "60,20,20", "--coref", "none")


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "articles.jsonl.gz"
    made = [
        {"id": f"a{n}", "body": [TEXT, f"There were {n} of them, and all were old."], "url": f"https://example.org/{n}"}
        for n in range(2, 8)
    ]
    path.write_bytes(gzip.compress("\n".join(["no line", *map(json.dumps, made)]).encode()))
    return path


@pytest.mark.slow
def test_lines_become_a_dataset_and_annotations_give_the_same(lines, tmp_path):
    source = ("--source", "jsonl", "--text-field", "body", "--deduplicate", "none")
    succeed("discofuse", "--input", lines, "--output", tmp_path / "out", *source, *SPLITS)
    made = manifest(tmp_path / "out")
    assert made["counts"]["documents"] == {"read": 7, "used": 6}
    assert made["counts"]["documents/rejected"] == {"BAD_LINE": 1}
    assert made["licence"] == "" and "namespaces" not in made["configuration"]
    succeed("annotate", "--input", lines, "--output", tmp_path / "annotated", *source, *SPLITS)
    succeed(
        "discofuse",
        "--input",
        tmp_path / "annotated",
        "--output",
        tmp_path / "again",
        "--source",
        "annotated",
        *SPLITS[:2],
    )
    assert data_checksums(tmp_path / "again") == data_checksums(tmp_path / "out") != {}
    assert manifest(tmp_path / "again")["models"] == made["models"] != []


@pytest.mark.slow
def test_a_truncated_crawl_is_published_only_if_allowed(tmp_path):
    pages = [page(n, "".join(f"<p>{TEXT}</p>" for _ in range(9))) for n in range(3)]
    whole = members(record(9, b"software: x\r\n", kind=b"warcinfo"), *pages, record(5, http(b"x", status=b"500 Oops")))
    path = tmp_path / "x.warc.gz"
    path.write_bytes(whole + members(*pages)[:-9])
    job = ("gap-sentences", "--source", "warc", "--input", path, "--output")
    failed = gistmill(*job, tmp_path / "out")
    assert failed.returncode == 1 and "--allow-truncated" in failed.stderr and not (tmp_path / "out").exists()
    succeed(*job, tmp_path / "out", "--allow-truncated")
    made = manifest(tmp_path / "out")
    counts = made["counts"]
    assert counts["records"] == {"response": 7, "warcinfo": 1} and counts["documents"]["read"] == 7
    assert counts["documents/rejected"]["BAD_RECORD"] == counts["documents/rejected"]["HTTP_STATUS"] == 1
    assert made["licence"] == "other" and "publishers" in made["attribution"] and made["models"] == []
    assert [d["file"] for d in made["damage"]] == [path.name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "warc", "--namespaces", "0"], "--namespaces has no effect with --source warc"),
        (["--source", "warc"], "articles.jsonl.gz: not a WARC file"),
        (["--source", "warc", "--input", "nowhere.paths"], "no input file matches 'nowhere.paths'"),
        (["--source", "jsonl", "--text-markup", "rtf"], "expected one of plain, html"),
    ],
)
def test_bad_arguments_are_one_clear_line(lines, tmp_path, arguments, message):
    base = [] if "--input" in arguments else ["--input", lines]
    failed = gistmill("lead-bias", *base, "--output", tmp_path / "out", *arguments)
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1 and message in failed.stderr, failed.stderr
