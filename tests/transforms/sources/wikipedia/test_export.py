import dataclasses
from urllib.parse import parse_qs, unquote, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin, Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.wikipedia.addresses import base_of_dump, page_address
from gistmill.transforms.sources.wikipedia.export import parse_page
from gistmill.transforms.sources.wikipedia.pages import Page, WikipediaConfig
from tests.transforms.sources.wikipedia.exports import page

DEFAULT = WikipediaConfig()
PLACE = FileRange(key="k", file="dump.xml", path="dump.xml", kind="plain", start=0, end=9, size=9)


def parse(text, config=DEFAULT, place=PLACE, *, oversized=False):
    data = text.strip().encode() if isinstance(text, str) else text
    return parse_page(Page(data, 100, 5, end=0, closed=not oversized, oversized=oversized), place, config)


def test_a_page_becomes_a_document_with_its_lineage():
    text = "Text with <ref>x</ref> & é.\n\nMore."
    place = {"file": "dump.xml", "offset": 105, "range_key": "k"}
    origin = Origin("wikipedia-12", "wikipedia", "A & B", revision="9012", timestamp="2020-01-02T03:04:05Z", **place)
    assert parse(page(12, "A & B", text)) == RawDocument(origin, text, "wikitext")
    of_wiki = dataclasses.replace(PLACE, namespaces=((6, "Datei"),))
    assert parse(page(12, model="wikitext"), place=of_wiki).namespaces == ((6, "Datei"),)
    text = "a  b\n\n\n c\t<nowiki>&amp;</nowiki> {{x|&lt;}} ]]> \U0001f600 é\u0301 \u200e" + "word " * 50_000 + "."
    assert parse(page(1, text=text)).text == text


def test_a_page_of_a_known_wiki_has_the_address_of_its_revision():
    place = dataclasses.replace(PLACE, base="https://en.wikipedia.org/wiki/Main_Page")
    url = "https://en.wikipedia.org/wiki/A_%26_B?oldid=9012"
    assert parse(page(12, "A & B"), place=place).origin.metadata == Metadata(url=url)
    assert parse(page(12, "A & B", redirect="C"), place=place).origin.metadata == Metadata(url=url)
    untitled = parse("<page><id>1</id><revision><id>3</id><text>a</text></revision></page>", place=place)
    assert untitled.origin.metadata == Metadata()


def test_redirects_and_disambiguation_pages_are_known_in_the_language_of_the_wiki():
    for wiki, text, reason in (
        ("de", "#WEITERLEITUNG [[B]]", ReadReason.REDIRECT),
        ("tr", "#YÖNLENDİRME [[B]]", ReadReason.REDIRECT),
        ("ja", "＃転送 [[B]]", ReadReason.REDIRECT),
        ("ja", "#redirect [[B]]", ReadReason.REDIRECT),
        ("de", "{{Begriffsklärung}}", ReadReason.DISAMBIGUATION),
        ("en", "#WEITERLEITUNG [[B]]", None),
        ("de", "#Punkt [[B]]", None),
        ("de", "#[[B]]", None),
        ("", "#WEITERLEITUNG [[B]]", None),
    ):
        base = f"https://{wiki}.wikipedia.org/wiki/X" if wiki else ""
        found = parse(page(1, text=text), place=dataclasses.replace(PLACE, base=base))
        assert isinstance(found, RawDocument) if reason is None else found.reason is reason, (wiki, text)


DELETED = '<page><title>A</title><id>1</id><revision><id>3</id><text deleted="deleted" /></revision></page>'
REFUSED = [
    (page(1, redirect="B", text="#REDIRECT [[B]]"), ReadReason.REDIRECT),
    (page(1, text="#redirect: [[B]]"), ReadReason.REDIRECT),
    (page(1, text=""), ReadReason.EMPTY_PAGE),
    (page(1, text=" \n\t "), ReadReason.EMPTY_PAGE),
    ("<page><title>A</title><id>1</id></page>", ReadReason.EMPTY_PAGE),
    (DELETED, ReadReason.EMPTY_PAGE),
    (page(1, text="{{hndis}}"), ReadReason.DISAMBIGUATION),
    (page(1, "A.css", text="a { color: red }", model="css"), ReadReason.NOT_WIKITEXT),
    (page(1, text='{"type": "item"}', model="wikibase-item"), ReadReason.NOT_WIKITEXT),
    (page(1, text='{"flow-workflow": "x"}', model="flow-board", redirect="B"), ReadReason.NOT_WIKITEXT),
]


