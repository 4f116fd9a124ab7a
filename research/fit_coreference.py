"""Fits the scorer of the coreference sieve and writes rules/coreference/data/scorer.npz.

    python -m research.fit_coreference --gap gap-development.tsv --gum GUM --litbank LITBANK --wikitext FILE
        --squad FILE [FILE ...] --bbc FOLDER [--contexts]

GUM and LITBANK are checkouts of https://github.com/amir-zeldes/gum and https://github.com/dbamman/litbank; the last
three contain texts whose anaphors were labelled by reading (research/corpora.py). Unannotated pronouns, in GAP's texts
and in the Wikipedia slice shipped with gensim, were labelled by a teacher (research/data/coref_teacher.jsonl.gz). The
second stage is fitted on the answers of first stages fitted without the document (five folds), so that they are as good
as in use. A stage is trained in numpy: embedding sum, one hidden layer, softmax over each question's rows, AdamW.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from benchmarks.coref_gap import GapRow, Parsed, parse, read_gap
from benchmarks.slice import Text, read_pages, slice_path
from gistmill.rules.coreference.chains import by_cluster, extend_rows
from gistmill.rules.coreference.features import SIZE, IntArray
from gistmill.rules.coreference.markables import GROUP, Markable
from gistmill.rules.coreference.pronouns import AntecedentQuestion
from gistmill.rules.coreference.scorer import Scorer, ask
from gistmill.transforms.models import load_model
from research.corpora import (
    LABELS,
    Answers,
    add_options,
    entity_heads,
    read_answers,
    read_gum,
    read_litbank,
    read_texts,
)
from research.preferences import count, write, write_contexts

DATA = Path(__file__).parent.parent / "rules" / "coreference" / "data"
TEACHER = Path(__file__).parent / "data" / "coref_teacher.jsonl.gz"
TARGET, CONTEXTS, PREFERENCES = DATA / "scorer.npz", DATA / "person_contexts.txt", DATA / "preferences.txt"
FOLDS = 5
LITBANK_WEIGHT, NO_ANTECEDENT_WEIGHT, TEACHER_WEIGHT, READ_WEIGHT = 0.5, 0.3, 0.7, 1.5

# The teacher's answers for the pronouns of a text: position of the pronoun -> position of a candidate -> probability.
Said = Mapping[str, Mapping[str, float]]
_LARGEST_LOSS = 8.0  # a label that the model finds this improbable is wrong
LEAST_KNOWN = 0.7  # a teacher's answer counts where its candidates are the sieve's


@dataclass(frozen=True, slots=True)
class Example:
    """A question: its feature rows, each row's answer, the probability of each answer, and the question's weight.

    Rows with the same answer are mentions of one cluster: the loss is the cross entropy between ``targets`` and the
    summed probabilities of each answer's rows.
    """

    rows: Sequence[Sequence[int]] | IntArray
    answers: Sequence[int]
    targets: Sequence[float]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of a training run: ``members`` networks of ``hidden`` units are trained separately, and their scores are
    averaged."""

    hidden: int = 24
    members: int = 5
    epochs: int = 6
    batch: int = 64
    rate: float = 4e-3
    decay: float = 0.05
    dropout: float = 0.3
    seed: int = 7


