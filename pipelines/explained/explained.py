"""The splits of a text with their reasons, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from gistmill.core.short_repr import short_repr
from gistmill.pipelines.documents import annotate
from gistmill.pipelines.reporting.words import Piece, marked
from gistmill.rules.derivation import Operation
from gistmill.rules.discofuse import derivation
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.documents import AnnotatedDocument, Token, natural_text


@dataclass(frozen=True, slots=True)
class Split:
    """A candidate of a text.

    Attributes:
        type: its discourse type.
        connective: the connective that was removed; "" for none.
        sentences: the two sentences, in pieces; what the text has not in this place is marked.
        refused: the name of the reason for which it is not a row of a dataset; "" for a row.
        why: what that reason means.
        operations: what the rules did, in order.
    """

    type: str
    connective: str
    sentences: Sequence[Piece]
    refused: str
    why: str
    operations: Sequence[Operation]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a pair of sentences of a text, with its candidates. ``refused`` and ``why`` are those of a unit
    that no rule has seen, and "" otherwise."""

    text: str
    splits: Sequence[Split]
    refused: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Explained:
    """What the rules make of a text. A notebook shows it as a page."""

    __repr__ = short_repr

    units: tuple[Unit, ...]

    def _repr_html_(self) -> str:
        """Returns the page for a notebook."""
        from jinja2 import Environment, StrictUndefined

        template = files("gistmill.pipelines.explained").joinpath("template.html").read_text(encoding="utf-8")
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(template).render(units=self.units)


def explain(
    text: str,
    *,
    config: DiscoFuseConfig = DiscoFuseConfig(),  # noqa: B008, frozen
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> Explained:
    """Returns every split that the rules find in a text, those that they refuse with the reason.

    Models are loaded at the first call and kept.

    Args:
        text: any number of sentences; blank lines separate paragraphs, across which no pair is made.
        config: the options of the recipe.
        spacy_model: a package or a folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the text is empty, or there is no such resolver.
    """
    if not text.strip():
        raise ValueError("the text is empty")
    document = annotate(text, spacy_model=spacy_model, coref=coref)
    return Explained(tuple(_units(DiscoFuse(config), document)))


def _units(recipe: DiscoFuse, document: AnnotatedDocument) -> Iterator[Unit]:
    parses = [Parse(s) for s in document.sentences]
    for unit, index, found in recipe.judged(document, parses):
        mine = [parse.tokens for parse in parses[index : index + 1 + (unit == "pairs")]]
        text = " ".join(map(natural_text, mine))
        if isinstance(found, tuple):
            yield Unit(text, [_split(c, mine, text) for c in found])
        else:
            yield Unit(text, [], found.name, str(found.value))


def _split(candidate: Candidate, sentences: Sequence[Sequence[Token]], text: str) -> Split:
    reason = candidate.verdict.reason
    return Split(
        type=candidate.discourse_type.name,
        connective=candidate.connective_string,
        sentences=marked(candidate.inputs, text)[0],
        refused=reason.name if reason else "",
        why=str(reason.value) if reason else "",
        operations=derivation.operations(candidate, sentences),
    )
