"""``gistmill lead-bias``: articles in, a summarization dataset out whose summaries are the articles' own leads."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.building import BuildingJob, run_job
from pipelines.common import CLEANING, DUPLICATES, INPUT, RUN, SENTENCES, output_options
from pipelines.options import Option
from pipelines.values import integer, share, text
from rules.lead_bias import COLUMNS, CONFIG, LeadBias, LeadBiasConfig
from rules.leads import FORMS, parse_lead
from transforms.sinks.schema import ConfigSchema, DatasetSchema
from transforms.sources.source import chosen

_DEFAULTS = LeadBiasConfig()


def lead(value: Any) -> str:
    """The name of a lead, as in rules/leads.py."""
    named = text(value)
    try:
        parse_lead(named)
    except ValueError:
        raise ValueError(f"expected {FORMS}") from None
    return named


def _bound(name: str, meaning: str) -> Option:
    return Option(name=name, parse=integer(1), default=getattr(_DEFAULTS, name), metavar="N", group="recipe", help=meaning)


_RECIPE = (
    Option(name="lead", parse=lead, default=_DEFAULTS.lead, metavar="LEAD", group="recipe",
           help=f"what the summary is: {FORMS} (for example section:Abstract); all else is the rest"),
    _bound("min_lead_words", "words that the lead must have"),
    _bound("max_lead_words", "words that the lead may have"),
    _bound("min_rest_words", "words that the rest must have"),
    _bound("max_rest_words", "words that the rest may have"),
    _bound("min_sentences", "sentences that the document must have"),
    Option(name="min_overlap", parse=share, default=_DEFAULTS.min_overlap, metavar="RATIO", group="recipe",
           help="least share of the lead's words, stop words apart, that occur in the rest"),
)
_DESCRIPTION = """\
Builds a summarization dataset without labels (Zhu et al., 2021): `targets` is the lead of an article, its first three
sentences by default, and `inputs` the rest. Articles are kept when lead and rest have a fit length, no sentence of the
lead is repeated, and enough of the lead's words occur in the rest. No parse is needed."""
_EPILOG = """\
examples:
  gistmill lead-bias --source wikipedia --input enwiki-latest-pages-articles-multistream.xml.bz2 --output leads-en
  gistmill lead-bias --config corpora/lead-bias-wikipedia.yaml --input 'dumps/*.bz2' --output leads-en --workers 2
  gistmill lead-bias --source annotated --input annotated-en --output leads-en --min-overlap 0.5
Any option of Apache Beam may follow, such as --runner."""


def _recipe(values: Mapping[str, Any]) -> LeadBias:
    return LeadBias(LeadBiasConfig(**chosen(values, *(o.name for o in _RECIPE))))


JOB = BuildingJob(
    name="lead-bias", step="LeadBias", title="Lead bias",
    summary="Summarization examples from articles themselves (Zhu et al., 2021): `targets` is the lead of an article, "
            "`inputs` the rest of it, kept where the rest has most of the lead's words.",
    description=_DESCRIPTION, epilog=_EPILOG,
    options=(*INPUT, *CLEANING, *DUPLICATES, *SENTENCES, *_RECIPE,
             *output_options(("parquet", "tfrecord", "tsv"), ("parquet", "tfrecord")), *RUN),
    recipe=_recipe,
    schema=DatasetSchema(configs=(ConfigSchema(name=CONFIG, columns=COLUMNS, description="one row an article"),)),
)


def main(argv: Sequence[str]) -> int:
    """Runs the job; see pipelines.building.run_job."""
    return run_job(JOB, argv)
