"""Subjects that a second clause or predicate shares with the first, for their second mention."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.frames import before_subject
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, QUOTES, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Words

_VERB_GROUP = frozenset(("aux", "auxpass", "neg", "advmod"))
# Adverbs that the parser hangs on a subject, but that belong to its clause.
_OF_CLAUSES = frozenset("later then also however therefore thus too again respectively in turn fact still".split())
# Of what none does one thing and another, some may do one; and of some that do one, others may do the other.
_NEGATIVES = frozenset("no none nobody nothing neither few little hardly".split())
_INDEFINITES = frozenset("some several many someone somebody something other others another".split())
_AMOUNTS = frozenset("number few handful couple variety proportion majority minority percentage part lot total".split())
# What they add to a subject is lost where the insertion is left out.
_ADDING = (("along", "with"), ("together", "with"), ("as", "well"))


def subject_phrase(parse: Parse, subject: int, cc: int, verb: int) -> Words:
    """Returns the first clause's subject for its second mention, before ``verb``: up to an insertion, and definite
    where either clause tells of the past and so of a particular one: "A mill stands here and was sold"."""
    words = core(parse, subject, end=cc)
    cut = next((n for n, w in enumerate(words) if _opens_insertion(parse, w.position, subject)), len(words))
    if not any(parse.tokens[k].dep == "conj" and k > subject for k in parse.children(subject)):
        words = words[:cut]
    while len(words) > 1 and words[-1].text.lower() in _OF_CLAUSES and words[-1].position != subject:
        words = words[:-1]
    title = _in_quotes(parse, words)
    if title:
        return title
    past = parse.past(parse.tokens[subject].head) or _tells_of_past(parse, verb)
    return definite(words) if past else words


def _in_quotes(parse: Parse, words: Words) -> Words:
    """The words with the quotes that stand right around them, if any do: the title " Sorry "."""
    start, end = (words[0].position - 1, words[-1].position + 1) if words else (-1, 0)
    quoted = start >= 0 and end < len(parse) and parse.lower[start] in QUOTES and parse.lower[end] in QUOTES
    return parse.words[start : end + 1] if quoted else ()


def _tells_of_past(parse: Parse, verb: int) -> bool:
    """Whether a second verb shows by a form of its own that something came to be, as "was built" and "has grown" do."""
    group = (verb, *parse.auxiliaries(verb))
    return any(parse.tokens[k].tag == "VBD" for k in group) or any(parse.lower[k] == "has" for k in group[1:])


def _opens_insertion(parse: Parse, position: int, subject: int) -> bool:
    """Whether a comma behind the subject's noun is not one of a list."""
    if position <= subject or parse.lower[position] != ",":
        return False
    at = position + 1
    while at != subject and parse.tokens[at].head != at:
        if parse.tokens[at].dep == "cc" or parse.tokens[at].dep == "conj" and parse.tokens[at].head < position:
            return False
        at = parse.tokens[at].head
    return True


def problem_of_subject(parse: Parse, subject: int) -> Reason | None:
    """Returns the reason for which the subject cannot be said twice: another noun phrase may be the subject, or its
    second mention would mean others ("few came and stayed")."""
    if is_empty(parse, subject):
        return DiscoFuseReason.NO_SUBJECT  # "It seems that he left , and may be"
    clause = parse.tokens[subject].dep == "csubj" and _is_adverbial(parse, subject)
    if clause or subject_is_split(parse, subject):
        return DiscoFuseReason.AMBIGUOUS
    words = core(parse, subject)
    opening = words[0].text.lower() if words else ""
    if opening in _NEGATIVES or _loses_company(parse, subject, words):
        return DiscoFuseReason.SHARED_PART
    if any(w.tag in ("WDT", "WP") and w.dep in SUBJECTS and not parse.is_verb(w.head) for w in words):
        return DiscoFuseReason.AMBIGUOUS  # "a revolt against a system which - as elsewhere - fails": the system does
    amount = opening == "a" and len(words) > 2 and words[1].lemma in _AMOUNTS
    some = amount or opening in _INDEFINITES or _is_count(parse, subject)
    return DiscoFuseReason.AMBIGUOUS if some and parse.past(parse.tokens[subject].head) else None


def _loses_company(parse: Parse, subject: int, words: Words) -> bool:
    """Whether an insertion that stays behind adds others to the subject: "The mill , along with two farms , was"."""
    kept = {w.position for w in words[: next((n for n, w in enumerate(words) if w.text == ","), len(words))]}
    return any(
        tuple(parse.lower[k : k + 2]) in _ADDING and k not in kept
        for k in range(subject + 1, parse.tokens[subject].head)
    )


def _is_adverbial(parse: Parse, clause: int) -> bool:
    """Whether a comma parts a clause from a verb that it was taken for the subject of: "Taking the bridge , Lee and
    his son left"."""
    return "," in parse.lower[parse.left_edge(clause) : parse.tokens[clause].head]


def _is_count(parse: Parse, subject: int) -> bool:
    """Whether a numeral stands for those counted: "one came and stayed" becomes "one stayed", who may be another."""
    return parse.tokens[subject].tag == "CD" or parse.lower[subject] == "one"


def subject_is_split(parse: Parse, subject: int) -> bool:
    """Whether the verb has one more noun phrase before it ("One of the mills , Low Mill , closed"), or the phrase is
    also the object of a preposition ("On July 25 , 2005 Agassi left") or ends in one ("what is part of")."""
    verb = parse.tokens[subject].head
    second = any(k != subject and k < verb and parse.tokens[k].dep in SUBJECTS for k in parse.children(verb))
    words = core(parse, subject)
    before = words[0].position - 1 if words else -1
    return second or before >= 0 and parse.tokens[before].dep == "prep" or bool(words) and words[-1].pos == "ADP"


def with_subject(parse: Parse, second: Words, subject: Words, *, verb: int, cc: int) -> Words:
    """Puts the subject before the predicate, behind a phrase that opens it: "and in 1839 led" -> "in 1839 he led"."""
    start = verb
    helpers = {k for k in parse.children(verb) if parse.tokens[k].dep in _VERB_GROUP}
    while start - 1 > cc and (start - 1 in helpers or parse.tokens[start - 1].tag == "HYPH"):
        start -= 1 if start - 1 in helpers else 2  # "crash - landed"
    fronted = [w for w in second if w.position < start]
    if any(w.position in helpers and w.dep in AUXILIARIES for w in fronted):
        return join(subject, second)  # "but is in practice kept"
    if not any(w.pos in ("ADP", "SCONJ", "NOUN", "PROPN", "NUM") for w in fronted):
        commas = [w for w in fronted if w.text == ","]
        if len(commas) == 1 and commas[0] is fronted[-1]:
            second = tuple(w for w in second if w is not commas[0])  # "and thus , fell" -> "it thus fell"
        return join(subject, second)
    return before_subject(tuple(fronted), subject, tuple(w for w in second if w.position >= start))
