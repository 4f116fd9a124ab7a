"""Downloads from a real HTTP server: whole and verified, or resumed, or refused in one line."""

import fcntl
import hashlib
import random
import re
import time
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.pipelines.rebuild import download as transfer
from gistmill.pipelines.rebuild.download import PATIENCE, DownloadError, Wanted, download
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


def wanted(place, servers, data=DATA, sha1=None):
    urls = [f"{s.url}/w/{place.name}" for s in servers]
    return Wanted(urls=urls, place=place, size=len(data), sha1=sha1 or hashlib.sha1(data).hexdigest())


def fetch(place, *servers, data=DATA, sha1=None, **options):
    lines = []
    download([wanted(place, servers, data, sha1)], pause=0.01, say=lines.append, **options)
    return lines


def is_whole(place):
    return place.read_bytes() == DATA and [path.name for path in place.parent.iterdir()] == [place.name]


def in_order(*faults):
    """Faults of one request after the other."""
    left = list(faults)
    return lambda path, number: left.pop(0) if left else None


def test_files_come_from_every_mirror_each_once(tmp_path, mirrors):
    servers = [mirrors(), mirrors()]
    files = [wanted(tmp_path / name.removeprefix("w/"), servers, data) for name, data in OTHERS.items()]
    download(files, connections=2)
    assert {f"w/{path.name}": path.read_bytes() for path in tmp_path.iterdir()} == OTHERS
    asked = [path for s in servers for path, _ in s.requests]
    assert sorted(asked) == sorted(OTHERS) and all(s.requests for s in servers)


def test_a_file_that_is_there_is_not_asked_for(tmp_path, mirrors):
    server = mirrors()
    (tmp_path / "f.bz2").write_bytes(DATA)
    fetch(tmp_path / "f.bz2", server)
    assert server.requests == []


def test_what_passes_by_itself_is_tried_again(tmp_path, mirrors):
    plan = in_order(503, 503, 429, 500, "cut", 408)
    assert fetch(tmp_path / "f.bz2", mirrors(plan=plan))[-1] == "f.bz2 is there (300,000 bytes)"
    assert is_whole(tmp_path / "f.bz2")


def test_a_broken_connection_goes_on_where_it_broke(tmp_path, mirrors):
    server = mirrors(plan=in_order("cut"))
    fetch(tmp_path / "f.bz2", server)
    assert is_whole(tmp_path / "f.bz2") and server.asked("f.bz2") == ["", f"bytes={HALF}-"]


@pytest.mark.slow
def test_a_mirror_that_sends_byte_by_byte_is_left_out_and_another_goes_on(tmp_path, mirrors, monkeypatch):
    monkeypatch.setattr(transfer, "_SLOW_SECONDS", 0.3)
    slow = mirrors(plan=lambda path, number: "drip")
    with pytest.raises(DownloadError, match="it is too slow: [0-9]+ bytes came in 0 s"):
        fetch(tmp_path / "f.bz2", slow)
    assert len(slow.requests) == PATIENCE
    steady = mirrors(plan=lambda path, number: None if len(slow.requests) > PATIENCE else 503)
    assert "too slow" in fetch(tmp_path / "f.bz2", slow, steady, connections=1)[-1]
    assert is_whole(tmp_path / "f.bz2")


def test_a_range_that_is_none_is_one_line():
    for length in ["9" * 5000, "x"]:
        answer = SimpleNamespace(status_code=206, headers={"Content-Range": f"bytes {length}-{length}/{length}"})
        with pytest.raises(transfer._Unusable, match="an unknown range"):
            transfer._check_size(answer, 9, len(DATA))
        answer = SimpleNamespace(status_code=200, headers={"Content-Length": length})
        with pytest.raises(transfer._Unusable) as refused:
            transfer._check_size(answer, 0, len(DATA))
        assert len(str(refused.value)) < 100


