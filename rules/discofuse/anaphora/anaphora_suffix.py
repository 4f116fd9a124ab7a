"""The ANAPHORA suffix of the released data: an anaphor in the second half of a text has its antecedent in the first.

The suffix reproduces the findings of the resolver used for that data; it does not imply a replacement. If a coreference
link gives a pronoun an antecedent, the link decides. Otherwise the parse decides: the pronoun must agree with a noun in
the first half, and with none before it in the second half. A name counts if it is repeated in another form; a nominal
("the property") does not.

A pair that no rule matches is in the control class PAIR_NONE, unless its second sentence refers to the first and a rule
would match if the antecedent were certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.anaphora.mentions import LINKS, Scene
from gistmill.rules.discofuse.anaphora.places_of_links import LIKELY
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.nouns.noun_phrases import DEMONSTRATIVES
from gistmill.rules.discofuse.nouns.references import agreeing, agrees, barred_subject, is_empty
from gistmill.rules.discofuse.parse import NAME_TAGS, NOMINAL_SUBJECTS, NOUNS, TIME_ENTITIES, WORDS, Parse
from gistmill.rules.documents import Mention

# Links of at least this confidence outweigh a pronoun of the same class: "he asks her to marry Delestang , while he".
_SURE = 0.895


class Evidence(Enum):
    """The evidence that a word is an anaphor."""

    LINK = "link"  # a coreference link
    PREDICATE = "predicate"  # a pronoun in the first half has a predicate noun: "He was a captain . He"
    CANDIDATE = "candidate"  # a noun in the first half agrees with it
    NAME = "name"  # a name in another form
    EXPLAINED = "explained"  # also a link, but the second half itself names the referent
    EMPTY = "empty"  # an "it" without a referent, although the first half has a candidate


# Evidence for words that the second half itself explains.
CLEAR = frozenset((Evidence.NAME, Evidence.EXPLAINED, Evidence.EMPTY))


class Anaphor(NamedTuple):
    """The position of the anaphor's first word in its sentence, and the evidence for it."""

    position: int
    evidence: Evidence


def find_anaphora_suffix(scene: Scene) -> Anaphor | None:
    """Returns the first anaphor in the second half whose antecedent is in the first, preferably one that the second
    half does not explain; None if there is none."""
    clear: Anaphor | None = None
    for position in range(scene.anaphors.start, scene.anaphors.end):
        gender = _pronoun(scene.second, position)
        evidence = None if gender is None else _evidence(scene, position, gender)
        if evidence in CLEAR:
            clear = clear or Anaphor(position, evidence)
        elif evidence is not None:
            return Anaphor(position, evidence)
    name = find_name_form(scene) if clear is None else None
    return clear if name is None else Anaphor(name, Evidence.NAME)


def _pronoun(parse: Parse, position: int) -> str | None:
    """Returns the class (m, f, n, p) of a third-person personal or possessive pronoun; None for reflexives."""
    personal = parse.tokens[position].tag in ("PRP", "PRP$") and parse.lower[position] not in lexicon.REFLEXIVES
    return lexicon.PRONOUNS.get(parse.lower[position]) if personal else None


def _evidence(scene: Scene, position: int, gender: str) -> Evidence | None:
    binder = barred_subject(scene.second, position)
    cluster, confidence = _link(scene.clusters, scene.anaphors.sentence, position)
    # Whether a link wrongly makes an object coreferent with its subject.
    if any(m.head == binder and m.sentence == scene.anaphors.sentence for m in cluster):
        cluster = ()
    there = [m for m in cluster if m.kind != "pronoun" and scene.antecedents.holds(m)]
    rivals = _rivals(scene, gender)
    sure = bool(there) and gender in lexicon.GENDERED and confidence >= _SURE
    # predicate nouns that describe the rivals: "He was a captain"
    said = (_predicate(scene.first, k) for k in rivals)
    if not sure and not all(k is not None and scene.first.tokens[k].tag.startswith("NN") for k in said):
        return None
    if any(agrees(scene.first, m.head, gender, named=m.kind == "name") for m in there):
        named = any(m.kind != "pronoun" and m.head < position and scene.anaphors.holds(m) for m in cluster)
        return Evidence.EXPLAINED if named else Evidence.LINK
    before = len(cluster) == 1 or any(scene.anaphors.holds(m) and m.head < position for m in cluster)
    if confidence >= LIKELY and before and not any(map(scene.antecedents.holds, cluster)):
        return None  # the linked antecedent is not in the first half: it is before both halves, or in the second
    return _by_place(scene, position, gender, binder, rivals)


def _by_place(scene: Scene, position: int, gender: str, binder: int | None, rivals: Sequence[int]) -> Evidence | None:
    """Returns the evidence for a pronoun without a link: it agrees with a noun in the first half and no nearer noun."""
    nearer = agreeing(scene.second, scene.anaphors.start, position, gender)
    if any(k != binder and not _is_part(scene.second, position, k) for k in nearer):
        return None
    if rivals:
        return Evidence.PREDICATE
    shared = binder if scene.first is scene.second else None
    if all(k == shared for k in agreeing(scene.first, scene.antecedents.start, scene.antecedents.end, gender)):
        return None
    return Evidence.EMPTY if is_empty(scene.second, position) else Evidence.CANDIDATE


