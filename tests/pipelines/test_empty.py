"""A job without a row fails, says why, and leaves what is there as it is; ``--allow-empty`` publishes all the same."""

import pytest

import gistmill
from gistmill.pipelines.publication import EmptyDatasetError
from tests.commands import call, leftovers, make, manifest, refusal, rejects, write_jsonl
from tests.dumps import export, small_pages
from tests.transforms.sources.warc.warcs import http, members, record

TEXT = "The bridge over the river was closed on Monday. Engineers had found cracks. A ferry carries people on foot."
ROWS = [{"id": f"a{n}", "headline": f"Bridge {n}", "body": f"{TEXT} It is number {n}."} for n in range(3)]
CSV = "id,headline,body\n" + "".join(f'{r["id"]},{r["headline"]},"{r["body"]}"\n' for r in ROWS)
NO_FIELD = (
    "0 of 3 documents were used; BAD_LINE 3: the line is not a JSON object with the wanted fields (a.jsonl#0: line 1: "
    "no field 'text'; the fields are 'id', 'headline', 'body'; --text-field names another)"
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
    assert "there are no rows: " in line and "--allow-empty publishes a dataset without rows" in line
    return line.partition("there are no rows: ")[2].partition("; nothing was published")[0]


def test_a_wrong_field_is_a_failure_that_names_the_fields_and_a_csv_one_that_says_so(tmp_path, bad):
    assert failed(tmp_path, "headline --source jsonl", bad) == NO_FIELD
    (tmp_path / "a.csv").write_text(CSV)
    line = refusal(f"lead-bias --source jsonl --input {tmp_path}/a.csv --output {tmp_path}/out")
    assert "a.csv: not JSON Lines; it looks like CSV; did you mean --source table?" in line


def test_the_commonest_reasons_come_first_each_with_an_example(tmp_path):
    german = "Das Wetter war schlecht, aber er gewann das Rennen. Es war sein dritter Sieg. Alle jubelten ihm lange zu."
    rows = [{"text": " "}, {"txt": "a"}, *({"id": f"g{n}", "text": f"{german} Nummer {n}."} for n in range(3))]
    source = write_jsonl(tmp_path / "a.jsonl", [*rows, {"text": ""}])
    assert failed(tmp_path, "gap-sentences --source jsonl", source) == (
        "0 of 6 documents were used; LANGUAGE 3: the text is not in a wanted language (g0: de); EMPTY_PAGE 2: the page has "
        "no text (a.jsonl#0: line 1: 'text' is empty); BAD_LINE 1: the line is not a JSON object with the wanted fields "
        "(a.jsonl#14: line 2: no field 'text'; the fields are 'txt'; --text-field names another)"
    )


def test_an_input_without_documents_is_a_failure_of_its_own(tmp_path):
    (tmp_path / "a.warc").write_bytes(members(record(1, b"text", kind=b"conversion"), record(2, b"", kind=b"warcinfo")))
    said = failed(tmp_path, "lead-bias --source warc", tmp_path / "a.warc")
    records = ", but records of other types: 1 conversion, 1 warcinfo"
    assert said == f"the input holds no documents ({tmp_path}/a.warc){records}"


@pytest.mark.slow
def test_jobs_on_rows_fail_without_rows(tmp_path):
    pairs = write_jsonl(tmp_path / "p.jsonl", [{"id": n, "inputs": TEXT, "targets": ""} for n in range(2)])
    assert failed(tmp_path, "curriculum", pairs) == (
        "0 of 2 pairs were used; NO_TEXT 2: the pair has no inputs or no targets (0: line 1: 'targets' is empty)"
    )
    (tmp_path / "e.tsv").write_text("id\tinputs\ttargets\n")
    assert failed(tmp_path, "curriculum", tmp_path / "e.tsv") == f"the input holds no pairs ({tmp_path}/e.tsv)"
    (tmp_path / "a.csv").write_text(CSV)
    line = failed(tmp_path, "curriculum", tmp_path / "a.csv")
    assert "BAD_ROW 4: " in line and "not JSON: it begins with 'id,headline,body'; the file looks like CSV)" in line


@pytest.mark.long
def test_rows_that_are_all_left_out_are_none(tmp_path):
    job = "synthetic --tasks ensemble --documents 9 --splits 1,0,0 --quiet --output"
    line = refusal(job, tmp_path / "none", "--rows 0", code=1)
    assert "--rows leaves out all 9 that were made" in line
    make(job, tmp_path / "some")
    assert failed(tmp_path, "mix --rows 0", tmp_path / "some") == "--rows leaves out all 9 that were made"


@pytest.mark.slow
def test_an_existing_dataset_stays_and_only_a_run_that_may_be_resumed_leaves_what_it_finished(tmp_path, bad):
    job = f"gap-sentences --source jsonl --output {tmp_path}/out --quiet --input {bad}"
    make(job, "--text-field body --deduplicate none")
    before = (tmp_path / "out/manifest.json").read_bytes()
    assert "there are no rows" in refusal(job, "--overwrite", code=1)
    assert (tmp_path / "out/manifest.json").read_bytes() == before and leftovers(tmp_path) == []
    done = call(job, "--overwrite --resume")
    assert done.returncode == 1 and "there are no rows" in done.stderr and len(leftovers(tmp_path)) == 1
    assert "1 ranges are finished" in make(job, "--overwrite --resume --allow-empty").stderr
    made = manifest(tmp_path / "out")
    assert made["counts"]["documents"] == {"read": 3} and leftovers(tmp_path) == []
    assert [r["reason"] for r in rejects(tmp_path / "out")] == ["BAD_LINE"] * 3
    assert "allow_empty" not in made["configuration"]
    make("validate", tmp_path / "out")


@pytest.mark.slow
def test_a_configuration_may_allow_it_and_such_a_dataset_is_not_an_input(tmp_path, bad):
    (tmp_path / "c.yaml").write_text("allow_empty: true\n")
    make(f"annotate --source jsonl --input {bad} --output {tmp_path}/none --quiet --config {tmp_path}/c.yaml")
    counts = manifest(tmp_path / "none")["counts"]
    assert counts["documents"]["read"] == len(ROWS) and "rows" not in counts
    line = refusal(f"discofuse --source annotated --input {tmp_path}/none --output {tmp_path}/out")
    assert f"{tmp_path}/none has no rows in Parquet files" in line


@pytest.mark.slow
def test_python_raises_a_failure_and_takes_the_keyword(tmp_path, bad, capfd):
    options = {"source": "jsonl", "input": bad, "output": tmp_path / "out"}
    with pytest.raises(gistmill.JobFailed, match="no field 'text'; the fields are 'id', 'headline', 'body'") as raised:
        gistmill.build("lead-bias", **options)
    assert isinstance(raised.value, EmptyDatasetError) and not (tmp_path / "out").exists()
    made = gistmill.build("lead-bias", **options, allow_empty=True)
    assert made.splits() == () and made.validate() == [] and capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_redirects_and_responses_that_are_not_pages_are_not_rows(tmp_path):
    (tmp_path / "a.xml").write_bytes(export([page for page in small_pages() if b"<redirect" in page][:2]))
    line = failed(tmp_path, "discofuse", tmp_path / "a.xml")
    assert line.startswith("0 of 2 documents were used; REDIRECT 2: the page is a redirect (wikipedia-")
    (tmp_path / "a.warc.gz").write_bytes(members(record(1, http(b"x", status=b"404 Not Found"))))
    line = failed(tmp_path, "lead-bias --source warc", tmp_path / "a.warc.gz")
    assert line.startswith("0 of 1 documents were used; HTTP_STATUS 1: ")
