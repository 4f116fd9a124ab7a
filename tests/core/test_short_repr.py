"""``repr``s of records that hold whole documents: short, whatever they hold."""

from dataclasses import dataclass

import pytest

import gistmill
from gistmill.core.manifest import Manifest
from gistmill.core.records import Origin, Outcome, Pair, Row
from gistmill.core.statistics import Statistics
from gistmill.core.text_output import short_repr
from gistmill.rules.documents import AnnotatedDocument, RawDocument
from tests.manifests import made_manifest

TEXT = "The bridge of the town was opened by its mayor. " * 1_000
ORIGIN = Origin(id="t1", source="jsonl", title=TEXT)


@dataclass(frozen=True)
class Record:
    name: str
    values: tuple[int, ...] = ()

    __repr__ = short_repr


def test_what_is_short_is_shown_whole():
    assert repr(Record("x", (1, 2))) == "Record(name='x', values=(1, 2))"
    assert repr(Record("x", tuple(range(9)))) == "Record(name='x', values=(0, 1, 2, ...))"


@pytest.mark.parametrize(
    "record",
    [
        made_manifest(),
        Statistics(counts={f"rows/{n}": {"train": n} for n in range(99)}, distributions={}),
        RawDocument(ORIGIN, TEXT, "plain"),
        gistmill.recipes.clean(TEXT),
        AnnotatedDocument(ORIGIN, ()),
        Row("default", "r1", {f"column{n}": TEXT for n in range(30)}),
        Pair(ORIGIN, TEXT, TEXT, {"inputs": TEXT}, "train"),
        Outcome(ORIGIN, rows=(Row("default", "r1", {"inputs": TEXT}),) * 99),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_record_is_a_few_lines(record):
    assert repr(record).startswith(f"{type(record).__name__}(") and repr(record).endswith(")")
    assert len(repr(record)) < 300 and "\n" not in repr(record)


def test_a_manifest_begins_with_its_recipe():
    assert repr(made_manifest()).startswith(f"{Manifest.__name__}(recipe='")
