"""The engines that the options name, opened.

No torch is needed, nor transformers. benchmarks/README.md says why CTranslate2 and not ONNX Runtime.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import gistmill
from gistmill.core.model_files import load_tokenizer
from gistmill.core.text_output import install_extra
from gistmill.fusion import (
    Asked,
    Fused,
    as_json,
    edits_between,
    explain_fusion,
    explain_splits,
    fuse_rows,
    split_rows,
)
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.rules.text.sentences import splitter_of
from gistmill.serving.config import ServingConfig
from gistmill.serving.engines import Article, Fusions, SentencePair, Summary, WholeText, explained
from gistmill.transforms.installed import ModelError, PackageError, installed_version

EXPORT, WEIGHTS, TOKENIZER = "export.json", "model.bin", "tokenizer.json"
_TRAINED = "kind.json"  # see training/kinds.py
_COLUMN = "inputs"  # what a request can be turned into
# How transformers tidies what a tokenizer without byte pairs decodes, where the tokenizer says so.
_TIDIED = (
    *tuple((f" {end}", end) for end in (".", "?", "!", ",")),
    (" ' ", "'"),
    *((f" {end}", end) for end in ("n't", "'m", "'s", "'ve", "'re")),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A text as the model reads it.

    Attributes:
        pieces: its tokens, cut to those that the model reads.
        tokens: how many it has uncut, with the prefix and the token of the end.
        read: how many of its characters the model reads, from the first on.
    """

    pieces: list[str]
    tokens: int
    read: int


@dataclass(frozen=True, slots=True)
class Output:
    """A text that the model wrote, and its log probability."""

    text: str
    log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Export:
    """What export.json says: how sources are made, and outputs searched and decoded."""

    prefix: str
    max_source: int
    decoding: dict[str, Any]
    first_token: str | None
    end_token: str
    tidies: bool


