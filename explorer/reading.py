"""Analysis of a row: the parse of its sentences, their coreference, and the operations that created it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gistmill
from gistmill import Dataset
from gistmill.rules.annotated import KeepAnnotations, from_values
from gistmill.rules.documents import AnnotatedDocument, Mention, Sentence, natural_text
from gistmill.rules.lineage import Operation

_MOST_SENTENCES = 4  # sentences of a row that are parsed
_MOST_CHARACTERS = 20_000
_MOST_TOKENS = 250  # tokens in a drawing of a parse
_LIGHT = {"bg": "#ffffff", "color": "#1d2327"}
_DARK = {"bg": "#14181c", "color": "#e6eaee"}


class NoSuchRow(LookupError):
    """No configuration contains a row with this id."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Information on a row.

    Attributes:
        origin: a sentence that states which text was parsed.
        document: the parsed document.
        places: indexes of the row's sentences in the document.
        operations: the rule operations that created the row; empty if unknown.
        edits: the edits that turn the inputs back into the targets.
    """

    origin: str
    document: AnnotatedDocument
    places: Sequence[int]
    operations: Sequence[Operation]
    edits: Sequence[Operation]

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON value for the page."""
        return {
            "origin": self.origin,
            "sentences": [self._sentence(place) for place in self.places],
            "links": list(self._links()),
            "operations": [dataclasses.asdict(o) for o in self.operations],
            "edits": [dataclasses.asdict(e) for e in self.edits],
        }

    def drawing(self, number: int, *, dark: bool) -> str:
        """Returns the parse of one of the row's sentences as SVG.

        Raises:
            IndexError: the sentence does not exist.
        """
        from spacy import displacy

        tokens = self.document.sentences[self.places[number]].tokens[:_MOST_TOKENS]
        arcs = [
            {"start": min(i, t.head), "end": max(i, t.head), "label": t.dep, "dir": "left" if i < t.head else "right"}
            for i, t in enumerate(tokens)
            if i != t.head and t.head < len(tokens)
        ]
        words = [{"text": t.text, "tag": t.tag} for t in tokens]
        options = {"compact": True, "distance": 95, **(_DARK if dark else _LIGHT)}
        return str(displacy.render({"words": words, "arcs": arcs}, style="dep", manual=True, options=options))

    def _sentence(self, place: int) -> dict[str, Any]:
        sentence = self.document.sentences[place]
        heads = []  # the parse in words, for users who cannot see the drawing
        for token in sentence.tokens:
            head = sentence.tokens[token.head].text
            is_root = head is token.text and token.dep == "ROOT"
            heads.append(f"{token.text} is the root" if is_root else f"{token.text} {token.dep} of {head}")
        return {"pieces": list(self._pieces(place, sentence)), "heads": "; ".join(heads)}

    def _pieces(self, place: int, sentence: Sentence) -> Iterable[dict[str, Any]]:
        """The text of a sentence in pieces, each with its cluster number; for nested mentions, the outer one."""
        at = 0
        for cluster, mention in sorted(self._mentions(place), key=lambda found: (found[1].start, -found[1].end)):
            if mention.start < at:
                continue
            yield {"text": _text(sentence, at, mention.start), "cluster": None}
            yield {"text": _text(sentence, mention.start, mention.end), "cluster": cluster}
            at = mention.end
        yield {"text": _text(sentence, at, len(sentence.tokens)), "cluster": None}

    def _mentions(self, place: int) -> list[tuple[int, Mention]]:
        return [(n, m) for n, cluster in enumerate(self.document.clusters) for m in cluster if m.sentence == place]

    def _links(self) -> Iterable[str]:
        """A line for each cluster in the row's sentences, with its mentions and the confidence of each."""
        for number in sorted({n for place in self.places for n, _ in self._mentions(place)}):
            found = self.document.clusters[number]
            shown = (f"“{self._words(m)}” ({m.kind}, sentence {m.sentence + 1}, {m.confidence:.2f})" for m in found)
            yield f"{number + 1}: {'; '.join(shown)}"

    def _words(self, mention: Mention) -> str:
        return natural_text(self.document.sentences[mention.sentence].tokens[mention.start : mention.end])


def read_row(dataset: Dataset, row_id: str, inputs: Sequence[str]) -> Reading:
    """Returns the analysis of a row.

    Args:
        dataset: the dataset that contains the row.
        row_id: the row's id.
        inputs: the dataset's inputs, from which the row's page is read again. If empty, only the row's text is parsed.

    Raises:
        NoSuchRow: the dataset does not contain the row.
        ConfigError: an input cannot be read or does not contain the page.
        RuntimeError: a model is missing.
        ValueError: the row has no text.
    """
    traced = gistmill.trace_row(dataset, row_id, inputs=inputs)
    if traced is None:
        raise NoSuchRow(row_id)
    values = traced.found[0].values
    if traced.recipe == KeepAnnotations.NAME:
        document = from_values(values)
        return Reading("It is shown as stored in the dataset.", document, _first(document), (), ())
    again = traced.replay
    if again is not None and isinstance(again.document, AnnotatedDocument) and "sentence_index" in values:
        first = int(values["sentence_index"])
        places = [first, first + 1] if values.get("coherent_second_sentence") else [first]
        return Reading("Its page was read again.", again.document, places, again.operations, traced.edits)
    text = str(values.get("targets") or values.get("inputs") or values.get("text") or "")[:_MOST_CHARACTERS]
    if not text.strip():
        raise ValueError("the row has no text")
    options = dataset.manifest.configuration
    model = options.get("spacy_model")
    document = gistmill.recipes.annotate(text, spacy_model=model)
    operations = again.operations if again else _operations(text, values, options) if values.get("edits") else ()
    origin = "Only the row's own text was parsed; with --input, its page is read again."
    return Reading(origin, document, _first(document), operations, traced.edits)


def _first(document: AnnotatedDocument) -> Sequence[int]:
    """The indexes of a row's sentences that are shown."""
    return range(min(_MOST_SENTENCES, len(document.sentences)))


def _operations(text: str, values: Mapping[str, Any], options: Mapping[str, Any]) -> Sequence[Operation]:
    """The operations of the split that created the row; empty if the rules do not find it in the text."""
    chosen = {name: options[name] for name in ("conventions", "precision") if name in options}
    config = gistmill.recipes.DiscoFuseConfig(**chosen)
    found = gistmill.fusion.explain(text, config=config, spacy_model=options.get("spacy_model"))
    wanted = (values.get("discourse_type"), values.get("connective_string"))
    for candidate, how in (split for unit in found.units for split in unit.splits):
        if (candidate.discourse_type.name, candidate.connective_string) == wanted:
            return how.operations
    return ()


def _text(sentence: Sentence, start: int, end: int) -> str:
    return "".join(token.text + (" " if token.space else "") for token in sentence.tokens[start:end])
