"""One example of a profile: what is measured on it, its row, and what it adds to the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from gistmill.core.dataset import Column
from gistmill.core.records import Row
from gistmill.rules.documents import SegmentedDocument, TextSentence
from gistmill.rules.extractive import Extractiveness
from gistmill.rules.lineage import DOCUMENT_COLUMNS, lineage_values
from gistmill.rules.rouge.tokens import Tokens
from gistmill.rules.text.words import COUNTED
from gistmill.rules.wikitransfer.oracle import Oracle
from gistmill.rules.wikitransfer.profile import Profile

NOVEL_SIZES = (1, 2, 3, 4)
UNIT = 10_000  # fractions are counted in this part, so that their sums are whole numbers
ORACLE_STEP = 2
# measure -> width of a bin of its histogram
STEPS = {"document_words": 250, "summary_words": 10, "compression": 4, "coverage": 0.05, "density": 0.5}

COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id and profile"),
    Column("inputs", "string", "the document less its summary; a line is a paragraph"),
    Column("targets", "string", "the summary, on one line"),
    Column("oracle_rouge", "float64", "ROUGE of the oracle against the summary, 0 to 100, as the profile has it"),
    Column("oracle_summary", "string", "the oracle: the sentences of the inputs nearest to the summary, a line each"),
    Column("sentences", "int64", "M: sentences of the summary and of the oracle"),
    Column("summary_indices", "list<int64>", "positions of the summary's sentences in the document"),
    Column("oracle_indices", "list<int64>", "positions of the oracle's sentences in the document"),
    Column("removed_indices", "list<int64>", "positions of the sentences removed to bring the oracle into the range"),
    Column("cut_at", "int64", "position after the last sentence that is in the inputs, removed or in the summary"),
    Column("document_words", "int64", f"words of the inputs: {COUNTED}"),
    Column("summary_words", "int64", "words of the targets"),
    Column("compression", "float64", "document words for a word of the summary"),
    Column("coverage", "float64", "share of the summary's words that are in fragments shared with the inputs"),
    Column("density", "float64", "mean length of the fragment that a word of the summary is in"),
    *DOCUMENT_COLUMNS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A document divided into summary and rest by a profile that keeps it.

    Attributes:
        document: the document; positions are those of its sentences.
        summary: positions of the summary's sentences, in order.
        rest: positions of the sentences of the inputs, in order.
        oracle: the oracle, with positions in the document.
        tokens: the first sentences of the document, without stemming.
        words: words of these sentences.
        joiner: what stands between two sentences.
    """

    profile: Profile
    document: SegmentedDocument
    summary: Sequence[int]
    rest: Sequence[int]
    oracle: Oracle
    tokens: Sequence[Tokens]
    words: Sequence[int]
    joiner: str

    def row(self) -> tuple[Row, dict[str, int]]:
        """Returns the row, and its counts."""
        inputs, targets = self._inputs(), self.joiner.join(self._texts(self.summary))
        extractiveness = Extractiveness(self._words(self._in_order()), self._words(self.summary))
        measures = self._measures(extractiveness)
        row_id = f"{self.document.id}-{self.profile.name}"
        touched = (self.rest[-1], self.summary[-1], *self.oracle.removed[-1:])
        row = Row(
            self.profile.name,
            row_id,
            {
                "id": row_id,
                "inputs": inputs,
                "targets": targets,
                "oracle_rouge": self.oracle.rouge,
                "oracle_summary": "\n".join(self._texts(self.oracle.indices)),
                "sentences": self.profile.sentences,
                "summary_indices": list(self.summary),
                "oracle_indices": list(self.oracle.indices),
                "removed_indices": list(self.oracle.removed),
                "cut_at": max(touched) + 1,
                **measures,
                **lineage_values(self.document.origin),
            },
        )
        return row, dict(self._counts(measures, extractiveness))

    def _texts(self, indices: Sequence[int]) -> list[str]:
        return [self.document.sentences[i].text for i in indices]

    def _inputs(self) -> str:
        front = self.oracle.indices if self.profile.oracle_first else ()
        behind = [self.document.sentences[i] for i in self.rest if i not in front]
        lines = [self.joiner.join(s.text for s in group) for _, group in groupby(behind, _paragraph)]
        return "\n".join([self.joiner.join(self._texts(front)), *lines] if front else lines)

    def _in_order(self) -> list[int]:
        front = self.oracle.indices if self.profile.oracle_first else ()
        return [*front, *(i for i in self.rest if i not in front)]

    def _measures(self, extractiveness: Extractiveness) -> dict[str, int | float]:
        words, size = (sum(self.words[i] for i in indices) for indices in (self.rest, self.summary))
        shared = extractiveness.fragments()
        return {
            "document_words": words,
            "summary_words": size,
            "compression": words / size,
            "coverage": shared.coverage,
            "density": shared.density,
        }

    def _words(self, indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(chain.from_iterable([self.tokens[i].words for i in indices]))

    def _counts(self, measures: dict[str, int | float], extractiveness: Extractiveness) -> Iterator[tuple[str, int]]:
        name = self.profile.name
        yield oracle_key(name, "kept", self.oracle.rouge), 1
        yield f"measures/{name}/removed", len(self.oracle.removed)
        yield f"measures/{name}/changed", int(bool(self.oracle.removed))
        yield f"measures/{name}/oracle", round(UNIT * self.oracle.rouge)
        for measure, value in measures.items():
            yield f"measures/{name}/{measure}", round(UNIT * value)
            yield f"{measure}/{name}/{int(value / STEPS[measure])}", 1
        for n in NOVEL_SIZES:
            every, novel = extractiveness.ngrams(n)
            yield f"measures/{name}/{n}grams", every
            yield f"measures/{name}/novel_{n}grams", novel


def oracle_key(name: str, group: str, rouge: float) -> str:
    """Returns the key under which an oracle is counted; the last part is the number of its bin."""
    return f"oracle/{name}/{group}/{min(int(rouge / ORACLE_STEP), 100 // ORACLE_STEP - 1)}"


def _paragraph(sentence: TextSentence) -> tuple[int, int]:
    return sentence.section, sentence.paragraph
