"""``gistmill gap-sentences``: articles in, the pre-training corpus of PEGASUS out."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.building import BuildingJob, run_job
from pipelines.common import CLEANING, DUPLICATES, INPUT, RUN, SENTENCES, output_options
from pipelines.options import Option
from pipelines.values import integer, one_of, share, switch, text
from rules.gap_sentences import COLUMNS, CONFIG, COUNTINGS, SCORINGS, SELECTIONS, GapSentences, GapSentencesConfig
from transforms.sinks.schema import ConfigSchema, DatasetSchema
from transforms.sources.source import chosen

_DEFAULTS = GapSentencesConfig()


def between(value: Any) -> float:
    """A number between 0 and 1, neither of them."""
    number = share(value)
    if not 0 < number < 1:
        raise ValueError("expected a number between 0 and 1")
    return number


def token(value: Any) -> str:
    """A text without white space."""
    found = text(value)
    if found.split() != [found]:
        raise ValueError("expected a text without white space")
    return found


_RECIPE = (
    Option(name="selection", parse=one_of(*SELECTIONS), default=_DEFAULTS.selection, metavar="NAME", group="recipe",
           help="the gap sentences: principal, those with the highest ROUGE-1 F1 against the rest; random; or lead, "
                "the first"),
    Option(name="scoring", parse=one_of(*SCORINGS), default=_DEFAULTS.scoring, metavar="NAME", group="recipe",
           help="principal sentences are scored each alone (ind), or together with those chosen before (seq)"),
    Option(name="ngrams", parse=one_of(*COUNTINGS), default=_DEFAULTS.ngrams, metavar="NAME", group="recipe",
           help="words count in that as often as they occur (orig), or once (uniq)"),
    Option(name="stemmer", parse=switch, default=_DEFAULTS.stemmer, metavar="", group="recipe",
           help="stem words for that"),
    Option(name="gap_ratio", parse=between, default=_DEFAULTS.gap_ratio, metavar="RATIO", group="recipe",
           help="share of a document's sentences that are gap sentences; at least one is"),
    Option(name="left_ratio", parse=share, default=_DEFAULTS.left_ratio, metavar="RATIO", group="recipe",
           help="share of the gap sentences that stay in the inputs as they are"),
    Option(name="mask_token", parse=token, default=_DEFAULTS.mask_token, metavar="TEXT", group="recipe",
           help="what stands in the inputs for each of the others; the released vocabulary has <mask_1>"),
    Option(name="min_sentences", parse=integer(2), default=_DEFAULTS.min_sentences, metavar="N", group="recipe",
           help="sentences that the document must have"),
    Option(name="max_words", parse=integer(0), default=_DEFAULTS.max_words, metavar="N", group="recipe",
           help="a document ends with the last sentence within so many words; 0: none is cut"),
)
_DESCRIPTION = """\
Builds a pre-training corpus of gap sentences (PEGASUS, Zhang et al., 2020): `targets` are the most important sentences
of an article, in `inputs` a mask token stands for each of them. The defaults are those of the largest PEGASUS model."""
_EPILOG = """\
examples:
  gistmill gap-sentences --input enwiki-latest-pages-articles-multistream.xml.bz2 --output gaps-en --workers 2
  gistmill gap-sentences --source jsonl --input 'texts/*.jsonl' --output gaps --selection lead --gap-ratio 0.3
Any option of Apache Beam may follow, such as --runner."""


def _recipe(values: Mapping[str, Any]) -> GapSentences:
    named = chosen(values, *(o.name for o in _RECIPE))
    return GapSentences(GapSentencesConfig(salt="-".join([*str(values["salt"]).split(), "gaps"]), **named))


JOB = BuildingJob(
    name="gap-sentences", step="GapSentences", title="Gap sentences",
    summary="Gap sentences made from running text (PEGASUS, Zhang et al., 2020): `targets` are sentences of a "
            "document, `inputs` the document with mask tokens in their places.",
    description=_DESCRIPTION, epilog=_EPILOG,
    options=(*INPUT, *CLEANING, *DUPLICATES, *SENTENCES, *_RECIPE,
             *output_options(("parquet", "tfrecord", "tsv"), ("parquet", "tfrecord")), *RUN),
    recipe=_recipe,
    schema=DatasetSchema(configs=(ConfigSchema(name=CONFIG, columns=COLUMNS, description="one row a document"),)),
)


def main(argv: Sequence[str]) -> int:
    """Runs the job; see pipelines.building.run_job."""
    return run_job(JOB, argv)
