"""The syntax of a sentence for coreference: the grammatical role of a token and the clause that it stands in."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.documents import Token

# Roles and types of clauses. The fitted weights depend on these numbers.
SUBJECT = 0
PASSIVE = 1
OBJECT = 2
DATIVE = 3
POSSESSIVE = 4
APPOSITION = 5
PREDICATE = 6
AGENT = 7
OF = 8
WITH = 9
TO = 10
PLACE = 11
PREPOSITION = 12
ROOT = 13
MODIFIER = 14
OTHER = 15
ROLES = 16
_ROLE_OF_LABEL = {
    "nsubj": SUBJECT,
    "csubj": SUBJECT,
    "nsubjpass": PASSIVE,
    "csubjpass": PASSIVE,
    "dobj": OBJECT,
    "obj": OBJECT,
    "dative": DATIVE,
    "poss": POSSESSIVE,
    "appos": APPOSITION,
    "attr": PREDICATE,
    "oprd": PREDICATE,
    "acomp": PREDICATE,
    "ROOT": ROOT,
    "compound": MODIFIER,
    "nmod": MODIFIER,
    "npadvmod": MODIFIER,
    "amod": MODIFIER,
}
_ROLE_OF_PREPOSITION = {
    "by": AGENT,
    "of": OF,
    "with": WITH,
    "to": TO,
    "for": TO,
    "in": PLACE,
    "at": PLACE,
    "on": PLACE,
    "from": PLACE,
    "into": PLACE,
}
SUBJECTS = frozenset({SUBJECT, PASSIVE})
OBJECTS = frozenset({OBJECT, DATIVE})

MAIN = 0
RELATIVE = 1
ADVERBIAL = 2
PARTICIPLE = 3
CONTENT = 4
OPEN = 5
OTHER_CLAUSE = 6
CLAUSES = 7
_CLAUSE_OF_LABEL = {
    "ROOT": MAIN,
    "relcl": RELATIVE,
    "advcl": ADVERBIAL,
    "acl": PARTICIPLE,
    "pcomp": PARTICIPLE,
    "ccomp": CONTENT,
    "xcomp": OPEN,
}
_QUOTES = frozenset({'"', "“", "”", "``", "''"})

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_SUBJECT_CONTROL = frozenset({"promise", "vow", "threaten", "serve", "use"})  # "she promised him to come"
_DEEPEST = 8  # verbs to climb for a shared subject


class Syntax:
    """A sentence's tokens with its clauses and quotations, found once.

    Attributes:
        tokens: the sentence.
        clauses: for each token, the index of the verb that heads its clause.
        quoted: for each token, whether it stands between quotation marks; None for a sentence without any.
    """

    __slots__ = ("tokens", "clauses", "quoted")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.clauses = _clauses(tokens)
        self.quoted = _quoted(tokens)

    def base(self, index: int) -> int:
        """Returns the first conjunct of the coordination that a token stands in (itself outside one)."""
        tokens = self.tokens
        token = tokens[index]
        while token.dep == "conj" and token.head < index:
            index = token.head
            token = tokens[index]
        return index

    def role(self, index: int) -> int:
        """Returns the role of a token; a conjunct has the role of the whole coordination."""
        tokens = self.tokens
        token = tokens[self.base(index)]
        label = token.dep
        if label == "pobj":
            return _ROLE_OF_PREPOSITION.get(tokens[token.head].text.lower(), PREPOSITION)
        return _ROLE_OF_LABEL.get(label, OTHER)

    def clause_type(self, index: int) -> int:
        """Returns the type of the clause whose head is ``index``; a conjoined verb has the type of the first one."""
        return _CLAUSE_OF_LABEL.get(self.tokens[self.base(index)].dep, OTHER_CLAUSE)

    def parent_clause(self, clause: int) -> int:
        """Returns the head of the clause above; the clause itself at the top."""
        head = self.tokens[clause].head
        return clause if head == clause else self.clauses[head]

    def subject(self, clause: int) -> int | None:
        """Returns the subject of a clause's head, or the understood one, or None: a verb without a subject shares that
        of the verb that it is conjoined to or depends on ("she wants to sing"), unless that one's object is meant ("she
        told him to sing"); a relative pronoun stands for what it modifies, as does a participle's noun.
        """
        tokens = self.tokens
        for _ in range(_DEEPEST):
            verb = tokens[clause]
            own = self._own(clause, ("nsubj", "nsubjpass"), 0, clause)
            if own is not None:
                return verb.head if tokens[own].tag in ("WP", "WDT") and verb.dep == "relcl" else own
            if verb.head == clause:
                return None
            if verb.dep == "acl":
                return verb.head if verb.tag in ("VBG", "VBN") else None
            if verb.dep not in ("conj", "xcomp", "advcl", "pcomp") or verb.dep == "advcl" and verb.tag in _FINITE:
                return None
            above = self.clauses[verb.head]
            if verb.dep != "conj" and tokens[above].lemma not in _SUBJECT_CONTROL:
                controller = self._own(above, ("dobj", "dative"), above + 1, clause)
                if controller is not None:
                    return controller if verb.dep == "xcomp" else None
            clause = above
        return None

    def _own(self, clause: int, labels: tuple[str, ...], start: int, stop: int) -> int | None:
        """Returns the first dependent of a verb with one of the labels in a part of the sentence, or None."""
        for index in range(start, stop):
            token = self.tokens[index]
            if token.head == clause and token.dep in labels:
                return index
        return None


def _clauses(tokens: Sequence[Token]) -> list[int]:
    """For each token, the nearest verb at or above it (auxiliaries belong to their verb), else the root."""
    size = len(tokens)
    found = [-1] * size
    for index in range(size):
        at = index
        path = []
        while found[at] < 0:
            token = tokens[at]
            if (
                (token.pos == "VERB" or token.pos == "AUX")
                and token.dep not in ("aux", "auxpass", "amod")
                or token.head == at
            ):
                found[at] = at
                break
            path.append(at)
            at = token.head
            if len(path) > size:  # a cycle: not a tree, but input is input
                found[at] = at
        clause = found[at]
        for step in path:
            found[step] = clause
    return found


def _quoted(tokens: Sequence[Token]) -> list[bool] | None:
    """For each token, whether it stands between quotation marks; None for a sentence without any."""
    inside = False
    marks: list[bool] | None = None
    for index, token in enumerate(tokens):
        if token.text in _QUOTES:
            if marks is None:
                marks = [False] * len(tokens)
            inside = not inside
        elif inside and marks is not None:
            marks[index] = True
    return marks
