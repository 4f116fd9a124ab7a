"""Downloads from a real HTTP server: whole and verified, or resumed, or refused in one line."""

import hashlib
import random
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.pipelines.rebuild.download import PATIENCE, DownloadError, download, leftovers
from tests.pipelines.rebuild.mirror import Mirror, serve

DATA = random.Random(7).randbytes(300_000)
SHA1 = hashlib.sha1(DATA).hexdigest()
PIECE = 32 << 10


@pytest.fixture
def mirrors():
    """Makes mirrors that have the file."""
    with ExitStack() as stack:

        def make(**behaviour):
            return stack.enter_context(serve(Mirror({"w/f.bz2": DATA}, **behaviour)))

        yield make


def fetch(place, *servers, sha1=SHA1, **options):
    lines = []
    urls = [f"{s.url}/w/f.bz2" for s in servers]
    options = {"size": len(DATA), "piece_bytes": PIECE, "pause": 0.01, **options}
    download(urls, place, sha1=sha1, say=lines.append, **options)
    return lines


def is_whole(place):
    return place.read_bytes() == DATA and leftovers(place.parent, place.name) == []


def test_pieces_come_from_every_mirror_and_make_the_file(tmp_path, mirrors):
    servers = [mirrors(), mirrors()]
    fetch(tmp_path / "f.bz2", *servers)
    assert is_whole(tmp_path / "f.bz2")
    wanted = [w for s in servers for w in s.asked("f.bz2")]
    assert all(s.asked("f.bz2") for s in servers)
    assert sorted(set(wanted)) == sorted(wanted) and len(wanted) == -(-len(DATA) // PIECE)


def test_a_file_that_is_there_is_not_asked_for(tmp_path, mirrors):
    server = mirrors()
    (tmp_path / "f.bz2").write_bytes(DATA)
    fetch(tmp_path / "f.bz2", server)
    assert server.requests == []


@pytest.mark.parametrize("faults", [[503, 503, 429], ["cut", "cut"], [500, "cut", 408]])
def test_what_passes_by_itself_is_tried_again(tmp_path, mirrors, faults):
    left = list(faults)
    server = mirrors(plan=lambda path, number: left.pop() if left else None)
    assert fetch(tmp_path / "f.bz2", server) == []
    assert is_whole(tmp_path / "f.bz2")


def test_a_broken_connection_goes_on_within_the_piece(tmp_path, mirrors):
    left = ["cut"]
    server = mirrors(plan=lambda path, number: left.pop() if left else None)
    fetch(tmp_path / "f.bz2", server, piece_bytes=1 << 20, connections=1)
    assert is_whole(tmp_path / "f.bz2")
    first, second = server.asked("f.bz2")
    assert first == f"bytes=0-{len(DATA) - 1}"
    assert second == f"bytes={len(DATA) // 2}-{len(DATA) - 1}"


def test_a_stopped_download_goes_on_with_the_pieces_that_are_there(tmp_path, mirrors):
    place = tmp_path / "f.bz2"
    dying = mirrors(plan=lambda path, number: 404 if number > 4 else None)
    with pytest.raises(DownloadError, match="HTTP status 404"):
        fetch(place, dying, connections=1)
    assert not place.exists() and len(leftovers(tmp_path, "f.bz2")) == 2
    with open(leftovers(tmp_path, "f.bz2")[1], "a") as log:
        log.write("7")  # the process was killed amid this line: 7, 70 or 75
    server = mirrors()
    fetch(place, server)
    assert is_whole(place)
    assert len(server.asked("f.bz2")) == -(-len(DATA) // PIECE) - 5


def test_pieces_of_another_file_are_not_used(tmp_path, mirrors):
    with pytest.raises(DownloadError):
        fetch(tmp_path / "f.bz2", mirrors(plan=lambda path, n: 404 if n > 4 else None), sha1="0" * 40, connections=1)
    server = mirrors()
    fetch(tmp_path / "f.bz2", server)
    assert is_whole(tmp_path / "f.bz2") and len(server.asked("f.bz2")) == -(-len(DATA) // PIECE)


def test_wrong_bytes_of_one_mirror_are_noticed_and_replaced(tmp_path, mirrors):
    liar, honest = mirrors(plan=lambda path, number: "wrong"), mirrors()
    lines = fetch(tmp_path / "f.bz2", liar, honest)
    assert is_whole(tmp_path / "f.bz2")
    assert "downloaded again from one server" in lines[0]


def test_a_file_that_never_has_the_sum_is_an_error_and_leaves_nothing(tmp_path, mirrors):
    with pytest.raises(DownloadError, match="every mirror gives a file of another SHA-1"):
        fetch(tmp_path / "f.bz2", mirrors(plan=lambda path, number: "wrong"), mirrors(tag=""), sha1="1" * 40)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("plan", [None, ["cut"]])
def test_a_server_without_ranges_is_read_from_the_beginning(tmp_path, mirrors, plan):
    left = list(plan or [])
    server = mirrors(ranges=False, plan=lambda path, number: left.pop() if left and number > 3 else None)
    fetch(tmp_path / "f.bz2", server)
    assert is_whole(tmp_path / "f.bz2")


def test_a_file_that_changes_is_not_mixed(tmp_path, mirrors):
    server, steady = mirrors(), mirrors()

    def replace(path, number):
        if number == 2:
            server.tag = '"two"'
            server.files["w/f.bz2"] = bytes(len(DATA))

    server.plan = replace
    lines = fetch(tmp_path / "f.bz2", server, steady, connections=1)
    assert is_whole(tmp_path / "f.bz2")
    assert any("changed while it was read" in line for line in lines)


@pytest.mark.parametrize(
    ("content", "message"),
    [(DATA[:-1], "of a file that should have 300000 bytes"), (DATA + b"x", "should have 300000"), (None, "status 404")],
)
def test_a_mirror_with_another_file_is_left_out(tmp_path, mirrors, content, message):
    other, good = mirrors(), mirrors()
    if content is None:
        del other.files["w/f.bz2"]
    else:
        other.files["w/f.bz2"] = content
    assert message in "".join(fetch(tmp_path / "f.bz2", other, good))
    assert is_whole(tmp_path / "f.bz2")
    (tmp_path / "f.bz2").unlink()
    with pytest.raises(DownloadError, match=message):
        fetch(tmp_path / "f.bz2", other)


def test_a_server_that_is_gone_is_an_error_in_one_line(tmp_path, mirrors):
    with serve(Mirror()) as gone:
        pass
    with pytest.raises(DownloadError, match=r"f\.bz2: .*refused") as error:
        fetch(tmp_path / "f.bz2", gone)
    assert "\n" not in str(error.value)


@settings(max_examples=15)
@given(
    size=st.integers(1, 5000),
    piece=st.integers(1, 2000),
    # so many in a row without a byte between them are the end of a mirror
    faults=st.lists(st.sampled_from([503, "cut", "plain", None]), max_size=PATIENCE - 1),
)
def test_any_sizes_and_passing_faults_give_the_file(tmp_path_factory, size, piece, faults):
    data, place = DATA[:size], tmp_path_factory.mktemp("any") / "f"
    left = list(faults)
    with serve(Mirror({"w/f.bz2": data}, plan=lambda path, number: left.pop() if left else None)) as server:
        fetch(place, server, size=size, sha1=hashlib.sha1(data).hexdigest(), piece_bytes=max(piece, size // 20))
    assert place.read_bytes() == data
