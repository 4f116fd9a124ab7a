r"""Fits the second tier of coreference and writes transforms/coreference/minilm/data/delta.npz.

    python -m research.fit_minilm --gap gap-development.tsv --validation gap-validation.tsv --gum GUM \
        --litbank LITBANK

It needs torch and scipy. GUM and LITBANK are checkouts, as for fit_coreference, and the sieve must be fitted before.
Unlabelled text are the other pronouns of GAP and the pages of the slice of enwiki that gensim ships (--pages takes
another export). Two networks are trained: the first on labels; the second, from new random numbers, also on what the
first and the sieve say together of every he and she without a label. The second goes on with what both and the sieve
say, with names that became pronouns, and with texts whose persons became of one gender; it is the one that is written.
Last comes the mix, see minilm_mix. On one core it takes 75 minutes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from benchmarks.coref_gap import Parsed, parse
from benchmarks.slice import read_pages, slice_path
from gistmill.rules.coreference.sieve import Sieve, ask
from gistmill.transforms import encoders
from gistmill.transforms.coreference.minilm.resolver import mixed
from gistmill.transforms.encoders import WordPieces
from gistmill.transforms.models import load_model
from research.fit_coreference import LITBANK_WEIGHT, Labelled, label_entities, label_gap, load
from research.minilm_data import Augmenter, Example, examples_of, replaced
from research.minilm_mix import PERSONS, TARGET, write_mix
from research.minilm_train import Network, Settings, Shape, predict, to_tensors, train

SOFT_WEIGHT, SILVER_WEIGHT = 0.5, 0.3
TEACHER = (0.5, 0.55)  # powers of the sieve and of the networks in soft labels: a little sharper than calibrated
OUTLIERS, CALIBRATION = 8, 60  # channels of each group; windows that tell which
# The inputs of linear maps whose outliers are multiplied apart, by a part of the map's name.
OUTLIER_GROUPS = ("attention.self", "intermediate.dense", "output.dense")


@dataclass(frozen=True, slots=True)
class Stage:
    """A training run: its settings, and how much of each corpus a pass takes."""

    settings: Settings
    gum: float
    litbank: float
    pages: float = 0.0
    silver: float = 0.0
    one_gender: float = 0.0


FIRST, SECOND = Shape(rank=8), Shape(rank=16)
STAGES = (
    Stage(Settings(seed=0), gum=0.6, litbank=0.25),
    Stage(Settings(seed=1, average=0.99), gum=0.5, litbank=0.2, pages=0.35),
    Stage(
        Settings(seed=2, epochs=3, rate=6e-4, head_rate=7e-4, average=0.99),
        gum=0.4,
        litbank=0.3,
        pages=0.5,
        silver=0.6,
        one_gender=0.4,
    ),
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents as windows, with what the sieve says of each question: (document, number) -> probabilities, kind."""

    examples: list[Example]
    sieve: dict[tuple[int, int], tuple[np.ndarray, int]]

    @property
    def labelled(self) -> list[Example]:
        """The windows that have a label."""
        return [e for e in self.examples if any(a.target for a in e.asked)]


def corpus(documents: Sequence[Parsed], label: Callable[[Parsed], Labelled] | None, pieces: WordPieces) -> Corpus:
    """Makes the windows of documents; without ``label`` there are no labels."""
    sieve = Sieve()
    examples: list[Example] = []
    given = {}
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


def with_soft_labels(found: Corpus, networks: Sequence[Network], pieces: WordPieces) -> list[Example]:
    """Gives every he and she without a label what the networks and the sieve say as a soft one; returns the windows
    that have any label.
    """
    said = [predict(network, found.examples, pieces) for network in networks]
    logs = {key: np.mean([one[key] for one in said], axis=0) for key in said[0]}
    changed = []
    for e in found.examples:
        asked = tuple(
            a
            if a.target or found.sieve[e.document, a.number][1] != PERSONS
            else replace(
                a,
                target=tuple(
                    map(float, mixed(found.sieve[e.document, a.number][0], logs[e.document, a.number], TEACHER))
                ),
                weight=SOFT_WEIGHT,
            )
            for a in e.asked
        )
        if any(a.target for a in asked):
            changed.append(replace(e, asked=asked))
    return changed