def test_another_mirror_goes_on_where_one_is_left_out(tmp_path, mirrors):
    dying = mirrors(plan=in_order("cut", 404))
    steady = mirrors(plan=lambda path, number: None if dying.requests else 503)
    lines = fetch(tmp_path / "f.bz2", dying, steady, connections=1)
    assert is_whole(tmp_path / "f.bz2")
    assert steady.asked("f.bz2")[-1] == f"bytes={HALF}-" and "HTTP status 404" in lines[-1]


def test_a_stopped_download_goes_on_with_what_is_there(tmp_path, mirrors):
    place = tmp_path / "f.bz2"
    with pytest.raises(DownloadError, match="HTTP status 404"):
        fetch(place, mirrors(plan=in_order("cut", 404)))
    assert not place.exists() and (tmp_path / "f.bz2.part").stat().st_size == HALF
    server = mirrors()
    fetch(place, server)
    assert is_whole(place) and server.asked("f.bz2") == [f"bytes={HALF}-"]


@pytest.mark.parametrize("left", [DATA, DATA[:-1], b"x" * 10, b"x" * len(DATA), DATA + b"x"])
def test_whatever_is_left_of_a_stopped_download_the_file_becomes_whole(tmp_path, mirrors, left):
    (tmp_path / "f.bz2.part").write_bytes(left)
    fetch(tmp_path / "f.bz2", mirrors())
    assert is_whole(tmp_path / "f.bz2")


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
        download([of_sha256(tmp_path / "f.bz2", [mirrors()], sha256="2" * 64)])
    assert list(tmp_path.iterdir()) == []


def test_a_server_without_ranges_is_read_from_the_beginning(tmp_path, mirrors):
    fetch(tmp_path / "f.bz2", mirrors(ranges=False, plan=in_order("cut", 503, "cut")))
    assert is_whole(tmp_path / "f.bz2")


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
    server = mirrors()
    files = [wanted(tmp_path / name, [server]) for name in ("f.bz2", "none.bz2")]
    with pytest.raises(DownloadError, match="none.bz2: HTTP status 404$"):
        download(files, connections=1)
    assert (tmp_path / "f.bz2").read_bytes() == DATA


def test_a_fault_of_ours_is_raised_and_a_disk_that_cannot_be_written_an_error_of_its_own(tmp_path, mirrors):
    def say(line):
        raise ValueError("no line can be shown")

    with pytest.raises(ValueError, match="no line can be shown"):
        download([wanted(tmp_path / "0.bz2", [mirrors()], OTHERS["w/0.bz2"])], say=say)
    (tmp_path / "f.bz2.part").mkdir()
    with pytest.raises(IsADirectoryError):
        fetch(tmp_path / "f.bz2", mirrors())


def test_a_server_that_is_gone_is_an_error_in_one_line(tmp_path):
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


def of_sha256(place, servers, sha256=None):
    urls = [f"{s.url}/w/{place.name}" for s in servers]
    return Wanted(urls=urls, place=place, size=len(DATA), sha256=sha256 or hashlib.sha256(DATA).hexdigest())


@pytest.mark.parametrize("left", [b"", DATA[:1000], DATA[:-1], DATA])
def test_a_file_of_known_sha256_becomes_whole_whatever_is_left(tmp_path, mirrors, left):
    if left:
        (tmp_path / "f.bz2.part").write_bytes(left)
    server, done = mirrors(), []
    file = of_sha256(tmp_path / "f.bz2", [server])
    download([file], done=lambda f: done.append((f.found_sha256, f.place.exists())))
    assert is_whole(tmp_path / "f.bz2") and done == [(hashlib.sha256(DATA).hexdigest(), False)]
    assert server.asked("f.bz2") == ([] if left == DATA else [f"bytes={len(left)}-" if left else ""])


def test_checksums_are_of_all_bytes_though_connections_break_and_the_file_is_not_read_again(
    tmp_path, mirrors, monkeypatch
):
    file = of_sha256(tmp_path / "f.bz2", [mirrors(plan=in_order("cut", "plain"))])
    download([file], pause=0.01)
    assert is_whole(tmp_path / "f.bz2") and file.found_sha256 == hashlib.sha256(DATA).hexdigest()
    (tmp_path / "f.bz2").unlink()
    monkeypatch.setattr(Wanted, "read_sums", lambda self, part: pytest.fail("the file is read again"))
    file = of_sha256(tmp_path / "f.bz2", [mirrors(plan=in_order("cut", 503, "cut"))])
    download([file], pause=0.01)
    assert is_whole(tmp_path / "f.bz2") and file.found_sha256 == hashlib.sha256(DATA).hexdigest()


