"""README.md of a model: the card that the hub reads, of what a training made and of its scores.

The card says which data the model learned from, under which licence, how it was trained, and what it scored. It holds
no path of the machine and no time, so that the same training gives the same card.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

import yaml

from gistmill.core.addresses import public_configuration, public_name
from gistmill.core.manifest import MANIFEST, ManifestError
from gistmill.core.options import options_of
from gistmill.core.text_output import code, licence_tag, one_line, paragraphs, table, text
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, open_folder
from gistmill.training.config import ModelConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import KINDS, is_trained_here, kind_of
from gistmill.training.kinds import TAGGER as kinds_TAGGER
from gistmill.training.seq2seq.config import is_from_scratch
from gistmill.training.settings import Settings

CARD = "README.md"
TAGGER, SEQ2SEQ = "tagger", "seq2seq"
_FUSION = "discofuse"
_USES = {
    TAGGER: (
        "The model fuses two sentences into one text. It deletes, keeps and moves words, and inserts phrases of a "
        "fixed vocabulary, so it writes no other words. It may still join sentences by a connective that states a "
        "relation which the text does not support, or replace a name by the wrong pronoun."
    ),
    SEQ2SEQ: (
        "The model writes a text for a text. It may state what its input does not say. Compare its output with the "
        "input before anybody relies on it."
    ),
}
_LIMITS = (
    "It learned from the English texts named below and repeats their errors and preferences. Rules made its data, and "
    "have errors of their own. The results hold for texts like those of the test rows."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingData:
    """A split of a published dataset that the model learned from.

    Attributes:
        name: last part of its path, or its URL.
        recipe: the job that made it.
        code_version: the version of gistmill that made it.
        config, split: which part.
        rows: how many rows the part has.
        weight: its share in a mixture, in any unit.
        manifest_sha256: of its manifest.json, which names every file with its own SHA-256.
        licence: such as ``cc-by-sa-4.0``; "" when it is not known.
        attribution: where the text comes from.
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
            OSError: the manifest cannot be read again.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the model scored on a split.

    Attributes:
        data: name of the dataset; ``recipe``: the job that made it.
        config, split: which part.
        rows: how many rows were scored.
        metrics: values by the names that the scorecard gives them.
        intervals: bounds of 95% intervals, for the metrics that have them.
    """

    data: str
    recipe: str
    config: str
    split: str
    rows: int
    metrics: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a card says.

    Attributes:
        kind: ``tagger`` or ``seq2seq``.
        base: name of the weights that training began with; "" for a model that began with random ones.
        base_licence: their licence, where it is known.
        data: what the model learned from.
        configuration: the options of the training, as ``Options.to_values`` gives them.
        facts: numbers about the training by their names, such as steps, parameters and the loss at the end.
        results: what it scored.
        versions: versions by package; gistmill's is among them.
    """

    kind: str
    data: Sequence[TrainingData]
    configuration: Mapping[str, Any]
    base: str = ""
    base_licence: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    results: Sequence[Result] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The heading."""
        names = " and ".join(dict.fromkeys(d.recipe for d in self.data)) or "no data"
        return f"A {'tagger' if self.kind == TAGGER else 'sequence-to-sequence model'} trained on {names}"

    @property
    def licence(self) -> str:
        """The identifier for the YAML: that of all the data, else ``other``; ``unknown`` if one has none."""
        found = {d.licence or "unknown" for d in self.data}
        if "unknown" in found or not found:
            return "unknown"
        return licence_tag(found.pop()) if len(found) == 1 else "other"


def manifest_sha256(place: str) -> str:
    """Returns the SHA-256 of the manifest of a dataset: what says that two places hold the same.

    Raises:
        FileNotFoundError: there is no manifest.json.
        OSError: it cannot be read.
        DatasetError: the place is a URL of an unknown kind.
    """
    with open_folder(place).open(MANIFEST) as file:
        return hashlib.sha256(file.read()).hexdigest()


def write_card(folder: Path, card: Card, *, sections: Sequence[str] = ()) -> None:
    """Writes README.md into the folder of a model; one that is there is replaced at once.

    Args:
        folder: of the model.
        card: what it says.
        sections: further Markdown, such as that on an export.

    Raises:
        OSError: the folder cannot be written to.
    """
    write_text(folder / CARD, "\n".join([card_text(card), *sections]))


def write_text(path: Path, text: str) -> None:
    """Writes a file so that a reader sees the old content or the new one. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def card_text(card: Card) -> str:
    """Returns README.md: YAML that the hub reads, then Markdown."""
    front = yaml.safe_dump(_front(card), sort_keys=False, width=1000)
    parts = [
        f"---\n{front}---\n",
        f"# {card.title}\n",
        f"Trained by `gistmill-train fit` (gistmill {card.versions.get('gistmill', 'of unknown version')}), "
        + (f"beginning with the weights of {code(_public(card.base))}.\n" if card.base else "from random weights.\n"),
        f"## Intended use and limits\n\n{_USES[card.kind]}\n\n{_LIMITS}\n",
        *_results(card),
        *_data(card),
        *_training(card),
    ]
    return "\n".join(parts)


