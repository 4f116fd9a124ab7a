"""The training task of sequence-to-sequence models, which generate a target text from a source text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from typing_extensions import override

from gistmill.core.options import Options
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.seq2seq.config import DecodingConfig, Seq2SeqConfig, sizes_file
from gistmill.training.seq2seq.encoding import (
    SOURCE,
    TARGET,
    Encoding,
    digest,
    read_tokenizer,
    text_of,
    trained_tokenizer,
)
from gistmill.training.seq2seq.networks import Network, Transformer, fresh, fuse, loaded, read_sizes
from gistmill.training.task import Batch, Loss, Row, Rows, Task, evaluating, groups_of, read_description

_IGNORED = -100
_DESCRIPTION = "seq2seq.json"
_MULTIPLE = 8  # tensor cores are faster with lengths that are multiples of this


class Seq2Seq(Task):
    """A network with its tokenizer. See gistmill.training.task.Task.

    Attributes:
        config: its configuration.
        decoding: its prediction options; may be replaced.
    """

    KIND: ClassVar[str] = "seq2seq"

    encoding: Encoding

    def __init__(self, network: Network, tokenizer: Any, config: Seq2SeqConfig, decoding: DecodingConfig) -> None:
        self.network, self.tokenizer, self.config, self.decoding = network, tokenizer, config, decoding
        self.module = network.module
        self._padding = int(tokenizer.pad_token_id)
        self.encoding = Encoding(tokenizer, config)

    @property
    def columns(self) -> tuple[str, ...]:
        """The source and target columns."""
        return (self.config.source_column, self.config.target_column)

    @classmethod
    @override
    def create(cls, config: Options, rows: Rows, *, seed: int) -> Self:
        """Creates the model from a preset, a YAML file of sizes, a folder or a hub name.

        Raises:
            SettingsError: there is no such model.
        """
        assert isinstance(config, Seq2SeqConfig)
        model = config.model
        file = sizes_file(model)
        if file is None:
            network: Network = Transformer.pretrained(model, config.attention)
            return cls(network, read_tokenizer(config.tokenizer or model), config, DecodingConfig())
        sizes = read_sizes(file)
        if config.tokenizer:
            tokenizer = read_tokenizer(config.tokenizer)
        else:
            columns = (config.source_column, config.target_column)
            texts = (text_of(row, name) for row in islice(rows(), config.tokenizer_rows) for name in columns)
            tokenizer = trained_tokenizer(texts, config.vocabulary)
        if tokenizer.pad_token_id is None or tokenizer.eos_token_id is None:
            raise SettingsError(f"--tokenizer {config.tokenizer} must define a padding token and an end token")
        special = {"pad": tokenizer.pad_token_id, "end": tokenizer.eos_token_id}
        torch.manual_seed(seed)
        return cls(fresh(sizes, len(tokenizer), special, config.attention), tokenizer, config, DecodingConfig())

    @override
    def adapt(self, config: Options, rows: Rows) -> None:
        """Replaces the configuration, but not the network or the tokenizer."""
        assert isinstance(config, Seq2SeqConfig)
        self.config = config
        self.encoding = Encoding(self.tokenizer, config)

    @override
    def fuse(self) -> None:
        fuse(self.module)

    def source_ids(self, text: str) -> list[int]:
        """Returns the ids of a source, truncated to the maximum length."""
        return self.encoding.source(text)

    def _encoded(self, row: Row) -> tuple[Sequence[int], Sequence[int]]:
        if SOURCE not in row:
            row.update(self.encoding(row))
        return row[SOURCE], row[TARGET]

    def length(self, row: Row) -> int:
        """Returns the total number of tokens in the source and target."""
        source, target = self._encoded(row)
        return len(source) + len(target)

    @override
    def source_length(self, row: Row) -> int:
        return len(self.source_ids(text_of(row, self.config.source_column)))

    def padded(self, sequences: Sequence[Sequence[int]], value: int) -> Tensor:
        """Returns sequences as one tensor [rows, length], padded on the right to a multiple of 8."""
        longest = -(-max(1, *map(len, sequences)) // _MULTIPLE) * _MULTIPLE
        found = np.full((len(sequences), longest), value, np.int64)
        for row, sequence in zip(found, sequences, strict=True):
            row[: len(sequence)] = sequence
        return torch.from_numpy(found)

    def sources(self, sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """Returns the ids and mask of sources; the mask uses lengths, because texts may contain the padding token."""
        ids = self.padded(sequences, self._padding)
        lengths = torch.tensor(list(map(len, sequences)))
        return ids, (torch.arange(ids.shape[1]) < lengths[:, None]).long()

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns ``source``, ``mask``, ``written`` (the tokens before each label), ``labels`` and ``tokens``."""
        sources, targets = zip(*map(self._encoded, rows), strict=True)
        ids, mask = self.sources(sources)
        labels = self.padded(targets, _IGNORED)
        written = torch.full_like(labels, self._padding)
        written[:, 0] = self.network.start
        for row, target in zip(written.numpy(), targets, strict=True):
            row[1 : len(target)] = target[:-1]
        return {
            "source": ids,
            "mask": mask,
            "written": written,
            "labels": labels,
            "tokens": torch.tensor(sum(map(len, sources)) + sum(map(len, targets))),
        }

    def logits(self, batch: Batch) -> tuple[Tensor, Tensor | None]:
        """Returns the logits of a batch, and the network's additional loss per token, if any."""
        return self.network.logits(batch["source"], batch["mask"], batch["written"])

    @override
    def loss(self, batch: Batch) -> Loss:
        """Returns the cross-entropy with label smoothing, summed over the target tokens."""
        logits, other = self.logits(batch)
        return self.loss_of(logits, other, batch["labels"])

    def loss_of(self, logits: Tensor, other: Tensor | None, labels: Tensor) -> Loss:
        """Returns the loss for given logits."""
        flat, flat_labels = logits.flatten(0, 1).float(), labels.flatten()
        counts = flat_labels != _IGNORED
        smoothing = self.config.label_smoothing or 0.0
        given: dict[str, Any] = {"ignore_index": _IGNORED, "reduction": "sum"}
        total = functional.cross_entropy(flat, flat_labels, label_smoothing=smoothing, **given)
        with torch.no_grad():
            nll = functional.cross_entropy(flat, flat_labels, **given) if smoothing else total.detach()
        if other is not None:
            total = total + other.flatten().masked_fill(~counts, 0.0).sum()
        right = (flat.detach().argmax(-1) == flat_labels) & counts
        return Loss(total=total, weight=counts.sum(), sums={"nll": nll, "accuracy": right.sum()})

    @override
    def predict(self, rows: Sequence[Row]) -> list[str]:
        if not rows:
            return []
        ids, mask = self.sources([self.source_ids(text_of(row, self.config.source_column)) for row in rows])
        with evaluating(self.module) as device:
            found = self.network.generate(ids.to(device), mask.to(device), self.decoding, self.config.max_target)
        return [str(self.tokenizer.decode(each, skip_special_tokens=True)) for each in found]

    def judge(self, rows: Sequence[Row]) -> list[tuple[list[bool], list[float]]]:
        """Returns whether the model, given the previous tokens, would choose each target token, and log likelihoods."""
        with evaluating(self.module) as device:
            batch = {name: tensor.to(device) for name, tensor in self.collate(rows).items()}
            logits, _ = self.logits(batch)
        labels = batch["labels"]
        chances = logits.float().log_softmax(-1).gather(-1, labels.clamp(min=0)[..., None])[..., 0].cpu()
        right = (logits.argmax(-1) == labels).cpu()
        lengths = (labels != _IGNORED).sum(1).tolist()
        return [(right[n, :length].tolist(), chances[n, :length].tolist()) for n, length in enumerate(lengths)]

    @override
    def parameter_groups(self, weight_decay: float, learning_rate: float) -> list[dict[str, Any]]:
        return groups_of(self.module.parameters(), weight_decay)

    @override
    def fingerprint(self) -> str:
        """Returns a SHA-256 of the tokenizer."""
        return digest(self.tokenizer)

    @override
    def save(self, folder: Path) -> None:
        self.network.save(folder)
        self.tokenizer.save_pretrained(folder)
        described = {
            "config": {**self.config.to_values(), "model": self.KIND},  # leaves out the initial model
            "decoding": self.decoding.to_values(),
            "tokenizer_sha256": self.fingerprint(),
        }
        (folder / _DESCRIPTION).write_text(json.dumps(described, indent=2, sort_keys=True) + "\n", encoding="utf-8")

    @classmethod
    @override
    def load(cls, folder: Path) -> Self:
        described = read_description(folder / _DESCRIPTION, ("config", "decoding", "tokenizer_sha256"))
        config = Seq2SeqConfig.from_values(described["config"])
        task = cls(
            loaded(folder, config.attention),
            read_tokenizer(str(folder)),
            config,
            DecodingConfig.from_values(described["decoding"]),
        )
        if task.fingerprint() != described["tokenizer_sha256"]:
            raise TrainingError(f"{folder}: the tokenizer is not the one used to train the model")
        return task
