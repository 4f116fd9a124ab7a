"""The phrase of an antecedent that replaces its anaphor: its words and their form."""

from __future__ import annotations

from gistmill.rules.discofuse.anaphora.fuller_forms import determiner_before, plain
from gistmill.rules.discofuse.nouns.noun_phrases import INDEFINITE, can_return, core, definite, with_article
from gistmill.rules.discofuse.nouns.references import quantified
from gistmill.rules.discofuse.nouns.repeated_nouns import DEMONSTRATIVES, is_cut
from gistmill.rules.discofuse.nouns.whole_phrases import (
    before_name,
    end_of_name,
    is_mere_title,
    with_article_of_name,
)
from gistmill.rules.discofuse.operations import lowered
from gistmill.rules.discofuse.parse import ARTICLES, FINITE, NAME_TAGS, SUBJECTS, Parse
from gistmill.rules.discofuse.words import Word, Words
from gistmill.rules.documents import Mention

_DEFINITE = DEMONSTRATIVES | {"the"}
# Without what follows "of" these name nothing: "a kind of bird".
_CLASSIFIERS = frozenset(
    """
    amount bit class example half instance kind list lot majority minority part pair percentage piece portion
    proportion quarter range rest sample set sort source subset third top type use variety version
    """.split()
)
# What a sentence may open with before its first word: "( 3 ) The Senate".
_OPENERS = frozenset((")", ":", ";", "-", "--", "*", "."))
# Only what follows says of what: "the first man in space".
_CLAUSAL = frozenset(("WDT", "WP", "VBD", "VBZ", "VBP", "VBG"))
_MODIFIERS = frozenset(("compound", "nmod", "amod"))
_SINGLING = frozenset("first second third fourth fifth last next only earliest latest oldest".split())


def phrase(first: Parse, antecedent: Mention, *, limit: int, possessive: bool) -> Words:
    """Returns the antecedent with the words before its noun, as it is said again: the shortest form that still names
    it.

    A common noun keeps its complement with "of" or "without", unless the form is possessive or too long; other
    restrictive parts are dropped, and the phrase is definite then.

    Args:
        first: the sentence of the antecedent.
        antecedent: the mention.
        limit: the most tokens that the phrase may have.
        possessive: whether a possessive mark will follow, which a phrase with a complement cannot have.

    Returns:
        The words; () if its name is cut short, or if nothing short enough names it again.
    """
    words, head = _own_words(first, antecedent), antecedent.head
    if not words or _is_unfit(first, antecedent, words):
        return ()
    if _opens_sentence(first, words):
        words = (words[0]._replace(text=words[0].text.lower()), *words[1:])
    if first.tokens[head].pos == "NOUN" and words[-1].position == head:
        words = _common(first, head, words, limit=limit, possessive=possessive)
    words = with_article_of_name(definite(words), head) if words else words
    return words if words and len(words) <= limit and can_return(words) else ()


def _is_unfit(first: Parse, antecedent: Mention, words: Words) -> bool:
    """Whether the words of an antecedent do not name it: they lack something, have run on, or mean no certain one."""
    head = antecedent.head
    if is_cut(words) or is_mere_title(first, antecedent) or _is_piece(first, words):
        return True
    if antecedent.kind == "name" and _runs_on(words, head):
        return True
    return quantified(first, head) or _is_of_no_certain_one(first, words, head) or _is_part(first, words, head)


def _opens_sentence(first: Parse, words: Words) -> bool:
    """Whether its determiner has a capital as it stands behind what a sentence may open with: "( 3 ) The Senate"."""
    begin = words[0].position
    return begin > 0 and words[0].tag == "DT" and first.lower[begin - 1] in _OPENERS


def _is_piece(first: Parse, words: Words) -> bool:
    """Whether a phrase begins inside a name: "Ada game" of "the Legend of Ada game"."""
    return first.tokens[words[0].position].entity.startswith("I-")


def _own_words(first: Parse, antecedent: Mention) -> Words:
    """The words of an antecedent without what a second mention leaves out."""
    head = antecedent.head
    start = min(antecedent.start, first.left_edge(head))
    words = core(first, head, start=start, end=end_of_name(first, antecedent))
    mark = next((i for i, w in enumerate(words) if w.tag == "POS"), len(words))
    if first.tokens[head].dep == "poss" or mark == len(words) - 1:
        words = words[:mark]  # "Ada 's Leeds - area", of "Ada 's Leeds - area seat", is Ada
    if antecedent.kind == "name" and first.tokens[head].entity.endswith("PERSON"):
        words = _of_person(words, antecedent)
    return words if plain([w.text.lower() for w in words]) else ()


def _of_person(words: Words, antecedent: Mention) -> Words:
    """The name of a person alone: "young Alexander" is Alexander, and so is "former Senator Alexander"."""
    if any(w.tag.startswith("JJ") and w.position < antecedent.start for w in words):
        words = tuple(w for w in words if w.position >= antecedent.start and w.entity.endswith("PERSON"))
    # "leave Ada for Bea": the phrase behind a person's name is the verb's
    behind = ((i, w) for i, w in enumerate(words) if w.position > antecedent.head)
    end = next((i for i, w in behind if w.pos == "ADP" and w.text.lower() != "of"), len(words))
    return words[:end]


def _runs_on(words: Words, head: int) -> bool:
    """Whether a name has run into the next one of a list, or into its verb: "Ada , Bea", "Ada has Lydian"."""
    listed = any(w.dep == "conj" and w.position > head for w in words) and any(w.text == "," for w in words)
    return listed or any(w.tag in FINITE and w.text.islower() for w in words)


