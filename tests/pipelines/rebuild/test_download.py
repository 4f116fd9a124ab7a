"""Downloads from a real HTTP server: whole and verified, or resumed, or refused in one line. And `gistmill download`:
the dump on the disk with its note, which manifests repeat."""

import dataclasses
import fcntl
import hashlib
import json
import random
import re
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.pipelines.cli import main
from gistmill.pipelines.rebuild import download as transfer
from gistmill.pipelines.rebuild.download import PATIENCE, DownloadError, DumpConfig, download, newest
from gistmill.pipelines.rebuild.dumps import RemoteFile
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.wikipedia.dump import DumpNote, note_of, read_note
from tests.commands import data_checksums, manifest
from tests.dumps import small_pages, write_multistream
from tests.pipelines.rebuild.mirror import Mirror, serve

DATA = random.Random(7).randbytes(300_000)
HALF = len(DATA) // 2
OTHERS = {f"w/{n}.bz2": random.Random(n).randbytes(50_000) for n in range(8)}


@pytest.fixture
def mirrors():
    """Makes mirrors that have the files."""
    with ExitStack() as stack:

        def make(**behaviour):
            return stack.enter_context(serve(Mirror({"w/f.bz2": DATA, **OTHERS}, **behaviour)))

        yield make


def fetch(place, *servers, data=DATA, **options):
    """Downloads a file whose checksum is known; returns the lines for a person."""
    sums = {"sha1": hashlib.sha1(data).hexdigest()}
    sums = {name: options.pop(name) for name in ("sha1", "sha256") if name in options} or sums
    lines, file = [], RemoteFile(name=place.name, size=len(data), **sums)
    download([file], place.parent, places=[f"{s.url}/w" for s in servers], pause=0.01, say=lines.append, **options)
    return lines


def all_files(*more):
    """Those of a mirror, and others."""
    return [
        RemoteFile(name=name[2:], size=len(data), sha1=hashlib.sha1(data).hexdigest())
        for name, data in (*OTHERS.items(), *more)
    ]


def is_whole(place):
    return place.read_bytes() == DATA and [path.name for path in place.parent.iterdir()] == [place.name]


def in_order(*faults):
    """Faults of one request after the other."""
    left = list(faults)
    return lambda path, number: left.pop(0) if left else None


def test_files_come_from_the_first_mirror_several_at_once_and_each_once(tmp_path, mirrors):
    servers = [mirrors(delay=0.05), mirrors()]
    download(all_files(), tmp_path, places=[f"{s.url}/w" for s in servers])
    assert {f"w/{path.name}": path.read_bytes() for path in tmp_path.iterdir()} == OTHERS
    assert sorted(path for path, _ in servers[0].requests) == sorted(OTHERS) and servers[1].requests == []
    assert servers[0].most_at_once == 3


def test_what_passes_by_itself_is_tried_again_and_a_file_that_is_there_is_not_asked_for(tmp_path, mirrors):
    plan = in_order(503, 503, 429, 500, "cut", 408)
    assert fetch(tmp_path / "f.bz2", mirrors(plan=plan))[-1] == "downloaded f.bz2 (300,000 bytes)"
    assert is_whole(tmp_path / "f.bz2")
    server = mirrors()
    fetch(tmp_path / "f.bz2", server)
    assert server.requests == []


def test_a_broken_connection_goes_on_where_it_broke_or_without_ranges_from_the_beginning(tmp_path, mirrors):
    server = mirrors(plan=in_order("cut"))
    fetch(tmp_path / "f.bz2", server)
    assert is_whole(tmp_path / "f.bz2") and server.asked("f.bz2") == ["", f"bytes={HALF}-"]
    (tmp_path / "f.bz2").unlink()
    fetch(tmp_path / "f.bz2", mirrors(ranges=False, plan=in_order("cut", 503, "cut")))
    assert is_whole(tmp_path / "f.bz2")


