"""Measures the speed of the recipes on one core: in a plain loop, and as Beam stages.

    python -m benchmarks.recipes [--dump DUMP] [--rounds 3] [--documents 20000] [--only TEXT]

Rates are in units per second of processor time, and the best of interleaved runs: the speed of a core that is not
shared. Articles come from a Wikipedia export, by default the slice that gensim ships, both whole and packed to about
660 words, the average article length; sentence splitting is included. Synthetic documents are generated from their
numbers. A pair is a run of 756 words, the first 56 of which serve as the summary of the rest. `augment` first parses
pairs, and lower-case ones twice; `curriculum` computes their complexity, first with an empty lemma cache and then
again. `propositions` reads the first of the parsed articles of about 660 words. --only selects rows whose name
contains a text. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import apache_beam as beam
import spacy
from spacy.language import Language

from benchmarks.beam_clock import through_beam
from benchmarks.measuring import in_turn, machine, table, timed
from benchmarks.slice import read_pages, slice_path
from gistmill.core.records import Origin, Pair
from gistmill.rules.augmentation.config import INPUTS, TARGETS, AugmentConfig, ParsedPair
from gistmill.rules.augmentation.eda.operations import Eda
from gistmill.rules.coreference.scorer import Sieve
from gistmill.rules.curriculum.scores import COUNTS, ComplexityConfig, PairScorer, table_lemma
from gistmill.rules.documents import CleanDocument, Section
from gistmill.rules.gap_sentences import GapSentences, GapSentencesConfig
from gistmill.rules.lead_bias import LeadBias, LeadBiasConfig
from gistmill.rules.propositions.recipe import Propositions
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.rules.recipe import Recipe
from gistmill.rules.segmentation import segment_clean, segmented
from gistmill.rules.synthetic.recipe import Synthetic, SyntheticConfig
from gistmill.rules.wikitransfer.example import profile_of
from gistmill.rules.wikitransfer.profiles import BUILT_IN, profiles
from gistmill.rules.wikitransfer.recipe import WikiTransfer, WikiTransferConfig
from gistmill.transforms.beam.transforms import ForTypes
from gistmill.transforms.materials import open_materials
from gistmill.transforms.models import load_model
from gistmill.transforms.sources.seeds import SeedRange, read_seeds, seed
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.base import TEXTS
from gistmill.transforms.steps.recipe import ApplyRecipe, ChooseSplit, SplitConfig
from gistmill.transforms.steps.translate import parse_pairs

ARTICLE_WORDS, SUMMARY, DOCUMENT, PARSED_PAIRS, PARSED_ARTICLES = 660, 56, 700, 30, 50
_REPEATS = 3  # repetitions of the articles in a pipeline
_RANGE = 1024  # synthetic documents

Words = list[str]
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Work:
    """A task to time, with ``amount`` units per run. ``staged`` runs it as Beam stages and returns the seconds."""

    name: str
    unit: str
    amount: float
    plain: Callable[[], object]
    staged: Callable[[], float] | None = None


def packed(dump: Path) -> Iterator[CleanDocument]:
    """Yields Wikipedia paragraphs packed into articles of about ARTICLE_WORDS words."""
    waiting: Words = []
    number = words = 0
    for page in read_pages(dump):
        for paragraph in page.text.split("\n"):
            waiting.append(paragraph)
            words += len(paragraph.split())
            if words >= ARTICLE_WORDS:
                origin = Origin(f"packed-{number}", "wikipedia", page.title)
                yield CleanDocument(origin, (Section("", 1, tuple(waiting)),))
                waiting, words, number = [], 0, number + 1


def whole(dump: Path) -> Iterator[CleanDocument]:
    """Yields the original articles."""
    for number, page in enumerate(read_pages(dump)):
        section = Section("", 1, tuple(page.text.split("\n")))
        yield CleanDocument(Origin(f"whole-{number}", "wikipedia", page.title), (section,))


def on_articles(dump: Path) -> Iterator[Work]:
    """Yields the recipes that read articles, and sentence splitting alone, compared with spaCy's sentencizer."""
    profiled = {name: [profile_of(p) for p in profiles(name)] for name in (*BUILT_IN, ",".join(BUILT_IN))}
    recipes: dict[str, Recipe[Any]] = {
        f"wikitransfer {name}": WikiTransfer(WikiTransferConfig(profile=tuple(p.to_values() for p in made)))
        for name, made in profiled.items()
    }
    recipes |= {"gap-sentences": GapSentences(GapSentencesConfig()), "lead-bias": LeadBias(LeadBiasConfig())}
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    for kind, articles in ((f"{ARTICLE_WORDS} words", list(packed(dump))), ("whole", list(whole(dump)))):
        paragraphs = [p for d in articles for s in d.sections for p in s.paragraphs]
        work = partial(Work, unit="articles", amount=len(articles))
        for name, recipe in recipes.items():
            steps = beam.ParDo(ForTypes(TEXTS, segmented)), beam.ParDo(ApplyRecipe(recipe))
            staged = partial(_staged, articles * _REPEATS, *steps, repeats=_REPEATS)
            yield work(name=f"{name}, {kind}", plain=partial(_process, articles, recipe), staged=staged)
        yield work(name=f"sentences, {kind}", plain=partial(_each, segment_clean, articles))
        yield work(name=f"spaCy's sentencizer, {kind}", plain=partial(_sentencize, nlp, paragraphs))


def _process(articles: Sequence[CleanDocument], recipe: Recipe[Any]) -> None:
    for article in articles:
        recipe.process(segment_clean(article))


def _each(function: Callable[[Any], object], items: Sequence[Any]) -> None:
    for item in items:
        function(item)


