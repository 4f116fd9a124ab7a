"""What is said of inputs on the web: a command that brings them, which works as it is printed."""

import shlex
import shutil
import subprocess

import pytest

from gistmill.pipelines.cli import main
from tests.commands import refusal
from tests.pipelines.rebuild.mirror import Mirror, serve


@pytest.fixture
def command_for(tmp_path):
    """The command in the one line that a job says of an input, as a shell reads it."""

    def said(url):
        said_of_it = refusal("lead-bias --input", shlex.quote(url), "--output", tmp_path / "out", "--quiet")
        return shlex.split(said_of_it.partition("; download it first: ")[2])

    return said


def test_a_dump_of_wikimedia_points_to_download(command_for):
    for path, wiki, date in [
        ("enwiki/latest/enwiki-latest-pages-articles-multistream.xml.bz2", "enwiki", ""),
        ("simplewiki/20261101/simplewiki-20261101-pages-articles.xml.bz2", "simplewiki", "--date 20261101 "),
        ("other/mediawiki_content_current/zh_yuewiki/2026-11-01/xml/bzip2/a.bz2", "zh_yuewiki", "--date 20261101 "),
    ]:
        expected = f"gistmill download --wiki {wiki} {date}--contact YOU@EXAMPLE.ORG --output dumps"
        assert command_for(f"https://dumps.wikimedia.org/{path}") == expected.split()


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


def test_a_password_in_the_url_of_a_store_is_neither_used_nor_repeated(tmp_path):
    (tmp_path / "in.jsonl").write_text("{}")
    for place in ("s3://user:PASSWORD@bucket/x", "gs://PASSWORD@bucket/x", "ftp://user:PASSWORD@host/x"):
        for flag in ("--input", "--output", "--temp-dir"):
            given = {"--input": tmp_path / "in.jsonl", "--output": tmp_path / "out", flag: place}
            said = refusal("lead-bias --source jsonl", *(word for pair in given.items() for word in pair))
            assert flag in said and "PASSWORD" not in said


def test_a_url_of_a_file_of_this_machine_is_refused_with_a_remedy(tmp_path):
    for place in ("file:///there/in.jsonl", "FILE://there"):
        said = refusal(f"lead-bias --source jsonl --input {place} --output {tmp_path}/out")
        assert "omit file:// from local paths" in said and "gcp" not in said
