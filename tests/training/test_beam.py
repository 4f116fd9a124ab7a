"""Beam search: with enough beams it finds the best of all outputs, with one it is greedy; rows do not meddle."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.training.seq2seq.beam import BeamSettings, search
from gistmill.training.seq2seq.pointer_generator import PointerGenerator, PointerGeneratorConfig

START, END, SIZE = 0, 1, 5


def network(seed, coverage=0.0):
    torch.manual_seed(seed)
    found = PointerGenerator(PointerGeneratorConfig(vocabulary=SIZE, embedding=6, hidden=7, coverage=coverage)).eval()
    with torch.no_grad():
        for parameter in found.parameters():
            parameter.mul_(3)  # so that some outputs are much likelier than others
    return found


def given_settings(**changes):
    values = {"beams": 200, "min_tokens": 0, "max_tokens": 3, "length_penalty": 1.0, "no_repeat_ngram": 0}
    return BeamSettings(**{**values, "early_stopping": False, "start": START, "end": END, **changes})


def log_chance(model, ids, output):
    """The log probability of an output, by the network's forward pass."""
    with torch.no_grad():
        chances, _ = model(ids, torch.ones_like(ids), torch.tensor([[START, *output[:-1]]]))
    return float(sum(chances[0, place, token] for place, token in enumerate(output)))


def best_of_all(model, ids, longest, penalty):
    """The best output, by trying all: those that end, and those that are cut off at the greatest length."""
    others = [token for token in range(SIZE) if token != END]
    outputs = [[*o, END] for n in range(longest) for o in itertools.product(others, repeat=n)]
    outputs += [list(o) for o in itertools.product(others, repeat=longest)]
    best = max(outputs, key=lambda output: log_chance(model, ids, output) / len(output) ** penalty)
    return [token for token in best if token != END]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.6, 1.0, 2.0]))
def test_enough_beams_find_the_best_of_all_outputs(seed, penalty):
    model, ids = network(seed), torch.tensor([[2, 3, 4, 1]])
    (found,) = search(model, ids, torch.ones_like(ids), given_settings(length_penalty=penalty))
    assert found == best_of_all(model, ids, 3, penalty)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_one_beam_is_greedy(seed):
    model, ids = network(seed, coverage=1.0), torch.tensor([[2, 3, 4, 1]])
    (found,) = search(model, ids, torch.ones_like(ids), given_settings(beams=1, max_tokens=6))
    output = [START]
    while len(output) <= 6 and output[-1] != END:
        with torch.no_grad():
            chances, _ = model(ids, torch.ones_like(ids), torch.tensor([output]))
        output.append(int(chances[0, -1].argmax()))
    assert found == [token for token in output[1:] if token != END]


@pytest.mark.parametrize("beams", [1, 3])
def test_rows_of_a_batch_do_not_meddle(beams):
    model = network(5)
    rows = [[2, 3, 4, 1], [4, 1], [3, 3, 3, 2, 2, 1]]
    ids = torch.tensor([row + [0] * (6 - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (6 - len(row)) for row in rows])
    options = given_settings(beams=beams, max_tokens=7, no_repeat_ngram=2)
    alone = [search(model, torch.tensor([row]), torch.ones(1, len(row), dtype=int), options)[0] for row in rows]
    assert search(model, ids, mask, options) == alone


def test_copies_are_as_likely_as_what_is_read():
    """Words that are read gain from the attention, others do not."""
    model = network(1)
    with torch.no_grad():
        model.copies.weight.zero_()
        model.copies.bias.fill_(-30.0)  # it copies always
        ids = torch.tensor([[2, 3, 2, 1]])
        chances, _ = model(ids, torch.ones_like(ids), torch.tensor([[START]]))
    shares = chances[0, 0].exp()
    assert shares.sum() == pytest.approx(1.0, abs=1e-5) and shares[4] < 1e-6 and shares[2] > 0


def test_coverage_is_what_the_paper_says():
    """Equation 12: the sum over the source of the smaller of attention and attention so far, nothing at first."""
    model, ids = network(2, coverage=1.0), torch.tensor([[2, 3, 4, 1]])
    with torch.no_grad():
        _, lost = model(ids, torch.ones_like(ids), torch.tensor([[START, 2, 3]]))
    assert lost[0, 0] == 0 and (lost[0, 1:] > 0).all() and (lost < 1 + 1e-5).all()
