"""Participle phrases turned into clauses: "Stating that ... , Walker rejected" -> "Walker stated that ..."."""

from __future__ import annotations

from collections.abc import Sequence

from rules.discofuse import morphology
from rules.discofuse.noun_phrases import core, is_plural, person
from rules.discofuse.operations import join
from rules.discofuse.parse import Parse
from rules.discofuse.words import Word, Words


def main_subject(parse: Parse, *, after: int) -> int | None:
    """Returns the subject of the first clause behind position ``after`` that no conjunction or pronoun subordinates."""
    for i in range(after + 1, len(parse)):
        if parse.tokens[i].dep not in ("nsubj", "nsubjpass"):
            continue
        verb = parse.tokens[i].head
        if (
            parse.finite(verb)
            and parse.tokens[verb].dep not in ("relcl", "acl")
            and parse.child(verb, "mark") is None
            and parse.tokens[i].tag not in ("WP", "WDT")
        ):
            return i
    return None


def with_subject(parse: Parse, phrase: Sequence[Word], subject: int, *, past: bool | None = None) -> Words | None:
    """Makes a clause of a participle phrase, in the tense of the subject's clause.

    Args:
        parse: the sentence.
        phrase: the phrase; its first word is the participle (VBG or VBN).
        subject: position of the subject.
        past: the tense, where it is not that of the subject's clause.

    Returns:
        The clause; None when the verb's inflection is unknown.
    """
    verb = phrase[0]
    if past is None:
        past = parse.tells_of_past(parse.tokens[subject].head)
    plural, who = is_plural(parse, subject), person(parse, subject)
    noun_phrase = core(parse, subject)
    if not noun_phrase:
        return None
    if verb.tag == "VBN":
        be = morphology.be(past=past, plural=plural, person=who)
        return join(noun_phrase, (be, _lower(verb)), phrase[1:])
    form = morphology.finite(_lemma(verb), past=past, plural=plural, person=who)
    return None if form is None else join(noun_phrase, (form,), phrase[1:])


def _lower(word: Word) -> Word:
    return word._replace(text=word.text.lower())


def _lemma(verb: Word) -> str:
    """The lemma by lemminflect's tables; the parser's is often not one ("hop" for "hoping")."""
    from lemminflect import getLemma

    found = getLemma(verb.text.lower(), upos="VERB")
    return found[0] if found else verb.lemma.lower()
