"""The server's models: their inputs, outputs, loading and explanations.

An engine is called from one thread at a time, with a batch of items that arrived at about the same time. It returns one
answer per item, in order. A problem with an item is reported in its answer; an exception fails the whole batch. Neither
torch nor transformers is needed. benchmarks/README.md explains the choice of CTranslate2 over ONNX Runtime.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import gistmill
from gistmill.core.extras import install_extra
from gistmill.core.model_files import load_tokenizer
from gistmill.fusion import (
    Explanation,
    Fused,
    FusionRequest,
    as_json,
    edits_between,
    explain_fusion,
    explain_splits,
    fuse_rows,
    split_rows,
)
from gistmill.rules.extractive import copied
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.rules.text.sentences import splitter_of
from gistmill.serving.config import ServingConfig
from gistmill.transforms.installed import ModelError, PackageError, installed_version

EXPORT, WEIGHTS, TOKENIZER = "export.json", "model.bin", "tokenizer.json"
_TRAINED = "kind.json"  # see training/kinds.py
_COLUMN = "inputs"  # the column that a request supplies
_LONGEST = 100_000  # tokens
# The clean-up that transformers applies to decoded text if the tokenizer, not a byte-pair one, asks for it.
_TIDIED = (
    *tuple((f" {end}", end) for end in (".", "?", "!", ",")),
    (" ' ", "'"),
    *((f" {end}", end) for end in ("n't", "'m", "'s", "'ve", "'re")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePair(FusionRequest):
    """Two sentences and constraints on their fusion; ``second`` is "" to split a single sentence."""

    second: str = ""
    explain: bool = False  # whether to explain the operations


@dataclass(frozen=True, slots=True)
class Fusions:
    """The fusions of a pair, best first; if there are none, ``why`` gives the reason. ``unchanged_probability`` is the
    probability of leaving the sentences unfused, if the model supplies one."""

    fusions: tuple[Fused, ...]
    why: str | None = None
    unchanged_probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """An article in English.

    Attributes:
        title: the headline, or "".
        paragraphs: the sentences of each paragraph, at least one per paragraph.
    """

    title: str = ""
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The text as in the ``inputs`` of a summarization dataset: one line per paragraph."""
        return "\n".join(" ".join(paragraph) for paragraph in self.paragraphs)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of all paragraphs."""
        return tuple(chain.from_iterable(self.paragraphs))


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeText:
    """A text to cut into propositions, with the recipe's options, or to resolve."""

    text: str
    title: str = ""
    precision: str = "balanced"
    grain: str = "clause"
    resolve: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of an article.

    Attributes:
        text: the summary as the model wrote it.
        sentences: the sentences of the summary.
        read: the number of leading characters of ``Article.text`` that the model read.
    """

    text: str
    sentences: tuple[str, ...]
    read: int


# Limit on article words times summary words: beyond it, a hostile text would take too long.
_MOST_COMPARED = 4_000_000


def explained(how: Explanation) -> dict[str, Any]:
    """Returns an explanation in response format."""
    return {
        "steps": [{"name": operation.name, "detail": operation.detail} for operation in how.operations],
        "source": [asdict(piece) for piece in how.source],
        "result": [asdict(piece) for piece in how.result],
    }


def extracted(paragraphs: Sequence[str], summary: str) -> dict[str, Any] | None:
    """Returns the fragments that a summary copies from an article, in response format, or None if the texts are too
    long."""
    text = "\n".join(paragraphs)
    if len(text.split()) * len(summary.split()) > _MOST_COMPARED:
        return None
    runs, measured = copied(text, summary)
    return {
        "coverage": measured.coverage,
        "density": measured.density,
        "copied": [
            {
                "words": run.words,
                "source_start": run.document_start,
                "source_end": run.document_end,
                "summary_start": run.summary_start,
                "summary_end": run.summary_end,
            }
            for run in runs
        ],
    }


@dataclass(frozen=True, slots=True)
class Source:
    """A tokenized input text.

    Attributes:
        pieces: the tokens, truncated to the model's maximum.
        tokens: the number of tokens before truncation, including the prefix and the end token.
        read: the number of leading characters that the model reads.
    """

    pieces: list[str]
    tokens: int
    read: int


@dataclass(frozen=True, slots=True)
class Output:
    """A generated text and its log probability."""

    text: str
    log_probability: float


class _Decoding(BaseModel):
    """A model's search settings; values outside these limits are mistakes or would never finish."""

    model_config = ConfigDict(strict=True)
    beam_size: int = Field(ge=1, le=100)
    min_decoding_length: int = Field(ge=0, le=_LONGEST)
    max_decoding_length: int = Field(ge=1, le=_LONGEST)
    length_penalty: float = Field(ge=-100, le=100, allow_inf_nan=False)
    no_repeat_ngram_size: int = Field(ge=0, le=_LONGEST)


