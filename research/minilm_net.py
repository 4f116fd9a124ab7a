"""The second tier as a torch network, for its fit: all-MiniLM-L6-v2 with low-rank deltas, and a head for pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from gistmill.transforms.coreference.minilm.pairs import CODES, SIZE
from gistmill.transforms.coreference.minilm.windows import SLOTS
from gistmill.transforms.encoders.checkpoint import ADAPTED
from gistmill.transforms.encoders.minilm import EPSILON, HEADS

WIDTH, LAYERS = 384, 6


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of what is fitted."""

    rank: int = 8
    scale: float = 2.0
    hidden: int = 256
    features: int = 64
    dropout: float = 0.1


class Adapted(nn.Module):
    """A frozen linear map plus a fitted one of low rank."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor, shape: Shape) -> None:
        super().__init__()
        self.register_buffer("weight", weight, persistent=False)
        self.register_buffer("bias", bias, persistent=False)
        self.down = nn.Parameter(torch.randn(shape.rank, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.up = nn.Parameter(torch.zeros(weight.shape[0], shape.rank))
        self.scale = shape.scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Applies both maps."""
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.down), self.up) * self.scale


class Encoder(nn.Module):
    """BERT with adapted linear maps; ``codes`` and ``slots`` are added to the embedded pieces."""

    def __init__(self, weights: Mapping[str, torch.Tensor], shape: Shape) -> None:
        super().__init__()
        for name, tensor in weights.items():
            if tensor.is_floating_point():
                self.register_buffer("base_" + name.replace(".", "_"), tensor.float(), persistent=False)
        self.codes = nn.Parameter(torch.zeros(CODES, WIDTH))
        self.slots = nn.Parameter(torch.zeros(SLOTS + 1, WIDTH))
        self.adapted = nn.ModuleList(
            nn.ModuleList(
                Adapted(
                    weights[f"encoder.layer.{n}.{m}.weight"].float(),
                    weights[f"encoder.layer.{n}.{m}.bias"].float(),
                    shape,
                )
                for m in ADAPTED
            )
            for n in range(LAYERS)
        )
        self.dropout = nn.Dropout(shape.dropout)

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        name = "base_" + name.replace(".", "_")
        return F.layer_norm(x, (WIDTH,), getattr(self, name + "_weight"), getattr(self, name + "_bias"), EPSILON)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, codes: torch.Tensor, slots: torch.Tensor) -> torch.Tensor:
        """Returns the last hidden states."""
        batch, length = ids.shape
        x = self.base_embeddings_word_embeddings_weight[ids]
        x = x + self.base_embeddings_position_embeddings_weight[:length]
        x = x + self.base_embeddings_token_type_embeddings_weight[0]
        x = x + F.embedding(codes, self.codes) + F.embedding(slots, self.slots)
        x = self.dropout(self._norm(x, "embeddings.LayerNorm"))
        allowed = mask[:, None, None, :]
        for n, (query, key, value, out, inner, outer) in enumerate(self.adapted):
            q, k, v = (m(x).view(batch, length, HEADS, -1).transpose(1, 2) for m in (query, key, value))
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
            mixed = out(mixed.transpose(1, 2).reshape(batch, length, WIDTH))
            x = self._norm(x + self.dropout(mixed), f"encoder.layer.{n}.attention.output.LayerNorm")
            x = self._norm(x + self.dropout(outer(F.gelu(inner(x)))), f"encoder.layer.{n}.output.LayerNorm")
        return x


class Network(nn.Module):
    """Scores of the rows of every question in a batch of windows."""

    def __init__(self, weights: Mapping[str, torch.Tensor], shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(weights, shape)
        hidden, size = shape.hidden, shape.features
        self.pronoun = nn.Linear(WIDTH, hidden)
        self.candidate = nn.Linear(2 * WIDTH, hidden)
        self.nowhere = nn.Parameter(torch.zeros(2, 2 * WIDTH))  # "none", and a candidate outside the window
        self.features = nn.Parameter(torch.randn(SIZE, size) * 0.1)
        self.pair = nn.Linear(3 * hidden + size, hidden)
        self.score = nn.Linear(hidden, 1)
        self.alone = nn.Linear(size, 1)
        self.dropout = nn.Dropout(shape.dropout)
        with torch.no_grad():
            self.score.weight.mul_(0.1)

    def forward(self, batch: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Returns a score for every row of the batch."""
        states = self.encoder(batch["ids"], batch["mask"], batch["codes"], batch["slots"]).float()
        count, length, _ = states.shape
        sums = F.pad(states.cumsum(1), (0, 0, 1, 0)).reshape(count * (length + 1), WIDTH)

        def mean(start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
            return (sums[end] - sums[start]) / (end - start).clamp(min=1).unsqueeze(-1)

        spans = torch.cat(
            [mean(batch["head_start"], batch["head_end"]), mean(batch["span_start"], batch["span_end"])], -1
        )
        nowhere = self.nowhere[batch["nowhere"].clamp(min=0)]
        spans = self.dropout(torch.where((batch["nowhere"] >= 0).unsqueeze(-1), nowhere, spans))
        p = self.pronoun(self.dropout(mean(batch["pronoun_start"], batch["pronoun_end"])))[batch["question"]]
        c = self.candidate(spans)
        f = F.embedding_bag(batch["features"], self.features, batch["offsets"], mode="sum")
        hidden = self.pair(torch.cat([p, c, p * c, F.gelu(f, approximate="tanh")], -1))
        hidden = self.dropout(F.gelu(hidden, approximate="tanh"))
        return (self.score(hidden) + self.alone(f)).squeeze(-1)


def log_normalised(scores: torch.Tensor, question: torch.Tensor, count: int) -> torch.Tensor:
    """Returns log probabilities, normalised over the rows of each question."""
    top = torch.full((count,), -1e9).scatter_reduce(0, question, scores.detach(), "amax")
    total = torch.zeros(count).index_add(0, question, torch.exp(scores - top[question]))
    return scores - (top + total.log())[question]


def loss_of(scores: torch.Tensor, batch: Mapping[str, torch.Tensor]) -> torch.Tensor:
    """Returns the weighted loss: of a hard label, the log of the probability of all right rows; of a soft one, the
    cross-entropy over rows.
    """
    question, count = batch["question"], len(batch["weight"])
    logs = log_normalised(scores, question, count)
    target = batch["target"]
    hard = logs.masked_fill(target <= 0, -1e9)
    top = torch.full((count,), -1e9).scatter_reduce(0, question, hard.detach(), "amax")
    mass = top + torch.zeros(count).index_add(0, question, torch.exp(hard - top[question])).clamp(min=1e-30).log()
    cross = torch.zeros(count).index_add(0, question, target * logs)
    known = torch.zeros(count).index_add(0, question, target) > 0
    each = torch.where(batch["soft"], -cross, -mass).clamp(max=8.0)
    weight = batch["weight"] * known
    return (weight * each).sum() / weight.sum().clamp(min=1e-6)
