"""Auxiliaries that a second predicate shares with the first one: "was sold and moved", "has grown and lost"."""

from __future__ import annotations

from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.clauses.own_frames import tells_time
from gistmill.rules.discofuse.coordination.conjunctions import Conjunct
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, Parse, may_be_past
from gistmill.rules.discofuse.words import Words

_BE, _HAVE = frozenset(("be", "is", "are", "was", "were", "am", "been", "being", "'s", "'re")), frozenset(("have",))
_OBJECTS = ("dobj", "ccomp", "attr", "acomp", "oprd")
# Behind others the infinitive is what the subject itself does: "was hired and began to work".
_SEEN = frozenset("find see observe know report expect force require allow ask tell order permit oblige use".split())
# They have no passive: "was born in Rome and died there".
_INTRANSITIVE = frozenset(("graduate", "arrive", "arise", "emerge", "die"))
_NEGATIONS = frozenset(("not", "n't", "never"))


def shared_auxiliaries(parse: Parse, part: Conjunct) -> Words | None:
    """Returns the auxiliaries that the second verb needs from the first; None when it cannot do with them."""
    token, head = parse.tokens[part.verb], parse.tokens[part.verb].head
    if any(parse.tokens[k].tag in FINITE for k in _own(parse, part)):
        return ()
    if token.tag not in FINITE or morphology.is_participle_only(parse.lower[part.verb]):  # whatever it was taken for
        return _of_participle(parse, part)
    modal = any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(head))
    if modal and token.tag == "VBD" and may_be_past(parse.lower[part.verb]):
        return None  # "could have ended in an orbit or flung off"
    return None if _may_be_passive(parse, part) else _perfect(parse, part)


def _own(parse: Parse, part: Conjunct) -> list[int]:
    return [k for k in parse.auxiliaries(part.verb) if k > part.cc]


def _of_participle(parse: Parse, part: Conjunct) -> Words | None:
    """The auxiliaries for a participle or a base form."""
    carrier = _carrier(parse, part, *AUXILIARIES)
    shared = [k for k in parse.auxiliaries(carrier) if k < part.cc and parse.tokens[k].tag != "TO"]
    if not shared and _shares_be(parse, part, carrier):
        shared = [carrier]
    if not shared:
        return () if _is_past_tense(parse, part, carrier) else None
    if any(parse.lower[k] in _NEGATIONS for k in parse.children(carrier) if k < carrier):
        return None
    if not _fits(parse, shared[-1], part.verb):
        return () if _is_present(parse, part) else None
    return tuple(parse.words[k]._replace(space=True) for k in shared)


def _shares_be(parse: Parse, part: Conjunct, carrier: int) -> bool:
    """Whether the first verb is a "be" that the second one needs: "was in the country and not allowed to leave"."""
    return parse.lower[carrier] in _BE and not _own(parse, part) and _fits(parse, carrier, part.verb)


def _is_past_tense(parse: Parse, part: Conjunct, carrier: int) -> bool:
    """Whether a participle may be a past tense like the first verb: "closed and raced", not "closed and taken"."""
    tags = (parse.tokens[carrier].tag, parse.tokens[part.verb].tag)
    participle = morphology.is_participle_only(parse.lower[part.verb])
    return tags == ("VBD", "VBN") and not participle and not _own(parse, part)


def _is_present(parse: Parse, part: Conjunct) -> bool:
    """Whether a base form behind an auxiliary that it cannot follow, other than a modal, is a present tense: "cells are
    found and send"."""
    subject, modal = parse.shared_subject(part.verb), any(t.tag == "MD" for t in parse.tokens[: part.cc])
    return not modal and parse.tokens[part.verb].tag == "VB" and subject is not None and is_plural(parse, subject)


def _carrier(parse: Parse, part: Conjunct, *labels: str) -> int:
    """The verb before the second one with an auxiliary of these kinds that it shares, or else the first of the row."""
    at = parse.tokens[part.verb].head
    while parse.child(at, *labels) is None and parse.tokens[at].dep == "conj" and parse.subject(at) is None:
        at = parse.tokens[at].head
    return at


def _perfect(parse: Parse, part: Conjunct) -> Words:
    """The form of "have" that a past tense shares with the first verb, if it may be a participle: "has grown and lost".

    With a time of its own it is a past tense.
    """
    head = parse.tokens[part.verb].head
    if parse.tokens[part.verb].tag != "VBD" or not may_be_past(parse.lower[part.verb]):
        return ()
    own_time = any(tells_time(parse, k) for k in range(part.cc + 1, parse.right_edge(part.verb) + 1))
    shared = [k for k in parse.auxiliaries(head) if k < part.cc and parse.tokens[k].dep == "aux"]
    if own_time and "since" not in parse.lower[part.cc :] or len(shared) != 1 or parse.tokens[head].tag != "VBN":
        return ()
    return (parse.words[shared[0]]._replace(space=True),) if parse.tokens[shared[0]].lemma in _HAVE else ()


def _may_be_passive(parse: Parse, part: Conjunct) -> bool:
    """Whether a past tense behind a form of "be" may be one more participle: "was confiscated and handed over", "was in
    position , and undetected", "was named to a team and named the best"; behind a present one also before what it is
    called: "is old and called the Low Mill".
    """
    token, carrier = parse.tokens[part.verb], _carrier(parse, part, "auxpass")
    if token.tag != "VBD" or not may_be_past(parse.lower[part.verb]):
        return False
    if parse.child(carrier, "auxpass") is None and parse.lower[carrier] not in _BE:
        return False
    if token.lemma in _INTRANSITIVE or parse.child(part.verb, "xcomp") is not None and token.lemma not in _SEEN:
        return False
    bare = parse.child(part.verb, *_OBJECTS) is None or token.lemma == parse.tokens[carrier].lemma
    present = parse.tokens[carrier].tag in ("VBZ", "VBP")
    return bare or present and parse.child(part.verb, "oprd") is not None


def _fits(parse: Parse, auxiliary: int, verb: int) -> bool:
    """Whether the verb's form can follow the auxiliary."""
    tag, word = parse.tokens[verb].tag, parse.lower[auxiliary]
    participle = tag == "VBN" or morphology.is_participle_only(parse.lower[verb])
    if word in _BE:
        # "was elected and served two terms": a participle with an object is a past tense
        passive = participle and parse.child(verb, "dobj", "ccomp", "attr") is None
        return (passive or tag == "VBG") and morphology.is_word(parse.lower[verb], upos="VERB")
    if parse.tokens[auxiliary].lemma in _HAVE:
        return participle
    return tag in ("VB", "VBP") and not participle
