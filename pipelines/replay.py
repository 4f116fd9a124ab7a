"""Replaying a document: it is read again from the input, and the recipe is run on it again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

from gistmill.core.manifest import Manifest, ManifestError
from gistmill.core.records import Reject, Row
from gistmill.pipelines.errors import ConfigError, shown
from gistmill.pipelines.job import JobConfig, configure, options_for, reads_pairs, recipe_named
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.finding import rows_of_id
from gistmill.rules.annotated import from_values
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, RawDocument, SegmentedDocument
from gistmill.rules.lineage import Operation, file_name
from gistmill.rules.segmentation import segmented, unparsed
from gistmill.transforms.coreference import load_resolver
from gistmill.transforms.installed import ModelError
from gistmill.transforms.models import load_model
from gistmill.transforms.sources.annotated import AnnotatedSource
from gistmill.transforms.sources.base import FilesSource, manifest_of
from gistmill.transforms.sources.files.ranges import SourceError, split_commas
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.steps.annotate import AnnotationConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.clean import CleanConfig, Cleaner
from gistmill.transforms.steps.recipe import SplitConfig
from gistmill.transforms.steps.segment import SegmentationConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The result of processing a document again.

    Attributes:
        file, offset: location of the document in the input.
        rows: the rows that the recipe made from it.
        reject: why the document was rejected; None if it was not.
        operations: the recipe's operations that made the requested row.
        document: the input of the recipe; None if the document was rejected earlier.
    """

    file: str
    offset: int
    rows: tuple[Row, ...]
    reject: Reject | None = None
    operations: tuple[Operation, ...] = ()
    document: AnnotatedDocument | SegmentedDocument | CleanDocument | None = None

    def to_json(self, differing: Sequence[str] | None) -> dict[str, Any]:
        """Returns the result as JSON values; ``differing`` lists the columns whose values differ from the requested
        row, or is None if that row was not made again."""
        return {
            "file": self.file,
            "offset": self.offset,
            "rows": [row.id for row in self.rows],
            "rejected": self.reject and self.reject.reason.name,
            "differing_columns": differing,
            "operations": [asdict(operation) for operation in self.operations],
        }

    def lines(self, differing: Sequence[str] | None) -> Iterator[str]:
        """Yields the result as lines of text; ``differing`` as for ``to_json``."""
        yield f"read again from {self.file}, offset {self.offset:,}: the document yields {len(self.rows):,} rows"
        if self.reject is not None:
            yield f"  the document is now rejected: {self.reject.reason.name} ({shown(self.reject.detail)})"
        elif differing is None:
            yield "  this row is no longer made: the rules, models or input have changed"
        elif differing:
            yield f"  the row is made again, but with different values of {', '.join(differing)}"
        else:
            yield "  the row is made again with the same values"
        if self.operations:
            yield "operations of the rules"
            yield f"     {' | '.join(self.operations[0].before)}"
        for number, operation in enumerate(self.operations, start=1):
            yield f"  {number}. {operation.name} {operation.detail}"
            yield f"     {' | '.join(operation.after)}"


def replay(
    manifest: Manifest, document_id: str, *, inputs: Sequence[str], file: str = "", offset: int | None, row_id: str = ""
) -> Replay:
    """Reads a document again and runs the dataset's recipe on it.

    Args:
        manifest: the dataset's manifest; its configuration determines how the document is read, cleaned and annotated.
        document_id: id of the document.
        inputs: the files that the dataset was made from, or a dataset made by `gistmill annotate`.
        file, offset: name of the file and offset of the document, if known.
        row_id: id of the row whose operations to return.

    Raises:
        ConfigError: the inputs cannot be read or do not contain the document, or the recipe does not read documents.
    """
    try:
        job = _job(manifest)
        document = _document(job, document_id, inputs, file, offset)
        prepared = _prepared(job, document)
    except (SourceError, ModelError, DatasetError, ManifestError, OSError) as error:
        raise ConfigError(" ".join(str(error).split())) from None
    place: dict[str, Any] = {"file": file_name(document.origin.file), "offset": document.origin.offset}
    if isinstance(prepared, Reject):
        return Replay(**place, rows=(), reject=prepared)
    recipe = job.recipe(job.of(job.recipe.CONFIG), salt=job.of(SplitConfig).salt)
    outcome = recipe.process(prepared)
    made = row_id in {row.id for row in outcome.rows}
    return Replay(
        **place,
        rows=outcome.rows,
        reject=outcome.refused,
        operations=tuple(recipe.operations(prepared, row_id)) if made else (),
        document=prepared,
    )


