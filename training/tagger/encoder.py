"""The tagger's encoder: a BERT or the like, whole or with low-rank additions to its linear maps.

Source of the additions: E. J. Hu et al., "LoRA: low-rank adaptation of large language models", ICLR 2022, section 4.1.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from gistmill.rules.fusion.codec import CODES
from gistmill.training.errors import SettingsError

# The linear maps of a layer, by their names in a BERT checkpoint.
MAPS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


class LowRank(nn.Module):
    """A frozen linear map plus a fitted one of low rank; at first the addition is zero.

    Args:
        base: the map.
        rank: the rank of the addition.
        scale: a factor of the addition.
    """

    def __init__(self, base: nn.Linear, rank: int, scale: float) -> None:
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Applies both maps."""
        return self.base(x) + F.linear(F.linear(x, self.down), self.up) * self.scale


class Encoder(nn.Module):
    """A BERT that also reads a code of each word; the table of its word pieces stays as it is.

    Args:
        bert: a ``transformers.BertModel`` without pooling layer, or another model that takes embeddings.
        rank: the rank of the additions, with the rest of the BERT frozen; None fits all of it.
        scale: the factor of the additions.

    Raises:
        SettingsError: additions are asked for, and the model has not a module for each layer.
    """

    def __init__(self, bert: Any, *, rank: int | None = None, scale: float = 2.0) -> None:
        super().__init__()
        self.bert, self.rank = bert, rank
        table = bert.get_input_embeddings()
        self.codes = nn.Embedding(CODES, table.embedding_dim)
        nn.init.zeros_(self.codes.weight)
        table.weight.requires_grad_(False)
        self._reads_types = (getattr(bert.config, "type_vocab_size", None) or 0) > 1
        if rank is not None:
            bert.requires_grad_(False)
            for layer in _layers(bert):
                for name in [name for name, part in layer.named_modules() if isinstance(part, nn.Linear)]:
                    parent, _, leaf = name.rpartition(".")
                    owner = layer.get_submodule(parent)
                    setattr(owner, leaf, LowRank(getattr(owner, leaf), rank, scale))

    @property
    def width(self) -> int:
        """The width of the states."""
        return int(self.bert.config.hidden_size)

    @property
    def longest(self) -> int:
        """The most word pieces that it reads."""
        table = getattr(getattr(self.bert, "embeddings", None), "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)  # a RoBERTa counts from the number after it
        return int(self.bert.config.max_position_embeddings) - (0 if padding is None else padding + 1)

    def forward(
        self,
        ids: torch.Tensor,
        types: torch.Tensor,
        codes: torch.Tensor,
        mask: torch.Tensor,
        places: torch.Tensor,
    ) -> torch.Tensor:
        """Returns the last states at some places.

        Args:
            ids, types, codes: of each piece, int64, of shape (rows, pieces).
            mask: whether there is a piece, bool, of shape (rows, pieces).
            places: the pieces whose states are asked for, int64, of shape (rows, places).

        Returns:
            States of shape (rows, places, width).
        """
        embedded = self.bert.get_input_embeddings()(ids) + self.codes(codes)
        more = {"token_type_ids": types} if self._reads_types else {}
        states = self.bert(inputs_embeds=embedded, attention_mask=mask.long(), **more).last_hidden_state
        return torch.gather(states, 1, places.unsqueeze(-1).expand(-1, -1, states.shape[-1]))


def _layers(bert: Any) -> nn.ModuleList:
    count = getattr(bert.config, "num_hidden_layers", None)
    for part in bert.modules():
        if isinstance(part, nn.ModuleList) and len(part) == count:
            return part
    raise SettingsError(f"--rank: {bert.config.model_type} has no module for each layer, so fit the whole encoder")