def _front(card: Card) -> dict[str, Any]:
    fusion = bool(card.data) and all(d.recipe == _FUSION for d in card.data)
    front: dict[str, Any] = {"language": ["en"], "license": card.licence, "library_name": "transformers"}
    if card.licence == "other":
        front["license_name"] = "licences-of-the-data"
    if card.kind == TAGGER:
        front["library_name"] = "gistmill"
    elif not fusion:
        front["pipeline_tag"] = "summarization"
    front["tags"] = ["gistmill", "sentence-fusion" if fusion else "summarization"]
    if card.results:
        front["model-index"] = model_index(card.title, card.results)
    return front


def model_index(title: str, results: Sequence[Result]) -> list[dict[str, Any]]:
    """Returns the ``model-index`` of the YAML, which the hub shows as the results of the model."""
    indexed = [
        {
            "task": {"type": "sentence-fusion" if result.recipe == _FUSION else "summarization"},
            "dataset": {"type": result.recipe, "name": result.data, "config": result.config, "split": result.split},
            "metrics": [{"type": name, "name": name, "value": round(v, 4)} for name, v in result.metrics.items()],
        }
        for result in results
    ]
    return [{"name": title, "results": indexed}]


def _results(card: Card) -> list[str]:
    parts = ["## Results\n"]
    if not card.results:
        return [*parts, "The model was not evaluated when this card was written.\n"]
    return [*parts, *(line for result in card.results for line in result_lines(result))]


def result_lines(result: Result) -> list[str]:
    """Returns the lines of one result in the section Results."""
    rows = [[name, f"{value:.2f}", _interval(result, name)] for name, value in result.metrics.items()]
    head = f"{result.rows:,} rows of {code(result.data)}, {text(result.config)}, {text(result.split)}:\n"
    return [head, *table(["metric", "value", "95% interval"], rows)]


def _interval(result: Result, name: str) -> str:
    if name not in result.intervals:
        return ""
    low, high = result.intervals[name]
    return f"{low:.2f} to {high:.2f}"


def _data(card: Card) -> list[str]:
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
        for d in card.data
    ]
    parts = ["## Data, licence and attribution\n", *table(head, rows)]
    parts += [f"{paragraphs(said)}\n" for said in dict.fromkeys(d.attribution for d in card.data) if said]
    parts.append("The licence in the head of this card is that of the data that the model learned from.\n")
    if card.base:
        known = f"under {text(card.base_licence)}" if card.base_licence else "under a licence of its own"
        parts.append(f"The weights that training began with, {code(_public(card.base))}, are {known}.\n")
    return parts