def _job(manifest: Manifest) -> JobConfig:
    recipe = recipe_named(manifest.recipe)
    source = str(manifest.configuration.get("source", ""))
    if reads_pairs(recipe) or source not in REGISTRY:
        raise ConfigError(f"{manifest.recipe} rows are not made from documents that can be read again")
    offered = options_for(recipe)
    values = {
        name: value
        for name, value in manifest.configuration.items()
        if name in offered.options and not offered.options[name].kind.is_place and source in offered.scopes[name]
    }
    return configure(recipe, values, complete=False, reads_files=False)


def _document(
    job: JobConfig, document_id: str, inputs: Sequence[str], file: str, offset: int | None
) -> RawDocument | AnnotatedDocument | Reject:
    """Returns the document from the files, or from the dataset of annotations named as the input."""
    (*places,) = split_commas(inputs)
    manifest = manifest_of(places[0]) if len(places) == 1 else None
    if manifest is not None:
        if manifest.recipe != "annotate":
            raise ConfigError(f"{places[0]} was made by `gistmill {manifest.recipe}`, not by `gistmill annotate`")
        for row in rows_of_id(Dataset(places[0]), document_id):
            return from_values(row.values)
        raise ConfigError(f"{places[0]} does not contain the document {document_id!r}")
    if job.source is AnnotatedSource:
        raise ConfigError("the dataset was made from annotations: specify the dataset that contains them")
    source = job.source.open(inputs, job.of(job.source.CONFIG))
    assert isinstance(source, FilesSource)
    for element in _candidates(source, file, offset):
        if isinstance(element, (RawDocument, AnnotatedDocument, Reject)) and element.id == document_id:
            return element
    raise ConfigError(f"{', '.join(inputs)} does not contain the document {document_id!r}")


def _candidates(source: FilesSource[Any], file: str, offset: int | None) -> Iterator[Any]:
    """Yields the elements at the document's recorded location, then all others."""
    read = source.reader()
    for candidate in source.files:
        if file in ("", file_name(candidate.path)):
            place = None if offset is None else source.range_at(candidate, offset)
            if place is not None:
                yield from read(place)
    with tempfile.TemporaryDirectory(prefix="gistmill-trace-") as folder:
        for made in source.planner(folder)(source.files):
            if hasattr(made, "key"):
                yield from read(made)  # type: ignore[arg-type]  # an element with a key is a range


def _prepared(job: JobConfig, document: Any) -> AnnotatedDocument | SegmentedDocument | CleanDocument | Reject:
    """Cleans, annotates and segments the document as the recipe requires."""
    wanted: type = job.recipe.DOCUMENT
    if isinstance(document, RawDocument):
        with closing(Cleaner(job.of(CleanConfig))) as cleaner:
            document = cleaner.clean(document)
    annotation, segmentation = job.find(AnnotationConfig), job.find(SegmentationConfig)
    if segmentation is not None and segmentation.needs_parse:
        annotation = AnnotationConfig(spacy_model=segmentation.spacy_model, coref="none")
    if isinstance(document, CleanDocument) and annotation is not None:
        annotator = Annotator(load_model(annotation.spacy_model), load_resolver(annotation.coref))
        (document,) = annotator.annotate([document])
    if isinstance(document, AnnotatedDocument) and wanted is CleanDocument:
        return unparsed(document)
    return next(segmented(document)) if wanted is SegmentedDocument and not isinstance(document, Reject) else document
