"""Sentence coordination: a conjunction, then a clause with its own subject (paper, Table 14, row 6).

As in the released data, a second predicate with "be" and no subject counts here too; it gets the first subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.discofuse import coordination, operations
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses import frames
from gistmill.rules.discofuse.clauses.assertion import Conjunct
from gistmill.rules.discofuse.parse import AUXILIARIES, SUBJECTS, Parse, may_be_past

# Maximum distance of the subject from the conjunction: "but when he saw that ... , he".
_REACH = 14


def find(parse: Parse) -> Conjunct | None:
    """Finds the first conjunction followed by a clause of its own."""
    found = coordination.conjunctions(parse)
    # fragments such as ", but only if ...": a "but" after a comma that joins no verb
    buts = (cc for cc in found if parse.lower[cc] == "but" and parse.lower[cc - 1] == ",")
    fragments = (Conjunct(cc, cc + 1) for cc in buts if not coordination.joined_verbs(parse, cc))
    return next(_matches(parse, found), None) or next(fragments, None)


def find_all(parse: Parse) -> Iterator[Conjunct]:
    """Finds every conjunction followed by a clause of its own."""
    return _matches(parse, coordination.conjunctions(parse))


def _matches(parse: Parse, found: Sequence[int]) -> Iterator[Conjunct]:
    for cc in found:
        match = _clause(parse, cc) or _copula(parse, cc)
        if match is not None:
            yield match


def _clause(parse: Parse, cc: int) -> Conjunct | None:
    for i in range(cc + 1, 1 if coordination.joins_phrases(parse, cc) else min(len(parse), cc + 1 + _REACH)):
        if parse.lower[i] in ("but", "yet", ";") and parse.tokens[i].dep in ("cc", "punct"):
            break
        if parse.tokens[i].dep not in SUBJECTS:
            continue
        verb = parse.tokens[i].head
        if parse.tokens[verb].dep in AUXILIARIES:
            verb = parse.tokens[verb].head  # in "events are no longer observed" the subject depends on "are"
        if verb > cc and parse.finite(verb) and _opens_clause(parse, verb, cc):
            return Conjunct(cc, verb, i)
    return None


def _opens_clause(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the verb's clause depends directly on a word before the conjunction (or is the root)."""
    token = parse.tokens[verb]
    if _has_mark(parse, verb, cc):  # ", but only if he agreed" is such a clause, "and that he agreed" is not
        return token.dep == "conj" and token.head < cc and parse.on_main_line(token.head)
    if token.head == verb or token.head < cc:
        joined = token.dep in ("conj", "ROOT", "ccomp", "advcl", "dep")
        return joined or (token.dep == "parataxis" and parse.lower[cc + 1] != ",")
    below = token.dep in ("ccomp", "advcl", "conj", "parataxis") and parse.tokens[token.head].dep == "ROOT"
    return below and verb < token.head and parse.subject(token.head, after=cc) is None


def _copula(parse: Parse, cc: int) -> Conjunct | None:
    for verb in coordination.joined_verbs(parse, cc):
        copula = parse.lower[verb] in ("is", "was", "are", "were", "be", "been") and parse.tokens[verb].pos == "AUX"
        predicate = parse.child(verb, "attr", "acomp", "prep", "oprd", "advmod")
        if copula and predicate is not None and parse.subject(verb, after=cc) is None:
            return Conjunct(cc, verb)
    return None


def apply(parse: Parse, match: Conjunct) -> Halves:
    """Splits at the conjunction and deletes it; a shared subject and a shared frame are copied."""
    first, second = parse.words[: match.cc], parse.words[match.cc + 1 :]
    problem, shared = coordination.problem_of_conjunct(parse, match), parse.shared_subject(match.verb)
    if match.subject >= 0:
        problem = problem or first_reason(CHECKS, parse, match)
    elif shared is None or shared > match.cc:
        problem = problem or R.NO_SUBJECT
    else:
        problem = problem or first_reason(coordination.SUBJECT_CHECKS, parse, shared)
        phrase = coordination.subject_phrase(parse, shared, match.cc, match.verb)
        second = coordination.with_subject(parse, second, phrase, verb=match.verb, cc=match.cc)
    head = parse.tokens[match.verb].head
    if head < match.cc:
        framed = coordination.in_frame(parse, second, match, first=head)
        pair = frames.Pair(head, match.verb, match.cc, framed=framed is not second)
        problem, second = problem or first_reason(frames.CHECKS, parse, pair), framed
    word = coordination.label(parse, match.cc)
    return Halves(first=first, second=second, connective=word, boundary=match.cc + 1, problem=problem)


