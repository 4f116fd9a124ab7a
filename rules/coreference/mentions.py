"""Finding mentions: names (entities and runs of proper nouns), nominals (noun phrases), coordinations and pronouns,
with the properties shown by their words: person or thing, gender, number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lemminflect import getAllLemmas

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import COUNTRIES
from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, PRONOUN, Markable, Syntax
from gistmill.rules.coreference.names import without_ending
from gistmill.rules.documents import Sentence, Token

ARTICLES = frozenset({"the", "a", "an"})
_NOT_OF_NAME = lexicon.TITLES | ARTICLES


def describe_name(made: Markable, tokens: Sequence[Token]) -> None:
    """Sets the words, gender, number and personhood of a name."""
    start = made.start
    lowered = [w.rstrip(".") for w in without_ending([t.text.lower() for t in tokens[start : made.end]])]
    words = [w for w in lowered if w and w not in _NOT_OF_NAME]
    made.words = tuple(words or lowered)
    if made.entity == "ORG" and len(lowered) < made.end - start:
        return  # "Tom Ford, Inc." is not a man
    if other := _entity_by_noun(made):
        made.entity = other
        return
    first = tokens[start + next((k for k, word in enumerate(lowered) if word not in lexicon.TITLES), 0)].text
    known = first in lexicon.FIRST_NAMES
    made.plural = not known and _is_plural_name(made, tokens)
    # ``known``: whether the name begins with a first name, as do those of some countries: India, Chad.
    if made.plural or not (made.entity == "PERSON" or ((known or not made.entity) and made.words not in COUNTRIES)):
        return
    by_noun = next(filter(None, map(lexicon.gender_of_noun, _clues(tokens, start, lowered))), "")
    made.titled = bool(by_noun)
    # may be only the first word of a sentence: "Will", "Grace"
    word = made.entity != "PERSON" and made.end - start == 1 and in_dictionary(first.lower())
    made.gender = by_noun if by_noun or word else lexicon.gender_of_first_name(first)
    made.person = made.entity == "PERSON" or (not made.entity and (bool(made.gender) or known))


def _entity_by_noun(name: Markable) -> str:
    """Returns the more reliable entity type given by a noun in the name: "Rhodes [College]", "[Mount] Ararat"."""
    if name.end - name.start == 1 or name.entity not in ("", "PERSON", "ORG"):
        return ""
    if name.words[-1] in lexicon.INSTITUTION_NOUNS:
        return "ORG"
    return "FAC" if name.words[0] in lexicon.PLACE_NOUNS else ""


def _is_plural_name(name: Markable, tokens: Sequence[Token]) -> bool:
    if tokens[name.head].tag not in ("NNPS", "NNS") or name.entity == "PERSON":
        return False
    before = tokens[name.start - 1].text.lower() if name.start else ""
    return name.entity in ("ORG", "NORP") or before in ("the", "these", "those") or _has_plural_verb(tokens, name.head)


def _has_plural_verb(tokens: Sequence[Token], noun: int) -> bool:
    """Whether a noun is the subject of a plural verb: "Aardwolves are shy"."""
    verb = tokens[noun].head
    if tokens[noun].dep not in ("nsubj", "nsubjpass") or tokens[verb].tag == "MD":
        return False
    group = [tokens[verb], *(t for t in tokens if t.head == verb and t.dep in ("aux", "auxpass"))]
    return any(t.tag == "VBP" or t.text.lower() == "were" for t in group)


def namesake_end(made: Markable, tokens: Sequence[Token]) -> int:
    """Returns the end of the person's name that begins an institution's name ("[Andrei Tarkovsky] Museum"), or 0."""
    if made.words[-1] not in lexicon.INSTITUTION_NOUNS or tokens[made.start].text not in lexicon.FIRST_NAMES:
        return 0
    own = range(made.start, made.end)
    inside = (k for k in own if not tokens[k].text[0].isupper() or tokens[k].text.lower() in lexicon.INSTITUTION_NOUNS)
    end = next(inside, made.end)
    return end if 2 <= end - made.start <= 3 else 0


def _clues(tokens: Sequence[Token], start: int, lowered: list[str]) -> list[str]:
    """Returns words that may show a name's gender: its title, and descriptions before it ("the actress Ann Lee")."""
    clues = [lowered[0]]
    before = start - 1
    while before >= 0 and start - before <= 3 and tokens[before].pos in ("NOUN", "PROPN"):
        clues.append(tokens[before].text.lower().rstrip("."))
        before -= 1
    return clues


