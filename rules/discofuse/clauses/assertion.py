"""Whether the text says that a part of it is true: a part under a report, a purpose or an alternative is asserted by
nobody once it stands alone."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.conditions import CONDITIONS, under_condition
from gistmill.rules.discofuse.parse import ABILITY, FINITE, MODALS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# Verbs of saying and thinking whose clause is theirs, not the text's.
REPORTING = frozenset(
    """
    say tell write state argue claim note explain add think believe recall report suggest propose insist maintain
    assert allege deny hope expect fear suppose assume suspect conclude declare announce predict estimate remark
    comment observe feel consider hold imagine wonder warn promise agree admit reply answer ask demand require
    recommend speculate guess doubt contend request order describe complain lament protest object testify swear boast
    theorize hypothesize posit postulate counter retort quip caution stress emphasize emphasise affirm urge acknowledge
    joke
    """.split()
)
# Adjectives of which the clause is what somebody thinks.
_ATTITUDES = frozenset(
    "afraid certain confident convinced doubtful fearful hopeful optimistic skeptical sceptical sure worried".split()
)
_PARTICIPIAL = frozenset(("acl", "advcl", "pcomp"))
_CONJUNCTIONS = frozenset(("and", "but", "or", "yet"))
_BINDING = CONDITIONS | {"before", "after", "until", "till", "once"}
_SEEMING = frozenset(("seem", "appear"))
_SAYING = frozenset(("say", "add", "tell", "admit", "claim"))
_SPEAKER_S = frozenset(("his", "her", "their", "he", "she", "they"))


def in_report(parse: Parse, verb: int) -> bool:
    """Whether the clause of ``verb``, or one that it hangs on, is the object of a verb of saying or thinking."""
    at = verb
    while parse.tokens[at].head != at:
        above = parse.tokens[at].head
        if parse.tokens[at].dep == "ccomp" and parse.tokens[above].lemma in (REPORTING | _ATTITUDES):
            return True
        at = above
    return False


def is_purpose(parse: Parse, verb: int, *, comma: bool) -> bool:
    """Whether "so that" with the clause of ``verb`` may say what something is for, not what came of it.

    A modal says so: "so that she can leave". A present tense may without a comma, and behind what is not done yet:
    "Lock it , so that nobody comes in".
    """
    words = {parse.lower[k] for k in parse.auxiliaries(verb)}
    above = parse.tokens[verb].head
    done = parse.tokens[above].tag != "VB" or any(parse.tokens[k].lemma == "do" for k in parse.auxiliaries(above))
    return bool(words & MODALS) or not (comma and done) and not parse.past(verb)


def problem_of_conjunct(parse: Parse, cc: int, verb: int, *, own_subject: bool) -> Reason | None:
    """Returns the reason for which the conjunct of ``verb`` behind ``cc`` does not stand on its own.

    Args:
        parse: the sentence.
        cc: position of the conjunction.
        verb: the verb of the second part.
        own_subject: whether the second part is a clause with a subject of its own.
    """
    head = parse.tokens[verb].head
    if head > cc or head == verb:
        head = parse.root()
    if under_condition(parse, cc, verb):
        return DiscoFuseReason.NOT_ASSERTED
    if ":" in parse.lower[:cc]:
        return DiscoFuseReason.NOT_ASSERTED  # "Rick : I ran , and I won", "the court ruled : A , but B"
    if parse.lower[cc] == "or" and not any(parse.lower[k] in ABILITY for k in parse.auxiliaries(head)):
        return DiscoFuseReason.NOT_ASSERTED  # "they are taught Welsh , or are taught in Welsh"
    if _is_quoted_statement(parse, head, cc):
        return DiscoFuseReason.NOT_ASSERTED
    if not own_subject and _is_broken(parse.lower[_start_of_chain(parse, head) : cc]):
        return DiscoFuseReason.WRONG_SCOPE  # of a sentence further back, or behind an open dash
    if not own_subject and (_ends_in_relative(parse, cc, head, verb) or _ends_in_participle(parse, cc, head, verb)):
        return DiscoFuseReason.WRONG_SCOPE
    return _scope_problem(parse, cc, head, verb, own_subject=own_subject) or _problem_above(parse, head)


def _start_of_chain(parse: Parse, verb: int) -> int:
    """The first of the joined verbs that have the subject of ``verb``."""
    while parse.tokens[verb].dep == "conj" and parse.subject(verb) is None:
        verb = parse.tokens[verb].head
    return verb


def _is_broken(words: Sequence[str]) -> bool:
    """Whether a semicolon or an open dash stands between two parts, outside brackets and not right at their joint."""
    depth = dashes = 0
    for word, following in zip(words, words[1:]):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word == ";":
            return True
        dashes += depth == 0 and word == "--" and following not in _CONJUNCTIONS
    return dashes % 2 == 1 and words[-1] != "--"


def _problem_above(parse: Parse, verb: int) -> Reason | None:
    """The reason against the coordination that a verb without a subject is itself in: "said a man came , but sat and
    ate"."""
    above = parse.tokens[verb].head
    cc = next((k for k in reversed(parse.children(above)) if above < k < verb and parse.tokens[k].dep == "cc"), None)
    if parse.tokens[verb].dep != "conj" or cc is None:
        return None
    own = parse.subject(verb, after=cc) is not None
    return _scope_problem(parse, cc, above, verb, own_subject=own) or _problem_above(parse, above)


