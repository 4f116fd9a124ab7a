"""The elementary tasks d1 to d21, in the order of the paper. A new task is a class and a line in the table."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from gistmill.rules.synthetic import language
from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import CLASSES, COMBINED, POSITIVE_KEYWORDS, STOP, THRESHOLD, Keyword, Kind
from gistmill.rules.synthetic.tasks.base import Draft, ElementaryTask, grid, stopped, tokens

_KEYWORDS = 10
_SENTENCES = 3


class CopyFirstSentence(ElementaryTask[None]):
    """The first sentence."""

    TASK = language.COPY_FIRST_SENTENCE

    @override
    def put(self, draft: Draft, draws: Draws) -> None:
        pass

    @override
    def say(self, draft: Draft, memory: None) -> str:
        return draft.text(0)


class CopyLastSentence(ElementaryTask[None]):
    """The last sentence."""

    TASK = language.COPY_LAST_SENTENCE

    @override
    def put(self, draft: Draft, draws: Draws) -> None:
        pass

    @override
    def say(self, draft: Draft, memory: None) -> str:
        return draft.text(-1)


class CopyKwdOneSentence(ElementaryTask[int]):
    """The sentence with one of ten keywords."""

    TASK = language.COPY_KWD_ONE_SENTENCE
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        (sentence,) = draft.choose(1, draws)
        draft.replace(sentence, draws.one(self._keywords), draws)
        return sentence

    @override
    def say(self, draft: Draft, memory: int) -> str:
        return draft.text(memory)


class CopyKwdMultipleShuffled(ElementaryTask[list[int]]):
    """Three sentences with keywords, in random order. The memory is their numbers, in the order of the summary."""

    TASK = language.COPY_KWD_MULTIPLE_SHUFFLED
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    @override
    def put(self, draft: Draft, draws: Draws) -> list[int]:
        chosen = draft.choose(_SENTENCES, draws)
        for sentence in chosen:
            draft.replace(sentence, draws.one(self._keywords), draws)
        return chosen

    @override
    def say(self, draft: Draft, memory: list[int]) -> str:
        return " ".join([draft.text(sentence) for sentence in memory])


class CopyKwdMultipleInOrder(CopyKwdMultipleShuffled):
    """Three sentences with keywords, in the document's order."""

    TASK = language.COPY_KWD_MULTIPLE_IN_ORDER
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    @override
    def say(self, draft: Draft, memory: list[int]) -> str:
        return super().say(draft, sorted(memory))


class CopyKwdMultipleSorted(CopyKwdMultipleShuffled):
    """Three sentences with different keywords, in the order of the keywords' numbers."""

    TASK = language.COPY_KWD_MULTIPLE_SORTED
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    @override
    def put(self, draft: Draft, draws: Draws) -> list[int]:
        chosen = draft.choose(_SENTENCES, draws)
        for sentence, number in zip(chosen, sorted(draws.sample(_KEYWORDS, _SENTENCES)), strict=True):
            draft.replace(sentence, self._keywords[number], draws)
        return chosen


class CopyQuoted(ElementaryTask[int]):
    """The tokens between two markers, which stand round a run of a sentence."""

    TASK = language.COPY_QUOTED
    ENSEMBLE = True
    _begin = Keyword(TASK.number, Kind.BEGIN).token
    _end = Keyword(TASK.number, Kind.END).token

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        """All places to begin are equally likely, and then all to end; a keyword that opens the
        sentence, such as a bullet, stays outside. The authors' run may have the stop in it, which would leave the end
        marker to the next sentence."""
        (sentence,) = draft.choose(1, draws)
        tokens = draft.sentences[sentence]
        begin = draws.between(int(tokens[0] in draft.keywords), len(tokens) - 2)
        end = draws.between(begin + 1, len(tokens) - 1)
        draft.insert(sentence, end, self._end)
        draft.insert(sentence, begin, self._begin)
        return sentence

    @override
    def say(self, draft: Draft, memory: int) -> str:
        found = draft.sentences[memory]
        return stopped(found[found.index(self._begin) + 1 : found.index(self._end)])


class CopyBulleted(ElementaryTask[int]):
    """The sentence behind a marker."""

    TASK = language.COPY_BULLETED
    ENSEMBLE = True
    _bullet = Keyword(TASK.number, Kind.BULLET).token

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        (sentence,) = draft.choose(1, draws)
        draft.insert(sentence, 0, self._bullet)
        return sentence

    @override
    def say(self, draft: Draft, memory: int) -> str:
        return " ".join([token for token in draft.sentences[memory] if token != self._bullet])


_NUMBERS = 100
_MOST = 4


class ThresholdNumber(ElementaryTask[int]):
    """Whether a number is at least 50."""

    TASK = language.THRESHOLD_NUMBER
    ENSEMBLE = True
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        return _put(self._numbers, 1, draft, draws)[0]

    @override
    def say(self, draft: Draft, memory: int) -> str:
        return language.AT_LEAST_THRESHOLD if memory >= THRESHOLD else language.BELOW_THRESHOLD


