"""``gistmill wikitransfer`` by the real command: four profiles in one pass over the slice of enwiki, and fitted ones."""

import bz2
import gzip
import json
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from rouge_score.rouge_scorer import RougeScorer

from benchmarks.slice import slice_path
from gistmill.pipelines.cli import main
from gistmill.pipelines.job import configure
from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.rules.wikitransfer.example import COLUMNS
from gistmill.rules.wikitransfer.profile import profile_of
from gistmill.rules.wikitransfer.profiles import BUILT_IN, profiles
from gistmill.rules.wikitransfer.recipe import WikiTransfer, WikiTransferConfig
from gistmill.transforms.sources.files.ranges import FileRange, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import plan_files, read_range
from gistmill.transforms.steps.clean import Cleaner
from gistmill.transforms.steps.segment import segment_clean
from tests.commands import data_checksums, gistmill, manifest, succeed
from tests.dumps import export, small_pages
from tests.samples import CRAWLS, PAIR_FILES

CORPORA = Path(__file__).parents[2] / "corpora"
SCORER = RougeScorer(["rouge1"])


def profiles_of(path):
    """The profiles of a file, as the command reads them."""
    config = configure(WikiTransfer, {"input": "x", "output": "y", "profile": str(path)})
    return config.of(WikiTransferConfig).profile


ALL = {p["name"]: profile_of(p) for p in profiles(BUILT_IN)}
# For short pages: anything goes.
SMALL = """\
sentences: 2
min_oracle: 5
max_oracle: 35
remove_until_in_range: true
max_document_words: 300
"""


def rows(folder, config):
    return [r for f in sorted((folder / config / "parquet").glob("*.parquet")) for r in pq.read_table(f).to_pylist()]


def stats(folder):
    return json.loads((folder / "stats.json").read_text(encoding="utf-8"))


def rejects(folder):
    return [
        json.loads(line) for f in (folder / "rejects").glob("*.gz") for line in gzip.open(f, "rt", encoding="utf-8")
    ]


def f1(row):
    return 100 * SCORER.score(row["targets"], row["oracle_summary"])["rouge1"].fmeasure


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "transfer"
    succeed(
        "wikitransfer",
        "--config",
        CORPORA / "wikitransfer.yaml",
        "--splits",
        "60,20,20",
        "--input",
        slice_path(),
        "--output",
        folder,
    )
    return folder


@pytest.mark.slow
def test_every_kept_example_is_in_its_bin_by_rouge_score_itself(whole):
    for name, profile in ALL.items():
        found = rows(whole, name)
        assert len(found) > 20
        for row in found:
            assert list(row) == [c.name for c in COLUMNS]
            exact = 100 * Fraction(f1(row) / 100).limit_denominator(10_000)  # which rouge-score rounds several times
            assert profile.min_oracle <= exact <= profile.max_oracle and row["oracle_rouge"] == float(exact)
            assert profile.min_document_words <= len(row["inputs"].split()) <= profile.max_document_words
            assert len(row["summary_indices"]) == len(row["oracle_indices"]) == row["sentences"] == profile.sentences
            assert "\n" not in row["targets"] and row["title"] and row["revision"]
            front = row["oracle_summary"].replace("\n", " ")
            assert row["inputs"].split("\n")[0] == front or not profile.oracle_first
            assert profile.remove_until_in_range or not row["removed_indices"]
    assert any(r["removed_indices"] for r in rows(whole, "xsum"))
    assert any(r["summary_indices"] != [0] for r in rows(whole, "reddit"))


@pytest.mark.slow
def test_nothing_vanishes_in_any_profile(whole):
    counts = manifest(whole)["counts"]
    documents, refused = counts["documents"], counts["documents/rejected"]
    assert documents["read"] == 206 == documents["used"] + sum(refused.values())
    kept = {name: {r["document_id"] for r in rows(whole, name)} for name in ALL}
    assert len(set.union(*kept.values())) == documents["used"]
    listed = rejects(whole)
    for name, ids in kept.items():
        mine = stats(whole)["counts"][f"profiles/{name}"]
        assert mine["used"] == len(ids) == sum(counts[f"rows/{name}"].values())
        assert mine["read"] == mine["used"] + sum(n for k, n in mine.items() if k.startswith("rejected/"))
        others = {r["id"] for r in listed if r["unit"] == "profile" and r["detail"].startswith(f"{name}: ")}
        assert others == set.union(*kept.values()) - ids  # what another profile used is listed for those that did not
    assert {r["reason"] for r in listed if r["stage"] == "recipe"} > {"ORACLE_TOO_LOW", "NO_PROFILE"}


