"""Fits the scorer of the coreference sieve and writes rules/coreference/data/scorer.npz.

    python -m research.fit_coreference --gap gap-development.tsv --gum GUM --litbank LITBANK --wikitext FILE
        --squad FILE [FILE ...] --bbc FOLDER [--contexts]

GUM and LITBANK are checkouts of https://github.com/amir-zeldes/gum and https://github.com/dbamman/litbank; the last
three hold texts whose anaphors were labelled by reading (research/labelled_texts.py). Pronouns that are not
annotated, in GAP's texts and in the slice of Wikipedia that gensim ships, were labelled by a teacher
(research/data/coref_teacher.jsonl.gz). The second stage is fitted on what first stages say that have not seen the
document (five folds), so that it meets as good answers as in use.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.coref_data import GapRow, Parsed, Text, parse, read_gap
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from gistmill.rules.coreference.chains import by_cluster, extend_rows
from gistmill.rules.coreference.markables import GROUP, Markable
from gistmill.rules.coreference.questions import AntecedentQuestion
from gistmill.rules.coreference.scorer import Scorer
from gistmill.rules.coreference.sieve import ask
from gistmill.transforms.models import load_model
from research import preferences
from research.corpora import entity_heads, read_gum, read_litbank
from research.labelled_texts import LABELS, Answers, add_options, read_answers, read_texts
from research.mlp import Example, Training, train
from research.person_contexts import write as write_contexts

DATA = Path(__file__).parent.parent / "rules" / "coreference" / "data"
TEACHER = Path(__file__).parent / "data" / "coref_teacher.jsonl.gz"
TARGET, CONTEXTS, PREFERENCES = DATA / "scorer.npz", DATA / "person_contexts.txt", DATA / "preferences.txt"
FOLDS = 5
LITBANK_WEIGHT, NO_ANTECEDENT_WEIGHT, TEACHER_WEIGHT, READ_WEIGHT = 0.5, 0.3, 0.7, 1.5

# What the teacher says of the pronouns of a text: place of the pronoun -> place of a candidate -> probability.
Said = Mapping[str, Mapping[str, float]]
LEAST_KNOWN = 0.7  # a teacher's answer counts where its candidates are the sieve's


@dataclass(frozen=True, slots=True)
class Labelled:
    """A document's questions that have candidates; ``right`` holds the right rows of those that are annotated, else
    None, ``soft`` the probability of each row according to a teacher, for questions that are not annotated.
    """

    questions: tuple[AntecedentQuestion, ...]
    right: tuple[tuple[bool, ...] | None, ...]
    weights: tuple[float, ...]
    soft: tuple[tuple[float, ...] | None, ...] = ()

    def examples(self, rows: Sequence[Sequence[Sequence[int]]]) -> list[Example]:
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
    clusters.
    """
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
    """Whether the head of one of the mentions lies in a name's span."""
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
    """Labels the pronouns of a text that was read: a candidate is right where its cluster has a mention that is."""
    questions = _questions(parsed)
    right: list[tuple[bool, ...] | None] = []
    for q in questions:
        meant = answers.get(f"p{q.pronoun.place}")
        y = [] if meant is None else [not set(x.cluster.places).isdisjoint(meant) for x in q.candidates]
        right.append(None if meant is None else (not any(y), *y))
    return Labelled(tuple(questions), tuple(right), (READ_WEIGHT,) * len(questions))


def _unlabelled(parsed: Parsed) -> Labelled:
    questions = _questions(parsed)
    return Labelled(tuple(questions), (None,) * len(questions), (1.0,) * len(questions))


def taught(labelled: Labelled, answers: Said) -> Labelled:
    """Adds a teacher's answers to a document: place of the pronoun -> place of the candidate -> probability, -1 for
    "none". What the teacher gives to other mentions is left out.
    """
    soft: list[tuple[float, ...] | None] = []
    for question in labelled.questions:
        said = answers.get(str(question.pronoun.place), {})
        p = [said.get(str(place), 0.0) for place in (-1, *(x.place for x in question.candidates))]
        soft.append(tuple(v / sum(p) for v in p) if sum(p) > LEAST_KNOWN else None)
    return replace(labelled, soft=tuple(soft))


def _questions(parsed: Parsed) -> list[AntecedentQuestion]:
    return [q for q in ask(parsed.sentences, title=parsed.source.title)[2] if q.candidates]


def answers_of(documents: Sequence[Labelled], scorer: Scorer) -> list[list[dict[int, float]]]:
    """Returns what the first stage says of every question of every document."""
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

    def all(self) -> list[Parsed]:
        """Returns all texts."""
        return [*self.gap, *self.gum, *self.litbank, *self.read, *self.pages]


def load(gap: str, gum: str, litbank: str) -> tuple[list[Parsed[GapRow]], list[Parsed[Text]], list[Parsed[Text]]]:
    """Reads and parses the annotated corpora; GUM without its dev and test part."""
    model = load_model()
    return (
        list(parse(model, read_gap(gap))),
        list(parse(model, [t for t, held in read_gum(gum) if not held])),
        list(parse(model, list(read_litbank(litbank)))),
    )


def load_all(options: argparse.Namespace) -> Corpora:
    """Reads and parses all texts."""
    gap, gum, litbank = load(options.gap, options.gum, options.litbank)
    model = load_model()
    read = list(parse(model, read_texts(options.wikitext, options.squad, options.bbc)))
    return Corpora(gap, gum, litbank, read, list(parse(model, list(read_pages(slice_path())))))


def label(corpora: Corpora, teacher: Mapping[str, Said], readings: Mapping[str, Answers]) -> list[Labelled]:
    """Labels the parsed corpora; the pages by the teacher alone."""
    return [
        *(taught(label_gap(p), teacher.get(p.source.id, {})) for p in corpora.gap),
        *(taught(_unlabelled(p), teacher.get(p.source.id, {})) for p in corpora.pages),
        *(label_entities(p, complete=True, weight=1.0) for p in corpora.gum),
        *(label_entities(p, complete=False, weight=LITBANK_WEIGHT) for p in corpora.litbank),
        *(label_read(p, readings[p.source.id]) for p in corpora.read),
    ]


def save(weights: dict[str, np.ndarray], path: Path = TARGET) -> None:
    """Writes the weights at half precision."""
    np.savez_compressed(path, allow_pickle=False, **{name: array.astype(np.float16) for name, array in weights.items()})


def main(argv: list[str] | None = None) -> None:
    """Fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gap", "gum", "litbank"):
        parser.add_argument(f"--{name}", required=True)
    add_options(parser)
    parser.add_argument("--contexts", action="store_true", help="only count the contexts, which the features read")
    options = parser.parse_args(argv)
    corpora = load_all(options)
    if options.contexts:
        persons = write_contexts(
            (p.sentences for c in (corpora.gap, corpora.gum, corpora.litbank) for p in c), CONTEXTS
        )
        counts = preferences.count((p.sentences, p.source.title) for p in corpora.all())
        print(f"{persons} and {preferences.write(counts, PREFERENCES)} contexts; now fit without --contexts")
    else:
        save(fit(label(corpora, read_answers(TEACHER), read_answers(LABELS)), Training()))


if __name__ == "__main__":
    main()
