"""Lossless conversion of an AnnotatedDocument to and from one flat row, as written by ``gistmill annotate``."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from itertools import islice
from typing import Any

from gistmill.core.options import Options
from gistmill.core.records import Metadata, Origin, Outcome, Row
from gistmill.core.statistics import Column
from gistmill.rules.documents import AnnotatedDocument, Mention, Sentence, Token
from gistmill.rules.lineage import file_name
from gistmill.rules.recipe import DEFAULT, Recipe

COLUMNS = (
    Column("id", "string", "document id, unique"),
    Column("source", "string", "where the document comes from, e.g. wikipedia"),
    Column("title", "string", "title"),
    Column("revision", "string", "revision id in the source"),
    Column("timestamp", "string", "time of the revision, ISO 8601"),
    Column("file", "string", "name of the input file that the document was read from"),
    Column("offset", "int64", "where it starts there"),
    Column("url", "string", "address of the page, or empty"),
    Column("site", "string", "name of the publication, or empty"),
    Column("author", "string", "authors, or empty"),
    Column("published", "string", "date of publication (ISO 8601), or empty"),
    Column("language", "string", "ISO 639-1 code of the text's language, or empty"),
    Column("record", "string", "id of the record in the crawl, or empty"),
    Column("fetched", "string", "time when the page was fetched (ISO 8601), or empty"),
    Column("section_titles", "list<string>", "titles of the sections; the lead section has an empty one"),
    Column("paragraph_digest", "list<int64>", "hash of the cleaned text of each paragraph"),
    Column("sentence_length", "list<int64>", "tokens of each sentence, in order"),
    Column("sentence_section", "list<int64>", "index of each sentence's section"),
    Column("sentence_paragraph", "list<int64>", "index of each sentence's paragraph, over the document"),
    Column("text", "list<string>", "the tokens of all sentences, one after the other"),
    Column("space", "list<bool>", "whether white space follows the token"),
    Column("tag", "list<string>", "fine (Penn Treebank) tags"),
    Column("pos", "list<string>", "coarse (Universal) tags"),
    Column("dep", "list<string>", "dependency labels"),
    Column("head", "list<int64>", "index of the head in its sentence; the token's own for a root"),
    Column("lemma", "list<string>", "lemmas"),
    Column("entity", "list<string>", "B-TYPE, I-TYPE or empty"),
    Column("mention_cluster", "list<int64>", "coreference mentions: index of the cluster"),
    Column("mention_sentence", "list<int64>", "index of the mention's sentence"),
    Column("mention_start", "list<int64>", "first token of the mention in its sentence"),
    Column("mention_end", "list<int64>", "token after the last"),
    Column("mention_head", "list<int64>", "head token"),
    Column("mention_kind", "list<string>", "name, pronoun or nominal"),
    Column("mention_confidence", "list<float64>", "probability of the link to the cluster"),
)
DIGESTS = "paragraph_digest"  # datasets of earlier versions lack this column
_TOKEN_FIELDS = Token._fields
_token = functools.partial(tuple.__new__, Token)  # Token._make without a Python call per token
_ORIGIN_FIELDS = ("id", "source", "title", "revision", "timestamp", "file", "offset")
_METADATA_FIELDS = tuple(f.name for f in dataclasses.fields(Metadata) if f.name in {c.name for c in COLUMNS})
_MENTION_FIELDS = ("sentence", "start", "end", "head", "kind", "confidence")


def to_values(document: AnnotatedDocument) -> dict[str, Any]:
    """Returns a document's values for COLUMNS."""
    tokens = [t for s in document.sentences for t in s.tokens]
    fields = zip(*tokens, strict=True) if tokens else ((),) * len(_TOKEN_FIELDS)
    mentions = [(number, m) for number, cluster in enumerate(document.clusters) for m in cluster]
    origin = document.origin
    return {
        **{f: getattr(origin, f) for f in _ORIGIN_FIELDS},
        "file": file_name(origin.file),
        **{f: getattr(origin.metadata, f) for f in _METADATA_FIELDS},
        "section_titles": list(document.section_titles),
        DIGESTS: list(document.paragraph_digests),
        "sentence_length": [len(s.tokens) for s in document.sentences],
        "sentence_section": [s.section for s in document.sentences],
        "sentence_paragraph": [s.paragraph for s in document.sentences],
        **{name: list(values) for name, values in zip(_TOKEN_FIELDS, fields, strict=True)},
        "mention_cluster": [number for number, _ in mentions],
        **{f"mention_{f}": [getattr(m, f) for _, m in mentions] for f in _MENTION_FIELDS},
    }


