"""``gistmill wikitransfer``: articles in, for each profile a summarization dataset out that resembles another one."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines import fit_profile
from pipelines.building import BuildingJob, run_job
from pipelines.common import CLEANING, DUPLICATES, INPUT, RUN, SENTENCES, output_options
from pipelines.options import Option
from pipelines.profiles import BUILT_IN, profiles
from rules.wikitransfer.profile import Profile, profile_of
from rules.wikitransfer.recipe import WikiTransfer
from transforms.sinks.schema import ConfigSchema, DatasetSchema

_RECIPE = (
    Option(name="profile", parse=profiles, metavar="NAMES", required=True, group="recipe",
           help="comma-separated profiles, of which each becomes a configuration of the dataset: "
                f"{', '.join(BUILT_IN)}, or YAML files of your own"),
)
_DESCRIPTION = """\
Builds summarization datasets without labels that resemble others (WikiTransfer, Fabbri et al., 2021): `targets` are M
sentences of an article, the first by default, and `inputs` the rest. Articles are kept when the M sentences of the rest
that say most of the summary have a ROUGE within the profile's range. Several profiles are made in one pass."""
_EPILOG = """\
examples:
  gistmill wikitransfer --profile cnndm,xsum --input enwiki-latest-pages-articles-multistream.xml.bz2 --output summaries
  gistmill wikitransfer --fit pairs.jsonl --output mine.yaml
  gistmill wikitransfer --profile mine.yaml --source warc --input 'crawl/*.warc.gz' --output transfer-mine
--fit FILE makes a profile from a sample of (document, summary) pairs: see gistmill wikitransfer --fit --help.
Any option of Apache Beam may follow, such as --runner."""


def _recipe(values: Mapping[str, Any]) -> WikiTransfer:
    return WikiTransfer([profile_of(p) for p in values["profile"]])


def _schema(recipe: WikiTransfer) -> DatasetSchema:
    return DatasetSchema(configs=tuple(
        ConfigSchema(name=p.name, columns=recipe.COLUMNS, description=_described(p)) for p in recipe.profiles))


def _described(profile: Profile) -> str:
    many = "" if profile.sentences == 1 else "s"
    return (f"summaries of {profile.sentences} sentence{many} ({profile.selection}), {profile.rouge} {profile.measure} of "
            f"the oracle from {profile.min_oracle:g} to {profile.max_oracle:g}")


JOB = BuildingJob(
    name="wikitransfer", step="WikiTransfer", title="WikiTransfer",
    summary="Summarization examples from articles themselves (WikiTransfer, Fabbri et al., 2021): `targets` are a few "
            "sentences of an article, `inputs` the rest of it, kept where an extractive summary would be as good as in "
            "the dataset that the profile stands for.",
    description=_DESCRIPTION, epilog=_EPILOG,
    options=(*INPUT, *CLEANING, *DUPLICATES, *SENTENCES, *_RECIPE,
             *output_options(("parquet", "tfrecord", "tsv"), ("parquet", "tfrecord")), *RUN),
    recipe=_recipe, schema=_schema,
)


def main(argv: Sequence[str]) -> int:
    """Runs the job (see pipelines.building.run_job), or with ``--fit`` makes a profile."""
    if any(a == "--fit" or a.startswith("--fit=") for a in argv):
        return fit_profile.main(argv)
    return run_job(JOB, argv)
