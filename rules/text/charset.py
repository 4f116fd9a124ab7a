"""Decoding of web pages: detection of the encoding, and removal of characters that text may not contain.

Encodings are determined in the order given by the WHATWG (byte order mark, HTTP header, <meta>, then the content), with
its labels (``latin1`` means windows-1252, ``gb2312`` means gb18030). There are exceptions where browsers would show
garbage. Bytes that are UTF-8 with characters outside ASCII are decoded as UTF-8 whatever is declared, even if some are
invalid: text in another encoding is practically never valid UTF-8, and under half of its non-ASCII characters look
valid (at most 0.9 per invalid one, for single sentences of 12 languages in 21 encodings). Zero bytes in every second
position indicate UTF-16. If the content contradicts the declared encoding, the encoding is detected.
"""

from __future__ import annotations

import codecs
import io
import re

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

from gistmill.rules.text.prose import without_controls

# Bytes searched for a declaration; more than in browsers, since many pages put scripts before it.
_PRESCAN = 4096
_SAMPLE = 4096
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,>]+)""", re.I)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.S)
_META = re.compile(rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"';,/>]+)""", re.I)
_XML = re.compile(rb"""\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)["']""", re.I)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# A capital and a sign in a single-byte encoding, as in "BEYONCÉ’S": they look like UTF-8, so they prove nothing.
_CAPITAL_AND_SIGN = re.compile(rb"[A-Z][\xc2-\xdf][\x80-\xbf](?![\x80-\xbf])")
# WHATWG labels, and Python codecs that can decode more of the texts labelled this way.
_WIDER = {"gbk": "gb18030", "gb2312": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs"}
# Encodings accepted from the detector, which mistakes a few curly quotes for encodings that no web page uses.
_DETECTABLE = frozenset(
    "big5 euc_jp euc_kr gb18030 gbk shift_jis koi8-r koi8-u iso8859-2 iso8859-5 iso8859-7 iso8859-8 iso8859-9 "
    "iso8859-11 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258".split()
)
_FALLBACK = "cp1252"
_CONTROLS = bytes((*range(9), 11, 12, *range(14, 32), 127))
_CONTROLS_OF_TWO, _NO_CHARACTER = re.compile(rb"\xc2[\x80-\x9f]"), re.compile(rb"\xef\xbf[\xbe\xbf]")
# A declared encoding is considered wrong if more than this share of the non-ASCII characters cannot be decoded.
_MAX_DAMAGE = 0.1


def decode_html(body: bytes, content_type: str) -> str:
    """Returns the text of a page; ``content_type`` is the HTTP header, or "".

    Never fails: bytes that cannot be decoded become U+FFFD. The text contains no control characters except tabs and
    line ends (as ``\\n``), no byte order mark and no lone surrogates. A character truncated at the end is dropped.
    """
    if (text := _plain_utf8(body)) is None:
        text = without_controls(_decode(body, content_type))
    return text.removeprefix("\ufeff")


def _plain_utf8(body: bytes) -> str | None:
    """Returns the text if it is UTF-8 without controls, as most pages are: much faster to check on bytes; else None."""
    if len(body.translate(None, _CONTROLS)) < len(body) or body.startswith(codecs.BOM_UTF8):
        return None
    if _CONTROLS_OF_TWO.search(body) or _NO_CHARACTER.search(body):
        return None
    try:
        text = codecs.utf_8_decode(body, "strict", False)[0]
    except UnicodeDecodeError:
        return None
    return io.IncrementalNewlineDecoder(None, translate=True).decode(text, final=True) if b"\r" in body else text


def _decode(body: bytes, content_type: str) -> str:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], encoding)
    if utf16 := _utf16_without_mark(body):
        return _decoded(body, utf16)
    found = _CHARSET.search(content_type)
    declared = (_known(found.group(1)) if found else None) or _from_markup(body)
    if body.isascii():  # any encoding will do, except the one that writes all letters in seven bits
        return _decoded(body, "iso2022_jp" if declared == "iso2022_jp" else "ascii")
    try:
        return codecs.utf_8_decode(body, "strict", False)[0]
    except UnicodeDecodeError:
        text = codecs.utf_8_decode(body, "replace", False)[0]
    damage = text.count("\ufffd")
    if 2 * damage <= _beyond_ascii(text) - len(_CAPITAL_AND_SIGN.findall(body)):
        return text
    if declared is not None:
        text = _decoded(body, declared)
        if text.count("\ufffd") <= _MAX_DAMAGE * _beyond_ascii(text):
            return text
    detected = detect_encoding(body)
    return _decoded(body, detected if detected in _DETECTABLE else _FALLBACK)


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _decoded(body: bytes, encoding: str) -> str:
    decoder = codecs.getincrementaldecoder(_WIDER.get(encoding, encoding))("replace")
    return decoder.decode(body)


def _utf16_without_mark(body: bytes) -> str | None:
    sample = body[:_SAMPLE]
    even, odd, pairs = sample[::2].count(0), sample[1::2].count(0), len(sample) // 2
    if pairs and odd > pairs / 4 and even * 4 < odd:
        return "utf-16-le"
    if pairs and even > pairs / 4 and odd * 4 < even:
        return "utf-16-be"
    return None


def _from_markup(body: bytes) -> str | None:
    start = _COMMENT.sub(b"", body[:_PRESCAN])
    found = _META.search(start) or _XML.match(start)
    return _known(found.group(1).decode("ascii", "replace")) if found else None


def _known(label: str) -> str | None:
    """Returns the Python codec for a WHATWG label; None if the label is unknown or cannot be correct."""
    if not label.isascii():
        return None
    name = map_encoding_to_html5(label, fallback_utf8=False)
    if name is None:
        try:
            name = map_encoding_to_html5(codecs.lookup(label).name, fallback_utf8=False)
        except (LookupError, ValueError):
            return None
    # UTF-16 has been ruled out: the declaration was read as ASCII
    return None if name is None or name.startswith("utf-16") else name
