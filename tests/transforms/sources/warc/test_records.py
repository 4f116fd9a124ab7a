"""Framing: which records are found in whole, lying and damaged files, whatever was cut where."""

import io
import itertools
import random
import resource
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Damage
from gistmill.transforms.sources.warc.records import framed_records
from tests.transforms.sources.warc.warcs import framed, http, kind_of, members, page, record, zipped

BIG = record(9, bytes(1 << 21))  # over the cap of 1 MB
A, B, C = page(1), page(2), page(3)


def found(data, **options):
    """Numbers of the pages found; "?" for a broken record, "+" for one over the cap, "!" for a damage."""
    signs = []
    for item in framed(data, **options):
        if isinstance(item, Damage):
            signs.append("!")
        elif item.problem:
            assert item.block == b""
            signs.append("+" if item.oversized else "?")
        else:
            signs.append(item.block.split(b"Page ")[1][:1].decode())
    return "".join(signs)


FORMS = {
    "members": lambda *r: members(*r),
    "one member": lambda *r: zipped(b"".join(r)),
    "plain": lambda *r: b"".join(r),
}


@pytest.mark.parametrize("form", FORMS)
def test_records_are_found_with_their_places(form):
    data = FORMS[form](A, B, C)
    assert found(data) == "123"
    second = framed(data)[1]
    assert (second.offset, second.inner) == {
        "members": (len(zipped(A)), 0),
        "one member": (0, len(A)),
        "plain": (len(A), 0),
    }[form]
    assert second.head + second.block + b"\r\n\r\n" == B


@pytest.mark.parametrize("form", FORMS)
def test_headers_may_end_their_lines_in_bare_line_feeds(form):
    """As those of ClueWeb09."""
    block = b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>Page %d"
    bare = [record(n, block % n).replace(b"\r\n", b"\n").replace(b"WARC/1.0", b"WARC/0.18 ") for n in (1, 2)]
    assert found(FORMS[form](*bare, C)) == "123"
    assert found(FORMS[form](bare[0], C, bare[1])) == "132"
    lying = bare[1].replace(b"Content-Length: ", b"Content-Length: 9")
    assert found(FORMS[form](bare[0], lying, C)) == "1?3"


@pytest.mark.parametrize("form", FORMS)
def test_a_lying_length_costs_one_record(form):
    lengths = 0, 60, 200, 600, 10**30
    for said in *(b"%d" % length for length in lengths), b"x", b"-1":
        lying = page(2, "x" * 40).replace(b"Content-Length: 126", b"Content-Length: " + said)
        assert b"Content-Length: " + said in lying
        assert found(FORMS[form](A, lying, C, BIG, A)) == "1?3+1", said


def test_a_length_over_the_limit_that_lies_costs_what_it_claims():
    """Nothing of it is held, so that reading cannot begin again in it: in a file of members, it has one record."""
    for said in 1 << 22, 10**15:
        lying = page(2, "x" * 40, length=said)
        assert found(members(A, lying, C, BIG, A)) == "1?3+1"
        assert found(zipped(A + lying + C) + zipped(A)) == "1?1"
        assert found(A + lying + C) == "1?!"


def test_garbage_between_records_is_one_broken_record():
    garbage = random.Random(1).randbytes(300_000)
    records = A, b"garbage WARC/1.0\r\n\r\n", B, garbage + b"\r\n", C, b"tail"
    assert found(FORMS["one member"](*records)) == found(FORMS["plain"](*records)) == "1?2?3?"


def test_garbage_between_members_is_damage():
    garbage = random.Random(1).randbytes(300_000)
    data = zipped(A) + b"garbage" + zipped(B) + garbage + zipped(C)
    assert found(data) == "1!2!3"
    assert [i.offset for i in framed(data) if isinstance(i, Damage)] == [len(zipped(A)), len(zipped(A) + zipped(B)) + 7]


def test_a_magic_number_in_garbage_is_not_a_member():
    false = b"\x1f\x8b\x08" + bytes(20)
    data = zipped(A) + b"garbage" + (false + zipped(b"no record") + b"\x1f\x8b") * 9000 + zipped(C)
    assert found(data) == "1!3"


def test_a_truncated_last_record_is_seen():
    data = members(A, B)
    for cut in range(1, 60, 4):
        assert found(data[:-cut]) in ("1?!", "1!")
        assert found(A + B[:-cut]) in (("12",) if cut < 5 else ("1?!",)), cut


def test_a_damaged_member_costs_one_record():
    for place in 3, 20, 60, -10, -6:
        bad = bytearray(zipped(B))
        bad[place] ^= 0xFF
        signs = found(zipped(A) + bytes(bad) + zipped(C))
        # zlib passes over flags and names of the header
        assert signs in ("1?!3", "1!3") or (signs == "123" and place == 3)


