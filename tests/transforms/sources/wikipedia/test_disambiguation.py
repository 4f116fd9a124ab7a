import time

import pytest

from gistmill.transforms.sources.wikipedia.disambiguation import is_disambiguation


@pytest.mark.parametrize(
    "text",
    [
        "{{disambig}}",
        "{{Disambiguation|geo|surname}}",
        "'''X'''\n{{hndis|Smith, John}}",
        "{{Hndis}}",
        "{{geodis}}",
        "{{Airport disambig}}",
        "{{dab}}",
        "{{ disambiguation\n|geo}}",
        "{{Human_name_disambiguation}}",
        "__DISAMBIG__",
        "{{Template:Disambig}}",
        "{{Letter–number combination disambiguation}}",
        "<!-- end --> {{disambig}}",
    ],
)
def test_templates_of_disambiguation_pages(text):
    assert is_disambiguation("Mercury", f"Mercury may mean:\n* [[A]]\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "[[Mercury]]{{disambiguation needed|date=May 2010}}",
        "{{about|the planet}}",
        "{{otheruses}}",
        "{{Other uses}}",
        "{{disambiguation needed}}",
        "{{redirect|X|Y (disambiguation)}}",
        "see [[Mercury (disambiguation)]]",
        "{{surname}}",
        "<!-- {{disambig}} -->",
        "<nowiki>{{disambig}}</nowiki>",
        "{disambig}",
        "{{disambig",
        "disambiguation",
        "",
    ],
)
def test_articles_with_hatnotes_are_none(text):
    assert not is_disambiguation("Mercury", f"'''Mercury''' is a planet.\n{text}\n")


@pytest.mark.parametrize(
    ("language", "title", "text"),
    [
        ("de", "Merkur", "* ein Planet\n{{Begriffsklärung}}"),
        ("fr", "Mercure", "{{Homonymie}}"),
        ("ja", "EU", "* 欧州連合\n{{aimai}}"),
        ("ru", "Меркурий (значения)", "* планета"),
        ("zh", "水星 (消歧义)", "* 行星"),
        ("de", "Mercury", "{{disambig}}"),
        ("uk", "Ядро", "__DISAMBIG__"),
    ],
)
def test_the_signs_of_the_wiki_s_language_count_there_beside_the_english_ones(language, title, text):
    assert is_disambiguation(title, text, language)
    marked = any(sign in title + text for sign in ("{{disambig}}", "__DISAMBIG__"))
    assert bool(is_disambiguation(title, text)) is marked


def test_a_hatnote_of_another_language_is_no_sign():
    assert not is_disambiguation("Merkur", "{{Begriffsklärungshinweis}}\nDer Merkur ist ein Planet.", "de")


def test_the_title_tells_too():
    assert is_disambiguation("Mercury (disambiguation)", "text")
    assert not is_disambiguation("Disambiguation", "text")
    assert is_disambiguation("Merkur (Begriffsklärung)", "text", "de")
    assert not is_disambiguation("Begriffsklärung", "text", "de")


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 200_000,
        "{{ " * 200_000,
        "<nowiki>" * 100_000 + "{{dab}}",
        "{{" + " " * 500_000,
        "<!--" * 100_000 + "{{dab}}",
        "{{template " * 50_000,
    ],
)
def test_hostile_text_costs_no_time(text):
    started = time.process_time()
    is_disambiguation("T", text)
    assert time.process_time() - started < 1
