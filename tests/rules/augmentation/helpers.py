"""Short ways to put hand-written parses through EDA."""

from collections.abc import Sequence

from gistmill.core.records import Origin
from gistmill.rules.augmentation.config import AugmentConfig, Copy, ParsedPair
from gistmill.rules.augmentation.eda.operations import OPERATIONS, Eda, Limits, Piece, text_of
from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.augmentation.eda.synonyms import Synonyms, shipped
from gistmill.rules.documents import Sentence, natural_text
from gistmill.rules.synthetic.draws import Draws, Stream, Widths
from tests.testing import parsed

WIDTHS = Widths(choices=64, words=0)


def draws(seed: int) -> Draws:
    return Stream(seed, widths=WIDTHS).draws(0)


def pieces(
    operation: str,
    text: str | Sentence,
    *,
    seed: int,
    alpha=0.1,
    fitting=True,
    everywhere=False,
    table: Synonyms | None = None,
) -> tuple[Parse, list[Piece]]:
    """Returns the sentence, and the pieces of the new one."""
    parse = Parse(parsed(text) if isinstance(text, str) else text)
    return parse, OPERATIONS[operation](parse, Limits(alpha, fitting, everywhere), draws(seed), table or shipped())


def outcomes(operation: str, text: str, *, seeds: int = 60, **options) -> set[str]:
    """Returns every text that an operation makes of a sentence with one of many seeds."""
    return {text_of(*pieces(operation, text, seed=seed, **options)) for seed in range(seeds)}


def pair(inputs: Sequence[Sequence[Sentence]], targets: Sequence[Sequence[Sentence]], *, id: str = "p") -> ParsedPair:
    """Returns a pair of lines of parsed sentences."""
    first, second = (_text(lines) for lines in (inputs, targets))
    values = {"id": id, "inputs": first, "targets": second, "document_id": id}
    lines = {"inputs": tuple(map(tuple, inputs)), "targets": tuple(map(tuple, targets))}
    return ParsedPair(Origin(id, "pairs"), first, second, values, "train", lines)


def _text(lines: Sequence[Sequence[Sentence]]) -> str:
    return "\n".join(" ".join(natural_text(sentence.tokens) for sentence in line) for line in lines)


def copies(of: ParsedPair, **config) -> list[Copy]:
    return list(Eda(AugmentConfig(**config)).copies(of))
