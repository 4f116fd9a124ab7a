"""The reasons against the replacement of an anaphor by the phrase of its antecedent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.core.records import Reason
from gistmill.rules.coreference.lexicon import FEMALE, MALE, PRONOUNS
from gistmill.rules.discofuse.anaphora.antecedents import end_of
from gistmill.rules.discofuse.checks import Check, Region, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import (
    PERSONAL_WORDS,
    PLURAL_WORDS,
    agrees,
    commands,
    is_empty,
    is_personal,
)
from gistmill.rules.discofuse.parse import NAME_TAGS, NOMINAL_SUBJECTS, NOUNS, Parse, Words
from gistmill.rules.documents import Mention
from gistmill.rules.languages.language import ENGLISH, english_words, language_named

LINKS = frozenset(("of", "de", "van", "von"))
_PLACES = frozenset(("GPE", "NORP", "LOC"))
_PEOPLES = frozenset(("B-GPE", "I-GPE", "B-NORP", "I-NORP"))
_CALENDAR = english_words("discofuse", "calendar")
# The letters that forms of one name share at least, and those in which the shorter and the longer one end differently.
_STEM, _SHORT_END, _LONG_END = 4, 2, 3
# Peoples whose names do not begin like their countries'.
_IRREGULAR = {
    word: group
    for group, words in enumerate(language_named(ENGLISH).tables["discofuse"]["peoples"])
    for word in words.split()
}
# Countries of two words that are one: the second word to the first.
_SECOND_WORDS = {"states": "united", "kingdom": "united", "union": "soviet"}


@dataclass(frozen=True, slots=True)
class _Name:
    """A run of proper nouns: its words, and what the entity recogniser and the parser take it for."""

    words: Sequence[str]
    is_person: bool
    is_place: bool
    modifies: bool

    @classmethod
    def at(cls, parse: Parse, start: int, end: int) -> _Name:
        tokens = parse.tokens[start:end]
        entity = tokens[-1].entity[2:]
        return cls([t.text for t in tokens], entity == "PERSON", entity in _PLACES, tokens[-1].dep == "compound")


def find(first: Parse, second: Parse, antecedents: Region, anaphors: Region) -> int | None:
    """Returns the position of a name in the second half that the first half has in another form; None if there is none.

    A part of a name counts, and a person's name that completes one. An equal name does not, unless the
    first half also says what it is: then that is its other form.
    """
    there = _names(first, antecedents)
    known = [_Name.at(first, *span) for span in there]
    for start, end in _names(second, anaphors):
        name = _Name.at(second, start, end)
        if any(_is_form(name, other) for other in known) or any(
            other.words == name.words and _is_described(first, last - 1)
            for (_, last), other in zip(there, known, strict=True)
        ):
            return start
    return _people(first, second, antecedents, anaphors)


def _names(parse: Parse, region: Region) -> list[tuple[int, int]]:
    """Runs of proper nouns, with "of" and the like inside and a capital article before them."""
    out: list[tuple[int, int]] = []
    i = region.start
    while i < region.end:
        if parse.tokens[i].tag not in NAME_TAGS or parse.lower[i] in _CALENDAR:
            i += 1
            continue
        start = i - 1 if i - 1 > region.start and parse.tokens[i - 1].text == "The" else i
        while i < region.end and (
            parse.tokens[i].tag in NAME_TAGS
            or (parse.lower[i] in LINKS and i + 1 < region.end and parse.tokens[i + 1].tag == "NNP")
        ):
            i += 1
        out.append((start, i))
    return out


def _is_described(parse: Parse, head: int) -> bool:
    """Whether an apposition or a predicate noun says what the name is, so that both stand for it."""
    apposition = parse.child(head, "appos")
    if apposition is not None and parse.lower[parse.left_edge(apposition) - 1] == ",":
        return True
    token = parse.tokens[head]
    if token.dep not in NOMINAL_SUBJECTS:
        return False
    predicate = parse.child(token.head, "attr", "oprd")
    return predicate is not None and predicate > head and parse.tokens[predicate].pos in NOUNS


def _is_form(name: _Name, other: _Name) -> bool:
    """Whether a name is another form of one that came before: a part of it, or a person's name that completes it."""
    if name.modifies:
        return False
    if name.is_person and _ends(other.words, name.words):
        return True
    place = name.is_place and not other.is_person
    return (_ends(name.words, other.words) and not (place and other.is_place)) or (
        not place and _begins(name.words, other.words)
    )


