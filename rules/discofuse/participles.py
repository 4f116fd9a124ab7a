"""Participle phrases turned into clauses: "Stating that ... , Walker rejected" -> "Walker stated that ..."."""
from __future__ import annotations

from collections.abc import Sequence

from rules.discofuse import morphology
from rules.discofuse.noun_phrases import core, is_plural, person
from rules.discofuse.operations import Word, Words, join
from rules.discofuse.parse import Parse


def main_subject(parse: Parse, *, after: int) -> int | None:
    """Returns the subject of the first clause of the main line behind position ``after``."""
    for i in range(after + 1, len(parse)):
        token = parse.tokens[i]
        if token.dep in ("nsubj", "nsubjpass") and (parse.on_main_line(token.head) or parse.tokens[token.head].dep == "ccomp"):
            return i
    return None


def with_subject(parse: Parse, phrase: Sequence[Word], subject: int) -> Words | None:
    """Makes a clause of a participle phrase, in the tense of the subject's clause.

    Args:
        parse: the sentence.
        phrase: the phrase; its first word is the participle (VBG or VBN).
        subject: position of the subject.

    Returns:
        The clause; None when the verb's inflection is unknown.
    """
    verb = phrase[0]
    past = parse.past(parse.tokens[subject].head)
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
    """The lemma; a parser's that is not one of the word's (or a capitalised one) is found anew."""
    lemma = verb.lemma.lower()
    text = verb.text.lower()
    if lemma and lemma != text and lemma[:2] == text[:2]:
        return lemma
    from lemminflect import getLemma

    found = getLemma(text, upos="VERB")
    return found[0] if found else text.removesuffix("ing")
