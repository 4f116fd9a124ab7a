"""The DiscoFuse rules on sentences, ``split``, or on a text, ``explain``; and the way back, ``fuse``."""

from pipelines.explained.explained import Explained as Explained
from pipelines.explained.explained import explain as explain
from pipelines.fuse import Fused as Fused
from pipelines.fuse import fuse as fuse
from pipelines.fusion import as_json as as_json
from pipelines.fusion import split as split
from pipelines.fusion import split_rows as split_rows
from rules.discofuse.candidate import DiscourseType as DiscourseType

__all__ = ["DiscourseType", "Explained", "Fused", "as_json", "explain", "fuse", "split", "split_rows"]
