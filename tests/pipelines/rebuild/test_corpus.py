"""Corpus files: what they say, what is wrong in them, and that the JSON schema says the same."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from gistmill import corpora
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.rebuild.corpus import read_corpus, schema_text, values_of
from tests.cases import by_heading

CASES = by_heading(__file__)

FOLDER = Path(corpora.__file__).parent
BASE = """
publish: /data/corpus
sources:
  wiki: {wiki: simplewiki, coref: none, contact: corpora@example.org}
  news: {source: warc, input: [a.warc.gz, b.warc.gz], languages: en}
recipes:
  fusion: {recipe: discofuse, reads: wiki, conventions: released}
  leads: {preset: lead-bias-news, reads: news, min_sentences: 4}
  toys: {recipe: synthetic, documents: 10}
evaluation: gold/*.tsv
runner: {workers: 2, beam: {runner: FlinkRunner, parallelism: 4}}
retention: {versions: 2}
guards: {rows: 0.9..1.2, reasons: {DEADLINE: 0.02}}
"""


def read(tmp_path, content=BASE, **changes):
    values = {**yaml.safe_load(content), **changes}
    path = tmp_path / "c.yaml"
    path.write_text(yaml.safe_dump(values), encoding="utf-8")
    return read_corpus(str(path))


SCHEMA = json.loads((FOLDER / "corpus.schema.json").read_text(encoding="utf-8"))


def fits(values):
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(values)


def test_a_corpus_is_read(tmp_path):
    corpus = read(tmp_path)
    fusion, leads, toys = corpus.datasets
    assert corpus.sources["wiki"].dump.wiki == "simplewiki"
    assert corpus.sources["news"].inputs == (str(tmp_path / "a.warc.gz"), str(tmp_path / "b.warc.gz"))
    assert (fusion.source, fusion.annotated, leads.annotated, toys.source) == ("wiki", True, False, "")
    assert sorted(corpus.beam) == ["--parallelism=4", "--runner=FlinkRunner"] and corpus.run == {"workers": 2}
    assert (corpus.config.retention.versions, corpus.config.retention.dumps) == (2, 1)
    assert (str(corpus.guards.rows), corpus.guards.reasons) == ("0.9..1.2", {"DEADLINE": 0.02})


def test_a_crawl_has_months_and_the_options_of_web_pages(tmp_path):
    months = "months: 2026-07..2026-09, languages: en, limit: 100"
    for given in (months, months.replace("2026-07..2026-09", "[2026-09, 2026-07..2026-08]")):
        content = BASE.replace("source: warc, input: [a.warc.gz, b.warc.gz], languages: en", f"crawl: cc-news, {given}")
        news = read(tmp_path, content).sources["news"]
        assert news.crawl.months == ("2026-07", "2026-08", "2026-09")
        assert (news.kind, news.inputs, news.dump) == ("warc", (), None)
        assert news.options == {"languages": "en", "limit": 100}
        assert news.crawl.base == "https://data.commoncrawl.org" and fits(yaml.safe_load(content))


def test_options_go_to_the_job_that_they_concern(tmp_path):
    corpus = read(tmp_path)
    fusion, leads, toys = (values_of(d, corpus.sources.get(d.source)) for d in corpus.datasets)
    assert fusion == {"conventions": "released", "decontaminate": [f"{tmp_path}/gold/*.tsv"], "source": "annotated"}
    assert leads["source"] == "warc" and leads["languages"] == "en" and leads["min_sentences"] == 4
    assert leads["min_lead_words"] == 10  # of the preset
    assert "source" not in toys


def test_a_dataset_of_sentences_may_read_annotations(tmp_path):
    recipes = {"leads": {"recipe": "lead-bias", "reads": "wiki", "annotated": True}}
    (leads,) = read(tmp_path, recipes=recipes).datasets
    assert leads.annotated and values_of(leads, None if not leads.source else read(tmp_path).sources["wiki"])[
        "source"
    ] == ("annotated")


def test_an_example_is_a_corpus_that_fits_the_schema():
    for name, datasets in [
        ("monthly", {"fusion", "leads", "text"}),
        ("news", {"headlines", "leads"}),
        ("wikipedias", {f"gaps-{code}" for code in "cs de es fr hi ja ko tr uk zh".split()}),
    ]:
        corpus = read_corpus(str(FOLDER / f"{name}.corpus.yaml"))
        assert {d.name for d in corpus.datasets} == datasets
        values = yaml.safe_load((FOLDER / f"{name}.corpus.yaml").read_text(encoding="utf-8"))
        jsonschema.validate(values, SCHEMA)


def test_the_schema_of_the_package_is_fresh():
    assert (FOLDER / "corpus.schema.json").read_text(encoding="utf-8") == schema_text(), (
        "gistmill rebuild --print-schema > corpora/corpus.schema.json"
    )
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def changed(changes="{}"):
    values = yaml.safe_load(BASE)
    for path, value in yaml.safe_load(changes).items():
        *folders, name = path.split("__")
        place = values
        for folder in folders:
            place = place[folder]
        if value is None:
            del place[name]
        else:
            place[name] = value
    return values


def test_what_is_wrong_is_said_with_its_place_and_the_schema_sees_it(tmp_path):
    for changes, message in CASES["what is wrong"]:
        with pytest.raises(ConfigError, match=message) as error:
            read(tmp_path, yaml.safe_dump(changed(changes)))
        assert str(error.value).startswith(str(tmp_path)) and "\n" not in str(error.value)
        assert not fits(changed(changes)) and fits(changed())


def test_what_no_schema_can_say_is_said_too(tmp_path):
    for changes, message in CASES["what no schema can say"]:
        with pytest.raises(ConfigError, match=message):
            read(tmp_path, yaml.safe_dump(changed(changes)))


def test_what_is_not_a_yaml_mapping_is_an_error(tmp_path):
    for content in [b"a: [", b"- a", b"\xff\xfe", b""]:
        (tmp_path / "c.yaml").write_bytes(content)
        with pytest.raises(ConfigError):
            read_corpus(str(tmp_path / "c.yaml"))
        with pytest.raises(ConfigError, match="No such file"):
            read_corpus(str(tmp_path / "none.yaml"))


def test_names_become_folders(tmp_path):
    for name in ("../x", "a/b", ".hidden", ""):
        with pytest.raises(ConfigError, match="names consist of letters"):
            read(tmp_path, recipes={name: {"recipe": "discofuse", "reads": "wiki"}})


def test_relative_places_count_from_the_folder_of_the_file(tmp_path):
    (tmp_path / "words.txt").write_text("otter\n")
    corpus = read(
        tmp_path,
        publish="out",
        work="gs://b/work",
        sources={"texts": {"source": "jsonl", "input": "a.jsonl, /b.jsonl,gs://b/c.jsonl"}},
        recipes={name: {"recipe": "synthetic", "words": name} for name in ("nonsense", "words.txt")},
    )
    assert (corpus.config.publish, corpus.config.work) == (str(tmp_path / "out"), "gs://b/work")
    assert corpus.sources["texts"].inputs == (f"{tmp_path}/a.jsonl,/b.jsonl,gs://b/c.jsonl",)
    words = {d.name: d.options["words"] for d in corpus.datasets}
    assert words == {"nonsense": "nonsense", "words.txt": str(tmp_path / "words.txt")}
