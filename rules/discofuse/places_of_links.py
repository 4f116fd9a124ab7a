"""What the places of two mentions add to the probability of their link."""

from __future__ import annotations

from rules.coreference import lexicon
from rules.discofuse import continued_subjects
from rules.discofuse.agreement import agrees, heads
from rules.discofuse.antecedents import DEMONSTRATIVES
from rules.discofuse.noun_phrases import is_plural
from rules.discofuse.parse import Parse
from rules.records import Mention

# Links less sure than this say nothing for a subject that goes on.
_LIKELY = 0.5
# What a parallel place adds to the probability of a link, by reading (the wrong ones below 0.65 are a quarter).
_PARALLEL_SUBJECTS = 0.1
# The same for "this mill", a demonstrative with its noun, and for "the mill" behind "an old mill", which is new there.
_DEMONSTRATIVE = 0.35
_INTRODUCED = 0.1


def support(first: Parse, antecedent: Mention, second: Parse, mention: Mention, start: int) -> float:
    """Returns what the places of both mentions add to the probability of their link.

    A subject goes on about the subject of the half before (Grosz, Joshi and Weinstein, 1995). A noun with a
    demonstrative goes on about the same noun of the sentence before, and a definite one about what "a" introduced
    there. The second half begins at ``start``.
    """
    end = start if first is second else len(first)
    if mention.kind == "pronoun" and mention.confidence >= _LIKELY:
        place = continued_subjects.find(first, second, range(end), range(start, len(second)))
        if place == (antecedent.head, mention.head):
            return max(_PARALLEL_SUBJECTS, continued_subjects.CONFIDENCE - mention.confidence)
    if mention.kind == "pronoun" and opens(second, mention, start) and is_main_subject(first, antecedent.head):
        plurals = [k for k in heads(first, 0, end) if is_plural(first, k)]
        alone = lexicon.PRONOUNS.get(second.lower[mention.head]) != lexicon.PLURAL or plurals in ([], [antecedent.head])
        return _PARALLEL_SUBJECTS if alone else 0.0
    if mention.kind == antecedent.kind == "nominal" and first is not second:
        lemma = first.tokens[antecedent.head].lemma
        if sum(t.lemma == lemma for t in first.tokens) > 1:
            return 0.0
        if second.lower[mention.start] in DEMONSTRATIVES:
            return _DEMONSTRATIVE
        return _INTRODUCED if first.lower[antecedent.start] in ("a", "an") else 0.0
    return 0.0


def opens(second: Parse, mention: Mention, start: int = 0) -> bool:
    """Whether a pronoun, or the noun that it possesses, is the main subject, and no noun before it agrees with it."""
    top = second.tokens[mention.head].head if second.tokens[mention.head].dep == "poss" else mention.head
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return is_main_subject(second, top) and not any(
        agrees(second, k, gender) for k in heads(second, start, mention.head)
    )


def is_main_subject(parse: Parse, position: int) -> bool:
    """Whether the token is the subject of a verb of the main line."""
    token = parse.tokens[position]
    return token.dep in ("nsubj", "nsubjpass") and parse.on_main_line(token.head)