@pytest.mark.slow
def test_a_mirror_that_sends_byte_by_byte_is_left_out_and_another_goes_on(tmp_path, mirrors, monkeypatch):
    monkeypatch.setattr(transfer, "_SLOW_SECONDS", 0.3)
    slow = mirrors(plan=lambda path, number: "drip")
    with pytest.raises(DownloadError, match="it is too slow: [0-9]+ bytes in 0 s"):
        fetch(tmp_path / "f.bz2", slow)
    assert len(slow.requests) == PATIENCE
    steady = mirrors()
    assert "too slow" in fetch(tmp_path / "f.bz2", slow, steady)[0]
    assert is_whole(tmp_path / "f.bz2") and steady.asked("f.bz2")[0].startswith("bytes=")


def test_a_range_that_is_none_is_one_line():
    for length in ["9" * 5000, "x"]:
        answer = SimpleNamespace(status_code=206, headers={"Content-Range": f"bytes {length}-{length}/{length}"})
        with pytest.raises(transfer._Unusable, match="an unknown range"):
            transfer._check_answer(answer, 9, len(DATA))
        answer = SimpleNamespace(status_code=200, headers={"Content-Length": length})
        with pytest.raises(transfer._Unusable) as refused:
            transfer._check_answer(answer, 0, len(DATA))
        assert len(str(refused.value)) < 100


def test_a_range_of_more_bytes_than_the_file_has_is_refused(tmp_path, mirrors):
    (tmp_path / "f.bz2.part").write_bytes(DATA[:HALF])
    with pytest.raises(DownloadError, match="it has more than 300000 bytes"):
        fetch(tmp_path / "f.bz2", mirrors(plan=lambda path, number: "more"))


def test_another_mirror_goes_on_where_one_is_left_out(tmp_path, mirrors):
    dying, steady = mirrors(plan=in_order("cut", 404)), mirrors()
    lines = fetch(tmp_path / "f.bz2", dying, steady)
    assert is_whole(tmp_path / "f.bz2") and steady.asked("f.bz2") == [f"bytes={HALF}-"]
    assert lines == [f"skipped {dying.url}/w/f.bz2: HTTP status 404", "downloaded f.bz2 (300,000 bytes)"]


def test_a_stopped_download_goes_on_with_what_is_there(tmp_path, mirrors):
    place = tmp_path / "f.bz2"
    with pytest.raises(DownloadError, match="HTTP status 404"):
        fetch(place, mirrors(plan=in_order("cut", 404)))
    assert not place.exists() and (tmp_path / "f.bz2.part").stat().st_size == HALF
    server = mirrors()
    fetch(place, server)
    assert is_whole(place) and server.asked("f.bz2") == [f"bytes={HALF}-"]


