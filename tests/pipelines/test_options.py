"""Flags, YAML and defaults become one checked configuration; what is wrong is one line that names it."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.pipelines.cli import names
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import InputConfig, OutputConfig, RunConfig, configure
from gistmill.pipelines.options import Parsed, dump, parse
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.steps.recipe import SplitConfig
from tests.cases import by_heading
from tests.commands import make

CASES = by_heading(__file__)

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
    for argv, message in CASES["what is wrong is named"]:
        with pytest.raises(ConfigError, match=message):
            read(*NEEDED, *argv)


def test_what_is_missing_is_named():
    for missing, more in (("input", ("--output", "x")), ("output", ("--input", "x"))):
        with pytest.raises(ConfigError, match=f"--{missing} is required"):
            read(*more)
        assert read(*more, "--print-config").print_config


def test_what_is_wrong_in_the_file_is_named(tmp_path):
    for text, message in CASES["what is wrong in the file is named"]:
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
    assert read("--config", str(path)) == parsed


def test_input_and_output_have_a_letter():
    long = read("--input", "a.xml", "--output", "out").config
    assert read("-i", "a.xml", "-o", "out").config == long == read("-ia.xml", "-oout").config


# A job with options, and what is printed of them.
PRINTED = {
    "gap-sentences --config gap-sentences --input x.bz2 --stemmer": "stemmer: true",
    "headline --config headline-news --input x.gz --list-headlines": "list_headlines: true\nquestion_headlines: false",
    "lead-bias --config lead-bias-wikipedia --input x.bz2": "lead: lead-section",
    "wikitransfer --profile reddit,own.yaml --input x.bz2": "selection: ind-orig",
    "propositions --input x.gz --precision generous": "precision: generous",
    "synthetic --tasks ensemble,sr --seed 5": "documents: 110000",
    "curriculum --input x --id-field key": "id_field: key",
}


def test_the_configuration_of_every_kind_of_job_reads_back(tmp_path):
    (tmp_path / "own.yaml").write_text("sentences: 2\nmin_oracle: 5\nmax_oracle: 35\n")
    for words, said in PRINTED.items():
        printed = make(words, "--output o --print-config", cwd=tmp_path).stdout
        (tmp_path / "c.yaml").write_text(printed, encoding="utf-8")
        assert make(words.split()[0], "--config c.yaml --print-config", cwd=tmp_path).stdout == printed
        assert all(line in printed for line in said.splitlines()), words


FILES = Path(__file__).parents[2] / "training" / "experiments" / "files"


def test_the_commands_that_experiments_name_for_their_datasets_are_commands(monkeypatch):
    monkeypatch.chdir(FILES / "profiles")  # profiles are named without their folder
    jobs = set()
    for file in FILES.glob("*.yaml"):
        for needed in yaml.safe_load(file.read_text(encoding="utf-8"))["needs"].values():
            for command in re.findall(r"gistmill ([^;]+)", needed.get("command", "")):
                job, *arguments = shlex.split(command)
                assert not parse(RECIPES[job], arguments).beam
                jobs.add(job)
    assert jobs >= {"augment", "curriculum", "wikitransfer", "synthetic"}


def completed(script, *words):
    """What bash offers for the last of the words behind ``gistmill``."""
    line = " ".join(f"'{word}'" for word in ("gistmill", *words))
    asked = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _gistmill gistmill "{words[-1]}"; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", f"source {script}; {asked}"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_jobs_and_their_flags_are_completed_by_a_shell(tmp_path):
    script = tmp_path / "gistmill.bash"
    script.write_text(make("completion").stdout)
    assert sorted(completed(script, "")) == sorted(["help", *names()])
    for words, offered in CASES["jobs and flags are completed"]:
        assert completed(script, *words.split()) == offered