class _Export(BaseModel):
    """The content of export.json: settings for preparing sources, and for searching and decoding outputs."""

    model_config = ConfigDict(strict=True)
    source_column: str
    prefix: str | None
    max_source: int = Field(ge=1, le=_LONGEST)
    decoding: _Decoding
    first_token: str | None
    end_token: str
    tidies: bool


class Seq2Seq:
    """An exported model, run on a GPU if CTranslate2 finds one, otherwise on one CPU thread.

    Args:
        folder: the folder written by `gistmill-train export`.
        needed_by: the option that names the folder, for error messages.

    Attributes:
        name: the folder's name.
        most_tokens: the maximum number of source tokens that the model reads.

    Raises:
        PackageError: the folder is unusable, or a package is missing; the message is one line with advice.
    """

    def __init__(self, folder: str, *, needed_by: str) -> None:
        for package in ("ctranslate2", "tokenizers"):
            installed_version(package, needed_by=needed_by, install=install_extra("serve"))
        import ctranslate2

        place = Path(folder)
        self._export = _read_export(place, needed_by)
        self.name, self.most_tokens = place.resolve().name, self._export.max_source
        try:
            self._tokenizer = load_tokenizer(place / TOKENIZER)
        except (OSError, ValueError) as error:
            raise PackageError(_unusable(place, needed_by, ValueError(f"{TOKENIZER}: {error}"))) from None
        try:
            self._translator = ctranslate2.Translator(folder, device="auto", inter_threads=1, intra_threads=1)
        except (RuntimeError, ValueError) as error:
            raise PackageError(_unusable(place, needed_by, error)) from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def read(self, text: str) -> Source:
        """Tokenizes a text as in training: truncated, with the end token."""
        prefix, longest = self._export.prefix or "", self._export.max_source
        found = self._tokenizer.encode(prefix + text)
        if len(found.ids) <= longest:
            return Source(found.tokens, len(found.ids), len(text))
        ends = [end for _, end in found.offsets[: longest - 1]]
        pieces = [*found.tokens[: longest - 1], self._export.end_token]
        return Source(pieces, len(found.ids), max(0, max(ends, default=0) - len(prefix)))

    def write(self, sources: Sequence[Source], *, count: int = 1) -> list[list[Output]]:
        """Returns the most likely outputs for each source, best first.

        On a CPU, sources are processed one at a time, so that an output never depends on the rest of the batch.

        Args:
            sources: sources returned by ``read``.
            count: maximum number of outputs per source.
        """
        if self._translator.device == "cpu":
            return [outputs for source in sources for outputs in self._written([source], count)]
        return list(self._written(sources, count))

    def _written(self, sources: Sequence[Source], count: int) -> Iterator[list[Output]]:
        export, decoding = self._export, self._export.decoding.model_dump()
        decoding["beam_size"] = max(count, decoding["beam_size"])
        found = self._translator.translate_batch(
            [source.pieces for source in sources],
            target_prefix=[[export.first_token]] * len(sources) if export.first_token else None,
            max_input_length=0,
            num_hypotheses=count,
            return_scores=True,
            **decoding,
        )
        for result in found:
            yield [self._output(*each) for each in zip(result.hypotheses, result.scores, strict=True)]

    def _output(self, pieces: Sequence[str], score: float) -> Output:
        # the tokens that pad the vocabulary have no id
        ids = [number for piece in pieces if (number := self._tokenizer.token_to_id(piece)) is not None]
        text = self._tokenizer.decode(ids, skip_special_tokens=True)
        for old, new in _TIDIED if self._export.tidies else ():
            text = text.replace(old, new)
        decoding = self._export.decoding
        length = min(len(pieces) + 1, decoding.max_decoding_length)  # including the end token
        return Output(text, score * length**decoding.length_penalty)


def check_is_exported(folder: str, *, needed_by: str) -> None:
    """Raises PackageError if the path is not a folder, or holds a trained model that has not been exported."""
    place = Path(folder)
    if not place.is_dir():
        raise PackageError(f"{needed_by} {folder} is not a folder")
    if (place / _TRAINED).is_file():
        raise PackageError(
            f"{needed_by} {folder} is a trained model that has not been exported; gistmill-train export "
            f"--model {folder} --output OTHER makes a folder that can be served"
        )


