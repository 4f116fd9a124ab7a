"""Codings of HTTP bodies, honest and not."""

import contextlib
import gzip
import itertools
import random
import resource
import zlib
from functools import partial

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sources.warc.page import BodyError, BodyTooLarge, decode_body

PAGE = b"<html>" + b"text " * 500 + b"</html>"


def raw_deflate(data):
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def chunked(data, size=100):
    return (
        b"".join(
            b"%x\r\n%b\r\n" % (len(part), part) for part in (data[i : i + size] for i in range(0, len(data), size))
        )
        + b"0\r\n\r\n"
    )


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "DEFLATE": raw_deflate,
    "br": partial(brotli.compress, quality=3),  # the best code of all takes its time
    "zstd": zstandard.compress,
    "identity": bytes,
    "": bytes,
}


def decode(body, content="", transfer="", cap=1 << 20):
    return decode_body(body, transfer=transfer, content=content, cap=cap)


def test_what_was_encoded_is_decoded_and_the_cap_is_exact():
    for name, encode in ENCODERS.items():
        body = encode(PAGE)
        assert decode(body, name, cap=len(PAGE)) == decode(chunked(body), name, "chunked") == PAGE, name
        with pytest.raises(BodyTooLarge):
            decode(body, name, cap=len(PAGE) - 1)
        assert decode(b"", name) == decode(b"0\r\n\r\n", name, "chunked") == b"", name


def test_codings_on_top_of_each_other_are_undone_in_turn():
    assert decode(brotli.compress(gzip.compress(PAGE)), "gzip, br") == PAGE
    assert decode(gzip.compress(PAGE) + gzip.compress(PAGE) + b"\r\n", "gzip") == PAGE * 2
    with pytest.raises(BodyError, match="more than 4"):
        decode(PAGE, ",".join(["gzip"] * 5))


def test_markup_that_the_crawler_decoded_already_is_taken_as_it_is():
    notice = b"\nNotice: undefined index in x.php on line 3\n" + PAGE
    nothing = b"no markup, no coding", b"1 < 2 and 3 > 2", b"\x01\x02 bytes, then <p>", b"x" * 5000 + b"<p>"
    for name in "gzip", "deflate", "br", "zstd", "rot13":
        assert decode(b"\n" + PAGE, name, "chunked") == b"\n" + PAGE, name
        assert decode(chunked(PAGE), name, "chunked") == PAGE, name
        assert decode(notice, name, "chunked") == notice, name
        for body in nothing:
            with pytest.raises(BodyError):
                decode(body, name)


def test_a_chunked_body_that_breaks_off_is_not_taken_for_text():
    with pytest.raises(BodyError, match="is truncated"):
        decode(chunked(PAGE)[: len(PAGE)], "", "chunked")


CODINGS = ["gzip", "deflate", "DEFLATE", "br", "zstd"]
NOISE = random.Random(1).randbytes(3000)  # does not compress, so that much of it comes out before the end
SKIPPED = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"  # a frame of zstd without text


@pytest.mark.parametrize("name", CODINGS)
def test_a_coding_that_breaks_off_is_refused(name):
    for text in PAGE, NOISE, b"<p>x", PAGE * 300:
        body = ENCODERS[name](text)
        for kept in {1, 2, len(body) // 2, max(len(body) - 9, 1), len(body) - 1}:
            with pytest.raises(BodyError, match="(is|or) truncated|Error -3|not a brotli stream|decompress.* error"):
                decode(body[:kept], name)
            with pytest.raises(BodyError):
                decode(chunked(body[:kept]), name, "chunked")


def test_a_coding_below_another_that_breaks_off_is_refused():
    for inner, outer in itertools.product(CODINGS, CODINGS):
        body, names = ENCODERS[inner](NOISE), f"{inner}, {outer}"
        assert decode(ENCODERS[outer](body), names) == NOISE, names
        for broken in ENCODERS[outer](body[:-9]), ENCODERS[outer](body)[:-9]:
            with pytest.raises(BodyError):
                decode(broken, names)


def test_what_follows_a_coding_is_not_text():
    rests = b"\r\n", b"\0", b"<!-- served in 3 ms -->", b"x" * 10_000
    for name, text in itertools.product(CODINGS, (PAGE, NOISE, PAGE * 300, b"")):
        body = ENCODERS[name](text)
        assert [decode(body + rest, name) for rest in rests] == [text] * len(rests), name


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_streams_that_follow_each_other_are_one_text(name):
    one = ENCODERS[name](PAGE)
    assert decode(one * 3 + b"\r\n", name) == PAGE * 3
    assert decode(ENCODERS[name](b"") + one, name) == PAGE
    for broken in (one + one[:-9], one[:-9] + one, one + one[:5]):
        with pytest.raises(BodyError):
            decode(broken, name)
    with pytest.raises(BodyTooLarge):
        decode(one * 3, name, cap=3 * len(PAGE) - 1)


def test_frames_without_text_are_passed_over():
    assert decode(SKIPPED + ENCODERS["zstd"](PAGE) + SKIPPED, "zstd") == PAGE
    with pytest.raises(BodyError, match="is truncated"):
        decode(ENCODERS["zstd"](PAGE) + SKIPPED[:-1], "zstd")


def test_chunks_that_are_none_are_refused():
    hello = b"5\r\nhello\r\n"
    for body in hello, b"5\r\nhel", hello + b"zz\r\n", b"hello", b"-" + hello, b"f" * 40 + b"\r\nhello", b"":
        with pytest.raises(BodyError):
            decode(body, transfer="chunked")


def test_chunks_may_carry_extensions_and_trailers():
    assert decode(b"5;a=b\r\nhello\r\n2\nyo\n0\r\nTrailer: x\r\n\r\n", transfer="chunked") == b"helloyo"


@pytest.mark.slow
@pytest.mark.parametrize("name", CODINGS)
def test_a_bomb_is_refused_before_it_is_large(name):
    bomb = ENCODERS[name](bytes(100 << 20))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BodyTooLarge):
        decode(bomb, name)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kB


@given(st.binary(max_size=200), st.sampled_from(sorted(ENCODERS)), st.sampled_from(["", "chunked"]))
def test_any_bytes_end_in_a_body_or_an_error_of_ours(body, content, transfer):
    with contextlib.suppress(BodyError, BodyTooLarge):
        assert isinstance(decode(body, content, transfer, cap=500), bytes)
