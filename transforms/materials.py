"""Materials: word lists, tokenizers (sentencepiece models and ``tokenizer.json`` files) and WordNet, specified by a
recipe's options. The driver checks them and copies them to the workspace, from which workers load them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

from gistmill.core.extras import install_extra
from gistmill.core.model_files import load_tokenizer
from gistmill.rules.augmentation.eda.synonyms import COUNTS, PARTS, Synonyms, WordNetError, synonym_table
from gistmill.rules.recipe import Recipe
from gistmill.rules.synthetic.language import Span, Tokenizer, WordsError, check_words, is_reserved
from gistmill.transforms.installed import installed_version
from gistmill.transforms.io import create, escaped, matching, open_input
from gistmill.transforms.layout import WorkspaceLayout

MOST_BYTES = 64 << 20
_WORDNET = (*(f"{kind}.{part}" for part in PARTS for kind in ("index", "data")), COUNTS)
# prefixes of pieces that follow a space (sentencepiece; byte-level BPE), and of those that continue a word (WordPiece)
_WORD, _BYTES, _GOING_ON = "\u2581", "\u0120", "##"
_QUIET = 4  # above every log level of sentencepiece


class TokenizerError(ValueError):
    """The file is not a tokenizer; the message is one line that names the file and the problem."""


class FileTokenizer(Tokenizer):
    """A tokenizer loaded from a file; see Tokenizer.

    Args:
        content: the file's content.
        path: the file's name.

    Raises:
        TokenizerError: the file is not a tokenizer.
        PackageError: the package that runs the tokenizer is not installed.
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
        raise TokenizerError(f"{name} is neither a sentencepiece model nor a tokenizer.json file") from None
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
    """Yields the texts of pieces that may be drawn as random tokens; see Tokenizer.pieces."""
    known = list(pieces)
    marks = next((mark for mark in (_WORD, _BYTES) if any(piece.startswith(mark) for piece in known)), "")
    for piece in known:
        begins = piece.startswith(marks) if marks else not piece.startswith(_GOING_ON)
        text = piece[len(marks) :] if marks and begins else piece.removeprefix(_GOING_ON)
        if marks == _BYTES and not text.isascii():  # non-ASCII characters stand for bytes
            continue
        if text.isprintable() and text.split() == [text] and not is_reserved(text):
            yield f" {text}" if begins else text


def read_words(content: bytes, path: str) -> tuple[str, ...]:
    """Returns the words in a UTF-8 file, ignoring a byte order mark at its beginning.

    Raises WordsError if it is not a valid word list; the message is one line that names the file and the problem.
    """
    lines = _lines("--words", content, path)
    try:
        return check_words(lines)
    except WordsError as error:
        raise WordsError(f"--words {path}: {error}") from None


def read_stop_words(content: bytes, path: str) -> frozenset[str]:
    """Returns the stop words in a UTF-8 file, ignoring blank lines and a byte order mark at its beginning.

    Raises WordsError if a line contains several words or an unprintable character, or if there are no words; the
    message is one line that names the file.
    """
    lines = [line.strip() for line in _lines("--stop-words", content, path)]
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise WordsError(f"--stop-words {path}: line {number} contains several words: {line!r:.80}")
        if not line.isprintable():
            raise WordsError(f"--stop-words {path}: line {number} contains an unprintable character: {line!r:.80}")
    if not any(lines):
        raise WordsError(f"--stop-words {path}: the file contains no words; to keep all words, use --stop-words none")
    return frozenset(line for line in lines if line)


def _lines(flag: str, content: bytes, path: str) -> list[str]:
    try:
        return content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise WordsError(f"{flag} {path} is not UTF-8 text: byte {error.start} cannot be decoded") from None


READERS: Mapping[str, Callable[[bytes, str], Any]] = {
    "words": read_words,
    "tokenizer": FileTokenizer,
    "stop_words": read_stop_words,
    "wordnet": lambda table, path: Synonyms(table.decode("ascii")),
}
"""For each option, the function that converts the content and name of its file."""


class MaterialError(ValueError):
    """The file cannot be used; the message is one line that names the file and the problem."""


@dataclass(frozen=True, slots=True)
class Material:
    """A file that was read: the option that specifies it, its path, and its content."""

    option: str
    path: str
    content: bytes


def open_materials(recipe: Recipe[Any]) -> Sequence[Material]:
    """Reads the files that a recipe needs, and passes them to it.

    Raises:
        MaterialError: a file cannot be read or used.
        BeamIOError: a store does not answer.
    """
    materials = [
        Material(option, path, read_wordnet(path) if option == "wordnet" else _content(option, path))
        for option, path in recipe.materials.items()
    ]
    if materials:
        try:
            recipe.take({m.option: READERS[m.option](m.content, m.path) for m in materials})
        except (ValueError, ImportError) as error:
            raise MaterialError(" ".join(str(error).split())) from None
    return materials


def save_materials(materials: Sequence[Material], workspace: str) -> None:
    """Writes materials to the workspace."""
    for material in materials:
        with create(WorkspaceLayout(workspace).material(material.option)) as file:
            file.write(material.content)


def load_materials(recipe: Recipe[Any], workspace: str) -> None:
    """Passes a recipe the materials that the driver saved for it."""
    layout = WorkspaceLayout(workspace)
    contents = {o: (_read(layout.material(o)), path) for o, path in recipe.materials.items()}
    if contents:
        recipe.take({option: READERS[option](content, path) for option, (content, path) in contents.items()})


def read_wordnet(folder: str) -> bytes:
    """Returns the synonym table (``synonym_table``) made from a folder of WordNet files, local or in a store.

    Raises:
        MaterialError: a file is missing or is not a WordNet file; the message is one line that names it.
        BeamIOError: a store does not answer.
    """
    paths = {name: f"{folder.rstrip('/')}/{name}" for name in _WORDNET}
    files = {}
    for name, path in paths.items():
        try:
            files[name] = _content("wordnet", path).decode("utf-8")
        except UnicodeDecodeError as error:
            raise MaterialError(f"--wordnet {path} is not UTF-8 text: byte {error.start} cannot be decoded") from None
    try:
        return synonym_table(files).encode("ascii")
    except WordNetError as error:
        raise MaterialError(f"--wordnet {folder}: {error}") from None


def _content(option: str, path: str) -> bytes:
    flag = "--" + option.replace("_", "-")
    sizes = [*matching(escaped(path)).values()]
    if not sizes:
        raise MaterialError(f"{flag} {path}: there is no such file")
    if sizes[0] > MOST_BYTES:
        raise MaterialError(f"{flag} {path} is larger than {MOST_BYTES >> 20} MB")
    try:
        return _read(path)
    except OSError as error:
        raise MaterialError(f"{flag} {path}: {error.strerror or 'it cannot be read'}") from None


def _read(path: str) -> bytes:
    with open_input(path) as file:
        return file.read()
