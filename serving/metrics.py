"""The metrics of the server, for Prometheus. Each worker writes files in a folder that all read."""

from __future__ import annotations

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the environment variable, set before the client's package is loaded
CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

REQUESTS = Counter("gistmill_requests", "Requests that were answered", ["route", "method", "status"])
SECONDS = Histogram("gistmill_request_seconds", "Time from the headers to the answer", ["route"], buckets=_SECONDS)
BATCH_ITEMS = Histogram("gistmill_batch_items", "Items of a batch", ["engine"], buckets=(1, 2, 4, 8, 16, 32, 64))
WAITING = Gauge("gistmill_waiting_items", "Items that wait for an engine", ["engine"], multiprocess_mode="livesum")
CONNECTIONS = Gauge("gistmill_connections", "Open connections", multiprocess_mode="livesum")


def exposition() -> bytes:
    """Returns the metrics of all workers in the text format of Prometheus."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)
