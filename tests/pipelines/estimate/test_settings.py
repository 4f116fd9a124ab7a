from pathlib import Path

import pytest

from gistmill.core.options import OptionError, options_of
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.estimate.sample import EstimateConfig, read_prices
from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES

EXAMPLE = Path(__file__).parents[3] / "deploy" / "prices.example.yaml"


def read(tmp_path, content):
    path = tmp_path / "prices.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_prices(str(path))


def test_the_example_can_be_read():
    prices = read_prices(str(EXAMPLE))
    assert prices.currency and len(prices.machines) > 1 and prices.runners


def test_no_option_of_a_job_has_the_name_of_one_of_the_estimate():
    own = {o.name for o in options_of(EstimateConfig)} | {"all"}
    assert not any(own & set(job_options(recipe)) for recipe in RECIPES.values())


def test_speed_and_costs_of_runners_have_defaults(tmp_path):
    prices = read(tmp_path, "machines: {one: {cores: 4, memory_gb: 16, hour: 0.5}}\nrunners: {flink: {overhead: 0.2}}")
    assert prices.machines["one"].speed == 1 and prices.runners["flink"].core_hour == 0 and prices.currency == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("machnes: {}", "unknown key 'machnes'.*machines"),
        ("currency: EUR", "names no machines"),
        ("machines: [1]", "expected a mapping of names"),
        ("machines: {one: 3}", "one of machines in .*expected a mapping"),
        ("machines: {one: {cores: 4, hour: 1}}", "memory_gb of one of machines in .* is missing"),
        ("machines: {one: {cores: 0, memory_gb: 1, hour: 1}}", "cores of one of .*at least 1"),
        ("machines: {one: {cores: 1, memory_gb: 1, hour: -1}}", "hour of one"),
        ("machines: {one: {core: 1, memory_gb: 1, hour: 1}}", "unknown key 'core'.*cores"),
        ("machines: {", "is not YAML"),
        (b"\xff\xfe\x00", "is not YAML"),
        ("[]", "must hold a mapping"),
        (b"", "names no machines"),
    ],
)
def test_a_wrong_file_is_one_clear_line(tmp_path, content, said):
    with pytest.raises(ConfigError, match=said) as caught:
        read(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match="--prices .*none.yaml: No such file"):
        read_prices(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize(
    "values", [{"sample_share": 0}, {"sample_share": 0.1, "sample_ranges": 3}, {"machine": "x"}, {"sample_ranges": 1}]
)
def test_options_that_do_not_go_together_are_refused(values):
    with pytest.raises(OptionError):
        EstimateConfig(**values)
