"""``gistmill download``: the dump on the disk with its note, which manifests repeat."""

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest

from gistmill.pipelines.cli import main
from gistmill.pipelines.rebuild.download import DownloadError
from gistmill.pipelines.rebuild.fetching import DumpConfig, fetch, newest
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.wikipedia.dump import DumpNote, note_of, read_note
from tests.commands import data_checksums, manifest
from tests.dumps import small_pages, write_multistream
from tests.pipelines.rebuild.mirror import Mirror, serve


@pytest.fixture(scope="module")
def mirror(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dump")
    name = "simplewiki-20260101-pages-articles-multistream.xml.bz2"
    write_multistream(
        folder / name, [p for p in small_pages() if b"<redirect" not in p][:4], pages_per_stream=5, index=True
    )
    made = Mirror()
    made.put_dump("simplewiki", "20260101", {p.name: p.read_bytes() for p in folder.iterdir()})
    with serve(made):
        yield made


@pytest.fixture
def run(capfd):
    """Runs a command in this process; returns its code, standard output and standard error."""

    def call(*arguments):
        capfd.readouterr()
        code = main([str(a) for a in arguments])
        return code, *capfd.readouterr()

    return call


@pytest.mark.slow
def test_a_dump_comes_with_its_index_and_datasets_say_which_it_is(mirror, tmp_path, run):
    code, out, _ = run("download", "--wiki", "simplewiki", "--mirrors", mirror.url, "--output", tmp_path)
    said = json.loads(out)
    (path,) = said["files"]
    assert (code, said["wiki"], said["date"]) == (0, "simplewiki", "20260101")
    assert sorted(p.suffixes[-1] for p in (tmp_path / "simplewiki/20260101").iterdir()) == [".bz2", ".bz2", ".json"]

    common = ["--splits", "1,0,0", "--formats", "parquet"]
    assert run("annotate", "--input", path, "--output", tmp_path / "annotated", *common)[0] == 0
    (dump,) = manifest(tmp_path / "annotated")["dumps"]
    assert (dump["wiki"], dump["date"], dump["url"]) == (
        "simplewiki",
        "20260101",
        f"{mirror.url}/simplewiki/20260101/{dump['file']}",
    )
    annotated = ["--source", "annotated", "--input", tmp_path / "annotated"]
    assert run("discofuse", *annotated, "--output", tmp_path / "d", *common)[0] == 0
    assert manifest(tmp_path / "d")["dumps"] == [dump]
    assert data_checksums(tmp_path / "d") and manifest(tmp_path / "d")["sources"][0]["kind"] == "annotated"


def test_a_second_download_asks_for_the_status_only(mirror, tmp_path, run):
    command = ["download", "--wiki", "simplewiki", "--mirrors", mirror.url, "--output", tmp_path]
    assert run(*command)[0] == 0
    mirror.requests.clear()
    assert run(*command)[0] == 0
    assert {path.rpartition("/")[2] for path, _ in mirror.requests} == {"", "dumpstatus.json"}


def test_a_wrong_command_line_is_one_line_and_code_2(tmp_path, run, monkeypatch):
    for arguments, message in [
        (["--output", "x"], "--wiki is required"),
        (["--wiki", "enwiki"], "--output is required"),
        (["--wiki", "../x", "--output", "x"], "--wiki: expected a wiki such as enwiki, not '../x'"),
        (["--wiki", "enwiki", "--output", "x", "--date", "20261301"], "--date: expected a date such as 20260101"),
        (["--wiki", "enwiki", "--output", "x", "--mirrors", "ftp://a"], "--mirrors: expected a URL such as"),
        (["--wiki", "enwiki", "--output", "x", "--connections", "0"], "--connections: expected a whole number from 1"),
        (["--wiki", "enwiki", "--output", "x", "--layout", "export"], "--layout: expected one of auto, exports, dumps"),
        (["--wiki", "enwiki", "--output", "x"], "contact is required for dumps.wikimedia.org"),
        (["--wikis", "enwiki"], "unrecognized arguments: --wikis"),
    ]:
        monkeypatch.chdir(tmp_path)
        code, _, err = run("download", *arguments)
        assert code == 2 and message in err and err.count("\n") == 1
        assert list(tmp_path.iterdir()) == []


def test_a_failure_is_one_line_and_code_1(mirror, tmp_path, run):
    only = ["--layout", "dumps"]
    code, out, err = run("download", "--wiki", "frwiki", "--mirrors", mirror.url, "--output", tmp_path, *only)
    assert code == 1 and "there is no complete dump of frwiki" in err
    assert err.count("\n") == 1 and out == ""


def test_the_note_of_a_dump_has_its_sha256_so_that_nobody_reads_it_again(mirror, tmp_path, run):
    only = ["--layout", "dumps", "--date", "2026-01-01"]
    command = ["download", "--wiki", "simplewiki", "--mirrors", mirror.url, "--output", tmp_path, *only]
    code, out, err = run(*command)
    (path,) = map(Path, json.loads(out)["files"])
    note = read_note(str(path))
    data = path.read_bytes()
    assert code == 0 and (note.size, note.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert (note.layout, note.sha1) == ("dumps", hashlib.sha1(data).hexdigest()) and "exports" not in err
    old = {"file": path.name, "wiki": "simplewiki", "date": "20260101", "url": "https://a", "sha1": note.sha1}
    Path(note_of(str(path))).write_text(json.dumps(old))
    assert run(*command)[0] == 0 and json.loads(Path(note_of(str(path))).read_text()) == old
    assert read_note(str(path)) == DumpNote(**old)


def test_what_is_not_a_note_is_an_error(tmp_path):
    for content in ["", "[]", "{}", '{"file": 1}', '{"file": "a", "wiki": "b", "date": "c"}']:
        Path(note_of(str(tmp_path / "a.xml"))).write_text(content)
        with pytest.raises(SourceError, match=r"a\.xml\.dump\.json is not a note on a dump"):
            read_note(str(tmp_path / "a.xml"))
        assert read_note(str(tmp_path / "b.xml")) is None


def test_no_room_is_said_before_anything_comes(mirror, tmp_path):
    config = DumpConfig(wiki="simplewiki", mirrors=(mirror.url,))
    dump = newest(config)
    huge = dataclasses.replace(dump, files=tuple(dataclasses.replace(f, size=1 << 60) for f in dump.files))
    with pytest.raises(DownloadError, match="bytes are to come, and .* are free"):
        fetch(huge, tmp_path, config=config)
    (tmp_path / "file").write_text("")
    with pytest.raises(DownloadError, match="Not a directory"):
        fetch(dump, tmp_path / "file", config=config)


@pytest.mark.parametrize("content", [b"pages", b"segap"])
def test_a_file_of_an_export_that_was_there_without_a_note_is_held_against_its_sum(tmp_path, content):
    name = "xxwiki-2026-09-01-p1p9.xml.bz2"
    mirror = Mirror()
    mirror.put_export("xxwiki", "2026-09-01", {name: b"pages"})
    with serve(mirror):
        config = DumpConfig(wiki="xxwiki", mirrors=(mirror.url,))
        dump = newest(config)
        place = tmp_path / "xxwiki" / "20260901" / name
        place.parent.mkdir(parents=True)
        place.write_bytes(content)
        if content == b"pages":
            assert fetch(dump, tmp_path, config=config) == (place,)
            assert read_note(str(place)).sha256 == hashlib.sha256(content).hexdigest()
        else:
            with pytest.raises(DownloadError, match=f"{name}: its SHA-256 is .*; remove it, so that it comes again"):
                fetch(dump, tmp_path, config=config)
            assert read_note(str(place)) is None


def test_what_a_mirror_says_commands_no_terminal(tmp_path, run):
    hostile = "\x1b[2J\x1b]0;pwn\x07\u202e done\x9b"
    made = Mirror()
    made.put_dump("simplewiki", "20260101", {}, status=hostile)
    with serve(made) as server:
        command = ["--wiki", "simplewiki", "--layout", "dumps", "--mirrors", server.url]
        code, out, said = run("download", *command, "--output", tmp_path)
    assert code == 1 and out == "" and "articlesmultistreamdump is \\u001b[2J" in said
    assert not set("\x1b\x07\u202e\x9b") & set(said)
