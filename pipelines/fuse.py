"""``gistmill fuse``: fuses two sentences into one text with the packaged tagger or another one."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from gistmill.core.values import nearest
from gistmill.pipelines.errors import CommandParser, ConfigError
from gistmill.pipelines.texts import add_files, config_errors, read_rows, write_answers
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.discofuse.connectives import BACKWARD, CONJUNCTIONS, FORWARD, INNER, RELATIVE_PRONOUNS
from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.codec import ConnectiveError, LabelsError, TooLongError, plan_of
from gistmill.rules.fusion.decode import FusionConstraints
from gistmill.rules.fusion.edits import REPLACE, to_column, trace
from gistmill.rules.fusion.texts import gaps_by_rule, natural, respelled, spacing
from gistmill.rules.text.typography import folded
from gistmill.transforms.encoders import PACKAGES
from gistmill.transforms.fusion.tagger import Tagger, load_tagger

# All connectives; a tagger also learns to insert other words, such as "the band".
_CONNECTIVES = RELATIVE_PRONOUNS | {c.text for c in (*BACKWARD, *INNER, *FORWARD, *CONJUNCTIONS)}

_PACKAGED = f"tagger of gistmill on {PACKAGES[0]}"
_MOST_WORDS = 50_000  # kept in spaCy's vocabulary


@dataclass(frozen=True, slots=True)
class Fused:
    """A fusion of two sentences.

    Attributes:
        fusion: the text; tokens joined by spaces if the input sentences are.
        edits: the edits that turn the sentences' tokens into it, as in the ``edits`` column of DiscoFuse datasets.
        discourse_type: name of the discourse type.
        score: the tagger's log probability.
    """

    fusion: str
    edits: list[str]
    discourse_type: str
    score: float


class Fusions(list[Fused]):
    """The most likely fusions of two sentences, best first.

    Attributes:
        model: the tagger that made them: its folder, or the name of the packaged tagger and its encoder.
    """

    def __init__(self, fusions: Iterable[Fused] = (), model: str = "") -> None:
        super().__init__(fusions)
        self.model = model


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The most likely fusions of two sentences.

    Attributes:
        fusions: distinct fusions, best first.
        unchanged_probability: the tagger's probability that the sentences are left unchanged, among pairs whose
            discourse types are as frequent as its prior assumes.
    """

    fusions: list[Fused]
    unchanged_probability: float


def fuse(
    first: str,
    second: str,
    *,
    type: DiscourseType | str | None = None,
    connective: str | None = None,
    caution: float = 0.0,
    n: int = 1,
    tokenized: bool = False,
    model: str | PathLike[str] | None = None,
) -> Fusions:
    """Fuses two sentences; returns the most likely distinct fusions, best first, with the tagger used as ``model``.

    Takes the same arguments and raises the same errors as ``alternatives``.

    >>> fuse("He won the race.", "The weather was bad.", connective="although")[0].fusion
    'He won the race, although the weather was bad.'
    """
    found = alternatives(
        first, second, type=type, connective=connective, caution=caution, n=n, tokenized=tokenized, model=model
    )
    return Fusions(found.fusions, _PACKAGED if model is None else str(model))


def alternatives(
    first: str,
    second: str,
    *,
    type: DiscourseType | str | None = None,
    connective: str | None = None,
    caution: float = 0.0,
    n: int = 1,
    tokenized: bool = False,
    model: str | PathLike[str] | None = None,
) -> Alternatives:
    """Returns the most likely fusions of two sentences, and the probability that they are left unchanged.

    The tagger is loaded on the first call and cached. The arguments match the options of ``gistmill fuse``.

    Args:
        first, second: the sentences.
        type: the required discourse type; None for any.
        connective: the required connective, such as "although"; None for any.
        caution: added to the log probability of no change when ranking fusions, but not to reported probabilities.
        n: maximum number of fusions.
        tokenized: whether the sentences are tokens joined by single spaces, as in the released dataset.
        model: folder of a tagger exported by ``gistmill-train export``; None for the packaged one.

    Raises:
        ModelError: a package that the tagger needs is missing, or the folder cannot be used.
        ValueError: a sentence is empty, the pair is too long, or the type or connective is unknown to the tagger.
    """
    asked = FusionRequest(
        first=first, second=second, type=type, connective=connective, caution=caution, n=n, tokenized=tokenized
    )
    (found,) = fuse_rows([asked], model=model)
    if isinstance(found, ValueError):
        raise found
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionRequest:
    """Two sentences and constraints on their fusion; the fields are the arguments of ``alternatives``."""

    first: str
    second: str
    type: DiscourseType | str | None = None
    connective: str | None = None
    caution: float = 0.0
    n: int = 1
    tokenized: bool = False


