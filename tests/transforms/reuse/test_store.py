"""Look-up by id in the shards of a dataset of annotations."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.core.records import Origin
from gistmill.core.statistics import ConfigSchema
from gistmill.rules.annotated import COLUMNS, DIGESTS, to_values
from gistmill.rules.documents import AnnotatedDocument, Sentence, Token
from gistmill.transforms.reuse import CACHED_GROUPS, AnnotatedStore, StoreError, StoreReader
from gistmill.transforms.sinks.formats import arrow_schema

SCHEMA = arrow_schema(ConfigSchema(name="default", columns=COLUMNS))


def made(number, **changes):
    fields = {"sentences": (Sentence((Token("Go", False, "VB", "VERB", "ROOT", 0, "go"),)),), "paragraph_digests": (1,)}
    return AnnotatedDocument(Origin(f"wikipedia-{number}", "wikipedia", revision="7"), **fields | changes)


def write(path, documents, *, per_group=3, **options):
    rows = sorted(map(to_values, documents), key=lambda row: row["id"])
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path, row_group_size=per_group, **options)
    return str(path)


def reader(*splits):
    return StoreReader(AnnotatedStore(splits=splits, cleaning=True, coreference=True))


def found(store, numbers):
    return {d.id for d in store.find(sorted(f"wikipedia-{n}" for n in numbers))}


@pytest.fixture(scope="module")
def splits(tmp_path_factory):
    """Ids 0 to 199 but for every fifth, in two splits, of which one has four shards."""
    folder = tmp_path_factory.mktemp("store")
    there = sorted((n for n in range(200) if n % 5), key=str)
    train, test = [n for n in there if n % 7], [n for n in there if n % 7 == 0]
    shards = [train[begin : begin + 40] for begin in range(0, len(train), 40)]
    return (
        tuple(write(folder / f"train-{i}.parquet", map(made, shard)) for i, shard in enumerate(shards)),
        (write(folder / "test-0.parquet", map(made, test)),),
    )


@settings(max_examples=25)
@given(st.lists(st.sets(st.integers(0, 250), max_size=30), max_size=3))
def test_what_is_there_is_found_once_whatever_was_asked_before(splits, batches):
    store = reader(*splits)
    for numbers in batches:
        ids = [d.id for d in store.find(sorted(f"wikipedia-{n}" for n in numbers))]
        assert sorted(ids) == sorted(f"wikipedia-{n}" for n in numbers if n < 200 and n % 5)


def test_documents_come_back_whole(splits):
    assert next(reader(*splits).find(["wikipedia-11"])) == made(11)


def test_few_row_groups_are_held(splits):
    store = reader(*splits)
    assert len(found(store, range(200))) == 160
    assert len(store._tables) == CACHED_GROUPS


def test_row_groups_without_a_wanted_id_are_not_decoded(splits, monkeypatch):
    read = []
    whole = pq.ParquetFile.read_row_group
    monkeypatch.setattr(
        pq.ParquetFile,
        "read_row_group",
        lambda self, group, **options: read.append(group) or whole(self, group, **options),
    )
    assert found(reader(*splits), [11, 12]) == {"wikipedia-11", "wikipedia-12"}
    assert len(read) <= 3  # of 54


def test_files_without_statistics_are_read_too(tmp_path):
    path = write(tmp_path / "a.parquet", map(made, range(9)), write_statistics=False)
    assert found(reader((path,)), [3, 5, 12]) == {"wikipedia-3", "wikipedia-5"}


def test_a_file_that_cannot_be_read_and_a_row_that_does_not_fit_are_named(tmp_path):
    path = tmp_path / "a.parquet"
    write(path, map(made, range(9)))
    path.write_bytes(path.read_bytes()[:-50])
    for name in "a", "missing":
        with pytest.raises(StoreError, match=f"{name}.parquet cannot be read"):
            found(reader((str(tmp_path / f"{name}.parquet"),)), [3])
    pq.write_table(pa.Table.from_pylist([to_values(made(1)) | {"sentence_length": [5]}], schema=SCHEMA), path)
    with pytest.raises(StoreError, match="'wikipedia-1' does not contain valid annotations"):
        found(reader((str(path),)), [1])
    write(path, [made(1, paragraph_digests=())])
    with pytest.raises(StoreError, match="lacks paragraph hashes"):
        found(reader((str(path),)), [1])


def test_the_column_of_hashes_is_of_the_schema():
    assert SCHEMA.field(DIGESTS).type == pa.list_(pa.int64())
