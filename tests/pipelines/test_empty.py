"""A job without a row fails, says why, and leaves what is there as it is; ``--allow-empty`` publishes all the same."""

import gzip
import json

import pytest

import gistmill
from gistmill.pipelines.publishing.empty import EmptyDatasetError
from tests.commands import gistmill as command
from tests.commands import leftovers, manifest, succeed
from tests.dumps import export, small_pages
from tests.transforms.sources.warc.warcs import http, members, record

TEXT = "The bridge over the river was closed on Monday. Engineers had found cracks. A ferry carries people on foot."
ROWS = [{"id": f"a{n}", "headline": f"Bridge {n}", "body": f"{TEXT} It is number {n}."} for n in range(3)]


def lines(path, rows, end="\n"):
    path.write_text("\n".join(map(json.dumps, rows)) + end, encoding="utf-8")
    return path


def csv(path):
    path.write_text("id,headline,body\n" + "".join(f'{r["id"]},{r["headline"]},"{r["body"]}"\n' for r in ROWS))
    return path


def rejects(folder):
    with gzip.open(folder / "rejects/part-00000-of-00001.jsonl.gz", "rt", encoding="utf-8") as found:
        return [json.loads(line) for line in found]


def failed(tmp_path, *arguments):
    """The line with which the command fails; there is no output, and nothing is left."""
    done = command(*arguments, "--output", tmp_path / "out", "--quiet")
    assert done.returncode == 1 and done.stdout == "" and not (tmp_path / "out").exists(), done.stderr
    (line,) = done.stderr.splitlines()
    assert leftovers(tmp_path) == []
    assert "there are no rows: " in line and line.endswith(
        "--allow-empty publishes a dataset without rows, with all rejects"
    )
    return line.partition("there are no rows: ")[2].partition("; nothing was published")[0]


@pytest.mark.parametrize(
    "job",
    [
        ("lead-bias",),
        ("annotate",),
        *(
            pytest.param(job, marks=pytest.mark.slow)
            for job in (("gap-sentences", "--workers", "2"), ("wikitransfer", "--profile", "xsum"), ("headline",))
        ),
    ],
)
def test_a_wrong_field_is_a_failure_that_names_the_fields(tmp_path, job):
    assert failed(tmp_path, *job, "--source", "jsonl", "--input", lines(tmp_path / "a.jsonl", ROWS)) == (
        "0 of 3 documents were used; BAD_LINE 3: the line is not a JSON object with the wanted fields (a.jsonl#0: line 1: "
        "no field 'text'; the fields are 'id', 'headline', 'body'; --text-field names another)"
    )


def test_a_last_line_without_an_end_is_not_taken_for_damage(tmp_path):
    line = failed(tmp_path, "lead-bias", "--source", "jsonl", "--input", lines(tmp_path / "a.jsonl", ROWS, end=""))
    assert "no field 'text'" in line


def test_a_csv_taken_for_json_lines_is_a_failure_that_says_so(tmp_path):
    job = ("lead-bias", "--source", "jsonl", "--input", csv(tmp_path / "a.csv"), "--output", tmp_path / "out")
    done = command(*job)
    assert done.returncode == 2 and done.stderr == (
        f"gistmill lead-bias: {tmp_path}/a.csv: not JSON Lines; it looks like CSV; did you mean --source table?\n"
    )


def test_a_filter_that_keeps_nothing_is_a_failure(tmp_path):
    rows = [{**row, "url": "https://a.example/politics/1"} for row in ROWS]
    options = ("--source", "jsonl", "--text-field", "body", "--url-sections", "sports")
    line = failed(tmp_path, "gap-sentences", "--input", lines(tmp_path / "a.jsonl", rows), *options)
    assert (
        line.startswith("0 of 3 documents were used; OTHER_SECTION 3: ")
        and "(a0: https://a.example/politics/1)" in line
    )


