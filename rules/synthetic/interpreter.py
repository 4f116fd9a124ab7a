"""The elementary tasks, and an interpreter that computes the summaries of synthetic documents.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021, tables 1 and 8. The order of the tasks, the fixed sentences and the number of keywords in a
document follow the authors' generator.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from gistmill.rules.synthetic.language import MASK, STOP, Keyword, Kind, is_reserved, parse_keyword

_END = f" {STOP}"
_BETWEEN = f" {STOP} "
_SIGN = "__d"  # the beginning of every keyword


class LanguageError(ValueError):
    """A document does not follow the language; the message completes "The document ...", as in "has no words"."""


class Mark(NamedTuple):
    """A keyword in a document, with the numbers of its sentence and of its token there, both from 0."""

    keyword: Keyword
    sentence: int
    place: int


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document.

    Attributes:
        sentences: the sentences, without their final stops.
        marks: the keywords in document order, by task number.
    """

    sentences: Sequence[str]
    marks: Mapping[int, Sequence[Mark]]

    def whole(self, sentence: int) -> str:
        """Returns a sentence with its final stop."""
        return self.sentences[sentence] + _END

    def before(self, mark: Mark) -> list[str]:
        """Returns the tokens before a mark in its sentence."""
        return self.sentences[mark.sentence].split(" ")[: mark.place]

    def after(self, mark: Mark) -> list[str]:
        """Returns the tokens after a mark in its sentence, without the final stop."""
        return self.sentences[mark.sentence].split(" ")[mark.place + 1 :]

    def replaced(self, mark: Mark, kind: Kind, *numbers: int) -> str:
        """Returns a mark's sentence with the mark replaced by another keyword of the task."""
        return _sentence([*self.before(mark), Keyword(mark.keyword.task, kind, numbers).token, *self.after(mark)])


def read_sentences(text: str) -> list[str]:
    """Returns the sentences of a text, each without its final stop.

    Raises:
        LanguageError: the text is not one line of tokens separated by single spaces, or a sentence is empty or has no
            stop.
    """
    if len(text.split()) != text.count(" ") + 1 or text != text.strip():
        raise LanguageError("is not one line of tokens separated by single spaces")
    if not text.endswith(_END):
        raise LanguageError(f"does not end with a sentence followed by {STOP!r}")
    sentences = text.removesuffix(_END).split(_BETWEEN)
    if any(s == STOP or s.startswith(f"{STOP} ") or s.endswith(_END) for s in sentences):
        raise LanguageError("has a sentence without words")
    return sentences


def read_document(text: str) -> Document:
    """Returns the document parsed from a text.

    Raises:
        LanguageError: as for ``read_sentences``; or the text contains a mask or an unknown keyword.
    """
    sentences = read_sentences(text)
    if MASK in text and MASK in text.split(" "):
        raise LanguageError(f"contains {MASK}, which is not a word")
    marks: dict[int, list[Mark]] = {}
    for number, sentence in enumerate(sentences):
        if _SIGN in sentence:
            for place, token in enumerate(sentence.split(" ")):
                if token.startswith(_SIGN) and (keyword := _keyword(token)) is not None:
                    marks.setdefault(keyword.task, []).append(Mark(keyword, number, place))
    return Document(sentences, marks)


@lru_cache(maxsize=4096)
def _keyword(token: str) -> Keyword | None:
    keyword = parse_keyword(token)
    if keyword is None and is_reserved(token):
        raise LanguageError(f"contains {token}, which is not a keyword of any task")
    return keyword


Summaries = tuple[str, ...]
"""Equally correct summaries of a document."""

Marks = Sequence[Mark]


class Spread(enum.Enum):
    """Distributions of a task's keywords over a document's sentences; values are wordings for messages."""

    ANY = "in any sentences"
    APART = "in sentences of their own"
    TOGETHER = "in one sentence"


@dataclass(frozen=True, slots=True)
class Task:
    """An elementary task.

    Attributes:
        number: number in the spelling of the task's keywords.
        name: name of the configuration.
        paper_name: name in the paper.
        summarize: function that returns every correct summary of a document, given the task's keywords in order.
        kinds: kinds of the task's keywords, each with the ranges of its numbers.
        counts: permitted numbers of keywords in a document.
        spread: distribution of the keywords over the sentences.
        distinct: whether all keywords must be different.
        ensemble: whether the ensemble includes the task.
    """

    number: int
    name: str
    paper_name: str
    summarize: Callable[[Document, Marks], Summaries]
    kinds: Mapping[Kind, tuple[range, ...]] = field(default_factory=dict)
    counts: Sequence[int] = (0,)
    spread: Spread = Spread.ANY
    distinct: bool = False
    ensemble: bool = True

    def summaries(self, document: Document) -> Summaries:
        """Returns every correct summary of a document.

        Raises:
            LanguageError: the document is not valid for this task.
        """
        marks = document.marks.get(self.number, ())
        for mark in marks:
            known = self.kinds.get(mark.keyword.kind)
            if known is None or not all(map(range.__contains__, known, mark.keyword.numbers)):
                raise LanguageError(f"contains {mark.keyword.token}, which is not a keyword of {self.name}")
        if len(marks) not in self.counts:
            allowed = " or ".join(map(str, self.counts))
            raise LanguageError(f"contains {len(marks)} keywords of {self.name}, not {allowed}")
        wanted = len(marks) if self.spread is Spread.APART else 1
        if self.spread is not Spread.ANY and len({mark.sentence for mark in marks}) != wanted:
            raise LanguageError(f"contains the keywords of {self.name}, but not {self.spread.value}")
        if self.distinct and len({mark.keyword for mark in marks}) < len(marks):
            raise LanguageError(f"contains a keyword of {self.name} twice")
        return self.summarize(document, marks)


