"""Fits the second tier of coreference and writes transforms/coreference/minilm/data/delta.npz.

    python -m benchmarks.fit_minilm --gap gap-development.tsv --validation gap-validation.tsv --gum GUM --litbank LITBANK

It needs torch; everything else is in the development environment. GUM and LITBANK are checkouts, as for
fit_coreference, and the sieve must be fitted before. Unlabelled text are the other pronouns of GAP and the pages of
the slice of enwiki that gensim ships (--pages takes another export). Two networks are trained one after the other: the
first on labels; the second, from new random numbers, also on what the first and the sieve say together of he and she
without a label; its weights are a running average. The powers of the mix are fitted on GAP validation for he and she
and on GUM's dev and test part for it and they. On one core it takes an hour.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from scipy.optimize import minimize

from benchmarks.coref_data import Parsed, parse, read_gap, read_gum
from benchmarks.fit_coreference import LITBANK_WEIGHT, Labelled, label_entities, label_gap, load
from benchmarks.minilm_augment import Augmenter
from benchmarks.minilm_data import Example, examples_of
from benchmarks.minilm_net import Network, Shape
from benchmarks.minilm_train import Settings, predict, to_tensors, train
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from rules.coreference.sieve import Sieve, ask
from transforms.coreference.minilm import weights as files
from transforms.coreference.minilm.graph import OUTLIER_GROUPS
from transforms.coreference.minilm.wordpieces import WordPieces
from transforms.models import load_model

TARGET = Path(files.__file__).parent / "data" / files.DELTA
PERSONS, THINGS, PLURALS = 0, 1, 2  # Question.view.kind
FIRST = (Shape(rank=8), Settings(seed=0))
SECOND = (Shape(rank=16), Settings(seed=1, average=0.99))
# How much of each corpus a pass takes.
GUM_SHARE, LITBANK_SHARE, PAGES_SHARE = 0.5, 0.2, 0.35
SOFT_WEIGHT = 0.5
OUTLIERS, CALIBRATION = 8, 60  # channels of each group; windows that tell which


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents as windows, with what the sieve says of each question: (document, number) -> probabilities, kind."""

    examples: list[Example]
    sieve: dict[tuple[int, int], tuple[np.ndarray, int]]

    @property
    def labelled(self) -> list[Example]:
        """The windows that have a label."""
        return [e for e in self.examples if any(a.target for a in e.asked)]


def corpus(
    documents: Sequence[Parsed], label: Callable[[Parsed], Labelled] | None, pieces: WordPieces
) -> Corpus:
    """Makes the windows of documents; without ``label`` there are no labels."""
    sieve, examples, given = Sieve(), [], {}
    for number, parsed in enumerate(documents):
        labels = {}
        if label is not None:
            made = label(parsed)
            for q, right, weight in zip(made.questions, made.right, made.weights, strict=True):
                if right is not None:
                    labels[q.pronoun.order] = tuple(map(float, right)), weight
        examples.extend(examples_of(number, parsed, labels, pieces))
        asked = [q for q in ask(parsed.sentences, title=parsed.source.title)[2] if q.candidates]
        for k, (q, p) in enumerate(zip(asked, sieve.probabilities(asked), strict=True)):
            given[number, k] = p, q.view.kind
    return Corpus(examples, given)


def mixed(sieve: np.ndarray, logs: np.ndarray, powers: Sequence[float]) -> np.ndarray:
    """Returns the product of powers of two distributions over the same rows."""
    scores = powers[0] * np.log(np.maximum(sieve, 1e-9)) + powers[1] * logs
    found = np.exp(scores - scores.max())
    return found / found.sum()


def fit_powers(found: Corpus, logs: Mapping[tuple[int, int], np.ndarray], kind: int) -> np.ndarray:
    """Returns the powers that give the labels of one kind of pronoun the highest probability."""
    data = [
        (found.sieve[e.document, a.number][0], logs[e.document, a.number], np.array(a.target) > 0)
        for e in found.labelled
        for a in e.asked
        if a.target and found.sieve[e.document, a.number][1] == kind
    ]

    def cost(powers: np.ndarray) -> float:
        return -sum(math.log(max(1e-4, mixed(s, g, powers)[right].sum())) for s, g, right in data)

    return minimize(cost, (0.4, 0.7), method="Nelder-Mead").x


def with_soft_labels(
    found: Corpus, logs: Mapping[tuple[int, int], np.ndarray], powers: Sequence[float]
) -> list[Example]:
    """Gives every he and she without a label the mix as a soft one; returns the windows that have any label."""
    changed = []
    for e in found.examples:
        asked = tuple(
            a
            if a.target or found.sieve[e.document, a.number][1] != PERSONS
            else replace(
                a,
                target=tuple(
                    map(float, mixed(found.sieve[e.document, a.number][0], logs[e.document, a.number], powers))
                ),
                weight=SOFT_WEIGHT,
            )
            for a in e.asked
        )
        if any(a.target for a in asked):
            changed.append(replace(e, asked=asked))
    return changed


