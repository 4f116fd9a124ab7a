"""The phrase of an antecedent that replaces its anaphor: its words, their form, and the reasons against it."""

from __future__ import annotations

from collections.abc import Sequence

from rules.coreference import lexicon
from rules.discofuse.agreement import agrees, heads
from rules.discofuse.noun_phrases import core, is_plural
from rules.discofuse.operations import lowered
from rules.discofuse.parse import Parse
from rules.discofuse.reasons import DiscoFuseReason
from rules.discofuse.references import is_domain, is_personal
from rules.discofuse.words import Word, Words
from rules.records import Mention
from rules.verdict import Reason

_ARTICLES = frozenset(("a", "an", "the"))
# What cannot be said again of the same: "far fewer men".
_COMPARED = frozenset("fewer more less few no any each every neither either another such".split())
_POSSESSIVE_MARKS = frozenset(("'s", "'"))
# Links so sure hold against a likelier place.
_BEYOND_DOUBT = 0.95
_PLACEHOLDERS = frozenset(("be", "seem", "appear", "happen", "follow", "mean", "turn"))
_PERSONAL = frozenset(("he", "him", "his", "she", "her", "hers"))
_PLURAL = frozenset(("they", "them", "their"))
_COLLECTIVES = frozenset(("ORG", "NORP", "GPE"))
_SINGULAR = frozenset(("he", "him", "his", "she", "her", "it", "its"))


def phrase(first: Parse, antecedent: Mention) -> Words:
    """Returns the antecedent with the words before its noun, without loosely attached parts; () if its name is cut
    short.
    """
    start = min(antecedent.start, first.left_edge(antecedent.head))
    words = core(first, antecedent.head, start=start, end=antecedent.end)
    if any(w.text.lower() in _COMPARED for w in words):
        return ()
    if words and words[-1].tag == "POS":
        words = words[:-1]
    if not _plain([w.text.lower() for w in words]):
        return ()
    begin = words[0].position
    return () if begin and first.lower[begin - 1] in ("-", "/") else words


def is_fuller(second: Parse, mention: Mention, antecedent: Mention, words: Words) -> bool:
    """Whether the phrase says more than the mention: a pronoun gives way to anything, a nominal to a name, a name to a
    longer form of itself (which begins or ends like it: "Monterrey" is not "the Battle of Monterrey")."""
    if mention.kind == "pronoun":
        return True
    if antecedent.kind != "name" or any(w.tag == "PRP$" for w in words):
        return False
    if _plain([w.text.lower() for w in words if w.position < antecedent.start]):
        return False  # "the mysterious Plesiorycteropus" is more than its name
    own = _plain(second.lower[mention.start : mention.end])
    text = _plain([w.text.lower() for w in words])
    if mention.kind == "nominal":
        return text != own
    head = next((w.text.lower() for w in words if w.position == antecedent.head), text[-1])
    if len(text) > len(own):
        # "Sullivan" is not "the Sullivan Expedition"
        kind = second.tokens[mention.head].entity[2:]
        same = any(w.entity == "B-PERSON" for w in words) or kind in ("", words[-1].entity[2:])
        return bool(own) and (own[-1] == head or own[0] == text[0] and same)
    # "The Rock" for "Rock": the article is part of the name
    named = words[0].text == "The" and words[0].position > 0
    return named and text == own and not _article_before(second, mention)


def end_of(second: Parse, mention: Mention) -> int:
    """Returns where the mention ends, a possessive mark behind it included."""
    end = mention.end
    return end + 1 if end < len(second) and second.tokens[end].tag == "POS" else end


def shaped(words: Words, second: Parse, mention: Mention) -> Words:
    """Gives the phrase the form that the mention's place asks for: definite, possessive, without a second article."""
    words = lowered(words)
    first_word = words[0].text.lower()
    if first_word in _ARTICLES and len(words) > 1:
        if mention.start and second.tokens[mention.start - 1].tag in ("DT", "PRP$"):
            words = words[1:]
        elif first_word != "the":  # mentioned before, so definite now
            words = (words[0]._replace(text="the"), *words[1:])
    last = second.tokens[end_of(second, mention) - 1]
    if last.tag in ("PRP$", "POS"):
        plural = words[-1].tag in ("NNS", "NNPS") and words[-1].text.endswith("s")
        mark = "'" if plural else "'s"
        words = (*words[:-1], words[-1]._replace(space=False), Word(mark, True, "POS", "PART", "case", mark))
    # the phrase takes over the mention's place in the tree, so that the verdict finds its subject
    head = second.tokens[mention.head]
    return tuple(
        w._replace(dep=head.dep if i == len(words) - 1 else "dep", position=mention.head, head=head.head)
        for i, w in enumerate(words)
    )