def _sentence(tokens: Sequence[str]) -> str:
    return " ".join([*tokens, STOP])


def _numbers(marks: Marks) -> list[int]:
    return [mark.keyword.numbers[0] for mark in marks]


def _in_order(document: Document, marks: Marks) -> Summaries:
    return (" ".join(document.whole(mark.sentence) for mark in marks),)


def _in_any_order(document: Document, marks: Marks) -> Summaries:
    return tuple(" ".join(order) for order in permutations(document.whole(mark.sentence) for mark in marks))


def _sorted(document: Document, marks: Marks) -> Summaries:
    return _in_order(document, sorted(marks, key=lambda mark: mark.keyword.numbers))


def _quoted(document: Document, marks: Marks) -> Summaries:
    begin, end = marks
    if (begin.keyword.kind, end.keyword.kind) != (Kind.BEGIN, Kind.END):
        raise LanguageError("does not contain a matching pair of copy-quoted markers")
    if end.place == begin.place + 1:
        raise LanguageError("contains nothing between the copy-quoted markers")
    return (_sentence(document.before(end)[begin.place + 1 :]),)


def _bulleted(document: Document, marks: Marks) -> Summaries:
    (bullet,) = marks
    if bullet.place:
        raise LanguageError("contains the copy-bulleted marker inside a sentence instead of before it")
    return (_sentence(document.after(bullet)),)


def _checked(document: Document, marks: Marks) -> Summaries:
    return (f"the special word was {'' if marks else 'not '}found .",)


def _classified(document: Document, marks: Marks) -> Summaries:
    (number,) = _numbers(marks)
    return (f"the keyword was {'positive' if number < _POSITIVE_KEYWORDS else 'negative'} .",)


def _with_class(document: Document, marks: Marks) -> Summaries:
    (mark,) = marks
    return (document.replaced(mark, Kind.CLASS, mark.keyword.numbers[0]),)


def _majority(document: Document, marks: Marks) -> Summaries:
    ((number, _),) = Counter(_numbers(marks)).most_common(1)  # no ties: two keywords, and an odd total
    return (f"The keyword {number} occurred more number of times .",)


def _segregated(document: Document, marks: Marks) -> Summaries:
    parts = []
    for number in range(_CLASSES):
        parts.append(f"section {Keyword(marks[0].keyword.task, Kind.CLASS, (number,)).token}")
        parts += [document.whole(mark.sentence) for mark in marks if mark.keyword.numbers[0] == number]
    return (" ".join(parts),)


def _threshold(document: Document, marks: Marks) -> Summaries:
    (number,) = _numbers(marks)
    return (f"the number was {'above or equal to' if number >= _THRESHOLD else 'below'} threshold .",)


def _compared(document: Document, marks: Marks) -> Summaries:
    first, second = _numbers(marks)
    return (f"The {'first' if first > second else 'second'} number is greater .",)


def _largest(document: Document, marks: Marks) -> Summaries:
    return (f"The largest number is {max(_numbers(marks))} .",)


def _total(document: Document, marks: Marks) -> Summaries:
    return (f"The sum of numbers is {sum(_numbers(marks))} .",)


def _paraphrased(document: Document, marks: Marks) -> Summaries:
    (mark,) = marks
    return tuple(document.replaced(mark, Kind.SYNONYM, *mark.keyword.numbers, j) for j in range(SYNONYMS))


def _joined(document: Document, marks: Marks) -> Summaries:
    clauses = [[mark.keyword.token, *document.after(mark)] for mark in marks]
    if any(len(clause) == 1 for clause in clauses):
        raise LanguageError("contains a keyword of join-clauses at the end of a sentence")
    return (_sentence(["The combined sentence is", *(token for clause in clauses for token in clause)]),)


def _broken(document: Document, marks: Marks) -> Summaries:
    first, second = marks
    prefix = document.before(first)
    clauses = document.before(second)[first.place :], [second.keyword.token, *document.after(second)]
    return (" ".join(_sentence([*prefix, *clause]) for clause in clauses),)


def _truncated(document: Document, marks: Marks) -> Summaries:
    return (_sentence(document.before(marks[0])),)


SYNONYMS = 3
"""Number of synonyms for each source word of ParaphraseWords."""
_POSITIVE_KEYWORDS = 5  # the first of the ten keywords of ClassifyKeyword
_THRESHOLD = 50
_CLASSES = 3
_TEN = {Kind.KEYWORD: (range(10),)}
_CLASSED = {Kind.CLASS_KEYWORD: (range(_CLASSES), range(3))}
_NUMBER = {Kind.NUMBER: (range(100),)}
_JOINER = {Kind.JOINER: (range(5),)}
_APART, _TOGETHER = Spread.APART, Spread.TOGETHER


TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        Task(1, "copy-first-sentence", "CopyFirstSentence", lambda doc, _: (doc.whole(0),), ensemble=False),
        Task(2, "copy-last-sentence", "CopyLastSentence", lambda doc, _: (doc.whole(-1),), ensemble=False),
        Task(3, "copy-kwd-one-sentence", "CopyKwdOneSentence", _in_order, _TEN, (1,)),
        Task(4, "copy-kwd-multiple-in-order", "CopyKwdMultipleSent-InOrder", _in_order, _TEN, (3,), _APART),
        Task(5, "copy-kwd-multiple-shuffled", "CopyKwdMultipleSent-Shuffled", _in_any_order, _TEN, (3,), _APART),
        Task(6, "copy-kwd-multiple-sorted", "CopyKwdMultipleSent-Sorted", _sorted, _TEN, (3,), _APART, distinct=True),
        Task(7, "copy-quoted", "CopyQuoted", _quoted, {Kind.BEGIN: (), Kind.END: ()}, (2,), _TOGETHER),
        Task(8, "copy-bulleted", "CopyBulleted", _bulleted, {Kind.BULLET: ()}, (1,)),
        Task(9, "check-keyword", "CheckKeyword", _checked, {Kind.SPECIAL: ()}, (0, 1), ensemble=False),
        Task(10, "classify-keyword", "ClassifyKeyword", _classified, _TEN, (1,)),
        Task(11, "replace-class-keyword", "ReplaceClassKeyword", _with_class, _CLASSED, (1,)),
        Task(12, "majority-keyword", "MajorityKeyword", _majority, {Kind.KEYWORD: (range(1, 3),)}, (3, 5), _APART),
        Task(13, "topic-segregation", "TopicSegregation", _segregated, _CLASSED, (2, 3, 4, 5), _APART),
        Task(14, "threshold-number", "ThresholdNumber", _threshold, _NUMBER, (1,)),
        Task(15, "compare-numbers", "CompareNumbers", _compared, _NUMBER, (2,), _APART, distinct=True, ensemble=False),
        Task(16, "largest-number", "LargestNumber", _largest, _NUMBER, (1, 2, 3, 4), _APART, distinct=True),
        Task(
            17, "sum-of-numbers", "SumOfNumbers", _total, _NUMBER, (1, 2, 3, 4), _APART, distinct=True, ensemble=False
        ),
        Task(18, "paraphrase-words", "ParaphraseWords", _paraphrased, {Kind.SOURCE: (range(20),)}, (1,)),
        Task(19, "join-clauses", "JoinClauses", _joined, _JOINER, (3,), _APART, distinct=True),
        Task(20, "break-clauses", "BreakClauses", _broken, _JOINER, (2,), _TOGETHER, distinct=True),
        Task(21, "truncate-sentence", "TruncateSentence", _truncated, _TEN, (1,)),
    )
}
"""The elementary tasks by name, in the order of the paper."""

_SHOWN = 60  # characters of a text in a message


def summaries(inputs: str, tasks: Sequence[str]) -> tuple[Summaries, ...]:
    """Returns, for each task in turn, every correct summary of a document.

    A complete output consists of one summary per task, joined by single spaces.

    Args:
        inputs: the document, one line of tokens separated by single spaces.
        tasks: the names of its tasks, in the order of their summaries.

    Raises:
        LanguageError: there are no tasks, or a task is unknown or named twice; or the document does not follow the
            language, or contains keywords of another task.
    """
    for name in tasks:
        if name not in TASKS:
            raise LanguageError(f"has the unknown task {name!r}")
    if not tasks or len(set(tasks)) < len(tasks):
        raise LanguageError("has no tasks, or the same task twice")
    document = read_document(inputs)
    found = [TASKS[name] for name in tasks]
    if others := document.marks.keys() - {task.number for task in found}:
        token = document.marks[min(others)][0].keyword.token
        raise LanguageError(f"contains {token}, but its tasks are {', '.join(tasks)}")
    return tuple(task.summaries(document) for task in found)


def difference(inputs: str, tasks: Sequence[str], output: str) -> str | None:
    """Returns a one-line description of the first error in an output; None if it is a correct summary of a document.

    Where a task allows any order of sentences or any synonym, all of them are correct.

    Args:
        inputs, tasks: see ``summaries``.
        output: the text to compare, character by character.

    Raises:
        LanguageError: see ``summaries``.
    """
    text = f"{output} "
    ends = {0}
    for name, expected in zip(tasks, summaries(inputs, tasks), strict=True):
        found = {end + len(one) + 1 for end in ends for one in expected if text.startswith(f"{one} ", end)}
        if not found:
            return f"{name} requires {_start(expected[0])}, not {_start(text[max(ends) : -1])}"
        ends = found
    return None if len(text) in ends else f"text after the last summary: {_start(text[max(ends) : -1])}"


def _start(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
