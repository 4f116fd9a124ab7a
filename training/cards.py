"""Model cards: the README.md of a model for the hub.

A card describes the training data with its licence, the training and the scores. It contains no local paths or times.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

import yaml

from gistmill.core.addresses import public_configuration, public_name
from gistmill.core.manifest import MANIFEST, ManifestError
from gistmill.core.options import options_of
from gistmill.core.text_output import code, licence_tag, one_line, paragraphs, printable, table, text
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, open_folder
from gistmill.training.config import ModelConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import KINDS, SEQ2SEQ, TAGGER, is_trained_here, kind_of
from gistmill.training.seq2seq.config import is_from_scratch
from gistmill.training.settings import Settings

CARD = "README.md"
_FUSION = "discofuse"
_USES = {
    TAGGER: (
        "The model fuses two sentences into one text. It deletes, keeps and moves words, and inserts phrases of a "
        "fixed vocabulary, so it writes no other words. It may still join sentences by a connective that states a "
        "relation which the text does not support, or replace a name by the wrong pronoun."
    ),
    SEQ2SEQ: (
        "The model writes a text for a text. It may state things that are not in its input. Compare its "
        "output with the input before anybody relies on it."
    ),
}
_LIMITS = (
    "It learned from the English texts named below and repeats their errors and preferences. Rules made its data, and "
    "have errors of their own. The results hold for texts like those of the test rows."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingData:
    """A split of a published dataset that the model was trained on.

    Attributes:
        name: the last part of the dataset's path, or its URL.
        recipe: the job that built the dataset.
        code_version: the version of gistmill that built it.
        config, split: the configuration and the split.
        rows: number of rows in the split.
        weight: relative weight in the mixture.
        manifest_sha256: SHA-256 of manifest.json, which lists every file with its own SHA-256.
        licence: the licence, such as ``cc-by-sa-4.0``; "" if unknown.
        attribution: the origin of the text.
    """

    name: str
    recipe: str
    code_version: str
    config: str
    split: str
    rows: int
    weight: float
    manifest_sha256: str
    licence: str
    attribution: str

    @classmethod
    def of(cls, dataset: Dataset, *, config: str, split: str, weight: float = 1.0) -> Self:
        """Returns the description of a split.

        Raises:
            DatasetError: there is no such configuration.
            OSError: the manifest cannot be read.
        """
        manifest = dataset.manifest
        return cls(
            name=public_name(str(dataset.place)),
            recipe=manifest.recipe,
            code_version=manifest.code_version,
            config=config,
            split=split,
            rows=dataset.num_rows(split, config),
            weight=weight,
            manifest_sha256=manifest_sha256(str(dataset.place)),
            licence=manifest.licence,
            attribution=manifest.attribution.strip(),
        )


def manifest_sha256(place: str) -> str:
    """Returns the SHA-256 of a dataset's manifest, which is the same for identical datasets.

    Raises:
        FileNotFoundError: there is no manifest.json.
        OSError: manifest.json cannot be read.
        DatasetError: the place is an unsupported kind of URL.
    """
    with open_folder(place).open(MANIFEST) as file:
        return hashlib.sha256(file.read()).hexdigest()


def write_text(path: Path, text: str) -> None:
    """Writes a file atomically: readers see either the old or the new content. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def describe(folder: Path, settings: Settings, facts: Mapping[str, object]) -> None:
    """Writes a model's card to its folder.

    Raises:
        TrainingError: a dataset no longer exists or cannot be read.
    """
    data = settings.of(DataConfig)
    described = []
    try:
        for dataset in data.datasets:
            opened, weight = Dataset(dataset["place"]), float(dataset.get("weight") or 1)
            config, split = dataset.get("config") or opened.configs[0], dataset.get("split", data.split)
            described.append(TrainingData.of(opened, config=config, split=split, weight=weight))
    except (DatasetError, ManifestError, OSError) as error:
        raise TrainingError(f"the model card cannot be written: {error}") from None
    model = settings.of(ModelConfig).model
    options = [option for section in settings.sections for option in options_of(section) if option.published]
    values = settings.to_values()
    base, licence = _base(model, values)
    configuration = {option.name: values[option.name] for option in options if option.name in values}
    card = card_text(
        kind_of(model), described, configuration=configuration, base=base, base_licence=licence, facts=facts
    )
    write_text(folder / CARD, card)


