"""The job `augment` with EDA, on files of pairs, by the real command."""

import gzip
import json
import re

import pyarrow.parquet as pq
import pytest

from gistmill.core.records import Origin, Pair
from gistmill.pipelines import cli
from gistmill.rules.augmentation.eda.parse import is_number
from gistmill.rules.augmentation.eda.synonyms import synonym_table
from gistmill.rules.documents import natural_text
from gistmill.transforms import materials
from tests.commands import call, data_checksums, make, manifest
from tests.rules.augmentation.wordnet_files import FILES
from tests.samples import PAIR_FILES
from tests.samples import PAIRS as OWN_PAIRS
from tests.transforms.steps.test_parse_pairs import made

TEXTS = (
    "The old mayor quickly bought a big car in 2019. Ms Lee of Boston sold 3 small houses to the mayor.",
    "A young doctor opened the new library.\nShe never saw “Paris”, but her happy children really did!",
    "😀 犬も歩けば棒に当たる。 A famous painter described the old harbour, and 40 people watched.",
)
PAIRS = 30


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    rows = [
        {"id": f"p{n}", "inputs": TEXTS[n % 3], "targets": ["Hello.", "The old mayor bought a car."][n % 2]}
        for n in range(PAIRS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"id": "empty", "inputs": "", "targets": "x"}]))
    return path


@pytest.fixture(scope="module")
def augmented(pairs, tmp_path_factory):
    output = tmp_path_factory.mktemp("data") / "augmented"
    assert run("--input", pairs, "--output", output, "--alpha", "0.3", "--splits", "60,20,20") == 0
    return output


def run(*arguments):
    """Runs the job in this process; returns its exit code."""
    return cli.main(["augment", *map(str, arguments)])


def rows(folder, split="train"):
    return [row for file in sorted(folder.glob(f"*/parquet/{split}-*")) for row in pq.read_table(file).to_pylist()]


def test_copies_stand_beside_their_parents_in_train_and_nothing_is_lost(augmented):
    counts = manifest(augmented)["counts"]
    assert counts["documents"] == {"read": PAIRS + 1, "used": PAIRS}
    assert counts["documents/rejected"] == {"NO_TEXT": 1}
    train = {row["id"]: row for row in rows(augmented)}
    originals = [row for row in train.values() if not row["parent_id"]]
    copies = [row for row in train.values() if row["parent_id"]]
    dropped = sum(counts["copies/rejected"].values())
    assert counts["copies"] == {"read": 4 * len(originals), "used": len(copies)}
    assert len(copies) + dropped == 4 * len(originals) and len(copies) > len(originals)
    for row in copies:
        assert row["id"] == f"{row['parent_id']}-eda-{row['copy']}"
        parent = train[row["parent_id"]]
        assert (parent["inputs"], parent["targets"]) != (row["inputs"], row["targets"])
        assert numbers(parent["inputs"]) == numbers(row["inputs"]) and row["inputs"].count("\n") == parent[
            "inputs"
        ].count("\n")
    for split in ("validation", "test"):
        assert rows(augmented, split) and not any(row["parent_id"] for row in rows(augmented, split))
    with gzip.open(augmented / "rejects/part-00000-of-00001.jsonl.gz", "rt") as file:
        assert sum(json.loads(line)["unit"] == "copy" for line in file) == dropped > 0


def test_the_report_has_the_share_of_copies_that_were_dropped(augmented):
    counts, page = manifest(augmented)["counts"], (augmented / "report.html").read_text()
    copies = page.partition("<h3>Copies</h3>")[2].partition("<h3>")[0]
    used, read = counts["copies"]["used"], counts["copies"]["read"]
    assert f"{100 * used / read:.1f}%" in copies and "the copy is equal to its original" in copies


def numbers(text):
    return re.findall(r"\d+|Lee|Boston|Paris|犬も歩けば棒に当たる。|😀", text)


def test_the_manifest_names_the_table_and_validate_agrees(augmented):
    models = {m["name"]: m for m in manifest(augmented)["models"]}
    assert "wordnet-synonyms" in models and len(models) == 2
    assert call("validate", augmented).returncode == 0