class CompareNumbers(ElementaryTask[bool]):
    """Which of two different numbers is greater, the first or the second. The memory is whether it is the first."""

    TASK = language.COMPARE_NUMBERS
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    @override
    def put(self, draft: Draft, draws: Draws) -> bool:
        first, second = _put(self._numbers, 2, draft, draws)
        return first > second

    @override
    def say(self, draft: Draft, memory: bool) -> str:
        return language.FIRST_GREATER if memory else language.SECOND_GREATER


class LargestNumber(ElementaryTask[int]):
    """The largest of one to four different numbers."""

    TASK = language.LARGEST_NUMBER
    ENSEMBLE = True
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        return max(_put(self._numbers, draws.between(1, _MOST), draft, draws))

    @override
    def say(self, draft: Draft, memory: int) -> str:
        return language.largest(memory)


class SumOfNumbers(ElementaryTask[int]):
    """The sum of one to four different numbers."""

    TASK = language.SUM_OF_NUMBERS
    _numbers = tokens(TASK, Kind.NUMBER, _NUMBERS)

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        return sum(_put(self._numbers, draws.between(1, _MOST), draft, draws))

    @override
    def say(self, draft: Draft, memory: int) -> str:
        return language.total(memory)


def _put(spelt: tuple[str, ...], count: int, draft: Draft, draws: Draws) -> list[int]:
    """Puts different random numbers into sentences of their own; returns them in the document's order."""
    numbers = draws.sample(_NUMBERS, count)
    for sentence, number in zip(sorted(draft.choose(count, draws)), numbers, strict=True):
        draft.replace(sentence, spelt[number], draws)
    return numbers


_OF_CLASS = 3


class CheckKeyword(ElementaryTask[bool]):
    """Whether a keyword is there; it is in half of the documents."""

    TASK = language.CHECK_KEYWORD
    _keyword = Keyword(TASK.number, Kind.SPECIAL).token

    @override
    def put(self, draft: Draft, draws: Draws) -> bool:
        there = draws.below(2) == 1
        if there:
            (sentence,) = draft.choose(1, draws)
            draft.replace(sentence, self._keyword, draws)
        return there

    @override
    def say(self, draft: Draft, memory: bool) -> str:
        return language.FOUND if memory else language.NOT_FOUND


class ClassifyKeyword(ElementaryTask[bool]):
    """Whether the keyword is one of the five positive or of the five negative ones, which look alike."""

    TASK = language.CLASSIFY_KEYWORD
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    @override
    def put(self, draft: Draft, draws: Draws) -> bool:
        (sentence,) = draft.choose(1, draws)
        number = draws.below(_KEYWORDS)
        draft.replace(sentence, self._keywords[number], draws)
        return number < POSITIVE_KEYWORDS

    @override
    def say(self, draft: Draft, memory: bool) -> str:
        return language.POSITIVE if memory else language.NEGATIVE


class ReplaceClassKeyword(ElementaryTask[tuple[int, str, str]]):
    """The sentence with the keyword, which its class replaces. The memory is sentence, keyword and class."""

    TASK = language.REPLACE_CLASS_KEYWORD
    ENSEMBLE = True
    _classes = tokens(TASK, Kind.CLASS, CLASSES)
    _keywords = grid(TASK, Kind.CLASS_KEYWORD, CLASSES, _OF_CLASS)

    @override
    def put(self, draft: Draft, draws: Draws) -> tuple[int, str, str]:
        (sentence,) = draft.choose(1, draws)
        number = draws.below(CLASSES)
        keyword = draws.one(self._keywords[number])
        draft.replace(sentence, keyword, draws)
        return sentence, keyword, self._classes[number]

    @override
    def say(self, draft: Draft, memory: tuple[int, str, str]) -> str:
        sentence, keyword, name = memory
        return " ".join([name if token == keyword else token for token in draft.sentences[sentence]])


class MajorityKeyword(ElementaryTask[int]):
    """Which of two keywords occurs more often in three or five sentences, each with one of them. The memory is its
    number."""

    TASK = language.MAJORITY_KEYWORD
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, 3)  # by number: 1 and 2

    @override
    def put(self, draft: Draft, draws: Draws) -> int:
        numbers = []
        for sentence in draft.choose(draws.one((3, 5)), draws):
            numbers.append(draws.between(1, 2))
            draft.replace(sentence, self._keywords[numbers[-1]], draws)
        return max((1, 2), key=numbers.count)

    @override
    def say(self, draft: Draft, memory: int) -> str:
        return language.majority(memory)


class TopicSegregation(ElementaryTask[list[tuple[int, int]]]):
    """Two to five sentences with keywords, by their classes. The memory is the class and number of each sentence."""

    TASK = language.TOPIC_SEGREGATION
    ENSEMBLE = True
    _classes = tokens(TASK, Kind.CLASS, CLASSES)
    _keywords = grid(TASK, Kind.CLASS_KEYWORD, CLASSES, _OF_CLASS)

    @override
    def put(self, draft: Draft, draws: Draws) -> list[tuple[int, int]]:
        found = []
        for sentence in draft.choose(draws.between(2, 5), draws):
            number = draws.below(CLASSES)
            draft.replace(sentence, draws.one(self._keywords[number]), draws)
            found.append((number, sentence))
        return sorted(found)

    @override
    def say(self, draft: Draft, memory: list[tuple[int, int]]) -> str:
        parts = []
        for number, name in enumerate(self._classes):
            parts.append(language.section(name))
            parts += [draft.text(sentence) for c, sentence in memory if c == number]
        return " ".join(parts)


