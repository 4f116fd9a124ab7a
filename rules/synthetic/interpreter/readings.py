"""What each task has to find in a document, and what its summary says then.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021, tables 1 and 8; how many keywords a document has is as in the authors' generator.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from gistmill.rules.synthetic import language as named
from gistmill.rules.synthetic.interpreter.document import Document, LanguageError, Mark
from gistmill.rules.synthetic.language import STOP, Keyword, Kind, Task

SYNONYMS = 3
"""Of each source word of ParaphraseWords."""

Told = tuple[str, ...]
"""Summaries, each as good as the others."""


class Spread(enum.Enum):
    """How the keywords of a task are spread over the sentences of a document; the value says so."""

    ANY = "in any sentences"
    APART = "in sentences of their own"
    TOGETHER = "in one sentence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the documents of a task are read.

    Attributes:
        task: the task.
        tell: returns every right summary of a document, given the task's keywords in their order.
        kinds: the kinds of its keywords, each with what its numbers may be.
        counts: how many keywords a document may have.
        spread: where they stand.
    """

    task: Task
    tell: Callable[[Document, Sequence[Mark]], Told]
    kinds: Mapping[Kind, tuple[range, ...]] = field(default_factory=dict)
    counts: Collection[int] = (0,)
    spread: Spread = Spread.ANY

    def summaries(self, document: Document) -> Told:
        """Returns every right summary of a document.

        Raises:
            LanguageError: the document is not one of this task.
        """
        marks = document.marks.get(self.task.number, ())
        for mark in marks:
            if not self._has(mark.keyword):
                raise LanguageError(f"holds {mark.keyword.token}, which is not a keyword of {self.task.name}")
        if len(marks) not in self.counts:
            allowed = " or ".join(map(str, self.counts))
            raise LanguageError(f"has {len(marks)} keywords of {self.task.name}, not {allowed}")
        sentences = len({mark.sentence for mark in marks})
        wanted = {Spread.ANY: sentences, Spread.APART: len(marks), Spread.TOGETHER: 1}[self.spread]
        if sentences != wanted:
            raise LanguageError(f"has the keywords of {self.task.name} not {self.spread.value}")
        return self.tell(document, marks)

    def _has(self, keyword: Keyword) -> bool:
        allowed = self.kinds.get(keyword.kind)
        return allowed is not None and all(number in found for number, found in zip(keyword.numbers, allowed))


def _first(document: Document, marks: Sequence[Mark]) -> Told:
    return (document.whole(0),)


def _last(document: Document, marks: Sequence[Mark]) -> Told:
    return (document.whole(-1),)


def _in_order(document: Document, marks: Sequence[Mark]) -> Told:
    return (" ".join(document.whole(mark.sentence) for mark in marks),)


def _in_any_order(document: Document, marks: Sequence[Mark]) -> Told:
    return tuple(" ".join(order) for order in permutations(document.whole(mark.sentence) for mark in marks))


def _sorted(document: Document, marks: Sequence[Mark]) -> Told:
    _different(named.COPY_KWD_MULTIPLE_SORTED, marks)
    return _in_order(document, sorted(marks, key=lambda mark: mark.keyword.numbers))


def _quoted(document: Document, marks: Sequence[Mark]) -> Told:
    begin, end = marks
    if (begin.keyword.kind, end.keyword.kind) != (Kind.BEGIN, Kind.END):
        raise LanguageError(f"has the markers of {named.COPY_QUOTED.name} not as a begin and an end")
    if end.place == begin.place + 1:
        raise LanguageError(f"has nothing between the markers of {named.COPY_QUOTED.name}")
    return (_sentence(document.before(end)[begin.place + 1 :]),)


def _bulleted(document: Document, marks: Sequence[Mark]) -> Told:
    (bullet,) = marks
    if bullet.place:
        raise LanguageError(f"has the marker of {named.COPY_BULLETED.name} inside a sentence, not before it")
    return (_sentence(document.after(bullet)),)


