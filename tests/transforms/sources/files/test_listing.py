"""Listings of files, as Common Crawl publishes them."""

import gzip
import re

import pytest

from gistmill.transforms.sources.files.ranges import InputFile, expand_listed, label_of, public_label, shared_names

FOLDER = "crawl-data/CC-NEWS/2020/01"


@pytest.fixture
def crawl(tmp_path):
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    for name in "abc":
        (folder / f"{name}.warc.gz").write_bytes(b"x" * 10)
    return folder


def names(*args, **options):
    return [f.path.rsplit("/", 1)[1] for f in expand_listed(*args, **options)]


def listing(path, *entries):
    text = "".join(f"{e}\n" for e in entries).encode()
    path.write_bytes(gzip.compress(text) if path.name.endswith(".gz") else text)
    return str(path)


@pytest.mark.parametrize("name", ["warc.paths", "warc.paths.gz"])
def test_entries_are_found_by_the_folder_of_the_listing(crawl, tmp_path, name):
    beside = listing(crawl / name, "b.warc.gz", "", "# comment", "a.warc.gz", "b.warc.gz")
    assert names([beside]) == ["a.warc.gz", "b.warc.gz"]
    assert [f.index for f in expand_listed([beside])] == [0, 1]
    assert [f.size for f in expand_listed([beside])] == [10, 10]
    as_published = listing(crawl / name, f"{FOLDER}/c.warc.gz", f"{FOLDER}/a.warc.gz")
    assert names([as_published]) == ["a.warc.gz", "c.warc.gz"]


def test_entries_are_found_by_a_prefix(crawl, tmp_path):
    elsewhere = tmp_path / "lists"
    elsewhere.mkdir()
    path = listing(elsewhere / "warc.paths.gz", f"{FOLDER}/c.warc.gz")
    assert names([path], prefix=str(tmp_path)) == names([path], prefix=f"{tmp_path}/") == ["c.warc.gz"]
    assert names([listing(elsewhere / "x.paths", crawl / "a.warc.gz")]) == ["a.warc.gz"]
    with pytest.raises(
        ValueError, match=r"lists '.*lists/crawl-data.*', which does not exist; entries are relative to '.*lists'"
    ):
        expand_listed([path])


def test_listings_and_files_together_and_in_the_working_folder(crawl, monkeypatch):
    path = listing(crawl / "warc.paths", "a.warc.gz", "b.warc.gz")
    assert names([f"{path},{crawl}/*.warc.gz"]) == ["a.warc.gz", "b.warc.gz", "c.warc.gz"]
    monkeypatch.chdir(crawl)
    assert [f.path for f in expand_listed(["warc.paths"])] == ["a.warc.gz", "b.warc.gz"]


def test_what_is_wrong_with_a_listing_is_said(crawl):
    wrong = {
        b"\n\n": "lists no file",
        b"\xff\xfe\n": "is not a file listing",
        b"\x1f\x8b\x08broken": "is not a file listing",
        gzip.compress(b"a.warc.gz\n", mtime=0)[:-3]: "truncated",
        b"": "is empty",
        b"empty.warc.gz\n": "empty.warc.gz' is empty",
    }
    (crawl / "empty.warc.gz").write_bytes(b"")
    for content, message in wrong.items():
        (crawl / "warc.paths.gz").write_bytes(content)
        with pytest.raises(ValueError, match=message):
            expand_listed([str(crawl / "warc.paths.gz")])
    for missing, message in ("nowhere.paths", "no input file matches 'nowhere"), (",", "no input file is specified"):
        with pytest.raises(ValueError, match=message):
            expand_listed([missing])


def test_files_of_the_same_name_are_told_apart_and_ids_show_no_folder():
    files = [InputFile(p, 1, n) for n, p in enumerate(["a/x", "b/x", "b/y", "z"])]
    shared = shared_names(files)
    assert shared == {"x"} and [label_of(f.path, shared) for f in files] == ["a/x", "b/x", "y", "z"]
    files = [InputFile(p, 1, n) for n, p in enumerate(["a/x", "b/x", "b/y", "x"])]
    one, two, three, four = (public_label(f.path, shared_names(files)) for f in files)
    assert (three, four) == ("y", "x") and len({one, two, four}) == 3
    assert [re.fullmatch("x-[0-9a-f]{8}", label) is not None for label in (one, two)] == [True, True]
