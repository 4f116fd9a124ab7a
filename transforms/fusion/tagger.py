"""A tagger that fuses sentences: its encoder run by onnxruntime on one thread, its heads by numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import as_file

import numpy as np
import numpy.typing as npt

from gistmill.rules.fusion.codec import CODES, Codec, Encoded, TooLongError
from gistmill.rules.fusion.decode import ANYTHING, Decoder, Fusion, Wanted
from gistmill.rules.fusion.heads import Heads
from gistmill.rules.fusion.labels import ONNX, TOKENIZER, LabelsError
from gistmill.transforms.encoders import minilm
from gistmill.transforms.encoders.checkpoint import read_safetensors
from gistmill.transforms.encoders.encoder import Encoder, Pieces, session
from gistmill.transforms.encoders.wordpieces import WordPieces
from gistmill.transforms.fusion.folder import NEEDED_BY, Folder
from gistmill.transforms.installed import PackageError

FloatArray = npt.NDArray[np.float32]
States = Callable[[Sequence[Encoded]], list[FloatArray]]
_TOGETHER = 512  # pieces; more at once are no faster
_INPUTS = ("ids", "types", "codes", "places")


class Tagger:
    """Fuses sentences.

    Args:
        folder: the tagger's folder.

    Raises:
        PackageError: the parts of the folder do not fit together, or cannot be loaded.
    """

    def __init__(self, folder: Folder) -> None:
        try:
            heads = Heads(folder.labels, folder.arrays, folder.prior)
            self._decoder = Decoder(heads)
            self._states, pieces = _own_encoder(folder) if folder.own_encoder else _adapted(folder, heads.width)
        except (LabelsError, ValueError) as error:
            raise PackageError(f"{folder.place} is not the folder of a tagger: {error}") from None
        self._codec = Codec(pieces.pieces, opening=pieces.opening, separator=pieces.separator, longest=folder.longest)

    def fuse(
        self, first: Sequence[str], second: Sequence[str], wanted: Wanted = ANYTHING
    ) -> tuple[list[Fusion], float]:
        """Returns the likeliest different fusions of two sentences, the best first; and the probability that the
        sentences are left alone.

        Args:
            first, second: their tokens, at least one each.
            wanted: what is wanted of the fusions.

        Raises:
            LabelsError: the tagger has not learnt this plan or connective.
            TooLongError: the sentences have too many word pieces.
        """
        (states,) = self.states([(first, second)])
        if isinstance(states, TooLongError):
            raise states
        return self.decode(states, first, second, wanted)

    def states(self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[FloatArray | TooLongError]:
        """Returns what ``decode`` needs of the tokens of each two sentences, or why there is nothing. The encoder of
        the package reads several pairs faster than each alone, and gives the same bits."""
        rows: list[Encoded | TooLongError] = []
        for first, second in pairs:
            try:
                rows.append(self._codec.encode(first, second))
            except TooLongError as error:
                rows.append(error)
        read = [row for row in rows if not isinstance(row, TooLongError)]
        states = (found for group in _groups(read) for found in self._states(group))
        return [row if isinstance(row, TooLongError) else next(states) for row in rows]

    def decode(
        self, states: FloatArray, first: Sequence[str], second: Sequence[str], wanted: Wanted = ANYTHING
    ) -> tuple[list[Fusion], float]:
        """Returns what ``fuse`` does of two sentences whose states are known. Raises LabelsError."""
        return self._decoder.fuse(states, first, second, wanted), self._decoder.unchanged(states, len(first))


def _groups(rows: Sequence[Encoded]) -> Iterator[list[Encoded]]:
    """Yields rows that go through the encoder together, in order."""
    group: list[Encoded] = []
    pieces = 0
    for row in rows:
        pieces += len(row.ids)
        if group and pieces > _TOGETHER:
            yield group
            group, pieces = [], len(row.ids)
        group.append(row)
    if group:
        yield group


def _adapted(folder: Folder, width: int) -> tuple[States, WordPieces]:
    """The encoder of the package, with the folder's additions.

    In floating point: the integers of graph.py change five fusions in a hundred, and those with finer scales are hardly
    faster.
    """
    place = minilm.model_folder(NEEDED_BY)
    codes = folder.arrays.get("codes")
    if codes is None or codes.shape != (CODES, width):
        raise ValueError(f"the table of codes does not have the shape {(CODES, width)}")
    encoder = Encoder(read_safetensors(place / minilm.WEIGHTS), folder.arrays, quantised=False)
    if encoder.width != width:
        raise ValueError(f"the heads are for states of {width} numbers, not {encoder.width}")

    def states(rows: Sequence[Encoded]) -> list[FloatArray]:
        return encoder.run_all(
            [Pieces(row.ids, [(encoder.types, row.types), (codes, row.codes)], row.places) for row in rows]
        )

    return states, WordPieces(place / minilm.TOKENIZER)


def _own_encoder(folder: Folder) -> tuple[States, WordPieces]:
    """The encoder that lies in the folder."""
    try:
        run = session(folder.place.joinpath(ONNX).read_bytes()).run
        with as_file(folder.place.joinpath(TOKENIZER)) as path:
            pieces = WordPieces(path)
    except Exception as error:  # onnxruntime and tokenizers raise plain exceptions
        raise ValueError(str(error).strip().split("\n")[0]) from None

    def states(rows: Sequence[Encoded]) -> list[FloatArray]:
        found = [run(None, {name: getattr(row, name)[None] for name in _INPUTS}) for row in rows]
        return [each[0] for (each,) in found]

    return states, pieces