def _ends_in_participle(parse: Parse, cc: int, head: int, verb: int) -> bool:
    """Whether the first part ends in a passive participle that the second one continues: "a play first produced in Rome
    and then reopened in Paris"."""
    if parse.tokens[verb].tag != "VBN" or parse.auxiliaries(verb):
        return False
    last = parse.last_before(cc)
    return any(
        parse.tokens[k].tag == "VBN" and parse.tokens[k].dep in _PARTICIPIAL and parse.right_edge(k) == last
        for k in range(head + 1, cc)
    )


def _is_quoted_statement(parse: Parse, head: int, cc: int) -> bool:
    """Whether a verb of saying behind a statement says whose it is: "It helps , say the authors , and it is cheap"."""
    return any(
        parse.tokens[k].lemma in REPORTING
        and parse.tokens[k].tag in FINITE
        and (
            parse.tokens[k].dep in ("parataxis", "ccomp")
            and parse.tokens[k].head == head
            and (k < head or parse.lower[k - 1] == "," or _ends_part(parse, k, cc))
            or k == head
            and any(parse.tokens[c].dep == "ccomp" for c in parse.children(k) if c < k)
        )
        for k in range(1, cc)
    )


def _ends_part(parse: Parse, verb: int, cc: int) -> bool:
    """Whether a clause between commas stands right before the conjunction: ", he said , and"."""
    last = parse.last_before(cc)
    return parse.lower[parse.left_edge(verb)] == "," and parse.right_edge(verb) >= last


def _ends_in_relative(parse: Parse, cc: int, head: int, verb: int) -> bool:
    """Whether the first part ends in a relative clause that may take in the second predicate.

    One in the same tense between commas may ("the southern field , which was new , and had ..."). So may a passive one
    before another passive ("pumps blood through gills where it is cleaned , and is sent ...").
    """
    comma = parse.lower[cc - 1] == ","
    last = cc - 1 - comma
    for k in range(head + 1, cc):
        if parse.tokens[k].dep != "relcl" or parse.right_edge(k) != last:
            continue
        if parse.past(head) != parse.past(verb) and parse.past(k):
            return True  # "took a form that saved him , but hides him"
        if parse.past(k) != parse.past(verb):
            continue
        if comma and parse.lower[parse.left_edge(k) - 1] in (",", ")"):
            return True
        if _passive(parse, k) and _passive(parse, verb) and not _passive(parse, head):
            return True
    return False


def _passive(parse: Parse, verb: int) -> bool:
    return parse.child(verb, "auxpass") is not None


