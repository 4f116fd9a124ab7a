"""``gistmill retry`` by the real command: what failed and passes later is merged as if it had passed at first."""

from __future__ import annotations

import gzip
import json
import shutil

import pytest

from gistmill.pipelines import retry
from gistmill.pipelines.errors import ConfigError
from tests.commands import data_checksums, leftovers, manifest, succeed
from tests.dumps import export, pages, small_pages, write_multistream
from tests.samples import CRAWLS

JOB = ("gap-sentences", "--splits", "60,20,20")
SHORT, LONG = "0.01", "60"  # seconds


def hopeless():
    """A page that takes the parser longer than SHORT, whatever the machine."""
    largest = max(pages(), key=len)
    text = largest.partition(b'<text xml:space="preserve">')[2].partition(b"</text>")[0]
    return largest.replace(text, text * 6)


def chosen():
    return [*small_pages()[:20], hopeless(), *small_pages()[20:]]


def rejected(folder):
    return manifest(folder)["counts"]["documents/rejected"]


def made(folder, path, *options, job=JOB):
    """Datasets of a dump: with a deadline that pages run into, and without."""
    for name, deadline in (("short", SHORT), ("long", LONG)):
        succeed(*job, "--input", path, "--output", folder / name, "--parse-deadline", deadline, *options)
    assert rejected(folder / "short").get("DEADLINE", 0) > 0 and "DEADLINE" not in rejected(folder / "long")
    return folder / "short", folder / "long"


def run(*arguments):
    return retry.main([*map(str, arguments)])


def check_equal(merged, whole):
    """Every file but the report is the same, byte for byte, and the manifests say the same of the content."""
    here, there = ({f["path"]: f["sha256"] for f in manifest(place)["files"]} for place in (merged, whole))
    assert {path for path in here.keys() | there.keys() if here.get(path) != there.get(path)} <= {"report.html"}
    for key in ("counts", "machine_dependent", "sources", "models", "arithmetic", "columns", "damage", "licence"):
        assert manifest(merged)[key] == manifest(whole)[key], key
    configurations = [
        {**manifest(place)["configuration"], "output": "", "overwrite": False} for place in (merged, whole)
    ]
    assert configurations[0] == configurations[1]


@pytest.fixture(scope="module")
def datasets(tmp_path_factory):
    """Of a multistream dump. Not to be changed."""
    folder = tmp_path_factory.mktemp("retry")
    path = write_multistream(folder / "small-multistream.xml.bz2", chosen(), pages_per_stream=7, index=True)
    return folder, *made(folder, path)


@pytest.mark.slow
def test_the_merged_dataset_is_that_of_the_longer_deadline(datasets, tmp_path):
    folder, short, long = datasets
    before = data_checksums(short)
    done = succeed("retry", short, "--input-root", folder, "--output", tmp_path / "new", "--parse-deadline", LONG)
    check_equal(tmp_path / "new", long)
    assert data_checksums(short) == before and leftovers(tmp_path) == []
    assert f"{manifest(long)['counts']['documents']['read']:,} documents read" in done.stdout
    assert "other" not in done.stderr
    succeed("validate", tmp_path / "new")


@pytest.mark.slow
def test_a_dataset_is_replaced_where_it_lies(datasets, tmp_path):
    folder, short, long = datasets
    here = shutil.copytree(short, tmp_path / "data")
    options = ("--output", here, "--overwrite", "--parse-deadline", LONG)
    assert run(here, "--input-root", folder, *options) == 0
    check_equal(here, long)


@pytest.mark.slow
def test_what_fails_again_stays_rejected(datasets, tmp_path):
    folder, short, _ = datasets
    options = ("--output", tmp_path / "new", "--parse-deadline", "0.000001")
    assert run(short, "--input-root", folder, *options) == 0
    assert rejected(tmp_path / "new")["DEADLINE"] == rejected(short)["DEADLINE"]
    counts = [manifest(place)["counts"] for place in (tmp_path / "new", short)]
    assert counts[0] == counts[1]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["plain", pytest.param("gzip", marks=pytest.mark.long)])
def test_other_forms_of_the_dump_and_several_workers(form, tmp_path):
    xml = export(chosen())
    path = tmp_path / "small.xml"
    path.write_bytes(gzip.compress(xml) if form == "gzip" else xml)
    short, long = made(tmp_path, path, "--shards", "3")
    options = ("--output", tmp_path / "new", "--parse-deadline", LONG, "--workers", "2")
    succeed("retry", short, "--input-root", tmp_path, *options)
    here, there = (data_checksums(place) for place in (tmp_path / "new", long))
    assert here == there and manifest(tmp_path / "new")["counts"] == manifest(long)["counts"]


