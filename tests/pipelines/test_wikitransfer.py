"""``gistmill wikitransfer`` by the real command: four profiles in one pass over the slice of enwiki, and fitted ones."""

import pytest
import yaml

from benchmarks.slice import slice_path
from gistmill.pipelines.job import configure
from gistmill.rules.segmentation import segment_clean
from gistmill.rules.wikitransfer.example import profile_of
from gistmill.rules.wikitransfer.profiles import BUILT_IN, profiles
from gistmill.rules.wikitransfer.recipe import WikiTransfer, WikiTransferConfig
from tests.cases import by_heading
from tests.commands import make, manifest, refusal, rejects, rows, stats, write_jsonl
from tests.pipelines.plain import cleaned

CASES = by_heading(__file__)
JOB = "wikitransfer --splits 60,20,20"
ALL = {p["name"]: profile_of(p) for p in profiles(BUILT_IN)}
# For short pages: anything goes.
SMALL = """\
sentences: 2
min_oracle: 5
max_oracle: 35
remove_until_in_range: true
max_document_words: 300
"""


def profiles_of(path):
    """The profiles of a file, as the command reads them."""
    config = configure(WikiTransfer, {"input": "x", "output": "y", "profile": str(path)})
    return config.of(WikiTransferConfig).profile


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "transfer"
    make(f"{JOB} --config wikitransfer --input {slice_path()} --output {folder}")
    return folder


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


@pytest.mark.slow
def test_the_figures_are_those_of_the_rows(whole):
    figures = stats(whole)["figures"]
    for name, profile in ALL.items():
        found = rows(whole, name)
        means = {r["measure"]: r[name] for r in figures["measures"]}
        for measure in ("document words", "summary words", "compression", "coverage", "density", "oracle ROUGE"):
            column = measure.replace(" ", "_").replace("ROUGE", "rouge")
            assert means[measure] == pytest.approx(sum(r[column] for r in found) / len(found), abs=1e-3)
        removed = sum(bool(r["removed_indices"]) for r in found)
        assert means["share with sentences removed"] == pytest.approx(removed / len(found), abs=1e-6)
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
            ending = f"{profile.min_oracle:g} to {profile.max_oracle:g}"
            inside = next(r for r in figures["bins"] if r["bin"].endswith(ending))
            assert inside[f"{name} kept"] == len([r for r in found if r["oracle_rouge"] < profile.max_oracle])
    report = (whole / "report.html").read_text(encoding="utf-8")
    assert "Kept by bin" in report and "Extractive fragment density" in report and "measures/cnndm" not in report


@pytest.fixture(scope="module")
def small(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "own.yaml").write_text(SMALL, encoding="utf-8")
    options = f"--profile {folder}/own.yaml,xsum --formats parquet,tfrecord,tsv"
    make(f"{JOB} --input {dump} --output {folder}/out {options}")
    return folder


@pytest.mark.slow
def test_a_profile_of_ones_own_and_the_plain_functions(dump, small, tmp_path):
    own = profile_of({"name": "own", **yaml.safe_load(SMALL)})
    recipe = WikiTransfer(WikiTransferConfig(profile=[own]))
    made = {r.id: dict(r.values) for d in cleaned(dump, tmp_path) for r in recipe.process(segment_clean(d)).rows}
    found = {r["id"]: r for r in rows(small / "out", "own")}
    assert made == found and len(found) > 3
    assert manifest(small / "out")["configuration"]["profile"][0] == own.to_values()


def test_bad_profiles_are_one_line(tmp_path):
    (tmp_path / "bad.yaml").write_text("a: [", encoding="utf-8")
    (tmp_path / "list.yaml").write_text("- 1", encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text("sentences: 1\nmin-oracle: 50\nmax_oracle: 40", encoding="utf-8")
    (tmp_path / "unknown.yaml").write_text("sentences: 1\nmax_orakel: 40", encoding="utf-8")
    for given, said in CASES["profiles that cannot be used"]:
        assert said in refusal(f"wikitransfer --input x.xml.bz2 --output out {given}", cwd=tmp_path)
        assert not (tmp_path / "out").exists()


@pytest.fixture
def fit(tmp_path):
    """The command that fits a profile to a file of pairs."""
    lines = [
        {
            "article": [f"It rained in place {i}. Nobody knew why.", f"They left the place number {i}. It was hot."],
            "highlights": f"They left place {i}.",
        }
        for i in range(12)
    ]
    path = write_jsonl(tmp_path / "my pairs.jsonl", lines)
    return f"wikitransfer --fit '{path}' --document-field article --summary-field highlights"


def test_a_profile_is_fitted_to_pairs_and_written(fit, tmp_path):
    output = tmp_path / "mine.yaml"
    assert make(fit, "--output", output).stdout.startswith(f"{output}: M 1, oracle ")
    (read,) = profiles_of(output)
    assert read["name"] == "mine" and read["sentences"] == 1 and read["min_document_words"] == 17
    assert "--overwrite" in refusal(fit, "--output", output)  # it is there already
    make(fit, "--output", output, "--overwrite --name other --limit 3")
    assert profiles_of(output)[0]["name"] == "other"
    assert [p.name for p in tmp_path.glob(".*")] == []


def test_a_fitted_profile_is_printed(fit):
    printed = make(fit).stdout
    assert "12 pairs from my pairs.jsonl" in printed and yaml.safe_load(printed)["name"] == "my-pairs"
    assert yaml.safe_load(make(fit, "--sentences lines").stdout)["max_oracle"] != yaml.safe_load(printed)["max_oracle"]
    assert "--summary-field" in make("wikitransfer --fit --help").stdout


def test_bad_arguments_of_a_fit_are_one_line(fit):
    for more, said in CASES["bad arguments of a fit"]:
        assert said in refusal(fit, more)
