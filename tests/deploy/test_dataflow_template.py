"""The Flex Template: its description is that of the jobs' options, and its parameters become their command line."""
import json
import re

import pytest

from deploy.dataflow.main import command_line, options_of
from deploy.dataflow.template import BUILDING_JOBS, LOCAL, METADATA, text
from pipelines.cli import JOBS
from pipelines.options import parse

CONTENT = json.loads(METADATA.read_text(encoding="utf-8"))
PARAMETERS = {p["name"]: p for p in CONTENT["parameters"]}
OPTIONS = {name: option for job in reversed(BUILDING_JOBS) for name, option in options_of(job).items()}
VALUES = ["", " ", "0", "1", "2", "00", "-1", "0.5", "0.0", ".5", "1.0", "1.5", "60", "4095", "4096", "9999", "10000", "1e3",
          "true", "false", "True", "maybe", "wikipedia", "annotated", "warc", "sieve", "none", "minilm", "released", "extended",
          "parquet", "parquet,tfrecord", "parquet,", "csv", "98,1,1", "0,1", "0,4", "a b", "en_core_web_sm", "gistmill",
          "{PAIR_NONE: 0.2}", "{}", "PAIR_NONE", "[1]"]


# Legal, but nobody writes numbers so.
ODD = {"00", ".5", "1e3"}


def accepts(name, value):
    return all(re.search(regex, value) for regex in PARAMETERS[name]["regexes"])


def test_it_is_in_step_with_the_options():
    assert METADATA.read_text(encoding="utf-8") == text(), "run python -m deploy.dataflow.template"
    assert set(OPTIONS) - LOCAL == set(PARAMETERS) & set(OPTIONS)
    for name, option in OPTIONS.items():
        if name not in LOCAL:
            assert option.help[1:] in PARAMETERS[name]["helpText"]
            # the service asks for it whatever the job, so it has to be an option of every job
            required = option.required and all(name in options_of(job) for job in BUILDING_JOBS)
            assert PARAMETERS[name]["isOptional"] == (not required)
    assert not PARAMETERS["input"]["isOptional"] and PARAMETERS["profile"]["isOptional"]


def test_every_job_that_builds_is_in_it():
    assert set(BUILDING_JOBS) == {j for j in JOBS if hasattr(__import__(JOBS[j][0], fromlist=["JOB"]), "JOB")}


def test_it_fits_the_services_schema():
    from google.cloud.dataflow_v1beta3.types import TemplateMetadata
    from google.protobuf import json_format

    message = json_format.Parse(METADATA.read_text(encoding="utf-8"), TemplateMetadata.pb()())
    assert len(message.parameters) == len(PARAMETERS)
    with pytest.raises(json_format.ParseError):  # the check does see a wrong field
        json_format.ParseDict({**CONTENT, "parameter": []}, TemplateMetadata.pb()())


def test_every_parameter_is_described_and_checked():
    assert CONTENT["name"] and CONTENT["description"] and CONTENT["streaming"] is False
    assert len(PARAMETERS) == len(CONTENT["parameters"])
    for name, parameter in PARAMETERS.items():
        assert re.fullmatch("[a-z][a-z0-9_]*", name) and parameter["label"] and len(parameter["helpText"]) > 10
        assert "defaultValue" not in parameter
        for regex in parameter["regexes"]:
            re.compile(regex)
            assert regex[0] == "^" and regex[-1] == "$" and "(?" not in regex  # any engine has the rest
        assert all(accepts(name, o["value"]) for o in parameter.get("enumOptions", ()))


# free text, but for the others below
FREE = {"input", "output", "temp_dir", "decontaminate", "balanced_rates", "spacy_model"}


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - LOCAL - FREE))
def test_the_regex_accepts_what_the_job_accepts(name):
    for value in VALUES:
        try:
            if OPTIONS[name].metavar:
                OPTIONS[name].parse(value)
            elif value not in ("true", "false"):
                raise ValueError
        except ValueError:
            assert not accepts(name, value), value
        else:  # one or two shares are no splits, which the job says later
            assert accepts(name, value) or value in ODD or name == "splits" and value.count(",") < 2, value


@pytest.mark.parametrize("value, good", [
    ("gs://bucket/dump.xml.bz2", True), ("gs://bucket/a/*.bz2,s3://other/b.xml", True), ("gs://bucket", False),
    ("/data/dump.xml", False), ("gs://bucket/a,/data/b", False), ("gs:///a", False)])
def test_inputs_are_places_in_stores(value, good):
    assert accepts("input", value) == accepts("decontaminate", value) == good


def test_parameters_become_a_command_line_that_gistmill_reads():
    line = command_line(
        ["--runner=DataflowRunner", "--project=p", "--template_location=gs://b/t", "--gistmill_job=discofuse",
         "--input=gs://b/dump.xml.bz2", "--output=gs://b/out", "--overwrite=true", "--keep_lists=False", "--limit=",
         "--min_text_tokens=9", "--splits=90,5,5"], {"GISTMILL_IMAGE": "registry/gistmill:1"})
    assert line == [
        "discofuse", "--runner=DataflowRunner", "--project=p", "--template_location=gs://b/t", "--input=gs://b/dump.xml.bz2",
        "--output=gs://b/out", "--overwrite", "--no-keep-lists", "--min-text-tokens=9", "--splits=90,5,5",
        "--sdk_container_image=registry/gistmill:1"]
    parsed = parse("discofuse", list(options_of("discofuse").values()), line[1:], description="")
    assert parsed.values["overwrite"] is True and parsed.values["keep_lists"] is False
    assert parsed.values["limit"] is None and parsed.values["splits"] == (90.0, 5.0, 5.0)


def test_the_image_named_in_the_launch_wins():
    line = command_line(["--sdk_container_image=mine:2"], {"GISTMILL_IMAGE": "registry/gistmill:1"})
    assert line == ["discofuse", "--sdk_container_image=mine:2"]


def test_the_last_job_counts_and_an_unknown_one_is_left_to_gistmill():
    assert command_line(["--gistmill_job=annotate", "--input=gs://b/x"], {}) == ["annotate", "--input=gs://b/x"]
    assert command_line(["--gistmill_job=anotate", "--input=gs://b/x"], {}) == ["anotate"]


def test_all_parameters_at_once_are_read():
    samples = {"input": "gs://b/x", "output": "gs://b/o", "temp_dir": "gs://b/t", "namespaces": "0,4", "splits": "98,1,1",
               "formats": "parquet", "balanced_rates": "{PAIR_NONE: 0.2}", "range_bytes": "65536", "parse_deadline": "30",
               "min_coref_confidence": "0.8", "spacy_model": "en_core_web_sm", "salt": "x", "lead": "sentences:3",
               "min_overlap": "0.5", "duplicate_threshold": "0.9", "decontaminate": "gs://b/test.tsv", "languages": "en,de",
               "profile": "cnndm,xsum", "gap_ratio": "0.3", "left_ratio": "0"}
    for job in BUILDING_JOBS:
        arguments = []
        for name, option in options_of(job).items():
            if name in LOCAL:
                continue
            enum = PARAMETERS[name].get("enumOptions")
            value = samples.get(name) or (enum[0]["value"] if enum else "7" if option.metavar else "true")
            assert accepts(name, value), name
            arguments.append(f"--{name}={value}")
        line = command_line([f"--gistmill_job={job}", *arguments], {})
        parse(job, list(options_of(job).values()), line[1:], description="")
