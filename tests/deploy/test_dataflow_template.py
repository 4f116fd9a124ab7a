"""The Flex Template: its description is that of the jobs' options, and its parameters become their command line."""

import json
import re

import pytest

from gistmill.core.values import shown
from gistmill.deploy.dataflow.main import command_line
from gistmill.deploy.dataflow.template import text
from gistmill.pipelines.job import OutputConfig, job_options, options_for
from gistmill.pipelines.options import parse
from gistmill.pipelines.runners.remote import beam_options
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.steps.clean import CleanConfig
from gistmill.transforms.steps.recipe import SplitConfig
from tests.cases import by_heading

CASES = by_heading(__file__)

CONTENT = json.loads(text())
PARAMETERS = {p["name"]: p for p in CONTENT["parameters"]}
OPTIONS = {name: option for job in reversed(RECIPES) for name, option in job_options(RECIPES[job]).items()}
LOCAL = {name for name, option in OPTIONS.items() if option.local}


def accepts(name, value):
    return all(re.search(regex, value) for regex in PARAMETERS[name]["regexes"])


def test_it_has_every_option_that_a_cluster_can_use():
    assert {"workers", "quiet", "translation_cache"} == LOCAL and set(OPTIONS) - LOCAL == set(PARAMETERS) & set(OPTIONS)
    for name in set(OPTIONS) - LOCAL:
        for options in map(job_options, RECIPES.values()):
            assert name not in options or options[name].help[1:] in PARAMETERS[name]["helpText"]
        # the service asks for it whatever the job, so every job has to require it
        of_jobs = [job_options(recipe).get(name) for recipe in RECIPES.values()]
        required = all(o is not None and o.required for o in of_jobs)
        assert PARAMETERS[name]["isOptional"] == (not required)
    assert not PARAMETERS["output"]["isOptional"] and PARAMETERS["profile"]["isOptional"]
    assert PARAMETERS["input"]["isOptional"]  # a synthetic corpus needs none
    assert [o["value"] for o in PARAMETERS["gistmill_job"]["enumOptions"]] == list(RECIPES)


def test_it_fits_the_services_schema():
    from google.cloud.dataflow_v1beta3.types import TemplateMetadata
    from google.protobuf import json_format

    message = json_format.Parse(text(), TemplateMetadata.pb()())
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


def test_inputs_are_places_in_stores():
    good = "gs://bucket/dump.xml.bz2", "gs://bucket/a/*.bz2,s3://other/b.xml"
    for value in *good, "gs://bucket", "/data/dump.xml", "gs://bucket/a,/data/b", "gs:///a":
        assert accepts("input", value) == accepts("decontaminate", value) == (value in good), value


def test_options_of_beam_are_parameters_too():
    accelerator = "worker_accelerator=type:nvidia-tesla-t4;count:1;install-nvidia-driver"
    good = {
        "dataflow_service_options": ["enable_prime", "enable_prime,automatically_use_it", accelerator],
        "resource_hints": ["min_ram=16GB", "min_ram=7.5GiB"],
    }
    for name, values in good.items():
        assert PARAMETERS[name]["isOptional"]
        for value in values:
            assert accepts(name, value), value
            line = command_line([f"--{name}={value}"], {})
            assert line == ["discofuse", f"--{name}={value}"]
            assert beam_options(line[1:]).get_all_options()[name] == value.split(",")
    assert not any(accepts("dataflow_service_options", value) for value in ("enable_prime,", ""))
    assert not any(accepts("resource_hints", value) for value in ("min_ram=16", "accelerator=x"))  # Beam wants a unit


def test_parameters_become_a_command_line_that_gistmill_reads():
    cloud = ["--runner=DataflowRunner", "--project=p", "--template_location=gs://b/t"]
    places = ["--input=gs://b/dump.xml.bz2", "--output=gs://b/out"]
    switches = ["--overwrite=true", "--keep_lists=False", "--limit="]
    values = ["--min_text_tokens=9", "--splits=90,5,5"]
    given = [*cloud, "--gistmill_job=discofuse", *places, *switches, *values]
    line = command_line(given, {"GISTMILL_IMAGE": "registry/gistmill:1"})
    read = ["--overwrite", "--no-keep-lists", "--min-text-tokens=9", "--splits=90,5,5"]
    assert line == ["discofuse", *cloud, *places, *read, "--sdk_container_image=registry/gistmill:1"]
    config = parse(RECIPES["discofuse"], line[1:]).config
    assert config.of(OutputConfig).overwrite is True and config.of(CleanConfig).keep_lists is False
    assert config.of(config.source.CONFIG).limit is None and config.of(SplitConfig).splits == (90.0, 5.0, 5.0)
    line = command_line(["--sdk_container_image=mine:2"], {"GISTMILL_IMAGE": "registry/gistmill:1"})
    assert line == ["discofuse", "--sdk_container_image=mine:2"]  # the image named in the launch wins


def test_the_last_job_counts_and_an_unknown_one_is_left_to_gistmill():
    assert command_line(["--gistmill_job=annotate", "--input=gs://b/x"], {}) == ["annotate", "--input=gs://b/x"]
    assert command_line(["--gistmill_job=anotate", "--input=gs://b/x"], {}) == ["anotate"]


@pytest.mark.slow
def test_all_parameters_at_once_are_read():
    samples = CASES["samples of parameters"]
    for job, recipe in RECIPES.items():
        for source in options_for(recipe).sources:
            arguments = []
            for name, option in job_options(recipe).items():
                if name in LOCAL or source not in options_for(recipe).scopes[name]:
                    continue
                enum = PARAMETERS[name].get("enumOptions")
                accepted = next((text for text in ("7", "0.1", "true") if accepts(name, text)), "")
                usual = accepted if option.default is None else shown(option.default)
                value = samples.get(name) or (enum[0]["value"] if enum else usual.lower())
                words = "wikipedia" if source in REGISTRY else "gs://b/words.txt"
                value = {"source": source, "formats": "parquet", "words": words}.get(name, value)
                assert accepts(name, value), name
                if name not in ("translator", "wordnet"):  # forward takes the place of all
                    arguments.append(f"--{name}={value}")
            line = command_line([f"--gistmill_job={job}", *arguments], {})
            config = parse(recipe, line[1:]).config
            assert config.source.NAME == source == config.to_values().get("source", source)
