"""Fits the scorer of definite nominals and writes rules/coreference/data/nominal_weights.txt.

    python -m research.fit_nominals --gum GUM --wikitext FILE --squad FILE [FILE ...] --bbc FOLDER

GUM is a checkout of https://github.com/amir-zeldes/gum. Its nominals, those of the dev parts of the hand-made sets,
those of research/data/coref_fit.jsonl (texts of GAP, chosen because a name of a fitting type stands near) and those
of the texts that were read (research/corpora.py) are the examples. The test parts are not read. The
likelihood has an L2 prior.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks import coref_wiki
from benchmarks.coref_gap import parse
from benchmarks.slice import Text
from gistmill.rules.coreference.markables import Cluster, Markable, Syntax
from gistmill.rules.coreference.nominals import Candidate, NominalScorer, feature_rows
from gistmill.rules.coreference.scorer import ask
from gistmill.rules.documents import Sentence
from gistmill.transforms.models import load_model
from research.corpora import LABELS, Answers, add_options, entity_heads, read_answers, read_gum, read_texts

DATA = Path(__file__).parent / "data"
TARGET = Path(__file__).parent.parent / "rules" / "coreference" / "data" / "nominal_weights.txt"
PRIOR, LEAST_SEEN, HAND_MADE_WEIGHT = 2.0, 4, 2.0


@dataclass(frozen=True, slots=True)
class Example:
    """A nominal: the features of "no antecedent" and of each candidate, and which of these are right."""

    rows: list[list[str]]
    right: list[bool]
    weight: float


class _Teacher(NominalScorer):
    """Collects examples, and links nominals as they are annotated.

    Args:
        right: tells whether a candidate of a nominal is right; None for a nominal without annotation.
    """

    def __init__(self, weight: float, right: Callable[[Markable, Candidate], bool | None]) -> None:
        super().__init__({})
        self._weight, self._right = weight, right
        self.examples: list[Example] = []

    def choose(
        self, nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]
    ) -> tuple[Cluster | None, float]:
        """Returns the first right candidate's cluster."""
        right = [self._right(nominal, c) for c in candidates]
        if None in right:
            return None, 0.0
        rows = feature_rows(nominal, syntaxes, candidates)
        known = [bool(r) for r in right]
        self.examples.append(Example(rows, [not any(known), *known], self._weight))
        return next(((c.cluster, 1.0) for c, r in zip(candidates, known, strict=True) if r), (None, 0.0))


def _collect(teacher: _Teacher, sentences: Sequence[Sentence], title: str) -> list[Example]:
    ask(sentences, title=title, nominals=teacher)
    return teacher.examples


def gum_examples(folder: Path) -> list[Example]:
    """Returns the definite nominals of GUM that have candidates."""
    found = []
    for parsed in parse(load_model(), [text for text, _ in read_gum(folder)]):
        heads = entity_heads(parsed)

        def right(nominal: Markable, candidate: Candidate, heads: Mapping = heads) -> bool | None:
            entity = heads.get((nominal.place, False))
            return None if entity is None else heads.get((candidate.mention.place, False)) == entity

        found += _collect(_Teacher(1.0, right), parsed.sentences, parsed.source.title)
    return found


def read_examples(texts: Sequence[Text], readings: Mapping[str, Answers]) -> list[Example]:
    """Returns the definite nominals of the texts that were read. A candidate is right where its cluster has a mention
    that is."""
    found = []
    for parsed in parse(load_model(), texts):

        def right(
            nominal: Markable, candidate: Candidate, answers: Answers = readings[parsed.source.id]
        ) -> bool | None:
            meant = answers.get(f"n{nominal.place}")
            return None if meant is None else any(m.place in meant for m in candidate.cluster.mentions)

        found += _collect(_Teacher(1.0, right), parsed.sentences, parsed.source.title)
    return found


def hand_made_examples(cases: Sequence[coref_wiki.Case]) -> list[Example]:
    """Returns the anaphors of hand-made nominal cases that have candidates."""
    found = []
    texts = [Text(c.page, c.title, c.text) for c in cases]
    for case, parsed in zip(cases, parse(load_model(), texts), strict=True):
        places = [o for offsets in parsed.offsets for o in offsets]

        def right(
            nominal: Markable, candidate: Candidate, case: coref_wiki.Case = case, places: Sequence[int] = places
        ) -> bool | None:
            if not case.anaphor[0] <= places[nominal.place] < case.anaphor[1]:
                return None
            return any(start <= places[candidate.mention.place] < end for start, end in case.antecedents)

        found += _collect(_Teacher(HAND_MADE_WEIGHT, right), parsed.sentences, case.title)
    return found


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Returns the weights that maximise the likelihood of the right rows, with an L2 prior."""
    counts = Counter(f for e in examples for row in e.rows for f in row)
    names = sorted(f for f, count in counts.items() if count >= LEAST_SEEN)
    index = {f: k for k, f in enumerate(names)}
    rows = [[index[f] for f in row if f in index] for e in examples for row in e.rows]
    matrix = csr_matrix(
        (np.ones(sum(map(len, rows))), np.concatenate(rows), np.cumsum([0, *map(len, rows)])), (len(rows), len(names))
    )
    sizes = np.array([len(e.rows) for e in examples])
    starts = np.cumsum(sizes) - sizes
    right = np.concatenate([e.right for e in examples]).astype(float)
    weights = np.array([e.weight for e in examples])

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ b
        shares = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        total, good = np.add.reduceat(shares, starts), np.add.reduceat(shares * right, starts)
        expected = shares / np.repeat(total, sizes) - shares * right / np.repeat(good, sizes)
        value = -(weights * np.log(good / total)).sum() + PRIOR / 2 * (b @ b)
        return value, matrix.T @ (expected * np.repeat(weights, sizes)) + PRIOR * b

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return {name: round(float(w), 3) for name, w in zip(names, best.x, strict=True) if abs(w) >= 0.0005}


def main(argv: list[str] | None = None) -> None:
    """Fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gum", type=Path, required=True)
    add_options(parser)
    options = parser.parse_args(argv)
    hand_made = (coref_wiki.DATA, coref_wiki.DATA.with_name("coref_nominals.jsonl"))
    cases = [c for path in hand_made for c in coref_wiki.read_cases(path, "dev")]
    cases = [c for c in cases if c.kind == "nominal"] + coref_wiki.read_cases(DATA / "coref_fit.jsonl")
    read = read_examples(read_texts(options.wikitext, options.squad, options.bbc), read_answers(LABELS))
    examples = gum_examples(options.gum) + hand_made_examples(cases) + read
    weights = fit(examples)
    TARGET.write_text("".join(f"{name} {w:g}\n" for name, w in sorted(weights.items())), encoding="utf-8")
    print(f"{len(examples)} examples, {len(weights)} weights: {TARGET}")


if __name__ == "__main__":
    main()
