"""The tagger as a torch network: the encoder, and the heads of ``rules/fusion/codec.py`` with their loss.

Low-rank updates: E. J. Hu et al., "LoRA: low-rank adaptation of large language models", ICLR 2022, section 4.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from gistmill.rules.fusion.codec import CODES, SHAPES, Labels, Target

# The linear maps of a layer, as named in a BERT checkpoint.
MAPS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


class LowRank(nn.Module):
    """A frozen linear map plus a trainable low-rank update, which is initially zero.

    Args:
        base: the linear map.
        rank: the rank of the update.
        scale: a factor applied to the update.
    """

    def __init__(self, base: nn.Linear, rank: int, scale: float) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Applies the map and its update."""
        return self.base(x) + F.linear(F.linear(x, self.down), self.up) * self.scale


class Encoder(nn.Module):
    """A BERT encoder that also reads a code for each word piece; its word piece embeddings stay frozen.

    Args:
        bert: a ``transformers.BertModel`` without a pooling layer.
        rank: the rank of the low-rank updates, with the rest of the BERT frozen; None trains all of it.
        scale: the factor applied to the updates.
    """

    def __init__(self, bert: Any, *, rank: int | None = None, scale: float = 2.0) -> None:
        super().__init__()
        self.bert, self.rank = bert, rank
        table = bert.get_input_embeddings()
        self.codes = nn.Embedding(CODES, table.embedding_dim)
        nn.init.zeros_(self.codes.weight)
        table.weight.requires_grad_(False)
        if rank is not None:
            bert.requires_grad_(False)
            for layer, name in self.maps():
                layer.set_submodule(name, LowRank(layer.get_submodule(name), rank, scale))

    def maps(self) -> Iterator[tuple[nn.Module, str]]:
        """Yields the layer and the name of each linear map, in order."""
        return ((layer, name) for layer in self.bert.encoder.layer for name in MAPS)

    @property
    def width(self) -> int:
        """The size of a state vector."""
        return int(self.bert.config.hidden_size)

    @property
    def longest(self) -> int:
        """The maximum number of word pieces in an input."""
        return int(self.bert.config.max_position_embeddings)

    def forward(
        self, ids: torch.Tensor, types: torch.Tensor, codes: torch.Tensor, mask: torch.Tensor, places: torch.Tensor
    ) -> torch.Tensor:
        """Returns the last layer's states at the given places.

        Args:
            ids, types, codes: one number per word piece, int64, of shape (rows, pieces).
            mask: False for padding, bool, of shape (rows, pieces).
            places: indices of the word pieces whose states to return, int64, of shape (rows, places).

        Returns:
            States of shape (rows, places, width).
        """
        embedded = self.bert.get_input_embeddings()(ids) + self.codes(codes)
        states = self.bert(inputs_embeds=embedded, attention_mask=mask.long(), token_type_ids=types).last_hidden_state
        return torch.gather(states, 1, places.unsqueeze(-1).expand(-1, -1, states.shape[-1]))


IGNORED = -100  # the label of padding


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of the heads' hidden layers, and the dropout rate."""

    plan_hidden: int = 256
    move_hidden: int = 128
    word_hidden: int = 256
    dropout: float = 0.1


