"""The first pass: pairs in, the files of their measures out, one for each range."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from gistmill.core.records import Pair
from gistmill.rules.curriculum.recipe import SAMPLED, UNIFORM, Curriculum, CurriculumConfig
from gistmill.rules.lineage import language_of_pair
from gistmill.transforms.first_pass import LookThrough
from gistmill.transforms.materials import load_materials
from gistmill.transforms.ranks.scores import ScoreFile, ScoreWriter, to_json


class ScoreRanges(LookThrough[ScoreWriter]):
    """Scores the rows of the ranges; what is found of a range is a ScoreFile."""

    def __init__(self, workspace: str, config: CurriculumConfig) -> None:
        super().__init__(workspace)
        self._workspace, self._config = workspace, config

    def setup(self) -> None:
        super().setup()
        recipe = Curriculum(self._config)
        load_materials(recipe, self._workspace)
        self._scorer = recipe.scorer()

    @override
    def writer(self, range_key: str) -> ScoreWriter:
        return ScoreWriter(self._layout, range_key, sampled=SAMPLED)

    @override
    def take(self, writer: ScoreWriter, element: Any) -> None:
        if isinstance(element, Pair):
            by = self._config.sample_by
            stratum = "" if by == UNIFORM else str(element.values[by])
            measures = self._scorer.measure(element.inputs, element.targets, language=language_of_pair(element))
            writer.add(element, stratum, measures)

    @override
    def to_json(self, found: ScoreFile) -> Mapping[str, Any]:
        return to_json(found)
