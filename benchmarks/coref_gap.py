"""GAP (Webster et al. 2018): how often a coreference adapter finds the name that a pronoun refers to.

    python -m benchmarks.coref_gap --data gap-validation.tsv [--coref sieve] [--no-title]

Each row asks whether a pronoun refers to each of two names. F1 is computed over these 2N decisions, for all rows and by
gender; bias is feminine F1 divided by masculine F1. A name is predicted if the pronoun's cluster contains a mention
with its head in the name. The page title is given, as in a dump ("page context"), unless --no-title selects "snippet
context". A row is answered at a cut if the pronoun is linked with at least that confidence; "P of answered" also counts
a link to a third mention as wrong if one of the two names is right. The last line is JSON.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import unquote

from benchmarks.slice import Text
from gistmill.rules.coreference.scorer import CUT
from gistmill.rules.documents import Mention, Sentence
from gistmill.transforms.coreference import NAMES, load_resolver
from gistmill.transforms.installed import ModelError
from gistmill.transforms.models import LoadedModel, load_model
from gistmill.transforms.parsing.plain import sentences_of

CUTS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)


@dataclass(frozen=True, slots=True)
class GapRow:
    """A GAP row: a pronoun, and two names with labels saying whether the pronoun refers to them."""

    id: str
    title: str
    text: str
    pronoun: str
    offset: int
    names: tuple[tuple[int, int, bool], tuple[int, int, bool]]

    @property
    def feminine(self) -> bool:
        """Whether the pronoun is feminine."""
        return self.pronoun.lower() in ("she", "her", "hers")


Source = TypeVar("Source", Text, GapRow)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Source]):
    """A parsed text; ``offsets`` contains the start of each token in the text, by sentence."""

    source: Source
    sentences: tuple[Sentence, ...]
    offsets: tuple[tuple[int, ...], ...] = field(repr=False)


def read_gap(path: str | Path) -> list[GapRow]:
    """Reads a GAP file. The title is the page's, from the URL.

    Raises:
        ValueError: the file is not a GAP file, or a name is not at its stated offset.
    """
    rows = []
    with open(path, encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {"ID", "Text", "Pronoun-offset", "A-offset", "B-coref", "URL"} <= set(reader.fieldnames or ()):
            raise ValueError(f"{path} is not a GAP file: its columns are {reader.fieldnames}")
        for record in reader:
            names = []
            for name in "AB":
                start = int(record[f"{name}-offset"])
                if not record["Text"].startswith(record[name], start):
                    raise ValueError(f"{path}: {record['ID']}: {record[name]!r} not found at offset {start}")
                names.append((start, start + len(record[name]), record[f"{name}-coref"] == "TRUE"))
            title = unquote(record["URL"].rsplit("/", 1)[-1]).replace("_", " ")
            text = record["Text"].replace("``", ' "').replace("''", '" ')  # as on the pages; offsets do not change
            rows.append(
                GapRow(
                    record["ID"], title, text, record["Pronoun"], int(record["Pronoun-offset"]), (names[0], names[1])
                )
            )
    return rows


def parse(model: LoadedModel, sources: Sequence[Source]) -> Iterator[Parsed[Source]]:
    """Parses texts, treating each line as a paragraph."""
    lines = [line for source in sources for line in source.text.split("\n")]
    docs = iter(model.nlp.pipe(lines, batch_size=64))
    for source in sources:
        sentences: list[Sentence] = []
        for number, _ in enumerate(source.text.split("\n")):
            sentences.extend(sentences_of(next(docs), paragraph=number))
        yield Parsed(source, tuple(sentences), token_offsets(source.text, sentences))


def token_offsets(text: str, sentences: Iterable[Sentence]) -> tuple[tuple[int, ...], ...]:
    """Returns the offsets of each sentence's tokens in the original text."""
    at = 0
    found = []
    for sentence in sentences:
        starts = []
        for token in sentence.tokens:
            start = text.index(token.text, at)
            starts.append(start)
            at = start + len(token.text)
        found.append(tuple(starts))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Answer:
    """A resolver's answer for a row: the predicted names and the confidence, 0 if the pronoun has no antecedent."""

    names: tuple[bool, bool]
    confidence: float


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of decisions and of rows."""

    true_positives: int
    false_positives: int
    false_negatives: int
    answered: int
    wrong: int
    rows: int

    @property
    def precision(self) -> float:
        """Share of the predicted names that are right."""
        return self.true_positives / max(1, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        """Share of the right names that are predicted."""
        return self.true_positives / max(1, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.true_positives / max(1, 2 * self.true_positives + self.false_positives + self.false_negatives)

    @property
    def answered_share(self) -> float:
        """Share of the rows whose pronoun has an antecedent."""
        return self.answered / max(1, self.rows)

    @property
    def precision_of_answered(self) -> float:
        """Share of the answered rows with no wrong decision and no third mention instead of a name."""
        return 1 - self.wrong / max(1, self.answered)


def answer(parsed: Parsed[GapRow], clusters: Sequence[Sequence[Mention]]) -> Answer:
    """Derives a row's answer from the clusters of its text."""
    row = parsed.source
    for cluster in clusters:
        places = [parsed.offsets[m.sentence][m.head] for m in cluster]
        for mention, place in zip(cluster, places, strict=True):
            if place == row.offset:
                first, second = (any(start <= p < end for p in places if p != place) for start, end, _ in row.names)
                return Answer((first, second), mention.confidence)
    return Answer((False, False), 0.0)


