"""Pairs with chosen measures, the files of their scores, and what a plain sort says of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apache_beam as beam
import numpy as np
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.core.records import Origin, Pair
from gistmill.pipelines.runners.quiet import quiet
from gistmill.rules.curriculum.recipe import ALL, CurriculumConfig, RankedPair, chance
from gistmill.rules.curriculum.scores import ORDERS, Counts, Measures, order_value
from gistmill.transforms.beam.transforms import CreateConstants
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.find import RangeRanks, RankScores
from gistmill.transforms.ranks.scores import ScoreFile, ScoreWriter

SPLITS = ("train", "train", "train", "validation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A pair, its stratum and its measures."""

    pair: Pair
    stratum: str
    measures: Measures

    def value(self, order: str, seed: int) -> tuple[float, bytes]:
        """The key by which it is sorted."""
        return order_value(order, self.measures, id=self.pair.id, seed=seed), self.pair.id.encode()


def pairs(count: int, *, seed: int = 1, few: int = 7, strata: Sequence[str] = ("a",)) -> list[Known]:
    """Random pairs; their values are ``few``, so that many are equal."""
    chosen = np.random.default_rng(seed)
    alphabet = ["a", "B", "é", "日本", "𝔘", "\x00", " ", "10", "9", "~"]
    found = []
    for number in range(count):
        words, target = int(chosen.integers(1, few + 1)), int(chosen.integers(0, few))
        counts = Counts(deletions=words, additions=target, reorderings=words % 3, substitutions=0)
        row_id = "".join(chosen.choice(alphabet, 3)) + str(number)
        measures = Measures(input_words=words, target_words=target, counts=counts, complexity=0.1 * words * target)
        split = SPLITS[int(chosen.integers(len(SPLITS)))]
        pair = Pair(Origin(row_id, "made", offset=number), "x", "y", {"id": row_id}, split)
        found.append(Known(pair=pair, stratum=str(chosen.choice(strata)), measures=measures))
    return found


def scored(folder: Path, known: Sequence[Known], *, ranges: int) -> list[ScoreFile]:
    """Writes the files of scores of so many ranges; pairs are dealt to them in order."""
    files = []
    for number, mine in enumerate(np.array_split(np.arange(len(known)), ranges)):
        writer = ScoreWriter(WorkspaceLayout(str(folder)), key_of(number))
        for place in mine.tolist():
            writer.add(known[place].pair, known[place].stratum, known[place].measures)
        files.append(writer.close())
    return files


def key_of(number: int) -> str:
    """Key of a range."""
    return f"r{number:03}"


def ranked(
    folder: Path, known: Sequence[Known], *, ranges: int = 3, sizes: Mapping[str, int] | None = None, **options: Any
) -> list[RankedPair]:
    """Returns the pairs as both passes make them."""
    folder.mkdir(exist_ok=True)
    config = CurriculumConfig(**options)
    noted = rank_files(folder, scored(folder, known, ranges=ranges), config, sizes)
    assert sorted(noted) == [key_of(number) for number in range(ranges)]
    layout, found = WorkspaceLayout(str(folder)), []
    for number, mine in enumerate(np.array_split(np.arange(len(known)), ranges)):
        of_range = RangeRanks(layout, key_of(number), config.buckets)
        found += [of_range.ranked(known[place].pair) for place in mine.tolist()]
    return found


def rank_files(
    folder: Path, files: Sequence[ScoreFile], config: CurriculumConfig, sizes: Mapping[str, int] | None
) -> list[str]:
    """Runs the graph over files of scores; returns the keys of the ranges."""
    output = folder / "noted.json"
    with quiet(), beam.Pipeline(runner=FnApiRunner()) as pipeline:
        given = pipeline | CreateConstants([("", file) for file in files] or [("", None)])
        values = given | "Values" >> beam.FlatMap(lambda keyed: [keyed[1]] if keyed[1] is not None else [])
        noted = values | RankScores(str(folder), config, **(sizes or {}))
        _ = noted | beam.combiners.ToList() | beam.Map(lambda keys: output.write_text(json.dumps(keys)))
    return json.loads(output.read_text())


def places(found: Iterable[RankedPair], sample: str = ALL) -> dict[str, dict[str, int]]:
    """The rank of each pair of a sample in each order, by id."""
    return {
        pair.id: {order: place.rank for order, place in pair.places[sample].items()}
        for pair in found
        if sample in pair.places
    }


def plain_places(known: Iterable[Known], seed: int) -> dict[str, dict[str, int]]:
    """The same of these pairs, by a sort of each split."""
    known, found = list(known), dict[str, dict[str, int]]()
    for split in {k.pair.split for k in known}:
        mine = [k for k in known if k.pair.split == split]
        for order in ORDERS:
            for rank, one in enumerate(sorted(mine, key=lambda k: k.value(order, seed))):
                found.setdefault(one.pair.id, {})[order] = rank
    return found


def drawn(known: Iterable[Known], rows: int, seed: int) -> list[Known]:
    """The uniform sample of a seed, by a sort of the training split."""
    train = [k for k in known if k.pair.split == "train"]
    return sorted(train, key=lambda k: (chance(seed, k.pair.id), k.pair.id.encode()))[:rows]
