"""The records that the models of the server take and return, and what answers say of them.

An engine is called from one thread at a time, with batches of requests that came in about together. It answers every
item of a batch, in the batch's order. What it cannot do with an item it says in the answer; an exception fails the
whole batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from gistmill.fusion import Explanation, Fused
from gistmill.rules.extractive import copied


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePair:
    """Two sentences and what is wanted of them.

    Attributes:
        first, second: the sentences; where they are split, ``second`` may be "".
        discourse_type: name of the type that a fusion is to have; None for any.
        connective: the connective that a fusion is to have; None for any.
        caution: added to the log probability of leaving the sentences alone.
        n: the most fusions.
        tokenized: whether the sentences are tokens joined by single spaces.
        explain: whether the answer says what was done.
    """

    first: str
    second: str = ""
    discourse_type: str | None = None
    connective: str | None = None
    caution: float = 0.0
    n: int = 1
    tokenized: bool = False
    explain: bool = False

    @property
    def length(self) -> int:
        """What batches are made by: characters."""
        return len(self.first) + len(self.second)


@dataclass(frozen=True, slots=True)
class Fusions:
    """The fusions of a pair, the best first; without any, ``why`` there is none. ``unchanged_probability`` is that of
    leaving the sentences alone, if the model tells it. ``explanations`` are those of the fusions, in their order, if
    they are wanted."""

    fusions: tuple[Fused, ...]
    why: str | None = None
    unchanged_probability: float | None = None
    explanations: tuple[Explanation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """An article in English.

    Attributes:
        title: its headline, or "".
        paragraphs: the sentences of each paragraph; at least one.
    """

    title: str = ""
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The sentences as the ``inputs`` of a summarization dataset have them: a line is a paragraph."""
        return "\n".join(" ".join(paragraph) for paragraph in self.paragraphs)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of all paragraphs."""
        return tuple(chain.from_iterable(self.paragraphs))

    @property
    def length(self) -> int:
        """What batches are made by: characters."""
        return len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeText:
    """A text whose propositions are wanted, or that is to be resolved.

    Attributes:
        text: it.
        title: its title, or "".
        precision: that of the options of the recipe ``propositions``.
        resolve: whether it is to be resolved.
    """

    text: str
    title: str = ""
    precision: str = "balanced"
    resolve: bool = False

    @property
    def length(self) -> int:
        """What batches are made by: characters."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of an article.

    Attributes:
        text: as the model wrote it.
        sentences: its sentences.
        read: how many characters of ``Article.text`` the model has read, from the first on.
    """

    text: str
    sentences: tuple[str, ...]
    read: int


# Words of the article times words of the summary; beyond it a hostile text would take too long.
_MOST_COMPARED = 4_000_000


def explained(how: Explanation) -> dict[str, Any]:
    """Returns an explanation as answers have it."""
    return {
        "steps": [{"name": operation.name, "detail": operation.detail} for operation in how.operations],
        "source": [asdict(piece) for piece in how.source],
        "result": [asdict(piece) for piece in how.result],
    }


def extracted(paragraphs: Sequence[str], summary: str) -> dict[str, Any] | None:
    """Returns what a summary copies from an article as answers have it; None for texts that are too long for it."""
    text = "\n".join(paragraphs)
    if len(text.split()) * len(summary.split()) > _MOST_COMPARED:
        return None
    runs, measured = copied(text, summary)
    return {
        "coverage": measured.coverage,
        "density": measured.density,
        "copied": [
            {
                "words": run.words,
                "source_start": run.document_start,
                "source_end": run.document_end,
                "summary_start": run.summary_start,
                "summary_end": run.summary_end,
            }
            for run in runs
        ],
    }