def _ends(part: Sequence[str], words: Sequence[str]) -> bool:
    size = len(part)
    return len(words) > size and words[-size:] == part and words[-size - 1] != "of"


def _begins(part: Sequence[str], words: Sequence[str]) -> bool:
    size = len(part)
    return len(words) > size and words[:size] == part


def _people(first: Parse, second: Parse, antecedents: Region, anaphors: Region) -> int | None:
    """A people or country whose other form the first half has: "Sudanese ... Sudan"."""
    there, here = _peoples(first, antecedents), _peoples(second, anaphors)
    for word, position in here.items():
        if any(other not in here and _are_forms(word, other) for other in there):
            return position
    return None


def _peoples(parse: Parse, region: Region) -> dict[str, int]:
    """The words for peoples and countries, each with its first position; those of two words are joined."""
    found: dict[str, int] = {}
    for i in range(region.start, region.end):
        token, word = parse.tokens[i], parse.lower[i]
        if token.entity in _PEOPLES and token.text[0].isupper():
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


_SINGULAR = frozenset(("he", "him", "his", "she", "her", "it", "its"))
_MODIFIED = frozenset(("relcl", "acl", "conj", "appos"))
_COMPLEMENTS = frozenset(("of", "for", "between", "with"))


@dataclass(frozen=True, slots=True)
class AnaphorMatch:
    """An anaphor of the second half, and the phrase that would stand for it.

    Attributes:
        first, half: the sentence of the antecedent, and the half of the text in it.
        antecedent, words: the antecedent there, and its phrase.
        second, mention: the sentence of the anaphor, which may be the same, and the anaphor.
        cluster: all mentions of the same in both sentences.
    """

    first: Parse
    half: Region
    antecedent: Mention
    words: Words
    second: Parse
    mention: Mention
    cluster: Sequence[Mention]

    def heads_in(self, sentence: int) -> set[int]:
        """Returns the heads of the cluster's mentions in a sentence."""
        return {m.head for m in self.cluster if m.sentence == sentence}


def problem(match: AnaphorMatch) -> Reason | None:
    """Returns the reason against the replacement, or None."""
    return first_reason(PRONOUN_CHECKS if match.mention.kind == "pronoun" else NOUN_CHECKS, match.second, match)