def test_wrong_bytes_that_an_earlier_process_left_are_replaced(tmp_path, mirrors):
    (tmp_path / "f.bz2.part").write_bytes(bytes(HALF))
    lines = []
    download([of_sha256(tmp_path / "f.bz2", [mirrors()])], say=lines.append)
    assert is_whole(tmp_path / "f.bz2") and "its SHA-256 is" in lines[0] and "from its first byte" in lines[0]


def test_a_server_has_three_connections_at_once_and_no_more(tmp_path, mirrors):
    server = mirrors(delay=0.05)
    download([wanted(tmp_path / name.removeprefix("w/"), [server], data) for name, data in OTHERS.items()])
    assert server.most_at_once == 3


@pytest.mark.parametrize("mirrored", [1, 2])
def test_servers_of_wikimedia_have_three_together_whatever_is_asked_for(tmp_path, mirrors, monkeypatch, mirrored):
    """A proxy stands for them."""
    asked = []

    def plan(path, number):
        asked.append(time.monotonic())
        return "busy 1" if number < 3 else None

    proxy = mirrors(delay=0.05, asks_contact=True, plan=plan)
    monkeypatch.setenv("http_proxy", proxy.url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    hosts = ("http://dumps.wikimedia.org/w",) * mirrored
    files = []
    for name, data in OTHERS.items():
        place, sha1 = tmp_path / name.removeprefix("w/"), hashlib.sha1(data).hexdigest()
        files.append(Wanted(urls=[f"{h}/{place.name}" for h in hosts], place=place, size=len(data), sha1=sha1))
    download(files, connections=8, contact="me@example.org")
    assert {f"w/{path.name}": path.read_bytes() for path in tmp_path.iterdir()} == OTHERS
    assert proxy.most_at_once == 3 and (mirrored > 1 or asked[3] - asked[2] >= 0.9)
    (agent,) = proxy.agents
    assert re.fullmatch(r"gistmill/\S+ \(me@example\.org\) python-requests/\S+", agent)


def test_a_server_that_refuses_a_client_without_contact_is_left_out_in_words(tmp_path, mirrors):
    with pytest.raises(DownloadError, match="HTTP status 403: the server refuses this client; .*`contact`"):
        fetch(tmp_path / "f.bz2", mirrors(asks_contact=True))


def test_no_connection_asks_a_busy_server_before_it_says(tmp_path, mirrors):
    asked = []

    def plan(path, number):
        asked.append(time.monotonic())
        return "busy 1" if number < 3 else None

    server = mirrors(plan=plan, delay=0.05)
    files = [wanted(tmp_path / name.removeprefix("w/"), [server], data) for name, data in OTHERS.items()]
    download(files, pause=0.01)
    assert len(asked) == 3 + len(OTHERS) and asked[3] - asked[2] >= 0.9


def test_connections_that_fail_together_are_one_failure(tmp_path, mirrors):
    server = mirrors(plan=lambda path, number: 503 if number < 9 else None, delay=0.05)
    files = [wanted(tmp_path / name.removeprefix("w/"), [server], data) for name, data in OTHERS.items()]
    download(files, pause=0.01)
    assert {f"w/{path.name}": path.read_bytes() for path in tmp_path.iterdir()} == OTHERS


def test_a_wait_that_is_asked_for_has_an_end(tmp_path, mirrors, monkeypatch):
    monkeypatch.setattr("gistmill.pipelines.web.LONGEST_WAIT", 0.2)
    assert fetch(tmp_path / "f.bz2", mirrors(plan=in_order("busy 86400", "busy soon"))) == [
        "f.bz2 is there (300,000 bytes)"
    ]
