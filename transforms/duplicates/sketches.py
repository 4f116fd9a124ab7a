"""The first pass: documents in, the files of their sketches out, a set for each range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import PATHS, SHARE, SWITCH, one_of
from gistmill.rules.documents import AnnotatedDocument, CleanDocument
from gistmill.rules.duplicates.documents import text_of
from gistmill.rules.duplicates.sketch import Bands, bands_for, sketch
from gistmill.transforms.duplicates.files import SketchFile, SketchWriter, to_json
from gistmill.transforms.first_pass import LookThrough

NONE, EXACT, NEAR = "none", "exact", "near"
MODES = (NONE, EXACT, NEAR)
DOCUMENTS = (CleanDocument, AnnotatedDocument)


@dataclass(frozen=True, kw_only=True)
class DuplicatesConfig(Options):
    """Decides what counts as a duplicate."""

    GROUP: ClassVar[str] = "duplicates"

    deduplicate: str | None = option(
        one_of(*MODES),
        metavar="MODE",
        help="reject documents with the same words as an earlier one (exact), or nearly the same (near), or none; the "
        "earliest stays (default: near where the same text may come twice, as in a crawl; else none)",
    )
    duplicate_threshold: float = option(
        SHARE,
        default=0.8,
        metavar="J",
        help="share of word 5-grams (Jaccard similarity) from which two documents are nearly the same",
    )

    keep_signatures: bool = option(
        SWITCH,
        default=False,
        help="put signatures of all documents into the dataset, with which --duplicates-against compares later ones",
    )
    duplicates_against: tuple[str, ...] | None = option(
        replace(PATHS, metavar="DATASETS", allowed="datasets, comma-separated"),
        help="datasets with signatures: reject documents that are duplicates of theirs too",
    )

    def check(self) -> None:
        """Raises ValueError for a threshold that no bands can have."""
        bands_for(self.duplicate_threshold)

    @property
    def bands(self) -> Bands | None:
        """How signatures are cut; None where there are none."""
        return bands_for(self.duplicate_threshold) if self.deduplicate == NEAR else None


class SketchRanges(LookThrough[SketchWriter]):
    """See LookThrough; what is found of a range is a SketchFile.

    Args:
        workspace: root of the run's workspace.
        config: what counts as a duplicate.
        keep: whether the elements are written too, so that they need not be made a second time.
    """

    def __init__(self, workspace: str, config: DuplicatesConfig, *, keep: bool) -> None:
        super().__init__(workspace)
        self._bands, self._keep = config.bands, keep

    def writer(self, range_key: str) -> SketchWriter:
        """See LookThrough.writer."""
        return SketchWriter(self._layout, range_key, self._bands, keep=self._keep)

    def take(self, writer: SketchWriter, element: Any) -> None:
        """See LookThrough.take."""
        writer.keep(element)
        if isinstance(element, DOCUMENTS):
            writer.add(element, sketch(text_of(element), self._bands))

    def to_json(self, found: SketchFile) -> Mapping[str, Any]:
        """See LookThrough.to_json."""
        return to_json(found)
