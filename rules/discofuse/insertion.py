"""Insertions, that is relative clauses and appositions: a phrase between two commas, right after its antecedent."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, names_again
from gistmill.rules.discofuse.operations import TERMINAL, join, opening_of
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, SUBJECTS, WORDS, Parse, Words

# Words after a conjunction among which the subject of its clause is.
_FAR = 24


class Insertion(NamedTuple):
    """The commas at ``open`` and ``close`` (or the final mark there) set it off; ``head`` is its verb or noun, and
    ``antecedent`` the head of the noun phrase that it is about."""

    open: int
    close: int
    head: int
    antecedent: int


def antecedent_of(parse: Parse, match: Insertion) -> Words:
    """Returns the noun phrase that the insertion is about, as one that is known."""
    return definite(core(parse, match.antecedent, end=match.open))


def without_insertion(parse: Parse, match: Insertion) -> Words:
    """Returns the sentence without the insertion; the second comma stays where the rest needs one of its own.

    The paper's rule deletes both commas. One of them often serves the main clause too: it closes a fronted phrase
    ("Unlike its rulers , who ... , he"), or precedes a participle, a relative clause or a coordinated clause.
    """
    words = parse.words
    if match.close == len(parse) - 1:  # the sentence's own end
        return words[: match.open]
    needs_comma = _closes_another(parse, match) or _needs_comma(parse, match)
    return join(words[: match.open], words[match.close if needs_comma else match.close + 1 :])


def _closes_another(parse: Parse, match: Insertion) -> bool:
    """Whether the second comma closes another phrase too: "the mill , built by Ada , a geodesist , is"."""
    at = match.antecedent
    while parse.tokens[at].head < at:
        left = parse.left_edge(at)
        inserted = parse.tokens[at].dep in ("appos", "acl", "relcl", "prep")
        if inserted and "," in parse.lower[max(left - 1, 0) : left + 1]:
            return parse.right_edge(at) <= match.close
        at = parse.tokens[at].head
    return False


def _needs_comma(parse: Parse, match: Insertion) -> bool:
    after = match.close + 1
    token = parse.tokens[after]
    if token.tag in ("VBG", "VBN", "``") or (token.dep in ("acl", "advcl") and parse.subject(after) is None):
        return True
    if token.dep == "advmod" and parse.tokens[token.head].tag in ("VBG", "VBN") and after < token.head < after + 3:
        # "first discovered in 1901", but not "soon became" read as a participle, the verb of the subject before
        # and not "earlier claimed the city": a participle has no object
        return parse.subject(token.head) is None and parse.child(token.head, "dobj", "aux", "auxpass") is None
    if token.tag in FINITE or _is_on(parse, match, parse.subject(parse.root())):
        return False
    close_by = token.pos in ("VERB", "AUX", "ADP", "PART", "CCONJ") and parse.tokens[after + 1].tag not in ("WDT", "WP")
    if not close_by or parse.lower[after] in WORDS["loose_prepositions"]:
        return True
    # a conjunction that has a clause with a subject of its own after it
    return token.dep == "cc" and any(
        t.dep in SUBJECTS and t.head > after and parse.tokens[t.head].dep in ("conj", "ROOT")
        for t in parse.tokens[after + 1 : after + _FAR]
    )


def closing_of(parse: Parse, head: int) -> int | None:
    """Returns where the phrase of ``head`` is closed, at a comma or at the sentence's final mark; None if it is not."""
    end, last = parse.right_edge(head), len(parse) - 1
    comma = next((k for k in (end, end + 1) if k < last - 1 and parse.lower[k] == ","), None)
    closed = comma is None and end + 1 == last and parse.lower[last] in TERMINAL
    return last if closed else comma


def goes_on(parse: Parse, match: Insertion) -> bool:
    """Whether the insertion continues after the comma, or what follows may belong to it.

    After one on the subject, the verb must follow. Elsewhere no noun phrase may, except the main clause's subject: it
    would be the next item of a list; and after a clause neither a preposition nor a second predicate.
    """
    after, clause = match.close + 1, parse.tokens[match.head].dep == "relcl"
    if after >= len(parse):
        return False
    # Whether the parse has the clause end after the comma, or more of the insertion than its head hang on others.
    inside = (parse.tokens[k] for k in range(match.open + 1, match.close) if k != match.head)
    crosses = any(t.dep not in AUXILIARIES and not match.open <= t.head <= match.close for t in inside)
    if crosses or (clause and parse.right_edge(match.head) > match.close):
        return True
    token, subject = parse.tokens[after], parse.subject(parse.root())
    if _is_on(parse, match, subject):
        return token.pos not in ("VERB", "AUX", "ADV", "CCONJ", "PART", "PUNCT")
    if clause and token.pos == "CCONJ" and parse.is_verb(token.head):
        joined = next((k for k in parse.children(token.head) if k > after and parse.tokens[k].dep == "conj"), None)
        return joined is None or parse.subject(joined) is None
    if token.pos in ("NOUN", "PROPN", "ADJ", "DET", "NUM") or token.tag == "PRP$":
        return subject is None or parse.left_edge(subject) != after
    return clause and token.pos == "ADP"


def _is_on(parse: Parse, match: Insertion, subject: int | None) -> bool:
    return subject is not None and subject < match.open <= parse.right_edge(subject) + 1


def is_cut(parse: Parse, match: Insertion) -> bool:
    """Whether the antecedent is not a whole phrase up to the comma (or a bracket before it) that can be repeated."""
    antecedent = antecedent_of(parse, match)
    if not antecedent or not names_again(parse, antecedent, match.antecedent):
        return True
    last = match.open - 1
    if parse.tokens[last].text in (")", "]", "}"):
        last = opening_of(parse.words, last) - 1
    examples = any(w.text == "," and after.text in ("such", "including") for w, after in itertools.pairwise(antecedent))
    return examples or antecedent[-1].position != last
