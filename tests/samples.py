"""Texts that tests read: small ones of our own in ``tests/data``, and real ones, which lie beside the repository or nowhere.

A test of both takes them as a parameter. With real texts it is slow, and skipped where they are missing: what it proves
has to be proved by our own texts too, all but a score that a method reaches on a public set.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.environments import REAL_TEXTS, needs

OWN = Path(__file__).parent / "data"
REAL = Path(__file__).resolve().parents[2] / "shared"
REAL_DATA = REAL / "data"

_REAL = (
    pytest.mark.slow,
    needs(REAL_TEXTS, there=REAL.is_dir()),
)


def needs_real(test: Any) -> Any:
    """Marks a test of real texts only."""
    for mark in _REAL:
        test = mark(test)
    return test


@dataclass(frozen=True, slots=True)
class Crawl:
    """A WARC file of news: its pages, and how many of them are English stories."""

    path: Path
    pages: int
    stories: int


def _both(own: Any, others: Any) -> list[Any]:
    """The parameters of a test of both, named after whose texts they are."""
    return [pytest.param(own, id="own"), pytest.param(others, id="real", marks=_REAL)]


NEWS = Crawl(OWN / "news.warc", pages=17, stories=12)
CRAWLS = _both(NEWS, Crawl(REAL_DATA / "news-dev.warc.gz", pages=70, stories=58))
# Documents and summaries as CNN/DailyMail has them: in small letters, cut into tokens.
PAIRS = OWN / "pairs.jsonl"
PAIR_FILES = _both(PAIRS, REAL_DATA / "cnndm-dev.jsonl")
# Rows as DiscoFuse and GAP were released.
DISCOFUSE_ROWS = OWN / "discofuse_rows.tsv"
GAP_ROWS = OWN / "gap_rows.tsv"
