"""Compares statements with human-written ones for the same sentences, by recall and precision.

    python -m benchmarks.propositions [--data FOLDER] [--grain sentence,clause,fact] [--half develop|check] [--curve]

A dataset is measured if FOLDER contains its files, under their original names:

- PropSegmEnt (Chen et al. 2023): propositions.dev.json and document_clusters.dev.json. A proposition is a set of tokens
  of its sentence. The reference is the one marked as such among three people's; "another person" is the first of the
  others. News sentences have no text in the data and are left out.
- WikiSplit (Botha et al. 2018): tune.tsv. An editor split each sentence in two.
- facts: data/facts.jsonl, always measured: facts in Wikipedia sentences, annotated before any rule for them existed.

Each sentence is parsed alone, as one sentence, and without coreference, so that pronouns are kept, as in the
references. If the recipe rejects a sentence, the sentence counts as having no statements.

The words of a text are the set of its lower-cased runs of letters and digits: "Bob's 2nd" is {bob, s, 2nd}. The Jaccard
index of two texts is the number of words in both divided by the number in either. Columns, shares in per cent:

- statements: average number per sentence; split: sentences with two or more statements;
- found: references whose best statement has a Jaccard index of at least 0.8, or 0.5 (recall);
- theirs: statements whose best reference has such an index (precision);
- own: references with such a statement of their own, matching pairs from the highest index down, each text once;
- best: average Jaccard index of a reference's best statement;
- words/s: input words per second of processor time, from text to statements; of rules: without the parse.

Halves are assigned by a hash of the sentences' origin, so that related sentences share a half. With --curve, facts are
measured at ten quality thresholds; readings/facts.csv gives the share of right ones. The last line is JSON.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measuring import table
from gistmill.core.hashing import unit_interval
from gistmill.core.records import Origin, Reason
from gistmill.rules.documents import AnnotatedDocument, Sentence
from gistmill.rules.propositions.statements import GRAINS, PropositionExtractor, PropositionsConfig
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.fast import sentence_parser
from gistmill.transforms.parsing.plain import PlainParser

FACTS = Path(__file__).with_name("data") / "facts.jsonl"
READ = Path(__file__).with_name("readings") / "facts.csv"
CURVE = (1.0, 0.96, 0.95, 0.92, 0.91, 0.9, 0.88, 0.86, 0.8, 0.0)
HALVES = ("develop", "check")
CUTS = (0.8, 0.5)
SPEEDS = ("words/s", "of rules")
WARM = 20  # sentences before timing starts
_WORD = re.compile(r"[^\W_]+")

WordSet = frozenset[str]


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence with human-written propositions.

    Attributes:
        group: the sentence's origin; all sentences of a group are in the same half.
        text: the sentence, or its tokens if the data contains only tokens.
        references: the words of each proposition.
        other: the words of each of another person's propositions, or None if there are none.
    """

    group: str
    text: str | Sequence[str]
    references: tuple[WordSet, ...]
    other: tuple[WordSet, ...] | None = None

    @property
    def words(self) -> WordSet:
        """The words of the sentence."""
        return words_of(self.text if isinstance(self.text, str) else " ".join(self.text))

    @property
    def half(self) -> str:
        """The half to which the group belongs."""
        return HALVES[unit_interval("propositions", self.group) >= 0.5]


