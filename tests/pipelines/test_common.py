"""Options that belong to some sources only."""
import pytest

from pipelines.common import ANNOTATION, CLEANING, INPUT, SOURCES, of_source
from pipelines.discofuse import JOB
from pipelines.options import UsageError, parse
from transforms.sources.registry import REGISTRY, sources_with

OPTIONS = (*INPUT, *CLEANING, *ANNOTATION)


def parsed(*argv):
    return of_source(parse("job", OPTIONS, ["--input", "x", *argv], description=""), OPTIONS)


def test_every_source_is_a_choice():
    assert set(SOURCES) == set(REGISTRY) == {"wikipedia", "warc", "jsonl", "annotated"}
    for name, source in REGISTRY.items():
        assert source.NAME == name and source.HELP
        unknown = set(source.OPTIONS) - {o.name for o in JOB.options}
        assert not unknown, f"{name} names options that do not exist: {unknown}"


@pytest.mark.parametrize("argv, message", [
    (["--source", "warc", "--namespaces", "0"], "--namespaces has no effect with --source warc, only with wikipedia"),
    (["--source", "annotated", "--coref", "none"], "--coref has no effect with --source annotated, only with wikipedia"),
    (["--source", "jsonl", "--warc-prefix", "x"], "--warc-prefix has no effect with --source jsonl, only with warc"),
    (["--warc-prefix", "s3://x"], "--warc-prefix has no effect with --source wikipedia, only with warc"),
    (["--source", "warc", "--text-field", "body"], "--text-field has no effect with --source warc, only with jsonl"),
])
def test_an_option_of_another_source_is_an_error(argv, message):
    with pytest.raises(UsageError, match=message):
        parsed(*argv)


def test_the_file_is_named_where_the_option_stands_there(tmp_path):
    config = tmp_path / "c.yaml"
    config.write_text("source: warc\nnamespaces: [0]\n")
    with pytest.raises(UsageError, match="namespaces in .*c.yaml has no effect with --source warc"):
        parsed("--config", str(config))


def test_defaults_of_other_sources_are_no_values():
    values = parsed("--source", "warc").values
    assert values["namespaces"] is None and values["text_field"] is None and values["coref"] == "sieve"
    values = parsed("--source", "jsonl").values
    assert (values["text_field"], values["text_markup"], values["warc_prefix"]) == ("text", "plain", None)
    assert parsed().values["namespaces"] == (0,) and sources_with("limit") == ()
