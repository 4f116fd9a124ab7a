"""A month's documents against the signatures of the months before, by the real job."""

import json
import random

import pyarrow.parquet as pq
import pytest

import gistmill
from gistmill.published.checks import problems
from gistmill.published.files import open_folder
from tests.commands import call, manifest, rejects, write_jsonl

OPTIONS = {"source": "jsonl", "languages": "any", "keep_boilerplate": True, "splits": (100, 0, 0)}
_CHOSEN = random.Random(5)
TEXTS = [
    " ".join(f"{' '.join(f'w{_CHOSEN.randrange(900)}' for _ in range(10)).capitalize()}." for _ in range(12))
    for _ in range(8)
]


def edited(text, *places):
    found = text.split()
    for place in places:
        found[place] = "Other"
    return " ".join(found)


JANUARY = [
    ("a", TEXTS[0], "2024-01-02"),
    ("a-near", edited(TEXTS[0], 11), "2024-01-03"),
    ("a-copy", TEXTS[0], "2024-01-04"),
    ("b", TEXTS[1], "2024-01-05"),
    ("c", TEXTS[2], "2024-01-06"),
]
FEBRUARY = [
    ("a-copy-2", TEXTS[0], "2024-02-01"),
    ("a-chain", edited(TEXTS[0], 11, 31, 32), "2024-02-02"),
    ("a-near-copy", edited(TEXTS[0], 11), "2024-02-02"),  # the words of a document that did not stay
    ("b-near", edited(TEXTS[1], 50), "2024-02-03"),
    ("d", TEXTS[3], "2024-02-04"),
    ("d-near", edited(TEXTS[3], 70), "2024-02-05"),
    ("e", TEXTS[4], "2024-02-06"),
]
MARCH = [
    ("d-copy", TEXTS[3], "2024-03-01"),
    ("c-near", edited(TEXTS[2], 3), "2024-03-02"),
    ("f", TEXTS[5], "2024-03-03"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """January and February, each with its signatures."""
    place = tmp_path_factory.mktemp("months")
    build(place, "january", JANUARY, keep_signatures=True)
    build(place, "february", FEBRUARY, keep_signatures=True, duplicates_against=place / "january")
    return place


def build(place, name, documents, **options):
    lines = [{"id": i, "text": text, "date": date} for i, text, date in documents]
    source = write_jsonl(place / f"{name}.jsonl", lines)
    return gistmill.build("gap-sentences", input=source, output=place / name, **{**OPTIONS, **options})


def removed(place):
    """Duplicates by id: the kind, and the document that stays."""
    found = [r for r in rejects(place) if r["stage"] == "deduplicate"]
    return {r["id"]: (r["reason"].partition("_")[0], r["detail"].removesuffix(" stays")) for r in found}


@pytest.mark.slow
def test_a_month_is_compared_with_the_one_before(folder):
    assert removed(folder / "january") == {"a-near": ("NEAR", "a"), "a-copy": ("EXACT", "a")}
    assert removed(folder / "february") == {
        "a-copy-2": ("EXACT", "a"),
        "a-chain": ("NEAR", "a"),
        "a-near-copy": ("NEAR", "a"),
        "b-near": ("NEAR", "b"),
        "d-near": ("NEAR", "d"),
    }

    build(folder, "both", JANUARY + FEBRUARY)
    assert removed(folder / "both") == {**removed(folder / "january"), **removed(folder / "february")}


@pytest.mark.slow
def test_a_month_is_compared_with_all_before(folder, tmp_path):
    against = f"{folder / 'january'},{folder / 'february'}"
    build(tmp_path, "march", MARCH, duplicates_against=against)
    assert removed(tmp_path / "march") == {"d-copy": ("EXACT", "d"), "c-near": ("NEAR", "c")}
    found = manifest(tmp_path / "march")
    assert [(s["dataset"], s["name"]) for s in found["signatures"]] == [
        (month, "signatures/part-00000-of-00001.parquet") for month in ("january", "february")
    ]
    assert found["configuration"]["duplicates_against"] == ["january", "february"]


@pytest.mark.slow
def test_old_documents_stay_whatever_their_date_and_exact_copies_alone_are_looked_for(folder, tmp_path):
    early = [("b-early", TEXTS[1], "1999-01-01")]
    build(tmp_path, "before", early, duplicates_against=folder / "january", allow_empty=True)
    assert removed(tmp_path / "before") == {"b-early": ("EXACT", "b")}
    build(tmp_path, "exact", FEBRUARY, duplicates_against=folder / "january", deduplicate="exact")
    assert removed(tmp_path / "exact") == {"a-copy-2": ("EXACT", "a"), "a-near-copy": ("NEAR", "a")}


@pytest.mark.slow
def test_signatures_are_files_of_the_dataset_and_hold_no_text(folder):
    made = gistmill.Dataset(folder / "january")
    (file,) = [f for f in made.manifest.files if f.path.startswith("signatures/")]
    assert (file.config, file.split, file.rows) == ("", "", None) and not list(
        problems(open_folder(made.place), made.manifest)
    )
    table = pq.read_table(folder / "january" / file.path)
    assert [i.decode() for i in table["id"].to_pylist()] == ["a", "a", "b", "c"]  # that of a-near, and no a-copy
    assert table.schema.names == ["id", "stays", "date", "exact", *(f"band{b:02}" for b in range(36)), "shingles"]
    assert b"w1" not in (folder / "january" / file.path).read_bytes()


@pytest.mark.long
def test_workers_make_no_difference(folder, tmp_path):
    build(tmp_path, "two", FEBRUARY, keep_signatures=True, duplicates_against=folder / "january", workers=2)
    name = "signatures/part-00000-of-00001.parquet"
    assert (tmp_path / "two" / name).read_bytes() == (folder / "february" / name).read_bytes()


@pytest.mark.slow
def test_what_cannot_be_used_is_named_before_anything_is_read(folder, tmp_path, monkeypatch):
    build(tmp_path, "exact", JANUARY, keep_signatures=True, deduplicate="exact")
    made = build(tmp_path, "plain", JANUARY)
    assert not [f for f in made.manifest.files if "signatures" in f.path]
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/manifest.json").write_text("{}")
    january = str(folder / "january")
    monkeypatch.chdir(tmp_path)
    for message, options in {
        "missing is not a dataset: manifest.json is missing": {"duplicates_against": "missing"},
        "signatures for another duplicate_threshold": {"duplicates_against": january, "duplicate_threshold": 0.5},
        "duplicates_against requires deduplicate=": {"duplicates_against": january, "deduplicate": "none"},
        "keep_signatures=True requires deduplicate=": {"keep_signatures": True, "deduplicate": "none"},
        "signatures for exact copies only": {"duplicates_against": "exact"},
        "plain contains no signatures; a job writes them with keep_signatures=True": {"duplicates_against": "plain"},
        "broken: manifest.json": {"duplicates_against": "broken"},
    }.items():
        with pytest.raises(gistmill.ConfigError, match=message):
            build(tmp_path, "march", MARCH, **options)
        assert not (tmp_path / "march").exists(), message


@pytest.mark.slow
def test_signatures_that_were_changed_fail_the_job_in_one_line(tmp_path):
    build(tmp_path, "january", JANUARY, keep_signatures=True)
    (path,) = (tmp_path / "january/signatures").iterdir()
    data = path.read_bytes()
    path.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    (tmp_path / "march.jsonl").write_text(json.dumps({"id": "f", "text": TEXTS[5]}))
    job = f"gap-sentences --source jsonl --input {tmp_path}/march.jsonl --output {tmp_path}/march"
    failed = call(f"{job} --duplicates-against {tmp_path}/january")
    assert failed.returncode == 1 and "differs from the checksum in its dataset's manifest" in failed.stderr
    assert "Traceback" not in failed.stderr and not (tmp_path / "march").exists()
