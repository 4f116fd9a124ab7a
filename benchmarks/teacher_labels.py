"""Makes benchmarks/data/coref_teacher.jsonl.gz: what a stronger scorer says of pronouns that nobody has annotated.

    python -m benchmarks.teacher_labels --gap gap-development.tsv

The teacher is the minilm tier (extra gistmill[coref]); the pronouns are those of the texts of GAP development and of
the slice of the English Wikipedia that gensim ships. benchmarks/fit_coreference.py learns from the file, so that the
sieve needs neither the model nor its time. The shipped file was made by the first fit of the tier; a later one gives
other probabilities. A line is a text: its id and, for each pronoun (place of its token), the probability of each
candidate (place of its head), -1 for "none".
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from benchmarks.coref_data import GapRow, Parsed, Text, parse, read_gap
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from gistmill.rules.coreference.sieve import Sieve, ask
from gistmill.transforms.coreference.minilm.resolver import load_minilm
from gistmill.transforms.models import load_model

LABELS = Path(__file__).parent / "data" / "coref_teacher.jsonl.gz"
_LEAST = 0.005  # smaller probabilities are not written

Answers = Mapping[str, Mapping[str, float]]


def answers_of(teacher: Sieve, parsed: Parsed) -> dict[str, dict[str, float]]:
    """Returns the teacher's probabilities for every pronoun of a text."""
    title = parsed.source.title
    asked = [q for q in ask(parsed.sentences, title=title)[2] if q.candidates]
    found = {}
    for question, p in zip(asked, teacher.revised(parsed.sentences, title=title), strict=True):
        places = (-1, *(x.place for x in question.candidates))
        found[str(question.pronoun.place)] = dict(zip(map(str, places), map(float, p), strict=True))
    return found


def write(texts: Iterable[tuple[str, Answers]], path: Path = LABELS) -> None:
    """Writes the file; the same answers give the same bytes."""
    lines = []
    for name, answers in texts:
        kept = {
            pronoun: {place: round(p, 3) for place, p in said.items() if p >= _LEAST}
            for pronoun, said in answers.items()
        }
        lines.append(json.dumps({"id": name, "answers": kept}, separators=(",", ":")) + "\n")
    path.write_bytes(gzip.compress("".join(lines).encode("utf-8"), 9, mtime=0))


def read(path: Path = LABELS) -> dict[str, Answers]:
    """Returns the answers by text."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return {record["id"]: record["answers"] for record in map(json.loads, lines)}


def main(argv: list[str] | None = None) -> None:
    """Asks the teacher and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gap", required=True)
    options = parser.parse_args(argv)
    model, teacher = load_model(), load_minilm()
    rows, pages = parse(model, read_gap(options.gap)), parse(model, list(read_pages(slice_path())))
    parsed: Iterable[Parsed[GapRow] | Parsed[Text]] = chain(rows, pages)
    write((p.source.id, answers_of(teacher, p)) for p in parsed)


if __name__ == "__main__":
    main()
