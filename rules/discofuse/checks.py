"""Tables of checks on a split, run in order: the first that applies gives the reason for the refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from gistmill.core.records import Reason
from gistmill.rules.discofuse.parse import Parse, Words
from gistmill.rules.documents import Mention


class DiscoFuseReason(Reason):
    """Why the DiscoFuse recipe rejects a sentence, a pair, a candidate or a document."""

    NO_EXAMPLES = "no sentence or pair in the document yielded an example"
    TOO_SHORT = "too few tokens"
    RUN_ON = "far too many tokens for one sentence: the text lacks full stops"
    TOO_LONG = "too many tokens before the split, where parsers err most"
    NON_ASCII = "non-ASCII characters"
    SPACED_TOKEN = "a token contains a space, which makes space-joined tokens ambiguous"
    NO_PHENOMENON = "no discourse phenomenon was found"
    NO_VERB = "one of the two sentences has no finite main verb"
    NO_SUBJECT = "one of the two sentences has no subject"
    NO_END = "a sentence has no final punctuation"
    UNBALANCED = "a sentence has unbalanced quotes, brackets or dashes"
    RESIDUE = "leftover punctuation or markup"
    DANGLING = "a sentence ends in a word that requires a continuation"
    VERB_FORM = "an auxiliary does not match the form of its verb"
    QUESTION = "questions are not split: the question mark would end up on the wrong sentence"
    NOT_ASSERTED = "part of a report, purpose or alternative that the text does not assert"
    WRONG_SCOPE = "the part to split off belongs to a subordinate clause"
    CLAUSE_CUT = "the closing comma does not end the clause or phrase"
    CLAUSAL_ANTECEDENT = "the relative pronoun or apposition does not refer to a noun phrase"
    AMBIGUOUS = "more than one noun could be meant"
    DANGLING_PARTICIPLE = "the participle phrase does not describe the main clause's subject"
    SHARED_PART = "a shared object, auxiliary or negation cannot be copied"
    INVERSION = "the verb precedes the subject in the second clause"
    LIST = "the phrase between the commas is a list item"
    UNCERTAIN_COREFERENCE = "the coreference link's confidence is too low for a replacement"
    NUMBER = "the replacement does not agree in number with the verb or pronoun"
    UNRESOLVED_ANAPHOR = "the second sentence refers to an uncertain antecedent in the first"
    REPEATED_ANTECEDENT = "the replacement repeats a name already in the sentence"


M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Check(Generic[M]):
    """A check that may reject a rule's match.

    Attributes:
        id: a unique name, such as ``relative.list``.
        reason: the reason for the refusal.
        holds: whether the check refuses a match, given the parse.
        refuses: a text refused by this check alone. The tests run both texts.
        passes: a similar text that passes the check.
    """

    id: str
    reason: DiscoFuseReason
    holds: Callable[[Parse, M], bool]
    refuses: str
    passes: str


def first_reason(checks: Iterable[Check[M]], parse: Parse, match: M) -> DiscoFuseReason | None:
    """Returns the reason of the first check that applies, or None."""
    for check in checks:
        if check.holds(parse, match):
            return check.reason
    return None


class Halves(NamedTuple):
    """The result of a rule.

    Attributes:
        first, second: words of the two halves.
        connective: the words removed between them, in lower case with their comma; "" if none.
        boundary: position in the original sentence at which the second half begins (for anaphora).
        problem: the reason why the rule itself rejects the halves; None if it accepts them.
    """

    first: Words
    second: Words
    connective: str = ""
    boundary: int = 0
    problem: Reason | None = None


class Region(NamedTuple):
    """Tokens [start, end) of the document's sentence number ``sentence``."""

    sentence: int
    start: int
    end: int

    def holds(self, mention: Mention) -> bool:
        """Whether the mention lies within the region."""
        return mention.sentence == self.sentence and self.start <= mention.start and mention.end <= self.end
