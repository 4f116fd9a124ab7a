"""The pointer-generator network: an LSTM that generates words or copies them from the source.

Source: A. See, P. J. Liu and C. D. Manning, "Get to the point: summarization with pointer-generator networks", ACL
2017, sections 2.1 to 2.3. The vocabulary here consists of word pieces, so no word is unknown and the paper's extended
vocabulary is not needed. The encoder embeddings, decoder embeddings and output layer share one matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from gistmill.training.seq2seq.config import NEVER

_LEAST = 1e-12  # a probability of 0 would give an infinite loss


@dataclass(frozen=True, kw_only=True)
class PointerGeneratorConfig:
    """The sizes of the network.

    Attributes:
        vocabulary: number of word pieces.
        embedding: size of the embeddings.
        hidden: size of the decoder LSTM, and of each direction of the encoder LSTM.
        dropout: dropout rate for the embeddings.
        coverage: weight of the coverage loss (equation 12 of the paper); 0: no coverage.
    """

    vocabulary: int
    embedding: int = 128
    hidden: int = 256
    dropout: float = 0.0
    coverage: float = 0.0


class Read(NamedTuple):
    """The output of the encoder: states [rows, source, 2 * hidden], their keys, and the source's ids and mask."""

    states: Tensor
    keys: Tensor
    ids: Tensor
    mask: Tensor


class State(NamedTuple):
    """The decoder's state: LSTM hidden and cell states [rows, hidden], the last context and the summed attention."""

    hidden: Tensor
    cell: Tensor
    context: Tensor
    covered: Tensor


class PointerGenerator(nn.Module):
    """The pointer-generator network, as described in the module docstring."""

    def __init__(self, config: PointerGeneratorConfig) -> None:
        super().__init__()
        self.config = config
        size, hidden = config.embedding, config.hidden
        self.embedding = nn.Embedding(config.vocabulary, size)
        nn.init.normal_(self.embedding.weight, std=size**-0.5)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = nn.LSTM(size, hidden, bidirectional=True, batch_first=True)
        self.first_hidden = nn.Linear(2 * hidden, hidden)
        self.first_cell = nn.Linear(2 * hidden, hidden)
        self.joined = nn.Linear(size + 2 * hidden, size)
        self.decoder = nn.LSTMCell(size, hidden)
        self.key = nn.Linear(2 * hidden, hidden, bias=False)
        self.query = nn.Linear(2 * hidden, hidden)
        self.coverage = nn.Linear(1, hidden, bias=False) if config.coverage else None
        self.energy = nn.Linear(hidden, 1, bias=False)
        self.output = nn.Linear(3 * hidden, size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        self.copies = nn.Linear(4 * hidden + size, 1)

    def read(self, ids: Tensor, mask: Tensor) -> tuple[Read, State]:
        """Encodes sources [rows, length], padded on the right, where ``mask`` is 0."""
        lengths = mask.sum(1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.embedding(ids)), lengths, batch_first=True, enforce_sorted=False
        )
        # oneDNN supports bfloat16 LSTMs only on some CPUs, so use float32 on all CPUs.
        with torch.autocast("cpu", enabled=False):
            out, (hidden, cell) = self.encoder(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=ids.shape[1])
        first = State(
            torch.relu(self.first_hidden(torch.cat((hidden[0], hidden[1]), 1))),
            torch.relu(self.first_cell(torch.cat((cell[0], cell[1]), 1))),
            states.new_zeros(len(ids), states.shape[2]),
            states.new_zeros(ids.shape),
        )
        return Read(states, self.key(states), ids, mask), first

    def step(self, read: Read, state: State, token: Tensor) -> tuple[Tensor, State, Tensor]:
        """Returns the next token's log probabilities [rows, vocabulary], the new state and each row's coverage loss."""
        embedded = self.dropout(self.embedding(token))
        embedded = self.joined(torch.cat((embedded, state.context), 1))
        hidden, cell = self.decoder(embedded, (state.hidden, state.cell))
        both = torch.cat((hidden, cell), 1)
        energies = read.keys + self.query(both)[:, None]
        if self.coverage is not None:
            energies = energies + self.coverage(state.covered[..., None])
        scores = self.energy(torch.tanh(energies))[..., 0].float().masked_fill(read.mask == 0, float("-inf"))
        attention = scores.softmax(1)
        context = torch.bmm(attention[:, None].to(read.states.dtype), read.states)[:, 0]
        logits = functional.linear(self.output(torch.cat((hidden, context), 1)), self.embedding.weight, self.bias)
        generates = torch.sigmoid(self.copies(torch.cat((context, both, embedded), 1)).float())
        chances = generates * logits.float().softmax(1)
        chances = chances.scatter_add(1, read.ids, (1 - generates) * attention)
        repeated = torch.minimum(attention, state.covered).sum(1)
        return (chances + _LEAST).log(), State(hidden, cell, context, state.covered + attention), repeated

    def forward(self, ids: Tensor, mask: Tensor, written: Tensor) -> tuple[Tensor, Tensor]:
        """Returns next-token log probabilities [rows, length, vocabulary] and the coverage loss [rows, length]."""
        read, state = self.read(ids, mask)
        chances, repeated = [], []
        for token in written.unbind(1):
            found, state, lost = self.step(read, state, token)
            chances.append(found)
            repeated.append(lost)
        return torch.stack(chances, 1), torch.stack(repeated, 1)


