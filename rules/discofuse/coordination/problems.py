"""Why a clause or predicate after a conjunction cannot be split off."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.records import Reason
from gistmill.rules.discofuse import operations
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses import assertion
from gistmill.rules.discofuse.clauses.frames import is_elliptical
from gistmill.rules.discofuse.connectives import CONJUNCTIONS
from gistmill.rules.discofuse.coordination import conjunctions
from gistmill.rules.discofuse.coordination.conjunctions import Conjunct
from gistmill.rules.discofuse.parse import FINITE, NOUNS, QUOTES, SUBJECTS, Parse, may_be_past
from gistmill.rules.languages.language import english_words

_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp", "oprd")
# Verbs that take a year for a subject.
_OF_YEARS = frozenset(("see", "witness", "mark", "bring"))


@dataclass(frozen=True, slots=True)
class OwnClause:
    """A second clause that has a subject of its own."""

    cc: int
    verb: int
    subject: int


def problem_of_clause(parse: Parse, part: Conjunct) -> Reason | None:
    """Returns the reason against the subject of the second clause."""
    if part.subject is not None:
        return first_reason(CLAUSE_CHECKS, parse, OwnClause(part.cc, part.verb, part.subject))
    shared = parse.shared_subject(part.verb)
    return R.NO_SUBJECT if shared is None or shared > part.cc else first_reason(conjunctions.CHECKS, parse, shared)


def has_mark(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the clause of the verb has a subordinator behind the conjunction: "if", "that"."""
    return any(k > cc and parse.tokens[k].dep == "mark" for k in parse.children(verb))


def _is_subordinate(parse: Parse, clause: OwnClause) -> bool:
    return has_mark(parse, clause.verb, clause.cc)


def _is_relative(parse: Parse, clause: OwnClause) -> bool:
    """Whether the subject is a relative pronoun, or has one in it: "none of which", or is "that" for a second time."""
    before = parse.tokens[: clause.cc] if parse.lower[clause.subject] == "that" else ()
    again = any(token.text == "that" and token.tag == "WDT" for token in before)
    return again or any(
        parse.tokens[k].tag in ("WDT", "WP", "WP$") for k in parse.subtree(clause.subject) if k > clause.cc
    )


def _is_mixed(parse: Parse, clause: OwnClause) -> bool:
    """Whether something between the conjunction and the subject does not belong to the second clause."""
    for i in range(clause.cc + 1, clause.subject):
        last = next((k for k in (i, *parse.ancestors(i)) if k <= clause.cc or k == clause.verb), clause.verb)
        if last <= clause.cc and parse.tokens[i].pos != "PUNCT":
            return True
    return False


def _is_adverbial(parse: Parse, clause: OwnClause) -> bool:
    """Whether the subject is one by mistake: the object of a preposition, a date, or one of two."""
    before = parse.left_edge(clause.subject) - 1
    if parse.tokens[before].pos == "ADP" and parse.lower[before] != "but":
        return True
    if parse.tokens[clause.subject].entity.endswith("-DATE") and parse.tokens[clause.verb].lemma not in _OF_YEARS:
        return parse.child(clause.verb, "dobj") is not None
    inside = range(clause.cc + 1, clause.verb)
    return sum(parse.tokens[k].dep in SUBJECTS for k in parse.children(clause.verb) if k in inside) > 1


def _is_inverted(parse: Parse, clause: OwnClause) -> bool:
    if clause.verb == clause.cc + 1 and clause.verb < clause.subject:
        return True
    return any(clause.cc < k < clause.subject for k in parse.auxiliaries(clause.verb))


