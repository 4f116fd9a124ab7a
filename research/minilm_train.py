"""The second tier as a torch network, for its fit: all-MiniLM-L6-v2 with low-rank deltas, and a head for pairs; and its
training, by batches of windows by length, AdamW, a linear warm-up and decay."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from gistmill.transforms.coreference.minilm.windows import CODES, SIZE, SLOTS, TITLE
from gistmill.transforms.encoders import ADAPTED, EPSILON, HEADS, WordPieces
from research.minilm_data import Example

WIDTH, LAYERS = 384, 6
_SPANS = ("head_start", "head_end", "span_start", "span_end")


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


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a training run.

    Attributes:
        epochs: passes over the examples.
        rate, head_rate: highest learning rates of the encoder's deltas and of the head.
        pieces: word pieces in a batch.
        warm: share of the steps in which the rate rises.
        average: decay of the running average of the weights, which is what remains; 0 keeps the last ones.
        seed: of initialisation, order and augmentation.
    """

    epochs: int = 4
    rate: float = 8e-4
    head_rate: float = 1e-3
    pieces: int = 1800
    warm: float = 0.06
    average: float = 0.0
    seed: int = 0


def train(
    network: Network,
    corpora: Sequence[tuple[Sequence[Example], float]],
    pieces: WordPieces,
    change: Callable[[Example], Example],
    settings: Settings,
    log: Callable[[str], None] = print,
) -> None:
    """Trains a network in place.

    Args:
        corpora: examples, and the share of them that is drawn for each pass.
        change: augmentation of an example.
        log: takes a line at the end of each pass.
    """
    draw = random.Random(settings.seed)
    encoder, head = (
        list(network.encoder.parameters()),
        [p for n, p in network.named_parameters() if not n.startswith("encoder.")],
    )
    optimiser = torch.optim.AdamW(
        [{"params": encoder}, {"params": head}], lr=settings.rate, betas=(0.9, 0.98), weight_decay=0.01
    )
    passes = [_batches(_drawn(corpora, draw), pieces, draw, settings.pieces) for _ in range(settings.epochs)]
    total, step = sum(map(len, passes)), 0
    mean = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    network.train()
    for number, batches in enumerate(passes):
        losses = []
        for batch in batches:
            factor = min(1.0, (step + 1) / (settings.warm * total + 1)) * max(0.01, 1 - step / total)
            for group, rate in zip(optimiser.param_groups, (settings.rate, settings.head_rate), strict=True):
                group["lr"] = rate * factor
            tensors = to_tensors([change(e) for e in batch], pieces)
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(tensors)
            loss = loss_of(scores.float(), tensors)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.item())
            step += 1
            keep = min(settings.average, step / (step + 10))
            for name, tensor in network.state_dict().items():
                mean[name].mul_(keep).add_(tensor, alpha=1 - keep)
        log(f"pass {number + 1}: loss {np.mean(losses):.3f} in {len(losses)} steps")
    network.load_state_dict(mean)
    network.eval()


def predict(network: Network, examples: Sequence[Example], pieces: WordPieces) -> dict[tuple[int, int], np.ndarray]:
    """Returns the log probabilities of the rows of every question: (document, number) -> array."""
    network.eval()
    found: dict[tuple[int, int], np.ndarray] = {}
    order = sorted(examples, key=lambda e: len(e.words))
    with torch.no_grad():
        for start in range(0, len(order), 16):
            part = order[start : start + 16]
            tensors = to_tensors(part, pieces)
            logs = log_normalised(network(tensors), tensors["question"], len(tensors["weight"])).numpy()
            at = 0
            for example in part:
                for asked in example.asked:
                    found[example.document, asked.number] = logs[at : at + len(asked.rows)]
                    at += len(asked.rows)
    return found


def _drawn(corpora: Iterable[tuple[Sequence[Example], float]], draw: random.Random) -> list[Example]:
    found: list[Example] = []
    for examples, share in corpora:
        found.extend(examples if share >= 1 else draw.sample(list(examples), int(share * len(examples))))
    return found


def _batches(examples: Iterable[Example], pieces: WordPieces, draw: random.Random, most: int) -> list[list[Example]]:
    """Windows of about one length together, in random order."""
    lengths = [(sum(len(pieces.pieces(w)) for w in e.words), e) for e in examples]
    lengths.sort(key=lambda pair: pair[0] + draw.uniform(-10, 10))
    batches: list[list[Example]] = []
    current: list[Example] = []
    longest = 0
    for length, example in lengths:
        if current and (len(current) + 1) * max(length, longest) > most:
            batches.append(current)
            current, longest = [], 0
        current.append(example)
        longest = max(longest, length)
    batches.append(current)
    draw.shuffle(batches)
    return batches


def to_tensors(examples: Sequence[Example], pieces: WordPieces) -> dict[str, torch.Tensor]:
    """Returns a batch as the network reads it; positions of words are positions in the flattened states."""
    sequences = []
    for e in examples:
        title = [p for w in e.title for p in pieces.pieces(w)][:TITLE]
        sequences.append(pieces.sequence(title, [pieces.pieces(w) for w in e.words]))
    length = max(len(ids) for ids, _ in sequences)
    batch: dict[str, torch.Tensor] = {
        name: torch.zeros(len(examples), length, dtype=torch.long) for name in ("ids", "codes", "slots")
    }
    batch["mask"] = torch.zeros(len(examples), length, dtype=torch.bool)
    lists: dict[str, list] = {
        name: []
        for name in (*_SPANS, "nowhere", "question", "pronoun_start", "pronoun_end", "offsets", "target", "soft",
                     "weight", "features")
    }  # fmt: skip
    for k, (e, (ids, begins)) in enumerate(zip(examples, sequences, strict=True)):
        batch["ids"][k, : len(ids)] = torch.tensor(ids)
        batch["mask"][k, : len(ids)] = True
        counts = torch.tensor(begins).diff()
        for name in ("codes", "slots"):
            batch[name][k, begins[0] : begins[-1]] = torch.tensor(getattr(e, name)).repeat_interleave(counts)
        _add_questions(lists, e, begins, k * (length + 1))
    kinds: Mapping[str, torch.dtype] = {"target": torch.float, "weight": torch.float, "soft": torch.bool}
    batch.update({name: torch.tensor(values, dtype=kinds.get(name, torch.long)) for name, values in lists.items()})
    return batch


def _add_questions(lists: dict[str, list], e: Example, begins: Sequence[int], base: int) -> None:
    for asked in e.asked:
        lists["pronoun_start"].append(base + begins[asked.pronoun])
        lists["pronoun_end"].append(base + begins[asked.pronoun + 1])
        target = asked.target or (0.0,) * len(asked.rows)
        lists["target"].extend(target)
        for number, (row, span) in enumerate(zip(asked.rows, (None, *asked.spans), strict=True)):
            lists["offsets"].append(len(lists["features"]))
            lists["features"].extend(row)
            lists["question"].append(len(lists["weight"]))
            lists["nowhere"].append(0 if number == 0 else 1 if span is None else -1)  # see Network.nowhere
            head, start, end = span or (0, 0, 0)
            places = (begins[head], begins[head + 1], begins[start], begins[end]) if span else (0, 0, 0, 0)
            for name, place in zip(_SPANS, places, strict=True):
                lists[name].append(base + place)
        lists["weight"].append(asked.weight if asked.target else 0.0)
        lists["soft"].append(any(0 < t < 1 for t in target))