def test_refused_pages_keep_their_id():
    for text, reason in REFUSED:
        found = parse(text)
        assert isinstance(found, Reject)
        assert (found.id, found.reason, found.stage) == ("wikipedia-1", reason, "read"), text
        assert (found.unit, found.index) == ("document", -1)
        origin = found.origin
        assert origin.title and (origin.file, origin.offset, origin.range_key) == ("dump.xml", 105, "k")


BROKEN = {
    ReadReason.BAD_PAGE: [
        "<page></page>",
        "<page/>",
        "<page><id>1</id><revision><text>a</text></revision></page>",
        "<page><title>A</title><revision><id>1</id><text>a</text></revision></page>",
        "<page><title>A</title><id>one</id></page>",
        "<page><title>A</title><id>１</id></page>",
    ],
    ReadReason.BAD_XML: [
        "<page><title>A</title><id>1</id>",
        "<page><title>A<id>1</id></page>",
        *(f"<page>{text}</page>" for text in ("&lol;", "a & b", "&#0;", "\x0b")),
        *(b"<page><title>" + title + b"</title></page>" for title in (b"caf\xe9", b"\xed\xa0\x80", b"\xff\xfe")),
        '<page><!DOCTYPE a [<!ENTITY b "c">]>&b;</page>',
        "<page><title>A</title><id>1</id><x><![CDATA[<!DOCTYPE a>]]></x></page>",
        f"<page><{'x' * 1000}/></page>",
        "<page>" + "<a>" * 100_000,
        "<page>" + "<a>" * 100_000 + "</a>" * 100_000 + "</page>",
    ],
}


def test_broken_pages_are_named_by_file_and_offset():
    for reason, texts in BROKEN.items():
        for text in texts:
            found = parse(text)
            assert isinstance(found, Reject) and (found.id, found.reason) == ("dump.xml#105", reason), text[:80]
            assert "\n" not in found.detail and len(found.detail) <= 200


def test_the_offset_in_a_multistream_file_names_the_stream_and_the_place_in_it():
    place = FileRange(key="k", file="d.bz2", path="d.bz2", kind="bz2", start=0, end=9, size=9)
    found = parse("<page/>", place=place)
    assert (found.id, found.origin.offset) == ("d.bz2#100+5", 100)


def test_of_several_revisions_the_last_counts():
    text = page(1, text="old").replace("</revision>", "</revision><revision><id>5</id><text>new</text></revision>")
    found = parse(text)
    assert (found.text, found.origin.revision, found.origin.timestamp) == ("new", "5", "")


def test_only_the_main_slot_of_version_0_11_counts():
    extra = "<content><role>other</role><text>slot</text></content></revision>"
    assert parse(page(1).replace("</revision>", extra)).text == "Some prose."


def test_wanted_namespaces_are_an_option():
    config = WikipediaConfig(namespaces=(0, 1, 100))
    assert isinstance(parse(page(1, "Talk:A", ns=1), config), RawDocument)
    assert isinstance(parse(page(1, "Portal:A", ns=None), config), RawDocument)
    assert parse(page(1, "User:A", ns=2), config) is None
    assert isinstance(parse(page(1, "Star Trek: Voyager", ns=None)), RawDocument)


def test_an_oversized_page_is_named_by_its_id_if_that_can_be_read():
    found = parse(page(7)[:120], oversized=True)
    assert (found.id, found.reason, found.origin.title) == ("wikipedia-7", ReadReason.TOO_LARGE, "Page 7")
    assert parse("<page><title>A", oversized=True).id == "dump.xml#105"


def test_a_page_of_another_namespace_is_neither_a_document_nor_a_reject():
    talk = page(12, "Talk:A", ns=3)
    for text in (
        page(12, "Talk:A & B", "text", ns=1),
        page(7, 'Talk:\u00e9 "x" <y>', "text", ns=1, redirect="B"),
        page(12, "Talk:A", ns=-1),
        talk.replace("Talk:A", "Talk:A&#039;s"),
        talk.replace("Talk:A", " Talk:A&quot;&apos; "),
        talk.replace("<page>", '<page id="1">'),
        talk.replace("<title>", "<title> \n "),
        talk.replace(">12<", ">0012<"),
        talk.replace("<ns>3</ns>", "<ns>003</ns>"),
        page(1, "Talk:A", ns=None),
        page(1, "Talk:A", ns=1, model="css"),
        "<page><title>A</title><id>1</id><ns>x</ns><revision><text>a</text></revision></page>",
    ):
        assert parse(text) is None, text
        assert parse(text.replace("<ns>", "<ns >")) is None, text  # not as exports write it: the whole page is parsed


