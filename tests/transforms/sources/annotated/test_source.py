"""Source ``annotated``: what the sinks wrote comes back, in ranges of row groups."""

import dataclasses

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gistmill.core.manifest import ModelEntry
from gistmill.core.records import Metadata, Origin, RangeEnd
from gistmill.core.statistics import ConfigSchema
from gistmill.rules.annotated import COLUMNS, to_values
from gistmill.rules.documents import AnnotatedDocument, Mention, Sentence, Token
from gistmill.transforms.sinks.formats import arrow_schema
from gistmill.transforms.sources.annotated import AnnotatedSource, annotated_inputs, plan_file, read_range
from gistmill.transforms.sources.base import Provenance, SourceConfig
from gistmill.transforms.sources.files.ranges import SourceError
from tests.manifests import made_manifest, shard, write_manifest


def made(number):
    tokens = (Token("He", True, "PRP", "PRON", "nsubj", 1, "he"), Token("ran", False, "VBD", "VERB", "ROOT", 1, "run"))
    mention = Mention(0, 0, 1, 0, "pronoun", 0.5)
    place = {"file": "dump.xml", "offset": number, "metadata": Metadata(url=f"https://a.org/{number}", record="r")}
    origin = Origin(f"wikipedia-{number}", "wikipedia", f"T{number}", "7", "2020-01-01T00:00:00Z", **place)
    return AnnotatedDocument(origin, (Sentence(tokens),), ((mention, mention),), ("",))


def write(path, numbers, *, per_group=3):
    schema = arrow_schema(ConfigSchema(name="default", columns=COLUMNS))
    table = pa.Table.from_pylist([to_values(made(n)) for n in numbers], schema=schema)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, row_group_size=per_group)
    return path


def documents(pieces):
    return [e for piece in pieces for e in read_range(piece, SourceConfig())]


def test_documents_come_back_by_row_group(tmp_path):
    (file,) = annotated_inputs([str(write(tmp_path / "a.parquet", range(7)))])
    pieces, source, _ = plan_file(file, SourceConfig())
    assert len(pieces) == len({p.key for p in pieces}) == 3 and source.kind == "annotated"
    assert source.size == (tmp_path / "a.parquet").stat().st_size
    read = documents(pieces)
    assert [e.documents for e in read if isinstance(e, RangeEnd)] == [3, 3, 1]
    found = [e for e in read if isinstance(e, AnnotatedDocument)]
    assert [d.id for d in found] == [f"wikipedia-{n}" for n in range(7)]
    assert found[2].sentences == made(2).sentences and found[2].clusters == made(2).clusters
    origin = dataclasses.replace(made(4).origin, range_key=pieces[1].key)
    assert found[4] == dataclasses.replace(made(4), origin=origin)


def test_a_limit_takes_the_first(tmp_path):
    (file,) = annotated_inputs([str(write(tmp_path / "a.parquet", range(7)))])
    for limit, sizes in (1, [1]), (3, [3]), (5, [3, 2]), (99, [3, 3, 1]):
        pieces, _, taken = plan_file(file, SourceConfig(), limit=limit)
        assert taken == sum(sizes)
        read = documents(pieces)
        assert [e.documents for e in read if isinstance(e, RangeEnd)] == sizes
        ids = [e.id for e in read if isinstance(e, AnnotatedDocument)]
        assert ids == [f"wikipedia-{n}" for n in range(sum(sizes))]


def dataset(folder, recipe="annotate"):
    rows = {"default/parquet/train-00000-of-00001.parquet": [1, 2], "default/parquet/test-00000-of-00001.parquet": [3]}
    for path, numbers in rows.items():
        write(folder / path, numbers)
    files = tuple(shard(folder, path, rows=len(numbers)) for path, numbers in rows.items())
    write_manifest(folder, made_manifest(recipe=recipe, models=(ModelEntry(name="m"),), files=files))
    return str(folder)


def test_a_dataset_folder_stands_for_its_files(tmp_path):
    first, second = dataset(tmp_path / "one"), dataset(tmp_path / "two")
    assert len(annotated_inputs([first])) == 2
    assert len(annotated_inputs([f"{first},{second}"])) == len(annotated_inputs([first, second])) == 4
    assert AnnotatedSource.provenance([first, second]).models == [{"name": "m"}]
    assert AnnotatedSource.provenance([f"{first}/default/parquet/*.parquet"]).models == []


def test_what_is_not_a_dataset_of_annotations_is_refused(tmp_path):
    with pytest.raises(ValueError, match="is a dataset made by 'discofuse'"):
        annotated_inputs([dataset(tmp_path / "d", "discofuse")])
    write_manifest(tmp_path, made_manifest(recipe="annotate"))
    with pytest.raises(ValueError, match=f"^{tmp_path} contains no rows in Parquet files$"):
        annotated_inputs([str(tmp_path)])
    with pytest.raises(ValueError, match="no input file matches"):
        annotated_inputs([str(tmp_path / "nothing")])


def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path):
    folder = dataset(tmp_path / "d")
    for content in "{", "{}", '{"manifest_version": 99}':
        (tmp_path / "d" / "manifest.json").write_text(content)
        for reads in (annotated_inputs, AnnotatedSource.provenance):
            with pytest.raises(ValueError, match=rf"^{folder}(/manifest\.json)?( is not JSON)?: [^\n]+$"):
                reads([folder])


def test_licence_and_attribution_are_those_of_the_datasets(tmp_path):
    for name, licence in (("one", "cc-by-sa-4.0"), ("two", "cc-by-sa-4.0"), ("three", "other")):
        dataset(tmp_path / name)
        write_manifest(tmp_path / name, made_manifest(recipe="annotate", licence=licence, attribution=f"From {name}."))
    one, two, three = (str(tmp_path / name) for name in ("one", "two", "three"))
    known = AnnotatedSource.provenance([one, two])
    assert (known.licence, known.attribution) == ("cc-by-sa-4.0", "From one.\n\nFrom two.")
    assert AnnotatedSource.provenance([one, three]).licence == "other"
    assert AnnotatedSource.provenance([f"{one}/default/parquet/*.parquet"]) == Provenance("", "", [], [], [])


def test_a_wrong_file_is_refused(tmp_path):
    pq.write_table(pa.table({"id": ["a"]}), tmp_path / "other.parquet")
    for content, message in (
        (b"not parquet at all", "is not a Parquet file: it looks like plain text$"),
        (b"PAR1 and no more", "is not a Parquet file: (?!it looks)"),
        ((tmp_path / "other.parquet").read_bytes(), "missing columns: source, title, .*url"),
    ):
        (tmp_path / "x.parquet").write_bytes(content)
        (file,) = annotated_inputs([str(tmp_path / "x.parquet")])
        with pytest.raises(SourceError, match=message):
            plan_file(file, SourceConfig())
