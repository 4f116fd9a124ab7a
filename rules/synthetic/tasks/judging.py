"""The tasks d9 to d13: keywords are found, classified, counted, and sorted by their classes."""

from __future__ import annotations

from gistmill.rules.synthetic import language
from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import CLASSES, POSITIVE_KEYWORDS, Keyword, Kind
from gistmill.rules.synthetic.tasks.base import Draft, ElementaryTask, grid, tokens

_KEYWORDS = 10
_OF_CLASS = 3


class CheckKeyword(ElementaryTask[bool]):
    """Whether a keyword is there; it is in half of the documents."""

    TASK = language.CHECK_KEYWORD
    _keyword = Keyword(TASK.number, Kind.SPECIAL).token

    def put(self, draft: Draft, draws: Draws) -> bool:
        """See ElementaryTask.put."""
        there = draws.below(2) == 1
        if there:
            (sentence,) = draft.choose(1, draws)
            draft.replace(sentence, self._keyword, draws)
        return there

    def say(self, draft: Draft, memory: bool) -> str:
        """See ElementaryTask.say."""
        return language.FOUND if memory else language.NOT_FOUND


class ClassifyKeyword(ElementaryTask[bool]):
    """Whether the keyword is one of the five positive or of the five negative ones, which look alike."""

    TASK = language.CLASSIFY_KEYWORD
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def put(self, draft: Draft, draws: Draws) -> bool:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        number = draws.below(_KEYWORDS)
        draft.replace(sentence, self._keywords[number], draws)
        return number < POSITIVE_KEYWORDS

    def say(self, draft: Draft, memory: bool) -> str:
        """See ElementaryTask.say."""
        return language.POSITIVE if memory else language.NEGATIVE


class ReplaceClassKeyword(ElementaryTask[tuple[int, str, str]]):
    """The sentence with the keyword, which its class replaces. The memory is sentence, keyword and class."""

    TASK = language.REPLACE_CLASS_KEYWORD
    ENSEMBLE = True
    _classes = tokens(TASK, Kind.CLASS, CLASSES)
    _keywords = grid(TASK, Kind.CLASS_KEYWORD, CLASSES, _OF_CLASS)

    def put(self, draft: Draft, draws: Draws) -> tuple[int, str, str]:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        number = draws.below(CLASSES)
        keyword = draws.one(self._keywords[number])
        draft.replace(sentence, keyword, draws)
        return sentence, keyword, self._classes[number]

    def say(self, draft: Draft, memory: tuple[int, str, str]) -> str:
        """See ElementaryTask.say."""
        sentence, keyword, name = memory
        return " ".join([name if token == keyword else token for token in draft.sentences[sentence]])


class MajorityKeyword(ElementaryTask[int]):
    """Which of two keywords occurs more often in three or five sentences, each with one of them. The memory is its
    number."""

    TASK = language.MAJORITY_KEYWORD
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, 3)  # by number: 1 and 2

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put."""
        numbers = []
        for sentence in draft.choose(draws.one((3, 5)), draws):
            numbers.append(draws.between(1, 2))
            draft.replace(sentence, self._keywords[numbers[-1]], draws)
        return max((1, 2), key=numbers.count)

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        return language.majority(memory)


class TopicSegregation(ElementaryTask[list[tuple[int, int]]]):
    """Two to five sentences with keywords, by their classes. The memory is the class and number of each sentence."""

    TASK = language.TOPIC_SEGREGATION
    ENSEMBLE = True
    _classes = tokens(TASK, Kind.CLASS, CLASSES)
    _keywords = grid(TASK, Kind.CLASS_KEYWORD, CLASSES, _OF_CLASS)

    def put(self, draft: Draft, draws: Draws) -> list[tuple[int, int]]:
        """See ElementaryTask.put."""
        found = []
        for sentence in draft.choose(draws.between(2, 5), draws):
            number = draws.below(CLASSES)
            draft.replace(sentence, draws.one(self._keywords[number]), draws)
            found.append((number, sentence))
        return sorted(found)

    def say(self, draft: Draft, memory: list[tuple[int, int]]) -> str:
        """See ElementaryTask.say."""
        parts = []
        for number, name in enumerate(self._classes):
            parts.append(language.section(name))
            parts += [draft.text(sentence) for c, sentence in memory if c == number]
        return " ".join(parts)
