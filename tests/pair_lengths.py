"""A recipe on rows for tests: the pairs as they are, with their lengths."""

from __future__ import annotations

from gistmill.core.options import Options
from gistmill.core.records import Outcome, Pair
from gistmill.core.statistics import Column
from gistmill.rules.recipe import PairRecipe


class PairLengthsConfig(Options):
    """It has no options."""


class PairLengths(PairRecipe[PairLengthsConfig]):
    """Adds the words of the inputs."""

    NAME = "pair-lengths"
    HELP = "count words of pairs"
    TITLE = "Lengths"
    SUMMARY = "Pairs with their lengths."
    DESCRIPTION = "Counts the words of pairs."
    EXAMPLES = ("pair-lengths --input DIR --output lengths",)
    CONFIG = PairLengthsConfig
    COLUMNS = (Column("input_words", "int64", "words of the inputs"),)

    def process(self, pair: Pair) -> Outcome:
        """Returns the row of the pair."""
        return Outcome(pair.origin, rows=(self.row(pair, {"input_words": len(pair.inputs.split())}),))