def _training(card: Card) -> list[str]:
    public = public_configuration(card.configuration, places=())
    described = yaml.safe_dump(public, sort_keys=True, allow_unicode=True, width=1000)
    parts = ["## Training\n"]
    if card.facts:
        parts += table(["", ""], [[name, _shown(value)] for name, value in card.facts.items()])
    parts.append(f"```yaml\n{described}```\n")
    parts += ["## Versions\n", *table(["package", "version"], sorted(card.versions.items()))]
    return parts


def _public(name: str) -> str:
    """A name of the hub as it is, a path of this machine as its last part."""
    return one_line(public_configuration({"name": name}, places=())["name"])


def _shown(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return one_line(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def describe(folder: Path, settings: Settings, facts: Mapping[str, object]) -> None:
    """Writes the card of a model into its folder.

    Raises:
        TrainingError: a dataset is no longer there.
    """
    data = settings.of(DataConfig)
    described = []
    try:
        for dataset in data.datasets:
            opened, weight = Dataset(dataset["place"]), float(dataset.get("weight") or 1)
            config, split = dataset.get("config") or opened.configs[0], dataset.get("split", data.split)
            described.append(TrainingData.of(opened, config=config, split=split, weight=weight))
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


def _base(model: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the name of the weights that the training began with, "" for random ones, and their licence if known."""
    if is_trained_here(model):
        return model, ""
    if kind_of(model) == kinds_TAGGER:
        encoder = str(values["encoder"])
        (default,) = (o.default for o in options_of(KINDS[kinds_TAGGER].config) if o.name == "encoder")
        return encoder, "apache-2.0" if encoder == default else ""
    return ("", "") if is_from_scratch(model) else (model, "")


def _versions() -> list[tuple[str, str]]:
    found = []
    for name in ("gistmill", "torch", "transformers", "tokenizers", "numpy"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found


_PARTS = re.compile(
    r"\A---\n(?P<front>.*?)^---\n(?P<head>.*?)^## Results\n(?P<results>.*?)(?P<rest>^## .*)\Z", re.S | re.M
)
_BLOCK = re.compile(r"^(?=[\d,]+ rows of )", re.M)


def result_of(scorecard: Mapping[str, Any], system: str) -> Result:
    """Returns the scores over all rows that a system has on a scorecard, as JSON has it."""
    values = {name: value for name, value in scorecard["systems"][system].items() if "/" not in name}
    bounds = scorecard["intervals"].get(system, {})
    return Result(
        data=scorecard["data"],
        recipe=scorecard["recipe"],
        config=scorecard["config"],
        split=scorecard["split"],
        rows=scorecard["rows"],
        metrics=values,
        intervals={name: (low, high) for name, (low, high) in bounds.items() if name in values},
    )


def add_scores(folder: Path, result: Result) -> None:
    """Adds a result to the card in the folder of a model; one of the same rows is replaced.

    Raises:
        SettingsError: the folder has no card.
        TrainingError: the card is not one that ``gistmill.training.cards`` wrote.
        OSError: the folder cannot be written to.
    """
    path = folder / CARD
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(f"--card {folder} has no {CARD}") from None
    found = _PARTS.match(text)
    front = yaml.safe_load(found["front"]) if found else None
    if found is None or not isinstance(front, dict):
        raise TrainingError(f"{path} is not a card that gistmill-train wrote")
    (entry,) = model_index("", [result])
    title = re.search(r"^# (.*)$", found["head"], re.M)
    others = front.get("model-index") or [{"name": title[1] if title else "", "results": []}]
    same = [r for r in others[0]["results"] if r["dataset"] != entry["results"][0]["dataset"]]
    front["model-index"] = [{**others[0], "results": [*same, *entry["results"]]}]
    lines = result_lines(result)
    blocks = [b for b in _BLOCK.split(found["results"]) if _BLOCK.match(b) and _rows_of(b) != _rows_of(lines[0])]
    shown = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000)
    results = "".join([*blocks, "\n".join(lines), "\n"])
    write_text(path, f"---\n{shown}---\n{found['head']}## Results\n\n{results}{found['rest']}")


def _rows_of(block: str) -> str:
    return block.partition("\n")[0].partition(" rows of ")[2]
