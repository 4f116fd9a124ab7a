"""What a second predicate may share with the first one beside its subject (an adverb, a form, a date), and verbs that
may not be verbs, but go on its object."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.clauses.frames import frame
from gistmill.rules.discofuse.clauses.own_frames import has_own_frame
from gistmill.rules.discofuse.parse import Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# They are said of all that follows them.
_FOCUSING = frozenset(("only", "merely", "just", "simply"))
# Their object may be a deed, and one more behind it: "charges for theft and hiding the money".
_OF_DEEDS = frozenset("for of by with without against from about".split())
_YEAR = 4  # digits
# They count from another date.
_BACK = frozenset(("previous", "preceding", "same"))


def problem_of_shared(parse: Parse, head: int, cc: int, verb: int) -> Reason | None:
    """Returns the reason against a second predicate that lacks, or may lack, what it shares with the first, or None.

    Args:
        parse: the sentence.
        head: the first predicate's verb.
        cc: position of the conjunction.
        verb: the second predicate's verb.
    """
    if _is_focused(parse, head, verb) or _is_unreal(parse, head, cc, verb):
        return DiscoFuseReason.NOT_ASSERTED
    if _is_emphatic(parse, head, cc, verb):
        return DiscoFuseReason.VERB_FORM
    if (
        _is_not_a_participle(parse, head, cc, verb)
        or _looks_back(parse, cc, verb)
        or _is_done_by(parse, head, cc, verb)
    ):
        return DiscoFuseReason.SHARED_PART
    if _ends_in_period(parse, head, cc, verb):
        return DiscoFuseReason.SHARED_PART
    return None


def _is_focused(parse: Parse, head: int, verb: int) -> bool:
    """Whether an adverb before the first verb is said of a second base form too, and would be lost: "can only help us
    and feed us"."""
    if parse.tokens[verb].tag not in ("VB", "VBP") or parse.auxiliaries(verb):
        return False
    return any(k < head and parse.lower[k] in _FOCUSING for k in parse.children(head))


def _is_unreal(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a contrast tells what came of what might have been, or goes on with that: "could have won , but jumped
    too late"."""
    group = parse.auxiliaries(head)
    unreal = any(parse.tokens[k].tag == "MD" for k in group) and any(parse.lower[k] == "have" for k in group)
    return unreal and parse.lower[cc] == "but" and not parse.auxiliaries(verb) and may_be_past(parse.lower[verb])


def _is_not_a_participle(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a form in -ing may not be one of the first verb's: behind another form ("was sold by a man with a hat and
    bearing a flag"), or behind a deed in a phrase ("is seeking damages for theft and hiding the money")."""
    if parse.tokens[verb].tag != "VBG" or any(k > cc for k in parse.auxiliaries(verb)):
        return False
    if parse.tokens[head].tag == "VBN":
        return True
    last = parse.last_before(cc)
    return any(
        parse.lower[k] in _OF_DEEDS and parse.tokens[k].dep == "prep" and parse.right_edge(k) == last
        for k in range(head + 1, cc)
    )


def _looks_back(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the second part counts from a date that stays in the first: "stayed in 1990 and won more than in the
    previous year"."""
    behind = range(cc + 1, parse.right_edge(verb))
    if not any(parse.lower[k] in _BACK and parse.tokens[k + 1].entity[2:] == "DATE" for k in behind):
        return False
    dates = [k for k in range(cc) if parse.tokens[k].entity[2:] == "DATE"]
    subject = parse.shared_subject(verb)
    return bool(dates) and (subject is None or dates[-1] > subject)


def _ends_in_period(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a period that both parts may fill stands in the second, and the first has no adverbial of its own: "They
    ruled Kent and built mills from 1975 until 1979"."""
    dated = any(parse.tokens[k].entity[2:] == "DATE" for k in range(cc))
    if dated or any(parse.tokens[k].pos in ("ADP", "ADV") for k in range(head, cc)) or parse.lower[cc - 1] == ",":
        return False
    words = parse.lower[cc : parse.right_edge(verb) + 1]
    return any(
        a == "from" and b.isdecimal() and len(b) == _YEAR and c in ("until", "till", "to")
        for a, b, c in zip(words, words[1:], words[2:])
    )


def _is_done_by(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the first part says what was done by a day, and the second what happened, then or later: "By May he had
    arrived and was sent on"."""
    words = frame(parse, head)
    if not words or words[0].text.lower() != "by" or has_own_frame(parse, verb, cc):
        return False
    dated = any(w.entity[2:] == "DATE" for w in words)
    return dated and parse.perfect(head) and not parse.perfect(verb)


def _is_emphatic(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a past tense behind "did see" may be an adjective of what was seen: "did see guards and later armed
    police"."""
    did = any(parse.lower[k] == "did" for k in parse.auxiliaries(head))
    denied = any(parse.tokens[k].dep == "neg" for k in parse.children(head))
    return did and not denied and parse.lower[cc] == "and" and may_be_past(parse.lower[verb])


def may_be_phrase(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the verb may not be a verb: a plural noun with its participle or genitive ("techniques , and often
    compounds produced by ..."), or a participle before its noun ("is like clay and rammed earth")."""
    tag = parse.tokens[verb].tag
    if tag in ("VBZ", "VBP"):
        bare = parse.child(verb, "acl") is not None or parse.lower[verb + 1 : verb + 2] in (["of"], ["per"], [","])
        return bare and morphology.is_word(parse.lower[verb], upos="NOUN")
    if tag != "VBD" or verb != cc + 1 or not may_be_past(parse.lower[verb]):
        return False
    following = parse.tokens[verb + 1 : verb + 2]
    plain = any(t.pos in ("NOUN", "ADJ") for t in following) and parse.tokens[head].tag in ("VBZ", "VBP", "VBG")
    return plain or _repeats_object(parse, head, verb) or _goes_on_list(parse, head, verb)


def _goes_on_list(parse: Parse, head: int, verb: int) -> bool:
    """Whether the first verb says what something is, and a single thing without an article follows the second: "was an
    old liner , troop ship and armed cargo ship"."""
    thing = parse.child(verb, "dobj")
    if parse.tokens[head].lemma != "be" or parse.child(head, "attr") is None or thing is None:
        return False
    bare = all(parse.tokens[k].dep not in ("det", "poss", "nummod") for k in parse.children(thing))
    single = parse.tokens[thing].tag == "NN" and parse.tokens[thing].lemma != "part"  # "and formed part of it"
    return bare and single and parse.left_edge(thing) == verb + 1


def _repeats_object(parse: Parse, head: int, verb: int) -> bool:
    """Whether both verbs have the same noun for an object, and only the first one's has a determiner: "sold the large
    mill and rebuilt small mill"."""
    first, second = parse.child(head, "dobj"), parse.child(verb, "dobj")
    if first is None or second is None or parse.tokens[first].lemma != parse.tokens[second].lemma:
        return False
    return all(k <= verb or parse.tokens[k].dep not in ("det", "poss") for k in parse.children(second)) and (
        parse.tokens[second].tag in ("NN", "NNP") and parse.child(first, "det", "poss") is not None
    )