def test_the_good_records_of_a_damaged_member_are_kept():
    many = [page(n % 10, random.Random(n).randbytes(2000).hex()) for n in range(60)]
    data = bytearray(zipped(b"".join(many)))
    data[len(data) // 2] ^= 0xFF
    signs = found(bytes(data) + zipped(A))
    assert signs.startswith("0123456789012") and signs.endswith("!1") and len(signs) < 60


def test_magic_numbers_inside_compressed_data_are_not_members():
    """A page that is itself a WARC file, which gzip stores as it is."""
    inner = members(*(record(n, http(random.Random(n).randbytes(9000))) for n in range(4, 9)))
    data = members(A, record(2, http(inner, content_type=b"application/gzip")), C)
    assert data.count(b"\x1f\x8b\x08") > 4
    offsets = [r.offset for r in framed(data)]
    assert len(offsets) == 3


@pytest.mark.slow
def test_a_bomb_costs_neither_memory_nor_the_next_record():
    bomb = record(2, http(bytes(400 << 20)))
    data = members(A, bomb, C)
    del bomb
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    assert found(data) == "1+3"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kB
    assert time.process_time() - begun < 20


def blank(end):
    return [made[:-4] + end for made in (A, B, C)]


CONTINUED = B.replace(b"WARC-Target-URI: https", b"WARC-Target-URI:\r\n https")
HUGE = [record(2, http(b"<p>Page 2"), headers=[b"X-Long: " + b"y" * size]) for size in (10_000, 20_000)]
DAMAGED = {  # records; what is found of them in members, in one member and in a plain file
    "Content-Length too small": ([A, page(2, length=60), C], "1?3", "1?3", "1?3"),
    "Content-Length too large": ([A, page(2, length=900), C], "1?3", "1?3", "1?3"),
    "Content-Length over the limit": ([A, page(2, length=1 << 30), C], "1?3", "1?", "1?!"),
    "no blank lines": (blank(b""), "123", "123", "123"),
    "one blank line": (blank(b"\r\n"), "123", "123", "123"),
    "garbage between records": ([A, b"garbage\r\n", B, b"WARC/1.0 is not\r\n\r\n", C], "1?2?3", "1?2?3", "1?2?3"),
    "a continued header": ([A, CONTINUED, C], "123", "123", "123"),
    "a long header": ([A, HUGE[0], C], "123", "123", "123"),
    "a huge header": ([A, HUGE[1], C], "1?3", "1?3", "1?3"),
    "a truncated body": ([A, B[:-30], C], "1?3", "1?", "1?!"),
    "two lengths": ([A, B.replace(b"Content-Length", b"Content-Length: 7\r\nContent-Length"), C], *["1?3"] * 3),
    "no length": ([A, B.replace(b"Content-Length", b"X-Length"), C], *["1?3"] * 3),
    "an endless header": ([b"WARC/1.0\r\n" + b"X: y\r\n" * 50_000, B], "?2", "?2", "?2"),
    "text that is not a record": ([A, b"hello there\r\n", C], "1?3", "1?3", "1?3"),
    "no text": ([A, b"", C, b"\r\n"], "13", "13", "13"),
    "names in small letters": ([A, B.replace(b"Content-Length", b"content-length"), C], "123", "123", "123"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_found_in_damaged_files(name):
    records, *expected = DAMAGED[name]
    assert [found(FORMS[form](*records)) for form in ("members", "one member", "plain")] == expected


def test_a_member_that_is_cut_off_and_members_that_go_on_in_the_next():
    assert found(members(A, B, C)[:-20]) == "12?!"
    assert found(zipped(A + B) + zipped(C) + zipped(b"") + zipped(b"\r\n")) == "123"
    assert found(zipped(A[:100]) + zipped(A[100:]) + zipped(B)) == "??2"
    assert found(zipped(A) + B + zipped(C)) == "1!3"
    assert found(members(A) + bytes(200_000)) == "1"  # the zeros of a tape
    assert found(members(A) + bytes(200_000) + b"x") == "1!"


PIECES = {
    "page": lambda n: page(n),
    "long": lambda n: page(n, "x" * 3000),
    "over": lambda n: record(n, bytes(9000)),
    "lies short": lambda n: page(n, "x" * 30, length=40),
    "lies long": lambda n: page(n, length=900),
    "lies over": lambda n: page(n, length=9000),
    "garbage": lambda n: b"garbage\n",
    "blank": lambda n: b"\r\n\r\n",
    "none": lambda n: record(n, b"", record_id=False),
    "type": lambda n: record(n, b"a: b\r\n", kind=b"warcinfo"),
}


@given(
    st.lists(st.sampled_from(sorted(PIECES)), min_size=1, max_size=12),
    st.sampled_from(["members", "plain", "mixed"]),
    st.integers(0, 60),
    st.data(),
)
def test_any_partition_gives_the_records_of_the_whole(names, form, cut, data):
    made = [PIECES[name](number) for number, name in enumerate(names)]
    if form == "mixed":
        content = b"".join(zipped(b"".join(made[i : i + 2])) for i in range(0, len(made), 2))
    else:
        content = FORMS[form](*made)
    content = content[: len(content) - cut]
    cap = 4096
    whole = framed(content, cap=cap)
    starts = sorted({i.offset for i in whole if not isinstance(i, Damage)} - {0})
    cuts = [0, *(s for s in starts if data.draw(st.booleans())), None]
    parts = [
        i
        for a, b in itertools.pairwise(cuts)
        for i in framed_records(io.BytesIO(content), "f", kind_of(content), start=a, end=b, cap=cap)
    ]
    assert parts == whole