def _read_export(place: Path, needed_by: str) -> _Export:
    """Reads export.json; raises PackageError if the file is missing or lacks a required field."""
    try:
        export = _Export.model_validate_json((place / EXPORT).read_bytes())
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        problem = ValueError(f"{EXPORT}: {': '.join([*map(str, first['loc'][-1:]), first['msg']])}")
        raise PackageError(_unusable(place, needed_by, problem)) from None
    except OSError as error:
        raise PackageError(_unusable(place, needed_by, error)) from None
    if export.source_column != _COLUMN:
        raise PackageError(
            f"{needed_by} {place}: the model reads the column {export.source_column!r} of a dataset; only models that "
            f"read {_COLUMN!r} can be served"
        )
    return export


def _unusable(place: Path, needed_by: str, error: Exception) -> str:
    said = " ".join(str(error).split())[:300]
    if isinstance(error, FileNotFoundError):
        said = f"{Path(error.filename).name} is missing"
    return f"{needed_by} {place} cannot be used: {said}; export the model again with gistmill-train export"


# Maximum number of words in two sentences and their fusion; beyond it, alignment would take too long.
_MOST_ALIGNED = 250


class WritingFuser:
    """A sequence-to-sequence fuser; the edits of its fusions are found by alignment."""

    def __init__(self, model: Seq2Seq) -> None:
        self._model, self.name = model, model.name

    def fuse(self, pairs: Sequence[SentencePair]) -> list[Fusions]:
        """Returns the fusions of each pair. Such models have no discourse types and read only natural text."""
        # formatted as in the ``inputs`` of a DiscoFuse dataset
        sources = [self._model.read(" ".join(f"{pair.first} {pair.second}".split())) for pair in pairs]
        found = [_refused(pair, source, self._model.most_tokens) for pair, source in zip(pairs, sources, strict=True)]
        open_ = [n for n, fusions in enumerate(found) if fusions is None]
        for count in {pairs[n].n for n in open_}:
            asked = [n for n in open_ if pairs[n].n == count]
            for n, outputs in zip(asked, self._model.write([sources[n] for n in asked], count=count), strict=True):
                different = {
                    output.text: output for output in reversed(outputs)
                }  # keeps the more likely of equal texts
                found[n] = Fusions(tuple(_fused(pairs[n], output) for output in reversed(different.values())))
        return [fusions for fusions in found if fusions is not None]


def _refused(pair: SentencePair, source: Source, most_tokens: int) -> Fusions | None:
    if pair.type is not None or pair.connective is not None or pair.caution:
        return Fusions((), "this model does not support a discourse type, a connective or a caution")
    if pair.tokenized:
        return Fusions((), "this model reads natural text, not tokens separated by spaces")
    if source.tokens > most_tokens:
        return Fusions((), f"the sentences have {source.tokens} tokens; the model reads {most_tokens}")
    return None


def _fused(pair: SentencePair, output: Output) -> Fused:
    size = sum(len(text.split()) for text in (pair.first, pair.second, output.text))
    edits = edits_between(pair.first, pair.second, output.text) if size <= _MOST_ALIGNED else None
    return Fused(output.text, edits or [], "", round(output.log_probability, 4))


class WritingSummarizer:
    """A sequence-to-sequence summarizer."""

    is_baseline = False

    def __init__(self, model: Seq2Seq) -> None:
        self._model, self.name = model, model.name

    def summarize(self, articles: Sequence[Article]) -> list[Summary]:
        """Returns the summary of each article; only the beginning of a long article is read."""
        sources: list[Source] = [self._model.read(article.text) for article in articles]
        written = self._model.write(sources)
        made = []
        for (output, *_), source in zip(written, sources, strict=True):
            split = splitter_of([output.text])
            sentences = tuple(found for line in output.text.splitlines() for found in split(line))
            made.append(Summary(output.text, sentences, source.read))
        return made


def split(pairs: Sequence[SentencePair]) -> list[list[dict[str, Any]]]:
    """Returns the DiscoFuse candidates of each pair as ``gistmill split`` writes them, explained on request."""
    found: list[list[dict[str, Any]]] = []
    for (tokenized, explains), group in groupby(pairs, lambda pair: (pair.tokenized, pair.explain)):
        rows = [(pair.first, pair.second) for pair in group]
        if explains:
            for each in explain_splits(rows, tokenized=tokenized):
                found.append([{**as_json(c), "explanation": explained(how)} for c, how in each])
        else:
            found += [[as_json(c) for c in each] for each in split_rows(rows, tokenized=tokenized)]
    return found


