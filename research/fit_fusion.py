"""Trains the tagger of `gistmill fuse` on the demo's dataset, scores it on held-out articles, and writes it out.

    python -m research.fit_fusion --output out/tagger [--dataset out/demo] [--ship FOLDER]

It runs the commands of the product one after the other and prints them. It needs torch (`make setup-train`). The
settings are those of training/tagger/demo.yaml. The articles of the test split are read at the end only, for the scores
of the tagger, of one with more caution and of one that is told the type of each row, beside the baselines. --ship
writes the small form of the tagger, with its card, to a folder; the one that comes with the package is
transforms/fusion/data.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from research import uncap_threads

uncap_threads()

from gistmill.published.dataset import Dataset  # noqa: E402
from gistmill.rules.fusion.labels import ARRAYS, CARD, LABELS  # noqa: E402

SETTINGS = Path(__file__).resolve().parent.parent / "training" / "tagger" / "demo.yaml"
BASELINES = frozenset(("COPY", "always but", "repeated subject"))
KEPT = "exact/PAIR_NONE"
CAUTIOUS = "2"
_CARD = """# The tagger of `gistmill fuse`

`{labels}` has the labels and `{arrays}` the weights: additions of low rank to the linear maps of all-MiniLM-L6-v2
(Apache-2.0; the weights of the encoder itself are not here), a small embedding and the heads, at half precision.

- **Made by** `make demo`, then `python -m research.fit_fusion --output out/tagger --ship transforms/fusion/data`.
- **Trained on** a DiscoFuse corpus of {rows:,} rows, made by gistmill from the articles of the English Wikipedia in the
  slice that the gensim package ships. The text is licensed CC BY-SA, and so is what was fitted to it.
- **Limits**: it leaves out, keeps and moves words, and writes phrases and pronouns of a fixed list. It may join two
  sentences by a connective that states a relation which the text does not support, or write the wrong pronoun.

Scores in per cent on {n} rows of `balanced` of articles that it was not trained on. COPY leaves the sentences alone.
The tagger that is told the type knows which kind of fusion the text had. With more caution it leaves more pairs alone.

| | Exact | SARI (DiscoFuse) | unchanged pairs that stay so |
|---|---|---|---|
{table}
"""


def run(*arguments: str | Path) -> None:
    """Runs a command of gistmill-train; its failure ends this program."""
    line = ["gistmill-train", *map(str, arguments)]
    print("$", shlex.join(line), flush=True)
    if code := subprocess.run([sys.executable, "-m", "gistmill.training.cli", *line[1:]]).returncode:
        sys.exit(code)


def train(dataset: str, output: Path) -> Path:
    """Trains, or goes on where a run was stopped; returns the folder of the model."""
    data = ("--datasets", f"{dataset}#full", "--prior", f"{dataset}#balanced")
    run("fit", "--config", SETTINGS, *data, "--output", output / "run")
    return output / "run" / "model"


def score(model: Path, test: str, output: Path) -> dict[str, Any]:
    """Predicts the test rows in three ways, prints the tables, and returns the scores of all systems by name."""
    ways = {
        "tagger": (),
        "tagger, told the type": ("--told-type",),
        f"tagger, caution {CAUTIOUS}": ("--caution", CAUTIOUS),
    }
    systems: dict[str, Any] = {}
    for number, (name, flags) in enumerate(ways.items()):
        predictions, scores = output / f"test-{number}.jsonl", output / f"scores-{number}.json"
        run("predict", "--model", model, "--dataset", test, "--output", predictions, *flags)
        run("evaluate", "--dataset", test, "--predictions", predictions, "--output", scores)
        found = json.loads(scores.read_text(encoding="utf-8"))["systems"]
        (own,) = found.keys() - systems.keys() - BASELINES
        systems |= {name: found.pop(own)} | found
    return systems


def ship(model: Path, dataset: str, scores: dict[str, Any], folder: Path) -> None:
    """Writes the small form of a model, and its card."""
    run("export", "--model", model, "--output", folder, "--overwrite", "--no-with-encoder")
    data = Dataset(dataset)
    lines = [
        f"| {name} | {values['exact']:.1f} | {values['sari_discofuse']:.1f} | {values[KEPT]:.1f} |"
        for name, values in scores.items()
    ]
    card = _CARD.format(
        labels=LABELS,
        arrays=ARRAYS,
        rows=data.num_rows("train", "full"),
        n=data.num_rows("test", "balanced"),
        table="\n".join(lines),
    )
    (folder / CARD).write_text(card, encoding="utf-8")


def main(argv: list[str] | None = None) -> None:
    """Trains, scores, exports, and writes the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="out/demo")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--ship", type=Path)
    options = parser.parse_args(argv)
    test = f"{options.dataset}#balanced/test"
    model = train(options.dataset, options.output)
    scores = score(model, test, options.output)
    exported = options.output / "exported"
    run("export", "--model", model, "--output", exported, "--overwrite", "--dataset", test)
    if options.ship is not None:
        ship(model, options.dataset, scores, options.ship)


if __name__ == "__main__":
    main()
