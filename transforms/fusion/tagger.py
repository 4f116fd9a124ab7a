"""A tagger that fuses sentences: its folder, its encoder (onnxruntime, one thread) and its heads (NumPy)."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.core.extras import pip_install
from gistmill.rules.fusion.codec import (
    ARRAYS,
    CODES,
    FORMAT,
    LABELS,
    ONNX,
    TOKENIZER,
    Codec,
    Encoded,
    Heads,
    Labels,
    LabelsError,
    TooLongError,
)
from gistmill.rules.fusion.decode import ANYTHING, PRIOR, Decoder, Fusion, FusionConstraints, prior_of
from gistmill.transforms import encoders
from gistmill.transforms.encoders import Encoder, Pieces, WordPieces, session
from gistmill.transforms.installed import PackageError, installed_version

NEEDED_BY = "gistmill fuse"


def load_tagger(place: Traversable | None = None) -> Tagger:
    """Loads a tagger.

    Args:
        place: its folder (see ``rules/fusion/codec.py``); None for the tagger shipped with the package.

    Raises:
        PackageError: the folder cannot be used, or a package that the tagger needs is missing.
    """
    folder = _read_folder(files(__package__).joinpath("data") if place is None else place)
    if folder.own_encoder:
        for package in ("onnxruntime", "tokenizers"):
            installed_version(package, needed_by=NEEDED_BY, install=pip_install(package))
    else:
        encoders.checked(NEEDED_BY)
    return Tagger(folder)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder's description of its tagger.

    Attributes:
        place: the folder.
        labels: the labels.
        arrays: the heads, the table of codes and the additions to the encoder, by name, floating.
        own_encoder: whether the folder contains the encoder too; otherwise the package's encoder is used.
        longest: the maximum number of word pieces that the encoder was trained to read.
        prior: see ``rules/fusion/decode.py``.
    """

    place: Traversable
    labels: Labels
    arrays: Mapping[str, npt.NDArray[Any]]
    own_encoder: bool
    longest: int
    prior: Mapping[str, float]


def _read_folder(place: Traversable) -> Folder:
    """Raises PackageError if it is not a tagger folder, or was made for another encoder than the package's."""
    try:
        described = json.loads(place.joinpath(LABELS).read_text(encoding="utf-8"))
        if described["format"] != FORMAT:
            raise PackageError(f"{place} uses the format {described['format']!r}; this version reads {FORMAT}")
        with place.joinpath(ARRAYS).open("rb") as stream, np.load(stream) as stored:
            arrays = {name: np.asarray(stored[name], np.float32) for name in stored.files}
        encoder = described["encoder"]
        known = {"name": encoders.PACKAGES[0], "sha256": encoders.CHECKSUMS[encoders.WEIGHTS]}
        if encoder is not None and encoder != known:
            raise PackageError(f"{place} was made for the encoder {encoder}, not {known}")
        labels = Labels.from_values(described)
        return Folder(
            place=place,
            labels=labels,
            arrays=arrays,
            own_encoder=encoder is None,
            longest=int(described["longest"]),
            prior=prior_of(described.get(PRIOR), labels.plans),
        )
    except (
        *(OSError, ValueError, TypeError, KeyError, AttributeError, EOFError, zipfile.BadZipFile),
        *(MemoryError, RecursionError),  # an array that claims terabytes, deeply nested JSON
    ) as error:
        missing = error if isinstance(error, KeyError) else isinstance(error, FileNotFoundError) and error.filename
        said = f"{missing} is missing" if missing else str(error).strip().split("\n")[0] or type(error).__name__
        raise PackageError(f"{place} is not a tagger folder: {said}") from None


FloatArray = npt.NDArray[np.float32]
States = Callable[[Encoded], FloatArray]
_OUTLIERS = "outliers.npz"  # of the package's encoder, see transforms/encoder_graph.py
_INPUTS = ("ids", "types", "codes", "places")


class Tagger:
    """Fuses sentences.

    Raises:
        PackageError: the parts of the folder do not fit together, or cannot be loaded.
    """

    def __init__(self, folder: Folder) -> None:
        try:
            heads = Heads(folder.labels, folder.arrays, folder.prior)
            self._decoder = Decoder(heads)
            self._states, pieces = _own_encoder(folder) if folder.own_encoder else _adapted(folder, heads.width)
        except (LabelsError, ValueError) as error:
            raise PackageError(f"{folder.place} is not a tagger folder: {error}") from None
        self._codec = Codec(pieces.pieces, opening=pieces.opening, separator=pieces.separator, longest=folder.longest)

    def states(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[FloatArray | TooLongError]:
        """Returns the input of ``decode`` for the tokens of each sentence pair, or the error for a pair too long."""
        found: list[FloatArray | TooLongError] = []
        for first, second in pairs:
            try:
                found.append(self._states(self._codec.encode(first, second)))
            except TooLongError as error:
                found.append(error)
        return found

    def decode(
        self, states: FloatArray, first: Sequence[str], second: Sequence[str], wanted: FusionConstraints = ANYTHING
    ) -> tuple[list[Fusion], float]:
        """Returns the likeliest distinct fusions of two sentences, the best first; and the probability that the
        sentences are left unfused.

        Args:
            states: the states of the sentences.
            first, second: their tokens, at least one each.
            wanted: constraints on the fusions.

        Raises:
            LabelsError: the tagger was not trained on this plan or connective.
        """
        return self._decoder.fuse(states, first, second, wanted), self._decoder.unchanged(states, len(first))


def _adapted(folder: Folder, width: int) -> tuple[States, WordPieces]:
    """Returns the package's encoder with the folder's additions."""
    place = encoders.model_folder(NEEDED_BY)
    codes = folder.arrays.get("codes")
    if codes is None or codes.shape != (CODES, width):
        raise ValueError(f"the table of codes does not have the shape {(CODES, width)}")
    with files(__package__).joinpath("data", _OUTLIERS).open("rb") as stream, np.load(stream) as outliers:
        encoder = Encoder(encoders.read_safetensors(place / encoders.WEIGHTS), {**folder.arrays, **outliers})
    if encoder.width != width:
        raise ValueError(f"the heads are for states of {width} numbers, not {encoder.width}")

    def states(row: Encoded) -> FloatArray:
        added = [(encoder.types, row.types), (codes, row.codes)]
        return encoder.run(Pieces(row.ids, added, row.places))

    return states, WordPieces(place / encoders.TOKENIZER)


def _own_encoder(folder: Folder) -> tuple[States, WordPieces]:
    """Returns the folder's own encoder."""
    try:
        run = session(folder.place.joinpath(ONNX).read_bytes()).run
        with as_file(folder.place.joinpath(TOKENIZER)) as path:
            pieces = WordPieces(path)
    except Exception as error:  # onnxruntime and tokenizers raise plain exceptions
        raise ValueError(str(error).strip().split("\n")[0]) from None

    def states(row: Encoded) -> FloatArray:
        (found,) = run(None, {name: getattr(row, name)[None] for name in _INPUTS})
        states: FloatArray = found[0]
        return states

    return states, pieces