@pytest.mark.slow
def test_the_same_bytes_with_two_workers_and_small_ranges(pairs, augmented, tmp_path):
    options = ("--alpha", "0.3", "--splits", "60,20,20", "--workers", "2", "--range-bytes", "900")
    make("augment", "--input", pairs, "--output", tmp_path / "two", *options)
    assert data_checksums(tmp_path / "two") == data_checksums(augmented)


def test_the_parser_can_be_named(pairs, tmp_path, capfd):
    assert run("--input", pairs, "--output", tmp_path / "out", "--spacy-model", "no_such_model") == 2
    assert "no_such_model" in capfd.readouterr().err
    with pytest.raises(SystemExit):
        run("--help")
    assert "[]" not in capfd.readouterr().out


@pytest.mark.slow
def test_another_seed_gives_other_copies_and_a_dataset_keeps_its_splits(augmented, pairs, tmp_path):
    assert (
        run("--input", pairs, "--output", tmp_path / "a", "--alpha", "0.3", "--seed", "2", "--splits", "60,20,20") == 0
    )
    one, other = ({r["id"]: r["inputs"] for r in rows(f) if r["parent_id"]} for f in (augmented, tmp_path / "a"))
    assert one != other
    assert run("--input", tmp_path / "a", "--output", tmp_path / "again") == 2  # copies of copies


def test_synonyms_of_a_folder_of_wordnet(pairs, tmp_path):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    options = ("--wordnet", folder, "--operations", "synonyms", "--splits", "1,0,0", "--copies", "1", "--alpha", "0.9")
    assert run("--input", pairs, "--output", tmp_path / "out", *options) == 0
    made = "".join(row["inputs"] for row in rows(tmp_path / "out") if row["parent_id"])
    assert "purchased a large auto" in made and "harbour" in made


def test_the_table_of_a_folder_is_printed(tmp_path, capsys):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    assert materials.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == synonym_table(FILES)
    assert materials.main([]) == 2 and materials.main([str(tmp_path / "none")]) == 2
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda f: (f / "data.verb").unlink(), "there is no file"),
        (lambda f: (f / "cntlist.rev").write_text("nonsense\n"), "not in the form of WordNet's files"),
        (lambda f: (f / "index.noun").write_bytes(b"\xff\xfe"), "is not text in UTF-8"),
    ],
)
def test_a_folder_that_is_not_wordnets_ends_in_one_line(pairs, tmp_path, capfd, break_it, message):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    break_it(folder)
    assert run("--input", pairs, "--output", tmp_path / "out", "--wordnet", folder) == 2
    error = capfd.readouterr().err
    assert message in error and "--wordnet" in error and len(error.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize("file", PAIR_FILES)
@pytest.mark.parametrize("positions", ["fitting", pytest.param("any", marks=pytest.mark.long)])
def test_no_entity_and_no_number_of_an_article_changes(tmp_path, file, positions):
    fields = ("--inputs-field", "document", "--targets-field", "summary", "--splits", "1,0,0", "--positions", positions)
    assert run("--input", file, "--output", tmp_path / "out", "--copies", "8", *fields) == 0
    found = rows(tmp_path / "out")
    originals = {row["id"]: row for row in found if not row["parent_id"]}
    pairs = (Pair(Origin(key, "p"), row["inputs"], row["targets"], {}, "train") for key, row in originals.items())
    kept = {pair.id: {name: protected(pair.lines[name]) for name in pair.lines} for pair in made(*pairs)}
    copies = [row for row in found if row["parent_id"]]
    for row in copies:
        for name, entities in kept[row["parent_id"]].items():
            at = 0
            for text in entities:
                at = row[name].index(text, at) + len(text)
            assert re.findall(r"\d+", row[name]) == re.findall(r"\d+", originals[row["parent_id"]][name])
    # articles of our own are short, so fewer of their copies differ
    assert len(copies) > (3 if file == OWN_PAIRS else 6) * len(originals) and sum(
        len(e) for of in kept.values() for e in of.values()
    ) > 10 * len(originals)


def protected(lines):
    """Entities and numbers of a text, in order."""
    found = []
    for tokens in (sentence.tokens for line in lines for sentence in line):
        start = 0
        while start < len(tokens):
            end = start + 1
            while tokens[start].entity and end < len(tokens) and tokens[end].entity.startswith("I-"):
                end += 1
            if tokens[start].entity or is_number(tokens[start]):
                found.append(natural_text(tokens[start:end]))
            start = end
    return found
