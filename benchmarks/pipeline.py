"""Compares the speed of every stage with the bare library, on the same input in the same run.

    python -m benchmarks.pipeline [--input DUMP] [--documents N] [--rounds 3]

Each row is the median of interleaved runs. Rates refer to a stage's input: MB of XML for reading, MB of wikitext for
cleaning, words for the rest. Reading is measured in wall-clock time, everything else in processor time, including the
parser process and its start. Parsing, coreference, the rules and the whole sequence are compared with stock spaCy:
``nlp.pipe`` of a model loaded with spaCy's defaults, with all components and BLIS matrix products. Each run of a stage
reloads its model, so that its word caches start empty; loading time is excluded. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import dataclasses
import gc
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import apache_beam as beam
import mwparserfromhell
import spacy
from apache_beam.utils.shared import Shared
from spacy.language import Language
from thinc.api import use_ops

from benchmarks.beam_clock import read_dump, through_beam
from benchmarks.measuring import in_turn, machine, median, processor_seconds, stage_row, table, timed
from benchmarks.slice import slice_path
from gistmill.rules.coreference.scorer import Sieve
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, RawDocument
from gistmill.transforms.models import LoadedModel, load_model
from gistmill.transforms.parsing.plain import PIPE_BATCH, PlainParser
from gistmill.transforms.steps.annotate import AnnotateBatches, AnnotationConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.clean import CleanDocuments
from gistmill.transforms.steps.recipe import ApplyRecipe


def stage_rows(path: Path, *, documents: int | None, rounds: int) -> list[dict[str, object]]:
    """Measures each stage; returns one mapping per row: stage, unit, rate, bare rate, share of bare."""
    data = path.read_bytes()
    xml = len(bz2.decompress(data))
    with tempfile.TemporaryDirectory() as folder:
        raw: list[RawDocument] = []

        def read() -> list[object]:
            """Reads into a separate workspace, because a second run would reuse the first one's chunks."""
            return read_dump(path, tempfile.mkdtemp(dir=folder))

        reading = in_turn(
            {
                "bare": lambda: timed(lambda: bz2.decompress(data)),
                "stage": lambda: timed(lambda: _fill(raw, read(), RawDocument)),
            },
            times=rounds,
        )
        empty = timed(lambda: through_beam([]))
    reading["stage"] = [s - empty for s in reading["stage"]]
    raw = sorted(raw, key=lambda d: int(d.id.rpartition("-")[2]))[:documents]
    rows = [stage_row("read", "MB/s", xml / 1e6, reading, bare="bz2")]

    wikitext = sum(len(d.text.encode()) for d in raw) / 1e6
    clean: list[CleanDocument] = []
    step = beam.ParDo(CleanDocuments())
    cleaning = in_turn(
        {
            "bare": lambda: _used(lambda: [mwparserfromhell.parse(d.text).strip_code() for d in raw]),
            "stage": lambda: _used(lambda: _fill(clean, through_beam(raw, step)[1], CleanDocument)),
            "empty": lambda: _used(lambda: through_beam([], step)),
        },
        times=rounds,
    )
    cleaning["stage"] = [s - median(cleaning["empty"]) for s in cleaning["stage"]]
    rows.append(stage_row("clean", "MB/s", wikitext, cleaning, bare="mwparserfromhell"))
    return rows + language_rows(clean, rounds=rounds)


def _fill(kept: list[Any], elements: Iterable[object], cls: type) -> None:
    kept[:] = [e for e in elements if isinstance(e, cls)]


def _used(function: Callable[[], object]) -> float:
    return timed(function, clock=processor_seconds)


def words(documents: Iterable[CleanDocument]) -> int:
    """Returns the number of white-space words in the documents."""
    return sum(len(p.split()) for d in documents for s in d.sections for p in s.paragraphs)


def language_rows(clean: list[CleanDocument], *, rounds: int) -> list[dict[str, object]]:
    """Measures the stages after cleaning; returns rows in the format of ``stage_row``."""
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
    annotate = beam.ParDo(AnnotateBatches(AnnotationConfig(coref="none"), Shared()))

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
    """Measures the way from paragraphs to rows: through Beam, and in a plain loop with stock spaCy."""
    recipe = DiscoFuse(DiscoFuseConfig())
    annotator = Annotator(model, Sieve(), parser=PlainParser(stock))

    def line() -> float:
        annotate, apply = AnnotateBatches(AnnotationConfig(), Shared()), ApplyRecipe(DiscoFuse(DiscoFuseConfig()))
        return through_beam(clean, beam.ParDo(annotate), beam.ParDo(apply), keep=False, clock=time.process_time)[0]

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
    """Yields documents in batches with as many words as the stage processes together."""
    batch: list[CleanDocument] = []
    for document in clean:
        batch.append(document)
        if words(batch) >= AnnotateBatches.ENOUGH:
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

    # only this benchmark holds all documents in memory; a pipeline's garbage collector never scans them all
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


def _share(row: dict[str, object]) -> str:
    if "bare" in row:
        return f"{row['share_of_bare']:.2f} of bare"
    times = f", {row['times_parse']:.1f} times as fast as nlp.pipe" if "times_parse" in row else ""
    return f"{row['share_of_annotate']:.1%} of annotate{times}"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--documents", type=int, default=None, help="number of articles to process (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="number of runs of each (default: 3)")
    args = parser.parse_args()
    path = args.input or slice_path()
    print(machine())
    print(f"input: {path.name}, {path.stat().st_size:,} bytes; medians of {args.rounds} interleaved runs\n")
    rows = stage_rows(path, documents=args.documents, rounds=args.rounds)
    cells = [
        [
            str(r["stage"]),
            f"{r['rate']:,.1f} {r['unit']}",
            f"{r['bare']} {r['bare_rate']:,.1f}" if "bare" in r else "",
            _share(r),
        ]
        for r in rows
    ]
    print(table(("stage", "rate", "bare library", "share"), cells))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
