"""The tasks d1 to d8: sentences, or a part of one, are copied."""

from __future__ import annotations

from gistmill.rules.synthetic import language
from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import Keyword, Kind
from gistmill.rules.synthetic.tasks.base import Draft, ElementaryTask, stopped, tokens

_KEYWORDS = 10
_SENTENCES = 3


class CopyFirstSentence(ElementaryTask[None]):
    """The first sentence."""

    TASK = language.COPY_FIRST_SENTENCE

    def put(self, draft: Draft, draws: Draws) -> None:
        """See ElementaryTask.put."""

    def say(self, draft: Draft, memory: None) -> str:
        """See ElementaryTask.say."""
        return draft.text(0)


class CopyLastSentence(ElementaryTask[None]):
    """The last sentence."""

    TASK = language.COPY_LAST_SENTENCE

    def put(self, draft: Draft, draws: Draws) -> None:
        """See ElementaryTask.put."""

    def say(self, draft: Draft, memory: None) -> str:
        """See ElementaryTask.say."""
        return draft.text(-1)


class CopyKwdOneSentence(ElementaryTask[int]):
    """The sentence with one of ten keywords."""

    TASK = language.COPY_KWD_ONE_SENTENCE
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        draft.replace(sentence, draws.one(self._keywords), draws)
        return sentence

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        return draft.text(memory)


class CopyKwdMultipleShuffled(ElementaryTask[list[int]]):
    """Three sentences with keywords, in random order. The memory is their numbers, in the order of the summary."""

    TASK = language.COPY_KWD_MULTIPLE_SHUFFLED
    ENSEMBLE = True
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def put(self, draft: Draft, draws: Draws) -> list[int]:
        """See ElementaryTask.put."""
        chosen = draft.choose(_SENTENCES, draws)
        for sentence in chosen:
            draft.replace(sentence, draws.one(self._keywords), draws)
        return chosen

    def say(self, draft: Draft, memory: list[int]) -> str:
        """See ElementaryTask.say."""
        return " ".join([draft.text(sentence) for sentence in memory])


class CopyKwdMultipleInOrder(CopyKwdMultipleShuffled):
    """Three sentences with keywords, in the document's order."""

    TASK = language.COPY_KWD_MULTIPLE_IN_ORDER
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def say(self, draft: Draft, memory: list[int]) -> str:
        """See ElementaryTask.say."""
        return super().say(draft, sorted(memory))


class CopyKwdMultipleSorted(CopyKwdMultipleShuffled):
    """Three sentences with different keywords, in the order of the keywords' numbers."""

    TASK = language.COPY_KWD_MULTIPLE_SORTED
    _keywords = tokens(TASK, Kind.KEYWORD, _KEYWORDS)

    def put(self, draft: Draft, draws: Draws) -> list[int]:
        """See ElementaryTask.put."""
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

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put. All places to begin are equally likely, and then all to end; a keyword that opens the
        sentence, such as a bullet, stays outside. The authors' run may have the stop in it, which would leave the end
        marker to the next sentence."""
        (sentence,) = draft.choose(1, draws)
        tokens = draft.sentences[sentence]
        begin = draws.between(int(tokens[0] in draft.keywords), len(tokens) - 2)
        end = draws.between(begin + 1, len(tokens) - 1)
        draft.insert(sentence, end, self._end)
        draft.insert(sentence, begin, self._begin)
        return sentence

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        found = draft.sentences[memory]
        return stopped(found[found.index(self._begin) + 1 : found.index(self._end)])


class CopyBulleted(ElementaryTask[int]):
    """The sentence behind a marker."""

    TASK = language.COPY_BULLETED
    ENSEMBLE = True
    _bullet = Keyword(TASK.number, Kind.BULLET).token

    def put(self, draft: Draft, draws: Draws) -> int:
        """See ElementaryTask.put."""
        (sentence,) = draft.choose(1, draws)
        draft.insert(sentence, 0, self._bullet)
        return sentence

    def say(self, draft: Draft, memory: int) -> str:
        """See ElementaryTask.say."""
        return " ".join([token for token in draft.sentences[memory] if token != self._bullet])
