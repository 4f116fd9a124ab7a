"""``gistmill-train export``: writes a model in the form of a runtime, and compares its outputs with the original's."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.text_output import code
from gistmill.core.values import FOLDER, SHARE, SWITCH, TOKEN, one_of, whole
from gistmill.rules.fusion.codec import LABELS
from gistmill.training.cards import CARD, write_text
from gistmill.training.data.config import DATASETS
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import TAGGER, is_trained_here, kind_of, load_task

if TYPE_CHECKING:
    from gistmill.training.task import Row, Task

_INT8 = "int8"
_EXPORTED = (LABELS, "model.bin")  # what a tagger's folder has, and what CTranslate2's has


@dataclass(frozen=True, kw_only=True)
class ExportConfig(Options):
    """What is exported, in which form, and what it is compared on."""

    GROUP: ClassVar[str] = "export"

    model: str = option(FOLDER, required=True, help="folder of a model that was trained here")
    output: str = option(FOLDER, required=True, help="folder of the exported model: ONNX of a tagger, else CTranslate2")
    overwrite: bool = option(SWITCH, default=False, help="replace an exported model that is there")
    quantization: str = option(
        one_of(_INT8, "int8_float16", "float16", "float32"),
        default=_INT8,
        help="form of the weights; a tagger has int8 only",
    )
    with_encoder: bool = option(
        SWITCH,
        default=True,
        help="tagger: write the encoder too; without, what was fitted to it, which needs the encoder's package to run",
    )
    dataset: tuple[dict[str, Any], ...] | None = option(
        DATASETS, help="a published dataset on whose rows the outputs are compared (default: they are not)"
    )
    split: str = option(TOKEN, default="test", help="split to read where the dataset names none")
    rows: int = option(whole(1), default=1000, unit="rows", help="rows to compare, from the first on")
    min_equal: float = option(
        SHARE, default=0.0, help="fail, and write nothing, if a smaller share of the outputs is equal"
    )

    @override
    def check(self) -> None:
        if self.dataset is None and self.min_equal:
            raise ValueError("min_equal needs a dataset to compare on")
        if self.dataset is not None and len(self.dataset) != 1:
            raise ValueError(f"dataset: one, not {len(self.dataset)}")
        if self.dataset is not None and not self.with_encoder:
            raise ValueError("dataset: only a tagger with its encoder can be run, and so compared")


CONFIG = ExportConfig


def run(config: ExportConfig) -> int:
    """Exports, compares, and writes the card; returns 0.

    Raises:
        SettingsError: there is no such model or dataset, or the output is there already.
        TrainingError: too few outputs are equal, or something cannot be read.
    """
    output = Path(config.output)
    if not is_trained_here(config.model):
        raise SettingsError(f"--model {config.model} is not the folder of a model that was trained here")
    _check_output(output, overwrite=config.overwrite)
    if kind_of(config.model) == TAGGER and config.quantization != _INT8:
        raise SettingsError("--quantization: a tagger is exported as int8")
    data, rows = _rows(config)
    task = load_task(Path(config.model))
    part = output.with_name(f".{output.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        predict = _export(config, task, part)
        compared, said = None, ""
        if rows:
            original = task.fusions if hasattr(task, "fusions") else task.predict
            wanted = [one for n in range(0, len(rows), 32) for one in original(rows[n : n + 32])]
            equal = sum(_compared(a) == _compared(b) for a, b in zip(wanted, predict(rows), strict=True))
            compared = {"data": data, "rows": len(rows), "equal": equal}
            said = f"{equal} of {len(rows)} outputs are equal to the original's, {equal / len(rows):.1%}"
            if equal / len(rows) < config.min_equal:
                raise TrainingError(f"{said}, and --min-equal is {config.min_equal:.1%}")
        _write_card(Path(config.model), part, config, compared)
        if output.exists():
            shutil.rmtree(output)
        part.rename(output)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    size = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    print(f"gistmill-train export: {output}: {size / 1e6:.1f} MB", file=sys.stderr)
    if said:
        print(said, file=sys.stderr)
    return 0


def _check_output(output: Path, *, overwrite: bool) -> None:
    """Raises SettingsError where something is there that is not to be replaced: only an exported model ever is."""
    if not output.exists():
        return
    if not overwrite:
        raise SettingsError(f"--output {output} is there already; --overwrite replaces it")
    if not output.is_dir() or (any(output.iterdir()) and not any((output / name).is_file() for name in _EXPORTED)):
        raise SettingsError(f"--output {output} is not an exported model, so --overwrite does not replace it")


def _rows(config: ExportConfig) -> tuple[str, list[Row]]:
    """Returns the rows to compare on, and which they are in words."""
    if config.dataset is None:
        return "", []
    from gistmill.core.addresses import public_name
    from gistmill.training.data.source import Source

    dataset = config.dataset[0]
    place, part, split = dataset["place"], dataset.get("config"), dataset.get("split", config.split)
    rows = list(islice(Source(place, config=part, split=split).open().in_order(), config.rows))
    return " ".join(filter(None, (public_name(place), part, split))), rows


def _export(config: ExportConfig, task: Task, folder: Path) -> Callable[[Sequence[Row]], Sequence[Any]]:
    """Writes the model and returns what runs it; there are no rows for a tagger without its encoder."""
    if kind_of(config.model) == TAGGER:
        from gistmill.training.exports import tagger
        from gistmill.training.tagger.task import Tagger

        assert isinstance(task, Tagger)
        tagger.export_tagger(task, folder, whole=config.with_encoder)
        return tagger.load_exported(folder) if config.with_encoder else lambda rows: []
    from gistmill.training.exports import seq2seq
    from gistmill.training.seq2seq.task import Seq2Seq

    assert isinstance(task, Seq2Seq)
    seq2seq.export_seq2seq(task, folder, quantization=config.quantization)
    return seq2seq.load_exported(folder)


def _compared(output: Any) -> Any:
    """Returns what has to be equal of an output: its text, or the tokens of a fusion."""
    return getattr(output, "tokens", output)


def _write_card(model: Path, folder: Path, config: ExportConfig, compared: Mapping[str, Any] | None) -> None:
    """Writes the model's card with a section on the export, and its numbers as JSON."""
    runtime = "onnxruntime" if kind_of(config.model) == TAGGER else "CTranslate2"
    said = "It was not compared with the original.\n"
    if compared:
        rows, equal = compared["rows"], compared["equal"]
        said = (
            f"Compared with the original on {rows:,} rows of {code(compared['data'])}: {equal:,} outputs are equal, "
            f"{equal / rows:.1%}.\n"
        )
        write_text(folder / "comparison.json", json.dumps(compared, indent=2) + "\n")
    how = f"for {runtime}, with weights as {config.quantization}"
    section = f"## Export\n\nExported by `gistmill-train export` {how}.\n"
    card = model / CARD
    head = card.read_text(encoding="utf-8") if card.exists() else ""
    write_text(folder / CARD, "\n".join(filter(None, (head, section, said))))
