"""A sequence-to-sequence model as `gistmill-train export` writes it, run by CTranslate2: BART, T5 or PEGASUS.

No torch is needed, nor transformers. benchmarks/README.md says why CTranslate2 and not ONNX Runtime.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.core.installing import install_extra
from gistmill.transforms.installed import PackageError, installed_version

EXPORT, WEIGHTS, TOKENIZER = "export.json", "model.bin", "tokenizer.json"
_TRAINED = "kind.json"  # see training/kinds.py
_COLUMN = "inputs"  # what a request can be turned into
# How transformers tidies what a tokenizer without byte pairs decodes, where the tokenizer says so.
_TIDIED = tuple((f" {end}", end) for end in (".", "?", "!", ",")) + (
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
        from tokenizers import Tokenizer

        place = Path(folder)
        self._export = _read_export(place, needed_by)
        self.name, self.most_tokens = place.resolve().name, self._export.max_source
        try:
            self._tokenizer = Tokenizer.from_file(str(place / TOKENIZER))
        except Exception as error:  # tokenizers raises plain exceptions
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


def is_seq2seq(folder: str) -> bool:
    """Returns whether a folder looks like an exported sequence-to-sequence model, whole or not."""
    return any((Path(folder) / name).is_file() for name in (EXPORT, WEIGHTS))


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
        if not all(isinstance(value, (int, float)) for value in decoding.values()):
            raise TypeError("decoding: expected numbers")
        return _Export(
            prefix=str(said["prefix"] or ""),
            max_source=int(said["max_source"]),
            decoding=decoding,
            first_token=None if said["first_token"] is None else str(said["first_token"]),
            end_token=str(said["end_token"]),
            tidies=bool(said["tidies"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PackageError(_unusable(place, needed_by, error)) from None


_DECODING = ("beam_size", "min_decoding_length", "max_decoding_length", "length_penalty", "no_repeat_ngram_size")


def _unusable(place: Path, needed_by: str, error: Exception) -> str:
    said = f"{EXPORT} lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())[:300]
    if isinstance(error, FileNotFoundError):
        said = f"{Path(error.filename).name} is missing"
    return f"{needed_by} {place} cannot be used: {said}; write it again with gistmill-train export"
