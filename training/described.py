"""The card of a model that a training made."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gistmill.core.manifest import ManifestError
from gistmill.core.options import options_of
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.training.cards import Card, TrainingData, write_card
from gistmill.training.data.config import DataConfig
from gistmill.training.errors import TrainingError
from gistmill.training.kinds import KINDS, TAGGER, is_trained_here, kind_of
from gistmill.training.model import ModelConfig
from gistmill.training.seq2seq.config import is_from_scratch
from gistmill.training.settings import Settings

_PACKAGES = ("gistmill", "torch", "transformers", "tokenizers", "numpy")


def describe(folder: Path, settings: Settings, facts: Mapping[str, object]) -> None:
    """Writes the card of a model into its folder.

    Args:
        folder: of the model.
        settings: of its training.
        facts: what the training came to.

    Raises:
        TrainingError: a dataset is no longer there.
    """
    data = settings.of(DataConfig)
    try:
        described = [_described(dataset, data.split) for dataset in data.datasets]
    except (DatasetError, ManifestError, OSError) as error:
        raise TrainingError(f"the card of the model cannot be written: {error}") from None
    model = settings.of(ModelConfig).model
    options = [option for section in settings.sections for option in options_of(section) if option.published]
    values = settings.to_values()
    base, licence = _base(model, values)
    card = Card(
        kind=kind_of(model),
        data=described,
        configuration={option.name: values[option.name] for option in options if option.name in values},
        base=base,
        base_licence=licence,
        facts=facts,
        versions=dict(_versions()),
    )
    write_card(folder, card)


def _described(dataset: Mapping[str, Any], split: str) -> TrainingData:
    opened = Dataset(dataset["place"])
    config = dataset.get("config") or opened.configs[0]
    return TrainingData.of(
        opened, config=config, split=dataset.get("split", split), weight=float(dataset.get("weight") or 1)
    )


def _base(model: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the name of the weights that the training began with, "" for random ones, and their licence if known."""
    if is_trained_here(model):
        return model, ""
    if kind_of(model) == TAGGER:
        encoder = str(values["encoder"])
        (default,) = (o.default for o in options_of(KINDS[TAGGER].config) if o.name == "encoder")
        return encoder, "apache-2.0" if encoder == default else ""
    return ("", "") if is_from_scratch(model) else (model, "")


def _versions() -> list[tuple[str, str]]:
    found = []
    for name in _PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
