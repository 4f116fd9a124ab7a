"""The DiscoFuse rules for sentences (``split``) and texts (``explain``), and the reverse, ``fuse``."""

from gistmill.pipelines.fuse import Alternatives as Alternatives
from gistmill.pipelines.fuse import Fused as Fused
from gistmill.pipelines.fuse import FusionRequest as FusionRequest
from gistmill.pipelines.fuse import Fusions as Fusions
from gistmill.pipelines.fuse import alternatives as alternatives
from gistmill.pipelines.fuse import edits_between as edits_between
from gistmill.pipelines.fuse import fuse as fuse
from gistmill.pipelines.fuse import fuse_rows as fuse_rows
from gistmill.pipelines.splitting import Explained as Explained
from gistmill.pipelines.splitting import Explanation as Explanation
from gistmill.pipelines.splitting import as_json as as_json
from gistmill.pipelines.splitting import explain as explain
from gistmill.pipelines.splitting import explain_fusion as explain_fusion
from gistmill.pipelines.splitting import explain_splits as explain_splits
from gistmill.pipelines.splitting import split as split
from gistmill.pipelines.splitting import split_rows as split_rows
from gistmill.rules.discofuse.candidate import DiscourseType as DiscourseType

__all__ = [
    "Alternatives",
    "DiscourseType",
    "Explained",
    "Explanation",
    "Fused",
    "FusionRequest",
    "Fusions",
    "alternatives",
    "as_json",
    "edits_between",
    "explain",
    "explain_fusion",
    "explain_splits",
    "fuse",
    "fuse_rows",
    "split",
    "split_rows",
]
