"""A job without a row fails, says why, and leaves what is there as it is; ``--allow-empty`` publishes all the same."""

import pytest

from tests.commands import call, leftovers, make, manifest, refusal, rejects, write_jsonl

TEXT = "The bridge over the river was closed on Monday. Engineers had found cracks. A ferry carries people on foot."
ROWS = [{"id": f"a{n}", "headline": f"Bridge {n}", "body": f"{TEXT} It is number {n}."} for n in range(3)]
CSV = "id,headline,body\n" + "".join(f'{r["id"]},{r["headline"]},"{r["body"]}"\n' for r in ROWS)
NO_FIELD = (
    "0 of 3 documents were used; BAD_LINE 3: the line is not a JSON object with the required fields (a.jsonl#0: line 1: "
    "no field 'text'; the fields are 'id', 'headline', 'body'; specify one with --text-field)"
)


@pytest.fixture
def bad(tmp_path):
    """A file whose text is in another field, and whose last line has no end, which is not taken for damage."""
    path = write_jsonl(tmp_path / "a.jsonl", ROWS)
    path.write_bytes(path.read_bytes()[:-1])
    return path


def failed(tmp_path, job, source):
    """Why the command fails; there is no output, and nothing is left."""
    line = refusal(job, "--input", source, "--output", tmp_path / "out", "--quiet", code=1)
    assert not (tmp_path / "out").exists() and leftovers(tmp_path) == []
    assert "no rows were produced: " in line and "Use --allow-empty to publish a dataset that contains only" in line
    return line.partition("no rows were produced: ")[2].partition("; nothing was published")[0]


def test_a_wrong_field_is_a_failure_that_names_the_fields_and_a_csv_one_that_says_so(tmp_path, bad):
    assert failed(tmp_path, "headline --source jsonl", bad) == NO_FIELD
    (tmp_path / "a.csv").write_text(CSV)
    line = refusal(f"lead-bias --source jsonl --input {tmp_path}/a.csv --output {tmp_path}/out")
    assert "a.csv: not JSON Lines; it looks like CSV; did you mean --source table?" in line


@pytest.mark.slow
def test_an_existing_dataset_stays_and_only_a_run_that_may_be_resumed_leaves_what_it_finished(tmp_path, bad):
    job = f"gap-sentences --source jsonl --output {tmp_path}/out --quiet --input {bad}"
    make(job, "--text-field body --deduplicate none")
    before = (tmp_path / "out/manifest.json").read_bytes()
    assert "no rows were produced" in refusal(job, "--overwrite", code=1)
    assert (tmp_path / "out/manifest.json").read_bytes() == before and leftovers(tmp_path) == []
    done = call(job, "--overwrite --resume")
    assert done.returncode == 1 and "no rows were produced" in done.stderr and len(leftovers(tmp_path)) == 1
    assert "1 ranges are finished" in make(job, "--overwrite --resume --allow-empty").stderr
    made = manifest(tmp_path / "out")
    assert made["counts"]["documents"] == {"read": 3} and leftovers(tmp_path) == []
    assert [r["reason"] for r in rejects(tmp_path / "out")] == ["BAD_LINE"] * 3
    assert "allow_empty" not in made["configuration"]
    make("validate", tmp_path / "out")