def test_the_figures_are_those_of_the_rows(whole):
    figures = stats(whole)["figures"]
    for name, profile in ALL.items():
        found = rows(whole, name)
        means = {r["measure"]: r[name] for r in figures["measures"]}
        for measure in ("document words", "summary words", "compression", "coverage", "density", "oracle ROUGE"):
            column = measure.replace(" ", "_").replace("ROUGE", "rouge")
            assert means[measure] == pytest.approx(sum(r[column] for r in found) / len(found), abs=1e-3)
        assert means["share with sentences removed"] == pytest.approx(
            sum(bool(r["removed_indices"]) for r in found) / len(found), abs=1e-6
        )
        assert 0 < means["novel 1-grams"] < means["novel 2-grams"] < means["novel 4-grams"] < 1
        documents = {r["documents"]: r[name] for r in figures["profiles"]}
        assert documents["used"] == len(found) < documents["read"]
        kept = sum(r[f"{name} kept"] for r in figures["oracle"])
        counts = stats(whole)["counts"][f"profiles/{name}"]
        outside = sum(n for reason, n in counts.items() if reason.startswith("rejected/ORACLE_TOO"))
        assert kept == len(found) and sum(r[name] for r in figures["oracle"]) == kept + outside
        for row in figures["oracle"]:
            inside = [r for r in found if int(row["from"]) <= r["oracle_rouge"] < int(row["from"]) + 2]
            assert row[f"{name} kept"] == len(inside)
        for measure in ("document_words", "summary_words", "compression", "coverage", "density"):
            assert sum(r[name] for r in figures[measure]) == len(found)
        if not profile.remove_until_in_range:
            inside = next(
                r for r in figures["bins"] if r["bin"].endswith(f"{profile.min_oracle:g} to {profile.max_oracle:g}")
            )
            assert inside[f"{name} kept"] == len([r for r in found if r["oracle_rouge"] < profile.max_oracle])
    report = (whole / "report.html").read_text(encoding="utf-8")
    assert "Kept by bin" in report and "Extractive fragment density" in report and "measures/cnndm" not in report


@pytest.mark.slow
def test_the_same_bytes_with_two_workers_and_datasets_reads_them(whole, tmp_path):
    import datasets

    succeed(
        "wikitransfer",
        "--config",
        CORPORA / "wikitransfer.yaml",
        "--splits",
        "60,20,20",
        "--input",
        slice_path(),
        "--output",
        tmp_path / "two",
        "--workers",
        "2",
    )
    assert data_checksums(tmp_path / "two") == data_checksums(whole)
    assert "profiles" not in gistmill("validate", tmp_path / "two").stderr
    for name in BUILT_IN:
        loaded = datasets.load_dataset(str(whole), name, cache_dir=str(tmp_path / "cache"))
        assert sum(len(split) for split in loaded.values()) == len(rows(whole, name))
    assert len(datasets.load_dataset(str(whole), cache_dir=str(tmp_path / "cache"))["train"]) > 0  # cnndm, the first


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.xml.bz2").write_bytes(bz2.compress(export(small_pages())))
    (folder / "own.yaml").write_text(SMALL, encoding="utf-8")
    succeed(
        "wikitransfer",
        "--profile",
        f"{folder}/own.yaml,xsum",
        "--input",
        folder / "small.xml.bz2",
        "--output",
        folder / "out",
        "--splits",
        "60,20,20",
        "--formats",
        "parquet,tfrecord,tsv",
    )
    return folder