def problem(
    first: Parse, antecedent: Mention, words: Words, second: Parse, mention: Mention, rest: Sequence[str]
) -> Reason | None:
    """Returns the reason against the replacement, or None.

    Args:
        first, antecedent, words: the first text, the antecedent in it, and its phrase.
        second, mention: the second text, and the mention in it that the phrase would replace.
        rest: the words of the second half without the mention, in lower case; they may already hold the phrase.
    """
    if not _stands_alone(second, mention) or _said_before(first, antecedent, second, mention):
        return DiscoFuseReason.WRONG_SCOPE
    there = set(rest)
    if words[-1].text.lower() in there or any(w.tag in ("NNP", "NNPS") and w.text.lower() in there for w in words):
        return DiscoFuseReason.REPEATED_ANTECEDENT
    plural = is_plural(first, antecedent.head)
    word, kind = second.lower[mention.head], first.tokens[antecedent.head].entity[2:]
    if mention.kind == "pronoun":
        named = antecedent.kind == "name"
        if word in _PERSONAL and (
            is_domain(first, antecedent.head) or not agrees(first, antecedent.head, lexicon.PRONOUNS[word], named=named)
        ):
            return DiscoFuseReason.UNCERTAIN_COREFERENCE
        if word in ("it", "its") and is_personal(first, antecedent.head):
            return DiscoFuseReason.UNCERTAIN_COREFERENCE
        if word in _PLURAL and not plural and (word == "their" or kind not in _COLLECTIVES):
            return DiscoFuseReason.NUMBER
        if mention.confidence < _BEYOND_DOUBT and _is_outranked(first, antecedent, second, mention):
            return DiscoFuseReason.UNCERTAIN_COREFERENCE
        if _bound_nearby(second, mention) or _is_empty(second, mention):
            return DiscoFuseReason.UNCERTAIN_COREFERENCE
    token = second.tokens[mention.head]
    if token.dep in ("nsubj", "nsubjpass"):
        number = second.number(token.head)
        if number is not None and plural != (number == "plural"):
            return DiscoFuseReason.NUMBER
    # a team's name is plural and still "it"
    if plural and first.tokens[antecedent.head].tag == "NNS" and second.lower[mention.head] in _SINGULAR:
        return DiscoFuseReason.NUMBER
    return None


def _is_outranked(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether another person before the pronoun is the likelier one: the subject of a clause that the antecedent stands
    in ("Rodriguez stated that Jones ... he"), or a pronoun beside a mere nominal ("him asking the clerk ... he")."""
    word = second.lower[mention.head]
    if word not in _PERSONAL:
        return False
    gender = lexicon.PRONOUNS[word]
    end = mention.start if first is second else len(first)
    if antecedent.kind != "name" and any(
        lexicon.PRONOUNS.get(first.lower[i]) == gender and first.tokens[i].tag == "PRP" for i in range(end)
    ):
        return True
    own = first.lower[antecedent.head]
    for i in heads(first, 0, end):
        verb = first.tokens[i].head
        if first.tokens[i].dep not in ("nsubj", "nsubjpass") or first.lower[i] == own or i == antecedent.head:
            continue
        inside = first.left_edge(verb) <= antecedent.head <= first.right_edge(verb)
        if (
            inside
            and not first.left_edge(i) <= antecedent.head <= first.right_edge(i)
            and is_personal(first, i)
            and agrees(first, i, gender, named=first.tokens[i].pos == "PROPN")
        ):
            return True
    return False


def _is_empty(second: Parse, mention: Mention) -> bool:
    """Whether an "it" only holds the place of a clause: "it must be remembered that"."""
    token = second.tokens[mention.head]
    if second.lower[mention.head] != "it" or token.dep not in ("nsubj", "nsubjpass", "expl"):
        return False
    verb = token.head
    predicates = [k for k in second.children(verb) if second.tokens[k].dep in ("acomp", "attr", "oprd")]
    below = [k for at in (verb, *predicates) for k in second.children(at)]
    clauses = [k for k in below if second.tokens[k].dep in ("ccomp", "csubj")]
    marked = any(second.lower[j] == "that" for k in clauses for j in second.children(k))
    return token.dep == "expl" or marked and (token.dep == "nsubjpass" or second.tokens[verb].lemma in _PLACEHOLDERS)


def _bound_nearby(second: Parse, mention: Mention) -> bool:
    """Whether a possessive pronoun has a subject of its own clause before it that it may well refer to: "some lay their
    eggs" is about the eggs of some."""
    if second.tokens[mention.head].dep != "poss":
        return False
    at = mention.head
    while second.tokens[at].head != at:
        at = second.tokens[at].head
        if second.is_verb(at):
            break
    subject = second.shared_subject(at)
    if subject is None or second.right_edge(subject) >= mention.start:
        return False
    word, plural = second.lower[mention.head], is_plural(second, subject)
    if word == "their":
        return plural
    if plural:
        return False
    personal = is_personal(second, subject) or second.lower[subject] in ("he", "she", "who")
    return personal == (word in _PERSONAL) and (personal or second.lower[subject] not in ("he", "she", "it", "i", "we"))


def _stands_alone(second: Parse, mention: Mention) -> bool:
    """Whether a name or nominal is a phrase of its own: not "the cartoonist" before a name, nor a name behind "the
    younger"."""
    if mention.kind == "pronoun":
        return True
    end = end_of(second, mention)
    if end == mention.end and end < len(second) and second.tokens[end].pos in ("PROPN", "NOUN", "NUM"):
        return False
    before = second.tokens[mention.start - 1] if mention.start else None
    if before is not None and before.text == "(":
        return False
    return before is None or before.pos not in ("ADJ", "NOUN", "PROPN", "NUM") and before.text != "-"


def _said_before(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether the first text has the nominal in the same words: it means the same there, and a name is another."""
    if mention.kind != "nominal":
        return False
    own = second.lower[mention.start : mention.end]
    size = len(own)
    end = mention.start if first is second else len(first)
    return any(
        first.lower[i : i + size] == own and not antecedent.start <= i < antecedent.end for i in range(end - size + 1)
    )


def _article_before(second: Parse, mention: Mention) -> bool:
    """Whether the mention opens with an article, or one stands right before it."""
    return second.lower[mention.start] in _ARTICLES or (
        mention.start > 0 and second.tokens[mention.start - 1].tag in ("DT", "PRP$")
    )


def _plain(lower: Sequence[str]) -> list[str]:
    """The words without a leading article and a final possessive mark."""
    words = list(lower)
    if words and words[0] in _ARTICLES:
        words = words[1:]
    if words and words[-1] in _POSSESSIVE_MARKS:
        words = words[:-1]
    return words
