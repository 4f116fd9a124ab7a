"""Anaphora: mentions in the second half whose antecedent stands in the first (paper, Table 14, row 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.discofuse.noun_phrases import core
from rules.discofuse.operations import lowered, replace
from rules.discofuse.parse import Parse
from rules.discofuse.words import Word, Words
from rules.records import Mention

_REFLEXIVE = ("self", "selves")
_POSSESSIVE_WORDS = frozenset(("mine", "yours", "hers", "ours", "theirs"))
_CLASSES = {
    word: number
    for number, words in enumerate(
        (("he", "him", "his"), ("she", "her", "hers"), ("it", "its"), ("they", "them", "their", "theirs"))
    )
    for word in words
}
_ARTICLES = frozenset(("a", "an", "the"))
_POSSESSIVE_MARKS = frozenset(("'s", "'"))


@dataclass(frozen=True, slots=True)
class Region:
    """Tokens [start, end) of sentence ``sentence`` of the document."""

    sentence: int
    start: int
    end: int

    def holds(self, mention: Mention) -> bool:
        """Whether the mention lies in the region."""
        return mention.sentence == self.sentence and self.start <= mention.start and mention.end <= self.end


@dataclass(frozen=True, slots=True)
class Replacement:
    """Tokens [start, end) of the second half give way to ``words``.

    ``kind`` and ``confidence`` are the replaced mention's; ``repeats`` says that the second half holds the words
    already ("Lions have a 3 - 1 record against Lions").
    """

    start: int
    end: int
    words: Words
    kind: str
    confidence: float
    repeats: bool


class Links:
    """The clusters of a document under the sentences that they have mentions in."""

    __slots__ = ("_by_sentence",)

    def __init__(self, clusters: Iterable[Sequence[Mention]]) -> None:
        self._by_sentence: dict[int, list[Sequence[Mention]]] = {}
        for cluster in clusters:
            for sentence in {m.sentence for m in cluster}:
                self._by_sentence.setdefault(sentence, []).append(cluster)

    def around(self, sentence: int) -> list[Sequence[Mention]]:
        """Returns the clusters with a mention in the sentence."""
        return self._by_sentence.get(sentence, [])


def find(
    *, links: Links, first: Parse, second: Parse, antecedents: Region, anaphors: Region, max_antecedent_tokens: int
) -> tuple[Replacement, ...]:
    """Finds what can be replaced: in each cluster the first mention of the second half that a fuller one of the first
    half can stand for.

    Never by a pronoun, never by more than ``max_antecedent_tokens`` tokens. Reflexives stay, and an object that the
    links take for its own verb's subject.
    """
    found = []
    for cluster in links.around(anaphors.sentence):
        fuller = [m for m in cluster if antecedents.holds(m) and m.kind != "pronoun"]
        if not fuller:
            continue
        mentions = [m for m in cluster if anaphors.holds(m)]
        for mention in sorted(mentions, key=lambda m: m.start):
            if (
                _is_fixed(second, mention)
                or second.tokens[mention.head].dep == "compound"
                or _is_bound(second, mention, cluster)
            ):
                continue
            if mention.kind == "pronoun" and _has_rival(first, second, antecedents, mention, cluster):
                continue
            made = _replacement(first, second, anaphors, mention, fuller, max_antecedent_tokens)
            if made is not None:
                found.append(made)
                break
    return _apart(found)


def _is_fixed(second: Parse, mention: Mention) -> bool:
    word = second.lower[mention.head]
    return mention.kind == "pronoun" and (word.endswith(_REFLEXIVE) or word in _POSSESSIVE_WORDS)


def _has_rival(first: Parse, second: Parse, antecedents: Region, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the first half has the same pronoun as its subject, but for something else.

    "They have talents , but some of them" is not about the talents: a pronoun continues a subject that is its like.
    """
    like = _CLASSES.get(second.lower[mention.head])
    if like is None:
        return False
    own = {m.head for m in cluster if m.sentence == antecedents.sentence}
    for i in range(antecedents.start, antecedents.end):
        if _CLASSES.get(first.lower[i]) == like and i not in own and first.tokens[i].dep in ("nsubj", "nsubjpass"):
            verb = first.tokens[i].head
            # "He was a captain": the predicate noun stands for the pronoun
            if first.on_main_line(verb) and first.child(verb, "attr") not in own:
                return True
    return False


