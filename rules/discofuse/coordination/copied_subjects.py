"""Subjects that a second clause or predicate shares with the first, for their second mention."""

from __future__ import annotations

from gistmill.rules.discofuse.checks import Check
from gistmill.rules.discofuse.clauses.frames import before_subject
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R
from gistmill.rules.discofuse.words import Words

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
    return second or bool(words) and words[0].position > 0 and parse.tokens[words[0].position - 1].dep == "prep"


def _is_indefinite(parse: Parse, subject: int) -> bool:
    """Whether those who did the one thing may be others than those who did the other: "few", "some", "two"."""
    words, verb = core(parse, subject), parse.tokens[subject].head
    opening = parse.lower[parse.left_edge(subject)]
    if opening in _NEGATIVES or not parse.past(verb) and not parse.perfect(verb):
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
