"""Parses by hand, for rules that look at words, tags and heads: those of parses.txt beside this file.

A sentence has there what ``tests.testing.parsed`` reads; the heading is its name, or the file of the test that has it.
The named ones are the worked examples of the paper and of the released dataset's README first; they keep the problems of a
small parser where the rules have to live with them ("Ruiz" as a common noun, "healed" as a participle).
"""

from pathlib import Path

from tests.cases import cases

_CASES = cases(Path(__file__).with_suffix(".txt"))
NAMED = {case.heading: " ".join(case.lines) for case in _CASES if case.heading.isupper()}
_OF_WORDS = {case.text: " ".join(case.lines) for case in _CASES}


def __getattr__(name: str) -> str:
    """Returns the parse that has a name."""
    if name in NAMED:
        return NAMED[name]
    raise AttributeError(name)


def of(words: str) -> str:
    """Returns the parse of a sentence."""
    return _OF_WORDS[words]
