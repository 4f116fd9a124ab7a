"""The interpreter: it reads a synthetic document and says what each task's summary has to be.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021, tables 1 and 8; how many keywords a document has is as in the authors' generator.

Sources: Y. Zou et al., "Pre-training for abstractive document summarization by reinstating source text", EMNLP 2020,
section 3.2, as K. Krishna et al. (2021) use it; lengths are those of the latter's generator. They are in tokens of a
tokenizer that the row does not know. A word is a token or more, so a row has no more words than that.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import Any

from gistmill.rules.synthetic import language as named
from gistmill.rules.synthetic.language import (
    MASK,
    MDG,
    MDG_ADJUSTED,
    NSG,
    SR,
    SR_ADJUSTED,
    STOP,
    Keyword,
    Kind,
    Task,
    is_reserved,
    parse_keyword,
)

_END = f" {STOP}"
_BETWEEN = f" {STOP} "
_SIGN = "__d"  # every keyword begins so


class LanguageError(ValueError):
    """A document does not follow the language; the text goes on from "the document", as in "has no words"."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A keyword where it stands: in which sentence, and at which of its tokens, both from 0."""

    keyword: Keyword
    sentence: int
    place: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document.

    Attributes:
        sentences: each without its final stop.
        marks: the keywords in their order, by the number of their task.
    """

    sentences: Sequence[str]
    marks: Mapping[int, Sequence[Mark]]

    def whole(self, sentence: int) -> str:
        """Returns a sentence with its final stop."""
        return self.sentences[sentence] + _END

    def before(self, mark: Mark) -> list[str]:
        """Returns the tokens of a mark's sentence that stand before it."""
        return self.sentences[mark.sentence].split(" ")[: mark.place]

    def after(self, mark: Mark) -> list[str]:
        """Returns the tokens of a mark's sentence that stand after it, without the final stop."""
        return self.sentences[mark.sentence].split(" ")[mark.place + 1 :]


def read_sentences(text: str) -> list[str]:
    """Returns the sentences of a text, each without its final stop.

    Raises:
        LanguageError: the text is not made of tokens with single spaces between, or a sentence is empty or not ended.
    """
    if len(text.split()) != text.count(" ") + 1 or text != text.strip():
        raise LanguageError("is not one line of tokens with single spaces between")
    if not text.endswith(_END):
        raise LanguageError(f"does not end with a sentence and its {STOP!r}")
    sentences = text.removesuffix(_END).split(_BETWEEN)
    if any(s == STOP or s.startswith(f"{STOP} ") or s.endswith(_END) for s in sentences):
        raise LanguageError("has a sentence without words")
    return sentences


def read_document(text: str) -> Document:
    """Returns the document that a text is.

    Raises:
        LanguageError: it is not one: see read_sentences; or it holds a mask, or a keyword that there is not.
    """
    sentences = read_sentences(text)
    if MASK in text and MASK in text.split(" "):
        raise LanguageError(f"holds {MASK}, which is not a word")
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
        raise LanguageError(f"holds {token}, which is not a keyword of any task")
    return keyword


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
            known = self.kinds.get(mark.keyword.kind)
            if known is None or not all(n in found for n, found in zip(mark.keyword.numbers, known, strict=False)):
                raise LanguageError(f"holds {mark.keyword.token}, which is not a keyword of {self.task.name}")
        if len(marks) not in self.counts:
            allowed = " or ".join(map(str, self.counts))
            raise LanguageError(f"has {len(marks)} keywords of {self.task.name}, not {allowed}")
        sentences = len({mark.sentence for mark in marks})
        wanted = {Spread.ANY: sentences, Spread.APART: len(marks), Spread.TOGETHER: 1}[self.spread]
        if sentences != wanted:
            raise LanguageError(f"has the keywords of {self.task.name} not {self.spread.value}")
        return self.tell(document, marks)


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


def _class_token(task: Task, number: int) -> str:
    return Keyword(task.number, Kind.CLASS, (number,)).token


def _with_class(document: Document, marks: Sequence[Mark]) -> Told:
    (mark,) = marks
    return (_replaced(document, mark, _class_token(named.REPLACE_CLASS_KEYWORD, mark.keyword.numbers[0])),)


def _majority(document: Document, marks: Sequence[Mark]) -> Told:
    ((number, _),) = Counter(_numbers(marks)).most_common(1)  # of an odd number, one of two has the most
    return (named.majority(number),)


def _segregated(document: Document, marks: Sequence[Mark]) -> Told:
    parts = []
    for number in range(named.CLASSES):
        parts.append(named.section(_class_token(named.TOPIC_SEGREGATION, number)))
        parts += [document.whole(mark.sentence) for mark in marks if mark.keyword.numbers[0] == number]
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


_SHOWN = 60  # characters of a text in a message