def test_two_downloads_of_a_file_do_not_mix(tmp_path, mirrors):
    with open(tmp_path / "f.bz2.part", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(DownloadError, match="another process is downloading .*f.bz2"):
            fetch(tmp_path / "f.bz2", mirrors())


@pytest.mark.parametrize("faults", [[], ["cut"], ["cut", 503, "cut"]])
def test_wrong_bytes_of_one_mirror_are_noticed_and_replaced(tmp_path, mirrors, faults):
    def lie(path, number):
        return faults.pop(0) if faults else "wrong"

    fetch(tmp_path / "f.bz2", mirrors(plan=lie), mirrors())
    assert is_whole(tmp_path / "f.bz2")


def test_a_file_that_never_has_the_sum_is_an_error_and_leaves_nothing(tmp_path, mirrors):
    with pytest.raises(DownloadError, match="SHA-1 is .*, not 1111.*; .*SHA-1 is .*, not 1111"):
        fetch(tmp_path / "f.bz2", mirrors(plan=lambda path, number: "wrong"), mirrors(), sha1="1" * 40)
    with pytest.raises(DownloadError, match=r"f\.bz2: its SHA-256 is .*, not 2222"):
        fetch(tmp_path / "f.bz2", mirrors(), sha256="2" * 64)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_changes_is_not_mixed(tmp_path, mirrors):
    server = mirrors()
    server.files["w/f.bz2"] = bytes(len(DATA))

    def mend(path, number):
        if number == 1:
            server.files["w/f.bz2"] = DATA
        return "cut" if number == 0 else None

    server.plan = mend
    steady = mirrors()
    fetch(tmp_path / "f.bz2", server, steady)
    assert is_whole(tmp_path / "f.bz2")


@pytest.mark.parametrize(
    ("content", "message"),
    [(DATA[:-1], "it has 299999 bytes, not 300000"), (DATA + b"x", "it has 300001 bytes"), (None, "status 404")],
)
@pytest.mark.parametrize("left", [b"", DATA[:1000]])
def test_a_mirror_with_another_file_is_left_out(tmp_path, mirrors, content, message, left):
    other = mirrors()
    if content is None:
        del other.files["w/f.bz2"]
    else:
        other.files["w/f.bz2"] = content
    (tmp_path / "f.bz2.part").write_bytes(left)
    expected = message if not left or content is None else "of a file of 300000 bytes"
    with pytest.raises(DownloadError, match=expected):
        fetch(tmp_path / "f.bz2", other)
    fetch(tmp_path / "f.bz2", other, mirrors())
    assert is_whole(tmp_path / "f.bz2")


def test_one_file_that_cannot_be_had_ends_the_download(tmp_path, mirrors):
    with pytest.raises(DownloadError, match="none.bz2: HTTP status 404$"):
        download(all_files(("w/none.bz2", b"x")), tmp_path, places=[f"{mirrors().url}/w"])
    assert {f"w/{path.name}": path.read_bytes() for path in tmp_path.iterdir()} == OTHERS


def test_a_bug_is_raised_and_a_disk_that_cannot_be_written_an_error_of_its_own(tmp_path, mirrors):
    def done(file, sha256):
        raise ValueError("no note can be written")

    with pytest.raises(ValueError, match="no note can be written"):
        fetch(tmp_path / "0.bz2", mirrors(), data=OTHERS["w/0.bz2"], done=done)
    (tmp_path / "f.bz2.part").mkdir()
    with pytest.raises(IsADirectoryError):
        fetch(tmp_path / "f.bz2", mirrors())


def test_a_server_that_is_gone_or_refuses_a_client_without_contact_is_an_error_in_one_line(tmp_path, mirrors):
    with pytest.raises(DownloadError, match="HTTP status 403: access denied; .*`contact`"):
        fetch(tmp_path / "f.bz2", mirrors(asks_contact=True))
    with serve(Mirror()) as gone:
        pass
    with pytest.raises(DownloadError, match=r"f\.bz2: .*refused") as error:
        fetch(tmp_path / "f.bz2", gone)
    assert "\n" not in str(error.value)


@settings(max_examples=15)
@given(
    size=st.integers(1, 5000),
    # so many in a row without a byte between them are the end of a mirror
    faults=st.lists(st.sampled_from([503, "cut", "plain", None]), max_size=PATIENCE - 1),
    left=st.integers(0, 6000),
)
def test_any_sizes_and_passing_faults_give_the_file(tmp_path_factory, size, faults, left):
    data, folder = DATA[:size], tmp_path_factory.mktemp("any")
    (folder / "f.part").write_bytes(DATA[:left])
    with serve(Mirror({"w/f": data}, plan=in_order(*faults))) as server:
        fetch(folder / "f", server, data=data)
    assert (folder / "f").read_bytes() == data


@pytest.mark.parametrize("left", [b"", DATA[:1000], DATA[:-1], DATA])
def test_a_file_of_known_sha256_becomes_whole_whatever_is_left(tmp_path, mirrors, left):
    if left:
        (tmp_path / "f.bz2.part").write_bytes(left)
    server, done, sha256 = mirrors(plan=in_order("cut", "plain")), [], hashlib.sha256(DATA).hexdigest()
    place = tmp_path / "f.bz2"
    fetch(place, server, sha256=sha256, done=lambda file, found: done.append((file.name, found, place.exists())))
    assert is_whole(place) and done == [("f.bz2", sha256, False)]
    assert server.asked("f.bz2")[:1] == ([] if left == DATA else [f"bytes={len(left)}-" if left else ""])


def test_wrong_bytes_that_an_earlier_process_left_are_replaced(tmp_path, mirrors):
    (tmp_path / "f.bz2.part").write_bytes(bytes(HALF))
    lines = fetch(tmp_path / "f.bz2", mirrors(), sha256=hashlib.sha256(DATA).hexdigest())
    assert is_whole(tmp_path / "f.bz2") and "its SHA-256 is" in lines[0] and "from the start" in lines[0]


def test_servers_of_wikimedia_have_three_connections_whatever_is_asked_for(tmp_path, mirrors, monkeypatch):
    """A proxy stands for them."""
    proxy = mirrors(delay=0.05, asks_contact=True, plan=in_order("busy 1"))
    monkeypatch.setenv("http_proxy", proxy.url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    place = "http://dumps.wikimedia.org/w"
    download(all_files(), tmp_path, places=[place], connections=8, contact="me@example.org")
    assert {f"w/{path.name}": path.read_bytes() for path in tmp_path.iterdir()} == OTHERS
    assert proxy.most_at_once == 3 and len(proxy.requests) == len(OTHERS) + 1
    (agent,) = proxy.agents
    assert re.fullmatch(r"gistmill/\S+ \(me@example\.org\) python-requests/\S+", agent)


def test_a_wait_that_is_asked_for_has_an_end(tmp_path, mirrors, monkeypatch):
    monkeypatch.setattr("gistmill.pipelines.web.LONGEST_WAIT", 0.2)
    assert fetch(
        tmp_path / "f.bz2", mirrors(plan=in_order("busy 86400", "busy soon", "busy Fri, 21 Oct 2095 07:28:00 GMT"))
    ) == ["downloaded f.bz2 (300,000 bytes)"]


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


def test_a_second_download_asks_for_the_status_only_and_a_failure_is_one_line_and_code_1(mirror, tmp_path, run):
    command = ["download", "--mirrors", mirror.url, "--output", tmp_path, "--wiki"]
    assert run(*command, "simplewiki")[0] == 0
    mirror.requests.clear()
    assert run(*command, "simplewiki")[0] == 0
    assert {path.rpartition("/")[2] for path, _ in mirror.requests} == {"", "dumpstatus.json"}
    code, out, err = run(*command, "frwiki", "--layout", "dumps")
    assert code == 1 and "no complete dump of frwiki was found" in err
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
        with pytest.raises(SourceError, match=r"a\.xml\.dump\.json is not a valid note on a dump"):
            read_note(str(tmp_path / "a.xml"))
        assert read_note(str(tmp_path / "b.xml")) is None


def test_no_room_is_said_before_anything_comes(mirror, tmp_path):
    config = DumpConfig(wiki="simplewiki", mirrors=(mirror.url,))
    dump = newest(config)
    huge = dataclasses.replace(dump, files=tuple(dataclasses.replace(f, size=1 << 60) for f in dump.files))
    with pytest.raises(DownloadError, match="bytes needed, .* free"):
        transfer.fetch(huge, tmp_path, config=config)
    (tmp_path / "file").write_text("")
    with pytest.raises(DownloadError, match="Not a directory"):
        transfer.fetch(dump, tmp_path / "file", config=config)


@pytest.mark.parametrize("content", [b"pages", b"segap"])
def test_a_file_that_was_there_without_a_note_is_held_against_its_sum(tmp_path, content):
    name = "xxwiki-2026-09-01-p1p9.xml.bz2"
    mirror = Mirror()
    mirror.put_export("xxwiki", "2026-09-01", {name: b"pages"})
    with serve(mirror):
        config = DumpConfig(wiki="xxwiki", mirrors=(mirror.url,))
        dump = newest(config)
        place = tmp_path / "xxwiki" / "20260901" / name
        place.parent.mkdir(parents=True)
        place.write_bytes(content)
        mirror.requests.clear()
        assert transfer.fetch(dump, tmp_path, config=config) == (place,)
    assert place.read_bytes() == b"pages" and len(mirror.requests) == (content != b"pages")
    assert read_note(str(place)).sha256 == hashlib.sha256(b"pages").hexdigest()
