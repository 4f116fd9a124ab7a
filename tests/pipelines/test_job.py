"""Which options a job has, with which sources they mean something, and which defaults the source decides."""

import pytest

from gistmill.core.options import options_of
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, OutputConfig, configure, job_options, options_for
from gistmill.pipelines.options import parse
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.duplicates.minhash import DuplicatesConfig
from gistmill.transforms.sources.documents import DocumentsConfig
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.steps.clean import CleanConfig
from gistmill.transforms.steps.registry import STEPS
from tests.cases import by_heading

CASES = by_heading(__file__)

DISCOFUSE, LEAD_BIAS = RECIPES["discofuse"], RECIPES["lead-bias"]
NEEDED = {"input": "x", "output": "y"}


def test_every_source_and_recipe_stands_under_its_name():
    assert set(REGISTRY) == {"wikipedia", "wikipedia-html", "warc", "jsonl", "table", "text", "annotated"}
    assert all(name == source.NAME and source.HELP for name, source in REGISTRY.items())
    assert all(name == recipe.NAME and recipe.HELP and recipe.EXAMPLES for name, recipe in RECIPES.items())


def test_no_two_configurations_declare_the_same_option():
    for recipe in RECIPES.values():
        owners: dict[str, set[type]] = {}
        sections = [
            recipe.CONFIG,
            *(s.CONFIG for s in options_for(recipe).steps),
            *(s.CONFIG for s in REGISTRY.values()),
        ]
        for section in sections:
            for base in section.__mro__:
                for name in vars(base).get("__annotations__", {}):
                    if name in {o.name for o in options_of(section)}:
                        owners.setdefault(name, set()).add(base)
        assert owners and all(len(classes) == 1 for classes in owners.values()), owners


def test_an_option_of_another_source_is_an_error():
    for source, name, value, only in CASES["an option of another source"]:
        with pytest.raises(ConfigError, match=f"^{name} has no effect with --source {source}, only with {only}$"):
            configure(DISCOFUSE, {**NEEDED, "source": source, name: value})


def test_the_file_is_named_where_the_option_stands_there(tmp_path):
    config = tmp_path / "c.yaml"
    config.write_text("source: warc\nnamespaces: [0]\n")
    with pytest.raises(ConfigError, match="namespaces in .*c.yaml has no effect with --source warc"):
        parse(DISCOFUSE, ["--input", "x", "--output", "y", "--config", str(config)])


def test_a_configuration_has_the_sections_of_its_source():
    config = configure(DISCOFUSE, {**NEEDED, "source": "jsonl", "text_field": "body"})
    assert isinstance(config, JobConfig) and config.of(DocumentsConfig).text_field == "body"
    assert WikipediaConfig not in config.sections and "namespaces" not in config.to_values()
    assert configure(DISCOFUSE, NEEDED).of(WikipediaConfig).namespaces == (0,)


def test_the_source_decides_whether_duplicates_are_looked_for():
    for source, mode in [("wikipedia", "none"), ("wikipedia-html", "none"), ("warc", "near"), ("jsonl", "near")]:
        assert configure(DISCOFUSE, {**NEEDED, "source": source}).of(DuplicatesConfig).deduplicate == mode
        given = configure(DISCOFUSE, {**NEEDED, "source": source, "deduplicate": "exact"})
        assert given.of(DuplicatesConfig).deduplicate == "exact"


def test_formats_are_those_that_the_recipe_can_write():
    assert configure(RECIPES["annotate"], NEEDED).of(OutputConfig).formats == ("parquet",)
    with pytest.raises(ConfigError, match="annotate supports parquet, not tsv"):
        configure(RECIPES["annotate"], {**NEEDED, "formats": "parquet,tsv"})


def test_the_language_of_the_texts_decides_which_are_kept():
    for source, language, kept in [
        ("warc", "de", ("de",)),
        ("warc", "de-AT", ("de",)),
        ("warc", "nb", ("no",)),
        ("warc", "mul", ("any",)),
        ("warc", "auto", ("en",)),
        ("jsonl", "pt_BR", ("pt",)),
        ("jsonl", "xh", ("any",)),
    ]:
        given = {**NEEDED, "source": source, "language": language}
        assert configure(LEAD_BIAS, given).of(CleanConfig).languages == kept
    of_no_page = "^language: 'xh' cannot be identified from the text of a web page; expected one of af"
    with pytest.raises(ConfigError, match=of_no_page):
        configure(LEAD_BIAS, {**NEEDED, "source": "warc", "language": "xh"})


def test_a_job_has_the_options_of_the_steps_that_serve_it():
    assert "coref" in job_options(DISCOFUSE) and "sentences" not in job_options(DISCOFUSE)
    assert "sentences" in job_options(LEAD_BIAS) and "coref" not in job_options(LEAD_BIAS)
    assert set(options_for(DISCOFUSE).steps) < set(STEPS)
    assert options_for(DISCOFUSE).scopes["limit"] == tuple(REGISTRY)


def test_what_is_wrong_in_python_is_named_too():
    for values, message in [
        ({"min_overlp": 1}, "unknown option 'min_overlp'; did you mean min_overlap"),
        ({"min_overlap": 2}, "^min_overlap: expected a number from 0 to 1, not 2$"),
        ({"min_lead_words": 9, "max_lead_words": 8}, "^min_lead_words: 9 is above max_lead_words, 8$"),
        ({"source": "wikipdia"}, "^source: .*did you mean wikipedia"),
        ({"output": None}, "--output is required"),
        *(({"rows": rows}, "rows: expected .*at least 0") for rows in ("-1", "40,x", "")),
        ({"rows": "1,2,3,4"}, "rows: expected at most 3 numbers"),
    ]:
        with pytest.raises(ConfigError, match=message):
            configure(LEAD_BIAS, {**NEEDED, **values})


def test_profiles_may_be_files(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("sentences: 2\nmin-oracle: 10\nmax_oracle: 30\n")
    config = configure(RECIPES["wikitransfer"], {**NEEDED, "profile": f"cnndm,{mine}"})
    assert [p["name"] for p in config.of(RECIPES["wikitransfer"].CONFIG).profile] == ["cnndm", "mine"]
    with pytest.raises(ConfigError, match="none.yaml: No such file"):
        configure(RECIPES["wikitransfer"], {**NEEDED, "profile": "none.yaml"})


def test_every_job_may_keep_a_number_of_rows():
    for recipe in RECIPES.values():
        config = configure(recipe, {"rows": "400000,10000"}, complete=False)
        assert config.of(OutputConfig).rows == (400000, 10000)
