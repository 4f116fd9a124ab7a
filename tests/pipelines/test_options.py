"""Flags, YAML and defaults become one checked configuration; what is wrong is one line that names it."""

import dataclasses
import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill import corpora
from gistmill.pipelines.cli import HELPERS, main
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import InputConfig, OutputConfig, RunConfig, configure
from gistmill.pipelines.options import Parsed, dump, parse
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.steps.choose_split import SplitConfig

NEEDED = ("--input", "a", "--output", "o")


def read(*argv):
    return parse(DiscoFuse, argv)


def test_defaults_and_flags():
    config = read("--input", "a.bz2,b.bz2", "--output=o", "--shards=3", "--overwrite").config
    output = config.of(OutputConfig)
    assert config.of(InputConfig).input == ("a.bz2,b.bz2",)
    assert (output.output, output.shards, output.overwrite) == ("o", 3, True)
    assert output.formats == ("parquet", "tfrecord") and config.of(SplitConfig).splits == (98.0, 1.0, 1.0)
    assert config.of(DiscoFuseConfig) == DiscoFuseConfig() and config.of(RunConfig).workers is None


def test_a_flag_beats_the_file_and_the_file_a_default(tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text(
        "job: discofuse\ninput: [x.xml]\noutput: o\ncoref: none\nshards: 4\noverwrite: true\n"
        "balanced_rates: {PAIR_NONE/and: 0.5}\nbeam: {runner: FlinkRunner}\n"
    )
    parsed = read("--config", str(file), "--shards", "9", "--no-overwrite", "--parallelism", "2")
    output = parsed.config.of(OutputConfig)
    assert (output.shards, output.overwrite) == (9, False)
    assert parsed.config.to_values()["coref"] == "none"
    assert parsed.config.of(DiscoFuseConfig).balanced_rates == {"PAIR_NONE/and": 0.5}
    assert parsed.beam == ("--runner=FlinkRunner", "--parallelism", "2")
    assert parsed.given["shards"] == "--shards" and parsed.given["coref"] == f"coref in {file}"


def test_hyphens_and_underscores_are_the_same_in_yaml(tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("temp-dir: t\ninput: x\noutput: o\n")
    assert read("--config", str(file)).config.of(RunConfig).temp_dir == "t"


def test_a_preset_is_found_by_its_name_and_a_file_comes_first(tmp_path, monkeypatch):
    assert read("--config", "discofuse-demo", *NEEDED).config.of(SplitConfig).splits == (80.0, 10.0, 10.0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "discofuse-demo").write_text("splits: [1, 1, 1]\n")
    assert read("--config", "discofuse-demo", *NEEDED).config.of(SplitConfig).splits == (1.0, 1.0, 1.0)


def test_what_is_wrong_is_named():
    for argv, message in [
        (["--shard", "3"], "unknown option --shard; did you mean --shards"),
        (["--shards", "0"], "--shards: expected a whole number of at least 1, not '0'"),
        (["--coref", "seive"], "--coref: expected one of .* did you mean sieve"),
        (["--parallelsm", "2"], "did you mean --parallelism"),
        (["stray"], "unexpected argument 'stray'"),
        (["--balanced-rates", "{PAIR_NON: 1}"], "'PAIR_NON' does not name a discourse type"),
        (["--balanced-rates", "{PAIR_NONE: 2}"], "from 0 to 1"),
        (["--splits", "98,x,1"], "--splits: expected a number of at least 0, not '98,x,1'"),
        (["--splits", "98,1"], "--splits: expected 3 values"),
        (["--splits", "0,0,0"], "three shares such as 98,1,1"),
        (["--config", "missing.yaml"], "missing.yaml: No such file"),
        (["--config", "discofuse-dmo"], "No such file .*did you mean discofuse-demo"),
    ]:
        with pytest.raises(ConfigError, match=message):
            read(*NEEDED, *argv)


@pytest.mark.parametrize("missing", ["input", "output"])
def test_what_is_missing_is_named(missing):
    given = [a for name in ("input", "output") if name != missing for a in (f"--{name}", "x")]
    with pytest.raises(ConfigError, match=f"--{missing} is required"):
        read(*given)
    assert read(*given, "--print-config").print_config


def test_what_is_wrong_in_the_file_is_named(tmp_path):
    for text, message in [
        ("shard: 3", "unknown key 'shard' in .*did you mean shards"),
        ("- a\n- b", "must hold a mapping"),
        ("a: [", "is not YAML"),
        ("job: annotate", "describes the job 'annotate', not 'discofuse'"),
        ("shards: true", "shards in .*whole number"),
        ("overwrite: 3", "overwrite in .*true or false"),
        ("beam: 3", "must be a mapping"),
        ("beam: {runer: x}", "unknown option --runer; did you mean --runner"),
        ("\x00", "is not YAML"),
    ]:
        file = tmp_path / "c.yaml"
        file.write_text(text)
        with pytest.raises(ConfigError, match=message):
            read(*NEEDED, "--config", str(file))


@given(
    st.integers(1, 99),
    st.sampled_from(["none", "sieve"]),
    st.booleans(),
    st.dictionaries(st.sampled_from(["PAIR_NONE", "PAIR_CONN/and"]), st.floats(0, 1), max_size=2),
)
@settings(max_examples=10)
def test_printed_configuration_reads_back_the_same(tmp_path_factory, shards, coref, overwrite, rates):
    values = {
        "input": ("a b", "ü"),
        "output": "o",
        "shards": shards,
        "coref": coref,
        "splits": (1.0, 2.5, 3.0),
        "overwrite": overwrite,
        "balanced_rates": rates,
    }
    parsed = Parsed(config=configure(DiscoFuse, values), beam=("--runner=FlinkRunner",), print_config=False)
    path = tmp_path_factory.mktemp("c") / "c.yaml"
    path.write_text(dump(parsed), encoding="utf-8")
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["job"] == "discofuse"
    assert dataclasses.replace(read("--config", str(path)), given={}) == parsed


def test_help_shows_defaults_and_sources(capsys):
    with pytest.raises(SystemExit) as stop:
        read("--help")
    assert stop.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "--splits" in shown
        and "(default: 98,1,1)" in shown
        and "[wikipedia, wikipedia-html, warc, jsonl, table]" in shown
    )
    assert "gistmill discofuse --input enwiki" in shown and "gistmill presets" in shown


@pytest.mark.parametrize(
    ("argv", "code", "text"),
    [
        (["--help"], 0, "Build:"),
        ([], 2, "Build:"),
        (["--version"], 0, "gistmill"),
    ],
)
def test_overview(capsys, argv, code, text):
    assert main(argv) == code
    assert text in capsys.readouterr().out


def test_the_overview_has_every_job_in_one_group(capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    parts = re.split(r"\n\n(Build|Refine|Look|Sentences|Run):\n", shown)
    assert parts[1::2] == ["Build", "Refine", "Look", "Sentences", "Run"]
    groups = [re.findall(r"^  ([a-z-]+)  ", part, re.MULTILINE) for part in parts[2::2]]
    assert sorted(name for group in groups for name in group) == sorted([*RECIPES, *HELPERS])
    assert {"mix", "augment", "curriculum"} == set(groups[1]) and "discofuse" in groups[0]


def test_help_of_a_job_begins_with_what_has_to_be_given(capsys):
    for job in ["gap-sentences", "mix", "synthetic", "validate", "diff", "trace", "why", "estimate"]:
        shown = []
        for arguments in ([job, "--help"], ["help", job]):
            with pytest.raises(SystemExit) as stop:
                main(arguments)
            assert stop.value.code == 0
            shown.append(capsys.readouterr().out)
        assert shown[0] == shown[1]
        usage = shown[0].split("\n\n")[0].splitlines()
        assert len(usage) == 1 and usage[0].startswith(f"usage: gistmill {job} ") and "options" in usage[0]


def test_the_usage_names_required_options_and_arguments(capsys):
    usages = {}
    for job in ("gap-sentences", "synthetic", "diff", "split"):
        with pytest.raises(SystemExit):
            main([job, "--help"])
        usages[job] = capsys.readouterr().out.splitlines()[0]
    assert usages == {
        "gap-sentences": "usage: gistmill gap-sentences --input FILES --output FOLDER [options]",
        "synthetic": "usage: gistmill synthetic --output FOLDER [options]",
        "diff": "usage: gistmill diff OLD NEW [options]",
        "split": "usage: gistmill split [options]",
    }


def test_help_of_no_job_is_one_line(capsys):
    assert main(["help", "discofus"]) == 2
    assert capsys.readouterr().err == "gistmill: unknown job 'discofus'; did you mean discofuse?\n"


def test_input_and_output_have_a_letter():
    long = read("--input", "a.xml", "--output", "out").config
    assert read("-i", "a.xml", "-o", "out").config == long == read("-ia.xml", "-oout").config


def test_the_presets_are_listed_with_their_jobs(capsys):
    assert main(["presets"]) == 0
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()[1:]]
    assert [name for name, *_ in lines] == list(corpora.NAMES)
    assert [
        "lead-bias-news",
        "lead-bias",
        "Summaries from the leads of news articles, by the bounds of the paper",
    ] in lines
    assert all(job in RECIPES and subject for _, job, subject in lines)


def test_a_preset_is_printed_as_it_is(capsys):
    assert main(["presets", "nonsense"]) == 0
    assert capsys.readouterr().out == corpora.preset("nonsense").read_text(encoding="utf-8")
    assert main(["presets", "nonsens"]) == 2
    assert capsys.readouterr().err == "gistmill presets: there is no preset 'nonsens'; did you mean nonsense?\n"


def test_an_unknown_job_is_one_clear_line(capsys):
    assert main(["discofus"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "did you mean discofuse?" in error
