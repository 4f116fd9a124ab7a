"""Documents that share text with an evaluation set become Rejects that name the set and the text."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apache_beam as beam

from rules.contamination import ContaminationConfig
from rules.duplicates.documents import text_of
from rules.records import AnnotatedDocument, CleanDocument, Reject
from rules.verdict import Reason
from transforms.evaluation import load_index

STAGE = "decontaminate"


class RejectContaminated(beam.PTransform):
    """CleanDocuments and AnnotatedDocuments that are contaminated -> Reject; everything else passes.

    Args:
        workspace: root of the run's work space, where ``Evaluation.save`` wrote the index.
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
        yield element if found is None else Reject(
            id=element.id, reason=Reason.CONTAMINATED, stage=STAGE, title=element.title, file=element.file,
            offset=element.offset, range_key=element.range_key,
            detail=f"{found.shared} of {found.of} n-grams are in {self._sets[found.set]}, such as {found.text!r}")
