"""Codings of HTTP bodies, honest and not."""

import contextlib
import gzip
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
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "identity": bytes,
    "": bytes,
}


def decode(body, content="", transfer="", cap=1 << 20):
    return decode_body(body, transfer=transfer, content=content, cap=cap)


@pytest.mark.parametrize("name", ENCODERS)
def test_what_was_encoded_is_decoded(name):
    assert decode(ENCODERS[name](PAGE), name) == PAGE
    assert decode(chunked(ENCODERS[name](PAGE)), name, "chunked") == PAGE


def test_codings_on_top_of_each_other_are_undone_in_turn():
    assert decode(brotli.compress(gzip.compress(PAGE)), "gzip, br") == PAGE
    assert decode(gzip.compress(PAGE) + gzip.compress(PAGE) + b"\r\n", "gzip") == PAGE * 2
    with pytest.raises(BodyError, match="more than 4"):
        decode(PAGE, ",".join(["gzip"] * 5))


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "rot13"])
def test_markup_that_the_crawler_decoded_already_is_taken_as_it_is(name):
    assert decode(b"\n" + PAGE, name, "chunked") == b"\n" + PAGE
    assert decode(chunked(PAGE), name, "chunked") == PAGE


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "rot13"])
def test_a_notice_before_the_markup_of_a_decoded_body_is_not_a_coding(name):
    body = b"\nNotice: undefined index in x.php on line 3\n" + PAGE
    assert decode(body, name, "chunked") == body


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd", "rot13"])
@pytest.mark.parametrize(
    "body", [b"no markup, no coding", b"1 < 2 and 3 > 2", b"\x01\x02 bytes, then <p>", b"x" * 5000 + b"<p>"]
)
def test_what_is_not_in_its_coding_is_refused(name, body):
    with pytest.raises(BodyError):
        decode(body, name)


def test_a_chunked_body_that_breaks_off_is_not_taken_for_text():
    with pytest.raises(BodyError, match="breaks off"):
        decode(chunked(PAGE)[: len(PAGE)], "", "chunked")


CODINGS = ["gzip", "deflate", "DEFLATE", "br", "zstd"]
NOISE = random.Random(1).randbytes(3000)  # does not compress, so that much of it comes out before the end
SKIPPED = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"  # a frame of zstd without text


@pytest.mark.parametrize("name", CODINGS)
@pytest.mark.parametrize("text", [PAGE, NOISE, b"<p>x", PAGE * 300])
def test_a_coding_that_breaks_off_is_refused(name, text):
    body = ENCODERS[name](text)
    for kept in {1, 2, len(body) // 2, max(len(body) - 9, 1), len(body) - 1}:
        with pytest.raises(BodyError, match="breaks off|Error -3|not a brotli stream|decompress.* error"):
            decode(body[:kept], name)
        with pytest.raises(BodyError):
            decode(chunked(body[:kept]), name, "chunked")


@pytest.mark.parametrize("outer", CODINGS)
@pytest.mark.parametrize("inner", CODINGS)
def test_a_coding_below_another_that_breaks_off_is_refused(inner, outer):
    body = ENCODERS[inner](NOISE)
    assert decode(ENCODERS[outer](body), f"{inner}, {outer}") == NOISE
    with pytest.raises(BodyError):
        decode(ENCODERS[outer](body[:-9]), f"{inner}, {outer}")
    with pytest.raises(BodyError):
        decode(ENCODERS[outer](body)[:-9], f"{inner}, {outer}")


@pytest.mark.parametrize("name", CODINGS)
@pytest.mark.parametrize("rest", [b"\r\n", b"\0", b"<!-- served in 3 ms -->", b"x" * 10_000])
def test_what_follows_a_coding_is_not_text(name, rest):
    for text in (PAGE, NOISE, PAGE * 300, b""):
        assert decode(ENCODERS[name](text) + rest, name) == text


@pytest.mark.parametrize("name", [*CODINGS, ""])
def test_an_empty_body_is_empty_in_every_coding(name):
    assert decode(b"", name) == b""
    assert decode(b"0\r\n\r\n", name, "chunked") == b""


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
    with pytest.raises(BodyError, match="breaks off"):
        decode(ENCODERS["zstd"](PAGE) + SKIPPED[:-1], "zstd")


@pytest.mark.parametrize(
    "body",
    [
        b"5\r\nhello\r\n",
        b"5\r\nhel",
        b"5\r\nhello\r\nzz\r\n",
        b"hello",
        b"-5\r\nhello\r\n",
        b"f" * 40 + b"\r\nhello",
        b"",
    ],
)
def test_chunks_that_are_none_are_refused(body):
    with pytest.raises(BodyError):
        decode(body, transfer="chunked")


def test_chunks_may_carry_extensions_and_trailers():
    assert decode(b"5;a=b\r\nhello\r\n2\nyo\n0\r\nTrailer: x\r\n\r\n", transfer="chunked") == b"helloyo"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gzip", "deflate", "DEFLATE", "br", "zstd"])
def test_a_bomb_is_refused_before_it_is_large(name):
    # its encoder looks for the best code of all, unless it is told not to
    encode = partial(brotli.compress, quality=1) if name == "br" else ENCODERS[name]
    bomb = encode(bytes(200 << 20))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BodyTooLarge):
        decode(bomb, name)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kB


def test_the_cap_is_exact():
    for name, encode in ENCODERS.items():
        assert decode(encode(PAGE), name, cap=len(PAGE)) == PAGE
        with pytest.raises(BodyTooLarge):
            decode(encode(PAGE), name, cap=len(PAGE) - 1)


@given(st.binary(max_size=200), st.sampled_from(sorted(ENCODERS)), st.sampled_from(["", "chunked"]))
def test_any_bytes_end_in_a_body_or_an_error_of_ours(body, content, transfer):
    with contextlib.suppress(BodyError, BodyTooLarge):
        assert isinstance(decode(body, content, transfer, cap=500), bytes)
