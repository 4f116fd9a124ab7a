"""Completing a statement's names and dates so that it stands alone: first names, years, a name for "the film"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.rules.coreference.lexicon import PARTICLES, TITLES
from gistmill.rules.discofuse.nouns.references import is_empty
from gistmill.rules.discofuse.operations import is_word
from gistmill.rules.discofuse.parse import COMMA, NOUNS, PREMODIFIERS, Parse, Word, Words
from gistmill.rules.documents import Mention
from gistmill.rules.languages.language import english_table
from gistmill.rules.propositions.names import Antecedent, FullNames, person_names
from gistmill.rules.propositions.open_references import Open, OpenKind, is_definite
from gistmill.rules.propositions.splitting import Part
from gistmill.rules.propositions.subject import Subject


@dataclass(frozen=True, slots=True)
class Replaced:
    """A mention that was replaced.

    Attributes:
        start, end: its tokens in the part.
        here: its head there, which is also the position of the words that replace it.
        mention: the mention in its sentence. One of kind ``date`` is kept and followed by its year.
        antecedent: its antecedent.
        words: the new words, in the form required by their place.
    """

    start: int
    end: int
    here: int
    mention: Mention
    antecedent: Antecedent
    words: Words


_WORDS = english_table("propositions")
_BESIDE = frozenset(("-", "/", "&", "v.", "vs."))
_OF_NAMES = frozenset(("PROPN", "NOUN", "DET", "ADJ", "NUM"))
_MONTHS = "january february march april may june july august september october november december".split()
_YEAR, _DAY = re.compile(r"1[0-9]{3}|20[0-9]{2}"), re.compile(r"[1-9]|[12][0-9]|3[01]")
_YEARS = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b(?![–-])")
_FAR = 6  # sentences; the year may have changed after more
_RIGHT = 0.97  # share of correct years, and of correct names for "the film", in a reading


class Completion:
    """Completes the names and dates of statements.

    Attributes:
        names: the full names in the document.
        subject: the subject of the document.

    Args:
        parses: the parses of its sentences.
        title: title of the document.
        section_titles: titles of its sections.
    """

    def __init__(self, parses: Sequence[Parse], title: str, section_titles: Sequence[str]) -> None:
        self.names, self.subject = FullNames(parses, title), Subject(parses, title)
        self._parses, self._title, self._section_titles = parses, title, section_titles

    def of(self, part: Part, sentence: int, given: Sequence[Replaced]) -> Iterator[Replaced | Open | int]:
        """Yields mentions with fuller forms, words that the text does not complete, and positions that are clear.

        A person's first surname is replaced with the full name, and the first words that refer to the document's
        subject without naming it ("the film", or "it" if the previous sentence has the same subject) with its name.
        Dates in the past get the last year mentioned in their section, unless the part contains a year.

        Args:
            part: part of a sentence.
            sentence: index of the sentence in the document.
            given: the mentions already replaced.
        """
        yield from self._surnames(part, sentence, given)
        yield from self._dates(part, sentence)
        yield from self._subject(part, sentence, given)

    def _surnames(self, part: Part, sentence: int, given: Sequence[Replaced]) -> Iterator[Replaced | Open]:
        parse = part.parse
        said = {tuple(t.text for t in parse.tokens[start:end]) for start, end in person_names(parse)}
        said |= {tuple(w.text for w in r.words if w.entity.endswith("PERSON")) for r in given}
        taken = {k for r in given for k in range(r.start, r.end)}
        for start, end in self.names.mentions(parse):
            surname = tuple(t.text for t in parse.tokens[start:end])
            if part.origins[start] < 0 or not taken.isdisjoint(range(start, end)) or not _is_surname(parse, start, end):
                continue
            if any(set(surname) < set(name) for name in said):
                continue
            found = self.names.of(surname)
            if len(found) == 1:
                said.add(tuple(w.text for w in found[0].words))
                yield _replaced(part, (sentence, start, end), "name", found[0], found[0].words)
            elif found:
                yield Open(OpenKind.SURNAME, start, end)

    def _dates(self, part: Part, sentence: int) -> Iterator[Replaced | Open]:
        parse, root = part.parse, part.parse.root()
        unreal = any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(root))
        if unreal or not parse.past(root) or any(map(_YEAR.fullmatch, parse.lower)):
            return
        for k in range(len(parse)):
            month, behind = _month(parse, k), parse.tokens[k + 1 : k + 2]
            if month is None or parse.lower[k - 1] in _WORDS["counting"] or any(t.pos == "PROPN" for t in behind):
                continue  # "the following March", "May Day"
            day_first = k > 0 and _DAY.fullmatch(parse.lower[k - 1]) is not None
            day_last = not day_first and any(_DAY.fullmatch(t.text) for t in behind)
            start, end = k - day_first, k + 1 + day_last
            year = self._year(sentence, part.origins[start], month) if part.origins[start] >= 0 else None
            if year is None:
                yield Open(OpenKind.TIME, start, end)
                continue
            words = [w._replace(space=True) for w in parse.words[start:end]]
            if day_last:  # "October 19, 2022"
                words[-1:] = [words[-1]._replace(space=False), COMMA._replace(entity="I-DATE")]
            written = Word(year[0], True, "CD", "NUM", "nummod", year[0], "I-DATE", year[1].head)
            antecedent = Antecedent(year[1], (written,), _RIGHT)
            yield _replaced(part, (sentence, start, end), "date", antecedent, (*words, written))

    def _year(self, sentence: int, start: int, month: int) -> tuple[str, Mention] | None:
        """Returns the year of a month and its position (in sentence -1 if from a title). None if it is uncertain,
        because the text mentions two years together, or a later month since."""
        section = self._parses[sentence].sentence.section
        for index in range(sentence, max(sentence - _FAR, 0) - 1, -1):
            parse = self._parses[index]
            if parse.sentence.section != section:
                break
            before = range(start if index == sentence else len(parse))
            found = [k for k in before if _YEAR.fullmatch(parse.lower[k])]
            for k in reversed(range(max(found[0] - 3, 0) if found else 0, len(before))):
                earlier = _month(parse, k)
                if earlier is not None and earlier > month:
                    return None
                month = month if earlier is None else earlier
            if found:
                k, one = found[0], len({parse.lower[k] for k in found}) == 1
                return (parse.lower[k], Mention(index, k, k + 1, k, "date")) if one and parse.tokens[k].entity else None
        titles = (*self._section_titles[section : section + 1], self._title)
        years = next(filter(None, map(_YEARS.findall, titles)), [])
        return (years[0], Mention(-1, 0, 1, 0, "date")) if len(years) == 1 else None

    def _subject(self, part: Part, sentence: int, given: Sequence[Replaced]) -> Iterator[Replaced | int]:
        parse, subject = part.parse, self.subject
        taken = {k for r in given for k in range(r.start, r.end)}
        spans = list(subject.named_in(parse))
        yield from (k for span in spans for k in range(*span))
        name = [w.text for w in subject.words if w.pos != "DET"]
        start, end = spans[0] if spans else (0, 0)
        beside = (*parse.tokens[max(start - 1, 0) : start], *parse.tokens[end : end + 1])
        bare = bool(spans) and not parse.in_quotation(start) and not any(t.pos in _OF_NAMES for t in beside)
        antecedent = Antecedent(subject.mention, subject.words, _RIGHT)
        if subject.is_work and bare and subject.nouns.isdisjoint(parse.lower) and part.origins[start] >= 0:
            yield _replaced(part, (sentence, start, end), "name", antecedent, subject.words)
        if bare and start <= (parse.subject(parse.root()) or 0) < end:
            yield from (k for k in range(end, len(parse)) if parse.lower[k] == "its")
        by = (r.start for r in given if [w.text for w in r.words if w.pos != "DET"][: len(name)] == name)
        named = min((*by, *(end for _, end in spans)), default=len(parse))
        for k in range(len(parse)) if subject.words else ():
            it = k == parse.subject(parse.root()) and parse.lower[k] == "it" and not is_empty(parse, k)
            it = it and not {"it", "its", ";"}.intersection(parse.lower[:k]) and subject.goes_on(sentence)
            start = k if it else k - 1
            if start < 0 or not taken.isdisjoint((start, k)) or part.origins[start] < 0:
                continue
            if not it and not (is_definite(parse, start) and subject.is_called(sentence, parse, k)):
                continue
            if named < k:
                yield from (start, k)
                continue
            named, kind = k, "pronoun" if it else "nominal"
            yield _replaced(part, (sentence, start, k + 1), kind, antecedent, subject.words)


def _replaced(
    part: Part, span: tuple[int, int, int], kind: str, antecedent: Antecedent, words: Sequence[Word]
) -> Replaced:
    """Returns the replacement of a part's tokens with words, which take over their place in the tree."""
    sentence, start, end = span
    head, own = part.parse.words[end - 1], (part.origins[start], part.origins[end - 1] + 1)
    inner = [w._replace(position=head.position, head=head.head, dep="dep") for w in words]
    inner[-1] = inner[-1]._replace(dep=head.dep, space=head.space)
    return Replaced(start, end, end - 1, Mention(sentence, *own, own[1] - 1, kind), antecedent, tuple(inner))


