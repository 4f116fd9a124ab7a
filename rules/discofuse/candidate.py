"""A candidate example: two sentences made from a text, and the verdict on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from gistmill.core.verdict import ACCEPTED, Verdict
from gistmill.rules.discofuse.anaphora.mentions import Replacement
from gistmill.rules.discofuse.halves import NO_HALVES, Halves
from gistmill.rules.discofuse.words import Word, as_natural
from gistmill.rules.documents import natural_text, tokenised_text


class DiscourseType(Enum):
    """The thirteen types of the released dataset."""

    PAIR_ANAPHORA = "PAIR_ANAPHORA"
    PAIR_CONN = "PAIR_CONN"
    PAIR_CONN_ANAPHORA = "PAIR_CONN_ANAPHORA"
    PAIR_NONE = "PAIR_NONE"
    SINGLE_APPOSITION = "SINGLE_APPOSITION"
    SINGLE_CATAPHORA = "SINGLE_CATAPHORA"
    SINGLE_CONN_INNER = "SINGLE_CONN_INNER"
    SINGLE_CONN_INNER_ANAPHORA = "SINGLE_CONN_INNER_ANAPHORA"
    SINGLE_CONN_START = "SINGLE_CONN_START"
    SINGLE_RELATIVE = "SINGLE_RELATIVE"
    SINGLE_S_COORD = "SINGLE_S_COORD"
    SINGLE_S_COORD_ANAPHORA = "SINGLE_S_COORD_ANAPHORA"
    SINGLE_VP_COORD = "SINGLE_VP_COORD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An example under judgement.

    Attributes:
        discourse_type: a member of DiscourseType.
        connective_string: the removed connective, lower case with its comma; "" if none.
        first, second: words of the two sentences.
        has_coref_type_pronoun, has_coref_type_nominal: whether a pronoun, or a nominal or name, was replaced.
        verdict: whether the example may be published, with the reason if it is rejected.
        halves: what the rule cut the text into.
        replacements: the anaphors of the second half that gave way to what they mean.
        keep_marks: whether its natural text has the typographic marks of the original.
    """

    discourse_type: DiscourseType
    connective_string: str
    first: Sequence[Word]
    second: Sequence[Word]
    has_coref_type_pronoun: bool = False
    has_coref_type_nominal: bool = False
    verdict: Verdict = ACCEPTED
    halves: Halves = NO_HALVES
    replacements: tuple[Replacement, ...] = ()
    keep_marks: bool = False

    @property
    def incoherent_first_sentence(self) -> str:
        """The first sentence, tokens joined by spaces."""
        return tokenised_text(self.first)

    @property
    def incoherent_second_sentence(self) -> str:
        """The second sentence, tokens joined by spaces."""
        return tokenised_text(self.second)

    def same_texts(self, other: Candidate) -> bool:
        """Whether the other candidate has the same two sentences, word for word."""
        return (
            len(self.first) == len(other.first)
            and len(self.second) == len(other.second)
            and [w[0] for w in (*self.first, *self.second)] == [w[0] for w in (*other.first, *other.second)]
        )

    @property
    def inputs(self) -> str:
        """Both sentences as natural text."""
        return " ".join(
            natural_text(as_natural(part, keep_marks=self.keep_marks)) for part in (self.first, self.second)
        )
