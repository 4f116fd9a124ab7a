"""Conjunctions, and the part that follows one: for sentence coordination and verb-phrase coordination."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.rules.discofuse import operations
from gistmill.rules.discofuse.checks import Check
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses.frames import before_subject, shared_frame, tells_time, within
from gistmill.rules.discofuse.connectives import CONJUNCTIONS
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, is_plural
from gistmill.rules.discofuse.nouns.references import is_empty
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, NOMINAL, SUBJECTS, Parse, Words, may_be_past

_WORDS = {c.words[0]: c for c in CONJUNCTIONS}
# Behind "so" they make something else than a conjunction: "so that", "so far".
_BEHIND_SO = frozenset(("that", "far", "much", "many", "long", "as", "to", ","))
_PHRASES = NOMINAL | {"ADJ"}
# How far from the conjunction the conjoined verb may stand (Table 14: j <= i + 5).
_REACH = 5


@dataclass(frozen=True, slots=True)
class Conjunct:
    """The conjunction stands at ``cc``; ``verb`` heads the second part, with its ``subject`` (None if shared)."""

    cc: int
    verb: int
    subject: int | None = None


def conjunctions(parse: Parse) -> list[int]:
    """Returns the positions of coordinating conjunctions that have text on both sides."""
    return [i for i in range(1, len(parse) - 3) if parse.lower[i] in _WORDS and _is_conjunction(parse, i)]


def _is_conjunction(parse: Parse, i: int) -> bool:
    """Whether a word is no noun; and "so" or "for" behind a comma not of "so that", "so far", "for him"."""
    token, word = parse.tokens[i], parse.lower[i]
    if token.pos in ("PROPN", "NOUN") or (not _WORDS[word].bare and parse.lower[i - 1] != ","):
        return False
    if word == "so":
        return parse.lower[i + 1] not in _BEHIND_SO
    return _WORDS[word].bare or (token.dep in ("cc", "mark") and parse.finite(token.head if token.dep == "mark" else i))


def label(parse: Parse, cc: int) -> str:
    """Returns the conjunction as it is recorded, with its comma: ", but"."""
    return f", {parse.lower[cc]}" if parse.lower[cc - 1] == "," else parse.lower[cc]


def joins_phrases(parse: Parse, cc: int) -> bool:
    """Whether the conjunction joins nouns, adjectives or the like."""
    head = parse.tokens[cc].head
    joined = [k for k in parse.children(head) if k > cc and parse.tokens[k].dep == "conj"]
    return parse.tokens[cc].dep == "cc" and any(all(parse.tokens[i].pos in _PHRASES for i in (head, k)) for k in joined)


def joined_verbs(parse: Parse, cc: int) -> list[int]:
    """Returns the verbs within reach behind the conjunction that are conjuncts of something before it."""
    reach = range(cc + 1, 1 if joins_phrases(parse, cc) else min(len(parse), cc + 1 + _REACH))
    return [i for i in reach if parse.tokens[i].dep == "conj" and parse.tokens[i].head < cc and parse.is_verb(i)]


def in_frame(parse: Parse, second: Words, part: Conjunct, *, first: int) -> Words:
    """Puts the frame of the first clause, that of verb ``first`` ("In 1990 ,"), before the second, if it holds there.

    The first clause may itself stand in that of one before: "In 1990 the roof fell and the wall was moved and sold".
    """
    own = part.subject is not None
    found = shared_frame(parse, first, part.verb, part.cc, own_subject=own)
    above = parse.tokens[first].head
    joints = (k for k in parse.children(above) if above < k < first and parse.tokens[k].dep == "cc")
    joint = next(joints, None) if parse.tokens[first].dep == "conj" else None
    if not found and joint is not None and shared_frame(parse, above, first, joint, own_subject=True):
        found = shared_frame(parse, above, part.verb, part.cc, own_subject=own)
    return within(found, second)


_VERB_GROUP = frozenset(("aux", "auxpass", "neg", "advmod"))
# A word of a phrase that may open a clause.
_OF_PHRASES = frozenset(("ADP", "SCONJ", "NOUN", "PROPN", "NUM"))
# Adverbs that the parser hangs on a subject, but that belong to its clause.
_OF_CLAUSES = frozenset("later then also however therefore thus too again respectively in turn fact still".split())
# Of what none does one thing and another, some may do one; and of some that do one, others may do the other.
_NEGATIVES = frozenset("no none nobody nothing neither few little hardly".split())
_INDEFINITES = frozenset("one some several many someone somebody something other others another".split())
_AMOUNTS = frozenset("number few handful couple variety proportion majority minority percentage part lot total".split())


def subject_phrase(parse: Parse, subject: int, cc: int, verb: int) -> Words:
    """Returns the first clause's subject for its second mention, before ``verb``: up to an insertion, and definite
    where either clause tells of the past and so of a particular one: "A mill stands here and was sold"."""
    words = core(parse, subject, end=cc)
    insertion = next((n for n, w in enumerate(words) if w.text == "," and w.head == subject < w.position), len(words))
    if not any(parse.tokens[k].dep == "conj" and k > subject for k in parse.children(subject)):
        words = words[:insertion]
    while len(words) > 1 and words[-1].text.lower() in _OF_CLAUSES and words[-1].position != subject:
        words = words[:-1]
    came_to_be = any(parse.tokens[k].tag == "VBD" or parse.lower[k] == "has" for k in (verb, *parse.auxiliaries(verb)))
    return definite(words) if came_to_be or parse.past(parse.tokens[subject].head) else words


def with_subject(parse: Parse, second: Words, subject: Words, *, verb: int, cc: int) -> Words:
    """Puts the subject before the predicate, behind a phrase that opens it: "and in 1839 led" -> "in 1839 he led"."""
    start = _start_of_group(parse, verb, cc)
    fronted, rest = (tuple(w for w in second if (w.position < start) == before) for before in (True, False))
    if any(w.head == verb and w.dep in AUXILIARIES for w in fronted):
        return join(subject, second)  # "but is in practice kept"
    if any(w.pos in _OF_PHRASES for w in fronted):
        return before_subject(fronted, subject, rest)
    lone = [w.text for w in fronted].count(",") == 1 and fronted[-1].text == ","
    return join(subject, fronted[:-1] if lone else fronted, rest)  # "and thus , fell" -> "it thus fell"


def _start_of_group(parse: Parse, verb: int, cc: int) -> int:
    """Where the auxiliaries and adverbs right before the verb begin, or the first part of "crash - landed"."""
    start = verb
    helpers = {k for k in parse.children(verb) if parse.tokens[k].dep in _VERB_GROUP}
    while start - 1 > cc and (start - 1 in helpers or parse.tokens[start - 1].tag == "HYPH"):
        start -= 1 if start - 1 in helpers else 2
    return start


def _is_split(parse: Parse, subject: int) -> bool:
    """Whether the verb has one more noun phrase before it, or the phrase is also the object of a preposition ("On July
    25 , 2005 Agassi left")."""
    verb, words = parse.tokens[subject].head, core(parse, subject)
    second = any(k != subject and k < verb and parse.tokens[k].dep in SUBJECTS for k in parse.children(verb))
    return second or (bool(words) and words[0].position > 0 and parse.tokens[words[0].position - 1].dep == "prep")


def _is_indefinite(parse: Parse, subject: int) -> bool:
    """Whether those who did the one thing may be others than those who did the other: "few", "some", "two"."""
    words, verb = core(parse, subject), parse.tokens[subject].head
    opening = parse.lower[parse.left_edge(subject)]
    if opening in _NEGATIVES or (not parse.past(verb) and not parse.perfect(verb)):
        return opening in _NEGATIVES
    amount = opening == "a" and len(words) > 2 and words[1].lemma in _AMOUNTS
    return amount or parse.tokens[subject].tag == "CD" or opening in _INDEFINITES


CHECKS: tuple[Check[int], ...] = (
    Check("subject.split", R.AMBIGUOUS, _is_split,
          "One of the largest events in the city, Pride Week takes place in June, and is known in all of Europe.",
          "A man came home and left it."),
    Check("subject.empty", R.NO_SUBJECT, is_empty,
          "It rained in May and made the town wet.", "A man came home and left it."),
    Check("subject.indefinite", R.AMBIGUOUS, _is_indefinite,
          "Some men came to the town and stayed with us.", "A man came home and left it."),
)  # fmt: skip


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
    if token.tag not in FINITE or operations.is_participle_only(parse.lower[part.verb]):  # whatever it was taken for
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
    # Whether the first verb is a "be" that the second one needs: "was in the country and not allowed to leave".
    if not shared and (parse.lower[carrier] in _BE and not _own(parse, part) and _fits(parse, carrier, part.verb)):
        shared = [carrier]
    if not shared:
        # Whether a participle may be a past tense like the first verb: "closed and raced", not "closed and taken".
        tags = (parse.tokens[carrier].tag, parse.tokens[part.verb].tag)
        participle = operations.is_participle_only(parse.lower[part.verb])
        return () if tags == ("VBD", "VBN") and not participle and not _own(parse, part) else None
    if any(parse.lower[k] in _NEGATIONS for k in parse.children(carrier) if k < carrier):
        return None
    if not _fits(parse, shared[-1], part.verb):
        return () if _is_present(parse, part) else None
    return tuple(parse.words[k]._replace(space=True) for k in shared)


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
    if (own_time and "since" not in parse.lower[part.cc :]) or len(shared) != 1 or parse.tokens[head].tag != "VBN":
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
    if token.lemma in _INTRANSITIVE or (parse.child(part.verb, "xcomp") is not None and token.lemma not in _SEEN):
        return False
    bare = parse.child(part.verb, *_OBJECTS) is None or token.lemma == parse.tokens[carrier].lemma
    present = parse.tokens[carrier].tag in ("VBZ", "VBP")
    return bare or (present and parse.child(part.verb, "oprd") is not None)


def _fits(parse: Parse, auxiliary: int, verb: int) -> bool:
    """Whether the verb's form can follow the auxiliary."""
    tag, word = parse.tokens[verb].tag, parse.lower[auxiliary]
    participle = tag == "VBN" or operations.is_participle_only(parse.lower[verb])
    if word in _BE:
        # "was elected and served two terms": a participle with an object is a past tense
        passive = participle and parse.child(verb, "dobj", "ccomp", "attr") is None
        return (passive or tag == "VBG") and operations.is_word(parse.lower[verb], upos="VERB")
    if parse.tokens[auxiliary].lemma in _HAVE:
        return participle
    return tag in ("VB", "VBP") and not participle