@pytest.mark.slow
def test_a_profile_of_ones_own_and_the_plain_functions(small, tmp_path):
    own = profile_of({"name": "own", **yaml.safe_load(SMALL)})
    recipe, made = WikiTransfer(WikiTransferConfig(profile=[own])), {}
    config = WikipediaConfig()
    with closing(Cleaner()) as cleaner:
        for piece in plan_files(expand_inputs(str(small / "small.xml.bz2")), workspace=str(tmp_path), config=config):
            for raw in read_range(piece, config) if isinstance(piece, FileRange) else ():
                if isinstance(raw, RawDocument) and isinstance(clean := cleaner.clean(raw), CleanDocument):
                    made |= {r.id: dict(r.values) for r in recipe.process(segment_clean(clean)).rows}
    found = {r["id"]: r for r in rows(small / "out", "own")}
    assert made == found and len(found) > 3
    assert manifest(small / "out")["configuration"]["profile"][0] == own.to_values()


@pytest.mark.slow
def test_annotated_documents_and_the_sentences_of_a_parser(small, tmp_path):
    dump, arguments = small / "small.xml.bz2", ("--profile", small / "own.yaml", "--splits", "60,20,20")
    succeed("annotate", "--input", dump, "--output", tmp_path / "annotated", "--coref", "none")
    succeed(
        "wikitransfer",
        "--source",
        "annotated",
        "--input",
        tmp_path / "annotated",
        "--output",
        tmp_path / "a",
        *arguments,
    )
    succeed("wikitransfer", "--input", dump, "--sentences", "parser", "--output", tmp_path / "b", *arguments)
    keys = ("id", "inputs", "targets", "oracle_rouge")
    a, b = ([[r[k] for k in keys] for r in rows(tmp_path / name, "own")] for name in "ab")
    assert a == b and a


@pytest.mark.slow
def test_jsonl(small, tmp_path):
    lines = [
        json.dumps({"text": r["targets"] + "\n" + r["inputs"], "title": r["title"]}) for r in rows(small / "out", "own")
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(lines), encoding="utf-8")
    succeed(
        "wikitransfer",
        "--source",
        "jsonl",
        "--input",
        tmp_path / "in.jsonl",
        "--profile",
        small / "own.yaml",
        "--output",
        tmp_path / "out",
        "--splits",
        "60,20,20",
    )
    found = rows(tmp_path / "out", "own")
    assert found and {r["title"] for r in found} <= {r["title"] for r in rows(small / "out", "own")}


@pytest.mark.slow
@pytest.mark.parametrize("crawl", CRAWLS)
def test_a_crawl_of_news(small, tmp_path, crawl):
    succeed(
        "wikitransfer",
        "--source",
        "warc",
        "--input",
        crawl.path,
        "--profile",
        f"{small}/own.yaml,cnndm",
        "--output",
        tmp_path / "out",
        "--splits",
        "60,20,20",
    )
    counts = manifest(tmp_path / "out")["counts"]
    read, used = counts["documents"]["read"], counts["documents"]["used"]
    assert read == crawl.pages == used + sum(counts["documents/rejected"].values())
    found = rows(tmp_path / "out", "own")
    assert found and all(r["url"].startswith("http") and r["record"] and 5 <= f1(r) <= 35 for r in found)