def test_the_commonest_reasons_come_first_each_with_an_example(tmp_path):
    german = "Das Wetter war schlecht, aber er gewann das Rennen. Es war sein dritter Sieg. Alle jubelten ihm lange zu."
    rows = [
        {"text": " "},
        {"txt": "a"},
        *[{"id": f"g{n}", "text": f"{german} Nummer {n}."} for n in range(3)],
        {"text": ""},
    ]
    line = failed(tmp_path, "gap-sentences", "--source", "jsonl", "--input", lines(tmp_path / "a.jsonl", rows))
    assert line == (
        "0 of 6 documents were used; LANGUAGE 3: the text is not in a wanted language (g0: de); EMPTY_PAGE 2: the page has "
        "no text (a.jsonl#0: line 1: 'text' is empty); BAD_LINE 1: the line is not a JSON object with the wanted fields "
        "(a.jsonl#14: line 2: no field 'text'; the fields are 'txt'; --text-field names another)"
    )


def test_an_input_without_documents_is_a_failure_of_its_own(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"\n\n")
    (tmp_path / "a.xml").write_bytes(export([]))
    (tmp_path / "a.warc.gz").write_bytes(
        members(record(1, b"text", kind=b"conversion"), record(2, b"", kind=b"warcinfo"))
    )
    assert failed(tmp_path, "lead-bias", "--source", "jsonl", "--input", tmp_path / "a.jsonl") == (
        f"the input holds no documents ({tmp_path}/a.jsonl)"
    )
    assert failed(tmp_path, "lead-bias", "--input", tmp_path / "a.xml") == (
        f"the input holds no documents ({tmp_path}/a.xml)"
    )
    assert failed(tmp_path, "lead-bias", "--source", "warc", "--input", tmp_path / "*.warc.gz") == (
        f"the input holds no documents ({tmp_path}/a.warc.gz), but records of other types: 1 conversion, 1 warcinfo"
    )
    (tmp_path / "b.jsonl").write_bytes(b"\n\n")
    assert failed(tmp_path, "lead-bias", "--source", "jsonl", "--input", tmp_path / "*.jsonl") == (
        f"the input holds no documents ({tmp_path}/a.jsonl and 1 more files)"
    )


@pytest.mark.parametrize("job", ["curriculum", pytest.param("augment", marks=pytest.mark.slow)])
def test_jobs_on_rows_fail_without_rows(tmp_path, job):
    pairs = lines(tmp_path / "p.jsonl", [{"id": n, "inputs": TEXT, "targets": ""} for n in range(2)])
    assert failed(tmp_path, job, "--input", pairs) == (
        "0 of 2 pairs were used; NO_TEXT 2: the pair has no inputs or no targets (0: line 1: 'targets' is empty)"
    )
    (tmp_path / "e.tsv").write_text("id\tinputs\ttargets\n")
    assert failed(tmp_path, job, "--input", tmp_path / "e.tsv") == f"the input holds no pairs ({tmp_path}/e.tsv)"
    line = failed(tmp_path, job, "--input", csv(tmp_path / "a.csv"))
    assert "BAD_ROW 4: " in line and "not JSON: it begins with 'id,headline,body'; the file looks like CSV)" in line


@pytest.mark.slow
def test_rows_that_are_all_left_out_are_none(tmp_path):
    made = ("synthetic", "--tasks", "ensemble", "--documents", "9", "--splits", "1,0,0")
    assert failed(tmp_path, *made, "--rows", "0") == "--rows leaves out all 9 that were made"
    succeed(*made, "--output", tmp_path / "some", "--quiet")
    assert (
        failed(tmp_path, "mix", "--input", tmp_path / "some", "--rows", "0") == "--rows leaves out all 9 that were made"
    )


