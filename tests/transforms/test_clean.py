"""The Clean stage on Beam's own runner."""
from __future__ import annotations

from collections.abc import Callable

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that

from rules.records import CleanDocument, RangeEnd, RawDocument, Reject, Section
from rules.text.caps import Caps
from rules.text.wikitext import CleaningConfig
from rules.verdict import Reason
from transforms.clean import CleanDocuments, Cleaner


def raw(text: str, *, name: str = "a", markup: str = "wikitext") -> RawDocument:
    return RawDocument(
        id=f"wikipedia-{name}", source="wikipedia", title=f"Title {name}", text=text, markup=markup,
        revision="7", timestamp="2020-01-01T00:00:00Z", file="dump.xml", offset=12, range_key="r0",
    )


def run(elements: list[object], *, expected: dict[str, Callable[[object], None]], **options: object) -> None:
    """Runs the stage on the in-process runner and applies a check, by id, to every element that comes out."""

    def check(actual: list[object]) -> None:
        by_id = {getattr(e, "id", getattr(e, "range_key", "")): e for e in actual}
        assert len(by_id) == len(actual) == len(elements)
        for key, test in expected.items():
            test(by_id[key])

    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        assert_that(pipeline | beam.Create(elements) | CleanDocuments(**options), check)


def test_every_kind_of_element() -> None:
    end, reject = RangeEnd("r0", 4), Reject("wikipedia-z", Reason.REDIRECT, "read")

    def is_clean(e: object) -> None:
        assert e == CleanDocument(
            id="wikipedia-a", source="wikipedia", title="Title a",
            sections=(Section("", 1, ("Ten 10 kilometres it was.",)),), revision="7",
            timestamp="2020-01-01T00:00:00Z", file="dump.xml", offset=12, range_key="r0",
        )

    def is_plain(e: object) -> None:
        assert isinstance(e, CleanDocument)
        assert e.sections == (Section("", 1, ("Two lines of text.", "It is [[not]] markup.")),)

    def is_refused(reason: Reason) -> Callable[[object], None]:
        def check(e: object) -> None:
            assert isinstance(e, Reject)
            assert (e.reason, e.stage, e.unit, e.index) == (reason, "clean", "document", -1)
            assert (e.title, e.file, e.offset, e.range_key) == (f"Title {e.id[-1]}", "dump.xml", 12, "r0")

        return check

    def same(expected: object) -> Callable[[object], None]:
        def check(e: object) -> None:
            assert e == expected

        return check

    run(
        [
            raw("Ten {{convert|10|km|mi}} it was."),
            raw("Two lines\nof text.\n\nIt is [[not]]  markup.", name="b", markup="plain"),
            raw("* only a list", name="c"), raw("{{a|" * 8000, name="d"), raw("", name="e", markup="plain"),
            raw("x" * 300_000, name="f"),
            raw("{{a|" * 900 + "}}" * 900, name="g"), end, reject,
        ],
        caps=Caps(characters=200_000),
        expected={
            "wikipedia-a": is_clean, "wikipedia-b": is_plain, "wikipedia-c": is_refused(Reason.NO_PROSE),
            "wikipedia-d": is_refused(Reason.TOO_MANY_OPENERS), "wikipedia-e": is_refused(Reason.NO_PROSE),
            "r0": same(end), "wikipedia-z": same(reject),
            "wikipedia-f": is_refused(Reason.TOO_LARGE), "wikipedia-g": is_refused(Reason.TOO_DEEP),
        },
    )


def test_configuration_reaches_the_child() -> None:
    cleaner = Cleaner(config=CleaningConfig(keep_lists=True))
    found = cleaner.clean(raw("* An item is a sentence."))
    cleaner.close()
    assert isinstance(found, CleanDocument) and found.sections[0].paragraphs == ("An item is a sentence.",)


def test_deadline_and_death_become_rejects() -> None:
    slow = raw("{{convert|1|km}} " * 60_000)
    cleaner = Cleaner(deadline_s=0.2)
    found = cleaner.clean(slow)
    assert isinstance(found, Reject) and found.reason is Reason.DEADLINE and "twice" in found.detail
    assert isinstance(cleaner.clean(raw("The next page is fine.")), CleanDocument)
    cleaner.close()
    cleaner = Cleaner(memory_limit=96 << 20)
    found = cleaner.clean(slow)
    cleaner.close()
    assert isinstance(found, Reject) and found.reason is Reason.PARSER_DIED


def test_bad_options_and_unknown_markup() -> None:
    with pytest.raises(ValueError, match="deadline"):
        CleanDocuments(deadline_s=0)
    with pytest.raises(ValueError, match="rtf"):
        Cleaner().clean(raw("<p>x", markup="rtf"))
