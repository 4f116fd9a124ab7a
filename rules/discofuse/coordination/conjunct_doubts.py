"""Doubts whether a second predicate is the main verb's, and whether an adverb before the first one is said of both."""

from __future__ import annotations

from collections.abc import Collection

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.coordination.shared_parts import problem_of_shared
from gistmill.rules.discofuse.morphology import is_base
from gistmill.rules.discofuse.parse import QUOTES, Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# Adverbs that say how sure it is, and hold to the end of the sentence.
_DOUBTFUL = frozenset(
    "likely probably possibly perhaps maybe presumably allegedly reportedly supposedly apparently potentially".split()
)
# Adverbs that say how often, which may hold to the end of the sentence too; "usually" or "always" of a habit adds less.
_FREQUENCIES = frozenset("often sometimes rarely seldom occasionally frequently never hardly".split())
# The forms of one person as subject and object.
_OBJECT_FORMS = {"he": "him", "she": "her", "they": "them", "it": "it"}
_RECEIVERS, _PERSONS = ("dobj", "dative", "nsubj"), frozenset(("him", "her", "them"))
_AMONG = frozenset("one some part member most many".split())
_READER = frozenset(("you", "your", "yours", "yourself"))
_CLAUSES = frozenset(("relcl", "advcl", "ccomp"))
# What may stand between a clause and the conjunction, and belong to either.
_CLOSING = frozenset((",", "--", ")", *QUOTES))
_ADVERBS = frozenset(("advmod", "npadvmod", "neg"))


def problem_of_predicate(parse: Parse, cc: int, verb: int) -> Reason | None:
    """Returns the reason against a second predicate without a subject of its own.

    Args:
        parse: the sentence.
        cc: position of the conjunction.
        verb: the second predicate's verb.
    """
    head = parse.tokens[verb].head
    if _is_imperative(parse, head, cc, verb):
        return DiscoFuseReason.NO_SUBJECT
    if parse.lower[cc] == "nor":
        return DiscoFuseReason.SHARED_PART  # "has not burnt nor closed"
    if _is_among_its_own(parse, verb):
        return DiscoFuseReason.UNRESOLVED_ANAPHOR
    if _is_doubtful(parse, head) or _is_frequent(parse, head, cc, verb) or _continues_raising(parse, head, verb):
        return DiscoFuseReason.NOT_ASSERTED
    shared = problem_of_shared(parse, head, cc, verb)
    if shared is not None:
        return shared
    if (
        _leaves_quotation(parse, head, cc)
        or _quotes_the_report(parse, head, cc, verb)
        or _goes_on_report(parse, head, cc, verb)
        or _continues_infinitive(parse, head, cc, verb)
        or _continues_clause(parse, head, cc, verb)
        or _continues_relative(parse, head, cc, verb)
        or _continues_predicate(parse, head, cc, verb)
        or _continues_perfect(parse, head, cc, verb)
        or _is_cleft(parse, head, cc)
        or _ends_in_open_relative(parse, head, cc)
        or _is_misread(parse, head, cc)
        or _meets_itself(parse, head, cc, verb)
    ):
        return DiscoFuseReason.WRONG_SCOPE
    return None