def _checked(document: Document, marks: Sequence[Mark]) -> Told:
    return (named.FOUND if marks else named.NOT_FOUND,)


def _classified(document: Document, marks: Sequence[Mark]) -> Told:
    (number,) = _numbers(marks)
    return (named.POSITIVE if number < named.POSITIVE_KEYWORDS else named.NEGATIVE,)


def _class_of(mark: Mark) -> int:
    return mark.keyword.numbers[0]


def _class_token(task: Task, number: int) -> str:
    return Keyword(task.number, Kind.CLASS, (number,)).token


def _with_class(document: Document, marks: Sequence[Mark]) -> Told:
    (mark,) = marks
    return (_replaced(document, mark, _class_token(named.REPLACE_CLASS_KEYWORD, _class_of(mark))),)


def _majority(document: Document, marks: Sequence[Mark]) -> Told:
    ((number, _),) = Counter(_numbers(marks)).most_common(1)  # of an odd number, one of two has the most
    return (named.majority(number),)


def _segregated(document: Document, marks: Sequence[Mark]) -> Told:
    parts = []
    for number in range(named.CLASSES):
        parts.append(named.section(_class_token(named.TOPIC_SEGREGATION, number)))
        parts += [document.whole(mark.sentence) for mark in marks if _class_of(mark) == number]
    return (" ".join(parts),)


def _numbers(marks: Sequence[Mark]) -> list[int]:
    return [mark.keyword.numbers[0] for mark in marks]


def _threshold(document: Document, marks: Sequence[Mark]) -> Told:
    (number,) = _numbers(marks)
    return (named.AT_LEAST_THRESHOLD if number >= named.THRESHOLD else named.BELOW_THRESHOLD,)


def _compared(document: Document, marks: Sequence[Mark]) -> Told:
    _different(named.COMPARE_NUMBERS, marks)
    first, second = _numbers(marks)
    return (named.FIRST_GREATER if first > second else named.SECOND_GREATER,)


def _largest(document: Document, marks: Sequence[Mark]) -> Told:
    _different(named.LARGEST_NUMBER, marks)
    return (named.largest(max(_numbers(marks))),)


def _total(document: Document, marks: Sequence[Mark]) -> Told:
    _different(named.SUM_OF_NUMBERS, marks)
    return (named.total(sum(_numbers(marks))),)


def _paraphrased(document: Document, marks: Sequence[Mark]) -> Told:
    (mark,) = marks
    synonyms = (
        Keyword(named.PARAPHRASE_WORDS.number, Kind.SYNONYM, (*mark.keyword.numbers, j)) for j in range(SYNONYMS)
    )
    return tuple(_replaced(document, mark, synonym.token) for synonym in synonyms)


def _joined(document: Document, marks: Sequence[Mark]) -> Told:
    _different(named.JOIN_CLAUSES, marks)
    clauses = [[mark.keyword.token, *document.after(mark)] for mark in marks]
    if any(len(clause) == 1 for clause in clauses):
        raise LanguageError(f"has a keyword of {named.JOIN_CLAUSES.name} at the end of a sentence")
    return (_sentence([named.COMBINED, *(token for clause in clauses for token in clause)]),)


def _broken(document: Document, marks: Sequence[Mark]) -> Told:
    _different(named.BREAK_CLAUSES, marks)
    first, second = marks
    prefix = document.before(first)
    clauses = document.before(second)[first.place :], [second.keyword.token, *document.after(second)]
    return (" ".join(_sentence([*prefix, *clause]) for clause in clauses),)


def _truncated(document: Document, marks: Sequence[Mark]) -> Told:
    (mark,) = marks
    return (_sentence(document.before(mark)),)


def _different(task: Task, marks: Sequence[Mark]) -> None:
    if len({mark.keyword for mark in marks}) < len(marks):
        raise LanguageError(f"has a keyword of {task.name} twice")


