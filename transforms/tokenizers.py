"""Tokenizers of files: models of sentencepiece, and ``tokenizer.json`` of tokenizers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import override

from gistmill.core.model_files import load_tokenizer
from gistmill.core.text_output import install_extra
from gistmill.rules.synthetic.language import Span, Tokenizer, is_reserved
from gistmill.transforms.installed import installed_version

# how pieces begin that stand behind a space (sentencepiece; BPE of bytes), and those that go on with a word (WordPiece)
_WORD, _BYTES, _GOING_ON = "\u2581", "\u0120", "##"
_QUIET = 4  # above the levels of sentencepiece's messages


class TokenizerError(ValueError):
    """A file that is not a tokenizer; the text is one line that names it and what is wrong."""


class SentencePieceTokens(Tokenizer):
    """A model of sentencepiece; see Tokenizer."""

    def __init__(self, content: bytes, path: str) -> None:
        packages = _packages("sentencepiece")
        import sentencepiece

        sentencepiece.SetMinLogLevel(_QUIET)
        if not content:
            raise TokenizerError(f"--tokenizer {path} is empty")
        try:
            model = self._model = sentencepiece.SentencePieceProcessor(model_proto=content)
        except RuntimeError:
            raise TokenizerError(
                f"--tokenizer {path} is neither a model of sentencepiece nor a tokenizer.json of tokenizers"
            ) from None
        self.record = _record(content, path, packages)
        special = (model.is_control, model.is_unknown, model.is_byte, model.is_unused)
        normal = (n for n in range(model.vocab_size()) if not any(is_such(n) for is_such in special))
        self.pieces: Sequence[str] = [*_texts(map(model.id_to_piece, normal))]

    @override
    def spans(self, text: str) -> list[Span]:
        found: list[Span] = self._model.encode(text, return_type="offset_mapping")["offsets"]
        return found


class JsonTokens(Tokenizer):
    """A ``tokenizer.json``; see Tokenizer."""

    def __init__(self, content: bytes, path: str) -> None:
        packages = _packages("tokenizers")
        try:
            self._model = load_tokenizer(content)
        except ValueError as error:
            raise TokenizerError(f"--tokenizer {path} is not a tokenizer.json: {error}") from None
        self._model.no_truncation()
        self._model.no_padding()
        self.record = _record(content, path, packages)
        added = self._model.get_added_tokens_decoder()
        spelt = {piece: name for name, piece in self._model.get_vocab(with_added_tokens=True).items()}
        self.pieces: Sequence[str] = [*_texts(spelt[piece] for piece in sorted(spelt) if piece not in added)]

    @override
    def spans(self, text: str) -> list[Span]:
        found: list[Span] = self._model.encode(text, add_special_tokens=False).offsets
        return found


def read_tokenizer(content: bytes, path: str) -> Tokenizer:
    """Returns the tokenizer that a file holds.

    Raises:
        TokenizerError: it is not a tokenizer; one line that names it and what is wrong.
        PackageError: the package that runs it is not installed.
    """
    return (JsonTokens if content.lstrip()[:1] == b"{" else SentencePieceTokens)(content, path)


def _packages(name: str) -> Mapping[str, str]:
    return {name: installed_version(name, needed_by="--tokenizer", install=install_extra("tokenizers"))}


def _record(content: bytes, path: str, packages: Mapping[str, str]) -> Mapping[str, Any]:
    return {"name": path, "sha256": hashlib.sha256(content).hexdigest(), "packages": dict(packages)}


def _texts(pieces: Iterator[str]) -> Iterator[str]:
    """Yields the texts of pieces that a random token may be; see Tokenizer.pieces."""
    known = list(pieces)
    marks = next((mark for mark in (_WORD, _BYTES) if any(piece.startswith(mark) for piece in known)), "")
    for piece in known:
        begins = piece.startswith(marks) if marks else not piece.startswith(_GOING_ON)
        text = piece[len(marks) :] if marks and begins else piece.removeprefix(_GOING_ON)
        if marks == _BYTES and not text.isascii():  # other letters stand for bytes
            continue
        if text.isprintable() and text.split() == [text] and not is_reserved(text):
            yield f" {text}" if begins else text
