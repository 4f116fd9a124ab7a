"""Whether the text asserts a part of it, as opposed to a report, a purpose or an alternative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gistmill.rules.discofuse.checks import Check, Halves
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.parse import ABILITY, FINITE, WORDS, Parse


def under_condition(parse: Parse, start: int, verb: int) -> bool:
    """Whether a condition that opens the sentence also governs the part from ``start`` on: "If it rains , we stay , so
    you can come". A part in the simple past happened whatever the condition.

    Args:
        parse: the sentence.
        start: where the second part begins, including its conjunction.
        verb: the verb of the second part.
    """
    if parse.past(verb) and not any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(verb)):
        return False
    return any(
        (parse.lower[k] in ("if", "unless", "whenever") or (parse.lower[k] == "when" and not parse.past(token.head)))
        and token.dep in ("mark", "advmod")
        and parse.tokens[token.head].dep == "advcl"
        and k < token.head < parse.tokens[token.head].head < start
        for k, token in enumerate(parse.tokens[:start])
    )


class Conjunct(NamedTuple):
    """A conjunction at ``cc``, and the second part's ``verb`` and ``subject`` (-1 if it shares the first subject)."""

    cc: int
    verb: int
    subject: int = -1


def _first_verb(parse: Parse, part: Conjunct) -> int:
    """Returns the verb that the second part is joined to."""
    head = parse.tokens[part.verb].head
    return parse.root() if head > part.cc or head == part.verb else head


def _is_quoted(parse: Parse, part: Conjunct) -> bool:
    """Whether a verb of saying, before the main verb or after a comma, attributes the first part to someone."""
    head = _first_verb(parse, part)
    below = [(k, parse.tokens[k]) for k in parse.children(head) if 0 < k < part.cc]
    said = (
        k for k, t in below if t.lemma in WORDS["reporting"] and t.tag in FINITE and t.dep in ("parataxis", "ccomp")
    )
    return any(k < head or parse.lower[k - 1] == "," for k in said)


def _last_clauses(parse: Parse, part: Conjunct, label: str) -> Iterator[int]:
    """Yields the verbs with a label after the first one whose finite clauses end right before the conjunction."""
    last = parse.last_before(part.cc)
    for k in range(_first_verb(parse, part) + 1, part.cc):
        if parse.tokens[k].dep == label and parse.right_edge(k) >= last and parse.is_verb(k) and parse.finite(k):
            yield k


def _is_in_relative(parse: Parse, part: Conjunct) -> bool:
    """Whether a predicate may continue a relative clause between commas in the same tense."""
    if part.subject >= 0 or parse.lower[part.cc - 1] != ",":
        return False
    clauses = (k for k in _last_clauses(parse, part, "relcl") if parse.past(k) == parse.past(part.verb))
    return any(parse.lower[parse.left_edge(k) - 1] in (",", ")") for k in clauses)


def _is_in_place(parse: Parse, part: Conjunct) -> bool:
    """Whether the second clause may continue a relative clause of place in the same tense."""
    clauses = (k for k in _last_clauses(parse, part, "relcl") if parse.past(k) == parse.past(part.verb))
    apart = (parse.left_edge(k) for k in clauses if parse.lower[parse.left_edge(k) - 1] != ",")
    return part.subject >= 0 and any(parse.lower[k] == "where" or parse.lower[k + 1] == "which" for k in apart)


def _is_in_adverbial(parse: Parse, part: Conjunct) -> bool:
    """Whether a part without a comma before it may continue a clause of time or condition."""
    apart = part.subject < 0 or parse.lower[part.cc - 1] == ","
    return not apart and next(_last_clauses(parse, part, "advcl"), None) is not None


