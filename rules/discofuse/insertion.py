"""Insertions (relative clauses and appositions): phrases between two commas, right after their antecedent."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, names_again
from gistmill.rules.discofuse.operations import TERMINAL, join, opening_of
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, SUBJECTS, WORDS, Parse, Words

# How many words after a conjunction to search for its clause's subject.
_FAR = 24


class Insertion(NamedTuple):
    """An insertion between the commas at ``open`` and ``close`` (or the final mark there); ``head`` is its verb or
    noun, and ``antecedent`` the head of the noun phrase that it describes."""

    open: int
    close: int
    head: int
    antecedent: int


def antecedent_of(parse: Parse, match: Insertion) -> Words:
    """Returns the noun phrase described by the insertion, made definite."""
    return definite(core(parse, match.antecedent, end=match.open))


def without_insertion(parse: Parse, match: Insertion) -> Words:
    """Returns the sentence without the insertion; the second comma stays if the rest needs a comma there.

    The paper's rule deletes both commas. One of them often serves the main clause too: it closes a fronted phrase
    ("Unlike its rulers , who ... , he"), or precedes a participle, a relative clause or a coordinated clause.
    """
    words = parse.words
    if match.close == len(parse) - 1:  # the end of the sentence
        return words[: match.open]
    needs_comma = _closes_another(parse, match) or _needs_comma(parse, match)
    return join(words[: match.open], words[match.close if needs_comma else match.close + 1 :])


def _closes_another(parse: Parse, match: Insertion) -> bool:
    """Whether the second comma also closes another phrase: "the mill , built by Ada , a geodesist , is"."""
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
        # "first discovered in 1901", but not "soon became" (a mistagged main verb) or "earlier claimed the city" (an
        # object)
        return parse.subject(token.head) is None and parse.child(token.head, "dobj", "aux", "auxpass") is None
    if token.tag in FINITE or _is_on(parse, match, parse.subject(parse.root())):
        return False
    close_by = token.pos in ("VERB", "AUX", "ADP", "PART", "CCONJ") and parse.tokens[after + 1].tag not in ("WDT", "WP")
    if not close_by or parse.lower[after] in WORDS["loose_prepositions"]:
        return True
    # a conjunction followed by a clause with its own subject
    return token.dep == "cc" and any(
        t.dep in SUBJECTS and t.head > after and parse.tokens[t.head].dep in ("conj", "ROOT")
        for t in parse.tokens[after + 1 : after + _FAR]
    )


def closing_of(parse: Parse, head: int) -> int | None:
    """Returns the position of the comma or final mark that closes the phrase of ``head``; None if neither does."""
    end, last = parse.right_edge(head), len(parse) - 1
    comma = next((k for k in (end, end + 1) if k < last - 1 and parse.lower[k] == ","), None)
    closed = comma is None and end + 1 == last and parse.lower[last] in TERMINAL
    return last if closed else comma


def goes_on(parse: Parse, match: Insertion) -> bool:
    """Whether the insertion continues after the comma, or the following words may belong to it.

    After an insertion on the subject, the verb must follow. Elsewhere a noun phrase other than the main clause's
    subject may be the next list item, and after a clause a preposition or second predicate may belong to it.
    """
    after, clause = match.close + 1, parse.tokens[match.head].dep == "relcl"
    if after >= len(parse):
        return False
    # Whether, in the parse, the clause ends after the comma, or words other than the head depend on words outside.
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
    """Whether the antecedent is not a complete, repeatable phrase ending at the comma (or at a bracket before it)."""
    antecedent = antecedent_of(parse, match)
    if not antecedent or not names_again(parse, antecedent, match.antecedent):
        return True
    last = match.open - 1
    if parse.tokens[last].text in (")", "]", "}"):
        last = opening_of(parse.words, last) - 1
    examples = any(w.text == "," and after.text in ("such", "including") for w, after in itertools.pairwise(antecedent))
    return examples or antecedent[-1].position != last
