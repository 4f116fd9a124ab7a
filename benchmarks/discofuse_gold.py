"""Detection of discourse types against released DiscoFuse rows.

    python -m benchmarks.discofuse_gold --gold FILE.tsv [--conventions released] [--coref sieve]

FILE has the columns discourse_type, coherent_first_sentence, coherent_second_sentence (tokens joined by spaces). For
each row: is the gold type among the types that the rules detect, before the verdict? Even and odd rows are also scored
separately, so that a rule can be developed on one half and checked on the other. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gistmill.pipelines.splitting import parse_rows
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.transforms.coreference import NAMES, load_resolver
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.fast import sentence_parser

_COLUMNS = ("discourse_type", "coherent_first_sentence", "coherent_second_sentence")


@dataclass
class Score:
    """Counts over the gold rows."""

    rows: int = 0
    types: int = 0
    hits: int = 0
    bare_hits: int = 0  # ignoring the ANAPHORA suffix
    suffix_rows: int = 0  # rows with a possible suffix and an otherwise right type
    suffix_hits: int = 0
    kept: int = 0
    kept_anaphora: int = 0
    per_type: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, gold: str, candidates: Sequence[Candidate]) -> bool:
        """Counts a row; returns whether its type was detected."""
        found = [c.discourse_type.name for c in candidates]
        hit = gold in found
        bare_hit = bare(gold) in map(bare, found)
        self.rows += 1
        self.types += len(found)
        self.hits += hit
        self.bare_hits += bare_hit
        if bare_hit and has_suffix_question(gold):
            self.suffix_rows += 1
            self.suffix_hits += hit
        kept = any(c.verdict.accepted for c in candidates)
        self.kept += kept
        self.kept_anaphora += kept and has_anaphora(gold)
        row = self.per_type[gold]
        row.update({"rows": 1, "hits": int(hit), "bare": int(bare_hit), "kept": int(kept)})
        if not hit:
            row["as " + ("+".join(found) or "nothing")] += 1
        for candidate in candidates:
            if candidate.verdict.reason is not None:
                row[f"refused {candidate.verdict.reason.name}"] += 1
        return hit

    def summary(self) -> dict[str, float | int]:
        """Returns the figures for the last line."""
        anaphora = sum(row["rows"] for name, row in self.per_type.items() if has_anaphora(name))
        return {
            "rows": self.rows,
            "hits": ratio(self.hits, self.rows),
            "hits_suffix_ignored": ratio(self.bare_hits, self.rows),
            "suffix_agreement": ratio(self.suffix_hits, self.suffix_rows),
            "types_per_text": ratio(self.types, self.rows),
            "kept": ratio(self.kept, self.rows),
            "kept_anaphora": ratio(self.kept_anaphora, anaphora),
            "kept_others": ratio(self.kept - self.kept_anaphora, self.rows - anaphora),
        }


def bare(name: str) -> str:
    """Returns the type without its ANAPHORA suffix; PAIR_ANAPHORA counts as PAIR_NONE with the suffix."""
    return {"PAIR_ANAPHORA": "PAIR_NONE"}.get(name, name.removesuffix("_ANAPHORA"))


def has_anaphora(name: str) -> bool:
    """Returns whether the type has the ANAPHORA suffix."""
    return name.endswith("_ANAPHORA")


def has_suffix_question(name: str) -> bool:
    """Returns whether the type has a variant with anaphora."""
    return name == "PAIR_NONE" or bare(name) != name or f"{name}_ANAPHORA" in DiscourseType.__members__


def ratio(part: int, whole: int) -> float:
    """Returns a share, rounded to four digits."""
    return round(part / whole, 4) if whole else 0.0


def read_gold(path: Path) -> list[tuple[str, str, str]]:
    """Reads (type, first, second) rows.

    Raises:
        ValueError: a column is missing or a type is unknown.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        missing = set(_COLUMNS) - set(reader.fieldnames or ())
        if missing:
            raise ValueError(f"{path} lacks the columns {', '.join(sorted(missing))}")
        kind, first, second = _COLUMNS
        rows = [(row[kind] or "", row[first] or "", row[second] or "") for row in reader]
    unknown = {r[0] for r in rows} - set(DiscourseType.__members__)
    if unknown:
        raise ValueError(f"{path} contains unknown types: {', '.join(sorted(unknown))}")
    return rows


def detect(rows: Sequence[tuple[str, str, str]], args: argparse.Namespace) -> Iterator[tuple[Candidate, ...]]:
    """Yields the candidates of every row."""
    resolver = load_resolver(args.coref)
    splitter = Splitter(DiscoFuseConfig(conventions=args.conventions))
    for sentences in parse_rows([r[1:] for r in rows], sentence_parser(load_model(args.spacy_model)), tokenized=True):
        links = Links(resolver.resolve(sentences) if resolver else ())
        yield splitter.candidates(*map(Parse, sentences), links=links)


def table(score: Score) -> str:
    """Returns the figures per type as text."""
    lines = [f"{'type':28} {'rows':>5} {'hits':>6} {'bare':>6} {'kept':>6}  instead"]
    for name in sorted(score.per_type):
        row = score.per_type[name]
        instead = ", ".join(f"{k[3:]} {v}" for k, v in row.most_common() if k.startswith("as "))
        shares = " ".join(f"{ratio(row[k], row['rows']):6.3f}" for k in ("hits", "bare", "kept"))
        lines.append(f"{name:28} {row['rows']:5} {shares}  {instead}".rstrip())
    refused: Counter[str] = Counter()
    for row in score.per_type.values():
        refused.update({k.removeprefix("refused "): v for k, v in row.items() if k.startswith("refused ")})
    lines.append("refused: " + ", ".join(f"{k} {v}" for k, v in refused.most_common()))
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.discofuse_gold", description=__doc__.split("\n")[0])
    parser.add_argument("--gold", type=Path, required=True, metavar="FILE.tsv")
    parser.add_argument("--conventions", choices=CONVENTIONS, default="released")
    parser.add_argument("--coref", choices=NAMES, default="sieve")
    parser.add_argument("--spacy-model", default=None)
    parser.add_argument("--misses", action="store_true", help="print the rows whose type was not detected")
    args = parser.parse_args(argv)
    rows = read_gold(args.gold)
    score, halves = Score(), (Score(), Score())
    for number, (row, candidates) in enumerate(zip(rows, detect(rows, args), strict=True)):
        halves[number % 2].add(row[0], candidates)
        if not score.add(row[0], candidates) and args.misses:
            print(f"{row[0]} but {[c.discourse_type.name for c in candidates]}: {row[1]} || {row[2]}")
    print(table(score))
    for name, half in zip(("even", "odd"), halves, strict=True):
        print(f"{name} rows: " + ", ".join(f"{key} {value}" for key, value in half.summary().items()))
    print(json.dumps(score.summary()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