class Seq2Seq:
    """An exported model, on a GPU if CTranslate2 finds one, else on one thread of the processor.

    Args:
        folder: where `gistmill-train export` wrote it.
        needed_by: the option that names it, for errors.

    Attributes:
        name: of the folder.
        most_tokens: how many tokens of a source it reads.

    Raises:
        PackageError: the folder cannot be used, or a package is missing; one line that says what to do.
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
        """Returns a text as the model reads it: cut, with the token of the end, as in training."""
        prefix, longest = self._export.prefix, self._export.max_source
        found = self._tokenizer.encode(prefix + text)
        if len(found.ids) <= longest:
            return Source(found.tokens, len(found.ids), len(text))
        ends = [end for _, end in found.offsets[: longest - 1]]
        pieces = [*found.tokens[: longest - 1], self._export.end_token]
        return Source(pieces, len(found.ids), max(0, max(ends, default=0) - len(prefix)))

    def write(self, sources: Sequence[Source], *, count: int = 1) -> list[list[Output]]:
        """Returns the likeliest outputs for each source, the best first.

        Sources are worked on one by one where the processor does it, so that an output never depends on what else was
        asked at the same time.

        Args:
            sources: what ``read`` returned.
            count: the most outputs of each.
        """
        if self._translator.device == "cpu":
            return [outputs for source in sources for outputs in self._written([source], count)]
        return list(self._written(sources, count))

    def _written(self, sources: Sequence[Source], count: int) -> Iterator[list[Output]]:
        export = self._export
        beams = max(count, export.decoding["beam_size"])
        found = self._translator.translate_batch(
            [source.pieces for source in sources],
            target_prefix=[[export.first_token]] * len(sources) if export.first_token else None,
            max_input_length=0,
            num_hypotheses=count,
            return_scores=True,
            **{**export.decoding, "beam_size": beams},
        )
        for result in found:
            yield [self._output(*each) for each in zip(result.hypotheses, result.scores, strict=True)]

    def _output(self, pieces: Sequence[str], score: float) -> Output:
        # tokens that pad the vocabulary have no number
        ids = [number for piece in pieces if (number := self._tokenizer.token_to_id(piece)) is not None]
        text = self._tokenizer.decode(ids, skip_special_tokens=True)
        for old, new in _TIDIED if self._export.tidies else ():
            text = text.replace(old, new)
        decoding = self._export.decoding
        length = min(len(pieces) + 1, decoding["max_decoding_length"])  # with the token of the end
        return Output(text, score * length ** decoding["length_penalty"])


def check_is_exported(folder: str, *, needed_by: str) -> None:
    """Raises PackageError for what cannot be an exported model: no folder, or one that training itself wrote."""
    place = Path(folder)
    if not place.is_dir():
        raise PackageError(f"{needed_by} {folder} is not a folder")
    if (place / _TRAINED).is_file():
        raise PackageError(
            f"{needed_by} {folder} is a model as it was trained; gistmill-train export --model {folder} --output OTHER "
            "makes the folder that can be served"
        )


def _read_export(place: Path, needed_by: str) -> _Export:
    """Raises PackageError where the file is missing or does not say what is needed."""
    try:
        said = json.loads((place / EXPORT).read_text(encoding="utf-8"))
        if said["source_column"] != _COLUMN:
            raise PackageError(
                f"{needed_by} {place}: the model reads the column {said['source_column']!r} of a dataset; one "
                f"that reads {_COLUMN!r} can be served"
            )
        decoding = {name: said["decoding"][name] for name in _DECODING}
        for name, (least, most) in _DECODING.items():
            number, kinds = decoding[name], (int, float) if name == "length_penalty" else (int,)
            if type(number) not in kinds or not least <= number <= most:
                raise ValueError(f"{EXPORT}: decoding: {name}: expected {least} to {most}, not {str(number)[:20]}")
        if not 1 <= int(said["max_source"]) <= _LONGEST:
            raise ValueError(f"{EXPORT}: max_source: expected 1 to {_LONGEST}")
        return _Export(
            prefix=str(said["prefix"] or ""),
            max_source=int(said["max_source"]),
            decoding=decoding,
            first_token=None if said["first_token"] is None else str(said["first_token"]),
            end_token=str(said["end_token"]),
            tidies=bool(said["tidies"]),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise PackageError(_unusable(place, needed_by, error)) from None


_LONGEST = 100_000  # tokens
_DECODING = {  # what a model may ask for: a number beyond is a mistake, or never ends
    "beam_size": (1, 100),
    "min_decoding_length": (0, _LONGEST),
    "max_decoding_length": (1, _LONGEST),
    "length_penalty": (-100, 100),
    "no_repeat_ngram_size": (0, _LONGEST),
}


def _unusable(place: Path, needed_by: str, error: Exception) -> str:
    said = f"{EXPORT} lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())[:300]
    if isinstance(error, FileNotFoundError):
        said = f"{Path(error.filename).name} is missing"
    return f"{needed_by} {place} cannot be used: {said}; write it again with gistmill-train export"


# Words of two sentences and their fusion; beyond it no edits are sought, as alignment may take long.
_MOST_ALIGNED = 250


class WritingFuser:
    """Fuses sentences by a sequence-to-sequence model; the edits of its fusions are found by alignment."""

    def __init__(self, model: Seq2Seq) -> None:
        self._model, self.name = model, model.name

    def fuse(self, pairs: Sequence[SentencePair]) -> list[Fusions]:
        """Returns the fusions of each pair. Such a model has no discourse types, and reads natural text only."""
        # the pair as the ``inputs`` of a DiscoFuse dataset have it
        sources = [self._model.read(" ".join(f"{pair.first} {pair.second}".split())) for pair in pairs]
        found = [_refused(pair, source, self._model.most_tokens) for pair, source in zip(pairs, sources, strict=True)]
        open_ = [n for n, fusions in enumerate(found) if fusions is None]
        for count in {pairs[n].n for n in open_}:
            asked = [n for n in open_ if pairs[n].n == count]
            for n, outputs in zip(asked, self._model.write([sources[n] for n in asked], count=count), strict=True):
                different = {output.text: output for output in reversed(outputs)}  # of two the likelier
                found[n] = Fusions(tuple(_fused(pairs[n], output) for output in reversed(different.values())))
        return [fusions for fusions in found if fusions is not None]


def _refused(pair: SentencePair, source: Source, most_tokens: int) -> Fusions | None:
    if pair.discourse_type is not None or pair.connective is not None or pair.caution:
        return Fusions((), "this model cannot be told a discourse type, a connective or a caution")
    if pair.tokenized:
        return Fusions((), "this model reads natural text, no tokens that are split by spaces")
    if source.tokens > most_tokens:
        return Fusions((), f"the sentences have {source.tokens} tokens; the model reads {most_tokens}")
    return None


def _fused(pair: SentencePair, output: Output) -> Fused:
    size = sum(len(text.split()) for text in (pair.first, pair.second, output.text))
    edits = edits_between(pair.first, pair.second, output.text) if size <= _MOST_ALIGNED else None
    return Fused(output.text, edits or [], "", round(output.log_probability, 4))


class WritingSummarizer:
    """Summarizes articles by a sequence-to-sequence model."""

    is_baseline = False

    def __init__(self, model: Seq2Seq) -> None:
        self._model, self.name = model, model.name

    def summarize(self, articles: Sequence[Article]) -> list[Summary]:
        """Returns the summary of each article; the model reads the beginning of a long one."""
        sources: list[Source] = [self._model.read(article.text) for article in articles]
        written = self._model.write(sources)
        made = []
        for (output, *_), source in zip(written, sources, strict=True):
            split = splitter_of([output.text])
            sentences = tuple(found for line in output.text.splitlines() for found in split(line))
            made.append(Summary(output.text, sentences, source.read))
        return made


def split(pairs: Sequence[SentencePair]) -> list[list[dict[str, Any]]]:
    """Returns the candidates of each pair by the DiscoFuse rules, as ``gistmill split`` writes them,
    explained if that is wanted."""
    found: list[list[dict[str, Any]]] = []
    for (tokenized, explains), group in groupby(pairs, lambda pair: (pair.tokenized, pair.explain)):
        rows = [(pair.first, pair.second) for pair in group]
        if explains:
            for each in explain_splits(rows, tokenized=tokenized):
                found.append([{**as_json(c), "explanation": explained(how)} for c, how in each])
        else:
            found += [[as_json(c) for c in each] for each in split_rows(rows, tokenized=tokenized)]
    return found


def fuse(fuser: TaggerFuser | WritingFuser, pairs: Sequence[SentencePair]) -> list[Fusions]:
    """Returns the fusions of each pair, explained where that is wanted."""
    answers = fuser.fuse(pairs)
    for place, (pair, found) in enumerate(zip(pairs, answers, strict=True)):
        if pair.explain:
            made = [explain_fusion(pair.first, pair.second, fused, tokenized=pair.tokenized) for fused in found.fusions]
            answers[place] = replace(found, explanations=tuple(made))
    return answers


def state(texts: Sequence[WholeText]) -> list[dict[str, Any] | Exception]:
    """Returns the answer to each text: its propositions or it resolved, as Python has them. A text that fails has the
    exception, so that the others of its batch have their answers."""
    return [_stated(text) for text in texts]


def _stated(wanted: WholeText) -> dict[str, Any] | Exception:
    config = PropositionsConfig(precision=wanted.precision)
    try:
        if wanted.resolve:
            return asdict(gistmill.resolve(wanted.text, title=wanted.title, config=config))
        found = gistmill.propositions(wanted.text, title=wanted.title, config=config)
    except Exception as error:
        return error
    return {"propositions": [asdict(each) for each in found], "rejected": [asdict(each) for each in found.rejected]}


class TaggerFuser:
    """A tagger, run as ``gistmill fuse`` runs it.

    Args:
        folder: its folder; None for the one of the package.
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self.name = "tagger" if folder is None else folder.rstrip("/").rpartition("/")[2]

    def fuse(self, pairs: Sequence[SentencePair]) -> list[Fusions]:
        """Returns the fusions of each pair."""
        asked = [
            Asked(
                first=pair.first,
                second=pair.second,
                type=pair.discourse_type,
                connective=pair.connective,
                caution=pair.caution,
                n=pair.n,
                tokenized=pair.tokenized,
            )
            for pair in pairs
        ]
        return [
            Fusions((), str(found))  # too long, or something that the tagger has not learnt
            if isinstance(found, ValueError)
            else Fusions(tuple(found.fusions), unchanged_probability=found.unchanged_probability)
            for found in fuse_rows(asked, model=self._folder)
        ]