def _has_mark(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the verb's clause has a subordinator after the conjunction: "if", "that"."""
    return any(k > cc and parse.tokens[k].dep == "mark" for k in parse.children(verb))


_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp", "oprd")
# Verbs that may have a year as their subject.
_OF_YEARS = frozenset(("see", "witness", "mark", "bring"))


def _is_relative(parse: Parse, clause: Conjunct) -> bool:
    """Whether the subject is or contains a relative pronoun ("none of which"), or is a repeated relative "that"."""
    before = parse.tokens[: clause.cc] if parse.lower[clause.subject] == "that" else ()
    again = any(token.text == "that" and token.tag == "WDT" for token in before)
    inside = (parse.tokens[k].tag for k in parse.subtree(clause.subject) if k > clause.cc)
    return again or any(tag in ("WDT", "WP", "WP$") for tag in inside)


def _is_mixed(parse: Parse, clause: Conjunct) -> bool:
    """Whether words between the conjunction and the subject do not belong to the second clause."""
    for i in range(clause.cc + 1, clause.subject):
        last = next((k for k in (i, *parse.ancestors(i)) if k <= clause.cc or k == clause.verb), clause.verb)
        if last <= clause.cc and parse.tokens[i].pos != "PUNCT":
            return True
    return False


def _is_adverbial(parse: Parse, clause: Conjunct) -> bool:
    """Whether the subject was mislabelled: it is the object of a preposition, a date, or one of two subjects."""
    before = parse.left_edge(clause.subject) - 1
    if parse.tokens[before].pos == "ADP" and parse.lower[before] != "but":
        return True
    if parse.tokens[clause.subject].entity.endswith("-DATE") and parse.tokens[clause.verb].lemma not in _OF_YEARS:
        return parse.child(clause.verb, "dobj") is not None
    inside = range(clause.cc + 1, clause.verb)
    return sum(parse.tokens[k].dep in SUBJECTS for k in parse.children(clause.verb) if k in inside) > 1


def _is_inverted(parse: Parse, clause: Conjunct) -> bool:
    opens = clause.verb == clause.cc + 1 and clause.verb < clause.subject
    return opens or any(clause.cc < k < clause.subject for k in parse.auxiliaries(clause.verb))


def _shares_auxiliary(parse: Parse, clause: Conjunct) -> bool:
    """Whether the second verb may be a participle that shares the first verb's auxiliary.

    Its form must be both participle and past tense. It is tagged as a participle, or the first verb is passive and
    nothing follows or the tense would differ ("Dough is made and water added slowly"); a participle has no object.
    """
    verb, head = parse.tokens[clause.verb], parse.tokens[clause.verb].head
    if parse.auxiliaries(clause.verb):
        return False
    if not may_be_past(parse.lower[clause.verb]):
        return operations.is_participle_only(parse.lower[clause.verb])  # "and the family gone", tagged as a past tense
    if verb.tag == "VBN":
        return parse.child(clause.verb, *_OBJECTS) is None
    behind = [k for k in parse.children(clause.verb) if k > clause.verb and parse.tokens[k].pos != "PUNCT"]
    bare = all(parse.tokens[k].dep not in _OBJECTS or parse.tokens[k].dep == "xcomp" for k in behind)
    passive = head < clause.cc and parse.child(head, "auxpass") is not None
    return passive and (not behind or (bare and not parse.past(head)))


CHECKS: tuple[Check[Conjunct], ...] = (
    Check("clause.subordinate", R.WRONG_SCOPE, lambda parse, clause: _has_mark(parse, clause.verb, clause.cc),
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
