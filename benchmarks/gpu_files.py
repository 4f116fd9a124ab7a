"""Collects the inputs of the GPU proof in one folder of about 40 MB, for a machine without network access.

    make gpu-files            (after `make demo` and `make setup-train`)

The folder .gpu then contains the demo dataset as Parquet and the tagger's encoder, with word pieces in 8 bits and the
rest in 16. `unpack` writes this encoder in transformers format.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

_WEIGHTS, _SCALES, _TABLE = "model.safetensors", "scales", "embeddings.word_embeddings.weight"
_COPIED = ("config.json", "tokenizer.json", "tokenizer_config.json")


def pack(encoder: Path, folder: Path) -> None:
    """Compresses a transformers encoder to between a quarter and half of its size."""
    folder.mkdir(parents=True)
    weights = {
        name: tensor.half() for name, tensor in load_file(encoder / _WEIGHTS).items() if tensor.is_floating_point()
    }
    table = weights[_TABLE].float()
    scales = table.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
    weights |= {_TABLE: (table / scales).round().to(torch.int8), _SCALES: scales.half()}
    save_file({name: tensor.contiguous() for name, tensor in weights.items()}, folder / _WEIGHTS)
    for name in _COPIED:
        shutil.copy(encoder / name, folder / name)


def unpack(packed: Path, folder: Path) -> None:
    """Writes a packed encoder in transformers format."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: tensor.float() for name, tensor in load_file(packed / _WEIGHTS).items()}
    weights[_TABLE] *= weights.pop(_SCALES)
    save_file(weights, folder / _WEIGHTS, metadata={"format": "pt"})
    for name in _COPIED:
        shutil.copy(packed / name, folder / name)


def main() -> None:
    """The command."""
    from gistmill.training.tagger.config import DEFAULT_ENCODER
    from gistmill.training.tagger.pretrained import location

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, default=Path("out/demo"))
    parser.add_argument("--output", type=Path, default=Path(".gpu"))
    arguments = parser.parse_args()
    shutil.rmtree(arguments.output, ignore_errors=True)
    demo = arguments.output / "demo"
    for config in ("full", "balanced"):
        shutil.copytree(arguments.dataset / config / "parquet", demo / config / "parquet")
    shutil.copy(arguments.dataset / "manifest.json", demo)
    pack(Path(location(DEFAULT_ENCODER)), arguments.output / "encoder")
    size = sum(file.stat().st_size for file in arguments.output.rglob("*") if file.is_file())
    print(f"{arguments.output}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