def outliers(network: Network, examples: Sequence[Example], pieces: WordPieces) -> dict[str, np.ndarray]:
    """Returns the channels with the largest values before the linear maps, as the graph wants them."""
    largest: dict[str, torch.Tensor] = {}
    hooks = []
    for n, maps in enumerate(network.encoder.adapted):
        for part, module in zip(files.ADAPTED, maps, strict=True):
            group = next((g for g in OUTLIER_GROUPS if part in (g, f"{g}.query")), None)
            if group is None:
                continue

            def look(_: object, inputs: tuple[torch.Tensor], __: object, name: str = f"{n}.{group}") -> None:
                top = inputs[0].abs().flatten(0, -2).amax(0)
                largest[name] = torch.maximum(largest[name], top) if name in largest else top

            hooks.append(module.register_forward_hook(look))
    network.eval()
    with torch.no_grad():
        for example in examples:
            network(to_tensors([example], pieces))
    for hook in hooks:
        hook.remove()
    return {name: np.sort(np.argsort(top.numpy())[-OUTLIERS:]).astype(np.int16) for name, top in largest.items()}


def save(
    network: Network, shape: Shape, powers: np.ndarray, apart: Mapping[str, np.ndarray], path: Path = TARGET
) -> None:
    """Writes what was fitted, at half precision."""
    arrays: dict[str, np.ndarray] = {files.OUTLIERS + name: channels for name, channels in apart.items()}
    for name, tensor in network.state_dict().items():
        if name in ("score.bias", "alone.bias"):  # the same for every row
            continue
        array = tensor.numpy()
        name = name.removeprefix("encoder.")
        if name.startswith("adapted."):
            _, layer, part, side = name.split(".")
            name, array = f"{layer}.{files.ADAPTED[int(part)]}.{side}", array * (shape.scale if side == "up" else 1)
        arrays[name] = array.astype(np.float16)
    np.savez_compressed(path, **arrays, mix=powers.astype(np.float32))


def main(argv: list[str] | None = None) -> None:
    """Fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gap", "validation", "gum", "litbank"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--pages", help="an export of Wikipedia, bz2 (default: the slice that gensim ships)")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    pieces = WordPieces(files.model_folder() / files.TOKENIZER)
    model = load_model()
    gap, gum, litbank = load(options.gap, options.gum, options.litbank)
    held = list(parse(model, [text for text, is_held in read_gum(options.gum) if is_held]))

    def entities(parsed: Parsed) -> Labelled:
        return label_entities(parsed, complete=True, weight=1.0)

    labelled = corpus(gap, label_gap, pieces)
    others = [
        (corpus(gum, entities, pieces).labelled, GUM_SHARE),
        (
            corpus(litbank, lambda p: label_entities(p, complete=False, weight=LITBANK_WEIGHT), pieces).labelled,
            LITBANK_SHARE,
        ),
    ]
    pages = corpus(list(parse(model, list(read_pages(options.pages or slice_path())))), None, pieces)
    validation = corpus(list(parse(model, read_gap(options.validation))), label_gap, pieces)
    development = corpus(held, entities, pieces)

    tensors = {n: torch.tensor(a) for n, a in files.read_safetensors(files.model_folder() / files.WEIGHTS).items()}
    first = _trained(tensors, FIRST, [(labelled.labelled, 1.0), *others], pieces)
    powers = fit_powers(validation, predict(first, validation.examples, pieces), PERSONS)
    soft = [with_soft_labels(c, predict(first, c.examples, pieces), powers) for c in (labelled, pages)]
    second = _trained(tensors, SECOND, [(soft[0], 1.0), (soft[1], PAGES_SHARE), *others], pieces)
    logs = [predict(second, c.examples, pieces) for c in (validation, development)]
    powers = np.array(
        [
            fit_powers(validation, logs[0], PERSONS),
            fit_powers(development, logs[1], THINGS),
            fit_powers(development, logs[1], PLURALS),
        ]
    )
    print(f"powers of the sieve and of the encoder, for he and she, it, they: {powers.round(3).tolist()}")
    save(second, SECOND[0], powers, outliers(second, labelled.examples[:CALIBRATION], pieces))


def _trained(
    tensors: Mapping[str, torch.Tensor],
    plan: tuple[Shape, Settings],
    corpora: Sequence[tuple[Sequence[Example], float]],
    pieces: WordPieces,
) -> Network:
    shape, settings = plan
    torch.manual_seed(settings.seed)
    network = Network(tensors, shape)
    change = Augmenter(lambda name: len(pieces.pieces(name)) == 1, settings.seed)
    train(network, corpora, pieces, change, settings)
    return network


if __name__ == "__main__":
    main()