def fuse_rows(
    rows: Sequence[FusionRequest], *, model: str | PathLike[str] | None = None
) -> list[Alternatives | ValueError]:
    """Returns the result or the ValueError of ``alternatives`` for each row. Fusing many rows at once is faster and
    gives the same results. Raises ModelError if a required package is missing or the folder cannot be used."""
    checked = [_checked(row) for row in rows]
    tagger = loaded(None if model is None else str(model))
    known = [(row, wanted) for row, wanted in zip(rows, checked, strict=True) if isinstance(wanted, FusionConstraints)]
    found = iter(_fusions(tagger, known))
    return [next(found) if isinstance(wanted, FusionConstraints) else wanted for wanted in checked]


def _checked(row: FusionRequest) -> FusionConstraints | ValueError:
    kind = row.type.name if isinstance(row.type, DiscourseType) else row.type
    if not row.first.strip() or not row.second.strip():
        return ValueError("a sentence is empty")
    if row.n < 1:
        return ValueError(f"n: expected a whole number of at least 1, not {row.n!r}")
    if not math.isfinite(row.caution):
        return ValueError(f"caution: expected a number, not {row.caution!r}")
    if kind is not None and kind not in DiscourseType.__members__:
        return ValueError(f"unknown discourse type {kind!r}; expected one of {', '.join(DiscourseType.__members__)}")
    plan = None if kind is None else plan_of(kind)
    return FusionConstraints(plan=plan, connective=row.connective, caution=row.caution, count=row.n)


def tokens_of(sentence: str, *, tokenized: bool = False) -> list[str]:
    """Returns a sentence's tokens, to which the positions in ``Fused.edits`` refer."""
    return folded(_tokens(sentence, tokenized))


def edits_between(first: str, second: str, fusion: str) -> list[str] | None:
    """Aligns two sentences with a fusion that no tagger wrote, and returns the edits in the form of ``Fused.edits``;
    None if no edits produce exactly this text."""
    cells = [_tokens(text, False) for text in (first, second, fusion)]
    one, two, target = map(folded, cells)
    found = align(one, two, target) if target else None
    if found is None:
        return None
    source = [*cells[0], *cells[1]]
    found = respelled(one, two, found, [word for word, _ in cells[2]])
    wanted = [False, *(space for _, space in cells[2][:-1])]
    by_rule = gaps_by_rule(trace(one, two, found), [space for _, space in source], len(one))
    found = dataclasses.replace(found, spacing=spacing(by_rule, wanted))
    return to_column(found) if natural(one, two, found, source) == fusion else None


@lru_cache(maxsize=2)
def loaded(model: str | None) -> Tagger:
    """Loads and caches the tagger from a folder, or the packaged one. Raises ModelError."""
    return load_tagger(None if model is None else Path(model))


@lru_cache(maxsize=1)
def _english() -> Any:
    import spacy  # not needed for tokenised rows

    return spacy.blank("en")


