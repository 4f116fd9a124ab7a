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


class FileTokenizer(Tokenizer):
    """The tokenizer of a file; see Tokenizer.

    Args:
        content: of the file.
        path: its name.

    Raises:
        TokenizerError: it is not a tokenizer.
        PackageError: the package that runs it is not installed.
    """

    def __init__(self, content: bytes, path: str) -> None:
        self._is_json = content.lstrip()[:1] == b"{"
        package = "tokenizers" if self._is_json else "sentencepiece"
        version = installed_version(package, needed_by="--tokenizer", install=install_extra("tokenizers"))
        self._model, pieces = (_json if self._is_json else _sentencepiece)(content, f"--tokenizer {path}")
        self.pieces: Sequence[str] = [*_texts(pieces)]
        digest = hashlib.sha256(content).hexdigest()
        self.record: Mapping[str, Any] = {"name": path, "sha256": digest, "packages": {package: version}}

    @override
    def spans(self, text: str) -> list[Span]:
        found: list[Span]
        if self._is_json:
            found = self._model.encode(text, add_special_tokens=False).offsets
        else:
            found = self._model.encode(text, return_type="offset_mapping")["offsets"]
        return found


def _sentencepiece(content: bytes, name: str) -> tuple[Any, Iterator[str]]:
    import sentencepiece

    sentencepiece.SetMinLogLevel(_QUIET)
    if not content:
        raise TokenizerError(f"{name} is empty")
    try:
        model = sentencepiece.SentencePieceProcessor(model_proto=content)
    except RuntimeError:
        raise TokenizerError(f"{name} is neither a model of sentencepiece nor a tokenizer.json of tokenizers") from None
    special = (model.is_control, model.is_unknown, model.is_byte, model.is_unused)
    normal = (n for n in range(model.vocab_size()) if not any(is_such(n) for is_such in special))
    return model, map(model.id_to_piece, normal)


def _json(content: bytes, name: str) -> tuple[Any, Iterator[str]]:
    try:
        model = load_tokenizer(content)
    except ValueError as error:
        raise TokenizerError(f"{name} is not a tokenizer.json: {error}") from None
    model.no_truncation()
    model.no_padding()
    added = model.get_added_tokens_decoder()
    spelt = {piece: text for text, piece in model.get_vocab(with_added_tokens=True).items()}
    return model, (spelt[piece] for piece in sorted(spelt) if piece not in added)


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