def _scope_problem(parse: Parse, cc: int, head: int, verb: int, *, own_subject: bool) -> Reason | None:
    """A clause at the end of the first part may take the second one in: "until they met and he left"."""
    comma = parse.lower[cc - 1] == ","
    last = cc - 1 - comma
    if own_subject and not comma and (_has_thing(parse, head, cc) or _ends_in_clause(parse, head, last, verb)):
        return DiscoFuseReason.WRONG_SCOPE
    if own_subject and _ends_in_place(parse, head, last, verb):
        return DiscoFuseReason.WRONG_SCOPE
    for k in parse.children(head):
        token = parse.tokens[k]
        if not head < k < cc or parse.right_edge(k) < last or not parse.is_verb(k) or not parse.finite(k):
            continue
        # "he said a man came in , but left"; the tense tells "showed that light travels , and measured it"
        unclear = not comma or parse.past(k) == parse.past(verb) and (not own_subject or _may_say_too(parse, cc, k))
        if token.dep == "ccomp" and unclear and not _says_more(parse, verb, own_subject=own_subject):
            return DiscoFuseReason.WRONG_SCOPE
        if token.dep == "advcl" and own_subject and not comma:
            return DiscoFuseReason.WRONG_SCOPE
    return None


def _ends_in_place(parse: Parse, head: int, last: int, verb: int) -> bool:
    """Whether the first part ends in a clause that says what is so where, of the same time as the second part: "a town
    in which the dead are honoured , and quarrels are settled by dance"."""
    for k in range(head + 1, last + 1):
        if parse.tokens[k].dep != "relcl" or parse.right_edge(k) != last or parse.past(k) != parse.past(verb):
            continue
        start = parse.left_edge(k)
        there = parse.lower[start] == "where" or parse.lower[start + 1] == "which"
        if there and parse.lower[start - 1] != ",":
            return True
    return False


def _ends_in_clause(parse: Parse, head: int, last: int, verb: int) -> bool:
    """Whether a clause of time, of a condition or of a report, however deep below the first verb, ends at the joint:
    "in 2006 , when she left and he tried", "an hour to get home before the gate closed and he was locked out", "a place
    to live in unless you work and you travel", "which meant that it was old and he could go"."""
    at = last
    while at != head and parse.tokens[at].head != at:
        dep = parse.tokens[at].dep
        if dep in ("ccomp", "relcl", "advcl") and parse.is_verb(at) and parse.finite(at):
            questions = {parse.lower[k] for k in _questions(parse, at)}
            reported = dep == "ccomp" and not questions and not _says_more(parse, verb, own_subject=True)
            bound = dep == "advcl" and not _BINDING.isdisjoint(parse.lower[k] for k in parse.children(at))
            if reported or bound or dep != "ccomp" and "when" in questions:
                return True
        at = parse.tokens[at].head
    return False


def _questions(parse: Parse, clause: int) -> list[int]:
    """The question words and relative pronouns before the verb of a clause."""
    return [k for k in parse.subtree(clause) if k < clause and parse.tokens[k].tag in ("WP", "WDT", "WRB", "WP$")]


def _says_more(parse: Parse, verb: int, *, own_subject: bool) -> bool:
    """Whether the second part reports as well ("said that he was ill , and added"); one with a subject of its own does
    so by no mere object ("believed that it was old , and the law required repairs")."""
    return parse.tokens[verb].lemma in REPORTING and not (own_subject and parse.child(verb, "dobj") is not None)


def _may_say_too(parse: Parse, cc: int, clause: int) -> bool:
    """Whether the clause behind a conjunction may be what somebody said too: "said that he was ill , and his wife was
    away".

    A contrast with "but" is the author's, but not behind "what this means is that", nor where it is about who spoke:
    "said that he was ill , but his job was". A question ("asked how they came , and") takes in no statement.
    """
    above = parse.tokens[clause].head
    verb = parse.tokens[above].lemma
    said = (
        verb in REPORTING | _SEEMING
        if parse.lower[cc] == "and"
        else verb in _SAYING and parse.lower[cc + 1] in _SPEAKER_S
    )
    return (said or parse.child(above, "csubj") is not None) and not _questions(parse, clause)


def _has_thing(parse: Parse, head: int, cc: int) -> bool:
    """Whether the clause may be a second object: "he believed the words and all of the thoughts were good"."""
    thing = parse.child(head, "dobj")
    return thing is not None and parse.tokens[head].lemma in REPORTING and cc - 1 <= parse.right_edge(thing) <= cc
