"""Fits how the second tier mixes with the sieve, and writes it into transforms/coreference/minilm/data/delta.npz.

    python -m research.minilm_mix --validation gap-validation.tsv --gum GUM

To be run after every fit of the sieve; it needs no torch, and takes two minutes. The probabilities of the mix are a
product of powers of the sieve's and of the encoder's. The powers that give the labels the highest probability are
fitted for he and she on GAP validation (the share of the two is set), for it and they on GUM's dev and test part; then
they are raised by SHARPER.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from benchmarks.coref_gap import Parsed, parse, read_gap
from gistmill.rules.coreference.sieve import Sieve, ask
from gistmill.transforms.coreference.minilm import encoder as files
from gistmill.transforms.coreference.minilm.resolver import MiniLM, load_minilm, mixed
from gistmill.transforms.models import load_model
from research.corpora import read_gum
from research.fit_coreference import Labelled, label_entities, label_gap

TARGET = Path(files.__file__).parent / "data" / files.DELTA
PERSONS, THINGS, PLURALS = 0, 1, 2  # AntecedentQuestion.view.kind
# Fitted powers answer little: of their links at the cut, 90 in 100 are right. Chosen on GAP validation and the dev part
# of benchmarks/data/coref_wiki.jsonl, so that at the sieve's cut 85 in 100 or more are.
SHARPER = np.array([[1.3], [1.0], [1.4]])

# The sieve's power for he and she, as a share of the encoder's: F1 on GAP validation is best there, below what the
# fit finds. The sieve has learned from labels of this tier, so what it says is not a second witness.
SIEVE_SHARE = 0.2

Answer = tuple[np.ndarray, np.ndarray, np.ndarray]


def fit_powers(answers: Sequence[Answer], *, share: float | None = None) -> np.ndarray:
    """Returns the powers of the sieve and of the encoder.

    Args:
        answers: the sieve's probabilities, the encoder's log probabilities and which rows are right.
        share: the sieve's power as a share of the encoder's; None fits both.
    """

    def cost(powers: np.ndarray) -> float:
        return -sum(math.log(max(1e-4, mixed(s, logs, tuple(powers))[right].sum())) for s, logs, right in answers)

    if share is not None:
        power = minimize(lambda x: cost(np.array([share * x[0], x[0]])), (0.7,), method="Nelder-Mead").x[0]
        return np.array([share * power, power])
    return minimize(cost, (0.4, 0.7), method="Nelder-Mead").x


def answers_of(
    documents: Sequence[Parsed], label: Callable[[Parsed], Labelled], kinds: Sequence[int]
) -> Iterator[tuple[int, Answer]]:
    """Yields the kind and the answers of every labelled question of some kinds."""
    sieve, second = Sieve(), load_minilm().second
    assert isinstance(second, MiniLM)
    for parsed in documents:
        title = parsed.source.title
        mentions, _, questions = ask(parsed.sentences, title=title)
        asked = [q for q in questions if q.candidates]
        labelled = label(parsed)
        wanted = [k for k, q in enumerate(asked) if labelled.right[k] is not None and q.view.kind in kinds]
        logs = second.read(parsed.sentences, mentions, asked, wanted, title=title)
        probabilities = sieve.probabilities(asked) if wanted else []
        for k in wanted:
            yield asked[k].view.kind, (probabilities[k], logs[k], np.array(labelled.right[k]))


def fit_mix(validation: Sequence[Parsed], gum: Sequence[Parsed]) -> np.ndarray:
    """Returns the powers of the delta that is there: a row each for he and she, it, they."""
    found: dict[int, list[Answer]] = {PERSONS: [], THINGS: [], PLURALS: []}
    for kind, answer in answers_of(validation, label_gap, (PERSONS,)):
        found[kind].append(answer)
    for kind, answer in answers_of(gum, lambda p: label_entities(p, complete=True, weight=1.0), (THINGS, PLURALS)):
        found[kind].append(answer)
    powers = [fit_powers(found[PERSONS], share=SIEVE_SHARE), fit_powers(found[THINGS]), fit_powers(found[PLURALS])]
    return np.array(powers) * SHARPER


def write_mix(validation: str, gum: str, path: Path = TARGET) -> None:
    """Parses the corpora, fits and writes."""
    model = load_model()
    held = [text for text, is_held in read_gum(gum) if is_held]
    powers = fit_mix(list(parse(model, read_gap(validation))), list(parse(model, held)))
    print(f"powers of the sieve and of the encoder, for he and she, it, they: {powers.round(3).tolist()}")
    with np.load(path) as stream:
        arrays = dict(stream)
    np.savez_compressed(path, **{**arrays, "mix": powers.astype(np.float32)})


def main(argv: list[str] | None = None) -> None:
    """Fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("validation", "gum"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(argv)
    write_mix(options.validation, options.gum)


if __name__ == "__main__":
    main()