def _shares_auxiliary(parse: Parse, clause: OwnClause) -> bool:
    """Whether the second verb may be a participle that shares the first one's auxiliary.

    Its form has to be that of both. It is tagged as a participle, or the first is a passive and nothing follows it or
    its tense would be another ("Dough is made and water added slowly"); an object tells that it is not one.
    """
    verb, head = parse.tokens[clause.verb], parse.tokens[clause.verb].head
    if parse.auxiliaries(clause.verb):
        return False
    if not may_be_past(parse.lower[clause.verb]):
        return operations.is_participle_only(parse.lower[clause.verb])  # "and the family gone", taken for a past tense
    if verb.tag == "VBN":
        return parse.child(clause.verb, *_OBJECTS) is None
    behind = [k for k in parse.children(clause.verb) if k > clause.verb and parse.tokens[k].pos != "PUNCT"]
    bare = all(parse.tokens[k].dep not in _OBJECTS or parse.tokens[k].dep == "xcomp" for k in behind)
    passive = head < clause.cc and parse.child(head, "auxpass") is not None
    return passive and (not behind or (bare and not parse.past(head)))


CLAUSE_CHECKS: tuple[Check[OwnClause], ...] = (
    Check("clause.subordinate", R.WRONG_SCOPE, _is_subordinate,
          "She stays at home, and if it rains the mill floods the yard.", "The war began and the price doubled."),
    Check("clause.relative", R.NO_SUBJECT, _is_relative,
          "He saw parts, and none of which moved.", "He saw parts, and none of them moved."),
    Check("clause.mixed", R.WRONG_SCOPE, _is_mixed,
          "Nets do not kill fish, but rather fish are simply the way by which men see the nets.",
          "The war began and the price doubled."),
    Check("clause.adverbial", R.NO_SUBJECT, _is_adverbial,
          "It rained hard, and May 5 caused floods.", "It rained hard, and the dam caused floods."),
    Check("clause.inverted", R.INVERSION, _is_inverted,
          "He did not ever win, nor did they lose.", "The war began and the price doubled."),
    Check("clause.shared-auxiliary", R.SHARED_PART, _shares_auxiliary,
          "The mill was sold and the family displaced.", "The mill was closed and the men went."),
)  # fmt: skip


# Between two clauses they join them.
_JOINTS = frozenset(c.words[0] for c in CONJUNCTIONS) | QUOTES | {";", ":", "that"}
_SAYING = frozenset("say write state argue claim note explain add think believe recall report".split())
_CORRELATIVE = {"or": ("either", "whether"), "nor": ("neither",)}
# Adverbs that say how sure or how often, and may hold to the end of the sentence.
_HEDGES = english_words("discofuse", "hedges")
_ADVERBS = frozenset(("advmod", "npadvmod", "neg"))
# Their object may be a deed, and one more behind it: "charges for theft and hiding the money".
_OF_DEEDS = frozenset("for of by with without against from about".split())


def problem_of_conjunct(parse: Parse, part: Conjunct) -> Reason | None:
    """Returns the reason against a split before this part, whatever its own form."""
    own = part.subject is not None
    problem: Reason | None = first_reason(CONJUNCT_CHECKS, parse, part)
    problem = problem or assertion.problem_of_conjunct(parse, part.cc, part.verb, own_subject=own)
    behind = own or parse.tokens[part.verb].head > part.cc
    return problem or (None if behind else first_reason(CHECKS_OF_SHARED, parse, part))


def _is_below(parse: Parse, part: Conjunct) -> bool:
    """Whether the conjunction joins clauses below another one."""
    token = parse.tokens[part.verb]
    return token.dep == "conj" and token.head < part.cc and not parse.on_main_line(token.head)


def _ends_list(parse: Parse, part: Conjunct) -> bool:
    """Whether the conjunction joins the last of three or more verbs: without it "he came , saw" would be left."""
    cc, tokens, head = part.cc, parse.tokens, parse.tokens[part.cc].head
    if head > cc or not parse.is_verb(head):
        return False
    before = [k for k in parse.children(tokens[head].head) if k < head]
    if tokens[head].dep == "conj" and _verbs_behind_conjunction(parse, before) != 0:
        return True
    before = [k for k in parse.children(head) if head < k < cc]
    behind = _verbs_behind_conjunction(parse, before)
    if behind is not None:
        return behind > 1
    misread = ("prep", "dep")
    return any(
        parse.is_verb(k) and (tokens[k].dep == "conj" or (tokens[k].tag in FINITE and tokens[k].dep in misread))
        for k in before
    )


