"""The copies of a pair by EDA."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gistmill.core.dataset import Column
from gistmill.rules.augmentation.config import ALL, FITTING, INPUTS, TARGETS, AugmentConfig
from gistmill.rules.augmentation.eda.operations import OPERATIONS, Limits
from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.augmentation.eda.rendering import changed_words, text_of
from gistmill.rules.augmentation.eda.synonyms import Synonyms, shipped
from gistmill.rules.augmentation.records import Copy, ParsedPair
from gistmill.rules.documents import Sentence
from gistmill.rules.synthetic.draws import Draws, Stream, Widths

_WIDTHS = Widths(choices=512, words=0)


class Eda:
    """Makes copies of parsed pairs.

    Args:
        config: its configuration.
    """

    COLUMNS: ClassVar[tuple[Column, ...]] = ()

    def __init__(self, config: AugmentConfig) -> None:
        self._config = config
        self._limits = Limits(config.alpha, config.positions == FITTING, config.occurrences == ALL)
        self._synonyms: Synonyms | None = None if config.wordnet else shipped()

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers get the configuration; they have the table, or take it."""
        return type(self), (self._config,)

    def take(self, materials: Mapping[str, Any]) -> None:
        """See Recipe.take."""
        self._synonyms = materials.get("wordnet", self._synonyms)

    @property
    def models(self) -> Sequence[Mapping[str, Any]]:
        """See Recipe.models."""
        return [self._synonyms.record] if self._synonyms else []

    def copies(self, pair: ParsedPair) -> Iterator[Copy]:
        """Yields the copies of a pair. Chance depends on the seed, the pair's id and the number of the copy alone."""
        stream = Stream(self._config.seed, "eda", pair.id, widths=_WIDTHS, block=1)
        names = self._config.operations
        order = [names[i] for i in stream.draws(0).sample(len(names), len(names))]
        parsed = {name: [_Line(*line) for line in lines] for name, lines in _lines(pair)}
        for number in range(1, self._config.copies + 1):
            operation = order[(number - 1) % len(order)]
            draws = stream.draws(number)
            texts = {INPUTS: pair.inputs, TARGETS: pair.targets}
            changed: Counter[str] = Counter()
            for name, lines in parsed.items():
                made = [self._change(line, operation, draws) for line in lines]
                texts[name] = "\n".join(text for text, _ in made)
                changed[f"changed_words/{name}/{operation}"] += sum(words for _, words in made)
            yield Copy(number=number, operation=operation, inputs=texts[INPUTS], targets=texts[TARGETS], counts=changed)

    def _change(self, line: _Line, operation: str, draws: Draws) -> tuple[str, int]:
        """Returns the line with each of its sentences changed, and how many words were."""
        assert self._synonyms is not None  # the shipped ones, or those that were taken
        parts, total = [line.head], 0
        for parse, text, gap in line.sentences:
            pieces = OPERATIONS[operation](parse, self._limits, draws, self._synonyms)
            words = changed_words(parse, pieces)
            parts += [text_of(parse, pieces) if words else text, gap]
            total += words
        return "".join(parts), total


class _Line:
    """A line of a text.

    Attributes:
        head: the white space before its first sentence.
        sentences: of each sentence the parse, the text and the white space after it.
    """

    def __init__(self, text: str, sentences: Sequence[Sentence]) -> None:
        ends, starts = [], []
        end = 0
        for sentence in sentences:
            for number, token in enumerate(sentence.tokens):
                start = text.index(token.text, end)
                end = start + len(token.text)
                if not number:
                    starts.append(start)
            ends.append(end)
        self.head = text[: starts[0]] if starts else text
        self.sentences = [
            (Parse(sentence), text[start:end], text[end:following])
            for sentence, start, end, following in zip(sentences, starts, ends, [*starts[1:], len(text)])
        ]


def _lines(pair: ParsedPair) -> Iterator[tuple[str, Iterator[tuple[str, Sequence[Sentence]]]]]:
    texts = {INPUTS: pair.inputs, TARGETS: pair.targets}
    for name, lines in pair.lines.items():
        yield name, zip(texts[name].split("\n"), lines, strict=True)
