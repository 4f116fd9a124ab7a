"""Placement of an elementary task's keywords in a document of words.

The choice, number and positions of keywords follow the authors' generator
(github.com/acmi-lab/pretraining-with-nonsense, ``ourtasks.py``) and section 3 of the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations

from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.interpreter import SYNONYMS, Task
from gistmill.rules.synthetic.language import Keyword, Kind


class Draft:
    """A document to which tasks add their keywords.

    Attributes:
        sentences: the tokens of each sentence; initially at least five words and the stop.
        keywords: the tokens of the keywords added so far.
    """

    __slots__ = ("keywords", "sentences")

    def __init__(self, sentences: list[list[str]]) -> None:
        self.sentences = sentences
        self.keywords: set[str] = set()

    def choose(self, count: int, draws: Draws, *, words: int = 1) -> list[int]:
        """Returns the numbers of ``count`` distinct sentences with at least ``words`` words left, in random order.

        Raises:
            ValueError: there are too few such sentences.
        """
        if not self.keywords:  # every sentence in a base document has enough words
            return draws.sample(len(self.sentences), count)
        able = [i for i in range(len(self.sentences)) if len(self.words(i)) >= words]
        if len(able) < count:
            raise ValueError(f"only {len(able)} sentences have {words} words left; {count} are needed")
        return [able[i] for i in draws.sample(len(able), count)]

    def words(self, sentence: int) -> list[int]:
        """Returns the positions of the words left in a sentence: tokens other than keywords and the stop."""
        tokens, keywords = self.sentences[sentence], self.keywords
        return [i for i in range(len(tokens) - 1) if tokens[i] not in keywords]

    def replace(self, sentence: int, keyword: Keyword, draws: Draws, *, following: int = 1) -> None:
        """Replaces a random word in a sentence that has one left by a keyword.

        Args:
            sentence, keyword: number of the sentence, and the keyword.
            draws: draws for choosing the position.
            following: minimum number of tokens after the keyword, including the stop.
        """
        tokens = self.sentences[sentence]
        end = len(tokens) - following
        place = draws.one([i for i in self.words(sentence) if i < end]) if self.keywords else draws.below(end)
        tokens[place] = keyword.token
        self.keywords.add(keyword.token)

    def insert(self, sentence: int, place: int, keyword: Keyword) -> None:
        """Inserts a marker before the token at ``place``."""
        self.sentences[sentence].insert(place, keyword.token)
        self.keywords.add(keyword.token)

    @property
    def text(self) -> str:
        """The document as a string."""
        return " ".join([token for tokens in self.sentences for token in tokens])


def _keyword(task: Task, *numbers: int) -> Keyword:
    (kind,) = task.kinds
    return Keyword(task.number, kind, numbers)


def _count(task: Task, draws: Draws) -> int:
    return draws.one(task.counts) if len(task.counts) > 1 else task.counts[0]


def _scatter(task: Task, draft: Draft, draws: Draws) -> list[int]:
    """Puts a random keyword into each of several sentences; returns the sentences' numbers in random order."""
    chosen = draft.choose(_count(task, draws), draws)
    for kind, ranges in task.kinds.items():  # none or one
        for sentence in chosen:
            numbers = tuple([draws.one(allowed) for allowed in ranges])
            draft.replace(sentence, Keyword(task.number, kind, numbers), draws)
    return chosen


def _put_any(task: Task, draft: Draft, draws: Draws) -> int:
    _scatter(task, draft, draws)
    return 0


def _put_shuffled(task: Task, draft: Draft, draws: Draws) -> int:
    """Scatters keywords; returns the index of the random sentence order among the interpreter's ``permutations``."""
    order = tuple(_scatter(task, draft, draws))
    return list(permutations(sorted(order))).index(order)


def _put_source(task: Task, draft: Draft, draws: Draws) -> int:
    _scatter(task, draft, draws)
    return draws.below(SYNONYMS)


def _put_sorted(task: Task, draft: Draft, draws: Draws) -> int:
    chosen = draft.choose(3, draws)
    for sentence, number in zip(chosen, sorted(draws.sample(10, 3)), strict=True):
        draft.replace(sentence, _keyword(task, number), draws)
    return 0


def _put_quotes(task: Task, draft: Draft, draws: Draws) -> int:
    """Draws the beginning uniformly, then the end; leaves out a keyword that opens the sentence, such as a bullet. The
    authors' run may include the stop, which would move the end marker into the next sentence."""
    (sentence,) = draft.choose(1, draws)
    tokens = draft.sentences[sentence]
    begin = draws.between(int(tokens[0] in draft.keywords), len(tokens) - 2)
    end = draws.between(begin + 1, len(tokens) - 1)
    draft.insert(sentence, end, Keyword(task.number, Kind.END))
    draft.insert(sentence, begin, Keyword(task.number, Kind.BEGIN))
    return 0


def _put_bullet(task: Task, draft: Draft, draws: Draws) -> int:
    (sentence,) = draft.choose(1, draws)
    draft.insert(sentence, 0, _keyword(task))
    return 0


def _put_numbers(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts distinct numbers into separate sentences."""
    count = _count(task, draws)
    numbers = draws.sample(100, count)
    for sentence, number in zip(sorted(draft.choose(count, draws)), numbers, strict=True):
        draft.replace(sentence, _keyword(task, number), draws)
    return 0


def _put_clauses(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts distinct joiners into three sentences, never at the end: of two words left, one is not the last."""
    chosen = draft.choose(3, draws, words=2)
    for sentence, number in zip(chosen, draws.sample(5, 3), strict=True):
        draft.replace(sentence, _keyword(task, number), draws, following=2)
    return 0


def _put_joiners(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts two distinct joiners into one sentence."""
    (sentence,) = draft.choose(1, draws, words=2)
    for number in draws.sample(5, 2):
        draft.replace(sentence, _keyword(task, number), draws)
    return 0


_PUTS: Mapping[str, Callable[[Task, Draft, Draws], int]] = {
    "copy-kwd-multiple-shuffled": _put_shuffled,
    "copy-kwd-multiple-sorted": _put_sorted,
    "copy-quoted": _put_quotes,
    "copy-bulleted": _put_bullet,
    "threshold-number": _put_numbers,
    "compare-numbers": _put_numbers,
    "largest-number": _put_numbers,
    "sum-of-numbers": _put_numbers,
    "paraphrase-words": _put_source,
    "join-clauses": _put_clauses,
    "break-clauses": _put_joiners,
}


def put(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts the keywords of a task into a document.

    Tasks that are not in ``_PUTS`` replace random words by random keywords, each in a separate sentence.

    Returns:
        The index of the target among the correct summaries found by the interpreter.
    """
    return _PUTS.get(task.name, _put_any)(task, draft, draws)