def _fusions(
    tagger: Tagger, asked: Sequence[tuple[FusionRequest, FusionConstraints]]
) -> Iterator[Alternatives | ValueError]:
    """Yields the fusions of each row, or an error if there are none."""
    rows = [[_tokens(cell, row.tokenized) for cell in (row.first, row.second)] for row, _ in asked]
    # the tagger has learnt ASCII punctuation; the fusion keeps the sentences' own
    pairs = [(folded(first), folded(second)) for first, second in rows]
    for cells, pair, states, (row, wanted) in zip(rows, pairs, tagger.states(pairs), asked, strict=True):
        if isinstance(states, TooLongError):
            yield states
            continue
        try:
            found, unchanged = tagger.decode(states, *pair, wanted)
        except ConnectiveError as error:
            known = sorted(_CONNECTIVES & error.words)
            hint = nearest(error.connective.lower(), known) or f"; known connectives: {', '.join(known)}"
            yield LabelsError(f"{error}{hint}")
            continue
        except LabelsError as error:
            yield error
            continue
        source = [token for cell in cells for token in cell]
        fusions = []
        for fusion in found:
            text = " ".join(fusion.tokens) if row.tokenized else natural(*pair, fusion.edits, source)
            # the type with anaphora, if it exists, when a word is replaced
            replaces = any(operation.startswith(REPLACE) for operation in fusion.edits.operations)
            kind = f"{fusion.plan}_ANAPHORA"
            kind = kind if replaces and kind in DiscourseType.__members__ else fusion.plan
            fusions.append(Fused(text, to_column(fusion.edits), kind, round(fusion.log_probability, 4)))
        yield Alternatives(fusions, round(unchanged, 4))


def _tokens(cell: str, tokenized: bool) -> list[tuple[str, bool]]:
    """Returns the tokens of a sentence, each with whether a space follows it."""
    if tokenized:
        return [(word, True) for word in cell.split()]
    nlp = _english()
    # spaCy never forgets a word, and a server runs for months
    with nullcontext() if len(nlp.vocab) < _MOST_WORDS else nlp.memory_zone():
        return [(token.text, bool(token.whitespace_)) for token in nlp.tokenizer(" ".join(cell.split()))]


def main(argv: Sequence[str]) -> int:
    """Writes the fusions of each row, in order; returns 0. Raises ConfigError, before writing anything, if the command
    line is invalid, the input cannot be read, a row is malformed (with its line number), or the tagger is missing or
    has not learnt the required type or connective."""
    parser = CommandParser("fuse")
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="two sentences, instead of --input")
    add_files(parser)
    parser.add_argument(
        "--type", choices=DiscourseType.__members__, metavar="TYPE", help="discourse type (default: the most likely)"
    )
    parser.add_argument(
        "--connective", metavar="WORDS", help="connective, such as 'although' (default: the most likely, or none)"
    )
    parser.add_argument(
        "--caution",
        type=float,
        default=0.0,
        metavar="N",
        help="number added to the log probability of leaving two sentences unchanged; higher values leave more "
        "pairs unchanged (default: 0)",
    )
    parser.add_argument(
        *("--n", "--alternatives"),
        dest="n",
        type=int,
        default=1,
        metavar="N",
        help="maximum number of fusions per row: the best one and the next most likely ones (default: 1)",
    )
    parser.add_argument(
        "--model", metavar="FOLDER", help="folder of a tagger exported by gistmill-train (default: the packaged one)"
    )
    asked = parser.parse_args(argv)
    options = {name: getattr(asked, name) for name in ("type", "connective", "caution", "n", "tokenized")}
    rows = [
        FusionRequest(first=first, second=second, **options) for first, second in _rows(asked.sentences, asked.input)
    ]
    with config_errors():
        alternatives("A .", "B .", model=asked.model, **options)  # checks that type and connective are known
    write_answers(asked.output, (_as_json(row, *fuse_rows([row], model=asked.model)) for row in rows))
    return 0


def _rows(sentences: Sequence[str], path: str) -> list[tuple[str, str]]:
    """Returns the two sentences on the command line, or the rows of a file. Raises ConfigError."""
    if not sentences:
        rows = read_rows(path, "fuse")
        for number, (_, second) in enumerate(rows, start=1):
            if not second:
                raise ConfigError(f"line {number}: the second cell is empty")
        return rows
    if path != "-":
        raise ConfigError("specify either sentences or --input, not both")
    typed = [" ".join(sentence.split()) for sentence in sentences]
    if len(typed) != 2 or not all(typed):
        raise ConfigError(f"expected two sentences, not {sum(map(bool, typed))}")
    return [(typed[0], typed[1])]


def _as_json(row: FusionRequest, found: Alternatives | ValueError) -> dict[str, Any]:
    answer: dict[str, Any] = {"fusions": [], "unchanged_probability": None, "why": str(found)}
    if isinstance(found, Alternatives):
        answer = {**asdict(found), "why": None}
    return {"first": row.first, "second": row.second, **answer}
