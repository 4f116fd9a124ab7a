import bz2
import gzip

import pytest

from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import check_input
from tests.transforms.sources.wikipedia.exports import export, page

GOOD = export([page(1)])


def check(tmp_path, content, name="input"):
    (tmp_path / name).write_bytes(content)
    return check_input(expand_inputs(str(tmp_path / name))[0]).kind


def test_the_kind_is_told_by_content_and_not_by_name(tmp_path):
    packed = {
        "plain": GOOD,
        "bz2": bz2.compress(GOOD),
        "gzip": gzip.compress(GOOD),
    }
    for kind, content in packed.items():
        for name in "a.xml", "a.xml.bz2", "a.gz":
            assert check(tmp_path, content, name) == kind


def test_the_site_of_an_export_is_known_by_its_siteinfo(tmp_path):
    named = "https://a.org/wiki/A"
    for head, base in (
        (f"<siteinfo><base>{named}</base></siteinfo>", named),
        (
            "\n <siteinfo>\n  <sitename>A &lt;base></sitename>\n  <base>\n https://a.org/?a=1&amp;title=B </base>\n",
            "https://a.org/?a=1&title=B",
        ),
        ("<siteinfo><sitename>Wikipedia</sitename></siteinfo>", ""),
        ("<siteinfo><base></base></siteinfo>", ""),
        (f"<siteinfo></siteinfo><base>{named}</base>", ""),
        (f"<siteinfo><page><title>A</title><base>{named}</base></page></siteinfo>", ""),
        ("", ""),
    ):
        text = f'<mediawiki xml:lang="en">{head}{page(1)}</mediawiki>'.encode()
        for content in text, bz2.compress(text), gzip.compress(text):
            (tmp_path / "input").write_bytes(content)
            assert check_input(expand_inputs(str(tmp_path / "input"))[0]).base == base, head


def test_namespaces_of_files_categories_and_media_are_known_by_the_siteinfo(tmp_path):
    of_files = '<namespace key="6" case="first-letter">Datei</namespace>'
    others = '<namespace key="-2" case="first-letter">Medium</namespace><namespace key="0"/>'
    known = f'<namespaces>\n{others}{of_files}<namespace key="14">A &amp; B</namespace></namespaces>'
    for head, names in (
        (f"<siteinfo>{known}</siteinfo>", ((-2, "Medium"), (6, "Datei"), (14, "A & B"))),
        ('<siteinfo><namespaces><namespace key="6" /></namespaces></siteinfo>', ()),
        (f"<siteinfo></siteinfo>{known}", ()),
        ("<siteinfo><base>a</base></siteinfo>", ()),
        ("", ()),
    ):
        (tmp_path / "input").write_bytes(f"<mediawiki>{head}{page(1)}</mediawiki>".encode())
        assert check_input(expand_inputs(str(tmp_path / "input"))[0]).namespaces == names, head


def test_what_may_stand_before_the_root(tmp_path):
    declared = b'<?xml version="1.0" encoding="UTF-8"?>\n', b"<?xml version='1.0'?>"
    for head in b"", b"\xef\xbb\xbf", *declared, b"\n <!-- a <page> --> <?php ?> \n":
        assert check(tmp_path, head + GOOD) == "plain", head


def test_other_files_are_refused_by_name(tmp_path):
    doctype = b'<?xml version="1.0"?>\n<!-- x -->\n<!doctype mediawiki SYSTEM "file:///etc/passwd">'
    for content, message in (
        (GOOD.decode().encode("utf-16"), "UTF-8"),
        (GOOD.decode().encode("utf-16-le"), "UTF-8"),
        (b"\0" * 1000, "UTF-8"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>' + GOOD, "ISO-8859-1"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "not a MediaWiki export.*; it looks like HTML$"),
        (b'<!DOCTYPE lolz [<!ENTITY lol "lol">]>' + GOOD, "DOCTYPE"),
        (doctype + GOOD, "DOCTYPE"),
        (b'{"title": "A"}\n', "not a MediaWiki export.*; it looks like JSON Lines; did you mean --source jsonl\\?$"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a MediaWiki export"),
        (b"<mediawikis>", "not a MediaWiki export"),
        (b"PAR1", "not a MediaWiki export, but a Parquet file; "),
        (b"12:34:Title\n", "not a MediaWiki export"),
    ):
        for name, packed in ("a", content), ("b", bz2.compress(content)), ("c", gzip.compress(content)):
            with pytest.raises(SourceError, match=message) as caught:
                check(tmp_path, packed, name)
            assert str(tmp_path / name) in str(caught.value)


def test_a_bomb_of_zeros_is_refused_at_its_head(tmp_path):
    with pytest.raises(SourceError):
        check(tmp_path, bz2.compress(b"\0" * 10**7))


def test_a_file_cut_off_before_its_root_passes_for_the_reader_to_report(tmp_path):
    for content in GOOD[:5], GOOD[:1], b"<?xml versi", b'<?xml version="1.0"?>\n', b"<!-- a":
        assert check(tmp_path, content) == "plain", content
    for content in bz2.compress(GOOD)[:30], bz2.compress(GOOD)[:4]:
        assert check(tmp_path, content) == "bz2"
    assert check(tmp_path, gzip.compress(GOOD)[:12]) == "gzip"
