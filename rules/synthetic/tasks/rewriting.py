"""The tasks d18 to d21: a sentence is paraphrased, joined with others, broken up, or cut."""

from __future__ import annotations

from gistmill.rules.synthetic import language
from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import COMBINED, STOP, Kind
from gistmill.rules.synthetic.tasks.base import Draft, ElementaryTask, grid, stopped, tokens

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

    def put(self, draft: Draft, draws: Draws) -> tuple[int, str, str]:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        number = draws.below(_SOURCES)
        draft.replace(sentence, self._sources[number], draws)
        return sentence, self._sources[number], draws.one(self._synonyms[number])

    def say(self, draft: Draft, memory: tuple[int, str, str]) -> str:
        """See ElementaryTask.say."""
        sentence, source, synonym = memory
        return " ".join([synonym if token == source else token for token in draft.sentences[sentence]])


class JoinClauses(ElementaryTask[list[tuple[int, str]]]):
    """One sentence of three joiners and what follows each in its sentence: no joiner ends one. The memory is each
    sentence and its joiner, in the document's order."""

    TASK = language.JOIN_CLAUSES
    ENSEMBLE = True
    _joiners = tokens(TASK, Kind.JOINER, _JOINERS)

    def put(self, draft: Draft, draws: Draws) -> list[tuple[int, str]]:
        """See ElementaryTask.put."""
        found = []
        chosen = draft.choose(_JOINED, draws, words=2)
        for sentence, number in zip(chosen, draws.sample(_JOINERS, _JOINED), strict=True):
            draft.replace(sentence, self._joiners[number], draws, behind=2)
            found.append((sentence, self._joiners[number]))
        return sorted(found)

    def say(self, draft: Draft, memory: list[tuple[int, str]]) -> str:
        """See ElementaryTask.say."""
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

    def put(self, draft: Draft, draws: Draws) -> tuple[int, list[str]]:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws, words=_BROKEN)
        joiners = [self._joiners[number] for number in draws.sample(_JOINERS, _BROKEN)]
        for joiner in joiners:
            draft.replace(sentence, joiner, draws)
        return sentence, joiners

    def say(self, draft: Draft, memory: tuple[int, list[str]]) -> str:
        """See ElementaryTask.say."""
        found = draft.sentences[memory[0]]
        first, second = sorted(map(found.index, memory[1]))
        prefix = found[:first]
        return " ".join([*prefix, *found[first:second], STOP, *prefix, *found[second:]])


class TruncateSentence(ElementaryTask[tuple[int, str]]):
    """A sentence up to one of ten keywords. The memory is the sentence and the keyword."""

    TASK = language.TRUNCATE_SENTENCE
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _CUTS)

    def put(self, draft: Draft, draws: Draws) -> tuple[int, str]:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        keyword = draws.one(self._keywords)
        draft.replace(sentence, keyword, draws)
        return sentence, keyword

    def say(self, draft: Draft, memory: tuple[int, str]) -> str:
        """See ElementaryTask.say."""
        return stopped(draft.split(*memory)[0])
