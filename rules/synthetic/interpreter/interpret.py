"""The summaries of a document, and whether an output is one of them: the law of synthetic data and the paper's Pr."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.synthetic.interpreter.document import LanguageError, read_document
from gistmill.rules.synthetic.interpreter.readings import READINGS, Told

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
