"""The job `augment` with EDA, on files of pairs, by the real command."""

import re

import pytest

from gistmill.rules.augmentation.eda.synonyms import synonym_table
from gistmill.transforms.materials import read_wordnet
from tests.commands import call, data_checksums, make, manifest, refusal, rejects, rows, write_jsonl
from tests.rules.augmentation.wordnet_files import FILES

TEXTS = (
    "The old mayor quickly bought a big car in 2019. Ms Lee of Boston sold 3 small houses to the mayor.",
    "A young doctor opened the new library.\nShe never saw “Paris”, but her happy children really did!",
    "😀 犬も歩けば棒に当たる。 A famous painter described the old harbour, and 40 people watched.",
)
TARGETS = ("Hello.", "The old mayor bought a car.")
PAIRS = 30
OPTIONS = "--alpha 0.3 --splits 60,20,20"


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    found = [{"id": f"p{n}", "inputs": TEXTS[n % 3], "targets": TARGETS[n % 2]} for n in range(PAIRS)]
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    return write_jsonl(path, [*found, {"id": "empty", "inputs": "", "targets": "x"}])


@pytest.fixture(scope="module")
def augmented(pairs):
    output = pairs.parent / "augmented"
    make(f"augment --input {pairs} --output {output} {OPTIONS}")
    return output


@pytest.fixture
def wordnet(tmp_path):
    (tmp_path / "wordnet").mkdir()
    for name, content in FILES.items():
        (tmp_path / "wordnet" / name).write_text(content)
    return tmp_path / "wordnet"


def numbers(text):
    return re.findall(r"\d+|Lee|Boston|Paris|犬も歩けば棒に当たる。|😀", text)


def test_copies_stand_beside_their_parents_in_train_and_nothing_is_lost(augmented):
    counts = manifest(augmented)["counts"]
    assert counts["documents"] == {"read": PAIRS + 1, "used": PAIRS}
    assert counts["documents/rejected"] == {"NO_TEXT": 1}
    train = {row["id"]: row for row in rows(augmented, split="train")}
    originals = [row for row in train.values() if not row["parent_id"]]
    copies = [row for row in train.values() if row["parent_id"]]
    dropped = sum(counts["copies/rejected"].values())
    assert counts["copies"] == {"read": 4 * len(originals), "used": len(copies)}
    assert len(copies) + dropped == 4 * len(originals) and len(copies) > len(originals)
    for row in copies:
        assert row["id"] == f"{row['parent_id']}-eda-{row['copy']}"
        parent = train[row["parent_id"]]
        assert (parent["inputs"], parent["targets"]) != (row["inputs"], row["targets"])
        assert numbers(parent["inputs"]) == numbers(row["inputs"])
        assert row["inputs"].count("\n") == parent["inputs"].count("\n")
    for split in ("validation", "test"):
        found = rows(augmented, split=split)
        assert found and not any(row["parent_id"] for row in found)
    assert sum(reject["unit"] == "copy" for reject in rejects(augmented)) == dropped > 0


def test_the_report_has_the_share_of_copies_and_the_manifest_the_table(augmented):
    counts, page = manifest(augmented)["counts"], (augmented / "report.html").read_text()
    copies = page.partition("<h3>Copies</h3>")[2].partition("<h3>")[0]
    used, read = counts["copies"]["used"], counts["copies"]["read"]
    assert f"{100 * used / read:.1f}%" in copies and "the copy is identical to its original" in copies
    models = {m["name"]: m for m in manifest(augmented)["models"]}
    assert "wordnet-synonyms" in models and len(models) == 2
    assert call("validate", augmented).returncode == 0


@pytest.mark.slow
def test_the_same_bytes_with_two_workers_and_small_ranges_and_others_with_another_seed(pairs, augmented, tmp_path):
    job = f"augment --input {pairs} {OPTIONS}"
    make(f"{job} --output {tmp_path}/two --workers 2 --range-bytes 900")
    assert data_checksums(tmp_path / "two") == data_checksums(augmented)
    make(f"{job} --output {tmp_path}/other --seed 2")
    one, other = ({r["id"]: r["inputs"] for r in rows(f) if r["parent_id"]} for f in (augmented, tmp_path / "other"))
    assert one != other
    refusal(f"augment --input {tmp_path}/other --output {tmp_path}/again")  # copies of copies


@pytest.mark.slow
def test_synonyms_of_a_folder_of_wordnet(pairs, wordnet, tmp_path):
    options = "--operations synonyms --splits 1,0,0 --copies 1 --alpha 0.9"
    make(f"augment --input {pairs} --output {tmp_path}/out --wordnet {wordnet} {options}")
    made = "".join(row["inputs"] for row in rows(tmp_path / "out") if row["parent_id"])
    assert "purchased a large auto" in made and "harbour" in made


def test_the_table_is_that_of_the_folder(wordnet):
    assert read_wordnet(str(wordnet)).decode("ascii") == synonym_table(FILES)


def test_what_cannot_be_used_ends_in_one_line(pairs, wordnet, tmp_path):
    job = f"augment --input {pairs} --output {tmp_path}/out"
    assert "no_such_model" in refusal(job, "--spacy-model no_such_model")
    for name, content, message in [
        ("cntlist.rev", b"nonsense\n", "not a WordNet file"),
        ("index.noun", b"\xff\xfe", "is not UTF-8 text"),
        ("data.verb", None, "there is no such file"),
    ]:
        whole = (wordnet / name).read_bytes()
        (wordnet / name).unlink()
        if content is not None:
            (wordnet / name).write_bytes(content)
        error = refusal(job, "--wordnet", wordnet)
        assert message in error and "--wordnet" in error and not (tmp_path / "out").exists()
        (wordnet / name).write_bytes(whole)
