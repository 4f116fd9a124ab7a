"""Beam search for the pointer-generator, with the settings that transformers has for its own models."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gistmill.training.seq2seq.config import NEVER
from gistmill.training.seq2seq.pointer_generator import PointerGenerator, Read, State


@dataclass(frozen=True, kw_only=True)
class BeamSettings:
    """How it searches; lengths are in tokens, the end token included. See DecodingConfig.

    Attributes:
        early_stopping: whether it ends when as many outputs are complete as there are beams. Else it ends when no other
            can become better at the present length, or with NEVER at any length.
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
    """The hypotheses of one row: those that grow, with their scores, and the complete ones."""

    growing: list[tuple[float, list[int]]]
    complete: list[tuple[float, list[int]]]

    def is_done(self, settings: BeamSettings, length: int) -> bool:
        """Whether no hypothesis that grows can become better than those that are complete."""
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
    """Returns the best output of each source, without the start and end tokens.

    Args:
        network: in evaluation mode.
        ids: sources [rows, length], padded on the right.
        mask: 1 for a token, 0 for padding.
        settings: how it searches.
    """
    with torch.no_grad():
        return _search(network, ids, mask, settings)


def _search(network: PointerGenerator, ids: Tensor, mask: Tensor, settings: BeamSettings) -> list[list[int]]:
    read, state = network.read(ids, mask)
    beams = [_Beam([(0.0, [])], []) for _ in range(len(ids))]
    rows = list(range(len(ids)))  # of each growing hypothesis, the row that it belongs to
    token = torch.full((len(rows),), settings.start, device=ids.device)
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
    return [_best(beam) for beam in beams]


def _grow(beam: _Beam, chances: Tensor, length: int, settings: BeamSettings) -> list[tuple[int, int]]:
    """Lets the hypotheses of a row grow by a token; returns of each that goes on its parent and its token."""
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
    for score, place in zip(best.tolist(), places.tolist()):
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
        beam.complete += [
            (score / length**settings.length_penalty, written) for score, written in _open(beam, settings)
        ]
        beam.growing, chosen = [], []
    return chosen


def _open(beam: _Beam, settings: BeamSettings) -> list[tuple[float, list[int]]]:
    """The hypotheses without an end that stand in where too few are complete."""
    return beam.growing if len(beam.complete) < settings.beams else []


def _forbidden(written: list[int], size: int) -> list[int]:
    """The tokens that would complete an n-gram of ``size`` that was written before."""
    if len(written) < size - 1:
        return []
    last = written[len(written) - size + 1 :]
    return [written[i + size - 1] for i in range(len(written) - size + 1) if written[i : i + size - 1] == last]


def _best(beam: _Beam) -> list[int]:
    return max(beam.complete, key=lambda found: found[0])[1] if beam.complete else []
