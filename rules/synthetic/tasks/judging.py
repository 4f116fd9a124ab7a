"""The tasks d9 to d13: keywords are found, classified, counted, and sorted by their classes."""

from __future__ import annotations

from rules.synthetic import language
from rules.synthetic.draws import Draws
from rules.synthetic.language import CLASSES, Kind
from rules.synthetic.tasks.base import Draft, ElementaryTask, grid, tokens

_KEYWORDS = 10
_OF_EACH = 5  # positive ones, and negative ones
_OF_CLASS = 3


class CheckKeyword(ElementaryTask[bool]):
    """Whether one of ten keywords is there; it is in half of the documents."""

    TASK = language.CHECK_KEYWORD
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def put(self, draft: Draft, draws: Draws) -> bool:
        """See ElementaryTask.put."""
        there = draws.below(2) == 1
        if there:
            (sentence,) = draft.choose(1, draws)
            draft.replace(sentence, draws.one(self._keywords), draws)
        return there

    def say(self, draft: Draft, memory: bool) -> str:
        """See ElementaryTask.say."""
        return language.FOUND if memory else language.NOT_FOUND


class ClassifyKeyword(ElementaryTask[bool]):
    """Whether the keyword is one of the five positive or of the five negative ones."""

    TASK = language.CLASSIFY_KEYWORD
    ENSEMBLE = True
    _positive = tokens(TASK, Kind.POSITIVE, _OF_EACH)
    _negative = tokens(TASK, Kind.NEGATIVE, _OF_EACH)

    def put(self, draft: Draft, draws: Draws) -> bool:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        positive = draws.below(2) == 1
        draft.replace(sentence, draws.one(self._positive if positive else self._negative), draws)
        return positive

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


class MajorityKeyword(ElementaryTask[str]):
    """Which of two keywords occurs more often. Both occur, in three or five sentences. The memory is its token."""

    TASK = language.MAJORITY_KEYWORD
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def put(self, draft: Draft, draws: Draws) -> str:
        """See ElementaryTask.put."""
        chosen = draft.choose(draws.one((3, 5)), draws)
        more, less = (self._keywords[number] for number in draws.sample(_KEYWORDS, 2))
        fewer = draws.between(1, len(chosen) // 2)
        for i, sentence in enumerate(chosen):
            draft.replace(sentence, less if i < fewer else more, draws)
        return more

    def say(self, draft: Draft, memory: str) -> str:
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
