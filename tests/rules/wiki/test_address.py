from rules.wiki.address import page_address


def test_the_address_of_a_revision():
    assert page_address("enwiki-latest-pages-articles1.xml.bz2", "717941405") == (
        "https://en.wikipedia.org/?oldid=717941405"
    )
    assert page_address("zh_min_nanwiki-20260901.xml", "7") == "https://zh-min-nan.wikipedia.org/?oldid=7"


def test_what_names_no_wiki_or_revision_has_none():
    assert page_address("small.xml", "7") == page_address("enwiki-1.xml", "") == page_address("enwiki-1", "x") == ""
