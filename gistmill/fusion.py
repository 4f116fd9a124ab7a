"""The DiscoFuse rules on sentences: ``split``."""

from pipelines.fusion import split as split
from rules.discofuse.candidate import DiscourseType as DiscourseType

__all__ = ["DiscourseType", "split"]
