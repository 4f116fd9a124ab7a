"""Presets: found by name, each a configuration that its job accepts."""

from pathlib import Path

import pytest
import yaml

from gistmill import corpora
from gistmill.pipelines.job import configure
from gistmill.rules.recipes import RECIPES


def test_every_yaml_file_of_the_folder_is_a_preset_or_a_corpus():
    folder = Path(corpora.__file__).parent
    assert {path.stem for path in folder.glob("*.yaml")} - {
        "monthly.corpus",
        "news.corpus",
        "wikipedias.corpus",
    } == set(corpora.NAMES)
    assert list(corpora.NAMES) == sorted(corpora.NAMES) and "discofuse" in corpora.NAMES


@pytest.mark.parametrize("name", corpora.NAMES)
def test_a_preset_has_the_options_of_its_job(name):
    described = yaml.safe_load(corpora.preset(name).read_text(encoding="utf-8"))
    config = configure(RECIPES[described.pop("job")], described, complete=False)
    values = config.to_values()
    assert {key: values[key] for key in described if key != "profile"} == {
        k: v for k, v in described.items() if k != "profile"
    }


@pytest.mark.parametrize("name", ["disco-fuse", "", "discofuse.yaml", "../corpora/discofuse", "__init__"])
def test_an_unknown_name_is_answered_with_those_that_exist(name):
    with pytest.raises(ValueError, match="unknown preset .*; expected one of discofuse, discofuse-demo, gap-sentences"):
        corpora.preset(name)
