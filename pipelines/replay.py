"""A document is read again at its place in the input, and the recipe is run on it once more."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.manifest import Manifest, ManifestError
from gistmill.core.records import Reject, Row
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, configure, options_for, reads_pairs, recipe_named
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.finding import rows_of_id
from gistmill.rules.annotated import from_values
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, RawDocument, SegmentedDocument
from gistmill.rules.lineage import Operation, file_name
from gistmill.transforms.coreference import load_resolver
from gistmill.transforms.models import ModelError, load_model
from gistmill.transforms.sources.annotated import AnnotatedSource
from gistmill.transforms.sources.files.manifests import manifest_of
from gistmill.transforms.sources.files.ranges import InputFile, SourceError, split_commas
from gistmill.transforms.sources.files.source import FilesSource
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.sources.wikipedia.dump import BadIndex, find_index, stream_of
from gistmill.transforms.steps.annotate import AnnotationConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.choose_split import SplitConfig
from gistmill.transforms.steps.clean import CleanConfig, Cleaner
from gistmill.transforms.steps.segment import SegmentationConfig, segment_annotated, segment_clean, unparsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What became of a document when it was read again.

    Attributes:
        file, offset: where it was found.
        rows: the rows that the recipe made of it.
        reject: why the document was rejected; None if it was not.
        operations: what the recipe did to make the row that was asked for.
        document: what the recipe was given; None if the document was rejected before.
    """

    file: str
    offset: int
    rows: tuple[Row, ...]
    reject: Reject | None = None
    operations: tuple[Operation, ...] = ()
    document: AnnotatedDocument | SegmentedDocument | CleanDocument | None = None


def replay(
    manifest: Manifest, document_id: str, *, inputs: Sequence[str], file: str = "", offset: int | None, row_id: str = ""
) -> Replay:
    """Reads a document again and runs the recipe of a dataset on it.

    Args:
        manifest: of the dataset; its configuration decides how the document is read, cleaned and annotated.
        document_id: id of the document.
        inputs: the files that the dataset was made of, or a dataset of `gistmill annotate`.
        file, offset: name of the file and offset of the document, as far as they are known.
        row_id: the row whose operations are wanted.

    Raises:
        ConfigError: the inputs cannot be read or do not have the document, or the recipe reads no documents.
    """
    job = _job(manifest)
    try:
        annotated = _annotated(inputs)
        if annotated is not None:
            found = rows_of_id(annotated, document_id)
            if not found:
                raise ConfigError(f"{annotated.place} does not have the document {document_id!r}")
            document: Any = from_values(found[0].values)
        else:
            document = _from_files(job, document_id, inputs, file, offset)
        return _applied(job, document, row_id)
    except (SourceError, ModelError, DatasetError, ManifestError, OSError) as error:
        raise ConfigError(" ".join(str(error).split())) from None


def _job(manifest: Manifest) -> JobConfig:
    recipe = recipe_named(manifest.recipe)
    source = str(manifest.configuration.get("source", ""))
    if reads_pairs(recipe) or source not in REGISTRY:
        raise ConfigError(f"the rows of {manifest.recipe} are not made of documents that could be read again")
    offered = options_for(recipe)
    known = offered.options
    values = {
        name: value
        for name, value in manifest.configuration.items()
        if name in known and not known[name].kind.is_place and source in offered.scopes[name]
    }
    return configure(recipe, values, complete=False, reads_files=False)


def _annotated(inputs: Sequence[str]) -> Dataset | None:
    """The dataset of annotations that the inputs name; None where they name files."""
    (*places,) = split_commas(inputs)
    manifest = manifest_of(places[0]) if len(places) == 1 else None
    if manifest is None:
        return None
    if manifest.recipe != "annotate":
        raise ConfigError(f"{places[0]} is a dataset of {manifest.recipe}, not of `gistmill annotate`")
    return Dataset(places[0])


def _from_files(
    job: JobConfig, document_id: str, inputs: Sequence[str], file: str, offset: int | None
) -> RawDocument | AnnotatedDocument | Reject:
    if job.source is AnnotatedSource:
        raise ConfigError("the dataset was made of annotations: name the dataset that has them")
    source = job.source.open(inputs, job.of(job.source.CONFIG))
    assert isinstance(source, FilesSource)
    for element in _candidates(source, document_id, file, offset):
        if isinstance(element, (RawDocument, AnnotatedDocument, Reject)) and element.id == document_id:
            return element
    raise ConfigError(f"{', '.join(inputs)} does not have the document {document_id!r}")


def _candidates(source: FilesSource[Any], document_id: str, file: str, offset: int | None) -> Iterator[Any]:
    """Yields what is at the place where the document should be, and then everything else."""
    read = source.reader()
    for candidate in source.files:
        if file in ("", file_name(candidate.path)):
            at = _index_offset(candidate, document_id) if offset is None else offset
            place = None if at is None else source.range_at(candidate, at)
            if place is not None:
                yield from read(place)
    with tempfile.TemporaryDirectory(prefix="gistmill-trace-") as folder:
        for made in source.planner(folder)(source.files):
            if not hasattr(made, "key"):
                continue
            yield from read(made)  # type: ignore[arg-type]  # what has a key is a range


def _index_offset(file: InputFile, document_id: str) -> int | None:
    """The offset of a page that the index beside a multistream dump has."""
    page = document_id.removeprefix("wikipedia-")
    index = find_index(file.path) if page.isdigit() else None
    try:
        return None if index is None else stream_of(index, page)
    except BadIndex:
        return None


def _applied(job: JobConfig, document: RawDocument | AnnotatedDocument | Reject, row_id: str) -> Replay:
    recipe = job.recipe(job.of(job.recipe.CONFIG), salt=job.of(SplitConfig).salt)
    origin = document.origin
    prepared = document if isinstance(document, Reject) else _prepared(job, document)
    if isinstance(prepared, Reject):
        return Replay(file=file_name(origin.file), offset=origin.offset, rows=(), reject=prepared)
    outcome = recipe.process(prepared)
    return Replay(
        file=file_name(origin.file),
        offset=origin.offset,
        rows=outcome.rows,
        reject=outcome.refused,
        operations=tuple(recipe.operations(prepared, row_id)) if row_id in {row.id for row in outcome.rows} else (),
        document=prepared,
    )


def _prepared(
    job: JobConfig, document: RawDocument | AnnotatedDocument
) -> AnnotatedDocument | SegmentedDocument | CleanDocument | Reject:
    """The document as the recipe takes it."""
    wanted = job.recipe.DOCUMENT
    if isinstance(document, AnnotatedDocument):
        if wanted is AnnotatedDocument:
            return document
        return unparsed(document) if wanted is CleanDocument else segment_annotated(document)
    cleaner = Cleaner(job.of(CleanConfig))
    try:
        clean = cleaner.clean(document)
    finally:
        cleaner.close()
    if isinstance(clean, Reject) or wanted is CleanDocument:
        return clean
    if wanted is AnnotatedDocument:
        return _annotate(clean, job.of(AnnotationConfig))
    segmentation = job.of(SegmentationConfig)
    if segmentation.needs_parse:
        return segment_annotated(_annotate(clean, AnnotationConfig(spacy_model=segmentation.spacy_model, coref="none")))
    return segment_clean(clean)


def _annotate(document: CleanDocument, config: AnnotationConfig) -> AnnotatedDocument:
    (annotated,) = Annotator(load_model(config.spacy_model), load_resolver(config.coref)).annotate([document])
    return annotated
