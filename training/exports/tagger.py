"""Writes a tagger in the form that runs without torch, and reads it back to compare.

The folder is that of ``rules/fusion/codec.py``. A tagger whose encoder was fitted by low-rank additions is written as
these additions; they are small, and the encoder's package is needed to run them. Any other is written with its encoder:
``encoder.onnx`` reads one row, int64: ``ids``, ``types`` and ``codes`` of shape (1, pieces) and ``places`` of shape (1,
places). It returns ``states`` of shape (1, places, width), float32.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.core.model_files import load_tokenizer
from gistmill.rules.fusion.codec import (
    ARRAYS,
    FORMAT,
    LABELS,
    ONNX,
    TOKENIZER,
    Codec,
    Encoded,
    Heads,
    Labels,
    TooLongError,
)
from gistmill.rules.fusion.decode import PRIOR, Decoder, Fusion, prior_of
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.exports.encoder_graph import encoder_graph
from gistmill.training.tagger.config import DEFAULT_ENCODER
from gistmill.training.tagger.network import MAPS, LowRank
from gistmill.training.tagger.pretrained import Pieces, location
from gistmill.training.tagger.rows import sentences
from gistmill.training.tagger.task import Tagger
from gistmill.training.task import Row, first_line


def export_tagger(task: Tagger, folder: Path, *, whole: bool = False) -> None:
    """Writes a tagger into an existing empty folder; the same tagger gives the same bytes.

    Args:
        task: the tagger.
        folder: where to.
        whole: whether the encoder is written, even if it was fitted by additions.

    Raises:
        SettingsError: the encoder is not a BERT; or only additions are to be written, but not to the package's encoder.
    """
    if (kind := task.network.encoder.bert.config.model_type) != "bert":
        raise SettingsError(f"a tagger whose encoder is {kind} cannot be exported; one with a BERT can")
    small = task.config.rank is not None and not whole
    if small and task.config.encoder != DEFAULT_ENCODER:
        raise SettingsError(
            f"additions can be written for the encoder {DEFAULT_ENCODER} only, not {task.config.encoder}"
        )
    arrays: dict[str, npt.NDArray[Any]] = task.network.heads.numpy()
    if small:
        arrays |= additions(task)
    else:
        (folder / ONNX).write_bytes(encoder_graph(task.network.encoder))
        (folder / TOKENIZER).write_text(task.pieces.tokenizer.to_str(), encoding="utf-8")
    np.savez_compressed(
        folder / ARRAYS,
        allow_pickle=False,
        **{name: array.astype(np.float16) for name, array in sorted(arrays.items())},
    )
    described = {
        "format": FORMAT,
        "encoder": {"name": DEFAULT_ENCODER, "sha256": _digest(Path(location(DEFAULT_ENCODER)) / "model.safetensors")}
        if small
        else None,
        "longest": task.codec.longest,
        PRIOR: task.prior,
        **task.labels.to_values(),
    }
    text = json.dumps(described, indent=1, ensure_ascii=False)
    (folder / LABELS).write_text(text + "\n", encoding="utf-8")


def additions(task: Tagger) -> dict[str, npt.NDArray[Any]]:
    """Returns the low-rank products of the encoder's maps, and its table of codes, by their names in the folder."""
    encoder = task.network.encoder
    found = {"codes": encoder.codes.weight.detach().float().cpu().numpy()}
    for number, layer in enumerate(encoder.bert.encoder.layer):
        for name in MAPS:
            part = layer.get_submodule(name)
            assert isinstance(part, LowRank)
            found[f"{number}.{name}.down"] = part.down.detach().float().cpu().numpy()
            found[f"{number}.{name}.up"] = (part.up.detach() * part.scale).float().cpu().numpy()
    return found


class Exported:
    """A tagger that was exported with its encoder, run by onnxruntime on one thread.

    Args:
        folder: where ``export_tagger`` wrote it.

    Raises:
        TrainingError: it cannot be read, or has no encoder of its own.
    """

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        if not (folder / ONNX).is_file():
            raise TrainingError(f"{folder} has no {ONNX}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            described = json.loads((folder / LABELS).read_text(encoding="utf-8"))
            with (folder / ARRAYS).open("rb") as stream, np.load(stream) as stored:  # of a path it would stay open
                arrays: Mapping[str, npt.NDArray[Any]] = {name: stored[name] for name in stored.files}
            labels = Labels.from_values(described)
            prior = prior_of(described.get(PRIOR), labels.plans)
            self._decoder = Decoder(Heads(labels, arrays, prior))
            pieces = Pieces(load_tokenizer(folder / TOKENIZER), str(folder))
            self._codec = Codec(
                pieces, opening=pieces.opening, separator=pieces.separator, longest=int(described["longest"])
            )
            self._session = onnxruntime.InferenceSession(
                str(folder / ONNX), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime raises plain exceptions
            raise TrainingError(f"{folder} is not an exported tagger: {first_line(error)}") from None

    def fusions(self, rows: Sequence[Row]) -> list[Fusion | None]:
        """Returns the fusions of rows, as ``Tagger.fusions`` does."""
        found: list[Fusion | None] = []
        for row in rows:
            first, second = sentences(row)
            try:
                states = self._states(self._codec.encode(first, second))
            except TooLongError:
                found.append(None)
                continue
            found += self._decoder.fuse(states, first, second)
        return found

    def _states(self, row: Encoded) -> npt.NDArray[np.float32]:
        names = ("ids", "types", "codes", "places")
        (states,) = self._session.run(None, {name: getattr(row, name)[None] for name in names})
        found: npt.NDArray[np.float32] = states[0]
        return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
