"""The tasks d14 to d17: numbers from 0 to 99, each in a sentence of its own."""

from __future__ import annotations

from gistmill.rules.synthetic import language
from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import THRESHOLD, Kind
from gistmill.rules.synthetic.tasks.base import Draft, ElementaryTask, tokens

_NUMBERS = 100
_MOST = 4


class ThresholdNumber(ElementaryTask[int]):
    """Whether a number is at least 50."""

    TASK = language.THRESHOLD_NUMBER
    ENSEMBLE = True
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put."""
        return _put(self._numbers, 1, draft, draws)[0]

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        return language.AT_LEAST_THRESHOLD if memory >= THRESHOLD else language.BELOW_THRESHOLD


class CompareNumbers(ElementaryTask[bool]):
    """Which of two different numbers is greater, the first or the second. The memory is whether it is the first."""

    TASK = language.COMPARE_NUMBERS
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    def put(self, draft: Draft, draws: Draws) -> bool:
        """See ElementaryTask.put."""
        first, second = _put(self._numbers, 2, draft, draws)
        return first > second

    def say(self, draft: Draft, memory: bool) -> str:
        """See ElementaryTask.say."""
        return language.FIRST_GREATER if memory else language.SECOND_GREATER


class LargestNumber(ElementaryTask[int]):
    """The largest of one to four different numbers."""

    TASK = language.LARGEST_NUMBER
    ENSEMBLE = True
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put."""
        return max(_put(self._numbers, draws.between(1, _MOST), draft, draws))

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        return language.largest(memory)


class SumOfNumbers(ElementaryTask[int]):
    """The sum of one to four different numbers."""

    TASK = language.SUM_OF_NUMBERS
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put."""
        return sum(_put(self._numbers, draws.between(1, _MOST), draft, draws))

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        return language.total(memory)


def _put(spelt: tuple[str, ...], count: int, draft: Draft, draws: Draws) -> list[int]:
    """Puts different random numbers into sentences of their own; returns them in the document's order."""
    numbers = draws.sample(_NUMBERS, count)
    for sentence, number in zip(sorted(draft.choose(count, draws)), numbers, strict=True):
        draft.replace(sentence, spelt[number], draws)
    return numbers