class _Data:
    """The examples as one sparse matrix of rows, with the bounds of questions and of answers."""

    def __init__(self, examples: Sequence[Example]) -> None:
        rows = [[n for n in row if n < SIZE] for e in examples for row in e.rows]
        bounds = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
        flat = np.fromiter((n for row in rows for n in row), np.int32, bounds[-1])
        self.design = csr_matrix((np.ones(bounds[-1], np.float32), flat, bounds), shape=(len(rows), SIZE))
        self.row_bounds = np.concatenate(([0], np.cumsum([len(e.rows) for e in examples])))
        self.answer_bounds = np.concatenate(([0], np.cumsum([len(e.targets) for e in examples])))
        self.answers = np.fromiter((a for e in examples for a in e.answers), np.int32, len(rows))
        self.targets = np.fromiter((t for e in examples for t in e.targets), np.float32, self.answer_bounds[-1])
        self.weights = np.array([e.weight for e in examples], np.float32)

    def batch(self, chosen: np.ndarray) -> tuple[csr_matrix, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns the rows of some questions, each row's question and answer, the targets, and the answer weights."""
        sizes = np.diff(self.row_bounds)[chosen]
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        question = np.repeat(np.arange(len(chosen)), sizes)
        index = np.arange(len(question)) - starts[question] + self.row_bounds[chosen][question]
        counts = np.diff(self.answer_bounds)[chosen]
        first = np.concatenate(([0], np.cumsum(counts)[:-1]))
        owner = np.repeat(np.arange(len(chosen)), counts)
        place = np.arange(len(owner)) - first[owner] + self.answer_bounds[chosen][owner]
        answer = self.answers[index] + first[question]
        return self.design[index], question, answer, self.targets[place], self.weights[chosen][owner]


def train(examples: Sequence[Example], settings: Training) -> tuple[np.ndarray, np.ndarray]:
    """Returns (embedding, output) as the scorer reads them: the members side by side, their scores averaged."""
    data = _Data(examples)
    members = [_train_one(data, settings, settings.seed + k) for k in range(settings.members)]
    linear = np.mean([e[:, -1:] for e, _ in members], axis=0)
    embedding = np.concatenate([*(e[:, :-1] for e, _ in members), linear], axis=1)
    return embedding, np.concatenate([o for _, o in members]) / settings.members


def _train_one(data: _Data, settings: Training, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    embedding = random.normal(0, 0.15, (SIZE, settings.hidden))
    parameters = [
        np.concatenate([embedding, np.zeros((SIZE, 1))], axis=1).astype(np.float32),
        random.normal(0, 0.3, settings.hidden).astype(np.float32),
    ]
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
    size = len(data.weights)
    batches = -(-size // settings.batch)
    total, step = settings.epochs * batches, 0
    for _ in range(settings.epochs):
        order = random.permutation(size)
        for k in range(batches):
            chosen = order[k * settings.batch : (k + 1) * settings.batch]
            gradients = _gradients(data.batch(chosen), parameters, settings.dropout, random)
            step += 1
            rate = settings.rate * min(1.0, 1.6 * (1 - (step - 1) / total))
            _adamw(parameters, gradients, moments, step, rate, settings.decay)
    return parameters[0], parameters[1]


def _adamw(
    parameters: list[Any], gradients: list[Any], moments: list[Any], step: int, rate: float, decay: float
) -> None:
    for p, g, (m, v) in zip(parameters, gradients, moments, strict=True):
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g * g
        p -= rate * (m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.99**step)) + 1e-8) + decay * p)


