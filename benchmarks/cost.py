"""Prints docs/cost.md: the cost of the whole English Wikipedia by recipe, derived from stored benchmark figures.

    python -m benchmarks.cost > docs/cost.md                          # from benchmarks/data/cost.json
    python -m benchmarks.cost --measure [--rounds 3] > docs/cost.md   # from new runs, which are stored there
    python -m benchmarks.cost --price 0.03 --cores 128                # with prices of your own

--measure runs benchmarks.commands and benchmarks.pipeline. All output is computed from their last lines and the
options.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).parent / "data" / "cost.json"
PAGE = FIGURES.with_name("cost-page.txt")
_SOURCES = {"commands": (), "pipeline": ("--documents", "30")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Assumptions about an encyclopedia and a price. The defaults describe the English Wikipedia in April 2024,
    according to its page "Size of Wikipedia" at that time.

    Attributes:
        words: words of prose in all articles.
        articles: number of articles, without redirects.
        dump: bytes of the compressed dump.
        price: price of a core-hour, in any currency.
        cores: total number of cores.
    """

    words: float = 4.5e9
    articles: int = 6_816_939
    dump: float = 22.14e9
    price: float = 0.05
    cores: int = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a recipe.

    Attributes:
        job: the recipe.
        hours: core-hours.
        memory: bytes per worker.
        disk: bytes of the dump and of the workspace at its peak, including the dataset.
        dataset: bytes of the published dataset.
    """

    job: str
    hours: float
    memory: float
    disk: float
    dataset: float


class Figures:
    """The stored figures, scaled to an input of another size."""

    def __init__(self, stored: Mapping[str, Any], asked: Assumptions) -> None:
        """``stored`` contains the last lines of benchmarks.commands and benchmarks.pipeline, by name."""
        self.commands, self.stages = stored["commands"], stored["pipeline"]
        self.asked = asked
        self._amounts = self.commands["amounts"]

    @property
    def times(self) -> float:
        """The requested number of words, as a multiple of the measured input's."""
        return self.asked.words / float(self._amounts["words"])

    @property
    def xml(self) -> float:
        """Bytes of the uncompressed dump, assuming the measured input's compression ratio."""
        return self.asked.dump * float(self._amounts["xml_bytes"] / self._amounts["bz2_bytes"])

    @property
    def other_hours(self) -> float:
        """Core-hours for reading the XML of other kinds of pages, beyond the proportion in the measured input."""
        rate = float(next(r["rate"] for r in self.stages if r["stage"] == "read"))  # MB/s
        return max(self.xml - float(self._amounts["xml_bytes"]) * self.times, 0.0) / 1e6 / rate / 3600

    def article_seconds(self, row: Mapping[str, Any]) -> float:
        """The fixed cost per article, in seconds."""
        words = row["dump_seconds"] / self._amounts["words"] * self.commands["stub_words"]
        return float(max(row["stub_seconds"] - words, 0.0) / self.commands["stubs"])

    def costs(self) -> list[Cost]:
        """Returns the cost of every measured recipe."""
        return [self._cost(row) for row in self.commands["rows"]]

    def _cost(self, row: Mapping[str, Any]) -> Cost:
        articles = self.article_seconds(row) * self.asked.articles
        hours = (row["dump_seconds"] * self.times + articles) / 3600 + self.other_hours
        return Cost(
            job=row["job"],
            hours=hours,
            memory=row["peak_bytes"],
            disk=self.asked.dump + row["disk_bytes"] * self.times,
            dataset=row["dataset_bytes"] * self.times,
        )


def page(stored: Mapping[str, Any], asked: Assumptions) -> str:
    """Returns docs/cost.md."""
    return PAGE.read_text("utf-8").format(
        articles=f"{asked.articles:,}",
        words=f"{asked.words / 1e9:g}",
        dump=f"{asked.dump / 1e9:g}",
        price=f"{asked.price:g}",
        cores=asked.cores,
        rows="\n".join(_row(cost, asked) for cost in Figures(stored, asked).costs()),
    )


def _row(cost: Cost, asked: Assumptions) -> str:
    time = f"{cost.hours:,.1f} | {cost.hours * asked.price:,.2f} | {cost.hours / asked.cores:,.1f}"
    sizes = f"{cost.memory / 1e6:,.0f} MB | {cost.disk / 1e9:,.0f} GB | {cost.dataset / 1e9:,.1f} GB"
    return f"| `{cost.job}` | {time} | {sizes} |"


def measure(rounds: int) -> dict[str, Any]:
    """Runs the benchmarks that produce the figures; returns their last lines by name."""
    stored = {}
    for name, options in _SOURCES.items():
        print(f"python -m benchmarks.{name} ...", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", f"benchmarks.{name}", "--rounds", str(rounds), *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        stored[name] = json.loads(done.stdout.strip().splitlines()[-1])
    return stored


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in Assumptions.__dataclass_fields__:
        default = getattr(Assumptions(), name)
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"(default: {default:g})")
    parser.add_argument(
        "--measure", action="store_true", help=f"first run the benchmarks and store their figures in {FIGURES.name}"
    )
    parser.add_argument("--rounds", type=int, default=1, help="number of runs of each, with --measure (default: 1)")
    arguments = parser.parse_args(argv)
    asked = Assumptions(**{name: getattr(arguments, name) for name in Assumptions.__dataclass_fields__})
    if arguments.measure:
        FIGURES.write_text(json.dumps(measure(arguments.rounds), indent=1) + "\n", "utf-8")
    print(page(json.loads(FIGURES.read_text("utf-8")), asked), end="")


if __name__ == "__main__":
    main()
