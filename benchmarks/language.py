"""Speed of parsing, coreference and rules beside stock spaCy, and of the line that they make beside the plain line.

Seconds are of processor time: all of it is spent in this process, and other work on the machine then matters less.
Stock spaCy is ``nlp.pipe`` of a model loaded with spaCy's defaults: all components, and the products of BLIS. Each run
of a stage loads its model anew, so that no word is known from an earlier run; loading itself is left out.
"""

from __future__ import annotations

import dataclasses
import gc
import time
from collections.abc import Iterable, Iterator

import spacy
from spacy.language import Language
from thinc.api import use_ops

from benchmarks.beam_clock import through_beam
from benchmarks.measuring import in_turn, median, stage_row, timed
from gistmill.rules.coreference.sieve import Sieve
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.documents import AnnotatedDocument, CleanDocument
from gistmill.transforms.models import LoadedModel, load_model
from gistmill.transforms.parsing.plain import PIPE_BATCH, PlainParser
from gistmill.transforms.steps.annotate import BATCH_WORDS, AnnotateDocuments, AnnotationConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.recipe import ApplyRecipe


def words(documents: Iterable[CleanDocument]) -> int:
    """White-space words of the documents."""
    return sum(len(p.split()) for d in documents for s in d.sections for p in s.paragraphs)


def language_rows(clean: list[CleanDocument], *, rounds: int) -> list[dict[str, object]]:
    """Measures the stages after cleaning; returns rows as ``stage_row`` makes them."""
    model = load_model()
    with use_ops("numpy", use_blis=True):
        stock = spacy.load(model.info.path)
    parsing, lines = _parsing(clean, stock, model, rounds=rounds), _lines(clean, stock, model, rounds=rounds)
    after = _after_parsing(list(Annotator(model, None).annotate(clean)), rounds=rounds)
    total, parse = words(clean), median(parsing["stage"])
    rules = median(after["rules"])
    return [
        stage_row("annotate", "words/s", total, parsing, bare="nlp.pipe"),
        stage_row("annotate, plain way", "words/s", total, {**parsing, "stage": parsing["plain"]}, bare="nlp.pipe"),
        _share_row("coreference", total, median(after["coreference"]), parse),
        {**_share_row("rules", total, rules, parse), "times_parse": median(parsing["bare"]) / rules},
        stage_row("annotate to rows", "words/s", total, lines, bare="with nlp.pipe"),
    ]


def _parsing(clean: list[CleanDocument], stock: Language, model: LoadedModel, *, rounds: int) -> dict[str, list[float]]:
    texts = [p for d in clean for s in d.sections for p in s.paragraphs]
    annotate = AnnotateDocuments(AnnotationConfig(coref="none"))

    def bare() -> None:
        with stock.memory_zone():
            for _ in stock.pipe(texts, batch_size=PIPE_BATCH):
                pass

    def plain() -> None:
        _exhaust(Annotator(model, None, parser=PlainParser(model.nlp)), clean)

    return in_turn(
        {
            "bare": lambda: timed(bare, clock=time.process_time),
            "plain": lambda: timed(plain, clock=time.process_time),
            "stage": lambda: through_beam(clean, annotate, keep=False, clock=time.process_time)[0],
        },
        times=rounds,
    )


def _lines(clean: list[CleanDocument], stock: Language, model: LoadedModel, *, rounds: int) -> dict[str, list[float]]:
    """The line from paragraphs to rows: through Beam, and in a plain loop with stock spaCy."""
    recipe = DiscoFuse(DiscoFuseConfig())
    annotator = Annotator(model, Sieve(), parser=PlainParser(stock))

    def line() -> float:
        steps = AnnotateDocuments(AnnotationConfig()), ApplyRecipe(DiscoFuse(DiscoFuseConfig()))
        return through_beam(clean, *steps, keep=False, clock=time.process_time)[0]

    return in_turn(
        {"bare": lambda: timed(lambda: _exhaust(annotator, clean, recipe), clock=time.process_time), "stage": line},
        times=rounds,
    )


def _exhaust(annotator: Annotator, clean: list[CleanDocument], recipe: DiscoFuse | None = None) -> None:
    for batch in batches(clean):
        for document in annotator.annotate(batch):
            if recipe:
                recipe.process(document)


def batches(clean: Iterable[CleanDocument]) -> Iterator[list[CleanDocument]]:
    """Documents in batches of as many words as the stage takes together."""
    batch: list[CleanDocument] = []
    for document in clean:
        batch.append(document)
        if words(batch) >= BATCH_WORDS:
            yield batch
            batch = []
    if batch:
        yield batch


def _after_parsing(parsed: list[AnnotatedDocument], *, rounds: int) -> dict[str, list[float]]:
    resolver, recipe = Sieve(), DiscoFuse(DiscoFuseConfig())
    linked = [dataclasses.replace(d, clusters=resolver.resolve(d.sentences, title=d.origin.title)) for d in parsed]

    def resolve() -> None:
        for document in parsed:
            resolver.resolve(document.sentences, title=document.origin.title)

    def split() -> None:
        for document in linked:
            recipe.process(document)

    # the documents live side by side only here: a pipeline's collector never goes through all of them
    gc.collect()
    gc.freeze()
    seconds = in_turn(
        {
            "coreference": lambda: timed(resolve, clock=time.process_time),
            "rules": lambda: timed(split, clock=time.process_time),
        },
        times=rounds,
    )
    gc.unfreeze()
    return seconds


def _share_row(stage: str, amount: float, seconds: float, parse: float) -> dict[str, object]:
    return {"stage": stage, "unit": "words/s", "rate": amount / seconds, "share_of_annotate": seconds / parse}