def _verbs_behind_conjunction(parse: Parse, before: list[int]) -> int | None:
    """Counts the conjoined verbs behind the last conjunction, if there is one. "Leased it and rebuilt it , bought it ,
    and" has one too many: without the last part it would lack a conjunction."""
    joint = max((k for k in before if parse.tokens[k].dep == "cc"), default=None)
    verbs = [k for k in before if parse.tokens[k].dep == "conj" and parse.is_verb(k)]
    return None if joint is None else sum(k > joint for k in verbs)


def _breaks_list(parse: Parse, part: Conjunct) -> bool:
    """Whether the first part ends in a list of nouns without a conjunction, other than a place and its region."""
    cc, last = part.cc, parse.last_before(part.cc)
    at = last
    for head in parse.ancestors(last):
        if parse.right_edge(at) not in (last, cc - 1):
            return False
        if head < at and _is_listed(parse, at, head):
            own = (k for k in (*parse.children(head), *parse.children(at)) if k < cc)
            return "," in parse.lower[head:at] and all(parse.tokens[k].dep not in ("cc", "preconj") for k in own)
        at = head
    return False


def _is_listed(parse: Parse, at: int, head: int) -> bool:
    """Whether one noun follows another in a list, or is an apposition only by mistake: a person behind a person, "a
    term , a fine"."""
    token, kind = parse.tokens[at], parse.tokens[at].entity[2:]
    if parse.is_verb(at) or kind == "GPE" or token.dep not in ("conj", "appos"):
        return False
    new = all(parse.lower[parse.left_edge(k)] in ("a", "an") for k in (at, head))
    return token.dep == "conj" or new or kind == parse.tokens[head].entity[2:] == "PERSON"


def _lists_clauses(parse: Parse, part: Conjunct) -> bool:
    """Whether only a comma joins two clauses of the first part."""
    return any(_is_joined_by_comma(parse, i, part.cc) for i in range(part.cc))


def _is_joined_by_comma(parse: Parse, verb: int, cc: int) -> bool:
    token = parse.tokens[verb]
    first, last = min(verb, token.head), max(verb, token.head)
    if last > cc or token.dep not in ("ccomp", "parataxis", "conj") or not parse.is_verb(verb):
        return False
    if parse.subject(verb) is None and (token.dep != "ccomp" or token.tag not in FINITE):
        return False
    if parse.child(verb, "mark") is not None or parse.tokens[last].lemma in _SAYING:
        return False
    between = parse.lower[parse.right_edge(first) + 1 if verb == first else first + 1 : last]
    return "," in between and _JOINTS.isdisjoint(between)


def _is_second_semicolon(parse: Parse, part: Conjunct) -> bool:
    return parse.lower[part.cc - 1] == ";" and ";" in parse.lower[: part.cc - 1]


def _crosses(parse: Parse, part: Conjunct) -> bool:
    """Whether more than the second verb hangs on what stands before the conjunction."""
    return parse.crossings(part.cc, part.cc + 1) > 1


def _joins_noun(parse: Parse, part: Conjunct) -> bool:
    """Whether a noun between two verbs was taken for a conjunct of the first: it may be the subject of the second."""
    at = part.verb
    while part.subject is None and parse.tokens[at].dep == "conj" and parse.subject(at) is None:
        at = parse.tokens[at].head
        joined = (k for k in parse.children(at) if at < k < part.verb and parse.tokens[k].dep == "conj")
        if parse.is_verb(at) and any(parse.tokens[k].pos in NOUNS for k in joined):
            return True
    return False


def _has_correlative(parse: Parse, part: Conjunct) -> bool:
    """Whether a word before or behind the conjunction goes with it: "either ... or", "not only ... but", "and so"."""
    lower, word = parse.lower, parse.lower[part.cc]
    if part.subject is None and lower[part.cc + 1] == "so":
        return True
    for k in range(part.cc - 1, -1, -1):
        if lower[k] == word:
            return False
        if parse.tokens[k].dep == "preconj" or lower[k] in _CORRELATIVE.get(word, ()):
            return True
        if lower[k] == "only" and lower[k - 1] in ("not", "n't"):
            return True
        if word == "and" and lower[k] == "both" and parse.finite(k + 1):
            return True
    return False


