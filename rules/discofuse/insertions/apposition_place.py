"""What stands around an apposition, and makes it doubtful what it is to, where it ends, or that it is one."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, SUBJECTS, Parse

_OF_PARTS = frozenset("consist comprise include contain feature belong encompass".split())
_NAMING = frozenset("call name term dub label style title christen nickname consider deem".split())
# Prepositions of places and times, which a verb has as often as a noun.
_OF_CLAUSES = frozenset("in at on during near after before since".split())


def is_only_said(parse: Parse, antecedent: int) -> bool:
    """Whether the antecedent is a predicate, so that the apposition is another one of the same subject: "The mill was a
    mess , a heap of old wood"."""
    token = parse.tokens[antecedent]
    indefinite = parse.lower[parse.left_edge(antecedent)] in ("a", "an")
    return token.dep == "attr" and token.pos == "NOUN" and not token.entity and indefinite


def is_named_so(parse: Parse, antecedent: int) -> bool:
    """Whether the phrase may be what the verb calls its object: "we call the pictures , the last farewell"."""
    token = parse.tokens[antecedent]
    return token.dep in ("dobj", "ccomp", "oprd") and parse.tokens[token.head].lemma in _NAMING


def may_go_on(parse: Parse, antecedent: int, opening: int, closing: int) -> bool:
    """Whether what follows the second comma may belong to a clause of the apposition.

    A base form without a subject joins an infinitive there ("a tool to grind corn , bake bread , and"). So may a
    present participle join a clause with a subject there ("met Lee , a judge who left , saying that"), unless the
    antecedent is the subject of both. A verb with a tense goes on a clause that has the same ("met Lee , a judge who
    drinks , sings and"), and one of parts is about whatever stands last ("the head of the firm , consisting of").
    """
    after = closing + 1
    if after >= len(parse) - 1:
        return False
    token = parse.tokens[after]
    if token.tag == "VB":
        return parse.subject(after) is None and not parse.auxiliaries(after)
    clause = any(parse.tokens[k].dep == "relcl" and parse.finite(k) for k in range(opening + 1, closing))
    if _goes_on_with_verb(parse, antecedent, after):
        return clause or token.pos != "CCONJ"
    if token.tag == "VBG" and token.lemma in _OF_PARTS:
        return parse.tokens[antecedent].dep not in SUBJECTS
    if token.tag != "VBG" or token.dep in (*SUBJECTS, *AUXILIARIES, "amod", "compound"):
        return False
    return clause and parse.tokens[antecedent].dep not in SUBJECTS


def _goes_on_with_verb(parse: Parse, antecedent: int, after: int) -> bool:
    """Whether a verb with a tense and no subject follows, alone or behind a conjunction, and the antecedent is in no
    subject of it."""
    verb = after
    while verb < len(parse) - 1 and parse.tokens[verb].pos in ("ADV", "CCONJ"):
        verb += 1
    if parse.tokens[verb].tag not in FINITE or parse.tokens[verb].dep in AUXILIARIES or parse.subject(verb) is not None:
        return False
    if parse.tokens[verb].dep != "conj":
        return False
    return not any(
        parse.tokens[k].dep in SUBJECTS and k < after and parse.tokens[k].head > k  # not "Best is the mill , a"
        for k in _line(parse, antecedent)
    )


def _line(parse: Parse, position: int) -> list[int]:
    """The noun and the nouns above it, up to their verb."""
    line = [position]
    while parse.tokens[line[-1]].head != line[-1] and not parse.is_verb(parse.tokens[line[-1]].head):
        line.append(parse.tokens[line[-1]].head)
    return line


def ends_in_place(parse: Parse, head: int, closing: int) -> bool:
    """Whether a name at the end of the sentence has a place or time behind it that may be the clause's: "run by the
    group , the Society of Saints in Ulm"."""
    token = parse.tokens[head]
    if token.pos != "PROPN" or closing < len(parse) - 1:
        return False
    return any(k > head and parse.lower[k] in _OF_CLAUSES for k in parse.subtree(head) if parse.tokens[k].dep == "prep")