def describe_nominal(made: Markable, tokens: Sequence[Token]) -> None:
    """Sets the lemma, gender, number and personhood of a noun phrase."""
    head = tokens[made.head]
    lemma = head.lemma.lower()
    made.words = (lemma,)
    made.gender = lexicon.gender_of_noun(lemma) or lexicon.gender_of_noun(head.text.lower())
    made.person = bool(made.gender) or lemma in lexicon.PERSON_NOUNS
    made.plural = head.tag == "NNS"
    if made.person and not made.gender and made.head > made.start:
        before = tokens[made.head - 1].text.lower()
        made.gender = {"male": lexicon.MALE, "female": lexicon.FEMALE}.get(before, lexicon.gender_of_noun(before))


@lru_cache(maxsize=4096)
def in_dictionary(word: str) -> bool:
    """Whether a lower-case word is in the English dictionary."""
    return bool(getAllLemmas(word))


_NOT_NAMES = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"})
_INSIDE_PHRASE = frozenset(
    {"det", "amod", "compound", "poss", "nummod", "nmod", "quantmod", "predet", "punct", "advmod", "neg"}
)
_POSSESSIVE_MARKS = frozenset({"'s", "’s", "'", "’"})
_NOT_LAST = frozenset({"VERB", "AUX", "ADP", "SCONJ", "ADV", "CCONJ"})
_NOT_HEADS = frozenset({"compound", "nmod", "amod", "npadvmod", "nummod", "quantmod"})
_LONGEST_LIST = 25  # maximum number of tokens between the first and last mention of a group with commas


def find_mentions(sentences: Sequence[Sentence], syntaxes: Sequence[Syntax]) -> list[Markable]:
    """Returns a document's markables in text order; the longer of two that begin together comes first."""
    found: list[Markable] = []
    offset = 0
    for number, (sentence, syntax) in enumerate(zip(sentences, syntaxes, strict=True)):
        found.extend(_in_sentence(number, sentence.tokens, syntax, offset))
        offset += len(sentence.tokens)
    return found


def _in_sentence(number: int, tokens: Sequence[Token], syntax: Syntax, offset: int) -> list[Markable]:
    found = []
    in_name = bytearray(len(tokens))
    for start, end, entity in _name_spans(tokens):
        made = Markable(number, start, end, head_of(tokens, start, end), offset=offset, kind=NAME, syntax=syntax)
        made.entity = entity
        describe_name(made, tokens)
        inner = namesake_end(made, tokens)
        if inner:
            named = Markable(number, start, inner, inner - 1, offset=offset, kind=NAME, syntax=syntax)
            named.entity = "PERSON"
            describe_name(named, tokens)
            found.append(named)
        in_name[start:end] = b"\1" * (end - start)
        found.append(made)
    left = _left_edges(tokens)
    for index, (text, _, _, pos, dep, _, _, _) in enumerate(tokens):
        if pos == "NOUN":
            if not in_name[index] and dep not in _NOT_HEADS:
                made = Markable(number, left[index], index + 1, index, offset=offset, kind=NOMINAL, syntax=syntax)
                describe_nominal(made, tokens)
                found.append(made)
        elif pos != "PROPN" and len(text) < 11:
            gender = lexicon.PRONOUNS.get(text.lower())
            if gender and not in_name[index]:
                made = Markable(number, index, index + 1, index, offset=offset, kind=PRONOUN, syntax=syntax)
                made.gender = gender
                found.append(made)
    found.extend(_groups(found, tokens, offset, syntax))
    found.sort(key=lambda m: (m.start, -m.end))
    return found


def _name_spans(tokens: Sequence[Token]) -> list[tuple[int, int, str]]:
    """Returns entities other than dates and amounts, runs of other proper nouns, and unknown capitalised words."""
    spans: list[tuple[int, int, str]] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = index + 1
        if token.entity:
            while end < len(tokens) and tokens[end].entity[:2] == "I-":
                end += 1
            entity = token.entity[2:]
            if entity == "PERSON":
                spans.extend(_persons_apart(tokens, index, end))
            elif entity not in _NOT_NAMES:
                spans.append((index, end, entity))
        elif token.pos == "PROPN":
            while end < len(tokens) and tokens[end].pos == "PROPN" and not tokens[end].entity:
                end += 1
            spans.append((index, end, ""))
        elif token.text[0].isupper() and _mistagged(token, index):
            spans.append((index, end, ""))
        index = end
    trimmed = (_trim(tokens, *span) for span in _joined(tokens, spans))
    return [span for span in trimmed if span is not None]


