"""Insertions, that is relative clauses and appositions: a phrase between two commas, right after its antecedent."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.operations import CLOSING, TERMINAL, join
from gistmill.rules.discofuse.parse import FINITE, SUBJECTS, Parse
from gistmill.rules.discofuse.words import Words, first_of_text

_RELATIVE_WORDS = frozenset(("which", "who", "whose", "whom", "where", "when"))
# Words behind a conjunction among which the subject of its clause stands.
_FAR = 24
_TITLE = 3  # words of a title between its colon and what was taken for a noun phrase
_INSERTED = frozenset(("appos", "acl", "relcl", "prep"))
# A noun that only tells when or by how much something is has been read for what is described: "ran Line 4 , a road".
_OF_MEASURE = frozenset(("npadvmod", "dep", "intj"))
_CLOSE_BY = frozenset(("VERB", "AUX", "ADP", "PART", "CCONJ"))
# Prepositions that open a phrase which the insertion's comma set off as well.
_LOOSE = frozenset("with without including excluding unlike like despite except besides alongside up".split())


def without_insertion(parse: Parse, opening: int, closing: int) -> Words:
    """Returns the sentence without [opening, closing]; the second comma stays where the rest needs one of its own.

    The paper's rule deletes both commas. One of them often serves the main clause too: it closes a fronted phrase
    ("Unlike its rulers , who ... , he"), or precedes a participle, a relative clause or a coordinated clause.
    """
    words = parse.words
    if closing == len(parse) - 1:  # the sentence's own end
        return words[:opening]
    needs_comma = _needs_comma(parse, opening, closing)
    return join(words[:opening], words[closing if needs_comma else closing + 1 :])


def continues(parse: Parse, opening: int, closing: int, *, clause: bool) -> bool:
    """Whether the rest of the sentence confirms that the phrase ends at ``closing``.

    Behind a phrase on the subject, the verb must follow. Elsewhere a further noun phrase must not follow, unless it is
    the main clause's subject: it is rather the next item of a list inside the phrase. Behind a clause, neither a
    preposition nor a second predicate may follow, because each may belong to either clause.
    """
    after = closing + 1
    if after >= len(parse):
        return True
    if parse.tokens[after].tag == "``" and after + 1 < len(parse) and _opens_noun_phrase(parse, after + 1):
        after += 1  # 'who belongs to Lee , " one of the first "'
    subject = parse.subject(parse.root())
    token = parse.tokens[after]
    if subject is not None and subject < opening <= parse.right_edge(subject) + 1:
        lone = after < parse.root() and _needs_comma(parse, opening, closing)
        if lone and not _ends_insertion(parse, opening, closing):
            return False  # "The Ridge , first found in 1850 dominates": a comma alone before the verb
        return token.pos in ("VERB", "AUX", "ADV", "CCONJ", "PART", "PUNCT") or token.tag in ("VBG", "VBN")
    if clause and (token.pos == "ADP" or parse.lower[after] == "whether"):
        return False
    if clause and parse.lower[after : after + 2] == ["but", "not"]:
        return False  # "which frighten Ada , but not Bea"
    if clause and token.pos == "CCONJ" and parse.is_verb(token.head):
        joined = next((k for k in parse.children(token.head) if k > after and parse.tokens[k].dep == "conj"), None)
        if joined is None or parse.subject(joined) is None:
            return False
    if token.pos == "CCONJ" and any(opening < c < closing for c in parse.commas):
        following = parse.tokens[min(after + 1, len(parse) - 1)]
        return following.pos in ("VERB", "AUX", "ADV", "PRON", "SCONJ")
    if _opens_noun_phrase(parse, after):
        return subject is not None and parse.left_edge(subject) == after
    return True


def _opens_noun_phrase(parse: Parse, position: int) -> bool:
    token = parse.tokens[position]
    return token.pos in ("NOUN", "PROPN", "ADJ", "DET", "NUM") or token.tag == "PRP$"


def closing_of(parse: Parse, head: int) -> int | None:
    """Returns where the phrase of ``head`` is closed, at a comma or at the sentence's final mark; None if it is not."""
    end = parse.right_edge(head)
    if parse.lower[end] == "," and end < len(parse) - 2:
        return end
    after = end + 1
    if after >= len(parse):
        return None
    if parse.lower[after] == "," and after < len(parse) - 2:
        return after
    return after if after == len(parse) - 1 and parse.lower[after] in TERMINAL else None


