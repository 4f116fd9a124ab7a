"""Pages of repeated pieces take time linear in their length; before, most of these were quadratic, and one crashed."""

from __future__ import annotations

import time

import pytest

from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.parsoid import clean_parsoid
from gistmill.rules.wiki.wikitext import clean_wikitext

N = 100_000
SECONDS = 20  # alone each takes one at most
PAGES = {
    "holes": "a" + "{{cn}}" * (N // 2) + "x b c d.",
    "a word beside pronunciation": "{{IPA|x}} " + "a" * N + " b c d.",
    "spaces beside a break": "{{x}} a" + " " * N + "b<br>C.",
    "spaces after a comma": "a ," + " " * N + "b c d.",
    "commas": "a ," + "," * N + "x b c d.",
    "commas in brackets": "a (b" + " ," * N + "x b) c d.",
    "spaces in brackets": "(a {{x}}" + " " * N + "b {{cn}}) c d.",
    "a raw heading": "==a" + " " * N + "b c d",
    "signs of a heading": "== a " + "= " * N + "b",
    "a bold line": "'''a'''" + " " * N + "x",
    "flags of variants": "a -{" + " " * N + "b}- c.",
    "variants": "a -{zh:b;" + " " * N + "c}- d.",
    "a title": "[[a" + " " * N + "(|]] b c.",
    "an address": "see http://a" + "." * N + "x b c.",
    "wide commas": "甲，" + "，" * N + "x。",
    "boxes": "{{x}} " * (N // 6) + "x a b c.",
    "digits": "{{convert|" + "1" * N + "x|km}} {{formatnum:" + "1" * N + "e5}}",
    "numbers": "{{convert|" + "1," * N + "+|km}}",
    "a name": "{{" + "a " * N + "}} b c d.",
    "sources": "a. " + "{{cite|x}} " * (N // 10) + "b",
    "articles": "the {{cn}} " * (N // 10),
}


@pytest.mark.slow
def test_a_page_of_wikitext_takes_linear_time() -> None:
    for language in ("", "zh"):
        for name in PAGES:
            started = time.process_time()
            clean_wikitext(PAGES[name], page=Page.of("", (), language))
            assert time.process_time() - started < SECONDS, (language, name)


def test_a_page_of_html_takes_linear_time() -> None:
    for piece in (" ", "\n", "\n ", "<br>"):
        started = time.process_time()
        clean_parsoid(f"<p>a\n{piece * N}b c d.</p>")
        assert time.process_time() - started < SECONDS, piece