def silver(documents: Sequence[Parsed], pieces: WordPieces) -> list[Example]:
    """Returns the windows in which a repeated name became a pronoun; only those pronouns are asked."""
    draw = random.Random(5)
    found = []
    for number, document in enumerate(documents):
        changed, answers = replaced(document, draw)
        labels = {}
        for q in ask(changed.sentences, title=changed.source.title)[2]:
            right = answers.get(q.pronoun.place, frozenset())
            target = [any(m.place in right for m in x.cluster.mentions) for x in q.candidates]
            if any(target) and not all(target):
                labels[q.pronoun.order] = (0.0, *map(float, target)), SILVER_WEIGHT
        if labels:
            for e in examples_of(number, changed, labels, pieces):
                if asked := tuple(a for a in e.asked if a.target):
                    found.append(replace(e, asked=asked))
    return found


def outliers(network: Network, examples: Sequence[Example], pieces: WordPieces) -> dict[str, np.ndarray]:
    """Returns the channels with the largest values before the linear maps, as the graph wants them."""
    largest: dict[str, torch.Tensor] = {}
    hooks = []
    for n, maps in enumerate(network.encoder.adapted):
        for part, module in zip(encoders.ADAPTED, maps, strict=True):
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


def save(network: Network, shape: Shape, apart: Mapping[str, np.ndarray], path: Path = TARGET) -> None:
    """Writes what was fitted, at half precision, with the powers of soft labels for a mix."""
    arrays: dict[str, np.ndarray] = {encoders.OUTLIERS + name: channels for name, channels in apart.items()}
    for name, tensor in network.state_dict().items():
        if name in ("score.bias", "alone.bias"):  # the same for every row
            continue
        array = tensor.numpy()
        name = name.removeprefix("encoder.")
        if name.startswith("adapted."):
            _, layer, part, side = name.split(".")
            name, array = (
                f"{layer}.{encoders.ADAPTED[int(part)]}.{side}",
                array * (shape.scale if side == "up" else 1),
            )
        arrays[name] = array.astype(np.float16)
    np.savez_compressed(path, allow_pickle=False, mix=np.array([TEACHER] * 3, np.float32), **arrays)


def main(argv: list[str] | None = None) -> None:
    """Fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gap", "validation", "gum", "litbank"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--pages", help="an export of Wikipedia, bz2 (default: the slice that gensim ships)")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    encoder = encoders.model_folder("fit_minilm")
    pieces = WordPieces(encoder / encoders.TOKENIZER)
    model = load_model()
    gap, gum, litbank = load(options.gap, options.gum, options.litbank)

    def entities(parsed: Parsed) -> Labelled:
        return label_entities(parsed, complete=True, weight=1.0)

    labelled = corpus(gap, label_gap, pieces)
    entity = [
        corpus(gum, entities, pieces).labelled,
        corpus(litbank, lambda p: label_entities(p, complete=False, weight=LITBANK_WEIGHT), pieces).labelled,
    ]
    raw = list(parse(model, list(read_pages(options.pages or slice_path()))))
    pages = corpus(raw, None, pieces)
    repeated = silver([*gap, *raw, *gum, *litbank], pieces)

    tensors = {n: torch.tensor(a) for n, a in encoders.read_safetensors(encoder / encoders.WEIGHTS).items()}
    torch.manual_seed(STAGES[0].settings.seed)
    first = Network(tensors, FIRST)
    _run(STAGES[0], first, [labelled.labelled, *entity, [], []], pieces)
    torch.manual_seed(STAGES[1].settings.seed)
    second = Network(tensors, SECOND)
    for stage, teachers in zip(STAGES[1:], ([first], [first, second]), strict=True):
        soft = [with_soft_labels(c, teachers, pieces) for c in (labelled, pages)]
        _run(stage, second, [soft[0], *entity, soft[1], repeated], pieces)
    save(second, SECOND, outliers(second, labelled.examples[:CALIBRATION], pieces))
    write_mix(options.validation, options.gum)


def _run(stage: Stage, network: Network, corpora: Sequence[Sequence[Example]], pieces: WordPieces) -> None:
    """Trains on GAP, GUM, LitBank, pages and repeated names."""
    shares = (1.0, stage.gum, stage.litbank, stage.pages, stage.silver)
    change = Augmenter(lambda name: len(pieces.pieces(name)) == 1, stage.settings.seed, one_gender=stage.one_gender)
    train(network, list(zip(corpora, shares, strict=True)), pieces, change, stage.settings)


if __name__ == "__main__":
    main()
