"""Spoils folders of models in the form of transformers, as a stranger would who wants to run code or to mislead."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

_CODE = """
open({trace!r}, "w").close()
from transformers import PretrainedConfig, PreTrainedModel
class Config(PretrainedConfig):
    model_type = "stranger"
class Model(PreTrainedModel):
    config_class = Config
class Words: ...
"""


def _update(file: Path, **values: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def code_for_the_model(folder: Path, trace: Path) -> None:
    """The configuration names classes in a file of the folder, which leaves a trace where it runs."""
    (folder / "own_model.py").write_text(_CODE.format(trace=str(trace)))
    names = {"AutoConfig": "own_model.Config", "AutoModelForSeq2SeqLM": "own_model.Model"}
    _update(folder / "config.json", model_type="stranger", auto_map=names)


def code_for_the_tokenizer(folder: Path, trace: Path) -> None:
    """The same for the tokenizer."""
    (folder / "own_words.py").write_text(_CODE.format(trace=str(trace)))
    names = {"AutoTokenizer": ["own_words.Words", "own_words.Words"]}
    _update(folder / "tokenizer_config.json", tokenizer_class="StrangerTokenizer", auto_map=names)
    (folder / "tokenizer.json").unlink(missing_ok=True)


class _Opening:
    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self._trace), "w")


def weights_that_are_a_pickle(folder: Path, trace: Path) -> None:
    """The weights are a pickle that leaves a trace where it is read."""
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weight": _Opening(trace)}))


def state_that_is_a_pickle(file: Path, trace: Path) -> None:
    """A file of torch, with a pickle that leaves a trace where it is read; as long as before."""
    import torch

    size = file.stat().st_size
    torch.save({"state": _Opening(trace)}, file)
    file.write_bytes(file.read_bytes().ljust(size, b"\0"))


def no_weights(folder: Path, _trace: Path) -> None:
    """The file of the weights is sound, and has none."""
    (folder / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")


ATTACKS = {
    "code for the model": (code_for_the_model, "custom code"),
    "weights that are a pickle": (weights_that_are_a_pickle, "could run code"),
    "no weights": (no_weights, r"\d+ weights are missing from its files"),
}