def _is_in_object(parse: Parse, part: Conjunct) -> bool:
    """Whether reported speech or thought may continue in the second part, unless that is a report too ("said that he
    was ill , and added"). A different tense may rule this out ("showed that light travels , and measured it"), as may a
    subject after a comma, if the verb is not one of saying."""
    comma, own, verb, head = parse.lower[part.cc - 1] == ",", part.subject >= 0, part.verb, _first_verb(parse, part)
    says = parse.tokens[head].lemma in WORDS["reporting"] or parse.tokens[head].lemma in ("seem", "appear")
    said = not own or (parse.lower[part.cc] == "and" and says)
    reports = parse.tokens[verb].lemma in WORDS["reporting"] and not (own and parse.child(verb, "dobj") is not None)
    return not reports and any(
        ((own and not comma) or parse.tokens[k].head == head)
        and (not comma or (said and parse.past(k) == parse.past(verb)))
        for k in _last_clauses(parse, part, "ccomp")
    )


CHECKS: tuple[Check[Conjunct], ...] = (
    Check("assertion.condition", R.NOT_ASSERTED, lambda parse, part: under_condition(parse, part.cc, part.verb),
          "If it rains, we stay at home, and you can sleep late.", "The war began and the price doubled."),
    Check("assertion.colon", R.NOT_ASSERTED, lambda parse, part: ":" in parse.lower[: part.cc],
          "The court made its ruling in May: the bank lost the case, but the loan remained in force.",
          "The bank lost the case, but the loan remained in force."),
    Check("assertion.alternative", R.NOT_ASSERTED,
          lambda parse, part: parse.lower[part.cc] == "or"
          and all(parse.lower[k] not in ABILITY for k in parse.auxiliaries(_first_verb(parse, part))),
          "The pupils are taught French at the school or are taught Spanish by their parents.",
          "Ada came there and can help us."),
    Check("assertion.quoted", R.NOT_ASSERTED, _is_quoted,
          "The mill, I think, was old, and it took a long time to sell it.",
          "You know the mill is old, and it took a long time to sell it."),
    Check("assertion.relative", R.WRONG_SCOPE, _is_in_relative,
          "The northern field was smaller than the southern field, which was new, and had ten years of oil.",
          "The northern field was smaller than the southern field, and had ten years of oil."),
    Check("assertion.place", R.WRONG_SCOPE, _is_in_place,
          "He lives in a town where wool is sold, and children learn to weave.",
          "He lived in a town where wool is sold, and children learned to weave."),
    Check("assertion.adverbial", R.WRONG_SCOPE, _is_in_adverbial,
          "She slept until they came and he left.", "She slept in the barn until they came, and he left."),
    Check("assertion.object", R.WRONG_SCOPE, _is_in_object,
          "Ann said that the mill burned, and the farm was old.",
          "Ann saw that the mill burned, but the farm was safe."),
)  # fmt: skip


def _loses_tag(parse: Parse, halves: Halves) -> bool:
    """Whether only one half keeps a verb that reports the words before or around it: "It is old , he said"."""
    first, second = ({w.position for w in half} for half in (halves.first, halves.second))
    for k, token in enumerate(parse.tokens):
        if token.tag in FINITE and token.lemma in WORDS["reporting"] and parse.subject(k) is not None:
            said = [c for c in parse.children(k) if parse.tokens[c].dep in ("ccomp", "dobj", "xcomp")]
            before = any(parse.tokens[c].dep == "ccomp" for c in said) or (token.dep == "parataxis" and token.head < k)
            if before and all(c < k for c in said) and (k in first) != (k in second):
                return True
    return False


# Checks for halves that may have lost the source of reported words. Relative clauses and appositions are mostly the
# author's, but not inside a quotation, whose marks stay with the first half.
REPORT_CHECKS_OF_INSERTIONS: tuple[Check[Halves], ...] = (
    Check("report.quotation", R.NOT_ASSERTED, lambda parse, halves: parse.in_quotation(halves.boundary),
          '" We like the old mill, which has wheels, " Ann said.', "We like the old mill, which has wheels."),
)  # fmt: skip
REPORT_CHECKS: tuple[Check[Halves], ...] = (
    Check("report.tag", R.NOT_ASSERTED, _loses_tag,
          "It helps, she said, and rain is cheap.", "She said that it helps, but rain is cheap."),
)  # fmt: skip
