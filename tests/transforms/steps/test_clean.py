"""The Clean stage on Beam's own runner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that

from gistmill.core.manifest import CLEAN
from gistmill.core.options import PARSOID, WIKITEXT
from gistmill.core.records import Origin, RangeEnd, Reject
from gistmill.rules.documents import CleanDocument, CleanReason, RawDocument, ReadReason, Section
from gistmill.rules.wiki.balance import Caps
from gistmill.transforms.steps.clean import CleanConfig, CleanDocuments, Cleaner, clean_parts


def raw(text: str, *, name: str = "a", markup: str = "wikitext") -> RawDocument:
    return RawDocument(origin(name), text, markup)


def origin(name: str) -> Origin:
    place: dict[str, Any] = {"file": "dump.xml", "offset": 12, "range_key": "r0"}
    return Origin(f"wikipedia-{name}", "wikipedia", f"Title {name}", "7", "2020-01-01T00:00:00Z", **place)


@pytest.fixture(scope="module")
def cleaner() -> Iterator[Cleaner]:
    cleaner = Cleaner()
    yield cleaner
    cleaner.close()


def test_title_and_namespaces_of_a_page_reach_the_cleaning(cleaner: Cleaner) -> None:
    text = "[[Datei:A.pdf|mini|A bridge.]]{{PAGENAME}} is a town."
    found = cleaner.clean(RawDocument(origin("a"), text, "wikitext", ((6, "Datei"),)))
    assert found == CleanDocument(origin("a"), (Section("", 1, ("Title a is a town.",)),))


def test_every_kind_of_element() -> None:
    end, reject = RangeEnd("r0", 4), origin("z").reject(ReadReason.REDIRECT, "read")
    clean = CleanDocument(origin("a"), (Section("", 1, ("Ten 10 kilometres it was.",)),))
    elements = [
        raw("Ten {{convert|10|km|mi}} it was."),
        raw("Two lines\nof text.\n\nIt is [[not]]  markup.", name="b", markup="plain"),
        raw("* only a list", name="c"),
        raw("{{a|" * 8000, name="d"),
        raw("", name="e", markup="plain"),
        raw("x" * 300_000, name="f"),
        raw("{{a|" * 900 + "}}" * 900, name="g"),
        end,
        reject,
    ]
    refused = {
        "wikipedia-c": CleanReason.NO_PROSE,
        "wikipedia-d": CleanReason.TOO_MANY_OPENERS,
        "wikipedia-e": CleanReason.NO_PROSE,
        "wikipedia-f": ReadReason.TOO_LARGE,
        "wikipedia-g": CleanReason.TOO_DEEP,
    }

    def check(actual: list[object]) -> None:
        by_id = {getattr(e, "id", getattr(e, "range_key", "")): e for e in actual}
        assert len(by_id) == len(actual) == len(elements)
        assert [by_id[key] for key in ("wikipedia-a", "r0", "wikipedia-z")] == [clean, end, reject]
        plain = by_id["wikipedia-b"]
        assert isinstance(plain, CleanDocument)
        assert plain.sections == (Section("", 1, ("Two lines of text.", "It is [[not]] markup.")),)
        for key, reason in refused.items():
            found = by_id[key]
            assert isinstance(found, Reject) and found.origin == origin(key[-1])
            assert (found.reason, found.stage, found.unit, found.index) == (reason, "clean", "document", -1)

    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        assert_that(pipeline | beam.Create(elements) | beam.ParDo(CleanDocuments(caps=Caps(characters=200_000))), check)


def test_configuration_reaches_the_child() -> None:
    cleaner = Cleaner(CleanConfig(keep_lists=True))
    found = cleaner.clean(raw("* An item is a sentence."))
    cleaner.close()
    assert isinstance(found, CleanDocument) and found.sections[0].paragraphs == ("An item is a sentence.",)


@pytest.mark.slow
def test_deadline_and_death_become_rejects() -> None:
    slow = raw("{{convert|1|km}} " * 60_000)
    cleaner = Cleaner(CleanConfig(parse_deadline=0.2))
    found = cleaner.clean(slow)
    assert isinstance(found, Reject) and found.reason is CleanReason.DEADLINE and "twice" in found.detail
    assert isinstance(cleaner.clean(raw("The next page is fine.")), CleanDocument)
    cleaner.close()
    cleaner = Cleaner(memory_limit=96 << 20)
    found = cleaner.clean(slow)
    cleaner.close()
    assert isinstance(found, Reject) and found.reason is CleanReason.PARSER_DIED


def test_bad_options_and_unknown_markup() -> None:
    with pytest.raises(ValueError, match="deadline"):
        CleanDocuments(CleanConfig(parse_deadline=0))
    with pytest.raises(ValueError, match="rtf"):
        Cleaner().clean(raw("<p>x", markup="rtf"))


def test_only_of_wikitext_the_revision_tells_the_cleaned_form() -> None:
    assert clean_parts(CleanConfig(), frozenset({WIKITEXT})).keys() == {CLEAN}
    assert clean_parts(CleanConfig(), frozenset({PARSOID})) == {}


def test_pages_in_html_have_caps_of_their_own(cleaner: Cleaner) -> None:
    prose, rows = "<p>The otter swims well.</p>", "<table>" + "<tr><td>x</td></tr>" * 20_000
    texts = prose + rows, prose + "<td>" * 1_000_001, "<div>" * 10_000 + prose  # more tags than news may have
    found = [cleaner.clean(RawDocument(origin("1"), text, PARSOID)) for text in texts]
    assert isinstance(found[0], CleanDocument) and found[0].sections == (Section("", 1, ("The otter swims well.",)),)
    assert [e.reason for e in found[1:] if isinstance(e, Reject)] == [ReadReason.TOO_LARGE, CleanReason.TOO_DEEP]