@pytest.mark.slow
def test_parsed_documents(tmp_path):
    path = write_multistream(tmp_path / "small-multistream.xml.bz2", chosen(), pages_per_stream=7, index=False)
    short, long = made(tmp_path, path, job=("discofuse", "--splits", "60,20,20"))
    succeed("retry", short, "--input-root", tmp_path, "--output", tmp_path / "new", "--parse-deadline", LONG)
    check_equal(tmp_path / "new", long)


@pytest.mark.long
@pytest.mark.parametrize("crawl", CRAWLS)
def test_pages_of_a_crawl(tmp_path, crawl):
    path = shutil.copy(crawl.path, tmp_path / crawl.path.name)
    job = (*JOB, "--source", "warc", "--deduplicate", "none")
    short, long = made(tmp_path, path, job=job)
    succeed("retry", short, "--input-root", tmp_path, "--output", tmp_path / "new", "--parse-deadline", LONG)
    check_equal(tmp_path / "new", long)


def changed(folder, tmp_path, **values):
    """A copy of a dataset whose manifest says something else."""
    copy = shutil.copytree(folder, tmp_path / "copy")
    content = manifest(copy)
    for name, value in values.items():
        content[name] = value(content[name]) if callable(value) else value
    (copy / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return copy


def refused(*arguments):
    with pytest.raises(ConfigError) as caught:
        run(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_wrong_inputs_and_options_are_one_line(datasets, tmp_path):
    folder, short, long = datasets
    new = ("--output", tmp_path / "new")
    assert "--input-root is required" in refused(short, *new)
    assert "there is no file" in refused(short, "--input-root", tmp_path, *new)
    assert "rejected no document because of DEADLINE" in refused(long, "--input-root", folder, *new)
    assert "--gap-ratio: rows of other options" in refused(short, "--input-root", folder, *new, "--gap-ratio", "0.1")
    assert "--rows: rows of other options" in refused(short, "--input-root", folder, *new, "--rows", "1")
    assert "holds a dataset; --overwrite" in refused(short, "--input-root", folder, "--output", long)
    assert "--output is required" in refused(short, "--input-root", folder)
    assert "is not a dataset" in refused(tmp_path / "none", *new)
    other = tmp_path / "small-multistream.xml.bz2"
    other.write_bytes(b"BZh9")
    assert "has 4 bytes, and the dataset was made of one of" in refused(short, "--input-root", tmp_path, *new)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"configuration": lambda c: {**c, "deduplicate": "near"}}, "made with deduplicate"),
        ({"configuration": lambda c: {**c, "source": "annotated"}}, "no documents to drive again"),
        ({"configuration": lambda c: {**c, "decontaminate": ["test.txt"]}}, "--decontaminate: name"),
        ({"counts": lambda c: {**c, "rows_left_out/default": {"train": 1}}}, "does not have all rows"),
        ({"columns": lambda c: {"default": c["default"][:-1]}}, "has other columns"),
        ({"recipe": "curriculum"}, "no documents to drive again"),
    ],
)
def test_datasets_to_which_nothing_can_be_added(values, said, datasets, tmp_path):
    folder, short, _ = datasets
    line = refused(changed(short, tmp_path, **values), "--input-root", folder, "--output", tmp_path / "new")
    assert said in line


@pytest.mark.slow
def test_other_versions_are_said(datasets, tmp_path, capsys):
    folder, short, _ = datasets
    old = changed(short, tmp_path, versions=lambda v: {**v, "source_sha256": "00", "mwparserfromhell": "0.1"})
    arguments = (old, "--input-root", folder, "--output", tmp_path / "new", "--parse-deadline", LONG)
    assert run(*arguments) == 0
    assert "made by other code of Gistmill, mwparserfromhell: its rows" in capsys.readouterr().err


@pytest.mark.slow
def test_a_document_that_is_not_found_again_fails_the_run(datasets, tmp_path, capsys):
    folder, short, _ = datasets
    copy = tmp_path / "copy"
    shutil.copytree(short, copy)
    (rejects,) = (copy / "rejects").iterdir()
    lines = [json.loads(line) for line in gzip.decompress(rejects.read_bytes()).splitlines()]
    lost = next(line for line in lines if line["reason"] == "DEADLINE")
    lost["id"] = f"{lost['id']}00"
    rejects.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    assert run(copy, "--input-root", folder, "--output", tmp_path / "new", "--parse-deadline", LONG) == 1
    assert "the counts do not come out" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