def _is_part(parse: Parse, position: int, head: int) -> bool:
    """Whether a pronoun is part of a noun phrase that it cannot refer to: "the price of its parts", but not "the man
    who lost his hat", where it is inside a clause."""
    return next((k for k in parse.ancestors(position) if k == head or parse.is_verb(k)), None) == head


def _link(clusters: Sequence[Sequence[Mention]], sentence: int, position: int) -> tuple[Sequence[Mention], float]:
    """Returns the cluster of the pronoun at a position, and its confidence."""
    place = sentence, position, "pronoun"
    found = ((cluster, m.confidence) for cluster in clusters for m in cluster if (m.sentence, m.head, m.kind) == place)
    return next(found, ((), 0.0))


def _rivals(scene: Scene, gender: str) -> list[int]:
    """Returns the pronouns of the same class in the first half that have neither an antecedent nor a description there
    and, for an "it", a "this" or "that" that is the first half's main subject.

    The second half continues such a pronoun, as in "They have talents , but some of them".
    """
    first, found = scene.first, []
    for k in range(scene.antecedents.start, scene.antecedents.end):
        if first.lower[k] in ("this", "that"):
            if gender == lexicon.NEUTER and first.is_main_subject(k):
                found.append(k)
        elif _pronoun(first, k) == gender and not is_empty(first, k) and not _is_resolved(scene, k, gender):
            found.append(k)
    return found


def _is_resolved(scene: Scene, position: int, gender: str) -> bool:
    """Whether a pronoun in the first half has its antecedent there.

    For the main subject, only a link that continues in the second half counts. For other pronouns without a link, the
    following main subject ("While they were small , the galleries") or a preceding noun phrase counts as the
    antecedent.
    """
    first, region = scene.first, scene.antecedents
    cluster, _ = _link(scene.clusters, region.sentence, position)
    named = any(m.kind != "pronoun" and region.holds(m) for m in cluster)
    if first.is_main_subject(position):
        return named and any(scene.anaphors.holds(m) for m in cluster)
    subject = first.subject(first.root(), after=position)
    ahead = subject is not None and first.left_edge(subject) > position and first.tokens[subject].pos != "PRON"
    if named or (ahead and subject is not None and agrees(first, subject, gender)):
        return True
    binder = barred_subject(first, position)
    return any(k != binder for k in agreeing(first, region.start, position, gender))


def _predicate(parse: Parse, subject: int) -> int | None:
    """Returns the predicate noun or adjective that describes a subject, if there is one."""
    token = parse.tokens[subject]
    predicate = parse.child(token.head, "attr", "oprd") if token.dep in NOMINAL_SUBJECTS else None
    return predicate if predicate is not None and predicate > subject else None


# Minimum number of letters shared by forms of a name, and the maximum lengths of the shorter and longer differing ends.
_STEM, _SHORT_END, _LONG_END = 4, 2, 3
# Peoples whose names begin differently from their countries'.
_IRREGULAR = {word: forms for forms in WORDS["peoples"] for word in forms.split()}
# Two-word names of countries: the second word with its first.
_SECOND_WORDS = {"states": "united", "kingdom": "united", "union": "soviet"}


class _Name(NamedTuple):
    """A run of proper nouns: its position, words, and labels from the entity recogniser and the parser."""

    start: int
    last: int
    words: list[str]
    is_person: bool
    is_place: bool
    modifies: bool


def find_name_form(scene: Scene) -> int | None:
    """Returns the position of a name in the second half that has another form in the first half; None if there is none.

    Parts of a name count, and so does a person's name that completes one. An identical name counts only if the first
    half also describes it: the description is its other form. So do a people and its country: "Sudanese ... Sudan".
    """
    known = _names(scene.first, scene.antecedents)
    for name in _names(scene.second, scene.anaphors):
        same = (other for other in known if other.words == name.words)
        if any(_is_form(name, other) for other in known) or any(_is_described(scene.first, o.last) for o in same):
            return name.start
    there, here = _peoples(scene.first, scene.antecedents), _peoples(scene.second, scene.anaphors)
    forms = (at for word, at in here.items() if any(o not in here and _are_forms(word, o) for o in there))
    return next(forms, None)


def _names(parse: Parse, region: Region) -> list[_Name]:
    """Returns runs of proper nouns, including words such as "of" inside them and a capitalised article before them."""
    out: list[_Name] = []
    i = region.start
    while i < region.end:
        if parse.tokens[i].tag not in NAME_TAGS or parse.lower[i] in WORDS["calendar"]:
            i += 1
            continue
        start = i - 1 if i - 1 > region.start and parse.tokens[i - 1].text == "The" else i
        while i < region.end and (
            parse.tokens[i].tag in NAME_TAGS
            or (parse.lower[i] in LINKS and i + 1 < region.end and parse.tokens[i + 1].tag == "NNP")
        ):
            i += 1
        words, last, kind = [t.text for t in parse.tokens[start:i]], parse.tokens[i - 1], parse.tokens[i - 1].entity[2:]
        out.append(_Name(start, i - 1, words, kind == "PERSON", kind in ("GPE", "NORP", "LOC"), last.dep == "compound"))
    return out


