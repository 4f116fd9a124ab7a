"""ROUGE beside rouge-score on articles of Wikipedia: pairs of texts, and the choice of principal sentences.

    python -m benchmarks.rouge [--input DUMP] [--pairs 60] [--documents 20] [--rounds 5]

Pairs are 60 words against 600 from the same article, a sentence a line; documents are the first 40 sentences of
articles. Both sides begin with the texts as strings; their results are compared, to the last bit. rouge-score stems
every word anew; "stems cached" is rouge-score with a stemmer that remembers, which it can be given. The last line is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

from benchmarks.measuring import in_turn, machine, median, table, timed
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from gistmill.rules.rouge import tokens
from gistmill.rules.rouge.scoring import score
from gistmill.rules.rouge.selection import ScoredDocument
from gistmill.rules.rouge.tokens import tokenise
from gistmill.rules.text.segment import split_sentences

TYPES = ("rouge1", "rouge2", "rougeLsum")
SUMMARY, DOCUMENT, SENTENCES, CHOSEN = 60, 600, 40, 3
OWN = "gistmill"

Work = Callable[[], list]


class CachedStems(DefaultTokenizer):
    """rouge-score's tokeniser with a stemmer that remembers."""

    def __init__(self) -> None:
        super().__init__(use_stemmer=True)
        self._stemmer = self
        self.stem = lru_cache(maxsize=None)(PorterStemmer().stem)


def articles(path: Path) -> list[list[str]]:
    """The sentences of the articles of an export."""
    return [[s for p in page.text.split("\n") for s in split_sentences(p)] for page in read_pages(path)]


def pairs_of(sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Cuts an article into pairs of 60 and 600 words, a sentence a line."""
    words = []
    for *others, last in map(str.split, sentences):
        words += [*((w, " ") for w in others), (last, "\n")]
    size = SUMMARY + DOCUMENT
    texts = [words[i : i + size] for i in range(0, len(words) - size + 1, size)]
    return [("".join(w + e for w, e in t[:SUMMARY]), "".join(w + e for w, e in t[SUMMARY:])) for t in texts]


def reference_pairs(pairs: Sequence[tuple[str, str]], tokenizer: DefaultTokenizer | None = None) -> list:
    """The pairs' scores by rouge-score, with stemmer."""
    scorer = RougeScorer(TYPES, use_stemmer=True, tokenizer=tokenizer)
    return [{t: tuple(s) for t, s in scorer.score(*pair).items()} for pair in pairs]


def own_pairs(pairs: Sequence[tuple[str, str]]) -> list:
    """The same by gistmill."""
    return [score(tokenise(a, stemmer=True), tokenise(b, stemmer=True), TYPES) for a, b in pairs]


def reference_principal(
    documents: Sequence[Sequence[str]], *, stemmer: bool, tokenizer: DefaultTokenizer | None = None
) -> list:
    """The principal sentences of the documents (Ind-Orig: ROUGE-1 F1 against the rest) by rouge-score."""
    scorer = RougeScorer(["rouge1"], use_stemmer=stemmer, tokenizer=tokenizer)
    chosen = []
    for sentences in documents:
        rests = (" ".join([*sentences[:i], *sentences[i + 1 :]]) for i in range(len(sentences)))
        scores = (scorer.score(r, s)["rouge1"].fmeasure for r, s in zip(rests, sentences, strict=True))
        f1 = [Fraction(s).limit_denominator(10_000) for s in scores]  # equal ones may differ in the last bit
        chosen.append(sorted(range(len(f1)), key=lambda i: (-f1[i], i))[:CHOSEN])
    return chosen


def own_principal(documents: Sequence[Sequence[str]], *, stemmer: bool) -> list:
    """The same by gistmill."""
    return [ScoredDocument(d, stemmer=stemmer).principal(CHOSEN) for d in documents]


def compare(name: str, size: int, runs: dict[str, Work], rounds: int) -> list[dict[str, object]]:
    """Runs all in turn; returns a row for each that is not gistmill's.

    Raises:
        SystemExit: the results differ.
    """
    results = {n: run() for n, run in runs.items()}  # also the warming up: gistmill meets the words' stems here
    if any(r != results[OWN] for r in results.values()):
        raise SystemExit(f"{name}: the results differ")
    seconds = in_turn({n: partial(timed, run) for n, run in runs.items()}, times=rounds)
    own = seconds.pop(OWN)
    return [
        {
            "task": name,
            "reference": n,
            "reference_per_second": round(size / median(s), 1),
            "own_per_second": round(size / median(own), 1),
            "times": round(median([theirs / ours for theirs, ours in zip(s, own, strict=True)]), 1),
        }
        for n, s in seconds.items()
    ]


def measure(found: Sequence[Sequence[str]], pairs: int, documents: int, rounds: int) -> list[dict[str, object]]:
    """Runs all comparisons on the sentences of articles; returns their rows."""
    texts = list(islice((p for sentences in found for p in pairs_of(sentences)), pairs))
    chosen_from = [s[:SENTENCES] for s in found if len(s) >= SENTENCES][:documents]

    def from_no_stems() -> list:
        tokens._STEMS.clear()
        return own_pairs(texts)

    plain, cached = "rouge-score", "stems cached"
    name = "R1, R2, Lsum with stemmer, 60 x 600 words"
    rows = compare(
        name,
        len(texts),
        {
            plain: lambda: reference_pairs(texts),
            cached: partial(reference_pairs, texts, CachedStems()),
            OWN: lambda: own_pairs(texts),
        },
        rounds,
    )
    first = {plain: lambda: reference_pairs(texts), OWN: from_no_stems}
    rows += compare(f"{name}, every stem to be found first", len(texts), first, rounds)
    for stemmer, label in ((False, "without"), (True, "with")):
        runs: dict[str, Work] = {plain: partial(reference_principal, chosen_from, stemmer=stemmer)}
        if stemmer:
            runs[cached] = partial(reference_principal, chosen_from, stemmer=True, tokenizer=CachedStems())
        runs[OWN] = partial(own_principal, chosen_from, stemmer=stemmer)
        rows += compare(f"Ind-Orig, {CHOSEN} of {SENTENCES} sentences, {label} stemmer", len(chosen_from), runs, rounds)
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rouge", description=__doc__.split("\n")[0])
    parser.add_argument("--input", type=Path, metavar="DUMP", help="a bz2 export (default: the slice of enwiki)")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args(argv)
    found = articles(arguments.input or slice_path())
    rows = measure(found, arguments.pairs, arguments.documents, arguments.rounds)
    print(machine(("rouge-score", "nltk")))
    print(
        table(
            ("task", "beside", "its rate", "gistmill's", "times"),
            [tuple(f"{v:,}/s" if k.endswith("second") else str(v) for k, v in r.items()) for r in rows],
        )
    )
    print(json.dumps({"rows": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
