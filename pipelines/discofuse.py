"""``gistmill discofuse``: Wikipedia in, a sentence-fusion dataset out."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.building import BuildingJob, run_job
from pipelines.common import ANNOTATION, CLEANING, DUPLICATES, INPUT, RUN, output_options
from pipelines.options import Option
from pipelines.values import integer, mapping_of, one_of, share, switch
from rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from rules.discofuse.recipe import BALANCED, COLUMNS, FULL, DiscoFuse
from transforms.sinks.schema import ConfigSchema, DatasetSchema
from transforms.sources.source import chosen

_DEFAULTS = DiscoFuseConfig()
# The released files hold these columns, in this order.
RELEASED_COLUMNS = (
    "coherent_first_sentence", "coherent_second_sentence", "incoherent_first_sentence", "incoherent_second_sentence",
    "discourse_type", "connective_string", "has_coref_type_pronoun", "has_coref_type_nominal",
)
_RECIPE = (
    Option(name="conventions", parse=one_of(*CONVENTIONS), default=_DEFAULTS.conventions, metavar="NAME", group="recipe",
           help="extended: every phenomenon that the parse shows in a text; released: one a text, by the order and within "
                "the limits of the released dataset"),
    Option(name="min_text_tokens", parse=integer(1), default=_DEFAULTS.min_text_tokens, metavar="N", group="recipe",
           help="tokens that a text, one sentence or the two of a pair, must have"),
    Option(name="min_sentence_tokens", parse=integer(1), default=_DEFAULTS.min_sentence_tokens, metavar="N",
           group="recipe", help="tokens that each of the two sentences made must have"),
    Option(name="ascii_only", parse=switch, default=_DEFAULTS.ascii_only, metavar="", group="recipe",
           help="refuse texts with characters outside ASCII"),
    Option(name="min_coref_confidence", parse=share, default=_DEFAULTS.min_coref_confidence, metavar="P", group="recipe",
           help="how sure a coreference link must be before a mention is replaced"),
    Option(name="max_antecedent_tokens", parse=integer(1), default=_DEFAULTS.max_antecedent_tokens, metavar="N",
           group="recipe", help="longest replacement of a mention"),
    Option(name="balanced_rates", parse=mapping_of(share), metavar="{TYPE: RATE}", group="recipe",
           help=f"shares that the configuration `{BALANCED}` keeps, by discourse type or TYPE/connective "
                "(default: see --print-config)", default=dict(_DEFAULTS.balanced_rates)),
)
_DESCRIPTION = """\
Builds a DiscoFuse dataset (Geva et al., 2019): texts of one or two sentences, split into two sentences that do not
depend on each other, with the discourse phenomenon that was undone. Two configurations come out: `full`, and `balanced`
with the frequent phenomena down-sampled."""
_EPILOG = """\
examples:
  gistmill discofuse --input enwiki-latest-pages-articles-multistream.xml.bz2 --output discofuse-en --workers 2
  gistmill discofuse --input 'dumps/*.bz2' --output try --limit 1000 --splits 80,10,10
  gistmill discofuse --source annotated --input annotated-en --output discofuse-en --conventions released
Any option of Apache Beam may follow, such as --runner."""


def _recipe(values: Mapping[str, Any]) -> DiscoFuse:
    names = [o.name for o in _RECIPE]
    return DiscoFuse(DiscoFuseConfig(salt=f"{values['salt']}-balanced", **chosen(values, *names)))


def _config(name: str, description: str) -> ConfigSchema:
    return ConfigSchema(name=name, columns=COLUMNS, tsv_columns=RELEASED_COLUMNS, description=description)


JOB = BuildingJob(
    name="discofuse", step="DiscoFuse", title="DiscoFuse",
    summary="Sentence fusion examples made from running text by the rules of DiscoFuse (Geva et al., 2019): `inputs` are "
            "two independent sentences, `targets` the original text that fuses them.",
    description=_DESCRIPTION, epilog=_EPILOG,
    options=(*INPUT, *CLEANING, *DUPLICATES, *ANNOTATION, *_RECIPE,
             *output_options(("parquet", "tfrecord", "tsv"), ("parquet", "tfrecord")), *RUN),
    recipe=_recipe,
    schema=DatasetSchema(configs=(
        _config(FULL, "every example"),
        _config(BALANCED, f"the part of `{FULL}` that is left when frequent phenomena are down-sampled"),
    )),
)


def main(argv: Sequence[str]) -> int:
    """Runs the job; see pipelines.building.run_job."""
    return run_job(JOB, argv)
