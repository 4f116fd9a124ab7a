"""Tables of checks of a split, which are made in order: the first that holds gives the reason for the refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from gistmill.core.records import Reason
from gistmill.rules.discofuse.parse import Parse, Words
from gistmill.rules.documents import Mention


class DiscoFuseReason(Reason):
    """Why the DiscoFuse recipe rejects a sentence, a pair, a candidate or a document."""

    NO_EXAMPLES = "no sentence or pair of the document gave an example"
    TOO_SHORT = "too few tokens"
    RUN_ON = "far too many tokens for a sentence: the text lacks full stops"
    TOO_LONG = "too many tokens before the place of the split, where parsers err most"
    NON_ASCII = "characters outside ASCII"
    SPACED_TOKEN = "a token contains a space, so that tokens joined by spaces would be ambiguous"
    NO_PHENOMENON = "no discourse phenomenon was found"
    NO_VERB = "one of the two sentences has no finite main verb"
    NO_SUBJECT = "one of the two sentences has no subject"
    NO_END = "a sentence has no final punctuation"
    UNBALANCED = "quotes, brackets or dashes are not balanced within each sentence"
    RESIDUE = "left-over punctuation or markup"
    DANGLING = "a sentence ends in a word that needs something after it"
    VERB_FORM = "an auxiliary and its verb do not fit together"
    QUESTION = "a question is not split: its mark would end up with the wrong sentence"
    NOT_ASSERTED = "a part of a report, a purpose or an alternative, which the text does not assert"
    WRONG_SCOPE = "the part to split off belongs to a subordinate clause"
    CLAUSE_CUT = "the closing comma does not close the clause or phrase"
    CLAUSAL_ANTECEDENT = "the relative pronoun or apposition refers to no noun phrase"
    AMBIGUOUS = "more than one noun may be meant"
    DANGLING_PARTICIPLE = "the participle phrase is not about the main clause's subject"
    SHARED_PART = "an object, auxiliary or negation is shared and cannot be copied"
    INVERSION = "the second clause has its verb before its subject"
    LIST = "the phrase between the commas is an item of a list"
    UNCERTAIN_COREFERENCE = "the coreference link is below the confidence that a replacement needs"
    NUMBER = "the replacement does not agree in number with the verb or pronoun"
    UNRESOLVED_ANAPHOR = "the second sentence refers back to the first, to an uncertain antecedent"
    REPEATED_ANTECEDENT = "the replacement repeats a name that the sentence already has"


M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Check(Generic[M]):
    """One reason to refuse a match of a rule.

    Attributes:
        id: its name, such as ``relative.list``; no other check has it.
        reason: the reason of the refusal.
        holds: whether it speaks against a match of the rule, by the parse.
        refuses: a text that it alone refuses. The tests run both texts.
        passes: a like text that it lets pass.
    """

    id: str
    reason: DiscoFuseReason
    holds: Callable[[Parse, M], bool]
    refuses: str
    passes: str


def first_reason(checks: Iterable[Check[M]], parse: Parse, match: M) -> DiscoFuseReason | None:
    """Returns the reason of the first check that holds, or None."""
    for check in checks:
        if check.holds(parse, match):
            return check.reason
    return None


class Halves(NamedTuple):
    """The result of a rule.

    Attributes:
        first, second: their words.
        connective: the words that were removed between them, lower case with their comma; "" if none were.
        boundary: position in the original sentence from which on words belong to the second half (for anaphora).
        problem: the reason for which the rule itself rejects the halves; None if it accepts them.
    """

    first: Words
    second: Words
    connective: str = ""
    boundary: int = 0
    problem: Reason | None = None


class Region(NamedTuple):
    """Tokens [start, end) of sentence ``sentence`` of the document."""

    sentence: int
    start: int
    end: int

    def holds(self, mention: Mention) -> bool:
        """Whether the mention is in the region."""
        return mention.sentence == self.sentence and self.start <= mention.start and mention.end <= self.end
