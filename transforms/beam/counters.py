"""The one place where Beam metrics are made.

They are for watching a job (a runner's web page shows them). A retried bundle may count twice, so the conservation
check uses the counts that travel as data instead.
"""

from __future__ import annotations

from enum import Enum

from apache_beam.metrics import Metrics

NAMESPACE = "gistmill"


class Counted(Enum):
    """Every Beam counter of the system."""

    DOCUMENTS = "documents"
    ROWS = "rows"
    REJECTS = "rejects"


_COUNTERS = {c: Metrics.counter(NAMESPACE, c.value) for c in Counted}


def count(what: Counted, amount: int = 1) -> None:
    """Adds ``amount`` to a counter."""
    _COUNTERS[what].inc(amount)