def _replaced(document: Document, mark: Mark, token: str) -> str:
    return _sentence([*document.before(mark), token, *document.after(mark)])


def _sentence(tokens: Sequence[str]) -> str:
    return " ".join([*tokens, STOP])


_TEN = {Kind.KEYWORD: (range(10),)}
_TWO = {Kind.KEYWORD: (range(1, 3),)}
_CLASSED = {Kind.CLASS_KEYWORD: (range(named.CLASSES), range(3))}
_NUMBER = {Kind.NUMBER: (range(100),)}
_JOINER = {Kind.JOINER: (range(5),)}
_APART, _TOGETHER = Spread.APART, Spread.TOGETHER

READINGS: Mapping[str, Reading] = {
    reading.task.name: reading
    for reading in (
        Reading(task=named.COPY_FIRST_SENTENCE, tell=_first),
        Reading(task=named.COPY_LAST_SENTENCE, tell=_last),
        Reading(task=named.COPY_KWD_ONE_SENTENCE, tell=_in_order, kinds=_TEN, counts=(1,)),
        Reading(task=named.COPY_KWD_MULTIPLE_IN_ORDER, tell=_in_order, kinds=_TEN, counts=(3,), spread=_APART),
        Reading(task=named.COPY_KWD_MULTIPLE_SHUFFLED, tell=_in_any_order, kinds=_TEN, counts=(3,), spread=_APART),
        Reading(task=named.COPY_KWD_MULTIPLE_SORTED, tell=_sorted, kinds=_TEN, counts=(3,), spread=_APART),
        Reading(
            task=named.COPY_QUOTED, tell=_quoted, kinds={Kind.BEGIN: (), Kind.END: ()}, counts=(2,), spread=_TOGETHER
        ),
        Reading(task=named.COPY_BULLETED, tell=_bulleted, kinds={Kind.BULLET: ()}, counts=(1,)),
        Reading(task=named.CHECK_KEYWORD, tell=_checked, kinds={Kind.SPECIAL: ()}, counts=(0, 1)),
        Reading(task=named.CLASSIFY_KEYWORD, tell=_classified, kinds=_TEN, counts=(1,)),
        Reading(task=named.REPLACE_CLASS_KEYWORD, tell=_with_class, kinds=_CLASSED, counts=(1,)),
        Reading(task=named.MAJORITY_KEYWORD, tell=_majority, kinds=_TWO, counts=(3, 5), spread=_APART),
        Reading(task=named.TOPIC_SEGREGATION, tell=_segregated, kinds=_CLASSED, counts=(2, 3, 4, 5), spread=_APART),
        Reading(task=named.THRESHOLD_NUMBER, tell=_threshold, kinds=_NUMBER, counts=(1,)),
        Reading(task=named.COMPARE_NUMBERS, tell=_compared, kinds=_NUMBER, counts=(2,), spread=_APART),
        Reading(task=named.LARGEST_NUMBER, tell=_largest, kinds=_NUMBER, counts=(1, 2, 3, 4), spread=_APART),
        Reading(task=named.SUM_OF_NUMBERS, tell=_total, kinds=_NUMBER, counts=(1, 2, 3, 4), spread=_APART),
        Reading(task=named.PARAPHRASE_WORDS, tell=_paraphrased, kinds={Kind.SOURCE: (range(20),)}, counts=(1,)),
        Reading(task=named.JOIN_CLAUSES, tell=_joined, kinds=_JOINER, counts=(3,), spread=_APART),
        Reading(task=named.BREAK_CLAUSES, tell=_broken, kinds=_JOINER, counts=(2,), spread=_TOGETHER),
        Reading(task=named.TRUNCATE_SENTENCE, tell=_truncated, kinds=_TEN, counts=(1,)),
    )
}
"""Of each task, by its name, how its documents are read."""
