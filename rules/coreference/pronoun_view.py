"""The view of a pronoun: its properties that hold for all of its candidates."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import Markable
from gistmill.rules.coreference.persons import personhood
from gistmill.rules.coreference.preferences import context_of, predicate_noun, preferences_of
from gistmill.rules.coreference.syntax import CONTENT, OBJECTS, POSSESSIVE, PREDICATE, SUBJECTS, Syntax
from gistmill.rules.documents import Token

_CLASS_OF = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_MARKS = {
    word: group
    for group, words in enumerate(
        (
            "when while as after before until once",
            "because since so",
            "although though whereas",
            "if unless whether",
            "that",
            "where why how",
        ),
        1,
    )
    for word in words.split()
}


def role_group(role: int) -> int:
    """Returns 0 for a subject, 1 for a possessive, 2 for an object, 3 for the rest."""
    return 0 if role in SUBJECTS else 1 if role == POSSESSIVE else 2 if role in OBJECTS else 3


class PronounView:
    """Properties of one pronoun that the features need, computed once for all its candidates.

    Attributes:
        pronoun, syntax, paragraph: the pronoun, its sentence and the index of its paragraph.
        kind: 0 for "he" and "she", 1 for "it", 2 for "they".
        group: its role, as ``role_group`` has it.
        clause_type: type of its clause.
        quoted, opening: whether it stands between quotation marks, whether it opens the sentence.
        speaker, speech: the verb above that introduces what is said (-1 where there is none), and 2 for a verb of
            saying, 1 for another, 0 for none.
        parents: the clauses above its own, with the type of the clause under each on the way.
        verb: lemma of its clause's verb.
        owned, partner: what a possessive owns, and the token that this is joined to.
        mark: group of the conjunction that opens its clause, 0 for none.
        person: how much its context is a person's, as ``personhood`` has it.
        preferences, predicate: what its context prefers, and what it is said to be, as ``preferences`` has them.
    """

    __slots__ = (
        "pronoun",
        "syntax",
        "group",
        "kind",
        "clause_type",
        "quoted",
        "speaker",
        "speech",
        "opening",
        "parents",
        "verb",
        "paragraph",
        "owned",
        "partner",
        "mark",
        "person",
        "preferences",
        "predicate",
    )

    def __init__(self, pronoun: Markable, syntax: Syntax, paragraph: int) -> None:
        tokens = syntax.tokens
        self.pronoun, self.syntax, self.paragraph = pronoun, syntax, paragraph
        self.kind = _CLASS_OF[pronoun.gender]
        self.group = role_group(pronoun.role)
        self.clause_type = syntax.clause_type(pronoun.clause)
        self.quoted = int(syntax.quoted is not None and syntax.quoted[pronoun.head])
        self.opening = int(pronoun.start < 2)
        self.owned, self.partner = self._owned(tokens)
        self.person = personhood(pronoun, syntax)
        self.preferences = preferences_of(context_of(pronoun, syntax))
        self.predicate = predicate_noun(pronoun, syntax)
        self.parents: dict[int, int] = {}
        clause, kind = pronoun.clause, self.clause_type
        self.speaker, self.speech = -1, 0
        while True:
            above = syntax.parent_clause(clause)
            if above == clause or above in self.parents:
                break
            if self.speaker < 0 and kind == CONTENT:
                self.speaker, self.speech = above, 1 + (tokens[above].lemma in lexicon.SPEECH_LEMMAS)
            self.parents[above] = kind * 2 + (len(self.parents) > 0)
            clause, kind = above, syntax.clause_type(above)
        self.verb = tokens[pronoun.clause].lemma
        self.mark = next(
            (
                _MARKS.get(t.text.lower(), 7)
                for t in tokens[: pronoun.clause]
                if t.head == pronoun.clause and (t.dep == "mark" or t.dep == "advmod" and t.tag == "WRB")
            ),
            0,
        )

    def _owned(self, tokens: Sequence[Token]) -> tuple[int, int]:
        """Returns the role of what a possessive owns (0 subject, 1 object, 2 predicate, 3 other, 4 no possessive), and
        the token that it is joined to, or -1.
        """
        if self.group != 1:
            return 4, -1
        index = tokens[self.pronoun.head].head
        role = self.syntax.role(index)
        partner = tokens[index].head if tokens[index].dep == "conj" else -1
        return 0 if role in SUBJECTS else 1 if role in OBJECTS else 2 if role == PREDICATE else 3, partner