def _is_bound(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether an object is said to be its own verb's subject, which would take a reflexive."""
    if mention.kind != "pronoun" or second.tokens[mention.head].dep not in ("dobj", "dative", "iobj", "pobj"):
        return False
    at = second.tokens[mention.head].head
    for _ in range(len(second)):
        subject = second.subject(at)
        if subject is not None:
            return any(m.sentence == mention.sentence and m.head == subject for m in cluster)
        if second.tokens[at].dep not in ("xcomp", "conj", "prep", "acomp", "pcomp") or second.tokens[at].head == at:
            return False
        at = second.tokens[at].head
    return False


def _replacement(
    first: Parse, second: Parse, anaphors: Region, mention: Mention, fuller: list[Mention], limit: int
) -> Replacement | None:
    own = second.lower[mention.start : mention.end]
    for antecedent in sorted(fuller, key=lambda m: (m.kind != "name", m.start)):
        words = core(first, antecedent.head, start=antecedent.start, end=antecedent.end)
        if words and words[-1].tag == "POS":
            words = words[:-1]
        text = [w.text.lower() for w in words]
        if not text or len(text) > limit or not _is_fuller(mention, antecedent, own, text):
            continue
        if mention.kind == "nominal" and any(w.tag == "PRP$" for w in words):
            continue
        rest = [*second.lower[anaphors.start : mention.start], "|", *second.lower[mention.end : anaphors.end]]
        return Replacement(
            mention.start,
            mention.end,
            _shaped(words, second, mention),
            mention.kind,
            mention.confidence,
            repeats=_repeats(words, rest),
        )
    return None


def _is_fuller(mention: Mention, antecedent: Mention, own: list[str], text: list[str]) -> bool:
    if mention.kind == "pronoun":
        return True
    if antecedent.kind != "name":
        return False
    if mention.kind == "nominal":
        return _plain(text) != _plain(own)
    return len(text) > len([w for w in own if w not in _POSSESSIVE_MARKS])


def _plain(lower: Sequence[str]) -> list[str]:
    """The words without a leading article and a final possessive mark."""
    words = list(lower)
    if words and words[0] in _ARTICLES:
        words = words[1:]
    if words and words[-1] in _POSSESSIVE_MARKS:
        words = words[:-1]
    return words


def _repeats(words: Words, rest: Sequence[str]) -> bool:
    """Whether the rest of the second half has the antecedent's last word, or a name that is part of it."""
    there = set(rest)
    return words[-1].text.lower() in there or any(w.tag in ("NNP", "NNPS") and w.text.lower() in there for w in words)


def _shaped(words: Words, second: Parse, mention: Mention) -> Words:
    """Gives the antecedent the form that the anaphor's place asks for: definite, possessive where it was."""
    words = lowered(words)
    if words[0].text in ("a", "an", "A", "An"):  # mentioned before, so definite now
        words = (words[0]._replace(text="the"), *words[1:])
    last = second.tokens[mention.end - 1]
    if last.tag in ("PRP$", "POS"):
        mark = "'" if words[-1].tag in ("NNS", "NNPS") and words[-1].text.endswith("s") else "'s"
        words = (*words[:-1], words[-1]._replace(space=False), Word(mark, True, "POS", "PART", "case", mark))
    # the phrase takes over the anaphor's place in the tree, so that the verdict finds its subject
    head = second.tokens[mention.head]
    return tuple(
        w._replace(dep=head.dep if i == len(words) - 1 else "dep", index=mention.head, head=head.head)
        for i, w in enumerate(words)
    )


def _apart(found: list[Replacement]) -> tuple[Replacement, ...]:
    """Drops a replacement that overlaps an earlier one."""
    out: list[Replacement] = []
    for item in sorted(found, key=lambda r: (r.start, r.end)):
        if not out or item.start >= out[-1].end:
            out.append(item)
    return tuple(out)


def apply(words: Sequence[Word], replacements: Iterable[Replacement]) -> Words:
    """Makes the replacements in the second half, whose words still know where they come from."""
    out = tuple(words)
    for item in replacements:
        start = next((i for i, w in enumerate(out) if w.index == item.start), None)
        end = next((i for i, w in enumerate(out) if w.index == item.end - 1), None)
        if start is not None and end is not None:
            out = replace(out, start, end + 1, item.words)
    return out