def _gradients(
    batch: tuple[Any, ...], parameters: list[Any], dropout: float, random: np.random.Generator
) -> list[np.ndarray]:
    design, question, answer, targets, weights = batch
    embedding, output = parameters
    summed = design @ embedding
    active = summed[:, :-1] > 0
    mask = active * (random.random((1, active.shape[1])) >= dropout).astype(np.float32) / np.float32(1 - dropout)
    hidden = summed[:, :-1] * mask
    scores = hidden @ output + summed[:, -1]
    starts = np.flatnonzero(np.diff(question, prepend=-1))
    p = np.exp(scores - np.maximum.reduceat(scores, starts)[question])
    p /= np.add.reduceat(p, starts)[question]
    mass = np.bincount(answer, p, len(targets)).astype(np.float32)
    kept = weights * (mass > np.exp(-_LARGEST_LOSS))
    pull = kept * targets / np.maximum(mass, 1e-9)
    total = np.bincount(question, (pull * mass)[answer] * p / np.maximum(mass[answer], 1e-9))  # kept weight of each
    slope = ((total[question] - pull[answer]) * p / len(starts)).astype(np.float32)
    outer = (slope[:, None] * output[None, :]) * mask
    return [design.T @ np.concatenate([outer, slope[:, None]], axis=1).astype(np.float32), hidden.T @ slope]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A document's questions that have candidates; ``right`` holds the right rows of those that are annotated, else
    None, ``soft`` the probability of each row according to a teacher, for questions that are not annotated."""

    questions: tuple[AntecedentQuestion, ...]
    right: tuple[tuple[bool, ...] | None, ...]
    weights: tuple[float, ...]
    soft: tuple[tuple[float, ...] | None, ...] = ()

    def examples(self, rows: Sequence[IntArray]) -> list[Example]:
        """Returns the labelled questions with the rows of a stage."""
        soft = self.soft or (None,) * len(self.right)
        made = []
        for question, r, y, p, weight in zip(self.questions, rows, self.right, soft, self.weights, strict=True):
            if y is not None:
                made.append(Example(r, [int(not right) for right in y], (1.0, 0.0), weight))
            elif p is not None:
                numbers = {number: k for k, number in enumerate(by_cluster(question, np.array(p)))}
                answers = [0, *(numbers[x.cluster.number] for x in question.candidates)]
                made.append(Example(r, answers, tuple(by_cluster(question, np.array(p)).values()), TEACHER_WEIGHT))
        return made


def label_gap(parsed: Parsed[GapRow]) -> Labelled:
    """Labels the pronoun of a GAP row: the candidates of the right name's cluster; without one, all but the two names'
    clusters."""
    row = parsed.source
    questions = _questions(parsed)
    places = [o for offsets in parsed.offsets for o in offsets]
    right: list[tuple[bool, ...] | None] = []
    for q in questions:
        if places[q.pronoun.place] != row.offset:
            right.append(None)
            continue
        covers = [
            [covered(q.candidates[k].cluster.mentions, name, places) for name in row.names]
            for k in range(len(q.candidates))
        ]
        gold = [k for k in (0, 1) if row.names[k][2]]
        y = [any(c[k] for k in gold) for c in covers] if gold else [not any(c) for c in covers]
        right.append((not gold or not any(y), *y))
    return Labelled(tuple(questions), tuple(right), (1.0,) * len(questions))


def covered(mentions: Sequence[Markable], name: tuple[int, int, bool], places: Sequence[int]) -> bool:
    """Whether the head of one of the mentions is in a name's span."""
    return any(name[0] <= places[m.place] < name[1] for m in mentions)


def label_entities(parsed: Parsed[Text], *, complete: bool, weight: float) -> Labelled:
    """Labels the pronouns of a corpus with entities. ``complete``: a pronoun without annotation has no antecedent."""
    heads = entity_heads(parsed)
    questions = _questions(parsed)
    right: list[tuple[bool, ...] | None] = []
    weights = []
    for q in questions:
        entity = heads.get((q.pronoun.place, False))
        y = [entity is not None and heads.get((x.place, x.kind == GROUP)) == entity for x in q.candidates]
        right.append(None if entity is None and not complete else (not any(y), *y))
        weights.append(weight if any(y) or complete else weight * NO_ANTECEDENT_WEIGHT)
    return Labelled(tuple(questions), tuple(right), tuple(weights))


def label_read(parsed: Parsed[Text], answers: Answers) -> Labelled:
    """Labels the pronouns of a text read by a person: a candidate is right if its cluster contains a right mention."""
    questions = _questions(parsed)
    right: list[tuple[bool, ...] | None] = []
    for q in questions:
        meant = answers.get(f"p{q.pronoun.place}")
        y = [] if meant is None else [not set(x.cluster.places).isdisjoint(meant) for x in q.candidates]
        right.append(None if meant is None else (not any(y), *y))
    return Labelled(tuple(questions), tuple(right), (READ_WEIGHT,) * len(questions))


def _unlabelled(parsed: Parsed[Any]) -> Labelled:
    questions = _questions(parsed)
    return Labelled(tuple(questions), (None,) * len(questions), (1.0,) * len(questions))


def taught(labelled: Labelled, answers: Said) -> Labelled:
    """Adds a teacher's answers to a document: pronoun position -> candidate position -> probability, with -1 for
    "none". The teacher's probabilities for other mentions are left out."""
    soft: list[tuple[float, ...] | None] = []
    for question in labelled.questions:
        said = answers.get(str(question.pronoun.place), {})
        p = [said.get(str(place), 0.0) for place in (-1, *(x.place for x in question.candidates))]
        soft.append(tuple(v / sum(p) for v in p) if sum(p) > LEAST_KNOWN else None)
    return replace(labelled, soft=tuple(soft))


def _questions(parsed: Parsed[Any]) -> list[AntecedentQuestion]:
    return [q for q in ask(parsed.sentences, title=parsed.source.title)[2] if q.candidates]