def _is_of_no_certain_one(first: Parse, words: Words, head: int) -> bool:
    """Whether there are no certain ones to come back to: what is true of "some mills" at any time is not so of "the
    mills", and "200 deaths per year" are other ones each year."""
    token, behind = first.tokens[head], words[-1].position + 1
    some = words[0].text.lower() in INDEFINITE and token.dep in SUBJECTS and not first.past(token.head)
    return some or first.lower[behind : behind + 1] in (["per"], ["each"], ["every"])


def _is_part(first: Parse, words: Words, head: int) -> bool:
    """Whether the phrase is a part of another: "the Leeds - area" before "seat", "bread deliveries" of "milk and bread
    deliveries", "print cards" of "to quickly print cards"."""
    token, begin = first.tokens[head], words[0].position
    if token.dep in _MODIFIERS:
        return True
    before = first.tokens[begin - 1] if begin else None
    if before is None:
        return False
    joined = before.text == "and" and len(words) > 1 and words[0].dep in _MODIFIERS and token.pos == "NOUN"
    return joined or before.text in ("-", "/") or before.tag == "TO" and before.dep == "aux"


def _common(first: Parse, head: int, words: Words, *, limit: int, possessive: bool) -> Words:
    """The phrase of a common noun, with what it needs of what follows it."""
    behind = [k for k in first.children(head) if k > head and first.tokens[k].dep in ("prep", "relcl", "acl")]
    if not behind:
        return words
    nearest = behind[0]
    adjacent = first.left_edge(nearest) == head + 1
    needed = _needs_complement(first, head, words)
    complement = adjacent and first.tokens[nearest].dep == "prep" and not possessive
    if complement and (needed or first.lower[nearest] in ("of", "without")):
        end = first.right_edge(nearest)
        longer = core(first, head, start=words[0].position, end=end + 1)
        if _is_whole(longer, end) and len(longer) <= limit:
            return longer
    if needed:
        return ()
    return with_article(words) if adjacent else words


def _is_whole(words: Words, end: int) -> bool:
    """Whether a phrase ends in a noun at ``end``, and has no clause."""
    last = words[-1]
    noun = last.position == end and last.pos in ("NOUN", "PROPN", "NUM")
    return noun and not any(w.tag in _CLAUSAL for w in words)


def _needs_complement(first: Parse, head: int, words: Words) -> bool:
    """Whether the noun names nothing without what follows: "a kind of bird", "the first man in space"."""
    classifier = first.tokens[head].lemma.lower() in _CLASSIFIERS or words[0].text.lower() in INDEFINITE
    return classifier or any(w.text.lower() in _SINGLING or w.tag in ("JJS", "RBS") for w in words)


def end_of(second: Parse, mention: Mention) -> int:
    """Returns where the mention ends, a possessive mark behind it included."""
    end = mention.end
    return end + 1 if end < len(second) and second.tokens[end].tag == "POS" else end


def is_possessive(second: Parse, mention: Mention) -> bool:
    """Whether the mention is a possessive pronoun or has a possessive mark."""
    return second.tokens[end_of(second, mention) - 1].tag in ("PRP$", "POS")


def shaped(words: Words, first: Parse, second: Parse, mention: Mention) -> Words:
    """Gives the phrase the form that the mention's place asks for: definite, possessive, without a second article."""
    words = _with_determiner(lowered(words), first, second, mention)
    if words[0].text.lower() in ARTICLES and len(words) > 1:
        if determiner_before(second, mention):
            words = words[1:]
        elif words[0].position < 0:
            words = (words[0]._replace(text="the"), *words[1:])
    if is_possessive(second, mention):
        plural = words[-1].tag in ("NNS", "NNPS") and words[-1].text.endswith("s")
        mark = "'" if plural else "'s"
        words = (*words[:-1], words[-1]._replace(space=False), Word(mark, True, "POS", "PART", "case", mark))
    # the phrase takes over the mention's place in the tree, so that the verdict finds its subject
    head = second.tokens[mention.head]
    return tuple(
        w._replace(dep=head.dep if i == len(words) - 1 else "dep", position=mention.head, head=head.head)
        for i, w in enumerate(words)
    )


def _with_determiner(words: Words, first: Parse, second: Parse, mention: Mention) -> Words:
    """The phrase with the definite article, where it was a demonstrative's or has none and has to be definite."""
    if words[0].text.lower() in DEMONSTRATIVES and words[0].tag == "DT" and len(words) > 1:
        return (words[0]._replace(text="the", lemma="the"), *words[1:])
    replaced = mention.kind == "nominal" and second.lower[mention.start] in _DEFINITE
    if not replaced and not _is_specific(first, words) and words[0].tag != "JJR":
        return words
    words = with_article(words)
    if mention.kind == "nominal" and words[0].tag in NAME_TAGS and words[-1].tag in ("NN", "NNS"):
        return before_name(words)  # "the Leeds mills", as the mention is definite
    return words


def _is_specific(first: Parse, words: Words) -> bool:
    """Whether a bare plural is a group, not all of its kind: it did something once ("Scientists found"), or "there
    are" such."""
    last = words[-1]
    if any(w.tag == "NNS" and w.dep == "attr" and first.child(w.head, "expl") is not None for w in words):
        return True
    return last.tag == "NNS" and last.dep in ("nsubj", "nsubjpass", "dobj") and first.past(last.head)
