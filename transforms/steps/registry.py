"""All steps, in the order in which documents pass through them. A new step needs a class and a line here."""

from __future__ import annotations

from gistmill.transforms.steps.annotate import Annotate
from gistmill.transforms.steps.base import Step
from gistmill.transforms.steps.clean import Clean
from gistmill.transforms.steps.filters import Dates, Decontaminate, DeduplicateStep, Rank, Sections
from gistmill.transforms.steps.segment import Segment, Unparse
from gistmill.transforms.steps.translate import ParsePairs, Translate

STEPS: tuple[type[Step], ...] = (
    Sections,
    Clean,
    Dates,
    DeduplicateStep,
    Decontaminate,
    Annotate,
    Segment,
    Unparse,
    ParsePairs,
    Translate,
    Rank,
)