def _sentencize(nlp: Language, paragraphs: Sequence[str]) -> None:
    for document in nlp.pipe(paragraphs):
        list(document.sents)


def _staged(elements: Sequence[object], *steps: beam.PTransform, repeats: int = 1) -> float:
    return through_beam(elements, *steps, keep=False, clock=time.process_time)[0] / repeats


def of_numbers(documents: int) -> Iterator[Work]:
    """Yields the recipes that generate synthetic documents."""
    recipe = Synthetic(SyntheticConfig(tasks=("ensemble",)))
    open_materials(recipe)
    cuts = [*range(0, documents, _RANGE), documents]
    ranges = [SeedRange(key=f"{a:012d}", size=b - a, start=a, end=b) for a, b in pairwise(cuts)]
    steps = beam.FlatMap(read_seeds), beam.ParDo(ApplyRecipe(recipe)), beam.ParDo(ChooseSplit(SplitConfig()))
    plain = partial(_each, lambda number: recipe.process(seed(number)), range(documents))
    staged = partial(_staged, ranges, *steps)
    yield Work(name="synthetic ensemble", unit="documents", amount=documents, plain=plain, staged=staged)


def on_parsed(dump: Path) -> Iterator[Work]:
    """Yields the propositions recipe, and the parsing and coreference that it needs."""
    articles = list(islice(packed(dump), PARSED_ARTICLES))
    recipe, annotator = Propositions(PropositionsConfig()), Annotator(load_model(None), Sieve())
    parsed = list(annotator.annotate(articles))
    work = partial(Work, unit="articles", amount=len(articles))
    yield work(name="propositions, the parse", plain=lambda: list(annotator.annotate(articles)))
    yield work(name="propositions, the statements", plain=partial(_each, recipe.process, parsed))


def pairs_of(dump: Path) -> Pairs:
    """Returns texts and summaries: the words of all articles in an export, cut into pairs."""
    words = [word for page in read_pages(dump) for word in page.text.split()]
    size = SUMMARY + DOCUMENT
    starts = range(0, len(words) - size + 1, size)
    return [(" ".join(words[i + SUMMARY : i + size]), " ".join(words[i : i + SUMMARY])) for i in starts]


def on_pairs(pairs: Pairs) -> Iterator[Work]:
    """Yields augmentation by EDA with four copies per pair, and the complexity of pairs, counted in both ways."""
    annotator, eda = Annotator(load_model(None), None), Eda(AugmentConfig())

    def parsed(texts: Pairs) -> list[ParsedPair]:
        rows = [Pair(Origin(f"p{n}", "pairs"), *text, {}, "train") for n, text in enumerate(texts)]
        return [p for p in parse_pairs(annotator, rows, (INPUTS, TARGETS)) if isinstance(p, ParsedPair)]

    few = pairs[:PARSED_PAIRS]
    for case, texts in (("", few), (" of small letters", [(a.lower(), b.lower()) for a, b in few])):
        work = partial(Work, unit="pairs", amount=len(texts))
        yield work(name=f"augment, the parse{case}", plain=partial(parsed, texts))
        yield work(
            name=f"augment, the copies{case}", plain=partial(_each, lambda p: list(eda.copies(p)), parsed(texts))
        )
    for name in COUNTS:
        scorer = PairScorer(ComplexityConfig(counts=name))
        scorer.measure(*pairs[0])  # loads the lemma tables, once per process
        work = partial(Work, unit="pairs", amount=len(pairs))
        yield work(name=f"complexity {name}, no lemma known", plain=partial(_complexities, scorer, pairs, forget=True))
        yield work(name=f"complexity {name}, again", plain=partial(_complexities, scorer, pairs))


def _complexities(scorer: PairScorer, pairs: Pairs, *, forget: bool = False) -> None:
    if forget:
        table_lemma.cache_clear()
    for inputs, targets in pairs:
        scorer.measure(inputs, targets)


def used(function: Callable[[], object]) -> float:
    """Returns the processor time of a call in seconds."""
    gc.collect()
    return timed(function, clock=time.process_time)


def rates(todo: Sequence[Work], *, rounds: int) -> list[dict[str, Any]]:
    """Times each task ``rounds`` times, in turn; returns a row for each."""
    plain = in_turn({work.name: partial(used, work.plain) for work in todo}, times=rounds)
    staged = in_turn({work.name: work.staged for work in todo if work.staged}, times=rounds)
    return [
        {
            "recipe": work.name,
            "unit": work.unit,
            "per_second": work.amount / min(plain[work.name]),
            "in_beam": work.amount / min(staged[work.name]) if work.name in staged else None,
        }
        for work in todo
    ]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", type=Path, default=None, help="single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--rounds", type=int, default=3, help="number of runs of each (default: 3)")
    parser.add_argument("--documents", type=int, default=20_000, help="number of synthetic rows (default: 20000)")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="measure only rows whose name contains this text (default: all)"
    )
    args = parser.parse_args()
    dump = args.dump or slice_path()
    works = [*on_articles(dump), *on_parsed(dump), *of_numbers(args.documents), *on_pairs(pairs_of(dump))]
    rows = rates([work for work in works if args.only in work.name], rounds=args.rounds)
    print(machine(("apache-beam", "spacy", "lemminflect")))
    in_beam = [f"{row['in_beam']:,.0f}" if row["in_beam"] else "" for row in rows]
    cells = [(r["recipe"], f"{r['per_second']:,.0f} {r['unit']}/s", b) for r, b in zip(rows, in_beam, strict=True)]
    print(table(("recipe", "a core", "as stages of Beam"), cells))
    print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