def summaries(inputs: str, tasks: Sequence[str]) -> tuple[Told, ...]:
    """Returns, for each task in turn, every right summary of a document.

    A whole output is one summary of each task, joined by single spaces.

    Args:
        inputs: the document: one line of tokens with single spaces between.
        tasks: the names of its tasks, in the turn of their outputs.

    Raises:
        LanguageError: there is no such task, one is named twice or none at all, the document does not follow the
            language, or it has keywords of another task.
    """
    for name in tasks:
        if name not in READINGS:
            raise LanguageError(f"is of the unknown task {name!r}")
    if not tasks or len(set(tasks)) < len(tasks):
        raise LanguageError("is of no task, or of one twice")
    document = read_document(inputs)
    readings = [READINGS[name] for name in tasks]
    if others := document.marks.keys() - {reading.task.number for reading in readings}:
        token = document.marks[min(others)][0].keyword.token
        raise LanguageError(f"holds {token}, and its tasks are {', '.join(tasks)}")
    return tuple(reading.summaries(document) for reading in readings)


def difference(inputs: str, tasks: Sequence[str], output: str) -> str | None:
    """Returns in one line where an output is not a right summary of a document; None if it is one.

    Sentences in any order and any synonym are right where the task lets them.

    Args:
        inputs, tasks: see ``summaries``.
        output: what is judged, character by character.

    Raises:
        LanguageError: see ``summaries``.
    """
    text = f"{output} "
    ends = {0}
    for name, told in zip(tasks, summaries(inputs, tasks), strict=True):
        found = {end + len(one) + 1 for end in ends for one in told if text.startswith(f"{one} ", end)}
        if not found:
            return f"{name} says {_start(told[0])}, and there is {_start(text[max(ends) : -1])}"
        ends = found
    return None if len(text) in ends else f"after the last summary there is {_start(text[max(ends) : -1])}"


def accepts(inputs: str, tasks: Sequence[str], output: str) -> bool:
    """Returns whether an output is a right summary of a document. Arguments and errors are those of ``difference``."""
    return difference(inputs, tasks, output) is None


def _start(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


READ, WRITTEN = 512, 256  # tokens of the inputs, and of the targets of next sentence generation
OVERSHOOT = 50  # tokens that a whole document may have above READ
RUN = range(100, 256)  # tokens of a masked run

Row = Mapping[str, Any]


def fault(row: Row) -> str | None:
    """Returns in one line how a STEP row breaks the law; None if it keeps it.

    Args:
        row: ``inputs``, ``targets``, ``task``; of sentence reordering ``permutation``; of masked document generation
            ``mask_length``, and ``before`` and ``after``: characters that the document has before and after the run.
    """
    try:
        return _CHECKS[row["task"]](row)
    except LanguageError as error:
        return f"the document {error}"


def _cut(row: Row) -> str | None:
    for name, most in (("inputs", READ), ("targets", WRITTEN)):
        count = len(row[name].split())
        if not 0 < count <= most:
            return f"the {name} have {count} words, and {most} tokens are all there may be"
    joined = f"{row['inputs']} {row['targets']}"
    read_sentences(joined if joined.endswith(f" {STOP}") else f"{joined} {STOP}")  # it is cut anywhere
    return None


def _ordered(row: Row) -> str | None:
    sentences = _document(row["inputs"])
    order = row.get("permutation")
    if not isinstance(order, list) or len(order) != len(sentences) or set(order) != set(range(len(sentences))):
        return f"the permutation is not one of the {len(sentences)} sentences"
    if row["task"] == SR_ADJUSTED:
        wanted = " ".join(map(str, order))
    else:
        wanted = " ".join(f"{sentences[place]} {STOP}" for place in order)
    return None if row["targets"] == wanted else "the permutation does not make the targets of the inputs"


def _masked(row: Row) -> str | None:
    inputs, targets, before, after = row["inputs"], row["targets"], row.get("before"), row.get("after")
    if (
        not isinstance(before, int)
        or not isinstance(after, int)
        or not 0 <= before <= len(inputs) - after <= len(inputs)
    ):
        return "before and after are not characters of the inputs"
    head, run, tail = inputs[:before], inputs[before : len(inputs) - after], inputs[len(inputs) - after :]
    original = targets if row["task"] == MDG else head + targets + tail
    _document(original)
    if len(original) < before + after or not original.startswith(head) or not original.endswith(tail):
        return "the targets are not the inputs outside of the masked run"
    if MASK not in run:
        return "nothing in the run is masked"
    if row.get("mask_length") not in RUN or run.count(MASK) > row["mask_length"]:
        return f"the run has {run.count(MASK)} masks, and its length is {row.get('mask_length')}"
    return None


def _document(text: str) -> list[str]:
    document = read_document(text)
    if document.marks:
        raise LanguageError("holds keywords, which STEP tasks do not have")
    if (count := len(text.split())) > READ + OVERSHOOT:
        raise LanguageError(f"has {count} words, and {READ + OVERSHOOT} tokens are all there may be")
    return list(document.sentences)


_CHECKS: Mapping[str, Callable[[Row], str | None]] = {
    NSG: _cut,
    SR: _ordered,
    SR_ADJUSTED: _ordered,
    MDG: _masked,
    MDG_ADJUSTED: _masked,
}
