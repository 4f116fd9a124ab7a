"""Statements that other people's clause splitters for spaCy make of sentences. A script that needs spaCy and one of
them, and nothing of Gistmill: `benchmarks.propositions` runs it with a Python that has both.

    PYTHON benchmarks/clause_splitters.py SPLITTER MODEL < sentences.json

Standard input is a JSON list of sentences. Standard output is a JSON object: ``seconds`` of processor time for parsing
and splitting, the loading left out; ``statements``, a list for each sentence; ``versions``; and ``failed``, the number
of sentences that were too deep for the splitter. ``--find SPLITTER`` ends with 0 if one is there, and with 3 if not.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import logging
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token

# The modules that they are imported by, and how they are installed.
MODULES = {"clause-segmenter": "clause_segmenter", "textacy": "textacy", "claucy": "claucy"}
NOT_THERE = 3  # Python itself ends with 1 and 2
_BATCH, _WARM = 64, "Ann, a baker, was seen in Rome and wrote two books."
_UNUSED = ("ner", "entity_linker")  # none of them reads entities

Split = Callable[[Doc], Iterable[str]]


def clause_segmenter(nlp: Language) -> Split:
    """The clauses of clause-segmenter: spans of the text."""
    segmenter = importlib.import_module("clause_segmenter").ClauseSegmenter(nlp)
    return lambda doc: [span.text for span in segmenter.get_clauses_as_spangroup(doc)]


def textacy(nlp: Language) -> Split:
    """The triples of subject, verb and object of textacy, as text."""
    triples = importlib.import_module("textacy.extract.triples").subject_verb_object_triples
    return lambda doc: [" ".join(map(printed, triple)) for triple in triples(doc)]


def printed(tokens: list[Token]) -> str:
    """Returns tokens as text. What the sentence has between two of them becomes a space."""
    spaces = [bool(a.whitespace_) or b.i != a.i + 1 for a, b in zip(tokens, tokens[1:])]
    return "".join(token.text + " " * space for token, space in zip(tokens, [*spaces, False]))


def claucy(nlp: Language) -> Split:
    """The propositions of claucy, a port of ClausIE, as text. A set gives them in no order, so they are sorted."""
    library = importlib.import_module("claucy")
    logging.disable(logging.WARNING)  # it sets the root logger to INFO

    def split(doc: Doc) -> list[str]:
        clauses = [clause for sentence in doc.sents for clause in library.extract_clauses(sentence)]
        return sorted((text for clause in clauses for text in texts(clause)), key=lambda text: (len(text), text))

    def texts(clause: Any) -> Iterable[str]:
        try:
            return list(clause.to_propositions(as_text=True, capitalize=True))
        except AttributeError:  # its writer takes no apposition, which has no verb of the text
            return [" ".join(map(str, parts)) for parts in clause.to_propositions(inflect=None)]

    return split


SPLITTERS: dict[str, Callable[[Language], Split]] = {
    "clause-segmenter": clause_segmenter,
    "textacy": textacy,
    "claucy": claucy,
}


def run(name: str, model: str, sentences: list[str]) -> dict[str, Any]:
    """Returns what the script prints."""
    nlp = spacy.load(model, exclude=list(_UNUSED))
    split, failed = SPLITTERS[name](nlp), 0
    list(split(nlp(_WARM)))  # tables that are loaded when they are needed
    made: list[list[str]] = []
    start = time.process_time()
    for doc in nlp.pipe(sentences, batch_size=_BATCH):
        try:
            made.append(list(dict.fromkeys(" ".join(text.split()) for text in split(doc) if text.strip())))
        except RecursionError:  # of clauses that are deeper than Python's stack
            made.append([])
            failed += 1
    seconds = time.process_time() - start
    versions = {package: version(package) for package in (name, "spacy")}
    return {"seconds": seconds, "statements": made, "versions": versions, "failed": failed}


def main(arguments: list[str]) -> int:
    """Runs the script; returns its exit code."""
    first, second = arguments
    if first == "--find":
        return 0 if importlib.util.find_spec(MODULES[second]) else NOT_THERE
    json.dump(run(first, second, json.load(sys.stdin)), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
