"""The synthetic recipe: documents of random words or of a text's first sentences, with artificial summaries.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np
from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Row, Seed
from gistmill.core.statistics import Cell, Column, ConfigSchema, DatasetSchema, Figure, Groups, ratio
from gistmill.core.values import PLACE, custom, nearest, whole
from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.lineage import DOCUMENT_COLUMNS, lineage_values
from gistmill.rules.recipe import SALT, Recipe, Refused, outcome_of_units
from gistmill.rules.synthetic.draws import Draws, Stream
from gistmill.rules.synthetic.generator import (
    TRIAL_ATTEMPTS,
    GeneratedExample,
    Maker,
    SyntheticReason,
    make_maker,
    real_sentences,
)
from gistmill.rules.synthetic.interpreter import TASKS
from gistmill.rules.synthetic.language import (
    ENSEMBLE,
    NONSENSE,
    STEP_TASKS,
    Tokenizer,
    WordsError,
    WordTokens,
    nonsense_words,
)

WIKIPEDIA = "wikipedia"
_ELEMENTARY = "elementary"


def _tasks(value: Any) -> tuple[str, ...]:
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    found: list[str] = []
    for part in parts:
        name = str(part).strip()
        prefix, colon, rest = name.partition(":")
        names = list(TASKS) if name == _ELEMENTARY else [rest if colon and prefix == _ELEMENTARY else name]
        for one in names:
            known = [*TASKS] if colon else [*STEP_TASKS, ENSEMBLE, _ELEMENTARY, *TASKS]
            if one not in known:
                there = nearest(one, known) or f"; expected {', '.join(known)}"
                raise ValueError(f"unknown task {one!r}{there}")
            if one in found:
                raise ValueError(f"{one} occurs twice; expected distinct tasks")
            found.append(one)
    if not found:
        raise ValueError("expected at least one task")
    return tuple(found)


_NAMES = "|".join([*STEP_TASKS, ENSEMBLE, f"({_ELEMENTARY}:)?[a-z0-9-]+"])
_TASK_NAMES = custom(
    _tasks, pattern=rf"({_NAMES})(,({_NAMES}))*", metavar="TASK,TASK", allowed="tasks, comma-separated"
)
WORDS = replace(
    PLACE,
    pattern=f"({NONSENSE}|{WIKIPEDIA}|{PLACE.pattern})",
    metavar=f"{NONSENSE}|{WIKIPEDIA}|FILE",
    allowed=f"{NONSENSE}, {WIKIPEDIA} or a file",
)
FILE = replace(PLACE, metavar="FILE", allowed="a file")


@dataclass(frozen=True, kw_only=True)
class SyntheticConfig(Options):
    """The options of the recipe."""

    GROUP: ClassVar[str] = "recipe"

    tasks: tuple[str, ...] = option(
        _TASK_NAMES,
        default=(ENSEMBLE,),
        help=f"tasks, one configuration each: {', '.join(STEP_TASKS)}; {ENSEMBLE}, three elementary "
        f"tasks per document; {_ELEMENTARY}:NAME,NAME..., the named elementary tasks; {_ELEMENTARY}, all "
        f"{len(TASKS)} of them",
    )
    words: str = option(
        WORDS,
        default=NONSENSE,
        help=f"vocabulary of the documents: {NONSENSE}, three-letter words; a file with one word per line; or "
        f"{WIKIPEDIA}, the first sentences of the documents from any --source",
    )
    seed: int = option(whole(0), default=1, help="seed for generating the documents")
    tokenizer: str | None = option(
        FILE,
        help="sentencepiece model, or tokenizer.json from the tokenizers package, used to count the tokens of "
        f"{', '.join(STEP_TASKS)} (default: count words)",
    )

    def check(self) -> None:
        """Raises ValueError if no task uses the tokenizer."""
        if self.tokenizer and not set(self.tasks) & set(STEP_TASKS):
            raise ValueError(f"tokenizer has no effect on {', '.join(self.tasks)}, only on {', '.join(STEP_TASKS)}")

    @property
    def draws_words(self) -> bool:
        """Whether documents are made of drawn words, not of text from a source."""
        return self.words != WIKIPEDIA


_PARTS = 50


def counted(name: str, made: GeneratedExample, draws: Draws, vocabulary: int) -> Mapping[str, int]:
    """Returns the counts for a document in the configuration ``name``.

    Args:
        name: name of the configuration.
        made: the document.
        draws: draws that supplied its words.
        vocabulary: number of words to draw from; 0 if the words are from a text.
    """
    sizes = f"sizes/{name}"
    counts = {
        f"{sizes}/documents": 1,
        f"{sizes}/sentences": made.sentences,
        f"{sizes}/words": made.words,
        f"{sizes}/input tokens": made.inputs.count(" ") + 1,
        f"{sizes}/target tokens": made.targets.count(" ") + 1,
        f"{sizes}/keywords": len(made.tenths),
        f"{sizes}/discarded": made.discarded,
    }
    for task in made.tasks:
        counts[f"elementary_tasks/{name}/{task}"] = 1
    for tenth in made.tenths:
        key = f"keyword_tenths/{name}/{tenth + 1}"
        counts[key] = counts.get(key, 0) + 1
    if vocabulary:
        parts = min(_PARTS, vocabulary)
        keys = _parts_of(name, parts)
        found = draws.places(made.first, made.words) // np.uint64(vocabulary // parts)
        for part, count in enumerate(np.bincount(found.astype(np.int64), minlength=parts)[:parts].tolist()):
            if count:
                counts[keys[part]] = count
    return counts


@lru_cache(maxsize=64)
def _parts_of(name: str, parts: int) -> Sequence[str]:
    return [f"uniformity/{name}/{part} of {parts}" for part in range(1, parts + 1)]


def _sizes(groups: Groups, names: Sequence[str]) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        sums = groups[f"sizes/{name}"]
        documents = sums["documents"]
        totals = [sums.get(of, 0) for of in ("sentences", "words", "keywords")]
        lengths = [ratio(sums.get(of, 0), documents) for of in ("input tokens", "target tokens")]
        rows.append((name, documents, *totals, *lengths, sums.get("discarded", 0)))
    return Figure(
        key="sizes",
        title="Sizes",
        head=("task", "documents", "sentences", "words", "keywords", "mean input", "mean target", "discarded"),
        rows=rows,
        note="Sentences and words are counted in the base documents; the means count tokens separated by spaces. "
        "Discarded documents exceeded the required number of tokens by over 50 and were replaced.",
    )


def _uniformity(groups: Groups, names: Sequence[str]) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        found = groups.get(f"uniformity/{name}", {})
        if not found:
            continue
        parts, words = int(next(iter(found)).rpartition(" ")[2]), sum(found.values())
        expected = words / parts
        seen = [*found.values(), *[0] * (parts - len(found))]
        statistic = sum((count - expected) ** 2 for count in seen) / expected
        probability = chi_square_tail(statistic, parts - 1)
        rows.append((name, words, parts, round(expected, 3), round(statistic, 3), parts - 1, round(probability, 6)))
    return Figure(
        key="uniformity",
        title="Uniformity of words",
        head=("task", "words", "parts", "expected", "chi-square", "degrees of freedom", "p"),
        rows=rows,
        note="The vocabulary is divided, in order, into parts of equal size; a few words at the end may be left over. "
        "The test compares how often words from each part were drawn. If draws are uniform, so is p.",
    )


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Returns the probability that a chi-square variable is at least ``statistic``.

    For integral degrees of freedom the incomplete gamma function is a finite sum: M. Abramowitz and I. A. Stegun,
    "Handbook of mathematical functions", 26.4.4 and 26.4.5.
    """
    half = statistic / 2
    if degrees % 2:
        total, term, step = math.erfc(math.sqrt(half)), math.exp(-half) * math.sqrt(half) / math.gamma(1.5), 1.5
    else:
        total, term, step = 0.0, math.exp(-half), 1.0
    for i in range(degrees // 2):
        total += term
        term *= half / (step + i)
    return min(total, 1.0)


COLUMNS = (
    Column("id", "string", "unique: document id and task"),
    Column("inputs", "string", "the document: tokens with single spaces between, on one line"),
    Column("targets", "string", "the summary, of the same form"),
    Column("task", "string", "the configuration's task"),
    Column("tasks", "list<string>", "the elementary tasks, in the order in which the summary answers them"),
)
_SIZES = (
    Column("sentences", "int64", "sentences of the base document"),
    Column("words", "int64", "its words, without the stops"),
)


class Synthetic(Recipe[SyntheticConfig]):
    """The recipe, which makes one row per task from each document: a Seed, or a document with sentences of text.

    Args:
        config: the configuration.
        salt: not used, since documents depend on the seed.
    """

    NAME = "synthetic"
    HELP = "build a pre-training corpus of artificial documents and summaries"
    TITLE = "Synthetic documents and summaries"
    SUMMARY = (
        "Artificial documents and their summaries (Krishna et al., 2021), for pre-training that needs no text: the "
        "STEP tasks, 21 elementary tasks, and ensembles of three of them. Keywords in `inputs` say what belongs into "
        "`targets`."
    )
    DESCRIPTION = (
        "Builds a pre-training corpus of artificial documents and summaries (Krishna et al., 2021). Documents are "
        "drawn from nonsense words or your own word list, or are the first sentences of real texts. Each task becomes "
        "a configuration. By default there are about 100,000 documents in train and 5,000 each in validation and test."
    )
    EXAMPLES = (
        "synthetic --output nonsense",
        "synthetic --tasks nsg,sr,mdg --tokenizer t5/spiece.model --documents 20000 --seed 7 --output step",
        "synthetic --tasks elementary:copy-quoted,sum-of-numbers --words words.txt --output mine",
        "synthetic --words wikipedia --input enwiki-20261101-pages-articles-multistream.xml.bz2 --output upstream",
    )
    CONFIG = SyntheticConfig
    DOCUMENT = SegmentedDocument
    TASKS = ("summarization",)
    SEEDS = True
    DEFAULTS = {"splits": (100.0, 5.0, 5.0)}
    REASONS = (SyntheticReason,)
    COLUMNS = COLUMNS
    UNIT = "configurations"
    DISTRIBUTIONS = {
        "elementary_tasks": "Elementary tasks",
        "keyword_tenths": "Tenths of the inputs that contain keywords",
    }
    TYPE = "task"

    def __init__(self, config: SyntheticConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._prepare(nonsense_words() if config.words == NONSENSE else (), None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles only the configuration and salt; workers load the materials themselves."""
        return partial(type(self), salt=self.salt), (self.config,)

    def _prepare(self, vocabulary: Sequence[str], tokenizer: Tokenizer | None) -> None:
        config = self.config
        self._vocabulary = vocabulary
        self.tokenizer = tokenizer or WordTokens(vocabulary)
        self.makers = [make_maker(name, self.tokenizer) for name in config.tasks]
        drawing = self.makers if config.draws_words else []
        self._streams = [Stream(config.seed, m.name, widths=m.WIDTHS, vocabulary=vocabulary) for m in drawing]

    @classmethod
    @override
    def makes_documents(cls, config: SyntheticConfig) -> bool:
        return config.draws_words

    @property
    @override
    def materials(self) -> Mapping[str, str]:
        own = self.config.draws_words and self.config.words != NONSENSE
        named = {"words": self.config.words if own else None, "tokenizer": self.config.tokenizer}
        return {name: path for name, path in named.items() if path}

    @override
    def take(self, materials: Mapping[str, Any]) -> None:
        """Raises WordsError if no document with the number of tokens required by a task can be made from the words."""
        self._prepare(materials.get("words", self._vocabulary), materials.get("tokenizer"))
        for maker, stream in zip(self.makers, self._streams, strict=False):
            try:
                maker.draw(stream.draws(0), TRIAL_ATTEMPTS)
            except Refused as error:
                raise WordsError(
                    f"{maker.name} cannot generate a document with these words and this tokenizer: {error}"
                ) from None

    @property
    def schema(self) -> DatasetSchema:
        """The dataset's schema, with a configuration for each task."""
        origin = DOCUMENT_COLUMNS[:1] if self.config.draws_words else DOCUMENT_COLUMNS
        return DatasetSchema(
            configs=tuple(
                ConfigSchema(name=m.name, columns=(*COLUMNS, *m.columns, *_SIZES, *origin), description=m.description)
                for m in self.makers
            )
        )

    @property
    @override
    def models(self) -> Sequence[Mapping[str, Any]]:
        """The tokenizer, if any task counts tokens."""
        return [self.tokenizer.record] if set(self.config.tasks) & set(STEP_TASKS) else []

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns the sizes of the documents, and a test of whether words were drawn uniformly."""
        names = [name.removeprefix("sizes/") for name in groups if name.startswith("sizes/")]
        if not names:
            return ()
        uniform = _uniformity(groups, names)
        return (_sizes(groups, names), *([uniform] if uniform.rows else []))

    def process(self, document: Seed | SegmentedDocument) -> Outcome:
        """Returns a row for each task that can use the document, and the reasons why others cannot."""
        rows: list[Row] = []
        refused: dict[str, Refused] = {}
        counts: dict[str, int] = {}
        sentences = [] if isinstance(document, Seed) else real_sentences(document)
        for number, maker in enumerate(self.makers):
            counts[f"configurations/{maker.name}/read"] = 1
            try:
                if isinstance(document, Seed):
                    draws = self._streams[number].draws(document.number)
                    made = maker.draw(draws)
                else:
                    draws = Stream(self.config.seed, maker.name, document.id, widths=maker.WIDTHS).draws(0)
                    made = maker.take(sentences, draws)
            except Refused as error:
                refused[maker.name] = error
                counts[f"configurations/{maker.name}/rejected/{error.reason.name}"] = 1
            else:
                rows.append(self._row(maker, made, document))
                counts[f"configurations/{maker.name}/used"] = 1
                counts.update(counted(maker.name, made, draws, len(self._vocabulary)))
        mixed = SyntheticReason.NO_TASK
        return outcome_of_units(document, rows, refused, counts, unit="configuration", mixed=mixed)

    def _row(self, maker: Maker, made: GeneratedExample, document: Seed | SegmentedDocument) -> Row:
        row_id = f"{document.id}-{maker.name}"
        origin = {"document_id": document.id} if self.config.draws_words else lineage_values(document.origin)
        values = {
            "id": row_id,
            "inputs": made.inputs,
            "targets": made.targets,
            "task": maker.name,
            "tasks": made.tasks,
            **made.values,
            "sentences": made.sentences,
            "words": made.words,
            **origin,
        }
        return Row(maker.name, row_id, values)
