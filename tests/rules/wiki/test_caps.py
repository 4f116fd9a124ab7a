"""Caps decide at once on hostile pages."""

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.documents import CleanReason, ReadReason
from gistmill.rules.wiki.balance import Caps, _is_surely_within, _measure, check_caps
from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.parsoid import clean_parsoid
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.cases import by_heading

CASES = by_heading(__file__)

OPENERS = ["{{a|", "<ref name=", "[http://a ", "{|", "[[a|", "<b>", "<!--", "{{a|[[b|<b>", "{{{"]


def test_openers_without_end_are_rejected_in_linear_time() -> None:
    for opener in OPENERS:
        for times in (8_000, 100_000):
            started = time.process_time()
            verdict = check_caps(opener * times)
            assert verdict.reason is CleanReason.TOO_MANY_OPENERS, (opener, times)
            assert time.process_time() - started < 5, (opener, times)


def test_deep_nests_are_rejected() -> None:
    for opener, closer in (("{{a|", "}}"), ("[[a|", "]]"), ("<b>", "</b>"), ("{|", "|}"), ("{{a|[[b|", "]]}}")):
        for times in (8_000, 100_000):
            text = opener * times + closer * times
            assert check_caps(text, Caps(characters=len(text))).reason is CleanReason.TOO_DEEP, opener
        assert check_caps(opener * 20 + closer * 20).accepted, opener


def test_a_text_of_too_many_characters_is_rejected_and_caps_must_be_positive() -> None:
    verdict = check_caps("x" * 11, Caps(characters=10))
    assert verdict.reason is ReadReason.TOO_LARGE and "11" in verdict.detail
    assert check_caps("x" * 10, Caps(characters=10)).accepted
    with pytest.raises(ValueError, match="openers"):
        Caps(openers=0)


def test_honest_markup_passes() -> None:
    for piece in (
        "{{a}}",
        "[[a|b]]",
        "<ref name=x /><ref>y</ref>",
        "<br>",
        "a < b and c > d ",
        "{|\n|}\n",
        "[http://a b]",
    ):
        assert check_caps(piece * 3000).accepted, piece
    for piece in ("", "}}", "]]", "* [not a link] {single}\n"):
        assert check_caps(piece * 5000).accepted, piece


def test_links_inside_of_links_are_counted_by_the_fast_form() -> None:
    far = "x" * 5000 + "\n"  # counted apart
    for between in ("", far):
        assert check_caps("[[" * 400 + between + "[http://x " * 400).reason is CleanReason.TOO_DEEP
        assert check_caps("[http://x " * 400 + between + "[[" * 400).reason is CleanReason.TOO_DEEP


@given(st.lists(st.sampled_from([*OPENERS, "}}", "]]", "]", "|}", "</b>", "-->", "<br>", "\n", "x"]), max_size=60))
def test_what_the_fast_form_accepts_is_within_the_caps(pieces: list[str]) -> None:
    text = "".join(pieces)
    for limit in range(1, 30, 4):
        caps = Caps(openers=limit, depth=limit)
        if _is_surely_within(text, caps):
            unclosed, deepest = _measure(text)
            assert max(unclosed.values()) <= limit
            assert deepest <= limit


MILLION = 1_000_000


@pytest.mark.slow
def test_a_million_templates_are_cleaned_in_linear_time_and_memory() -> None:
    text = "{{a}}" * MILLION
    assert check_caps(text).reason is ReadReason.TOO_LARGE
    started = time.process_time()
    assert check_caps(text, Caps(characters=len(text))).accepted
    assert clean_wikitext(text) == ()
    assert time.process_time() - started < 120
    peaks = []
    for times in (2_000, 4_000):
        tracemalloc.start()
        clean_wikitext("{{a}} {{cn}} {{cite|x}} {{HMS|a}} " * times)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 3 * peaks[0]


# Pages of repeated pieces take time linear in their length; before, most of these were quadratic, and one crashed.


N = 100_000
SECONDS = 20  # alone each takes one at most


@pytest.mark.slow
def test_a_page_of_wikitext_takes_linear_time() -> None:
    for language in ("", "zh"):
        for before, piece, after in CASES["pages"]:
            started = time.process_time()
            clean_wikitext(before + piece * (N // len(piece)) + after, page=Page.of("", (), language))
            assert time.process_time() - started < SECONDS, (language, before, piece)


def test_a_page_of_html_takes_linear_time() -> None:
    for piece in (" ", "\n", "\n ", "<br>"):
        started = time.process_time()
        clean_parsoid((f"<p>a\n{piece * N}b c d.</p>", Page()))
        assert time.process_time() - started < SECONDS, piece