def _is_imperative(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a base form behind "but" speaks to the reader, who is not the first verb's subject: "Mills can help , but
    take your time"."""
    subject = parse.shared_subject(head)
    if parse.lower[cc] != "but" or verb != cc + 1 or parse.tokens[verb].tag not in ("VB", "VBP") or subject is None:
        return False
    return parse.tokens[subject].pos != "PRON" and not _READER.isdisjoint(parse.lower[verb:])


def _is_among_its_own(parse: Parse, verb: int) -> bool:
    """Whether the second part says that the subject is one of something's, which then is not the subject: "lies near
    Kent and is one of its towns" (no phrase is inside what it refers to: the i-within-i filter of Chomsky, 1981)."""
    for k in parse.children(verb):
        noun = parse.child(k, "pobj") if parse.lower[k] == "as" else k
        if noun is None or noun == k and parse.tokens[k].dep not in ("attr", "oprd"):
            continue
        of = parse.child(noun, "prep")
        if of is None or parse.lower[of] != "of" or parse.tokens[noun].lemma not in _AMONG:
            continue
        whole = parse.child(of, "pobj")
        if whole is not None and parse.tokens[parse.left_edge(whole)].tag == "PRP$":
            return True
    return False


def _is_doubtful(parse: Parse, head: int) -> bool:
    """Whether an adverb of doubt stands before the first verb: "will probably close and move"."""
    return any(k < head and parse.lower[k] in _DOUBTFUL for k in parse.children(head))


def _is_frequent(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether an adverb before the first verb, or before one between, says how often the rest happens too: "he often
    came and stayed". A second part with a modal, an adverb or a date of its own tells for itself."""
    firsts = (head, *(k for k in parse.children(head) if head < k < cc and parse.tokens[k].dep == "conj"))
    if not any(k < first and parse.lower[k] in _FREQUENCIES for first in firsts for k in parse.children(first)):
        return False
    own = any(
        parse.tokens[k].tag == "MD" or k < verb and parse.tokens[k].dep in _ADVERBS and parse.lower[k] != "instead"
        for k in parse.children(verb)
    )
    return not own and all(parse.tokens[k].entity[2:] != "DATE" for k in range(cc, parse.right_edge(verb)))


def _continues_raising(parse: Parse, head: int, verb: int) -> bool:
    """Whether a past tense may be one more participle of a perfect or passive infinitive, which tells what seems or is
    said: "the mills seem to have begun early and closed late"."""
    below = parse.child(head, "xcomp")
    if below is None or parse.auxiliaries(verb) or parse.tokens[verb].tag not in ("VBD", "VBN"):
        return False
    if not may_be_past(parse.lower[verb]):
        return False
    return parse.perfect(below) or parse.child(below, "auxpass") is not None and not parse.past(head)


def _leaves_quotation(parse: Parse, head: int, cc: int) -> bool:
    """Whether the first verb stands in a quotation that ends before the conjunction: "she said , ' I am ill , ' and
    left"."""
    return parse.in_quotation(head) and not parse.in_quotation(cc)


def _quotes_the_report(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the words of a report go on in quotes: "He said the mill was old but ' did not leak '"."""
    told = any(head < k < cc and parse.tokens[k].dep == "ccomp" for k in parse.children(head))
    return told and parse.tokens[head].lemma in REPORTING and not QUOTES.isdisjoint(parse.lower[cc + 1 : verb])


def _goes_on_report(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the second verb is about somebody of the clause that the first one reports, which ends at the conjunction
    and has the same tense: "explained that he met the men and promised them work"."""
    persons = any(parse.tokens[k].dep in _RECEIVERS and parse.lower[k] in _PERSONS for k in parse.children(verb))
    if parse.tokens[head].lemma not in REPORTING or not persons or parse.child(verb, "ccomp") is not None:
        return False
    return any(
        head < k < cc
        and parse.tokens[k].dep == "ccomp"
        and parse.right_edge(k) >= _last_word(parse, cc) - (parse.lower[cc - 1] == ",")
        and parse.finite(k)
        and parse.past(k) == parse.past(verb)
        for k in parse.children(head)
    )


def _continues_infinitive(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a base form that was taken for another tense than the first verb's goes on an infinitive: "worked to
    build and keep mills", "want to stay and cut it"."""
    tag = parse.tokens[verb].tag
    present = tag == "VBP" and parse.past(head)
    past = tag == "VBD" and not parse.past(head) and is_base(parse.lower[verb])
    if not (present or past) or parse.auxiliaries(verb):
        return False
    return any(parse.tokens[k].tag == "TO" and parse.tokens[k].dep == "aux" for k in range(head + 1, cc))


def _continues_clause(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the second verb may be that of a clause which ends at the conjunction without a comma, and has the same
    tense: "left once they knew the man and understood"."""
    if parse.lower[cc - 1] == ",":
        return False
    last = _last_word(parse, cc)
    return any(
        head < k < cc
        and parse.tokens[k].dep == "advcl"
        and parse.right_edge(k) in (last, cc - 1)
        and parse.finite(k)
        and parse.subject(k) is not None
        and parse.past(k) == parse.past(verb)
        for k in parse.children(head)
    )


def _last_word(parse: Parse, cc: int, marks: Collection[str] = QUOTES) -> int:
    """The last word before the conjunction that is not one of the marks, which may hang on another clause."""
    last = cc - 1
    while last > 0 and parse.lower[last] in marks:
        last -= 1
    return last


def _continues_perfect(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a clause in the simple past, which ends at the conjunction without a comma, goes on behind a perfect:
    "had liked Lee since they met but never wrote"."""
    if (
        not parse.perfect(head)
        or parse.tokens[verb].tag != "VBD"
        or parse.auxiliaries(verb)
        or parse.lower[cc - 1] == ","
    ):
        return False
    last = _last_word(parse, cc)
    return any(
        parse.tokens[k].dep in _CLAUSES
        and parse.tokens[k].tag == "VBD"
        and parse.right_edge(k) >= last
        and parse.subject(k) is not None
        for k in range(head + 1, cc)
    )


def _is_cleft(parse: Parse, head: int, cc: int) -> bool:
    """Whether the first verb only sets off what a clause behind it tells, which goes on: "it was not until May that a
    clerk came , and found it"."""
    subject = parse.shared_subject(head)
    if subject is None or parse.lower[subject] != "it" or parse.tokens[head].lemma != "be":
        return False
    return any(parse.lower[k] in ("that", "who") for k in range(head + 1, cc))


def _ends_in_open_relative(parse: Parse, head: int, cc: int) -> bool:
    """Whether a relative clause that a comma opens goes up to the conjunction, and no comma closes it: it goes on.
    "He was freed by Ann , who knew Lee but came"."""
    last = _last_word(parse, cc)
    return any(
        parse.tokens[k].dep == "relcl"
        and parse.finite(k)
        and parse.right_edge(k) == last
        and parse.lower[parse.left_edge(k) - 1] == ","
        for k in range(head + 1, cc)
    )


def _continues_relative(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the second verb has the tense of a relative clause that ends at the conjunction, and not the first
    verb's: "issued an order that bans mills , and sets a date"; a dash may close a list in it."""
    last = _last_word(parse, cc, _CLOSING)
    return parse.past(head) != parse.past(verb) and any(
        parse.tokens[k].dep == "relcl"
        and parse.right_edge(k) in range(last, cc)
        and parse.finite(k)
        and parse.past(k) == parse.past(verb)
        and parse.tokens[parse.subject(k) or 0].tag in ("WDT", "WP")
        for k in range(head + 1, cc)
    )


def _continues_predicate(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a past tense without an object, behind a present, may be a participle that goes with the adjective or
    participle of a relative clause before it: "means a room that is round , and used at night"."""
    bare = parse.tokens[verb].tag == "VBD" and parse.child(verb, "dobj", "ccomp", "xcomp", "attr", "prt") is None
    if not bare or parse.past(head) or parse.auxiliaries(verb) or not may_be_past(parse.lower[verb]):
        return False
    last = _last_word(parse, cc, _CLOSING)
    return any(
        parse.tokens[k].dep == "relcl"
        and parse.right_edge(k) in range(last, cc)
        and (parse.child(k, "auxpass") is not None or parse.tokens[k].lemma == "be")
        for k in range(head + 1, cc)
    )


def _meets_itself(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the object is the subject's own pronoun, not a reflexive one, and a clause that ends at the conjunction
    has another subject: "He feared the storm that took him away , but kept him alive"."""
    subject = parse.shared_subject(head)
    thing = parse.child(verb, "dobj")
    if subject is None or thing is None or _OBJECT_FORMS.get(parse.lower[subject]) != parse.lower[thing]:
        return False
    last = parse.last_before(cc)
    return any(
        parse.tokens[k].dep in _CLAUSES and parse.finite(k) and parse.right_edge(k) == last for k in range(head + 1, cc)
    )


def _is_misread(parse: Parse, head: int, cc: int) -> bool:
    """Whether the conjunction was not read as one of the two verbs: without a comma it hangs on the verb of a clause
    between them ("freed by a man who knew Lee but came"), or one more before it joins nothing ("threw a ball that rose
    but at the end sank and hit her")."""
    above = parse.tokens[cc].head
    if head < above < cc and parse.tokens[above].dep in _CLAUSES and parse.lower[cc - 1] != ",":
        return True
    before = [k for k in parse.children(head) if head < k < cc]
    loose = [k for k in before if parse.tokens[k].dep == "cc"]
    return bool(loose) and not any(parse.tokens[k].dep in ("conj", *_CLAUSES) and k > loose[0] for k in before)
