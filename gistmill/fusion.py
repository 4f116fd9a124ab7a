"""The DiscoFuse rules on sentences, ``split``, or on a text, ``explain``; and the way back, ``fuse``."""

from pipelines.explained.explained import Explained as Explained
from pipelines.explained.explained import explain as explain
from pipelines.explained.explanations import Explanation as Explanation
from pipelines.explained.explanations import explain_fusion as explain_fusion
from pipelines.explained.explanations import explain_splits as explain_splits
from pipelines.fuse import Fused as Fused
from pipelines.fuse import edits_between as edits_between
from pipelines.fuse import fuse as fuse
from pipelines.fusion import as_json as as_json
from pipelines.fusion import split as split
from pipelines.fusion import split_rows as split_rows
from rules.discofuse.candidate import DiscourseType as DiscourseType

__all__ = [
    "DiscourseType",
    "Explained",
    "Explanation",
    "Fused",
    "as_json",
    "edits_between",
    "explain",
    "explain_fusion",
    "explain_splits",
    "fuse",
    "split",
    "split_rows",
]
