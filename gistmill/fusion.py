"""The DiscoFuse rules on sentences, ``split``, and the way back, ``fuse``."""

from pipelines.fuse import Fused as Fused
from pipelines.fuse import fuse as fuse
from pipelines.fusion import split as split
from rules.discofuse.candidate import DiscourseType as DiscourseType

__all__ = ["DiscourseType", "Fused", "fuse", "split"]
