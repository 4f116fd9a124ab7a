"""How many answers of the shipped tagger 8-bit linear maps change, and what they cost, beside the same in float.

    python -m benchmarks.fusion_integers --datasets out/leads#balanced out/demo#balanced [--rows 150]

Rows are of the split `validation`, each a pair of sentences. Every row goes through all forms of the encoder in turn,
so that what else runs on the machine slows all of them alike. Seconds are of the processor. An answer differs if its
tokens do. The margin of an answer is the least lead, in nats, of what the heads chose over the next best: a plan, an
operation or a phrase. The last columns say what would be gained if answers below a margin were asked again in float:
which share that is, how many per cent would still differ, and fusions a second with both. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import onnx

from benchmarks.measuring import machine, table
from gistmill.published.dataset import Dataset
from gistmill.rules.fusion.codec import Codec
from gistmill.rules.fusion.decode import Decoder, Fusion
from gistmill.rules.fusion.heads import FloatArray, Heads
from gistmill.rules.fusion.labels import NONE
from gistmill.training.exports.integers import quantise
from gistmill.transforms.encoders import minilm
from gistmill.transforms.encoders.checkpoint import layers_of, merged, read_safetensors
from gistmill.transforms.encoders.encoder import Encoder, Pieces, session
from gistmill.transforms.encoders.graph import build
from gistmill.transforms.encoders.wordpieces import WordPieces
from gistmill.transforms.fusion.folder import read_folder, shipped

FIRST, SECOND = "incoherent_first_sentence", "incoherent_second_sentence"
MARGINS = (0.1, 0.2, 0.4)
FLOAT, COLUMNS = "float", "7 bits, a scale for each column"
BLOCKS = (16, 32, 128)


class Answer(NamedTuple):
    """Tokens of a fusion, its margin, and the seconds from the states to it."""

    tokens: tuple[str, ...]
    margin: float
    seconds: float


def encoders() -> dict[str, Encoder]:
    """Returns the forms of the shipped tagger's encoder, by name."""
    folder = read_folder(shipped())
    weights = read_safetensors(minilm.model_folder("benchmarks") / minilm.WEIGHTS)
    graph = build(merged(weights, folder.arrays), heads=minilm.HEADS, layers=layers_of(weights), epsilon=minilm.EPSILON)
    found = {name: Encoder(weights, folder.arrays, quantised=name == COLUMNS) for name in (FLOAT, COLUMNS)}
    for block in BLOCKS:
        encoder = found[f"8 bits, a scale for each {block} inputs"] = Encoder(weights, folder.arrays, quantised=False)
        rounded = quantise(onnx.load_from_string(graph), block=block)
        encoder._session = session(rounded.SerializeToString())
    return found


def answer(decoder: Decoder, states: FloatArray, first: Sequence[str], second: Sequence[str]) -> Answer:
    """Decodes, and looks how sure the heads were."""
    start = time.process_time()
    (fusion,) = decoder.fuse(states, first, second)
    seconds = time.process_time() - start
    return Answer(tuple(fusion.tokens), _margin(decoder.heads, states, len(first), fusion), seconds)


def _margin(heads: Heads, states: FloatArray, n: int, fusion: Fusion) -> float:
    scores = [heads.plans(states, n)]
    if fusion.plan != NONE:
        scores += heads.tags(states, heads.labels.plans.index(fusion.plan), fusion.edits.move is not None)
    best = [np.partition(each, -2, axis=-1)[..., -2:] for each in scores]
    return min(float((pair[..., 1] - pair[..., 0]).min()) for pair in best)


def measure(pairs: Sequence[tuple[list[str], list[str]]]) -> dict[str, tuple[float, list[Answer]]]:
    """Returns the seconds of each form of the encoder, and its answers."""
    folder, forms = read_folder(shipped()), encoders()
    pieces = WordPieces(minilm.model_folder("benchmarks") / minilm.TOKENIZER)
    codec = Codec(pieces.pieces, opening=pieces.opening, separator=pieces.separator, longest=folder.longest)
    decoder, codes = Decoder(Heads(folder.labels, folder.arrays, folder.prior)), folder.arrays["codes"]
    seconds, answers = dict.fromkeys(forms, 0.0), {name: list[Answer]() for name in forms}
    for first, second in pairs:
        row = codec.encode(first, second)
        for name, encoder in forms.items():
            start = time.process_time()
            states = encoder.run(Pieces(row.ids, [(encoder.types, row.types), (codes, row.codes)], row.places))
            seconds[name] += time.process_time() - start
            answers[name].append(answer(decoder, states, first, second))
    return {name: (seconds[name], answers[name]) for name in forms}


def report(measured: dict[str, tuple[float, list[Answer]]]) -> list[list[str]]:
    """Returns the lines of the table."""
    slow, right = measured[FLOAT]
    lines = []
    for name, (fast, found) in measured.items():
        n, decoding = len(found), sum(a.seconds for a in found)
        differs = np.array([a.tokens != b.tokens for a, b in zip(found, right, strict=True)])
        margins = np.array([a.margin for a in found])
        line = [name, f"{1000 * fast / n:.1f}", f"{slow / fast:.2f}", f"{n / (fast + decoding):.0f}"]
        line.append(f"{100 * differs.mean():.1f}")
        for margin in MARGINS if name != FLOAT else ():
            again = (margins < margin).mean()
            rate = n / (fast + again * slow + (1 + again) * decoding)
            line.append(f"{100 * again:.0f}%: {100 * (differs & (margins >= margin)).mean():.1f}, {rate:.0f}")
        lines.append(line + [""] * (5 + len(MARGINS) - len(line)))
    return lines


def main(argv: list[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", nargs="+", required=True)
    parser.add_argument("--rows", type=int, default=150, help="of each dataset, evenly spread")
    options = parser.parse_args(argv)
    pairs = []
    for dataset in options.datasets:
        place, _, config = dataset.partition("#")
        rows = [(row[FIRST].split(), row[SECOND].split()) for row in Dataset(place).rows("validation", config)]
        pairs += rows[:: max(1, len(rows) // options.rows)][: options.rows]
    lines = report(measure(pairs))
    header = ["maps of the encoder", "ms", "of float", "fusions/s", "different, %"]
    header += [f"float below {margin}" for margin in MARGINS]
    print(f"{len(pairs)} rows; {machine(('onnxruntime',))}\n\n{table(header, lines)}\n")
    print(json.dumps({"rows": len(pairs), "header": header, "lines": lines}))


if __name__ == "__main__":
    main()