def fuse(fuser: TaggerFuser | WritingFuser, pairs: Sequence[SentencePair]) -> list[dict[str, Any]]:
    """Returns the fusions of each pair in response format, with explanations on request."""
    answers = []
    for pair, found in zip(pairs, fuser.fuse(pairs), strict=True):
        fusions = [asdict(fused) for fused in found.fusions]
        if pair.explain:
            for answer, fused in zip(fusions, found.fusions, strict=True):
                how = explain_fusion(pair.first, pair.second, fused, tokenized=pair.tokenized)
                answer["explanation"] = explained(how)
        answers.append({"fusions": fusions, "unchanged_probability": found.unchanged_probability, "why": found.why})
    return answers


def state(texts: Sequence[WholeText]) -> list[dict[str, Any] | Exception]:
    """Returns the result for each text, as Python values: its propositions, the resolved text, or the exception if
    processing failed."""
    return [_stated(text) for text in texts]


def _stated(wanted: WholeText) -> dict[str, Any] | Exception:
    config = PropositionsConfig(precision=wanted.precision, grain=wanted.grain)
    try:
        if wanted.resolve:
            return asdict(gistmill.resolve(wanted.text, title=wanted.title, config=config))
        found = gistmill.propositions(wanted.text, title=wanted.title, config=config)
    except Exception as error:
        return error
    return {"propositions": [asdict(each) for each in found], "rejected": [asdict(each) for each in found.rejected]}


class TaggerFuser:
    """A tagger run as in ``gistmill fuse``.

    Args:
        folder: the tagger folder; None for the packaged tagger.
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self.name = "tagger" if folder is None else folder.rstrip("/").rpartition("/")[2]

    def fuse(self, pairs: Sequence[SentencePair]) -> list[Fusions]:
        """Returns the fusions of each pair."""
        return [
            Fusions((), str(found))  # the pair is too long, or the tagger has not learned a constraint
            if isinstance(found, ValueError)
            else Fusions(tuple(found.fusions), unchanged_probability=found.unchanged_probability)
            for found in fuse_rows(pairs, model=self._folder)
        ]


class Lead:
    """The Lead-3 baseline of the lead-bias paper (section 4.2): the first three sentences."""

    name, is_baseline = "lead-3", True

    def summarize(self, articles: Sequence[Article]) -> list[Summary]:
        """Returns the summary of each article."""
        leads = [article.sentences[:3] for article in articles]
        return [Summary(" ".join(lead), lead, len(article.text)) for lead, article in zip(leads, articles, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines:
    """The models of a worker; if ``fuser`` is None, ``no_fuser`` gives the reason."""

    fuser: TaggerFuser | WritingFuser | None
    summarizer: Lead | WritingSummarizer
    no_fuser: str = ""


def open_engines(config: ServingConfig) -> Engines:
    """Loads a worker's models and runs the models and rules once, so that no request waits for their first use.

    Raises:
        ModelError: a model is missing or unusable.
    """
    summarizer = _summarizer(config.summarizer)
    split([SentencePair(first="It rained.", second="However, we went out.")])
    rain = "Ada saw that it rained, so she left."
    state([WholeText(text=rain), WholeText(text=rain, resolve=True)])
    summarizer.summarize([Article(paragraphs=(("It rained.",),))])
    try:
        fuser = _fuser(config.fusion)
        fuser.fuse([SentencePair(first="It rained.", second="We went out.")])
    except ModelError as error:
        if config.fusion is not None:
            raise
        # the packaged tagger needs more packages than the rules
        return Engines(fuser=None, summarizer=summarizer, no_fuser=str(error))
    return Engines(fuser=fuser, summarizer=summarizer)


def _fuser(folder: str | None) -> TaggerFuser | WritingFuser:
    if folder is not None:
        check_is_exported(folder, needed_by="--fusion")
        # true for an exported sequence-to-sequence model, even if incomplete
        if any((Path(folder) / name).is_file() for name in (EXPORT, WEIGHTS)):
            return WritingFuser(Seq2Seq(folder, needed_by="--fusion"))
    return TaggerFuser(folder)


def _summarizer(folder: str | None) -> Lead | WritingSummarizer:
    if folder is None:
        return Lead()
    check_is_exported(folder, needed_by="--summarizer")
    return WritingSummarizer(Seq2Seq(folder, needed_by="--summarizer"))