class Lead:
    """The first three sentences: the baseline Lead-3 of the lead-bias paper (section 4.2)."""

    name, is_baseline = "lead-3", True

    def summarize(self, articles: Sequence[Article]) -> list[Summary]:
        """Returns the summary of each article."""
        leads = [article.sentences[:3] for article in articles]
        return [Summary(" ".join(lead), lead, len(article.text)) for lead, article in zip(leads, articles, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines:
    """The models that a worker serves; ``fuser`` is None where nothing can fuse, and ``no_fuser`` says why."""

    fuser: TaggerFuser | WritingFuser | None
    summarizer: Lead | WritingSummarizer
    no_fuser: str = ""


def open_engines(config: ServingConfig) -> Engines:
    """Loads the models that a worker serves, and uses them and the rules once, so that no request waits for that.

    Raises:
        ModelError: a model is missing or cannot be used.
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
        # the tagger of the package needs more packages than the rules
        return Engines(fuser=None, summarizer=summarizer, no_fuser=str(error))
    return Engines(fuser=fuser, summarizer=summarizer)


def _fuser(folder: str | None) -> TaggerFuser | WritingFuser:
    if folder is not None:
        check_is_exported(folder, needed_by="--fusion")
        # whether a folder looks like an exported sequence-to-sequence model, whole or not
        if any((Path(folder) / name).is_file() for name in (EXPORT, WEIGHTS)):
            return WritingFuser(Seq2Seq(folder, needed_by="--fusion"))
    return TaggerFuser(folder)


def _summarizer(folder: str | None) -> Lead | WritingSummarizer:
    if folder is None:
        return Lead()
    check_is_exported(folder, needed_by="--summarizer")
    return WritingSummarizer(Seq2Seq(folder, needed_by="--summarizer"))