def _goes_on(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether another noun or a number follows: "the cartoonist Lee", "Otto I"."""
    end = end_of(parse, match.mention)
    if end != match.mention.end or end == len(parse):
        return False
    return parse.tokens[end].pos in ("PROPN", "NOUN", "NUM") or parse.tokens[end].text == "I"


def _is_modified(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a nominal has a complement, a clause or a conjunct behind it."""
    mention = match.mention
    return mention.kind == "nominal" and any(
        parse.tokens[k].dep in _MODIFIED or (k == mention.end and parse.lower[k] in _COMPLEMENTS)
        for k in parse.children(mention.head)
        if k > mention.head
    )


def _is_end(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether it ends a longer phrase: "the younger Lee", "( Lee )"."""
    before = parse.tokens[match.mention.start - 1] if match.mention.start else None
    return before is not None and (before.pos in ("ADJ", "NOUN", "PROPN") or before.text in ("(", "-"))


def _ends_longer_name(parse: Parse, match: AnaphorMatch) -> bool:
    start = match.mention.start
    if start < 2 or match.mention.kind != "name" or parse.lower[start - 1] not in LINKS:
        return False
    return parse.tokens[start - 2].tag in NAME_TAGS or parse.tokens[start - 2].text == "I"


def _is_introduced(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a name is given where it stands: "a brother , Lee", "knows it as Lee", "a boat named Lee"."""
    token = parse.tokens[match.mention.head]
    above = parse.tokens[token.head]
    apposed = token.dep == "appos" and above.pos in NOUNS
    named = apposed or token.dep == "oprd" or (token.dep, above.text) == ("pobj", "as")
    return named and match.mention.kind == "name"


def _has_namesake(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the first text has the name for somebody or something else too: "Bo Lee met Al Lee . Lee left"."""
    if match.mention.kind != "name":
        return False
    own = parse.lower[match.mention.start : match.mention.end]
    end = match.mention.start if match.first is parse else len(match.first)
    known = match.heads_in(match.antecedent.sentence)
    return any(
        match.first.lower[i : i + len(own)] == own and known.isdisjoint(_heads_at(match.first, i + len(own) - 1))
        for i in range(end - len(own) + 1)
    )


def _heads_at(parse: Parse, position: int) -> tuple[int, ...]:
    """The position, and the heads of the names that it may be a part of: "University" of "The University of Oxford"."""
    at, found = position, [position]
    while parse.tokens[at].dep in ("compound", "nmod", "pobj", "prep") and parse.tokens[at].head != at:
        at = parse.tokens[at].head
        found.append(at)
    return tuple(found)


def _has_rival(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the first half has a pronoun of the same kind for something else.

    It has as its subject ("They have talents , but some of them" is not about the talents), or for another person of
    the same gender ("Leo thanked him . He left ."). In "He was a captain" the noun stands for the pronoun.
    """
    first, like, own = match.first, PRONOUNS.get(parse.lower[match.mention.head]), match.heads_in(match.half.sentence)
    for i in range(match.half.start, match.half.end):
        if PRONOUNS.get(first.lower[i]) != like or i in own:
            continue
        verb = first.tokens[i].head
        subject = first.tokens[i].dep in NOMINAL_SUBJECTS and first.on_main_line(verb)
        if (subject or like in (MALE, FEMALE)) and not (subject and first.child(verb, "attr") in own):
            return True
    return False


def _is_named_later(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a subject of the same clause says the name that would stand for the pronoun: "in their tongue , the
    Huns"."""
    own = {w.text.lower() for w in match.words if w.tag in NAME_TAGS}
    return any(
        m.kind == "name"
        and m.sentence == match.mention.sentence
        and m.start > match.mention.end
        and parse.lower[m.head] in own
        and commands(parse, m.head, match.mention.head)
        for m in match.cluster
    )


def _disagrees(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the antecedent is not of the pronoun's gender, or is somebody and "it"."""
    word, named = parse.lower[match.mention.head], match.antecedent.kind == "name"
    if word in PERSONAL_WORDS:
        return not agrees(match.first, match.antecedent.head, PRONOUNS[word], named=named)
    return word in ("it", "its") and is_personal(match.first, match.antecedent.head)


def _is_barred(_parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a pronoun beside the antecedent is said to be the same and cannot be, so that the links are wrong.

    A subject before it rules over it ("he praised the clerk": principle C), and an object is not what stands beside it
    in a prepositional phrase ("put saucers under them": principle B).
    """
    first, head = match.first, match.antecedent.head
    token = first.tokens[head]
    for m in match.cluster:
        if m.kind != "pronoun" or m.sentence != match.antecedent.sentence:
            continue
        pronoun = first.tokens[m.head]
        above = first.tokens[pronoun.head].head
        if pronoun.dep == "pobj" and token.dep == "dobj" and above in (token.head, head):
            return True
        if pronoun.dep in NOMINAL_SUBJECTS and m.head < head and token.dep != "attr" and commands(first, m.head, head):
            return True
    return False


def _means_nothing(parse: Parse, match: AnaphorMatch) -> bool:
    return is_empty(parse, match.mention.head)


def _is_many(match: AnaphorMatch) -> bool:
    """Whether the antecedent is a plural, by its form or by its verb ("Caecilians resemble"); a person's name is none,
    whatever the tagger says."""
    first, token = match.first, match.first.tokens[match.antecedent.head]
    shown = first.number(token.head) if token.dep in NOMINAL_SUBJECTS and token.tag == "NNP" else None
    other = first.child(match.antecedent.head, "conj")
    alone = other is None or other >= match.antecedent.end
    if alone and token.entity.endswith("PERSON"):
        return False
    return is_plural(first, match.antecedent.head) or shown == "plural"


def _has_other_verb(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the verb of which the phrase becomes the subject has another number."""
    head = match.mention.head
    token = parse.tokens[head]
    if token.dep not in NOMINAL_SUBJECTS or parse.child(head, "conj") is not None:
        return False
    predicate = parse.child(token.head, "attr")
    lovers = predicate is not None and parse.tokens[predicate].tag == "NNS" and parse.lower[head] in PLURAL_WORDS
    number = parse.number(token.head) or ("plural" if lovers else None)  # "they had become lovers"
    return number is not None and _is_many(match) != (number == "plural")


def _is_not_one(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a singular would stand for a plural that is no name, or for "the team" that "are"."""
    first, token = match.first, match.first.tokens[match.antecedent.head]
    said = token.tag == "NN" and token.dep in NOMINAL_SUBJECTS and first.on_main_line(token.head)
    many = (token.tag == "NNS" and _is_many(match)) or (said and first.number(token.head) == "plural")
    return many and parse.lower[match.mention.head] in _SINGULAR


NOUN_CHECKS: tuple[Check[AnaphorMatch], ...] = (
    Check("anaphor.goes-on", R.WRONG_SCOPE, _goes_on,
          "Henry Lee was king of Ulm. Henry I ruled the town for years.",
          "Henry Lee was king of Ulm. Henry ruled the town for years."),
    Check("anaphor.introduced", R.WRONG_SCOPE, _is_introduced,
          "Ann Lee came home late. The men knew the boat as Lee.", "Ann Lee came home late. The men knew Lee."),
    Check("anaphor.longer-name", R.WRONG_SCOPE, _ends_longer_name,
          "Ada Courtenay sold the mill. Her friend was Elisabeth of Courtenay.",
          "Ada Courtenay sold the mill. The town thanked Courtenay."),
    Check("anaphor.modified", R.WRONG_SCOPE, _is_modified,
          "He bought an old mill in Kent. In May, the mill and the house burned.",
          "He bought an old mill in Kent. In May, the mill burned."),
    Check("anaphor.end", R.WRONG_SCOPE, _is_end,
          "Ann Lee sold the mill. The people liked old Lee.", "Ann Lee sold the mill. The people liked Lee."),
    Check("anaphor.namesake", R.WRONG_SCOPE, _has_namesake,
          "Ann Lee met Bo Lee in May. In June, Lee sold the mill.",
          "Ann Lee met the mayor in May. In June, Lee sold the mill."),
    Check("anaphor.verb", R.NUMBER, _has_other_verb,
          "The Leeds Mills closed in May. The Mills is in Kent.",
          "The Leeds Mills closed in May. The Mills are in Kent."),
)  # fmt: skip
PRONOUN_CHECKS: tuple[Check[AnaphorMatch], ...] = (
    Check("pronoun.rival", R.UNCERTAIN_COREFERENCE, _has_rival,
          "He met Lee in the town. He left early.", "Lee met the mayor. He left early."),
    Check("pronoun.named-later", R.REPEATED_ANTECEDENT, _is_named_later,
          "Lee sold the mill. In his speech, Lee thanked the town.", "Lee sold the mill. His speech was long."),
    Check("pronoun.disagrees", R.UNCERTAIN_COREFERENCE, _disagrees,
          "Mary sold the mill in May. He left the town.", "Lee sold the mill in May. She left the town."),
    Check("pronoun.barred", R.UNCERTAIN_COREFERENCE, _is_barred,
          "She knew that Ann Lee sold the mill. She left the town in May.",
          "The mayor of the town was ill. They helped him."),
    Check("pronoun.empty", R.UNCERTAIN_COREFERENCE, _means_nothing,
          "The old mill closed in May. It is for this reason that the men left.",
          "The mill stood in Kent. It burned in May."),
    Check("pronoun.verb", R.NUMBER, _has_other_verb,
          "The firm closed in May. They were rich.", "The firm closed in May. It was rich."),
    Check("pronoun.not-one", R.NUMBER, _is_not_one,
          "The family were rich. Its house was old.", "The family was rich. Its house was old."),
)  # fmt: skip