_SOURCES = 20
_SYNONYMS = 3
_JOINERS = 5
_JOINED = 3  # joiners of a combined sentence
_BROKEN = 2  # joiners of a sentence that is broken up
_CUTS = 10


class ParaphraseWords(ElementaryTask[tuple[int, str, str]]):
    """The sentence with one of 20 words, which one of its synonyms replaces. The memory is the sentence and both."""

    TASK = language.PARAPHRASE_WORDS
    ENSEMBLE = True
    _sources = tokens(TASK, Kind.SOURCE, _SOURCES)
    _synonyms = grid(TASK, Kind.SYNONYM, _SOURCES, _SYNONYMS)

    @override
    def put(self, draft: Draft, draws: Draws) -> tuple[int, str, str]:
        (sentence,) = draft.choose(1, draws)
        number = draws.below(_SOURCES)
        draft.replace(sentence, self._sources[number], draws)
        return sentence, self._sources[number], draws.one(self._synonyms[number])

    @override
    def say(self, draft: Draft, memory: tuple[int, str, str]) -> str:
        sentence, source, synonym = memory
        return " ".join([synonym if token == source else token for token in draft.sentences[sentence]])


class JoinClauses(ElementaryTask[list[tuple[int, str]]]):
    """One sentence of three joiners and what follows each in its sentence: no joiner ends one. The memory is each
    sentence and its joiner, in the document's order."""

    TASK = language.JOIN_CLAUSES
    ENSEMBLE = True
    _joiners = tokens(TASK, Kind.JOINER, _JOINERS)

    @override
    def put(self, draft: Draft, draws: Draws) -> list[tuple[int, str]]:
        found = []
        chosen = draft.choose(_JOINED, draws, words=2)
        for sentence, number in zip(chosen, draws.sample(_JOINERS, _JOINED), strict=True):
            draft.replace(sentence, self._joiners[number], draws, behind=2)
            found.append((sentence, self._joiners[number]))
        return sorted(found)

    @override
    def say(self, draft: Draft, memory: list[tuple[int, str]]) -> str:
        words = [COMBINED]
        for sentence, joiner in memory:
            words += [joiner, *draft.split(sentence, joiner)[1]]
        return stopped(words)


class BreakClauses(ElementaryTask[tuple[int, list[str]]]):
    """Two sentences of one with two joiners: what stands before the first joiner begins both, and each goes on with one
    joiner and what follows it. The memory is the sentence and its joiners."""

    TASK = language.BREAK_CLAUSES
    ENSEMBLE = True
    _joiners = tokens(TASK, Kind.JOINER, _JOINERS)

    @override
    def put(self, draft: Draft, draws: Draws) -> tuple[int, list[str]]:
        (sentence,) = draft.choose(1, draws, words=_BROKEN)
        joiners = [self._joiners[number] for number in draws.sample(_JOINERS, _BROKEN)]
        for joiner in joiners:
            draft.replace(sentence, joiner, draws)
        return sentence, joiners

    @override
    def say(self, draft: Draft, memory: tuple[int, list[str]]) -> str:
        found = draft.sentences[memory[0]]
        first, second = sorted(map(found.index, memory[1]))
        prefix = found[:first]
        return " ".join([*prefix, *found[first:second], STOP, *prefix, *found[second:]])


class TruncateSentence(ElementaryTask[tuple[int, str]]):
    """A sentence up to one of ten keywords. The memory is the sentence and the keyword."""

    TASK = language.TRUNCATE_SENTENCE
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _CUTS)

    @override
    def put(self, draft: Draft, draws: Draws) -> tuple[int, str]:
        (sentence,) = draft.choose(1, draws)
        keyword = draws.one(self._keywords)
        draft.replace(sentence, keyword, draws)
        return sentence, keyword

    @override
    def say(self, draft: Draft, memory: tuple[int, str]) -> str:
        return stopped(draft.split(*memory)[0])


ELEMENTARY: dict[str, type[ElementaryTask[Any]]] = {
    task.TASK.name: task
    for task in (
        CopyFirstSentence,
        CopyLastSentence,
        CopyKwdOneSentence,
        CopyKwdMultipleInOrder,
        CopyKwdMultipleShuffled,
        CopyKwdMultipleSorted,
        CopyQuoted,
        CopyBulleted,
        CheckKeyword,
        ClassifyKeyword,
        ReplaceClassKeyword,
        MajorityKeyword,
        TopicSegregation,
        ThresholdNumber,
        CompareNumbers,
        LargestNumber,
        SumOfNumbers,
        ParaphraseWords,
        JoinClauses,
        BreakClauses,
        TruncateSentence,
    )
}