def from_values(values: Mapping[str, Any], *, range_key: str = "") -> AnnotatedDocument:
    """Returns the document that ``to_values`` converted, except for the folder of its file and its range key.

    Raises:
        KeyError, ValueError: a column is missing, or the columns have inconsistent lengths.
    """
    tokens = map(_token, zip(*(values[f] for f in _TOKEN_FIELDS), strict=True))
    sentences = tuple(
        Sentence(tuple(islice(tokens, length)), section=section, paragraph=paragraph)
        for length, section, paragraph in zip(
            values["sentence_length"], values["sentence_section"], values["sentence_paragraph"], strict=True
        )
    )
    if next(tokens, None) is not None or sum(values["sentence_length"]) != len(values["text"]):
        raise ValueError(f"document {values['id']!r}: sentence lengths do not add up to its number of tokens")
    clusters: dict[int, list[Mention]] = {}
    columns = (values[f"mention_{f}"] for f in ("cluster", *_MENTION_FIELDS))
    for number, sentence, start, end, head, kind, confidence in zip(*columns, strict=True):
        clusters.setdefault(number, []).append(Mention(sentence, start, end, head, kind, confidence))
    return AnnotatedDocument(
        Origin(
            **{f: values[f] for f in _ORIGIN_FIELDS},
            range_key=range_key,
            metadata=Metadata(**{f: values[f] for f in _METADATA_FIELDS}),
        ),
        sentences,
        clusters=tuple(tuple(c) for _, c in sorted(clusters.items())),
        section_titles=tuple(values["section_titles"]),
        paragraph_digests=tuple(values.get(DIGESTS) or ()),
    )


class AnnotateConfig(Options):
    """The recipe's configuration. It has no options; those for cleaning and annotation are defined elsewhere."""


class KeepAnnotations(Recipe[AnnotateConfig]):
    """The recipe for ``gistmill annotate``, which makes one row per document."""

    NAME = "annotate"
    HELP = "parse a dump once and store the annotations as Parquet, for --source annotated"
    TITLE = "Annotated documents"
    SUMMARY = "Parsed documents with coreference clusters: the input of `--source annotated`."
    DESCRIPTION = (
        "Reads, cleans and parses a dump, resolves coreference, and writes one Parquet row per document. The "
        "other jobs read the result with --source annotated. discofuse produces the same rows as from the dump "
        "itself; the others use the parser's sentences instead of those found by rules."
    )
    EXAMPLES = (
        "annotate --input enwiki-20261101-pages-articles-multistream.xml.bz2 --output annotated-en",
        "discofuse --source annotated --input annotated-en --output discofuse-en",
    )
    CONFIG = AnnotateConfig
    DOCUMENT = AnnotatedDocument
    TASKS = ("token-classification",)
    COLUMNS = COLUMNS
    FORMATS = ("parquet",)
    DEFAULTS = {"row_group_bytes": 16 * 1024 * 1024}  # later jobs read one row group as a range

    def process(self, document: AnnotatedDocument) -> Outcome:
        """Returns the document as one row in the ``default`` configuration."""
        row = Row(DEFAULT, document.id, to_values(document))
        counts = {
            "sentences/annotated": len(document.sentences),
            "tokens/annotated": sum(len(s.tokens) for s in document.sentences),
        }
        return Outcome(document.origin, rows=(row,), counts=counts)