@dataclass(frozen=True, kw_only=True)
class BeamSettings:
    """Settings for beam search; lengths are in tokens, including the end token. See DecodingConfig.

    Attributes:
        early_stopping: if True, stop when the number of complete outputs reaches the number of beams; if False, when
            no other output could be better at the current length; if NEVER, when none could be better at any length.
    """

    beams: int
    min_tokens: int
    max_tokens: int
    length_penalty: float
    no_repeat_ngram: int
    early_stopping: bool | str
    start: int
    end: int


@dataclass
class _Beam:
    """The growing and complete hypotheses of one row, with their scores."""

    growing: list[tuple[float, list[int]]]
    complete: list[tuple[float, list[int]]]

    def is_done(self, settings: BeamSettings, length: int) -> bool:
        """Returns whether no growing hypothesis can become better than the complete ones."""
        if not self.growing:
            return True
        if len(self.complete) < settings.beams:
            return False
        if settings.early_stopping is True:
            return True
        longest = settings.max_tokens if settings.early_stopping == NEVER else length
        worst = min(score for score, _ in sorted(self.complete, reverse=True)[: settings.beams])
        return worst >= self.growing[0][0] / float(longest**settings.length_penalty)


def search(network: PointerGenerator, ids: Tensor, mask: Tensor, settings: BeamSettings) -> list[list[int]]:
    """Returns the best output for each source, without the start and end tokens.

    Args:
        network: the network, in evaluation mode.
        ids: sources [rows, length], padded on the right.
        mask: 1 for a token, 0 for padding.
        settings: the search settings.
    """
    with torch.no_grad():
        read, state = network.read(ids, mask)
        beams = [_Beam([(0.0, [])], []) for _ in range(len(ids))]
        token = torch.full((len(ids),), settings.start, device=ids.device)
        for length in range(1, settings.max_tokens + 1):
            chances, state, _ = network.step(read, state, token)
            parents, tokens = [], []
            first = 0
            for beam in beams:
                if not beam.growing:
                    continue
                count = len(beam.growing)
                chosen = _grow(beam, chances[first : first + count], length, settings)
                parents += [first + parent for parent, _ in chosen]
                tokens += [found for _, found in chosen]
                first += count
            if not parents:
                break
            index = torch.tensor(parents, device=ids.device)
            read, state = Read(*(part[index] for part in read)), State(*(part[index] for part in state))
            token = torch.tensor(tokens, device=ids.device)
    return [max(beam.complete, key=lambda found: found[0])[1] if beam.complete else [] for beam in beams]


def _grow(beam: _Beam, chances: Tensor, length: int, settings: BeamSettings) -> list[tuple[int, int]]:
    """Extends a row's hypotheses by one token; returns the parent and the token of each that continues."""
    chances = chances.clone()
    if length < settings.min_tokens:
        chances[:, settings.end] = float("-inf")
    if settings.no_repeat_ngram:
        for place, (_, written) in enumerate(beam.growing):
            chances[place, _forbidden(written, settings.no_repeat_ngram)] = float("-inf")
    scores = chances + torch.tensor([score for score, _ in beam.growing], device=chances.device)[:, None]
    best, places = scores.flatten().topk(min(2 * settings.beams, scores.numel()))
    growing: list[tuple[float, list[int]]] = []
    chosen: list[tuple[int, int]] = []
    for score, place in zip(best.tolist(), places.tolist(), strict=True):
        parent, token = divmod(place, chances.shape[1])
        if score == float("-inf") or len(growing) == settings.beams:
            break
        written = [*beam.growing[parent][1], token]
        if token == settings.end:
            beam.complete.append((score / length**settings.length_penalty, written[:-1]))
        else:
            growing.append((score, written))
            chosen.append((parent, token))
    beam.growing = growing
    if beam.is_done(settings, length) or length == settings.max_tokens:
        # if too few hypotheses are complete, add unfinished ones
        beam.complete += [
            (score / length**settings.length_penalty, written)
            for score, written in (beam.growing if len(beam.complete) < settings.beams else [])
        ]
        beam.growing, chosen = [], []
    return chosen


def _forbidden(written: list[int], size: int) -> list[int]:
    """Returns the tokens that would repeat an n-gram of length ``size``."""
    if len(written) < size - 1:
        return []
    last = written[len(written) - size + 1 :]
    return [written[i + size - 1] for i in range(len(written) - size + 1) if written[i : i + size - 1] == last]
