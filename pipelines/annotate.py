"""``gistmill annotate``: parse a dump once, and keep what was found for any number of recipes."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.building import BuildingJob, run_job
from pipelines.common import ANNOTATION, CLEANING, DUPLICATES, INPUT, RUN, output_options
from rules.annotated import COLUMNS, KeepAnnotations
from transforms.sinks.schema import ConfigSchema, DatasetSchema

_DESCRIPTION = """\
Reads and cleans a dump, parses it, resolves coreference, and writes one Parquet row a document. The other jobs read the
result with --source annotated and give the same rows as from the dump itself."""
_EPILOG = """\
examples:
  gistmill annotate --input enwiki-latest-pages-articles-multistream.xml.bz2 --output annotated-en --workers 2
  gistmill discofuse --source annotated --input annotated-en --output discofuse-en"""


def _recipe(values: Mapping[str, Any]) -> KeepAnnotations:
    return KeepAnnotations()


JOB = BuildingJob(
    name="annotate", step="KeepAnnotations", title="Annotated documents",
    summary="Parsed documents with coreference clusters: the input of `--source annotated`.",
    description=_DESCRIPTION, epilog=_EPILOG,
    options=(*INPUT, *CLEANING, *DUPLICATES, *ANNOTATION, *output_options(("parquet",), ("parquet",)), *RUN),
    recipe=_recipe,
    schema=DatasetSchema(configs=(ConfigSchema(name="default", columns=COLUMNS, description="one row a document"),)),
)


def main(argv: Sequence[str]) -> int:
    """Runs the job; see pipelines.building.run_job."""
    return run_job(JOB, argv)
