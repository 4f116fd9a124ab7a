"""Bytes of web pages become text, whatever is declared."""

import codecs
import time

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.text.charset import decode_html
from gistmill.rules.text.prose import without_controls
from tests.cases import by_heading

CASES = by_heading(__file__)

PROSE = "“It’s a façade,” the café’s owner said — twice. "
PAGE = "<html><head><title>x</title></head><body><p>{}</p></body></html>"


def page(text: str, encoding: str, *, declared: str = "") -> bytes:
    meta = f'<meta charset="{declared}">' if declared else ""
    return PAGE.replace("<title>", meta + "<title>").format(text).encode(encoding)


def test_curly_quotes_survive() -> None:
    for encoding, declared in CASES["curly quotes survive, encoding and declared"]:
        for where in ("header", "meta"):
            header = f"text/html; charset={declared}" if declared and where == "header" else "text/html"
            body = page(PROSE * 5, encoding, declared=declared if where == "meta" else "")
            assert f"<p>{PROSE * 5}</p>" in decode_html(body, header), (encoding, where)


def test_declared_labels_mean_what_browsers_take_them_for() -> None:
    for text, encoding, label in CASES["declared labels mean what browsers take them for"]:
        assert text * 4 in decode_html(page(text * 4, encoding), f'text/html; Charset = "{label}"'), text
        assert text * 4 in decode_html(page(text * 4, encoding, declared=label), ""), text


def test_content_decides_where_the_declaration_is_absent_or_wrong() -> None:
    for text, encoding in CASES["content decides where the declaration is absent or wrong, text and encoding"]:
        for lie in ("", "utf-8"):
            assert text * 6 in decode_html(page(text * 6, encoding), f"text/html; charset={lie}"), (text, lie)


def test_header_beats_meta_and_mark_beats_both() -> None:
    body = page("ż", "iso8859-2", declared="windows-1251")
    assert "<p>ż</p>" in decode_html(body, "text/html; charset=iso-8859-2")
    assert "<p>ż</p>" in decode_html(codecs.BOM_UTF8 + page("ż", "utf-8"), "text/html; charset=iso-8859-2")


def test_xml_declarations_count_and_comments_do_not() -> None:
    assert "ż" in decode_html(b'<?xml version="1.0" encoding="iso-8859-2"?><p>\xbf</p>', "")
    assert "ż" in decode_html(b'<!-- <meta charset="koi8-r"> --><meta charset="iso-8859-2"><p>\xbf</p>', "")


def test_a_damaged_page_keeps_what_is_whole() -> None:
    body = page(PROSE * 10, "utf-8").replace(b"a\xc3\xa7", b"a\xc3", 1)
    found = decode_html(body, "text/html; charset=utf-8")
    assert found.count("\ufffd") == 1 and "café’s" in found
    assert decode_html("so it was, née".encode()[:-2], "") == "so it was, n"  # cut off within a character


FEW = ("The café of the town has been open since Monday.", "BEYONCÉ’s “show” — naïve.", "Zażółć gęślą jaźń.", "Привет.")


def test_a_stray_byte_does_not_change_the_encoding_of_a_page() -> None:
    for text in FEW:
        for declared in ("", "utf-8", "iso-8859-1", "windows-1251", "no-such-charset"):
            for stray in (b"\xef", b"\xe9 ", b"\x92", b"\xa0", b"\xff", b"\xc3 ", b"\xf0\x9f\x98 "):
                for body in (
                    page(text, "utf-8") + b"<!-- " + stray + b"-->",
                    page("x" + "\n" * 9, "utf-8") + stray + text.encode(),
                ):
                    found = decode_html(body, f"text/html; charset={declared}")
                    assert text in found and "\ufffd" in found, (text, declared, stray)
                    assert text in decode_html(
                        body.replace(b"<title>", f'<meta charset="{declared}"><title>'.encode()), ""
                    ), text


def test_other_encodings_are_not_taken_for_damaged_utf8() -> None:
    for text, encoding in CASES["other encodings are not taken for damaged utf8, text and encoding"]:
        for truncated in (0, 1):
            body = text.encode(encoding)[: -truncated or None]
            label = {"cp1252": "latin1", "gb18030": "gb2312", "cp874": "windows-874"}.get(encoding, encoding)
            label = label.replace("cp125", "windows-125").replace("_", "-")
            found = decode_html(body, f"text/html; charset={label}")
            assert text[: len(text) - 1] in found, (text, truncated)


def test_no_controls_and_no_surrogates() -> None:
    found = decode_html(b"a\x00b\x01\tc\r\nd\x7f\xed\xa0\x80e", "text/html; charset=utf-8")
    assert "ab\tc\nd" in found and "\x00" not in found
    assert decode_html("x\ud800y".encode("utf-16-le", "surrogatepass") * 9, "").encode()
    assert decode_html(b"", "text/html; charset=rot13") == ""


@given(
    st.binary(max_size=300),
    st.sampled_from(
        ["", "utf-8", "utf-16", "utf-7", "iso-2022-jp", "big5", "euc-kr", "gbk", "a\0b", "zip", "\ud800", "latin1", "☃"]
    ),
)
def test_never_fails(body: bytes, label: str) -> None:
    found = decode_html(body, f"text/html; charset={label}")
    assert "\0" not in found and found.encode() is not None


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff\ufffe\uffff"), max_size=200))
def test_utf8_is_read_as_it_is_whatever_the_header_says(text: str) -> None:
    assert text in decode_html(f"<p>é {text}</p>".encode(), "text/html; charset=windows-1251")


@given(st.text(st.sampled_from("a é\t\r\n\x01\x1b\x7f\x85\x9f\xa0\ufeff\ufffe\uffff\ud7ff\U0001f600"), max_size=12))
def test_controls_are_taken_out_of_utf8_however_it_is_read(text: str) -> None:
    assert decode_html(f"é{text}".encode(), "") == without_controls(f"é{text}")


def test_large_pages_are_fast() -> None:
    body = page(PROSE * 200_000, "utf-8")  # 12 MB
    start = time.process_time()
    decode_html(body, "text/html; charset=utf-8")
    assert time.process_time() - start < 2
