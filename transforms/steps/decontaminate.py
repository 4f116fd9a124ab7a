"""Documents that share text with an evaluation set become Rejects that name the set and the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.options import option
from gistmill.core.values import PATHS, TEXT, list_of
from gistmill.rules.contamination import ContaminationConfig
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, DuplicateReason
from gistmill.rules.duplicates import text_of
from gistmill.rules.lineage import file_name
from gistmill.transforms.evaluation_texts import Evaluation, described, load_index, read_evaluation
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step

STAGE = "decontaminate"


class RejectContaminated(beam.PTransform):
    """CleanDocuments and AnnotatedDocuments that are contaminated -> Reject; everything else passes.

    Args:
        workspace: root of the run's workspace, where ``Evaluation.save`` wrote the index.
        config: when a document counts as contaminated.
    """

    def __init__(self, workspace: str, config: ContaminationConfig) -> None:
        super().__init__()
        self._workspace, self._config = workspace, config

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Look" >> beam.ParDo(_Look(self._workspace, self._config))


class _Look(beam.DoFn):
    def __init__(self, workspace: str, config: ContaminationConfig) -> None:
        self._workspace, self._config = workspace, config

    def setup(self) -> None:
        self._index, self._sets = load_index(self._workspace)

    def process(self, element: Any) -> Iterator[Any]:
        if not isinstance(element, (CleanDocument, AnnotatedDocument)):
            yield element
            return
        found = self._index.look(text_of(element), self._config)
        if found is None:
            yield element
            return
        name = file_name(self._sets[found.set])
        detail = f"{found.shared} of {found.of} n-grams are in {name}, such as {found.text!r}"
        yield element.origin.reject(DuplicateReason.CONTAMINATED, STAGE, detail)


@dataclass(frozen=True, kw_only=True)
class DecontaminateConfig(ContaminationConfig):
    """The options of the step: the files that hold evaluation texts, and what counts as contamination."""

    decontaminate: tuple[str, ...] | None = option(
        PATHS,
        help="reject documents that share an n-gram with texts of these files or globs, comma-separated: TSV, JSONL, "
        "text (also gz or bz2) or Parquet",
    )
    decontaminate_fields: tuple[str, ...] | None = option(
        list_of(TEXT),
        metavar="NAME,NAME",
        help="columns or keys of these files that hold the texts (default: all strings)",
    )


class Decontaminate(Step):
    """Rejects documents that share text with an evaluation set."""

    NAME = "Decontaminate"
    CONFIG = DecontaminateConfig
    REASONS = (DuplicateReason,)
    READS_TEXT = True

    def __init__(self, config: DecontaminateConfig, evaluation: Evaluation) -> None:
        self._config, self._evaluation = config, evaluation

    @classmethod
    @override
    def open(cls, config: DecontaminateConfig, *, source: type[Source], wanted: type) -> Self | None:
        """Reads the evaluation texts."""
        if not config.decontaminate:
            return None
        fields = config.decontaminate_fields or ()
        return cls(config, read_evaluation(config.decontaminate, ngram=config.decontaminate_ngram, fields=fields))

    @override
    def save(self, workspace: str) -> None:
        self._evaluation.save(workspace)

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.through(self.NAME, RejectContaminated(flow.workspace, self._config))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {"evaluation": described(self._evaluation)}