def test_the_text_of_a_page_of_another_namespace_is_not_parsed():
    broken = page(12, "Talk:A", ns=1).replace("</text>", "<b></text>")
    assert parse(broken) is None
    assert parse(broken.replace("<ns>1</ns>", "<ns>0</ns>")).reason is ReadReason.BAD_XML
    assert isinstance(parse(page(12, "Talk:A", ns=1), WikipediaConfig(namespaces=(0, 1))), RawDocument)


def test_a_page_of_another_namespace_that_is_too_large_is_told_so():
    assert parse(page(12, "Talk:A", ns=1)[:200], oversized=True).reason is ReadReason.TOO_LARGE


def test_a_page_of_schema_0_11_is_read():
    text = (
        "<page>\n    <title>A</title>\n    <ns>0</ns>\n    <id>12</id>\n    <revision>\n      <id>9012</id>\n"
        "      <parentid>3</parentid>\n      <timestamp>2026-08-31T03:04:05Z</timestamp>\n"
        '      <contributor deleted="deleted" />\n      <comment deleted="deleted" />\n      <origin>9012</origin>\n'
        "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        '      <text bytes="5" sha1="x" xml:space="preserve">Text.</text>\n      <content>\n        <role>x</role>\n'
        "        <origin>1</origin>\n        <model>json</model>\n        <format>application/json</format>\n"
        '        <text bytes="2" sha1="x" xml:space="preserve">{}</text>\n      </content>\n      <sha1>x</sha1>\n'
        "    </revision>\n  </page>"
    )
    found = parse(text)
    assert (found.text, found.origin.id, found.origin.revision) == ("Text.", "wikipedia-12", "9012")
    assert found.origin.timestamp == "2026-08-31T03:04:05Z"
    assert parse(text.replace("0</ns>", "1</ns>")) is None


BASE = "https://en.wikipedia.org/wiki/Main_Page"


ADDRESSES = [
    (BASE, "Anarchism", "717941405", "https://en.wikipedia.org/wiki/Anarchism?oldid=717941405"),
    ("http://de.wikipedia.org/wiki/Wikipedia:Hauptseite", "Aal", "7", "http://de.wikipedia.org/wiki/Aal?oldid=7"),
    (BASE, "A Serious Man", "7", "https://en.wikipedia.org/wiki/A_Serious_Man?oldid=7"),
    (BASE, "AC/DC", "7", "https://en.wikipedia.org/wiki/AC/DC?oldid=7"),
    (BASE, "Who's Afraid? (film)", "7", "https://en.wikipedia.org/wiki/Who%27s_Afraid%3F_(film)?oldid=7"),
    (BASE, "R&B", "7", "https://en.wikipedia.org/wiki/R%26B?oldid=7"),
    (BASE, "C+ #1 100%", "7", "https://en.wikipedia.org/wiki/C%2B_%231_100%25?oldid=7"),
    (BASE, "Łódź", "7", "https://en.wikipedia.org/wiki/%C5%81%C3%B3d%C5%BA?oldid=7"),
    ("https://a.org/w/index.php?title=Main_Page", "Aal", "7", "https://a.org/w/index.php?title=Aal&oldid=7"),
    ("https://a.org/w/index.php/Main_Page", "Aal", "7", "https://a.org/w/index.php/Aal?oldid=7"),
    (BASE, "Aal", "", "https://en.wikipedia.org/wiki/Aal"),
    (BASE, "Aal", "x", "https://en.wikipedia.org/wiki/Aal"),
]


def test_the_address_of_a_revision_is_as_mediawiki_writes_it():
    for base, title, revision, address in ADDRESSES:
        assert page_address(base, title, revision) == address


def test_what_is_not_an_address_of_a_wiki_gives_none():
    scheme, host = ("", "Main_Page", "javascript:alert(1)"), ("https://", "https://[/x", "https://a b.org/x")
    for base in (*scheme, *host, "https://a.org/\n"):
        assert page_address(base, "Aal", "7") == "", base
    assert page_address(BASE, "", "7") == ""


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(0, 2**40).map(str))
def test_title_and_revision_can_be_read_out_of_every_address(title, revision):
    parts = urlsplit(page_address(BASE, title, revision))
    assert unquote(parts.path) == "/wiki/" + title.replace(" ", "_")
    assert parse_qs(parts.query) == {"oldid": [revision]}


def test_the_name_of_a_dump_may_name_the_wiki():
    assert base_of_dump("enwiki-latest-pages-articles1.xml.bz2") == "https://en.wikipedia.org/wiki/"
    assert page_address(base_of_dump("zh_min_nanwiki-20260901.xml"), "A", "7") == (
        "https://zh-min-nan.wikipedia.org/wiki/A?oldid=7"
    )
    assert base_of_dump("small.xml") == ""