def words_of(text: str) -> WordSet:
    """Returns the words of a text: runs of letters and digits, in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def jaccard(one: WordSet, other: WordSet) -> float:
    """Returns the number of words in both divided by the number in either, or 0 if there are no words."""
    return len(one & other) / len(one | other) if one or other else 0.0


def read_propsegment(folder: Path) -> list[Item]:
    """Reads the sentences with text and a reference from PropSegmEnt's development part.

    Raises:
        FileNotFoundError: a file is missing.
    """
    clusters = json.loads((folder / "document_clusters.dev.json").read_text(encoding="utf-8"))
    sentences = {
        (cluster["cluster_id"], document["document_id"], index): sentence
        for cluster in clusters
        for document in cluster["documents"]
        for index, sentence in enumerate(document["sentences"])
    }
    items = []
    for record in json.loads((folder / "propositions.dev.json").read_text(encoding="utf-8")):
        place = record["sentence_id"]
        sentence = sentences.get((place["cluster_id"], place["document_id"], place["sentence_index"]))
        people = sorted(record["segmentation_responses"], key=lambda person: not person["is_reference_response"])
        if sentence is None or not people[0]["is_reference_response"]:
            continue
        tokens = [token["text"] for token in sentence["tokens"]]
        made = [tuple(_masked(tokens, p["token_indices"]) for p in person.get("propositions", ())) for person in people]
        items.append(Item(place["cluster_id"], sentence["sentence_text"], made[0], made[1]))
    return items


def _masked(tokens: Sequence[str], indices: Sequence[int]) -> WordSet:
    return words_of(" ".join(tokens[i] for i in indices))


def read_wikisplit(folder: Path) -> list[Item]:
    """Reads the tune part of WikiSplit.

    Raises:
        FileNotFoundError: the file is missing.
    """
    with open(folder / "tune.tsv", encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Item(whole, whole.split(), tuple(words_of(part) for part in parts.split("<::::>"))) for whole, parts in rows
    ]


def read_facts(path: Path = FACTS) -> list[Item]:
    """Reads annotated facts: JSON lines with title, sentence and facts."""
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Item(r["title"], r["sentence"], tuple(words_of(fact) for fact in r["facts"])) for r in records]


READERS: dict[str, Callable[[Path], list[Item]]] = {"PropSegmEnt": read_propsegment, "WikiSplit": read_wikisplit}


@dataclass(slots=True)
class Score:
    """Counts over sentences; ``hits`` counts "found", "theirs" and "own" at each of the CUTS."""

    sentences: int = 0
    statements: int = 0
    references: int = 0
    split: int = 0
    best: float = 0.0
    hits: Counter[tuple[str, float]] = field(default_factory=Counter)

    def add(self, statements: Sequence[WordSet], references: Sequence[WordSet]) -> None:
        """Counts a sentence."""
        likeness = [[jaccard(s, r) for r in references] for s in statements]
        by_reference = [max(column) for column in zip(*likeness, strict=True)]
        self.sentences += 1
        self.statements += len(statements)
        self.references += len(references)
        self.split += len(statements) > 1
        self.best += sum(by_reference)
        pairs = matched(likeness)
        for cut in CUTS:
            self.hits["found", cut] += sum(j >= cut for j in by_reference)
            self.hits["theirs", cut] += sum(max(row, default=0.0) >= cut for row in likeness)
            self.hits["own", cut] += sum(j >= cut for j in pairs)

    def figures(self) -> dict[str, float]:
        """Returns the columns by name; shares are in [0, 1]."""
        made = {
            "sentences": float(self.sentences),
            "statements": self.statements / max(1, self.sentences),
            "split": self.split / max(1, self.sentences),
        }
        for name, of in (("found", self.references), ("theirs", self.statements), ("own", self.references)):
            made |= {f"{name} {cut}": self.hits[name, cut] / max(1, of) for cut in CUTS}
        return {**made, "best": self.best / max(1, self.references)}


def matched(likeness: Sequence[Sequence[float]]) -> list[float]:
    """Returns the similarities of matched rows and columns, highest first; each row and column is matched once."""
    ranked = sorted((-value, i, j) for i, row in enumerate(likeness) for j, value in enumerate(row))
    rows: set[int] = set()
    columns: set[int] = set()
    found = []
    for value, i, j in ranked:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            found.append(-value)
    return found


def made_of(sentences: Sequence[Sentence], extractor: PropositionExtractor) -> Iterator[tuple[str, ...]]:
    """Yields the statements of each sentence as if it were a whole document; none if the sentence is rejected."""
    for number, sentence in enumerate(sentences):
        document = AnnotatedDocument(Origin(str(number), "propositions"), (sentence,))
        for _, found in extractor.sentences(document):
            yield () if isinstance(found, Reason) else tuple(s.text for s in found.statements)


def right(least: float, path: Path = READ) -> tuple[int, float]:
    """Returns the number of manually read facts with at least this quality, and the share that are right."""
    with open(path, encoding="utf-8", newline="") as stream:
        next(stream)  # how it was read
        marks = [int(row["right"]) for row in csv.DictReader(stream) if float(row["quality"]) >= least]
    return len(marks), sum(marks) / max(1, len(marks))


def measure(
    items: Sequence[Item], parser: PlainParser, grains: Sequence[str], curve: Sequence[float] = ()
) -> dict[str, dict[str, float]]:
    """Returns the figures of each system: the whole sentence as the only statement, the grains, facts at several
    minimum qualities, and another person."""
    systems: dict[str, dict[str, float]] = {"whole sentence": _scored(items, [(item.words,) for item in items])}
    texts = [item.text for item in items]
    parser.whole(texts[:WARM])
    start = time.process_time()  # processor time, because the machine is shared
    sentences = parser.whole(texts)
    parsing = time.process_time() - start
    count = sum(any(c.isalnum() for c in token.text) for sentence in sentences for token in sentence.tokens)
    extractors = {grain: PropositionExtractor(PropositionsConfig(grain=grain)) for grain in grains}
    for least in curve:
        extractors[f"fact, {least:.2f}"] = extractor = PropositionExtractor(PropositionsConfig(grain="fact"))
        extractor.least_quality = least
    for name, extractor in extractors.items():
        list(made_of(sentences[:WARM], extractor))
        start = time.process_time()
        made = list(made_of(sentences, extractor))
        seconds = time.process_time() - start
        systems[name] = _scored(items, [tuple(map(words_of, statements)) for statements in made])
        systems[name] |= {"words/s": count / (parsing + seconds), "of rules": count / seconds}
    doubly = [item for item in items if item.other is not None]
    if doubly:
        systems["another person"] = _scored(doubly, [item.other or () for item in doubly])
    return systems


def _scored(items: Sequence[Item], made: Sequence[Sequence[WordSet]]) -> dict[str, float]:
    score = Score()
    for item, statements in zip(items, made, strict=True):
        score.add(statements, item.references)
    return score.figures()


def _print_table(name: str, systems: dict[str, dict[str, float]]) -> None:
    columns = [c for c in next(iter(systems.values())) if c != "sentences"]
    rows = []
    for system, figures in systems.items():
        cells = [f"{figures[c]:.2f}" if c in ("statements", "best") else f"{100 * figures[c]:.1f}" for c in columns]
        rows.append([system, *cells, *(f"{figures[c]:,.0f}" if c in figures else "" for c in SPEEDS)])
    print(f"\n{name}, {next(iter(systems.values()))['sentences']:.0f} sentences")
    print(table(["", *columns, *SPEEDS], rows))


def _grains(text: str) -> list[str]:
    names = text.split(",")
    if unknown := set(names) - set(GRAINS):
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}; choose from {', '.join(GRAINS)}")
    return names


def main(argv: Sequence[str] | None = None) -> None:
    """Measures and prints."""
    command = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("--data", type=Path, metavar="FOLDER", help="folder with the PropSegmEnt and WikiSplit files")
    command.add_argument(
        "--grain",
        type=_grains,
        default=list(GRAINS),
        metavar="NAMES",
        help="comma-separated grains: sentence, clause, fact",
    )
    command.add_argument("--half", choices=HALVES, help="measure only half of each dataset")
    command.add_argument("--curve", action="store_true", help="measure facts at ten quality thresholds")
    options = command.parse_args(argv)
    curve = CURVE if options.curve else ()
    sets: dict[str, list[Item]] = {}
    for name, read in READERS.items() if options.data else ():
        try:
            sets[name] = read(options.data)
        except FileNotFoundError as error:
            print(f"skipping {name}: {error.filename} is missing")
    sets["facts"] = read_facts()
    parser = sentence_parser(load_model())
    figures: dict[str, Any] = {"half": options.half}
    for name, items in sets.items():
        chosen = [item for item in items if options.half in (None, item.half)]
        figures[name] = measure(chosen, parser, options.grain, curve)
        _print_table(name, figures[name])
    for least in curve:
        count, share = right(least)
        print(f"of {count} facts read with a quality of {least:.2f} or more, {100 * share:.1f}% are right")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