def _persons_apart(tokens: Sequence[Token], start: int, end: int) -> list[tuple[int, int, str]]:
    """Splits an entity of type PERSON at conjunctions, verbs and colons: "George and Betty", "Kay realizes Connie"."""
    spans = []
    for index in range(start, end):
        token = tokens[index]
        verb = token.pos in ("VERB", "AUX") and token.text[0].islower()
        if verb or token.tag == "CC" or token.text in (":", ";", "(", "&"):
            if index > start:
                spans.append((start, index, "PERSON"))
            start = index + 1
    return [*spans, (start, end, "PERSON")] if start < end else spans


def _joined(tokens: Sequence[Token], spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Joins a run of proper nouns to an adjacent person's name that it is part of: "Judge" + "Ann Lee"."""
    joined: list[tuple[int, int, str]] = []
    for start, end, entity in spans:
        before, middle, other = joined[-1] if joined else (0, -1, "")
        if middle == start and {entity, other} in ({"", "PERSON"}, {""}):
            above = any(start <= t.head < end for t in tokens[before:start])
            if above or any(before <= t.head < start for t in tokens[start:end]):
                joined[-1] = before, end, entity or other
                continue
        joined.append((start, end, entity))
    return joined


def _mistagged(token: Token, index: int) -> bool:
    """Whether a capitalised word must be a name, whatever its tag: a first name, or an unknown noun ("Ruiz")."""
    text = token.text
    if not text.isalpha() or text.isupper() or token.pos == "PRON":
        return False
    if index > 0 and text in lexicon.FIRST_NAMES:
        return True
    return (text in lexicon.FIRST_NAMES or token.pos == "NOUN") and not in_dictionary(text.lower())


def _trim(tokens: Sequence[Token], start: int, end: int, entity: str) -> tuple[int, int, str] | None:
    """Strips marks and articles, and lower-case words around a person ("[stab] Collins") other than "van" and the
    like."""
    if entity in ("", "PERSON"):
        while end - start > 1 and _is_common(tokens[start]):
            start += 1
        while end - start > 1 and _is_common(tokens[end - 1]) and tokens[end - 1].pos in _NOT_LAST:
            end -= 1
    while end > start:
        last = tokens[end - 1]
        if last.text not in _POSSESSIVE_MARKS and (last.pos != "PUNCT" or last.text == "."):
            break
        end -= 1
    while start < end - 1 and (tokens[start].text.lower() in ARTICLES or tokens[start].pos == "PUNCT"):
        start += 1
    return (start, end, entity) if any(t.text[0].isupper() for t in tokens[start:end]) else None


def _is_common(token: Token) -> bool:
    return token.text.islower() and token.text.isalpha() and token.text not in lexicon.PARTICLES


def head_of(tokens: Sequence[Token], start: int, end: int) -> int:
    """Returns the first token of [start, end) whose head is outside, or the last one if there is none."""
    for index in range(start, end):
        head = tokens[index].head
        if (head < start or head >= end or head == index) and tokens[index].pos != "PUNCT":
            return index
    return end - 1


def _left_edges(tokens: Sequence[Token]) -> list[int]:
    """Returns, for each token, the start of the base noun phrase that it heads."""
    left = list(range(len(tokens)))
    for index, (_, _, _, _, dep, head, _, _) in enumerate(tokens):
        if head > index and dep in _INSIDE_PHRASE and left[index] < left[head]:
            left[head] = left[index]
    return left


def _groups(found: list[Markable], tokens: Sequence[Token], offset: int, syntax: Syntax) -> list[Markable]:
    """Returns coordinations: mentions joined by "and" whose heads are conjuncts, grouped from first to last."""
    by_head = {m.head: m for m in found if m.kind != PRONOUN}
    last: dict[int, Markable] = {}
    for m in found:
        if m.kind != PRONOUN and tokens[m.head].dep == "conj":
            base = syntax.base(m.head)
            last[base] = max(last.get(base, m), m, key=lambda m: m.head)
    groups = []
    for first, end in ((by_head[base], end) for base, end in last.items() if base in by_head):
        between = {t.text.lower() for t in tokens[first.end : end.start]}
        if "and" in between and ("," not in between or end.start - first.end <= _LONGEST_LIST):
            made = Markable(first.sentence, first.start, end.end, first.head, offset=offset, kind=GROUP, syntax=syntax)
            made.person, made.plural = first.person and end.person, True
            made.words = (*first.words, "and", *end.words)
            groups.append(made)
    return groups
