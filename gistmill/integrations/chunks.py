"""Chunks for retrieval, shared by all chunkers: statements, or sentences with resolved mentions.

If a chunk does not stand alone, it consists of the title and the whole sentence, and its metadata lists unresolved
references. Lines that are not prose, such as headings and tables, do not become chunks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from gistmill.pipelines.texts import annotate
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.resolution import resolve
from gistmill.rules.propositions.statements import Divided, PropositionExtractor, PropositionsConfig, Unresolved
from gistmill.rules.text.prose import Places

Unit = Literal["statements", "sentences"]
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t#]*$", re.M)  # in Markdown


class Chunk(NamedTuple):
    """A chunk of a text.

    Attributes:
        text: its text.
        metadata: the metadata given, updated with ``start`` and ``end``, the character offsets of its sentence;
            ``title``; ``section``, the Markdown heading above it, if any; and ``unresolved``: the references that need
            context, as in "PRONOUN it; DEFINITE the man", the name of the reason why its sentence contains no
            statement, or "".
    """

    text: str
    metadata: dict[str, Any]


def chunks(
    text: str,
    metadata: Mapping[str, Any],
    *,
    unit: Unit = "statements",
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> list[Chunk]:
    """Returns the chunks of a text, in order; none for white space.

    Args:
        text: English text; blank lines separate paragraphs.
        metadata: the text's metadata. ``title`` helps to resolve mentions; ``section`` applies up to the first heading.
        unit: the unit of a chunk.
        spacy_model, coref: as for ``gistmill.propositions``.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the unit or resolver is unknown.
    """
    if unit not in ("statements", "sentences"):
        raise ValueError(f"unit must be 'statements' or 'sentences', not {unit!r}")
    title = str(metadata.get("title") or "")
    sections = [(0, str(metadata.get("section") or "")), *((m.start(), m[1]) for m in _HEADING.finditer(text))]
    prose = _HEADING.sub(lambda heading: " " * len(heading[0]), text)  # ends a paragraph and keeps all offsets
    document = annotate(prose, title=title, spacy_model=spacy_model, coref=coref)
    places = Places(document, prose)
    made = []
    for index, said, unresolved in _found(document, places, unit):
        start, end = places.span(index, 0, len(document.sentences[index].tokens))
        _, section = sections[bisect_right(sections, start, key=lambda section: section[0]) - 1]
        own = {"title": title, "section": section, "start": start, "end": end, "unresolved": unresolved}
        names_title = not unresolved or title.lower() in said.lower()
        made.append(Chunk(said if names_title else f"{title}: {said}", {**metadata, **own}))
    return made


def _found(document: AnnotatedDocument, places: Places, unit: Unit) -> Iterator[tuple[int, str, str]]:
    """Yields each chunk's sentence, its text without a title, and its unresolved references."""
    extractor = PropositionExtractor(PropositionsConfig())
    resolved = resolve(document, extractor, places)
    left: dict[int, list[Unresolved]] = {}
    for index, each in resolved.unresolved:
        left.setdefault(index, []).append(each)
    for index, found in extractor.sentences(document):
        start, end = resolved.sentences[index]
        whole = " ".join(resolved.text[start:end].split())
        if not isinstance(found, Divided):
            yield index, whole, found.name
            continue
        alone = [each for each in found.statements if not each.unresolved] if unit == "statements" else []
        yield from ((index, each.text, "") for each in alone)
        if len(alone) < len(found.statements):
            # a sentence names the subject of its text if one of its statements does
            nameless = [o for s in found.statements for o in s.unresolved if o.kind is OpenKind.NAMELESS]
            here = left.get(index) or (nameless if len(nameless) == len(found.statements) else [])
            yield index, whole, "; ".join(dict.fromkeys(f"{o.kind.name} {o.text}".rstrip() for o in here))
