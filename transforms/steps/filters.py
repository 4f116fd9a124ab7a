"""Steps that filter or rank.

A filter computes a verdict for each document and replaces documents that are not accepted by Rejects. Deduplicate and
Rank read all documents before passing any on: the first pass makes the decisions, the second attaches them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Self

from typing_extensions import override

from gistmill.core.options import option
from gistmill.core.records import ACCEPTED, Reason, Verdict
from gistmill.core.values import PATHS, TEXT, list_of
from gistmill.rules.curriculum.recipe import CurriculumConfig, RankedPair
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, DuplicateReason, RawDocument
from gistmill.rules.duplicates import text_of
from gistmill.rules.filters import ContaminationConfig, DateReason, DatesConfig, SectionReason, SectionsConfig
from gistmill.rules.lineage import file_name
from gistmill.transforms.duplicates.minhash import NONE, Deduplicate, DuplicatesConfig
from gistmill.transforms.duplicates.signatures import SignatureFile, SignaturesError, signature_files
from gistmill.transforms.evaluation_texts import Evaluation, load_index, read_evaluation
from gistmill.transforms.ranks.find import RankPairs
from gistmill.transforms.sources.base import Source
from gistmill.transforms.sources.files.ranges import split_commas
from gistmill.transforms.steps.base import Flow, Step


class Sections(Step):
    """Rejects documents from unwanted sections, before cleaning, which is more expensive."""

    NAME = "Sections"
    CONFIG = SectionsConfig
    REASONS = (SectionReason,)

    @classmethod
    @override
    def open(cls, config: SectionsConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.url_sections else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.filtered(self.NAME, self._config.verdict, (RawDocument,))


class Dates(Step):
    """Rejects documents from unwanted days, after cleaning, which finds a page's date."""

    NAME = "Dates"
    CONFIG = DatesConfig
    REASONS = (DateReason,)

    @classmethod
    @override
    def open(cls, config: DatesConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.since or config.until else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.filtered(self.NAME, self._config.verdict)


@dataclass(frozen=True, kw_only=True)
class DecontaminateConfig(ContaminationConfig):
    """The step's options: the files that contain evaluation texts, and the definition of contamination."""

    decontaminate: tuple[str, ...] | None = option(
        PATHS,
        help="reject documents that share an n-gram with texts in these comma-separated files or globs: TSV, "
        "JSONL, text (also gz or bz2) or Parquet",
    )
    decontaminate_fields: tuple[str, ...] | None = option(
        list_of(TEXT),
        metavar="NAME,NAME",
        help="columns or keys that contain the texts in these files (default: all strings)",
    )


class Decontaminate(Step):
    """Rejects documents that share text with an evaluation set; the reject names the set and the text."""

    NAME = "Decontaminate"
    CONFIG = DecontaminateConfig
    REASONS = (DuplicateReason,)
    READS_TEXT = True

    def __init__(self, config: DecontaminateConfig, evaluation: Evaluation) -> None:
        super().__init__(config)
        self._evaluation = evaluation

    @classmethod
    @override
    def open(cls, config: DecontaminateConfig, *, source: type[Source], wanted: type) -> Self | None:
        """Reads the evaluation texts."""
        if not config.decontaminate:
            return None
        fields = config.decontaminate_fields or ()
        return cls(config, read_evaluation(config.decontaminate, ngram=config.decontaminate_ngram, fields=fields))

    @override
    def apply(self, flow: Flow) -> Flow:
        if flow.workspace:
            self._evaluation.save(flow.workspace)
        return flow.filtered(self.NAME, partial(contamination, workspace=flow.workspace, config=self._config))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {"evaluation": [asdict(file) for file in self._evaluation.sets]}


def contamination(
    document: CleanDocument | AnnotatedDocument, *, workspace: str, config: ContaminationConfig
) -> Verdict:
    """Returns the verdict on a document: CONTAMINATED if it shares text with the evaluation sets whose index is in the
    workspace."""
    index, sets = load_index(workspace)
    found = index.look(text_of(document), config)
    if found is None:
        return ACCEPTED
    name = file_name(sets[found.set])
    detail = f"{found.shared} of {found.of} n-grams are in {name}, such as {found.text!r}"
    return Verdict(DuplicateReason.CONTAMINATED, detail)


class Rank(Step):
    """Turns Pairs into RankedPairs. The source is read twice."""

    NAME = "Rank"
    CONFIG = CurriculumConfig
    SERVES = (RankedPair,)

    @classmethod
    @override
    def open(cls, config: CurriculumConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config)

    @override
    def apply(self, flow: Flow) -> Flow:
        ranked = (flow.ranges, flow.pending) | self.NAME >> RankPairs(flow.workspace, self._config, flow.read)
        return replace(flow, settled=ranked)


class DeduplicateStep(Step):
    """Rejects duplicates. Documents that are costly to make are kept in the workspace between the two passes.

    Args:
        config: defines duplicates.
        reasons: the enumerations of the reasons for which the source rejects documents.
        old: files with the signatures of documents published earlier, which are always kept.
    """

    NAME = "Deduplicate"
    CONFIG = DuplicatesConfig
    REASONS = (DuplicateReason,)
    READS_TEXT = True

    def __init__(
        self, config: DuplicatesConfig, reasons: Sequence[type[Reason]], old: Sequence[SignatureFile] = ()
    ) -> None:
        self._config, self._reasons, self._old = config, reasons, old

    @classmethod
    @override
    def open(cls, config: DuplicatesConfig, *, source: type[Source], wanted: type) -> Self | None:
        """Reads the manifests of the datasets to compare documents with."""
        against = tuple(split_commas(config.duplicates_against or ()))
        if config.deduplicate != NONE:
            return cls(config, source.REASONS, signature_files(against, config.bands))
        if against or config.keep_signatures:
            flag = "--duplicates-against" if against else "--keep-signatures"
            raise SignaturesError(f"{flag} requires --deduplicate near or exact")
        return None

    @override
    def apply(self, flow: Flow) -> Flow:
        reasons = (*self._reasons, *flow.reasons)
        deduplicate = Deduplicate(
            flow.workspace, self._config, flow.read, keep=flow.costly, reasons=reasons, old=self._old
        )
        settled, signatures = (flow.ranges, flow.pending) | self.NAME >> deduplicate
        return replace(flow, settled=settled, files=(*flow.files, signatures))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {"signatures": [{"dataset": f.dataset, "name": f.name, "sha256": f.sha256} for f in self._old]}
