"""Names of runs, and of what they leave beside an output while they live."""

from __future__ import annotations

import time
import uuid


def new_run_id() -> str:
    """Returns a name that no other run has; names sort by the second in which they were made."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:8]}"


def prefix_of(output: str) -> str:
    """Returns what the names of all temporary files and folders begin with that belong to an output of this name."""
    return f".{output}.gistmill-"
