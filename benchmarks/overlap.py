"""Overlap ratios of reference summaries and leads with articles, beside those of the lead-bias paper (Figure 2).

    python -m benchmarks.overlap --data cnndm-dev.jsonl

The file holds one object a line with ``document`` and ``summary`` in the form of CNN/DailyMail: lower case, tokens
between spaces. The paper's medians are of the whole training set. A sample of some tens varies by several hundredths,
so each median comes with an interval. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median

from spacy.lang.en.stop_words import STOP_WORDS

from benchmarks.measuring import table
from gistmill.rules.rouge.porter import stem
from gistmill.rules.text.content_words import content_words, words_of

PAPER = {"reference, article": 0.841, "reference, rest": 0.778, "lead, rest": 0.471}
LEAD_SENTENCES = 3
_ENDS = frozenset((".", "!", "?"))
_CLOSERS = frozenset(("''", '"', "'", ")", "-rrb-"))
_RESAMPLES = 2000
_LONG_LIST = frozenset(word for entry in STOP_WORDS for word in words_of(entry))

Words = Callable[[str], list[str]]


def tokenised_sentences(tokens: Sequence[str]) -> list[list[str]]:
    """Cuts tokens after each mark that ends a sentence, and after the quote or bracket that closes there."""
    sentences: list[list[str]] = []
    current: list[str] = []
    ended = False
    for token in tokens:
        # tokenisers write both sides of ' alike: it closes when one is open
        closes = token in _CLOSERS and (token != "'" or current.count("'") % 2 == 1)
        if ended and not closes and token not in _ENDS:
            sentences.append(current)
            current, ended = [], False
        current.append(token)
        ended = ended or token in _ENDS
    return [*sentences, current] if current else sentences


def ratios(rows: Iterable[dict[str, str]], words: Words) -> dict[str, list[float]]:
    """The three ratios of each row; ``words`` chooses the words of a text."""
    found: dict[str, list[float]] = {name: [] for name in PAPER}
    for row in rows:
        sentences = tokenised_sentences(row["document"].split())
        lead, rest = sentences[:LEAD_SENTENCES], sentences[LEAD_SENTENCES:]
        parts = {
            "reference": words(row["summary"]),
            "article": words(row["document"]),
            "lead": words(" ".join(map(" ".join, lead))),
            "rest": words(" ".join(map(" ".join, rest))),
        }
        for name in PAPER:
            what, where = name.split(", ")
            inside = set(parts[where])
            found[name].append(sum(w in inside for w in parts[what]) / len(parts[what]))
    return found


def interval(values: Sequence[float]) -> tuple[float, float]:
    """95% of the medians of resampled values."""
    draw = random.Random(0)
    medians = sorted(median(draw.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    return medians[_RESAMPLES // 40], medians[-_RESAMPLES // 40]


def _each_once(text: str) -> list[str]:
    return sorted(set(content_words(text)))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in content_words(text)]


def _fewer(text: str) -> list[str]:
    return [word for word in words_of(text) if word not in _LONG_LIST]


CHOICES: dict[str, Words] = {
    "content words, every occurrence (the recipe)": content_words,
    "content words, each once": _each_once,
    "content words, stemmed": _stems,
    "without spaCy's stop words (a longer list)": _fewer,
    "all words": words_of,
}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="JSON lines with document and summary")
    rows = [json.loads(line) for line in parser.parse_args().data.read_text(encoding="utf-8").splitlines()]
    results, cells = [], []
    for choice, words in CHOICES.items():
        for name, values in ratios(rows, words).items():
            low, high = interval(values)
            figures = {"median": median(values), "interval": (low, high), "paper": PAPER[name]}
            results.append({"words": choice, "ratio": name, **figures, "documents": len(values)})
            middle, paper = f"{median(values):.3f}", f"{PAPER[name]:.3f}"
            cells.append([choice, name, middle, f"{low:.3f} to {high:.3f}", paper])
    print(f"{len(rows)} documents\n")
    print(table(("words", "share of, in", "median", "95% interval", "paper"), cells))
    print(json.dumps(results))


if __name__ == "__main__":
    main()
