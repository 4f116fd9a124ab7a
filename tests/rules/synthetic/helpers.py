"""Documents of a recipe, made without a pipeline."""

from collections.abc import Iterable

from gistmill.core.records import Origin, Outcome, Seed
from gistmill.rules.synthetic.draws import Draws, Stream
from gistmill.rules.synthetic.generator import ElementaryMaker
from gistmill.rules.synthetic.language import nonsense_words
from gistmill.rules.synthetic.recipe import Synthetic, SyntheticConfig


def seed(number: int) -> Seed:
    return Seed(Origin(f"synthetic-{number:012d}", "seeds", offset=number, range_key="r"), number)


def outcomes(numbers: Iterable[int], **options) -> list[Outcome]:
    recipe = Synthetic(SyntheticConfig(**options))
    return [recipe.process(seed(number)) for number in numbers]


def rows(numbers: Iterable[int], **options) -> list[dict]:
    """The values of the rows of all configurations, document by document."""
    return [dict(row.values) for outcome in outcomes(numbers, **options) for row in outcome.rows]


def stream_of(*names: object, vocabulary: int = 5000) -> Stream:
    return Stream(*names, widths=ElementaryMaker.WIDTHS, vocabulary=nonsense_words(vocabulary))


def draws(number: int = 0, *names: object, vocabulary: int = 5000) -> Draws:
    return stream_of(*names, vocabulary=vocabulary).draws(number)
