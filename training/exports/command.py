"""``gistmill-train export``, which converts a model for an inference runtime."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, SWITCH, one_of
from gistmill.rules.fusion.codec import LABELS
from gistmill.training.cards import CARD, write_text
from gistmill.training.errors import SettingsError
from gistmill.training.kinds import TAGGER, is_trained_here, kind_of

_INT8 = "int8"
_EXPORTED = (LABELS, "model.bin")  # files that identify tagger and CTranslate2 folders


@dataclass(frozen=True, kw_only=True)
class ExportConfig(Options):
    """The model to export, and the export format."""

    GROUP: ClassVar[str] = "export"

    model: str = option(FOLDER, required=True, help="folder of a model trained by gistmill-train")
    output: str = option(
        FOLDER, required=True, help="folder for the exported model (ONNX for a tagger, otherwise CTranslate2)"
    )
    overwrite: bool = option(SWITCH, default=False, help="replace an existing exported model")
    quantization: str = option(
        one_of(_INT8, "int8_float16", "float16", "float32"),
        default=_INT8,
        help="weight format; a tagger supports only int8",
    )
    with_encoder: bool = option(
        SWITCH,
        default=True,
        help="tagger: also write the encoder; otherwise write only the layers fitted to it, which require the "
        "encoder's package",
    )


CONFIG = ExportConfig


def run(config: ExportConfig) -> int:
    """Exports a model with its card, and returns 0.

    Raises:
        SettingsError: there is no such model, it cannot be exported, or the output already exists.
        TrainingError: the model cannot be read.
    """
    model, output = Path(config.model), Path(config.output)
    if not is_trained_here(config.model):
        raise SettingsError(f"--model {config.model} does not contain a model trained with gistmill-train fit")
    _check_output(output, overwrite=config.overwrite)
    is_tagger = kind_of(config.model) == TAGGER
    if is_tagger and config.quantization != _INT8:
        raise SettingsError("--quantization: a tagger can be exported only as int8")
    part = output.with_name(f".{output.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        if is_tagger:
            from gistmill.training.exports.tagger import export_tagger
            from gistmill.training.tagger.task import Tagger

            export_tagger(Tagger.load(model), part, whole=config.with_encoder)
        else:
            from gistmill.training.exports.seq2seq import export_seq2seq
            from gistmill.training.seq2seq.task import Seq2Seq

            export_seq2seq(Seq2Seq.load(model), part, quantization=config.quantization)
        card = model / CARD
        head = f"{card.read_text(encoding='utf-8')}\n" if card.exists() else ""
        how = f"for {'onnxruntime' if is_tagger else 'CTranslate2'}, with weights as {config.quantization}"
        write_text(part / CARD, f"{head}## Export\n\nExported by `gistmill-train export` {how}.\n")
        if output.exists():
            shutil.rmtree(output)
        part.rename(output)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    size = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    print(f"gistmill-train export: {output}: {size / 1e6:.1f} MB", file=sys.stderr)
    return 0


def _check_output(output: Path, *, overwrite: bool) -> None:
    """Raises SettingsError unless the output is absent or, with ``overwrite``, an exported model or an empty folder."""
    if not output.exists():
        return
    if not overwrite:
        raise SettingsError(f"--output {output} already exists; use --overwrite to replace it")
    if not output.is_dir() or (any(output.iterdir()) and not any((output / name).is_file() for name in _EXPORTED)):
        raise SettingsError(f"--output {output} is not an exported model, so --overwrite will not replace it")
