"""Every step, in the order in which documents pass them. A new step is a class and a line here."""

from __future__ import annotations

from transforms.steps.annotate import Annotate
from transforms.steps.base import Step
from transforms.steps.clean import Clean
from transforms.steps.dates import Dates
from transforms.steps.decontaminate import Decontaminate
from transforms.steps.deduplicate import DeduplicateStep
from transforms.steps.parse_pairs import ParsePairs
from transforms.steps.rank import Rank
from transforms.steps.sections import Sections
from transforms.steps.segment import Segment
from transforms.steps.translate import Translate

STEPS: tuple[type[Step], ...] = (
    Sections,
    Clean,
    Dates,
    DeduplicateStep,
    Decontaminate,
    Annotate,
    Segment,
    ParsePairs,
    Translate,
    Rank,
)
