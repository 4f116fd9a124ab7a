"""Speed of WikiTransfer and gap sentences, sentence splitting included, on cleaned articles of Wikipedia.

    python -m benchmarks.wikitransfer [--dump DUMP] [--rounds 3]

Rates are articles per second of processor time, the best of interleaved runs: what one core does when nothing else
shares it. Articles are whole, and packed to about 660 words, the length of an average article of the English Wikipedia;
the slice that is read by default has far longer ones. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import functools
import gc
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.beam_clock import through_beam
from benchmarks.measuring import in_turn, machine, table
from benchmarks.news import ARTICLE_WORDS, packed, used  # first: it caps the threads
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from gistmill.core.records import Origin
from gistmill.rules.documents import CleanDocument, Section
from gistmill.rules.gap_sentences import GapSentences, GapSentencesConfig
from gistmill.rules.recipe import Recipe
from gistmill.rules.wikitransfer.profile import profile_of
from gistmill.rules.wikitransfer.profiles import BUILT_IN, profiles
from gistmill.rules.wikitransfer.recipe import WikiTransfer, WikiTransferConfig
from gistmill.transforms.steps.recipe import ApplyRecipe
from gistmill.transforms.steps.segment import SegmentationConfig, SegmentDocuments, segment_clean

_REPEATS = 3  # of the articles in a pipeline


def recipes() -> Mapping[str, Recipe]:
    """The recipes to measure, by name."""
    known = {name: [profile_of(p) for p in profiles(name)] for name in (*BUILT_IN, ",".join(BUILT_IN))}
    own: dict[str, Recipe] = {
        name: WikiTransfer(WikiTransferConfig(profile=tuple(p.to_values() for p in made)))
        for name, made in known.items()
    }
    return {**own, "gap sentences": GapSentences(GapSentencesConfig())}


def whole(dump: Path) -> list[CleanDocument]:
    """The articles as they are."""
    return [
        CleanDocument(Origin(f"whole-{i}", "wikipedia", page.title), (Section("", 1, tuple(page.text.split("\n"))),))
        for i, page in enumerate(read_pages(dump))
    ]


def words(articles: Sequence[CleanDocument]) -> int:
    """White-space words of the articles."""
    return sum(len(p.split()) for d in articles for s in d.sections for p in s.paragraphs)


def own_time(function: Callable[[], object]) -> float:
    """Seconds of processor time of this process alone, which has a finer clock than that of its children."""
    gc.collect()
    start = time.process_time()
    function()
    return time.process_time() - start


def run_plainly(articles: Sequence[CleanDocument], recipe: Recipe) -> int:
    """Splits and processes; returns how many rows came out."""
    return sum(len(recipe.process(segment_clean(a)).rows) for a in articles)


def run_in_beam(articles: Sequence[CleanDocument], recipe: Recipe) -> None:
    """The same as stages of a pipeline."""
    through_beam(list(articles) * _REPEATS, SegmentDocuments(SegmentationConfig()), ApplyRecipe(recipe), keep=False)


def measure(kind: str, articles: Sequence[CleanDocument], *, rounds: int) -> list[dict[str, object]]:
    """Measures every recipe on the articles; returns a row for each."""
    known, size = recipes(), words(articles)
    empty = min(used(lambda: through_beam([], ApplyRecipe(next(iter(known.values()))))) for _ in range(rounds))
    bind = functools.partial
    plain = in_turn({n: bind(own_time, bind(run_plainly, articles, r)) for n, r in known.items()}, times=rounds)
    staged = in_turn({n: bind(used, bind(run_in_beam, articles, r)) for n, r in known.items()}, times=rounds)
    return [
        {
            "articles": kind,
            "recipe": name,
            "mean_words": round(size / len(articles)),
            "per_second": round(len(articles) / min(plain[name]), 1),
            "words_per_second": round(size / min(plain[name])),
            "in_beam": round(len(articles) * _REPEATS / (min(staged[name]) - empty), 1),
            "rows_per_article": round(run_plainly(articles, recipe) / len(articles), 3),
        }
        for name, recipe in known.items()
    ]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", type=Path, default=None, help="a single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default: 3)")
    args = parser.parse_args()
    dump = args.dump or slice_path()
    rows = [
        *measure(f"of {ARTICLE_WORDS} words", list(packed(dump)), rounds=args.rounds),
        *measure("whole", whole(dump), rounds=args.rounds),
    ]
    print(machine(("apache-beam",)))
    cells = [
        [
            f"{r['recipe']}, {r['articles']}",
            f"{r['mean_words']:,}",
            f"{r['per_second']:,.0f}/s",
            f"{r['in_beam']:,.0f}/s",
            f"{r['words_per_second']:,}",
            f"{r['rows_per_article']:.2f}",
        ]
        for r in rows
    ]
    print(table(("recipe, articles", "mean words", "a core", "as stages of Beam", "words/s", "rows an article"), cells))
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