def _needs_comma(parse: Parse, opening: int, closing: int) -> bool:
    after = closing + 1
    token = parse.tokens[after]
    subject = parse.subject(parse.root())
    if parse.lower[after] == "when" and parse.tokens[token.head].dep == "advcl":
        return False  # "stands up to Ada , his aunt , when she comes"
    if (
        parse.lower[after] in _RELATIVE_WORDS
        or token.tag in ("VBG", "VBN", "``")
        or _ends_insertion(parse, opening, closing)
    ):
        return True
    if token.dep in ("acl", "advcl") and parse.subject(after) is None:
        return True
    if token.dep == "advmod" and parse.tokens[token.head].tag in ("VBG", "VBN") and after < token.head < after + 3:
        # "first discovered in 1901", but not "soon became" read as a participle, the verb of the subject before
        # and not "earlier claimed the city": a participle has no object
        return parse.subject(token.head) is None and parse.child(token.head, "dobj", "aux", "auxpass") is None
    if token.tag in FINITE or subject is not None and subject < opening <= parse.right_edge(subject) + 1:
        return False
    if token.dep == "mark" and parse.lower[after] == "that" and parse.tokens[token.head].dep == "ccomp":
        return False  # "told the people at Leeds , a town , that"
    if token.pos not in _CLOSE_BY or parse.lower[after] in _LOOSE:
        return True
    if token.pos == "ADP" and parse.tokens[after + 1].tag in ("WDT", "WP"):
        return True  # "The Frieze , in which ..."
    if subject is not None and parse.left_edge(subject) > closing:
        return not _in_own_clause(parse, opening)
    if token.dep == "cc":  # a clause of its own follows
        return any(
            parse.tokens[i].dep in SUBJECTS
            and parse.tokens[i].head > after
            and parse.tokens[parse.tokens[i].head].dep in ("conj", "ROOT")
            for i in range(after + 1, min(after + _FAR, len(parse)))
        )
    return False


def _ends_insertion(parse: Parse, opening: int, closing: int) -> bool:
    """Whether the antecedent ends a phrase that a comma opens and the second one closes too: "the mill , built by Ada ,
    a geodesist , is", "her father , a geodesist , who"."""
    at = opening - 1
    while parse.tokens[at].head != at and at <= opening:
        left = parse.left_edge(at)
        opens = left > 1 and (parse.lower[left] == "," or parse.lower[left - 1] == ",")
        if parse.tokens[at].dep in _INSERTED and opens and parse.tokens[at].head < left:
            one = parse.tokens[at].dep == "appos" and not is_plural(parse, parse.tokens[at].head)
            return parse.right_edge(at) <= closing or one
        at = parse.tokens[at].head
    return False


def _in_own_clause(parse: Parse, opening: int) -> bool:
    """Whether the phrase is in a clause that is a sentence before the main one: "they took a ship , ... ; he left"."""
    at = opening - 1
    while parse.tokens[at].head != at and not (parse.is_verb(at) and parse.finite(at)):
        at = parse.tokens[at].head
    return parse.tokens[at].dep in ("ccomp", "parataxis") and parse.child(at, "mark") is None


def is_measure(parse: Parse, noun: int) -> bool:
    """Whether the noun only tells when or by how much something is."""
    return parse.tokens[noun].dep in _OF_MEASURE


def reaches(parse: Parse, antecedent: Words, opening: int) -> bool:
    """Whether the antecedent's phrase extends to the comma, brackets apart; else something else is meant."""
    if not antecedent:
        return False
    if not all(_parts_alike(parse, antecedent, i) for i, w in enumerate(antecedent) if w.text == ","):
        return False  # "his superior , General Clinton"
    last, begin = opening - 1, first_of_text(antecedent).position
    for k in range(max(begin - _TITLE, 1), begin):
        mark = parse.lower[k] == ":" or parse.lower[k] == "--" and k == begin - 1
        if mark and parse.tokens[k - 1].text[0].isupper() and parse.tokens[k + 1].text[0].isupper():
            return False  # the second part of a title: "Little Pony : Friendship is Magic"
    if parse.tokens[last].text in CLOSING:
        depth = 0
        while last >= 0:
            depth += parse.tokens[last].text in CLOSING
            depth -= parse.tokens[last].text in ("(", "[")
            last -= 1
            if depth == 0:
                break
    return antecedent[-1].position == last


def _parts_alike(parse: Parse, antecedent: Words, comma: int) -> bool:
    """Whether the comma stands between conjuncts or adjectives: not before an apposition or "such as"."""
    place = antecedent[comma].position
    at = antecedent[comma + 1].position
    while parse.tokens[at].head > place and parse.tokens[at].head != at:
        at = parse.tokens[at].head
    above = parse.tokens[at].head
    outside = above < first_of_text(antecedent).position or above > antecedent[-1].position
    return outside or parse.tokens[at].dep in ("conj", "cc")
