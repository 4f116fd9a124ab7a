"""Answers explained: what was done to sentences, and what a summary copies from its article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gistmill.fusion import Explanation
from gistmill.rules.extractive import copied

# Words of the article times words of the summary; beyond it a hostile text would take too long.
_MOST_COMPARED = 4_000_000


def explained(how: Explanation) -> dict[str, Any]:
    """Returns an explanation as answers have it."""
    return {
        "steps": [{"name": operation.name, "detail": operation.detail} for operation in how.operations],
        "source": [asdict(piece) for piece in how.source],
        "result": [asdict(piece) for piece in how.result],
    }


def extracted(paragraphs: Sequence[str], summary: str) -> dict[str, Any] | None:
    """Returns what a summary copies from an article as answers have it; None for texts that are too long for it."""
    text = "\n".join(paragraphs)
    if len(text.split()) * len(summary.split()) > _MOST_COMPARED:
        return None
    runs, measured = copied(text, summary)
    return {
        "coverage": measured.coverage,
        "density": measured.density,
        "copied": [
            {
                "words": run.words,
                "source_start": run.document_start,
                "source_end": run.document_end,
                "summary_start": run.summary_start,
                "summary_end": run.summary_end,
            }
            for run in runs
        ],
    }
