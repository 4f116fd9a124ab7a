"""Verdict, the answer of every filter, and Reason, the base of everything that can be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reason(Enum):
    """Base of the reasons for which something is rejected; the value is one line for a person.

    Each room and each recipe has its own enumeration. A name means the same in all of them.
    """


@dataclass(frozen=True, slots=True)
class Verdict:
    """Accepted (``reason`` is None) or rejected; ``detail`` is one line for a person.

    It has no truth value on purpose: ask ``verdict.accepted``.
    """

    reason: Reason | None = None
    detail: str = ""

    @property
    def accepted(self) -> bool:
        """Whether nothing was wrong."""
        return self.reason is None

    def __bool__(self) -> bool:
        raise TypeError("a Verdict has no truth value; ask .accepted")


ACCEPTED = Verdict()