class TorchHeads(nn.Module):
    """The tagger's heads, with parameter names and shapes from ``gistmill.rules.fusion.codec.SHAPES``."""

    def __init__(self, labels: Labels, width: int, sizes: Sizes) -> None:
        super().__init__()
        size = {
            "one": 1,
            "two": 2,
            "state": width,
            "three_states": 3 * width,
            "plans": len(labels.plans),
            "operations": len(labels.operations),
            "phrases": len(labels.phrases),
            "plan_hidden": sizes.plan_hidden,
            "move_hidden": sizes.move_hidden,
            "word_hidden": sizes.word_hidden,
        }
        self.arrays = nn.ParameterDict()
        for name, axes in SHAPES.items():
            array = torch.zeros([size[axis] for axis in axes])
            if len(axes) == 2:
                # the standard deviation of a map's initial weights
                nn.init.normal_(array, std=float(0.02 if array.shape[0] == 2 else min(0.05, 1 / array.shape[1] ** 0.5)))
            self.arrays[name.replace(".", "_")] = nn.Parameter(array)
        self.dropout = nn.Dropout(sizes.dropout)

    def plans(self, states: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        """Returns plan scores of shape (rows, plans); ``first`` and ``second`` mask the places of each sentence."""
        means = [
            (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True).clamp(min=1) for mask in (first, second)
        ]
        hidden = self._hidden(self._linear(torch.cat([states[:, 0], *means], -1), "plan_hidden"))
        return self._linear(hidden, "plan_score")

    def moves(self, states: torch.Tensor, plan: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        """Returns scores of shape (rows, places): for no move, then for moving each token of the first sentence."""
        hidden = self._linear(states, "move_hidden") + self.arrays["move_plan_weight"][plan].unsqueeze(1)
        scores = F.linear(self._hidden(hidden), self.arrays["move_score_weight"]).squeeze(-1)
        open_ = first.clone()
        open_[:, 0] = True
        return scores.masked_fill(~open_, -1e4)

    def tags(self, states: torch.Tensor, plan: torch.Tensor, moved: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns operation scores and phrase scores, each of shape (rows, places - 1, labels)."""
        given = self.arrays["word_plan_weight"][plan] + self.arrays["word_moved_weight"][moved]
        hidden = self._hidden(self._linear(states[:, 1:], "word_hidden") + given.unsqueeze(1))
        return self._linear(hidden, "operation"), self._linear(hidden, "phrase")

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(x, self.arrays[f"{name}_weight"], self.arrays[f"{name}_bias"])

    def _hidden(self, x: torch.Tensor) -> torch.Tensor:
        dropped: torch.Tensor = self.dropout(F.gelu(x, approximate="tanh"))
        return dropped

    def start_at(self, counts: Mapping[str, np.ndarray]) -> None:
        """Sets biases, given by their names in SHAPES, to the log frequency of each label."""
        with torch.no_grad():
            for name, count in counts.items():
                self.arrays[name.replace(".", "_")].copy_(torch.from_numpy(np.log((count + 0.5) / count.sum())))

    def numpy(self) -> dict[str, np.ndarray]:
        """Returns the arrays as float32, by their names in SHAPES."""
        return {name: self.arrays[name.replace(".", "_")].detach().float().cpu().numpy() for name in SHAPES}


def frequencies(labels: Labels, rows: Iterable[Target]) -> Mapping[str, np.ndarray]:
    """Returns the number of occurrences of each label, by the name of its head's bias."""
    plans, operations, phrases = (np.zeros(len(x)) for x in (labels.plans, labels.operations, labels.phrases))
    for row in rows:
        plans[row.plan] += 1
        np.add.at(operations, row.operations, 1)
        np.add.at(phrases, row.phrases, 1)
    return {"plan.score.bias": plans, "operation.bias": operations, "phrase.bias": phrases}


class Network(nn.Module):
    """The encoder and the heads."""

    def __init__(self, encoder: Encoder, labels: Labels, sizes: Sizes) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = TorchHeads(labels, encoder.width, sizes)

    def states(self, batch: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Returns the states of [CLS], the tokens and the end, of shape (rows, places, width)."""
        found: torch.Tensor = self.encoder(*(batch[name] for name in ("ids", "types", "codes", "mask", "places")))
        return found

    def losses(self, batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Returns the components of the negative log-likelihood of the edits, each summed over the rows."""
        states = self.states(batch)
        first, second, plan, move = (batch[name] for name in ("first", "second", "plan", "move"))
        operations, phrases = self.heads.tags(states, plan, (move > 0).long())
        return {
            "plan": _cross_entropy(self.heads.plans(states, first, second), plan),
            "move": _cross_entropy(self.heads.moves(states, plan, first), move),
            "operations": _cross_entropy(operations, batch["operations"]),
            "phrases": _cross_entropy(phrases, batch["phrases"]),
        }


def _cross_entropy(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(scores.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORED, reduction="sum")
