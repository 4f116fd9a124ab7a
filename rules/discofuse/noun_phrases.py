"""Noun phrases as the rules copy them: without the appositions, relative clauses and brackets that hang on them."""

from __future__ import annotations

from rules.discofuse.operations import CLOSING, OPENING, join, without_hanging
from rules.discofuse.parse import NOMINAL, Parse
from rules.discofuse.words import Word, Words

_LOOSE = frozenset(("appos", "relcl", "acl", "parataxis", "advcl"))
# Adverbs that single out a noun phrase where it stands: "even Japan", "particularly the young".
_FOCUS = frozenset(
    """
    even only also especially particularly notably mainly mostly just including namely then perhaps so thus not
    """.split()
)
_PLURAL_TAGS = frozenset(("NNS", "NNPS"))
_PLURAL_WORDS = frozenset("they we you these those them us both many few several some others".split())


def core(parse: Parse, head: int, *, start: int = 0, end: int | None = None) -> Words:
    """Returns the noun phrase of ``head`` without its loose parts, limited to positions [start, end).

    Loose parts are set off by a comma or a bracket: appositions, relative and participle clauses, text in brackets.
    """
    end = len(parse) if end is None else end
    keep = {i for i in parse.subtree(head) if start <= i < end}
    for i in sorted(keep):
        if i != head and parse.tokens[i].dep in _LOOSE:
            left = parse.left_edge(i)
            if left > head and parse.lower[left - 1] in (",", "(", "--") or parse.lower[left] in (",", "("):
                keep.difference_update(parse.subtree(i))
        elif i > head and _renames(parse, i):
            keep.difference_update({parse.left_edge(i) - 1, *parse.subtree(i)})
        elif (
            i < head
            and parse.tokens[i].dep == "advmod"
            and parse.tokens[i].head == head
            and parse.left_edge(i) - 1 not in keep  # "most famously the salamanders"
            and parse.tokens[i + 1].tag not in ("VBG", "VBN")  # "naturally occurring acids"
        ):
            keep.difference_update(parse.subtree(i))
    _complete_entity(parse, keep, start, end)
    _drop_brackets(parse, keep)
    positions = sorted(keep)
    if not any(parse.tokens[i].dep == "conj" for i in positions):
        # without coordination a comma only separates what has been dropped, or something loose that was not labelled
        cut = next((i for i in positions if i > head and parse.lower[i] == ","), None)
        positions = [i for i in positions if cut is None or i < cut]
    runs: list[list[int]] = []
    for i in positions:
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    words = parse.words
    while len(positions) > 1 and parse.lower[positions[0]] in _FOCUS and positions[0] != head:
        positions = positions[1:]
        runs = [r[1:] if n == 0 else r for n, r in enumerate(runs)]
    return without_hanging(join(*([words[i] for i in run] for run in runs)))


def _renames(parse: Parse, position: int) -> bool:
    """Whether a conjunct is another name of what it is joined to: "androids , or gynoids , are"."""
    left = parse.left_edge(position)
    return parse.tokens[position].dep == "conj" and left > 1 and parse.lower[left - 2 : left] == [",", "or"]


def _complete_entity(parse: Parse, keep: set[int], start: int, end: int) -> None:
    """Takes in the rest of a name that the tree cuts: "Alexander" of "Alexander the Great"."""
    if not keep:
        return
    first, last = min(keep), max(keep)
    while first > start and parse.tokens[first].entity.startswith("I-"):
        first -= 1
        keep.add(first)
    while last + 1 < end and parse.tokens[last].entity and parse.tokens[last + 1].entity.startswith("I-"):
        last += 1
        keep.add(last)


def _drop_brackets(parse: Parse, keep: set[int]) -> None:
    depth = 0
    for i in sorted(keep):
        text = parse.tokens[i].text
        opens, closes = text in OPENING, text in CLOSING
        depth += opens
        if depth:
            keep.discard(i)
        depth -= closes and depth > 0


def definite(words: Words) -> Words:
    """Returns a noun phrase for its second mention: "a mill" becomes "the mill", "five mills" "the five mills"."""
    if len(words) > 1 and words[0].tag == "CD" and words[0].dep == "nummod" and not words[0].entity.endswith("DATE"):
        article = Word("the", True, "DT", "DET", "det", "the")
        return (article._replace(text="The") if words[0].text[0].isupper() else article, *_lowered_number(words))
    if len(words) < 2 or words[0].text.lower() not in ("a", "an") or words[0].dep not in ("det", "dep", ""):
        return words
    text = "The" if words[0].text[0].isupper() else "the"
    return (words[0]._replace(text=text, lemma="the"), *words[1:])


def _lowered_number(words: Words) -> Words:
    return (words[0]._replace(text=words[0].text.lower()), *words[1:])


def is_plural(parse: Parse, head: int) -> bool:
    """Whether the noun phrase of ``head`` takes a plural verb."""
    token = parse.tokens[head]
    if token.tag in _PLURAL_TAGS or parse.lower[head] in _PLURAL_WORDS:
        return True
    return any(
        k > head and parse.tokens[k].dep == "conj" and parse.tokens[k].pos in NOMINAL for k in parse.children(head)
    ) and any(parse.lower[c] == "and" for c in parse.children(head))


def person(parse: Parse, head: int) -> int:
    """Returns the grammatical person of the noun phrase: 1, 2 or 3."""
    word = parse.lower[head]
    return 1 if word in ("i", "we") else 2 if word == "you" else 3