def _is_surname(parse: Parse, start: int, end: int) -> bool:
    """Whether a person's name is only a surname: not "President Lincoln", "Lincoln Memorial" or "the Lincolns"."""
    before, head, behind = parse.tokens[max(start - 1, 0) : start], parse.tokens[end - 1], parse.tokens[end : end + 1]
    if end - start > 1 and parse.lower[start] not in PARTICLES:
        return False
    if any(t.pos in ("PROPN", "DET", "PART") or t.text.lower().removesuffix(".") in TITLES for t in before):
        return False
    if any(t.text in _BESIDE for t in (*before, *behind)) or any(t.pos == "PROPN" for t in behind):
        return False
    return head.pos == "PROPN" and head.dep not in PREMODIFIERS and not parse.in_quotation(start)


def _month(parse: Parse, k: int) -> int | None:
    """Returns the number of a month in a date, such as "in May", but not of the name "May"."""
    token, lower = parse.tokens[k], parse.lower[k]
    dates = token.text[0].isupper() and token.entity.endswith("DATE") and token.dep not in ("nsubj", "dobj")
    return _MONTHS.index(lower) if dates and lower in _MONTHS else None


def names_its_subject(words: Words, parse: Parse) -> bool:
    """Whether a statement's subject is a name (in full, for a person), and its time is given by a year, the present
    tense or somebody's role. Such a statement is clear even if it does not name its document's subject.

    Args:
        words: the words of the statement, after mentions were replaced.
        parse: the parse before.
    """
    root = parse.root()
    subject = parse.subject(root)
    if subject is None or parse.tokens[subject].pos != "PROPN":
        return False
    inside = set(parse.subtree(subject))
    names = [w for w in words if w.position in inside and w.pos == "PROPN"]
    named = len(names) > 1
    # "Kent", "the Hunt Company", not "the Board"
    if parse.tokens[subject].entity[2:] not in ("", "PERSON"):
        known = (w.entity[2:] == "GPE" or not (is_word(w.text.lower()) or w.text.isupper()) for w in names)
        named = len(names) > 2 or any(known)
    told = parse.tokens[root].lemma == "be" and parse.child(root, "attr") is not None
    behind = (parse.tokens[k] for k in range(root + 1, parse.right_edge(root)))
    says = any(t.pos in NOUNS and not t.entity.endswith("DATE") and t.dep != "conj" for t in behind)
    return named and says and (told or not parse.past(root) or any(_YEAR.fullmatch(w.text) for w in words))