def _is_described(parse: Parse, head: int) -> bool:
    """Whether an apposition or predicate noun describes the name, so that both refer to the same thing."""
    apposition, predicate = parse.child(head, "appos"), _predicate(parse, head)
    apposed = apposition is not None and parse.lower[parse.left_edge(apposition) - 1] == ","
    return apposed or (predicate is not None and parse.tokens[predicate].pos in NOUNS)


def _is_form(name: _Name, other: _Name) -> bool:
    """Whether a name is another form of an earlier one: a part of it, or a person's name that completes it."""
    if name.modifies:
        return False
    if name.is_person and _ends(other.words, name.words):
        return True
    place, size = name.is_place and not other.is_person, len(name.words)
    begins = len(other.words) > size and other.words[:size] == name.words
    return (_ends(name.words, other.words) and not (place and other.is_place)) or (not place and begins)


def _ends(part: Sequence[str], words: Sequence[str]) -> bool:
    size = len(part)
    return len(words) > size and words[-size:] == part and words[-size - 1] != "of"


def _peoples(parse: Parse, region: Region) -> dict[str, int]:
    """Returns the words for peoples and countries, with two-word names joined, and their first positions."""
    found: dict[str, int] = {}
    for i in range(region.start, region.end):
        token, word = parse.tokens[i], parse.lower[i]
        if token.entity in ("B-GPE", "I-GPE", "B-NORP", "I-NORP") and token.text[0].isupper():
            first = _SECOND_WORDS.get(word)
            joined = i > region.start and parse.lower[i - 1] == first
            found.setdefault(f"{first}_{word}" if joined else word, i)
    return found


def _are_forms(a: str, b: str) -> bool:
    if a in _IRREGULAR and _IRREGULAR[a] == _IRREGULAR.get(b):
        return True
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    short, long = sorted((len(a) - shared, len(b) - shared))
    return shared >= _STEM and short <= _SHORT_END and long <= _LONG_END


def find_back_reference(scene: Scene) -> int | None:
    """Returns the position of the first word in the second sentence that refers back to the first sentence, or None.

    These refer back: a third-person pronoun that the second sentence does not explain; a demonstrative, alone or with a
    noun; a definite noun that coreference links to a phrase in the first sentence with another noun.
    """
    second = scene.second
    for position, (_, _, tag, pos, _, _, _, _) in enumerate(second.tokens):
        if tag in ("PRP", "PRP$"):
            refers_back = _is_pronoun_back(scene, position)
        elif tag == "DT" and second.lower[position] in DEMONSTRATIVES:
            refers_back = _is_demonstrative_back(second, position)
        else:
            refers_back = pos in ("NOUN", "ADJ") and second.lower[position] in ("former", "latter")
        if refers_back:
            return position
    # the first definite noun linked to a phrase in the first sentence with another head
    for cluster in scene.clusters:
        there = [m for m in cluster if m.sentence == scene.antecedents.sentence and m.kind != "pronoun"]
        here = [m for m in cluster if m.sentence == scene.anaphors.sentence]
        if there and here and here[0].kind == "nominal" and second.lower[here[0].start] == "the":
            lemma = second.tokens[here[0].head].lemma.lower()
            if all(scene.first.tokens[m.head].lemma.lower() != lemma for m in there):
                return here[0].head
    return None


def _is_pronoun_back(scene: Scene, position: int) -> bool:
    """Whether the second sentence leaves a third-person pronoun unexplained: no name or noun in its cluster or, without
    a likely link, no preceding subject explains it."""
    second = scene.second
    word, token = second.lower[position], second.tokens[position]
    gender = lexicon.PRONOUNS.get(word)
    if gender is None or word in lexicon.REFLEXIVES or is_empty(second, position):
        return False
    for cluster in scene.clusters:
        here = [m for m in cluster if m.sentence == scene.anaphors.sentence]
        own = next((m for m in here if m.head == position and m.kind == "pronoun"), None)
        if own is not None and own.confidence >= LIKELY:
            return all(m.kind == "pronoun" for m in here)
    # coreference finds no antecedent for an "it" that has a referent
    before = (second.tokens[k] for k in agreeing(second, 0, position, gender))
    subjects = (t for t in before if t.dep in NOMINAL_SUBJECTS)
    return word == "it" or not any(token.dep == "poss" or t.head != token.head for t in subjects)


def _is_demonstrative_back(second: Parse, position: int) -> bool:
    """Whether "this" or "this mill" refers back, unlike "this year" or a demonstrative restricted by what follows it,
    as in "that of the mill" and "those who left"."""
    token = second.tokens[position]
    head = token.head if token.dep == "det" else position
    if token.dep in ("mark", "advmod") or (head != position and second.tokens[head].entity[2:] in TIME_ENTITIES):
        return False
    behind = [(k, second.tokens[k].dep) for k in second.children(head) if k > head]
    return not any(dep in ("relcl", "acl") or (dep == "prep" and k == head + 1) for k, dep in behind)
