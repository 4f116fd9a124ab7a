"""Materials: files that a recipe works with, named by its options: lists of words, tokenizers (models of sentencepiece,
and ``tokenizer.json`` of tokenizers) and WordNet. The driver reads and checks them, and leaves copies in the workspace,
from which every worker loads them.
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
# beginnings of pieces after a space (sentencepiece; BPE of bytes), and of those that continue a word (WordPiece)
_WORD, _BYTES, _GOING_ON = "\u2581", "\u0120", "##"
_QUIET = 4  # above the levels of sentencepiece's messages


class TokenizerError(ValueError):
    """A file that is not a tokenizer; the message is one line that names the file and the problem."""


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
        raise TokenizerError(f"{name} is neither a sentencepiece model nor a tokenizer.json from tokenizers") from None
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
        if marks == _BYTES and not text.isascii():  # other letters represent bytes
            continue
        if text.isprintable() and text.split() == [text] and not is_reserved(text):
            yield f" {text}" if begins else text


def read_words(content: bytes, path: str) -> tuple[str, ...]:
    """Returns the words of a file in UTF-8; a byte order mark at its beginning is dropped.

    Raises:
        WordsError: it is not such a list; one line that names the file and the problem.
    """
    lines = _lines("--words", content, path)
    try:
        return check_words(lines)
    except WordsError as error:
        raise WordsError(f"--words {path}: {error}") from None


def read_stop_words(content: bytes, path: str) -> frozenset[str]:
    """Returns the stop words of a file in UTF-8; blank lines and a byte order mark at its beginning are dropped.

    Raises:
        WordsError: it is not such a list: a line has several words or what cannot be printed, or there is no word; one
            line that names the file.
    """
    lines = [line.strip() for line in _lines("--stop-words", content, path)]
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise WordsError(f"--stop-words {path}: line {number} contains several words: {line!r:.80}")
        if not line.isprintable():
            raise WordsError(f"--stop-words {path}: line {number} contains an unprintable character: {line!r:.80}")
    if not any(lines):
        raise WordsError(f"--stop-words {path}: it contains no words; to use no stop words, pass --stop-words none")
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
"""What makes something of the bytes and the name of the file that an option names."""


class MaterialError(ValueError):
    """A file that cannot be used; the message is one line that names the file and the problem."""


@dataclass(frozen=True, slots=True)
class Material:
    """A file that was read: the option that names it, its name, and its bytes."""

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
    """Writes them into the workspace."""
    for material in materials:
        with create(WorkspaceLayout(workspace).material(material.option)) as file:
            file.write(material.content)


def load_materials(recipe: Recipe[Any], workspace: str) -> None:
    """Gives a recipe the materials that the driver saved for it."""
    layout = WorkspaceLayout(workspace)
    contents = {o: (_read(layout.material(o)), path) for o, path in recipe.materials.items()}
    if contents:
        recipe.take({option: READERS[option](content, path) for option, (content, path) in contents.items()})


def read_wordnet(folder: str) -> bytes:
    """Returns the table of synonyms (``synonym_table``) of a folder with WordNet's files, local or in a store.

    Raises:
        MaterialError: a file is missing or is not WordNet's; one line that names it.
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
