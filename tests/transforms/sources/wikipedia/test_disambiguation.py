import time

from gistmill.transforms.sources.wikipedia.export import is_disambiguation

MARKS = """
{{disambig}}
{{Disambiguation|geo|surname}}
'''X''' {{hndis|Smith, John}}
{{Hndis}}
{{geodis}}
{{Airport disambig}}
{{dab}}
{{Human_name_disambiguation}}
__DISAMBIG__
{{Template:Disambig}}
{{Letter–number combination disambiguation}}
<!-- end --> {{disambig}}
"""
OTHERS = """
[[Mercury]]{{disambiguation needed|date=May 2010}}
{{about|the planet}}
{{otheruses}}
{{Other uses}}
{{disambiguation needed}}
{{redirect|X|Y (disambiguation)}}
see [[Mercury (disambiguation)]]
{{surname}}
<!-- {{disambig}} -->
<nowiki>{{disambig}}</nowiki>
{disambig}
{{disambig
disambiguation
"""
FOREIGN = """
de | Merkur | {{Begriffsklärung}}
fr | Mercure | {{Homonymie}}
ja | EU | {{aimai}}
ru | Меркурий (значения) | * планета
zh | 水星 (消歧义) | * 行星
de | Mercury | {{disambig}}
uk | Ядро | __DISAMBIG__
"""


def test_templates_of_disambiguation_pages():
    for mark in [*MARKS.strip().splitlines(), "{{ disambiguation\n|geo}}"]:
        assert is_disambiguation("Mercury", f"Mercury may mean:\n* [[A]]\n{mark}\n"), mark


def test_articles_with_hatnotes_are_none():
    for text in [*OTHERS.strip().splitlines(), ""]:
        assert not is_disambiguation("Mercury", f"'''Mercury''' is a planet.\n{text}\n"), text
    hatnote = "{{Begriffsklärungshinweis}}\nDer Merkur ist ein Planet."
    assert not is_disambiguation("Merkur", hatnote, "de")


def test_the_signs_of_the_wiki_s_language_count_there_beside_the_english_ones():
    for line in FOREIGN.strip().splitlines():
        language, title, text = line.split(" | ")
        assert is_disambiguation(title, text, language), line
        marked = any(sign in text for sign in ("{{disambig}}", "__DISAMBIG__"))
        assert bool(is_disambiguation(title, text)) is marked, line


def test_the_title_tells_too():
    assert is_disambiguation("Mercury (disambiguation)", "text")
    assert not is_disambiguation("Disambiguation", "text")
    assert is_disambiguation("Merkur (Begriffsklärung)", "text", "de")
    assert not is_disambiguation("Begriffsklärung", "text", "de")


def test_hostile_text_costs_no_time():
    repeated = {"{{": 200_000, "{{ ": 200_000, "<nowiki>": 100_000, "<!--": 100_000, "{{template ": 50_000}
    for text in [*(part * times for part, times in repeated.items()), "{{" + " " * 500_000]:
        started = time.process_time()
        is_disambiguation("T", text)
        is_disambiguation("T", text + "{{dab}}")
        assert time.process_time() - started < 2, text[:20]
