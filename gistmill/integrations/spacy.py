"""spaCy components: ``nlp.add_pipe("gistmill_coref")`` and, after it, ``nlp.add_pipe("gistmill_propositions")``.

Results are stored in span groups, so they are serialised with the Doc. spaCy imports this module, which contains two
entry points, whenever it creates a pipeline; everything else is imported with the first Doc.
"""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

if TYPE_CHECKING:
    from gistmill.transforms.coreference import Resolver

MENTIONS, PROPOSITIONS = "coref_mentions", "propositions"  # keys of the span groups
# token.pos is needed as well, but attribute rulers do not declare it.
_REQUIRES = ["token.tag", "token.dep", "token.lemma", "token.ent_iob"]


def set_extensions() -> None:
    """Registers ``doc._.coref_chains``, ``doc._.resolved_text`` and ``span._.proposition`` with spaCy, replacing
    extensions with these names. The components call this; call it yourself to read their Docs without them."""
    Doc.set_extension("coref_chains", getter=coref_chains, force=True)
    Doc.set_extension("resolved_text", getter=resolved_text, force=True)
    Span.set_extension("proposition", getter=proposition, force=True)


def coref_chains(doc: Doc) -> list[list[Span]]:
    """Returns the mentions of each coreference chain, in text order, labelled ``name``, ``pronoun`` or ``nominal``;
    empty if ``gistmill_coref`` has not run."""
    return [list(chain) for _, chain in groupby(doc.spans.get(MENTIONS, ()), key=lambda mention: mention.id)]


def resolved_text(doc: Doc) -> str | None:
    """Returns a Doc's text with mentions replaced by their antecedents if the links are confident enough; None if
    ``gistmill_coref`` has not run."""
    return doc.spans[MENTIONS].attrs["resolved_text"] if MENTIONS in doc.spans else None


def proposition(span: Span) -> dict[str, Any] | None:
    """Returns the statement of a span in ``doc.spans["propositions"]``, with the fields of ``gistmill propositions
    --json`` and offsets in the Doc's text; None for other spans."""
    found = span.doc.spans[PROPOSITIONS].attrs["propositions"] if PROPOSITIONS in span.doc.spans else ()
    return found[span.id - 1] if 0 < span.id <= len(found) else None


class _Component:
    """Base of both components. ``nlp`` is the pipeline and ``name`` the component's name. Only settings are stored, so
    that components can be sent to other processes.
    """

    def __init__(self, nlp: Language, name: str, precision: str) -> None:
        if nlp.lang != "en":
            raise ValueError(f"{name} supports English pipelines only; the language of this one is {nlp.lang!r}")
        from gistmill.rules.propositions.statements import PropositionsConfig

        self.name, self.config = name, PropositionsConfig(precision=precision)
        set_extensions()


@Language.factory(
    "gistmill_coref",
    default_config={"resolver": "sieve", "precision": "balanced"},
    requires=_REQUIRES,
    assigns=["doc._.coref_chains", "doc._.resolved_text", "doc.spans"],
)
class GistmillCoref(_Component):
    """Resolves coreference. ``doc.user_data["title"]``, if present, names the subject of the text.

    Args:
        resolver: ``sieve``, or another value of ``--coref``.
        precision: how confident a link must be to be used in ``doc._.resolved_text``, as for ``--precision``.

    Raises:
        ValueError: the pipeline is not English, or the resolver or precision is unknown.
        PackageError: the resolver's package or weights are missing.
    """

    def __init__(self, nlp: Language, name: str, resolver: str, precision: str) -> None:
        super().__init__(nlp, name, precision)
        self.resolver = resolver
        _resolver(resolver)

    def __call__(self, doc: Doc) -> Doc:
        """Raises ValueError if the Doc lacks an annotation that the rules need."""
        from gistmill.rules.propositions.resolution import resolve
        from gistmill.rules.propositions.statements import PropositionExtractor
        from gistmill.transforms.parsing.docs import annotated_doc

        document, places = annotated_doc(doc, self.name)
        resolver = _resolver(self.resolver)
        chains = resolver.resolve(document.sentences, title=document.origin.title) if resolver else ()
        document = replace(document, clusters=chains)
        group = SpanGroup(doc, name=MENTIONS)
        mentions = [(number, m) for number, chain in enumerate(chains, start=1) for m in chain]
        for number, m in mentions:
            tokens = places.tokens[m.sentence][m.start : m.end]
            group.append(Span(doc, tokens[0].i, tokens[-1].i + 1, label=m.kind, span_id=number))
        group.attrs["mentions"] = [[number, *astuple(m)] for number, m in mentions]
        group.attrs["resolved_text"] = resolve(document, PropositionExtractor(self.config), places).text
        doc.spans[MENTIONS] = group
        return doc


@Language.factory(
    "gistmill_propositions",
    default_config={"precision": "balanced"},
    requires=[*_REQUIRES, "doc._.coref_chains"],
    assigns=["doc.spans", "span._.proposition"],
)
class GistmillPropositions(_Component):
    """Extracts statements to ``doc.spans["propositions"]``; ``span._.proposition`` returns each. A span extends from
    the first to the last word that the statement takes from its own sentence.

    Args:
        precision: as for ``gistmill propositions --precision``.

    Raises:
        ValueError: the pipeline is not English, or the precision is unknown.
    """

    def __call__(self, doc: Doc) -> Doc:
        """Raises ValueError if ``gistmill_coref`` has not run or the Doc lacks an annotation."""
        from gistmill.pipelines.propositions import propositions_of
        from gistmill.rules.documents import Mention
        from gistmill.transforms.parsing.docs import annotated_doc

        if MENTIONS not in doc.spans:
            raise ValueError(f"{self.name} requires the component gistmill_coref before it")
        document, places = annotated_doc(doc, self.name)
        mentions = groupby(doc.spans[MENTIONS].attrs["mentions"], key=lambda mention: mention[0])
        chains = tuple(tuple(Mention(*fields) for _, *fields in chain) for _, chain in mentions)
        made = propositions_of(replace(document, clusters=chains), places, self.config)
        group = SpanGroup(doc, name=PROPOSITIONS)
        begins, closes = {t.idx: t.i for t in doc}, {t.idx + len(t): t.i + 1 for t in doc}
        for number, each in enumerate(made, start=1):
            own = [(start, end) for start, end in each.pieces if each.start <= start and end <= each.end]
            starts, ends = zip(*(own or [(each.start, each.end)]), strict=True)
            group.append(Span(doc, begins[min(starts)], closes[max(ends)], span_id=number))
        # as msgpack would return it: lists for tuples
        group.attrs["propositions"] = json.loads(json.dumps([asdict(each) for each in made]))
        doc.spans[PROPOSITIONS] = group
        return doc


@lru_cache(maxsize=2)
def _resolver(name: str) -> Resolver | None:
    from gistmill.transforms.coreference import load_resolver

    return load_resolver(name)
