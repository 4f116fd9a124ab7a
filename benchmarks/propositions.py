"""Statements of texts beside their sentences: how many, how many resolved, what they keep of the text, and how fast.

    python -m benchmarks.propositions [--input TEXTS.jsonl] [--documents N] [--rounds 3]

Coverage is the share of the content words of a sentence, by lemma and each once, that some statement has; a mention
that has given way to its antecedent counts as kept. A negation is lost where a statement has the word that it depends
on, and no negation. Words are those between white space, by processor time on one core, from text to statements: with
parse and coreference, without loading a model. The texts are those of the slice, or lines of JSON with a text and, if
wanted, a title and an id. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.measuring import machine, median, table
from benchmarks.pipeline import batches, words
from benchmarks.recipes import whole
from benchmarks.slice import slice_path
from gistmill.pipelines.documents import clean
from gistmill.rules.coreference.sieve import Sieve
from gistmill.rules.curriculum.scores import lemma_of
from gistmill.rules.documents import CleanDocument, Sentence, natural_text
from gistmill.rules.propositions.statements import Divided, PropositionExtractor, PropositionsConfig, Statement
from gistmill.rules.text.content_words import content_words, words_of
from gistmill.transforms.models import load_model
from gistmill.transforms.steps.annotator import Annotator

_WARM = "Ann, a baker, was seen in Rome. She wrote two books, which were sold."
_NEGATIVE = frozenset(("not", "n't", "n’t", "no", "never", "nobody", "nothing", "none", "nowhere"))
_NEGATED = re.compile(r"\b(?:not|no|never|nobody|nothing|none|nowhere|neither|nor|cannot|without)\b|n['’]t\b", re.I)
_GAVE_WAY = re.compile(r"REPLACE (.+?) by ")

Made = tuple[Sentence, Sequence[Statement]]  # a sentence and its statements


def texts_of(path: Path) -> Iterator[CleanDocument]:
    """Yields the documents of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        for number, value in enumerate(map(json.loads, lines), 1):
            yield clean(value["text"], title=value.get("title", ""), id=str(value.get("id", f"line-{number}")))


def run(documents: Sequence[CleanDocument]) -> tuple[list[Made], float]:
    """Returns the sentences of documents with their statements, and the seconds of processor time."""
    annotator, stater = Annotator(load_model(), Sieve()), PropositionExtractor(PropositionsConfig())
    for document in annotator.annotate([clean(_WARM)]):
        list(stater.sentences(document))
    made: list[Made] = []
    seconds = 0.0
    for batch in batches(documents):
        start = time.process_time()
        found = [(document, list(stater.sentences(document))) for document in annotator.annotate(batch)]
        seconds += time.process_time() - start
        for document, divided in found:
            statements = (d.statements if isinstance(d, Divided) else () for _, d in divided)
            made.extend(zip(document.sentences, statements, strict=True))
    return made, seconds


def lemmas(text: str) -> set[str]:
    """Returns the lemmas of the content words of a text."""
    return {lemma_of(word) for word in content_words(text)}


def covered(made: Sequence[Made]) -> float:
    """Returns the share of the content words of sentences, each once a sentence, that some statement has."""
    kept = total = 0
    for sentence, statements in made:
        wanted, found = lemmas(natural_text(sentence.tokens)), set[str]()
        for statement in statements:
            gave_way = (match[1] for o in statement.operations if (match := _GAVE_WAY.match(o)))
            found |= lemmas(" ".join([statement.text, *gave_way]))
        kept, total = kept + len(wanted & found), total + len(wanted)
    return kept / total


def negated(sentence: Sentence) -> Iterator[str]:
    """Yields the lemma of each word that a negation depends on. Words that a sentence has twice are passed over: a
    statement does not tell which of them it has."""
    number = Counter(lemma_of(token.text.lower()) for token in sentence.tokens)
    for token in sentence.tokens:
        head = lemma_of(sentence.tokens[token.head].text.lower())
        if token.text.lower() in _NEGATIVE and sentence.tokens[token.head] is not token and number[head] == 1:
            yield head


def negations(made: Sequence[Made]) -> tuple[int, int]:
    """Returns how many negations some statement has lost, and how many there are."""
    lost = total = 0
    for sentence, statements in made:
        bold = [{lemma_of(w) for w in words_of(s.text)} for s in statements if not _NEGATED.search(s.text)]
        for head in negated(sentence):
            total, lost = total + 1, lost + any(head in words for words in bold)
    return lost, total


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, metavar="TEXTS.jsonl", help="lines of JSON (default: the slice)")
    parser.add_argument("--documents", type=int, help="the first ones (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="runs, of which the median counts (default: 3)")
    args = parser.parse_args(argv)
    source = whole(slice_path()) if args.input is None else texts_of(args.input)
    documents = list(islice(source, args.documents))
    runs = [run(documents) for _ in range(args.rounds)]
    made, number = runs[0][0], words(documents)
    statements = [s for _, found in made for s in found]
    lost, there = negations(made)
    figures: dict[str, Any] = {
        "sentences": len(made),
        "words": number,
        "statements a sentence": round(len(statements) / len(made), 4),
        "resolved": round(sum(not s.unresolved for s in statements) / len(statements), 4),
        "content words covered": round(covered(made), 4),
        "negations": there,
        "negations lost": lost,
        "words/s": round(number / median([seconds for _, seconds in runs]), 1),
    }
    print(machine(("spacy", "lemminflect")))
    print(table(tuple(figures), [tuple(map(str, figures.values()))]))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
