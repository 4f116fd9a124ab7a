"""``import gistmill``: light, lazy, and the same objects as in its packages."""

import pickle
import subprocess
import sys

import pytest

import gistmill
from gistmill.rules.lead_bias import LeadBias
from gistmill.rules.recipes import RECIPES

_HEAVY = ("apache_beam", "spacy", "numpy", "pyarrow", "torch", "tensorflow")


def run(code, *arguments):
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_it_loads_nothing_heavy():
    loaded = set(run("import sys, gistmill; dir(gistmill); gistmill.__version__; print(*sys.modules)"))
    assert not loaded & set(_HEAVY)
    assert not {m for m in loaded if m.startswith("gistmill.")}


def test_reading_datasets_and_making_recipes_need_neither_beam_nor_spacy():
    uses = "gistmill.Dataset; gistmill.rouge.score; gistmill.recipes.DiscoFuse"
    assert not {"apache_beam", "spacy", "pyarrow"} & set(run(f"import sys, gistmill; {uses}; print(*sys.modules)"))


@pytest.mark.parametrize("name", gistmill.__all__)
def test_every_name_is_there(name):
    assert getattr(gistmill, name) is getattr(gistmill, name)
    assert name in dir(gistmill)


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="'gistmill' has no attribute 'Datset'"):
        gistmill.Datset  # noqa: B018


def test_functions_of_a_module_are_the_same_at_the_top():
    assert gistmill.split is gistmill.fusion.split and gistmill.fuse is gistmill.fusion.fuse


def test_sentences_and_cleaned_wikitext_need_neither_beam_nor_spacy():
    uses = "gistmill.sentences('He left.'); gistmill.clean_wikitext('He left.'); gistmill.clean_html('')"
    assert not {"apache_beam", "spacy", "pyarrow"} & set(run(f"import sys, gistmill; {uses}; print(*sys.modules)"))


def test_classes_keep_their_modules_and_pickle():
    assert gistmill.recipes.LeadBias is LeadBias and LeadBias.__module__ == "gistmill.rules.lead_bias"
    config = gistmill.recipes.LeadBiasConfig(max_lead_words=80)
    assert pickle.loads(pickle.dumps(config)) == config


def test_every_recipe_and_configuration_is_offered():
    for recipe in RECIPES.values():
        assert getattr(gistmill.recipes, recipe.__name__) is recipe
        assert getattr(gistmill.recipes, recipe.CONFIG.__name__) is recipe.CONFIG


@pytest.mark.slow
def test_the_version_is_that_of_the_package():
    (said,) = run("import sys; from gistmill.pipelines.cli import main; sys.exit(main(['--version']))")[1:]
    assert gistmill.__version__ == said
