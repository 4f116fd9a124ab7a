"""What is said of inputs on the web: a command that brings them, which works as it is printed."""

import shlex
import shutil
import subprocess

import pytest

from gistmill.pipelines.cli import main
from tests.pipelines.rebuild.mirror import Mirror, serve


@pytest.fixture
def command_for(capfd, tmp_path):
    """The command in the one line that a job says of an input, as a shell reads it."""

    def said(url):
        capfd.readouterr()
        assert main(["lead-bias", "--input", url, "--output", str(tmp_path / "out"), "--quiet"]) == 2
        out, err = capfd.readouterr()
        assert not out and err.count("\n") == 1
        return shlex.split(err.partition("; fetch it first: ")[2])

    return said


@pytest.mark.parametrize(
    ("path", "wiki", "date"),
    [
        ("enwiki/latest/enwiki-latest-pages-articles-multistream.xml.bz2", "enwiki", None),
        ("simplewiki/20261101/simplewiki-20261101-pages-articles.xml.bz2", "simplewiki", "20261101"),
        ("other/mediawiki_content_current/zh_yuewiki/2026-11-01/xml/bzip2/a.xml.bz2", "zh_yuewiki", "20261101"),
    ],
)
def test_a_dump_of_wikimedia_points_to_download(command_for, path, wiki, date):
    dated = ["--date", date] if date else []
    expected = ["gistmill", "download", "--wiki", wiki, *dated, "--contact", "YOU@EXAMPLE.ORG", "--output", "dumps"]
    assert command_for(f"https://dumps.wikimedia.org/{path}") == expected


def test_the_command_for_a_dump_brings_it(command_for, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "simplewiki-20261101-pages-articles-multistream.xml.bz2"
    mirror = Mirror(asks_contact=True)
    mirror.put_dump("simplewiki", "20261101", {name: b"a dump"})
    program, *arguments = command_for(f"https://dumps.wikimedia.org/simplewiki/20261101/{name}")
    with serve(mirror):
        assert (program, main([*arguments, "--mirrors", mirror.url])) == ("gistmill", 0)
    assert (tmp_path / "dumps/simplewiki/20261101" / name).read_bytes() == b"a dump"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_command_for_another_file_brings_it(command_for, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with serve(Mirror({"a/it's.jsonl": b"{}"})) as server:
        command = command_for(f"{server.url}/a/it's.jsonl")
        assert command[:4] == ["curl", "--fail", "--location", "--remote-name"]
        subprocess.run(command, check=True, capture_output=True)
    assert [file.read_bytes() for file in tmp_path.glob("it*.jsonl")] == [b"{}"]


def test_keys_in_a_url_are_not_repeated(command_for):
    assert command_for("https://me:secret@example.org/a.jsonl?signature=x")[-1] == "https://example.org/a.jsonl"


@pytest.mark.parametrize("flag", ["--input", "--output", "--temp-dir"])
@pytest.mark.parametrize(
    "place", ["s3://user:PASSWORD@bucket/x", "gs://PASSWORD@bucket/x", "ftp://user:PASSWORD@host/x"]
)
def test_a_password_in_the_url_of_a_store_is_neither_used_nor_repeated(capfd, flag, place, tmp_path):
    (tmp_path / "in.jsonl").write_text("{}")
    given = {"--input": str(tmp_path / "in.jsonl"), "--output": str(tmp_path / "out"), flag: place}
    assert main(["lead-bias", "--source", "jsonl", *(word for pair in given.items() for word in pair)]) == 2
    said = capfd.readouterr().err
    assert said.count("\n") == 1 and flag in said and "PASSWORD" not in said


@pytest.mark.parametrize("place", ["file:///there/in.jsonl", "FILE://there"])
def test_a_url_of_a_file_of_this_machine_is_refused_with_a_remedy(capfd, place, tmp_path):
    assert main(["lead-bias", "--source", "jsonl", "--input", place, "--output", str(tmp_path / "out")]) == 2
    said = capfd.readouterr().err
    assert "name a file without file://" in said and "gcp" not in said and said.count("\n") == 1