def test_an_existing_dataset_stays_and_only_a_run_that_may_be_resumed_leaves_what_it_finished(tmp_path):
    good, bad = lines(tmp_path / "good.jsonl", ROWS), lines(tmp_path / "bad.jsonl", ROWS)
    job = ("gap-sentences", "--source", "jsonl", "--output", tmp_path / "out", "--quiet")
    succeed(*job, "--input", good, "--text-field", "body", "--deduplicate", "none")
    before = (tmp_path / "out/manifest.json").read_bytes()
    done = command(*job, "--input", bad, "--overwrite")
    assert done.returncode == 1 and "there are no rows" in done.stderr
    assert (tmp_path / "out/manifest.json").read_bytes() == before and leftovers(tmp_path) == []
    done = command(*job, "--input", bad, "--overwrite", "--resume")
    assert done.returncode == 1 and "there are no rows" in done.stderr and len(leftovers(tmp_path)) == 1
    done = command(*job, "--input", bad, "--overwrite", "--resume", "--allow-empty")
    assert done.returncode == 0 and "1 ranges are finished" in done.stderr, done.stderr
    made = manifest(tmp_path / "out")
    assert made["counts"]["documents"] == {"read": 3} and leftovers(tmp_path) == []
    assert [r["reason"] for r in rejects(tmp_path / "out")] == ["BAD_LINE"] * 3
    assert "allow_empty" not in made["configuration"]
    succeed("validate", tmp_path / "out")


def test_a_dataset_without_rows_is_not_an_input(tmp_path):
    bad = lines(tmp_path / "bad.jsonl", ROWS)
    succeed("annotate", "--source", "jsonl", "--input", bad, "--output", tmp_path / "none", "--allow-empty", "--quiet")
    done = command("discofuse", "--source", "annotated", "--input", tmp_path / "none", "--output", tmp_path / "out")
    assert done.returncode == 2 and f"{tmp_path}/none has no rows in Parquet files" in done.stderr


def test_one_row_is_enough(tmp_path):
    good = lines(tmp_path / "good.jsonl", [*ROWS, {"text": f"{TEXT} {TEXT.replace('bridge', 'road')}"}])
    succeed("gap-sentences", "--source", "jsonl", "--input", good, "--output", tmp_path / "out", "--quiet")
    assert manifest(tmp_path / "out")["counts"]["documents"] == {"read": 4, "used": 1}


def test_python_raises_a_failure_and_takes_the_keyword(tmp_path, capfd):
    options = {"source": "jsonl", "input": lines(tmp_path / "a.jsonl", ROWS), "output": tmp_path / "out"}
    with pytest.raises(gistmill.JobFailed, match="no field 'text'; the fields are 'id', 'headline', 'body'") as raised:
        gistmill.build("lead-bias", **options)
    assert isinstance(raised.value, EmptyDatasetError) and not (tmp_path / "out").exists()
    made = gistmill.build("lead-bias", **options, allow_empty=True)
    assert made.splits() == () and made.validate() == [] and capfd.readouterr() == ("", "")


def test_a_configuration_may_allow_it(tmp_path):
    (tmp_path / "c.yaml").write_text("allow_empty: true\n")
    bad = lines(tmp_path / "bad.jsonl", ROWS)
    job = ("lead-bias", "--source", "jsonl", "--input", bad, "--output", tmp_path / "out", "--quiet")
    succeed(*job, "--config", tmp_path / "c.yaml")
    assert manifest(tmp_path / "out")["counts"]["documents"]["read"] == len(ROWS)
    assert "rows" not in manifest(tmp_path / "out")["counts"]


@pytest.mark.slow
def test_redirects_alone_are_not_rows(tmp_path):
    redirects = [page for page in small_pages() if b"<redirect" in page][:2]
    (tmp_path / "a.xml").write_bytes(export(redirects))
    line = failed(tmp_path, "discofuse", "--input", tmp_path / "a.xml")
    assert line.startswith("0 of 2 documents were used; REDIRECT 2: the page is a redirect (wikipedia-")


@pytest.mark.slow
def test_responses_that_are_not_pages_are_not_rows(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(members(record(1, http(b"x", status=b"404 Not Found"))))
    line = failed(tmp_path, "lead-bias", "--source", "warc", "--input", tmp_path / "a.warc.gz")
    assert line.startswith("0 of 1 documents were used; HTTP_STATUS 1: ")
