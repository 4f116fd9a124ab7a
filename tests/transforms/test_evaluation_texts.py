"""Files of evaluation texts: what is read from them, what is wrong with them, and the index in the workspace."""

import bz2
import functools
import gzip
import hashlib
import json

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.testing.util import assert_that, equal_to

from gistmill.core.records import RangeEnd
from gistmill.rules.documents import DuplicateReason
from gistmill.rules.filters import ContaminationConfig
from gistmill.transforms.beam.transforms import ForTypes
from gistmill.transforms.evaluation_texts import load_index, read_evaluation, read_texts
from gistmill.transforms.steps.base import TEXTS, judged
from gistmill.transforms.steps.filters import Decontaminate, DecontaminateConfig, contamination
from tests.transforms.duplicates.made import document

LONG = "This sentence of the test set has thirteen words or a few more than that."
OTHER = "Another text of the second set, which no document of ours has any part of, we hope."


def written(tmp_path, name, content):
    path = tmp_path / name
    if name.endswith(".parquet"):
        pq.write_table(pa.table(content), path)
    else:
        pack = {"gz": gzip.compress, "z2": bz2.compress}.get(name[-2:], bytes)
        path.write_bytes(pack(content.encode() if isinstance(content, str) else content))
    return str(path)


ROWS = [{"id": 1, "text": "One.", "all": ["Two.", "Three."], "more": {"deep": "Four."}}, {"text": "Five.", "id": None}]
TABLE = {"id": [1, 2], "text": ["One.", "Five."], "all": [["Two.", "Three."], []]}
TSV = "text\tlabel\r\nOne.\tpos\nFive.\t\n\n"


@pytest.mark.parametrize(
    ("name", "content", "fields", "texts"),
    [
        ("a.jsonl", "\n".join(map(json.dumps, ROWS)) + "\n\n", (), ["One.", "Two.", "Three.", "Four.", "Five."]),
        ("a.jsonl.gz", "\n".join(map(json.dumps, ROWS)), ("all", "text"), ["Two.", "Three.", "One.", "Five."]),
        ("a.ndjson", '"One."\n["Two."]\n3\nnull\n', (), ["One.", "Two."]),
        ("a.tsv", TSV, (), ["text", "label", "One.", "pos", "Five."]),
        ("a.tsv.bz2", TSV, ("text",), ["One.", "Five."]),
        ("a.tsv", "\ufefftext\tlabel\nOne.\tpos\n", ("text",), ["One."]),
        ("a.jsonl", "\ufeff" + json.dumps("One."), (), ["One."]),
        ("a.TXT", "One.\nTwo\u2028and a half.\n", (), ["One.", "Two\u2028and a half."]),
        ("a.parquet", TABLE, (), ["One.", "Five.", "Two.", "Three."]),
        ("a.parquet", TABLE, ("all",), ["Two.", "Three."]),
    ],
)
def test_what_is_read(tmp_path, name, content, fields, texts):
    assert list(read_texts(written(tmp_path, name, content), fields)) == texts


def test_what_is_wrong(tmp_path):
    of_texts = "no text column {!r}; columns: {}".format
    for name, content, fields, message in (
        ("a.jsonl", '{"text": "One."}\n{"text": \n', (), "a.jsonl, line 2: not JSON"),
        ("a.jsonl", '{"text": "One."}', ("body",), f"a.jsonl contains {of_texts('body', 'text')}"),
        ("a.jsonl", '"One."', ("body",), "line 1: not a JSON object, but str"),
        ("a.jsonl", '{"n": 1}', (), "a.jsonl contains no text"),
        ("a.tsv", "text\tlabel\nx\ty\n", ("body",), of_texts("body", "text, label")),
        ("a.tsv", b"\xff\xfe\n", (), "a.tsv, line 1: not UTF-8"),
        ("a.parquet", {"n": [1]}, (), "a.parquet contains no string column"),
        ("a.parquet", {"text": ["One."]}, ("n",), of_texts("n", "text")),
        ("a.csv", "One.", (), "expected a .tsv"),
    ):
        path = written(tmp_path, name, content)
        with pytest.raises(ValueError, match=message) as caught:
            read_evaluation([path], ngram=13, fields=fields)
        assert "\n" not in str(caught.value)
    for name, message in {
        "a.jsonl.gz": "a.jsonl.gz",
        "a.parquet.gz": "expected a .tsv",
        "a.parquet": "a.parquet is not a Parquet file",
    }.items():
        (tmp_path / name).write_bytes(b"PAR1 not at all")
        with pytest.raises(ValueError, match=message):
            read_evaluation([str(tmp_path / name)], ngram=13)
    with pytest.raises(ValueError, match="missing"):
        read_evaluation([str(tmp_path / "missing.tsv")], ngram=13)


def test_the_manifest_names_every_file(tmp_path):
    path = written(tmp_path, "a.txt", f"{LONG}\n{LONG}\nshort\n")
    written(tmp_path, "b.jsonl", json.dumps({"text": OTHER}))
    step = Decontaminate(DecontaminateConfig(), read_evaluation([str(tmp_path / "*.*")], ngram=13))
    first, second = step.record("")["evaluation"]
    assert first == {
        "path": path,
        "size": len(LONG) * 2 + 8,
        "texts": 3,
        "short": 1,
        "ngrams": 3,
        "sha256": hashlib.sha256((tmp_path / "a.txt").read_bytes()).hexdigest(),
    }
    assert second["path"].endswith("b.jsonl") and second["texts"] == 1


def test_documents_that_share_text_are_rejected(tmp_path):
    written(tmp_path, "a.txt", f"{OTHER}\n")
    path = written(tmp_path, "b.txt", f"{LONG}\n")
    (tmp_path / "work").mkdir()
    evaluation = read_evaluation([str(tmp_path / "*.txt")], ngram=13)
    evaluation.save(str(tmp_path / "work"))
    index, sets = load_index(str(tmp_path / "work"))
    assert (len(index.grams), sets) == (len(evaluation.index.grams), (str(tmp_path / "a.txt"), path))
    sharing = document("d1", f"Before.\n\n{LONG.upper()}\n\nAfter.")
    elements = [sharing, document("d2", "Nothing of it."), RangeEnd("", 2)]

    def seen(element):
        if getattr(element, "reason", None):
            return element.id, element.reason, element.stage, element.unit, element.detail
        return type(element).__name__

    words = "'this sentence of the test set has thirteen words or a few more'"
    detail = f"3 of 5 n-grams are in b.txt, such as {words}"
    reject = ("d1", DuplicateReason.CONTAMINATED, "decontaminate", "document", detail)
    with beam.Pipeline() as pipeline:
        verdict = functools.partial(contamination, workspace=str(tmp_path / "work"), config=ContaminationConfig())
        rejecting = ForTypes(TEXTS, functools.partial(judged, verdict=verdict, stage="decontaminate"))
        found = pipeline | beam.Create(elements) | beam.ParDo(rejecting) | beam.Map(seen)
        assert_that(found, equal_to([reject, "CleanDocument", "RangeEnd"]))
