"""Beam search: with enough beams it finds the best of all outputs, with one it is greedy; rows do not meddle."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import T5Config, T5ForConditionalGeneration

from gistmill.training.seq2seq.config import NEVER, DecodingConfig, GnmtPenalty
from gistmill.training.seq2seq.networks import Transformer
from gistmill.training.seq2seq.pointer_generator import BeamSettings, PointerGenerator, PointerGeneratorConfig, search

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


def best_of_all(longest, score):
    """The best output, by trying all: those that end, and those that are cut off at the greatest length."""
    others = [token for token in range(SIZE) if token != END]
    outputs = [[*o, END] for n in range(longest) for o in itertools.product(others, repeat=n)]
    outputs += [list(o) for o in itertools.product(others, repeat=longest)]
    return [token for token in max(outputs, key=score) if token != END]


def by_power(chance, power):
    return lambda output: chance(output) / len(output) ** power


def by_gnmt(chance, power):
    """The score of tensor2tensor's beam_search.py."""
    return lambda output: chance(output) / ((5.0 + len(output)) / 6.0) ** power


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.6, 1.0, 2.0]))
def test_enough_beams_find_the_best_of_all_outputs(seed, penalty):
    model, ids = network(seed), torch.tensor([[2, 3, 4, 1]])
    (found,) = search(model, ids, torch.ones_like(ids), given_settings(length_penalty=penalty))
    assert found == best_of_all(3, by_power(lambda output: log_chance(model, ids, output), penalty))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.6, 1.0, 3.0]))
def test_so_it_is_with_the_length_penalty_of_gnmt(seed, penalty):
    model, ids = network(seed), torch.tensor([[2, 3, 4, 1]])
    chosen = given_settings(length_penalty=GnmtPenalty(penalty), early_stopping=NEVER)
    (found,) = search(model, ids, torch.ones_like(ids), chosen)
    assert found == best_of_all(3, by_gnmt(lambda output: log_chance(model, ids, output), penalty))


def transformer(seed):
    torch.manual_seed(seed)
    sizes = {"d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}
    tokens = {"pad_token_id": START, "eos_token_id": END, "decoder_start_token_id": START}
    model = T5ForConditionalGeneration(T5Config(vocab_size=SIZE, **sizes, **tokens)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.2)  # so that short and long outputs are about as likely for each token
    return Transformer(model)


def transformers_log_chance(model, ids, output):
    with torch.no_grad():
        logits, _ = model.logits(ids, torch.ones_like(ids), torch.tensor([[START, *output[:-1]]]))
    return float(logits[0].log_softmax(-1).gather(1, torch.tensor(output)[:, None]).sum())


def test_models_of_transformers_take_the_length_penalty_of_gnmt():
    ids, differ = torch.tensor([[2, 3, 4, 1]]), 0
    for seed in range(6):
        model = transformer(seed)

        def chance(output, model=model):
            return transformers_log_chance(model, ids, output)

        best = {kind: best_of_all(3, score(chance, 1.0)) for kind, score in (("gnmt", by_gnmt), ("power", by_power))}
        decoding = DecodingConfig(beams=64, length_penalty=1.0, length_penalty_kind="gnmt")
        (found,) = model.generate(ids, torch.ones_like(ids), decoding, 3)
        found = found[: found.index(END)] if END in found else found
        assert found == best["gnmt"], seed
        differ += best["gnmt"] != best["power"]
    assert differ >= 3  # else the test would not see which of the two it is


def test_the_penalty_of_gnmt_is_that_of_the_paper():
    assert 1 ** GnmtPenalty(0.6) == 1.0 and 25 ** GnmtPenalty(1.0) == 5.0
    assert 7 ** GnmtPenalty(0.6) == pytest.approx(2**0.6) and GnmtPenalty(0.6) == 0.6
    decoding = DecodingConfig(length_penalty=0.6, length_penalty_kind="gnmt")
    assert DecodingConfig.from_values(decoding.to_values()) == decoding and isinstance(decoding.penalty, GnmtPenalty)
    assert type(DecodingConfig(length_penalty=0.6).penalty) is float and DecodingConfig().penalty is None
    with pytest.raises(ValueError, match="gnmt requires length_penalty, such as 0.6"):
        DecodingConfig(length_penalty_kind="gnmt")


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
