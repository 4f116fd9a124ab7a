import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipelines import options as o
from pipelines import values as v
from pipelines.cli import main

OPTIONS = (
    o.Option(name="input", parse=v.paths, help="files", metavar="FILES", required=True),
    o.Option(name="shards", parse=v.integer(1), help="how many"),
    o.Option(name="coref", parse=v.one_of("none", "sieve"), default="sieve", help="resolver"),
    o.Option(name="splits", parse=v.list_of(v.positive), default=(98.0, 1.0, 1.0), help="shares, in %"),
    o.Option(name="overwrite", parse=v.switch, default=False, metavar="", help="replace"),
    o.Option(name="rates", parse=v.mapping_of(v.share, ("PAIR_NONE", "and")), help="kept shares"),
)


def parse(*argv):
    return o.parse("discofuse", OPTIONS, argv, description="d")


def test_defaults_and_flags():
    parsed = parse("--input", "a.bz2,b.bz2", "--shards=3", "--overwrite")
    assert parsed.values == {"input": ("a.bz2,b.bz2",), "shards": 3, "coref": "sieve", "splits": (98.0, 1.0, 1.0),
                             "overwrite": True, "rates": None}


def test_a_flag_beats_the_file_and_the_file_a_default(tmp_path):
    config = tmp_path / "c.yaml"
    config.write_text("job: discofuse\ninput: [x.xml]\ncoref: none\nshards: 4\noverwrite: true\nrates: {and: 0.5}\n"
                      "beam: {runner: FlinkRunner}\n")
    parsed = parse("--config", str(config), "--shards", "9", "--no-overwrite", "--parallelism", "2")
    assert parsed.values == {"input": ("x.xml",), "shards": 9, "coref": "none", "splits": (98.0, 1.0, 1.0),
                             "overwrite": False, "rates": {"and": 0.5}}
    assert parsed.beam == ("--runner=FlinkRunner", "--parallelism", "2")


def test_hyphens_and_underscores_are_the_same_in_yaml(tmp_path):
    options = (*OPTIONS, o.Option(name="temp_dir", parse=v.text, help="t"))
    config = tmp_path / "c.yaml"
    config.write_text("temp-dir: t\ninput: x\n")
    assert o.parse("j", options, ["--config", str(config)], description="").values["temp_dir"] == "t"


@pytest.mark.parametrize("argv, message", [
    (["--input", "a", "--shard", "3"], "unknown option --shard; did you mean --shards"),
    (["--input", "a", "--shards", "0"], "--shards: expected a whole number of at least 1, not '0'"),
    (["--input", "a", "--coref", "seive"], "did you mean sieve"),
    (["--input", "a", "--parallelsm", "2"], "did you mean --parallelism"),
    (["--input", "a", "stray"], "unexpected argument 'stray'"),
    (["--input", "a", "--rates", "{andd: 1}"], "unknown key 'andd'; did you mean and"),
    (["--input", "a", "--rates", "{and: 2}"], "from 0 to 1"),
    (["--input", "a", "--splits", "98,x,1"], "above 0"),
    (["--shards", "3"], "--input is required"),
    (["--config", "missing.yaml"], "missing.yaml: No such file"),
])
def test_what_is_wrong_is_named(argv, message):
    with pytest.raises(o.UsageError, match=message.replace("(", r"\(")):
        parse(*argv)


@pytest.mark.parametrize("text, message", [
    ("shard: 3", "unknown key 'shard' in .*did you mean shards"),
    ("- a\n- b", "must hold a mapping"),
    ("a: [", "is not YAML"),
    ("job: annotate", "describes the job 'annotate', not 'discofuse'"),
    ("shards: true", "shards in .*whole number"),
    ("overwrite: 3", "overwrite in .*true or false"),
    ("beam: 3", "must be a mapping"),
    ("beam: {runer: x}", "unknown option --runer; did you mean --runner"),
    ("\x00", "is not YAML"),
])
def test_what_is_wrong_in_the_file_is_named(tmp_path, text, message):
    config = tmp_path / "c.yaml"
    config.write_text(text)
    with pytest.raises(o.UsageError, match=message):
        parse("--input", "a", "--config", str(config))


@given(st.integers(1, 99), st.sampled_from(["none", "sieve"]), st.booleans(),
       st.dictionaries(st.sampled_from(["PAIR_NONE", "and"]), st.floats(0, 1), max_size=2))
def test_printed_configuration_reads_back_the_same(tmp_path_factory, shards, coref, overwrite, rates):
    parsed = o.Parsed(values={"input": ("a b", "ü"), "shards": shards, "coref": coref, "splits": (1.0, 2.5, 3.0),
                              "overwrite": overwrite, "rates": rates}, beam=("--runner=FlinkRunner",), print_config=False)
    path = tmp_path_factory.mktemp("c") / "c.yaml"
    path.write_text(o.dump("discofuse", parsed), encoding="utf-8")
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["job"] == "discofuse"
    assert parse("--config", str(path)) == parsed


def test_help_shows_defaults(capsys):
    with pytest.raises(SystemExit) as stop:
        parse("--help")
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert "--splits" in shown and "98,1,1" in shown and "in %" in shown


@pytest.mark.parametrize("argv, code, text", [
    (["--help"], 0, "jobs:"), ([], 2, "jobs:"), (["--version"], 0, "gistmill"),
])
def test_overview(capsys, argv, code, text):
    assert main(argv) == code
    assert text in capsys.readouterr().out


def test_an_unknown_job_is_one_clear_line(capsys):
    assert main(["discofus"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "did you mean discofuse?" in error