def score(rows: Sequence[GapRow], answers: Sequence[Answer], *, cut: float = 0.0) -> Score:
    """Counts the decisions, ignoring links below the cut."""
    counts = dict.fromkeys(("tp", "fp", "fn", "answered", "wrong"), 0)
    for row, given in zip(rows, answers, strict=True):
        on = given.confidence >= cut and given.confidence > 0
        says = [on and name for name in given.names]
        means = [gold for _, _, gold in row.names]
        counts["tp"] += sum(s and m for s, m in zip(says, means, strict=True))
        counts["fp"] += sum(s and not m for s, m in zip(says, means, strict=True))
        counts["fn"] += sum(m and not s for s, m in zip(says, means, strict=True))
        counts["answered"] += on
        counts["wrong"] += on and says != means
    return Score(counts["tp"], counts["fp"], counts["fn"], counts["answered"], counts["wrong"], len(rows))


def measure(path: str, coref: str, *, title: bool = True) -> dict[str, float]:
    """Parses, resolves, prints the table and returns the figures."""
    rows = read_gap(path)
    resolver = load_resolver(coref)
    parsed = list(parse(load_model(), rows))
    if resolver is not None:
        resolver.resolve(parsed[0].sentences)
    start = time.process_time()  # processor time, because the machine is shared
    clusters = [
        resolver.resolve(p.sentences, title=p.source.title if title else "") if resolver else () for p in parsed
    ]
    seconds = time.process_time() - start
    answers = [answer(p, c) for p, c in zip(parsed, clusters, strict=True)]
    words = sum(any(c.isalnum() for c in t.text) for p in parsed for s in p.sentences for t in s.tokens)
    parts = {
        "all": score(rows, answers),
        **{
            name: score(
                *zip(*((r, a) for r, a in zip(rows, answers, strict=True) if r.feminine == feminine), strict=True)
            )
            for name, feminine in (("masculine", False), ("feminine", True))
        },
    }
    at_cuts = {cut: score(rows, answers, cut=cut) for cut in sorted({*CUTS, CUT})}
    _print_table(parts, at_cuts)
    best = at_cuts[CUT]
    return {
        "f1": parts["all"].f1,
        "precision": parts["all"].precision,
        "recall": parts["all"].recall,
        "f1_masculine": parts["masculine"].f1,
        "f1_feminine": parts["feminine"].f1,
        "bias": parts["feminine"].f1 / max(1e-9, parts["masculine"].f1),
        "cut": CUT,
        "precision_at_cut": best.precision,
        "precision_of_answered_at_cut": best.precision_of_answered,
        "answered_at_cut": best.answered_share,
        "words_per_second": words / seconds,
    }


def _print_table(parts: dict[str, Score], at_cuts: dict[float, Score]) -> None:
    print(f"{'':10} {'F1':>6} {'P':>6} {'R':>6} {'answered':>9} {'P of answered':>14}")
    lines = [*parts.items(), *((f"cut {cut}", s) for cut, s in at_cuts.items())]
    for name, s in lines:
        quality = f"{s.f1:6.3f} {s.precision:6.3f} {s.recall:6.3f}"
        print(f"{name:10} {quality} {s.answered_share:9.3f} {s.precision_of_answered:14.3f}")


def main(argv: list[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="path of a GAP file (TSV)")
    parser.add_argument("--coref", default="sieve", choices=NAMES)
    parser.add_argument("--no-title", action="store_true", help="ignore the page's title")
    options = parser.parse_args(argv)
    try:
        figures = measure(options.data, options.coref, title=not options.no_title)
    except ModelError as error:
        parser.error(str(error))
    print(json.dumps({name: round(value, 4) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
