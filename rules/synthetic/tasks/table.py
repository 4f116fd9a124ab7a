"""Every elementary task, in the order of the paper's numbers. A new task is a class and a line here."""

from __future__ import annotations

from typing import Any

from gistmill.rules.synthetic.tasks.base import ElementaryTask
from gistmill.rules.synthetic.tasks.copying import (
    CopyBulleted,
    CopyFirstSentence,
    CopyKwdMultipleInOrder,
    CopyKwdMultipleShuffled,
    CopyKwdMultipleSorted,
    CopyKwdOneSentence,
    CopyLastSentence,
    CopyQuoted,
)
from gistmill.rules.synthetic.tasks.counting import CompareNumbers, LargestNumber, SumOfNumbers, ThresholdNumber
from gistmill.rules.synthetic.tasks.judging import (
    CheckKeyword,
    ClassifyKeyword,
    MajorityKeyword,
    ReplaceClassKeyword,
    TopicSegregation,
)
from gistmill.rules.synthetic.tasks.rewriting import BreakClauses, JoinClauses, ParaphraseWords, TruncateSentence

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
