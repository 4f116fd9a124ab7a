"""The synthetic recipe: documents from nothing, or from the first sentences of a text, with artificial summaries.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from typing_extensions import override

from gistmill.core.records import Origin, Outcome, Reject, Row, Seed
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema, Figure, Groups
from gistmill.core.verdict import Reason
from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.lineage import DOCUMENT_COLUMNS, lineage_values
from gistmill.rules.recipe import SALT, Recipe
from gistmill.rules.synthetic import figures
from gistmill.rules.synthetic.config import SyntheticConfig
from gistmill.rules.synthetic.draws import Draws, Stream
from gistmill.rules.synthetic.language import STEP_TASKS
from gistmill.rules.synthetic.making import TRIAL_ATTEMPTS, GeneratedExample, Maker, make_maker
from gistmill.rules.synthetic.real import NoBeginning, real_sentences
from gistmill.rules.synthetic.steps import Overshot, TooFewTokens
from gistmill.rules.synthetic.tokens import Tokenizer, WordTokens
from gistmill.rules.synthetic.vocabulary import NONSENSE, WordsError, nonsense_words

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


class SyntheticReason(Reason):
    """Why a task cannot use a document that was read."""

    NO_BEGINNING = "no first 7 to 13 sentences have 5 words each and 35 to 195 together"
    TOO_FEW_TOKENS = "the document has too few tokens for the task"
    OVERSHOT = "the sentence that completes the tokens has over 50 too many"
    NO_TASK = "no task can use the document, for different reasons"


_REASONS: dict[type[Exception], SyntheticReason] = {
    NoBeginning: SyntheticReason.NO_BEGINNING,
    TooFewTokens: SyntheticReason.TOO_FEW_TOKENS,
    Overshot: SyntheticReason.OVERSHOT,
}


class Synthetic(Recipe[SyntheticConfig]):
    """Makes a row of a document for each task; documents are Seeds, or have sentences of text.

    Args:
        config: its configuration.
        salt: decides nothing here: documents depend on the seed.
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
        "drawn from nonsense words or a list of your own, or are the first sentences of real text. Each task becomes a "
        "configuration. By default there are about 100,000 documents in train, and 5,000 each in validation and test."
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
        "keyword_tenths": "Tenths of the inputs in which keywords stand",
    }
    TYPE = "task"

    def __init__(self, config: SyntheticConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._prepare(nonsense_words() if config.words == NONSENSE else (), None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers get the configuration, and take the materials themselves."""
        return partial(type(self), salt=self.salt), (self.config,)

    def _prepare(self, vocabulary: Sequence[str], tokenizer: Tokenizer | None) -> None:
        config = self.config
        self._vocabulary = vocabulary
        self.tokenizer = tokenizer or WordTokens(vocabulary)
        self.makers = [make_maker(name, self.tokenizer) for name in config.tasks]
        self._streams = [self._stream(maker) for maker in self.makers] if config.draws_words else []

    def _stream(self, maker: Maker) -> Stream:
        return Stream(self.config.seed, maker.name, widths=maker.WIDTHS, vocabulary=self._vocabulary)

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
        """Raises WordsError: no document with so many tokens as a task needs can be made of the words."""
        self._prepare(materials.get("words", self._vocabulary), materials.get("tokenizer"))
        for maker, stream in zip(self.makers, self._streams, strict=False):
            try:
                maker.draw(stream.draws(0), TRIAL_ATTEMPTS)
            except (TooFewTokens, Overshot) as error:
                raise WordsError(f"with these words and this tokenizer {maker.name} has no document: {error}") from None

    @property
    def schema(self) -> DatasetSchema:
        """A configuration for each task."""
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
        """The tokenizer that counts, if any task counts tokens."""
        return [self.tokenizer.record] if set(self.config.tasks) & set(STEP_TASKS) else []

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns the sizes of the documents, and whether words are uniform."""
        return figures.figures(groups)

    def process(self, document: Seed | SegmentedDocument) -> Outcome:
        """Returns a row for each task that can use the document, and why the others cannot."""
        rows: list[Row] = []
        refused: dict[str, tuple[SyntheticReason, str]] = {}
        counts: dict[str, int] = {}
        make = self._of_seed(document) if isinstance(document, Seed) else self._of_text(document)
        for number, maker in enumerate(self.makers):
            counts[f"configurations/{maker.name}/read"] = 1
            try:
                made, draws = make(number, maker)
            except (NoBeginning, TooFewTokens, Overshot) as error:
                reason = _REASONS[type(error)]
                refused[maker.name] = reason, str(error)
                counts[f"configurations/{maker.name}/rejected/{reason.name}"] = 1
                continue
            rows.append(self._row(maker, made, document))
            counts[f"configurations/{maker.name}/used"] = 1
            counts.update(figures.counted(maker.name, made, draws, len(self._vocabulary)))
        if not rows:
            return Outcome(document.origin, counts=counts, refused=_refused_by_all(document.origin, refused))
        rejects = tuple(
            document.origin.reject(reason, "recipe", f"{name}: {detail}", unit="configuration")
            for name, (reason, detail) in refused.items()
        )
        return Outcome(document.origin, rows=tuple(rows), counts=counts, rejects=rejects)

    def _of_seed(self, seed: Seed) -> Callable[[int, Maker], tuple[GeneratedExample, Draws]]:
        def make(number: int, maker: Maker) -> tuple[GeneratedExample, Draws]:
            draws = self._streams[number].draws(seed.number)
            return maker.draw(draws), draws

        return make

    def _of_text(self, document: SegmentedDocument) -> Callable[[int, Maker], tuple[GeneratedExample, Draws]]:
        sentences = real_sentences(document)

        def make(number: int, maker: Maker) -> tuple[GeneratedExample, Draws]:
            draws = Stream(self.config.seed, maker.name, document.id, widths=maker.WIDTHS, block=1).draws(0)
            return maker.take(sentences, draws), draws

        return make

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


def _refused_by_all(origin: Origin, refused: Mapping[str, tuple[SyntheticReason, str]]) -> Reject:
    reasons = {reason for reason, _ in refused.values()}
    details = "; ".join(f"{name}: {reason.name}, {detail}" for name, (reason, detail) in refused.items())
    return origin.reject(reasons.pop() if len(reasons) == 1 else SyntheticReason.NO_TASK, "recipe", details)