def test_the_configuration_reads_back(small, tmp_path):
    printed = gistmill(
        "wikitransfer", "--profile", f"reddit,{small}/own.yaml", "--input", "x.bz2", "--output", "o", "--print-config"
    ).stdout
    (tmp_path / "c.yaml").write_text(printed, encoding="utf-8")
    assert gistmill("wikitransfer", "--config", tmp_path / "c.yaml", "--print-config").stdout == printed
    assert yaml.safe_load(printed)["profile"][0]["selection"] == "ind-orig"


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        (None, "--profile is required"),
        ("xsun", "did you mean xsum?"),
        ("xsum,xsum", "two profiles have the name 'xsum'"),
        ("nope.yaml", "nope.yaml: No such file"),
        ("{tmp}/bad.yaml", "bad.yaml is not YAML"),
        ("{tmp}/list.yaml", "does not hold a mapping"),
        ("{tmp}/wrong.yaml", "profile 'wrong': min_oracle: 50 is above max_oracle, 40"),
        ("{tmp}/unknown.yaml", "profile 'unknown': unknown key 'max_orakel'"),
        ("", "expected cnndm, xsum"),
    ],
)
def test_bad_profiles_are_one_line(profile, said, tmp_path, capsys):
    (tmp_path / "bad.yaml").write_text("a: [", encoding="utf-8")
    (tmp_path / "list.yaml").write_text("- 1", encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text("sentences: 1\nmin-oracle: 50\nmax_oracle: 40", encoding="utf-8")
    (tmp_path / "unknown.yaml").write_text("sentences: 1\nmax_orakel: 40", encoding="utf-8")
    given = ["--profile", profile.format(tmp=tmp_path)] if profile is not None else []
    assert main(["wikitransfer", "--input", "x.xml.bz2", "--output", str(tmp_path / "out"), *given]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line and not (tmp_path / "out").exists()


def test_help(capsys):
    with pytest.raises(SystemExit) as left:
        main(["wikitransfer", "--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert "--profile NAMES" in said and "--fit" in said and "bigpatent" in said
    with pytest.raises(SystemExit):
        main(["wikitransfer", "--fit", "--help"])
    assert "--summary-field" in capsys.readouterr().out


class TestFit:
    @pytest.fixture
    def pairs(self, tmp_path):
        lines = [
            json.dumps(
                {
                    "article": [
                        f"It rained in place {i}. Nobody knew why.",
                        f"They left the place number {i}. It was hot.",
                    ],
                    "highlights": f"They left place {i}.",
                }
            )
            for i in range(12)
        ]
        path = tmp_path / "my pairs.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    def fields(self, pairs):
        return ["wikitransfer", "--fit", str(pairs), "--document-field", "article", "--summary-field", "highlights"]

    def test_what_is_written_is_a_profile(self, pairs, small, tmp_path, capsys):
        output = tmp_path / "mine.yaml"
        assert main([*self.fields(pairs), "--output", str(output)]) == 0
        assert capsys.readouterr().out.startswith(f"{output}: M 1, oracle ")
        (read,) = profiles_of(output)
        assert read["name"] == "mine" and read["sentences"] == 1 and read["min_document_words"] == 17
        assert main([*self.fields(pairs), "--output", str(output)]) == 2  # it is there already
        assert "--overwrite" in capsys.readouterr().err
        assert (
            main([*self.fields(pairs), "--output", str(output), "--overwrite", "--name", "other", "--limit", "3"]) == 0
        )
        assert profiles_of(output)[0]["name"] == "other"
        assert [p.name for p in tmp_path.glob(".*")] == []

    def test_it_is_printed(self, pairs, capsys):
        assert main(self.fields(pairs)) == 0
        printed = capsys.readouterr().out
        assert "12 pairs of my pairs.jsonl" in printed and yaml.safe_load(printed)["name"] == "my-pairs"
        assert main([*self.fields(pairs), "--sentences", "lines"]) == 0
        assert yaml.safe_load(capsys.readouterr().out)["max_oracle"] != yaml.safe_load(printed)["max_oracle"]

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (["--summary-field", "tldr"], "line 1 has no text 'tldr'; it has article, highlights"),
            (["--share", "0"], "the share of the sample"),
            (["--share", "1.5"], "expected a number from 0 to 1"),
            (["--limit", "0"], "expected a whole number"),
            (["--name", "A B"], "not 'A B'"),
            (["--rouge", "rouge9"], "rouge9"),
            (["--input", "x"], "unrecognized arguments"),
            (["--output", "/nowhere/at/all.yaml"], "No such file"),
        ],
    )
    def test_bad_arguments_are_one_line(self, pairs, more, said, capsys):
        assert main([*self.fields(pairs), *more]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line

    @pytest.mark.slow
    @pytest.mark.parametrize("file", PAIR_FILES)
    def test_a_fitted_profile_makes_a_corpus(self, tmp_path, file):
        succeed("wikitransfer", "--fit", file, "--output", tmp_path / "news.yaml")
        profile = profile_of(profiles_of(tmp_path / "news.yaml")[0])
        succeed(
            "wikitransfer",
            "--profile",
            tmp_path / "news.yaml",
            "--input",
            slice_path(),
            "--limit",
            "150",
            "--output",
            tmp_path / "out",
            "--splits",
            "60,20,20",
        )
        found = rows(tmp_path / "out", "news")
        assert found
        for row in found:
            assert profile.min_oracle <= f1(row) <= profile.max_oracle
            assert profile.min_summary_words <= row["summary_words"] <= profile.max_summary_words
            assert row["sentences"] == 4