def _lacks_object(parse: Parse, part: Conjunct) -> bool:
    """Whether a preposition is left without its object."""
    last = parse.last_before(part.cc)
    return parse.tokens[last].dep == "prep" and not parse.children(last)


def _is_elliptical(parse: Parse, part: Conjunct) -> bool:
    return is_elliptical(parse, part.verb)


def _is_hedged(parse: Parse, part: Conjunct) -> bool:
    """Whether "nor" denies the rest too, or an adverb before the first verb says how sure or how often it is. A second
    part with a modal, an adverb or a date of its own tells for itself."""
    verb, head = part.verb, parse.tokens[part.verb].head
    if parse.lower[part.cc] == "nor":
        return True
    if not any(k < head and parse.lower[k] in _HEDGES for k in parse.children(head)):
        return False
    if any(parse.tokens[k].tag == "MD" or (k < verb and parse.tokens[k].dep in _ADVERBS) for k in parse.children(verb)):
        return False
    return all(parse.tokens[k].entity[2:] != "DATE" for k in range(part.cc, parse.right_edge(verb)))


def _is_not_a_participle(parse: Parse, part: Conjunct) -> bool:
    """Whether a form in -ing may not be one of the first verb's: behind another form, or behind a deed in a phrase."""
    cc, verb, head = part.cc, part.verb, parse.tokens[part.verb].head
    if parse.tokens[verb].tag != "VBG" or any(k > cc for k in parse.auxiliaries(verb)):
        return False
    phrases = (k for k in range(head + 1, cc) if parse.tokens[k].dep == "prep" and parse.lower[k] in _OF_DEEDS)
    return parse.tokens[head].tag == "VBN" or any(parse.right_edge(k) == parse.last_before(cc) for k in phrases)


CONJUNCT_CHECKS: tuple[Check[Conjunct], ...] = (
    Check("conjunction.below", R.WRONG_SCOPE, _is_below,
          "The clerk said that the mill closed and the men went home.", "The war began and the price doubled."),
    Check("conjunction.last-of-list", R.LIST, _ends_list,
          "He bought the mill, repaired the roof and sold the house in 1905.", "A man came home and left it."),
    Check("conjunction.broken-list", R.LIST, _breaks_list,
          "It brought death, loss of soil, and spoiled the water.", "A man came home and left it."),
    Check("conjunction.list-of-clauses", R.LIST, _lists_clauses,
          "Ann is the head, Ben became a clerk, and Kim left the firm.", "The war began and the price doubled."),
    Check("conjunction.semicolons", R.LIST, _is_second_semicolon,
          "The mill sold cloth; in those years Ann, Lee, and Kim were there; but has lately been closed.",
          "The war began and the price doubled."),
    Check("conjunction.crossing", R.WRONG_SCOPE, _crosses,
          "The ships were built in the 1980s or earlier, and many of them are old.", "A man came home and left it."),
    Check("conjunction.noun", R.WRONG_SCOPE, _joins_noun,
          "The egg is at first held, but in the shell the inner layer melts and allows it to move.",
          "A man came home and left it."),
    Check("conjunction.correlative", R.DANGLING, _has_correlative,
          "The mills both lost their men and sold their cloth.", "A man came home and left it."),
    Check("conjunction.no-object", R.SHARED_PART, _lacks_object,
          "The new results were comparable to or exceeded the standards of the old clinic.",
          "A man came home and left it."),
    Check("conjunction.elliptical", R.SHARED_PART, _is_elliptical,
          "Lee should sell the mill and can do.", "The men should stay there, and they will do it."),
)  # fmt: skip
# Of a part that shares the first one's subject.
CHECKS_OF_SHARED: tuple[Check[Conjunct], ...] = (
    Check("predicate.hedged", R.NOT_ASSERTED, _is_hedged,
          "The mill will probably close in May and move to the north.", "A man came home and left it."),
    Check("predicate.not-a-participle", R.SHARED_PART, _is_not_a_participle,
          "They are seeking damages for theft and hiding the money.", "A man came home and left it."),
)  # fmt: skip
