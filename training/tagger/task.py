"""The training task of the tagger, which predicts the edits that fuse two sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from typing_extensions import override

from gistmill.core.model_files import load_tokenizer
from gistmill.core.options import Options
from gistmill.rules.fusion.codec import (
    Encoded,
    Heads,
    Labels,
    LabelsError,
    TooLongError,
    fit_labels,
    plan_of,
    target,
)
from gistmill.rules.fusion.decode import PRIOR, Decoder, Fusion, FusionConstraints, fit_prior, prior_of
from gistmill.rules.fusion.texts import fuse
from gistmill.training.data.source import Source
from gistmill.training.errors import TrainingError
from gistmill.training.tagger.config import DecodingConfig, TaggerConfig
from gistmill.training.tagger.network import Encoder, Network, Sizes, frequencies
from gistmill.training.tagger.pretrained import Pieces, fresh_encoder, load_encoder, load_pieces
from gistmill.training.tagger.rows import (
    EDITS,
    FIRST,
    IDS,
    LENGTH,
    SECOND,
    TARGETS,
    TYPE,
    Encoding,
    Example,
    batch_of,
    examples,
    inputs,
    is_used,
    sentences,
)
from gistmill.training.task import (
    Batch,
    Loss,
    Row,
    Rows,
    Task,
    evaluating,
    first_line,
    groups_of,
    read_description,
)

_TAGGER, _WEIGHTS, _BERT, _TOKENIZER = "tagger.json", "model.safetensors", "config.json", "tokenizer.json"


class Tagger(Task):
    """A network with its labels and word pieces. See gistmill.training.task.Task.

    Attributes:
        config: its configuration.
        decoding: its prediction options; may be replaced.
        labels: the labels to choose from.
        prior: see ``rules/fusion/decode.py``.
    """

    KIND: ClassVar[str] = "tagger"

    def __init__(
        self, network: Network, labels: Labels, pieces: Pieces, config: TaggerConfig, sizes: Sizes, *, known_edits: bool
    ) -> None:
        self.config, self.labels, self.pieces, self._sizes = config, labels, pieces, sizes
        self.module = self.network = network
        self.decoding = DecodingConfig()
        self.prior = prior_of(None, labels.plans)
        self._known_edits = known_edits
        self.codec = pieces.codec(min(config.longest, network.encoder.longest))
        self.encoding = self._encoding()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the sentences, the type, and the edits or, if the dataset has none, the fused sentences."""
        known = (EDITS,) if self._known_edits else TARGETS
        return ("inputs", FIRST, SECOND, TYPE, *known)

    @classmethod
    @override
    def create(cls, config: Options, rows: Rows, *, seed: int) -> Self:
        """Creates a tagger, fitting its labels, head biases and prior to the rows.

        Raises:
            SettingsError: the encoder cannot be loaded.
            TrainingError: no row can be used for training.
        """
        assert isinstance(config, TaggerConfig)
        known_edits = all(row.get(EDITS) is not None for row in rows() if is_used(row, config.unchanged))

        def found() -> Iterator[Example]:  # reads the rows again each time, to save memory
            return examples(rows, unchanged=config.unchanged, known_edits=known_edits)

        labels = fit_labels(
            ((e.plan, e.edits) for e in found()), most_phrases=config.phrases, least_rows=config.phrase_rows
        )
        counts = frequencies(labels, (target(labels, e.plan, e.edits) for e in found() if labels.covers(e.edits)))
        if not counts["plan.score.bias"].any():
            raise TrainingError("no row can be used for training: a tagger needs rows from a DiscoFuse dataset")
        torch.manual_seed(seed)
        sizes = Sizes(dropout=config.dropout)
        encoder = Encoder(load_encoder(config.encoder, config.dropout), rank=config.rank)
        pieces = load_pieces(config.encoder)
        task = cls(Network(encoder, labels, sizes), labels, pieces, config, sizes, known_edits=known_edits)
        task.network.heads.start_at(counts)
        task._fit_prior(rows)
        return task

    @override
    def adapt(self, config: Options, rows: Rows) -> None:
        """Applies the settings that may change, and fits the prior to the rows."""
        assert isinstance(config, TaggerConfig)
        taken = {name: getattr(config, name) for name in ("head_learning_rate", "unchanged", "prior")}
        self.config = replace(self.config, **taken)
        self.encoding = self._encoding()
        self._fit_prior(rows)

    def _fit_prior(self, rows: Rows) -> None:
        """Fits the prior to the types in the rows and in the ``--prior`` datasets, if any."""
        self.prior = prior_of(None, self.labels.plans)
        if self.config.prior is None:
            return
        sources = (
            Source(d["place"], config=d.get("config"), split=d.get("split", "train"), columns=(TYPE,))
            for d in self.config.prior
        )
        wanted = (plan_of(row[TYPE]) for source in sources for row in source.open().in_order())
        found = examples(rows, unchanged=self.config.unchanged, known_edits=self._known_edits)
        learnt = [e.plan for e in found if self.labels.covers(e.edits)]
        self.prior = fit_prior(self.labels.plans, learnt, wanted)

    def _encoding(self) -> Encoding:
        unchanged = self.config.unchanged
        return Encoding(self.codec, self.labels, self.fingerprint(), unchanged, known_edits=self._known_edits)

    def length(self, row: Row) -> int:
        """Returns the number of word pieces in a row; an estimate if it is not used for training."""
        if LENGTH not in row:
            row.update(self.encoding(row))
        return int(row[LENGTH])

    @override
    def source_length(self, row: Row) -> int:
        pieces = sum(len(self.pieces(word)) for sentence in sentences(row) for word in sentence)
        return min(pieces + 3, self.codec.longest)  # a longer row is left unchanged

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns the rows used for training as tensors."""
        for row in rows:
            self.length(row)
        kept = [row for row in rows if len(row[IDS])]
        return batch_of(kept) if kept else {"tokens": torch.tensor(0)}

    @override
    def loss(self, batch: Batch) -> Loss:
        """Returns the negative log-likelihood of plans and edits, summed over the rows."""
        if "ids" not in batch:
            nothing = sum(p.sum() for p in self.module.parameters() if p.requires_grad) * 0.0
            return Loss(total=torch.as_tensor(nothing), weight=torch.tensor(0))
        losses = self.network.losses(batch)
        return Loss(
            total=torch.stack(list(losses.values())).sum(),
            weight=torch.full((), len(batch["ids"]), device=batch["ids"].device),  # avoids a copy from the host
            sums={name: value.detach() for name, value in losses.items()},
        )

    @override
    def predict(self, rows: Sequence[Row]) -> list[str]:
        """Returns fusions as natural text; pairs of sentences that are too long are left unchanged."""
        return [
            row["inputs"] if found is None else fuse(row["inputs"], *sentences(row), found.edits)
            for row, found in zip(rows, self.fusions(rows), strict=True)
        ]

    def fusions(self, rows: Sequence[Row]) -> list[Fusion | None]:
        """Returns the fusion of each row's sentences; None for rows that are too long."""
        encoded: list[Encoded | None] = []
        for row in rows:
            try:
                encoded.append(self.codec.encode(*sentences(row)))
            except TooLongError:
                encoded.append(None)
        states, decoder = iter(self.states([one for one in encoded if one is not None])), self.decoder()
        found: list[Fusion | None] = []
        for row, one in zip(rows, encoded, strict=True):
            plan = plan_of(row[TYPE]) if self.decoding.told_type else None
            wanted = FusionConstraints(plan=plan if plan in self.labels.plans else None, caution=self.decoding.caution)
            found.append(None if one is None else decoder.fuse(next(states), *sentences(row), wanted)[0])
        return found

    def decoder(self) -> Decoder:
        """Returns a decoder that uses the heads' current weights."""
        return Decoder(Heads(self.labels, self.network.heads.numpy(), self.prior))

    def states(self, rows: Sequence[Encoded]) -> list[np.ndarray]:
        """Returns the states of each row, float32, of shape (n + m + 2, width)."""
        if not rows:
            return []
        with evaluating(self.network) as device:
            batch = {name: tensor.to(device) for name, tensor in inputs(rows).items()}
            states = self.network.states(batch).float().cpu().numpy()
        return [state[: len(row.places)] for state, row in zip(states, rows, strict=True)]

    @override
    def parameter_groups(self, weight_decay: float, learning_rate: float) -> list[dict[str, Any]]:
        """Returns the parameter groups; the heads have their own learning rate."""
        encoder, heads = self.network.encoder, self.network.heads
        return [
            *groups_of(encoder.parameters(), weight_decay, lr=learning_rate),
            *groups_of(heads.parameters(), weight_decay, lr=self.config.head_learning_rate),
        ]

    @override
    def fingerprint(self) -> str:
        """Returns a SHA-256 of the labels and the tokenizer."""
        parts = json.dumps(self.labels.to_values(), sort_keys=True) + self.pieces.tokenizer.to_str()
        return hashlib.sha256(parts.encode()).hexdigest()

    @override
    def save(self, folder: Path) -> None:
        """Writes the network, the encoder's configuration, the tokenizer and the labels."""
        from safetensors.torch import save_file

        state = {name: tensor.contiguous().cpu() for name, tensor in self.network.state_dict().items()}
        save_file(state, folder / _WEIGHTS)
        bert = self.network.encoder.bert.config.to_json_string()
        (folder / _BERT).write_text(bert, encoding="utf-8")
        (folder / _TOKENIZER).write_text(self.pieces.tokenizer.to_str(), encoding="utf-8")
        config = replace(self.config, prior=None)  # these datasets are local to this machine
        described = {
            "config": {**config.to_values(), "model": self.KIND},
            "labels": self.labels.to_values(),
            PRIOR: self.prior,
            "sizes": asdict(self._sizes),
            "known_edits": self._known_edits,
            "fingerprint": self.fingerprint(),
        }
        text = json.dumps(described, indent=1, sort_keys=True, ensure_ascii=False)
        (folder / _TAGGER).write_text(text + "\n", encoding="utf-8")

    @classmethod
    @override
    def load(cls, folder: Path) -> Self:
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        described = read_description(folder / _TAGGER, ("config", "labels", "sizes", "known_edits", "fingerprint"))
        try:
            config = TaggerConfig.from_values(described["config"])
            labels, sizes = Labels.from_values(described["labels"]), Sizes(**described["sizes"])
            prior = prior_of(described.get(PRIOR), labels.plans)
            pieces = Pieces(load_tokenizer(folder / _TOKENIZER), str(folder))
            encoder = Encoder(fresh_encoder(folder / _BERT), rank=config.rank)
            network = Network(encoder, labels, sizes)
            network.load_state_dict(load_file(folder / _WEIGHTS))
        except TrainingError:
            raise
        except (OSError, ValueError, TypeError, KeyError, LabelsError, RuntimeError, SafetensorError) as error:
            raise TrainingError(f"{folder}: the tagger cannot be loaded: {first_line(error)}") from None
        task = cls(network, labels, pieces, config, sizes, known_edits=bool(described["known_edits"]))
        task.prior = prior
        if task.fingerprint() != described["fingerprint"]:
            raise TrainingError(f"{folder}: the tokenizer or the labels are not those used to train the tagger")
        return task
