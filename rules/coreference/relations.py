"""The relation of a pronoun and a candidate in a sentence, and the animacy of a candidate."""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import GROUP, NAME, Markable
from gistmill.rules.coreference.pronoun_view import PronounView
from gistmill.rules.coreference.syntax import Syntax

_DEEPEST = 12


def relation_of(view: PronounView, x: Markable, x_syntax: Syntax) -> int:
    """Returns the relation of the two clauses.

    0: they are the same; 1: the candidate's is above; 2: it is below; 3: neither; 4: it is in another sentence; 5: they
    are joined by "and"; 6: the candidate is joined to the noun that the pronoun owns ("Ann and her son"); 7: the
    pronoun stands in a phrase of the candidate.
    """
    p = view.pronoun
    if x.sentence != p.sentence:
        return 4
    if x.start < p.start and _under(view.syntax, p.head, x.head):
        return 7
    if x.clause == p.clause:
        return 0
    if x.head == view.partner:
        return 6
    if x.clause in view.parents:
        return 1
    if x_syntax.parent_clause(x.clause) == p.clause:
        return 2
    return 5 if x_syntax.base(x.clause) == x_syntax.base(p.clause) else 3


def _under(syntax: Syntax, index: int, above: int) -> bool:
    """Whether a token stands under another one within its clause."""
    tokens, clause = syntax.tokens, syntax.clauses[index]
    for _ in range(_DEEPEST):
        if index == above:
            return True
        if index == clause:
            return False
        index = tokens[index].head
    return False


def animacy_of(x: Markable) -> int:
    """Returns 0 for persons, 1 for groups of persons, 2 for other names, 3 for things."""
    if x.person or x.cluster.person:
        return 0
    if x.entity in ("ORG", "NORP", "GPE") or x.kind == GROUP or x.words[-1] in lexicon.GROUP_NOUNS:
        return 1
    return 2 if x.kind == NAME else 3