def answers_of(documents: Sequence[Labelled], scorer: Scorer) -> list[list[dict[int, float]]]:
    """Returns the first stage's answers to every question of every document."""
    return [
        [
            by_cluster(q, p)
            for q, p in zip(d.questions, scorer.probabilities([q.rows for q in d.questions], stage=1), strict=True)
        ]
        for d in documents
    ]


def fit(documents: Sequence[Labelled], settings: Training) -> dict[str, np.ndarray]:
    """Returns the weights of both stages."""
    firsts = [[e for d in documents[k::FOLDS] for e in d.examples([q.rows for q in d.questions])] for k in range(FOLDS)]
    second = []
    for k in range(FOLDS):
        others = [e for j in range(FOLDS) if j != k for e in firsts[j]]
        e, o = train(others, replace(settings, members=1))
        scorer = Scorer({"embedding1": e, "output1": o, "embedding2": e, "output2": o})
        for d, answers in zip(documents[k::FOLDS], answers_of(documents[k::FOLDS], scorer), strict=True):
            second.extend(d.examples(extend_rows(d.questions, answers)))
    e1, o1 = train([e for fold in firsts for e in fold], settings)
    e2, o2 = train(second, settings)
    return {"embedding1": e1, "output1": o1, "embedding2": e2, "output2": o2}


@dataclass(frozen=True, slots=True)
class Corpora:
    """The parsed corpora; GUM without its dev and test part."""

    gap: list[Parsed[GapRow]]
    gum: list[Parsed[Text]]
    litbank: list[Parsed[Text]]
    read: list[Parsed[Text]]
    pages: list[Parsed[Text]]

    def all(self) -> list[Parsed[Any]]:
        """Returns all texts."""
        return [*self.gap, *self.gum, *self.litbank, *self.read, *self.pages]


def load(gap: Iterable[str], gum: str, litbank: str, read: Sequence[Text] = ()) -> Corpora:
    """Reads and parses the annotated corpora, GUM without its dev and test part, and the slice of Wikipedia; parses the
    texts that were read."""
    model = load_model()
    return Corpora(
        gap=list(parse(model, [row for path in gap for row in read_gap(path)])),
        gum=list(parse(model, [text for text, held in read_gum(gum) if not held])),
        litbank=list(parse(model, list(read_litbank(litbank)))),
        read=list(parse(model, read)),
        pages=list(parse(model, list(read_pages(slice_path())))),
    )


def label(corpora: Corpora, teacher: Mapping[str, Said], readings: Mapping[str, Answers]) -> list[Labelled]:
    """Labels the parsed corpora; the pages get only the teacher's labels."""
    return [
        *(taught(label_gap(p), teacher.get(p.source.id, {})) for p in corpora.gap),
        *(taught(_unlabelled(p), teacher.get(p.source.id, {})) for p in corpora.pages),
        *(label_entities(p, complete=True, weight=1.0) for p in corpora.gum),
        *(label_entities(p, complete=False, weight=LITBANK_WEIGHT) for p in corpora.litbank),
        *(label_read(p, readings[p.source.id]) for p in corpora.read),
    ]


def main(argv: list[str] | None = None) -> None:
    """Fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gap", "gum", "litbank"):
        parser.add_argument(f"--{name}", required=True)
    add_options(parser)
    parser.add_argument("--contexts", action="store_true", help="only count the contexts that the features use")
    options = parser.parse_args(argv)
    read = read_texts(options.wikitext, options.squad, options.bbc)
    corpora = load([options.gap], options.gum, options.litbank, read)
    if options.contexts:
        persons = write_contexts(
            (p.sentences for c in (corpora.gap, corpora.gum, corpora.litbank) for p in c), CONTEXTS
        )
        counts = count((p.sentences, p.source.title) for p in corpora.all())
        print(f"{persons} and {write(counts, PREFERENCES)} contexts; now fit without --contexts")
    else:
        weights = fit(label(corpora, read_answers(TEACHER), read_answers(LABELS)), Training())
        halves = {name: array.astype(np.float16) for name, array in weights.items()}
        np.savez_compressed(TARGET, allow_pickle=False, **halves)


if __name__ == "__main__":
    main()