def _base(model: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the name of the initial weights ("" for random weights), and their licence ("" if unknown)."""
    if is_trained_here(model):
        return model, ""
    if kind_of(model) == TAGGER:
        encoder = str(values["encoder"])
        (default,) = (o.default for o in options_of(KINDS[TAGGER].config) if o.name == "encoder")
        return encoder, "apache-2.0" if encoder == default else ""
    return ("", "") if is_from_scratch(model) else (model, "")


def card_text(
    kind: str,
    data: Sequence[TrainingData],
    *,
    configuration: Mapping[str, Any],
    base: str = "",
    base_licence: str = "",
    facts: Mapping[str, object] | None = None,
) -> str:
    """Returns README.md: YAML metadata for the hub, followed by Markdown.

    Args:
        kind: TAGGER or SEQ2SEQ.
        data: the training data.
        configuration: the training options, as returned by ``Options.to_values``.
        base: name of the initial weights; "" for random weights.
        base_licence: their licence; "" if unknown.
        facts: facts about the training by name, such as the number of steps and the final loss.
    """
    from huggingface_hub import ModelCardData

    is_fusion = bool(data) and all(d.recipe == _FUSION for d in data)
    licence = licence_of(data)
    front = ModelCardData(
        language=["en"],
        license=licence,
        license_name="licences-of-the-data" if licence == "other" else None,
        library_name="gistmill" if kind == TAGGER else "transformers",
        pipeline_tag=None if kind == TAGGER or is_fusion else "summarization",
        tags=["gistmill", "sentence-fusion" if is_fusion else "summarization"],
    )
    versions = {}
    for name in ("gistmill", "torch", "transformers", "tokenizers", "numpy"):
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    recipes = " and ".join(dict.fromkeys(d.recipe for d in data)) or "no data"
    start = f"beginning with the weights of {code(_public(base))}" if base else "from random weights"
    parts = [
        f"---\n{front.to_yaml()}\n---\n",
        f"# A {'tagger' if kind == TAGGER else 'sequence-to-sequence model'} trained on {recipes}\n",
        f"Trained by `gistmill-train fit` (gistmill {versions.get('gistmill', 'of unknown version')}), {start}.\n",
        f"## Intended use and limits\n\n{_USES[kind]}\n\n{_LIMITS}\n",
        "## Results\n\nThe model was not evaluated when this card was written.\n",
        *_data_section(data, base, base_licence),
        "## Training\n",
    ]
    if facts:
        parts += table(["", ""], [[name, _shown(value)] for name, value in facts.items()])
    public = public_configuration(configuration, places=())
    parts.append(f"```yaml\n{yaml.safe_dump(public, sort_keys=True, allow_unicode=True, width=1000)}```\n")
    parts += ["## Versions\n", *table(["package", "version"], sorted(versions.items()))]
    return "\n".join(parts)


def licence_of(data: Sequence[TrainingData]) -> str:
    """Returns the licence for the YAML: ``unknown`` if any is unknown, ``other`` if they differ."""
    found = {d.licence or "unknown" for d in data}
    if "unknown" in found or not found:
        return "unknown"
    return licence_tag(found.pop()) if len(found) == 1 else "other"


def _data_section(data: Sequence[TrainingData], base: str, base_licence: str) -> list[str]:
    head = ["dataset", "made by", "part", "rows", "weight", "licence", "SHA-256 of manifest.json"]
    rows = [
        [
            code(d.name),
            f"`gistmill {d.recipe}` {text(d.code_version)}",
            text(f"{d.config}, {d.split}"),
            f"{d.rows:,}",
            f"{d.weight:g}",
            text(d.licence) or "not known",
            f"`{d.manifest_sha256}`",
        ]
        for d in data
    ]
    parts = ["## Data, licence and attribution\n", *table(head, rows)]
    parts += [f"{paragraphs(said)}\n" for said in dict.fromkeys(d.attribution for d in data) if said]
    parts.append("The licence in the head of this card is that of the data that the model learned from.\n")
    if base:
        known = f"under {text(base_licence)}" if base_licence else "under a licence of its own"
        parts.append(f"The weights that training began with, {code(_public(base))}, are {known}.\n")
    return parts


def _public(name: str) -> str:
    """Returns a hub name unchanged, and only the last part of a local path."""
    return one_line(public_configuration({"name": name}, places=())["name"])


def _shown(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return one_line(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


_RESULTS = re.compile(
    r"\A(?P<before>\s*^# (?P<title>[^\n]*)$.*?^## Results\n)(?P<results>.*?)(?P<after>^## .*)\Z", re.S | re.M
)
_BLOCK = re.compile(r"^(?=[\d,]+ rows of )", re.M)


def add_scores(folder: Path, scorecard: Mapping[str, Any], system: str) -> None:
    """Adds a system's scores over all rows to a model's card, replacing earlier scores for the same rows.

    Args:
        folder: the model's folder.
        scorecard: the scorecard, as JSON values.
        system: the system whose scores to add.

    Raises:
        SettingsError: the folder contains no card.
        TrainingError: the card was not made by ``card_text``.
        OSError: the folder cannot be written to.
    """
    from huggingface_hub import EvalResult, ModelCard

    path = folder / CARD
    try:
        content = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(f"--card {folder} contains no {CARD}") from None
    try:
        card = ModelCard(content) if content.startswith("---\n") else None
    except (ValueError, yaml.YAMLError):
        card = None
    found = _RESULTS.match(card.text) if card is not None else None
    if card is None or found is None:
        raise TrainingError(f"{path} is not a model card written by gistmill-train")
    values = {name: value for name, value in scorecard["systems"][system].items() if "/" not in name}
    name, config, split = (printable(scorecard[key]) for key in ("data", "config", "split"))
    # the hub distinguishes results by type, configuration and split, so the type is the dataset's name, not its job
    rows: dict[str, Any] = {
        "dataset_type": name,
        "dataset_name": name,
        "dataset_config": config,
        "dataset_split": split,
    }
    task = "sentence-fusion" if scorecard["recipe"] == _FUSION else "summarization"
    new = [
        EvalResult(task_type=task, metric_type=metric, metric_name=metric, metric_value=round(value, 4), **rows)
        for metric, value in values.items()
    ]
    front: Any = card.data
    others = [r for r in front.eval_results or () if any(getattr(r, key) != value for key, value in rows.items())]
    front.model_name, front.eval_results = found["title"], [*others, *new]
    lines = _result_lines(scorecard, values, scorecard["intervals"].get(system, {}))
    blocks = [b for b in _BLOCK.split(found["results"]) if _BLOCK.match(b) and _rows_of(b) != _rows_of(lines[0])]
    card.text = "".join([found["before"], "\n", *blocks, "\n".join(lines), "\n", found["after"]])
    write_text(path, str(card))


def _result_lines(
    scorecard: Mapping[str, Any], values: Mapping[str, float], bounds: Mapping[str, tuple[float, float]]
) -> list[str]:
    shown = {name: f"{low:.2f} to {high:.2f}" for name, (low, high) in bounds.items()}
    rows = [[name, f"{value:.2f}", shown.get(name, "")] for name, value in values.items()]
    part = f"{code(scorecard['data'])}, {text(scorecard['config'])}, {text(scorecard['split'])}"
    return [f"{scorecard['rows']:,} rows of {part}:\n", *table(["metric", "value", "95% interval"], rows)]


def _rows_of(block: str) -> str:
    return block.partition("\n")[0].partition(" rows of ")[2]
