"""The recipe ``propositions``, which makes self-contained statements from annotated documents.

The edits for each split are those of ``discofuse``. They are applied in reverse order of the splits, each fusing two
neighbouring sentences, until one sentence is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gistmill.core.records import Outcome, Reason, Reject, Row
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema
from gistmill.rules.discofuse import candidate
from gistmill.rules.discofuse.connectives import BACKWARD, MORE_BACKWARD
from gistmill.rules.documents import AnnotatedDocument, tokenised_text
from gistmill.rules.fusion import texts
from gistmill.rules.fusion.edits import EditsError, from_column, realise
from gistmill.rules.lineage import DOCUMENT_COLUMNS, lineage_values
from gistmill.rules.propositions.antecedents import printed
from gistmill.rules.propositions.splitting import Part, described, quality
from gistmill.rules.propositions.statements import (
    Divided,
    PropositionExtractor,
    PropositionsConfig,
    PropositionsReason,
    section_title,
)
from gistmill.rules.recipe import SALT, Recipe
from gistmill.rules.text.prose import Places

_FUSE = "fuse"
_CONNECTIVES = frozenset(connective.text for connective in (*BACKWARD, *MORE_BACKWARD))


def simple_sentences(whole: Part) -> list[Part]:
    """Returns the parts that splitting alone makes of a sentence, in order; opening connectives are kept."""
    if whole.split is None:
        return [whole]
    return [leaf for half in whole.below for leaf in simple_sentences(half)]


def column(whole: Part, at: int = 0) -> list[str]:
    """Returns the edits that turn simple sentences into the whole sentence, or a part of it.

    ``fuse 1`` means that the edits after it fuse sentences 1 and 2, counted from 0, into one. The edits have the same
    form as in the column ``edits`` of ``discofuse``.

    Args:
        whole: the sentence, with all its splits.
        at: number of its first simple sentence.
    """
    if whole.split is None:
        return []
    first, second = (column(half, at + n) for n, half in enumerate(whole.below))
    return [*first, *second, f"{_FUSE} {at}", *candidate.column(whole.split, whole.parse.words)]


def values(whole: Part) -> dict[str, object] | None:
    """Returns the columns of a sentence that was split; None if its edits do not restore it (spaces inside tokens)."""
    simple = simple_sentences(whole)
    sentences = [(printed(part.parse.words), [t.text for t in part.parse.tokens]) for part in simple]
    text = printed(whole.parse.words)
    try:
        script = column(whole)
        proven = fuse(sentences, script) == text
    except EditsError:
        proven = False
    if not proven:
        return None
    splits = list(_splits(whole))
    return {
        "inputs": text,
        "targets": " ".join(sentence for sentence, _ in sentences),
        "simple_sentences": [sentence for sentence, _ in sentences],
        "tokens": [" ".join(tokens) for _, tokens in sentences],
        "edits": script,
        "operations": [described(part) for part in splits],
        "quality": round(quality(len(splits)), 4),
    }


def _splits(part: Part) -> Iterator[Part]:
    if part.split is not None:
        yield part
        for half in part.below:
            yield from _splits(half)


def fuse(sentences: Sequence[tuple[str, Sequence[str]]], script: Sequence[str]) -> str:
    """Returns the text obtained by applying edits to simple sentences.

    Args:
        sentences: each as natural text, and its tokens with ASCII marks.
        script: the edits, as returned by ``column``.

    Raises:
        EditsError: the edits do not fit the sentences, or leave more than one.
    """
    left = list(sentences)
    for at, own in _steps(script):
        if at + 1 >= len(left):
            raise EditsError(f"there is no sentence {at + 1} to fuse with sentence {at}")
        (one, first), (two, second) = left[at : at + 2]
        if own:
            made = from_column(own, len(first), len(second))
            left[at : at + 2] = [(texts.fuse(f"{one} {two}", first, second, made), realise(first, second, made))]
        else:
            left[at : at + 2] = [(f"{one} {two}", [*first, *second])]
    if len(left) != 1:
        raise EditsError(f"the edits leave {len(left)} sentences")
    return left[0][0]


def _steps(script: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    at, own = -1, []
    for edit in script:
        name, _, number = edit.partition(" ")
        if name != _FUSE:
            if at < 0:
                raise EditsError(f"{edit!r} comes before the first 'fuse N'")
            own.append(edit)
            continue
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise EditsError(f"{edit!r} is not 'fuse N'")
        if at >= 0:
            yield at, own
        at, own = int(number), []
    if at >= 0:
        yield at, own


PROPOSITIONS, SENTENCES, REPHRASE = "propositions", "sentences", "rephrase"
_OF_SENTENCE = (
    Column("sentence_index", "int64", "position of the sentence in the document, from 0"),
    Column(
        "sentence_start", "int64", "where it begins in the text of the document, as `articles` writes it, in characters"
    ),
    Column("sentence_end", "int64", "where it ends"),
)
_COLUMNS = {
    PROPOSITIONS: (
        Column("id", "string", "unique: document id, sentence index, number in the sentence"),
        Column("proposition", "string", "a statement of the document, as natural text"),
        Column("sentence", "string", "the sentence from which it was made"),
        *_OF_SENTENCE,
        Column(
            "piece_starts", "list<int64>", "where each piece of the text that it is made of begins, in its own order"
        ),
        Column("piece_ends", "list<int64>", "where each piece ends"),
        Column("operations", "list<string>", "what was done to the sentence, in order: SPLIT, STATE, DELETE, REPLACE"),
        Column("context", "string", "titles of the document and of the section, which may be put before it"),
        Column("resolved", "bool", "whether it can be understood alone: nothing in it needs the surrounding text"),
        Column("resolved_with_title", "bool", "whether it stands alone once its context has been read"),
        Column("unresolved", "list<string>", "words that need the context, each with its kind: `PRONOUN it`"),
        Column("quality", "float64", "probability that splits and replacements are right, as far as they tell"),
    ),
    SENTENCES: (
        Column("id", "string", "unique: document id, sentence index"),
        Column("sentence", "string", "a sentence of the document, as natural text"),
        Column("propositions", "list<string>", "its statements, in order"),
        Column("resolved", "bool", "whether nothing in them needs the text around them"),
        Column("quality", "float64", "the least of its statements' qualities"),
        *_OF_SENTENCE,
    ),
    REPHRASE: (
        Column("id", "string", "unique: document id, sentence index"),
        Column("inputs", "string", "a complex sentence, as natural text"),
        Column("targets", "string", "its simple sentences, with a space between two"),
        Column("simple_sentences", "list<string>", "the same, one by one"),
        Column("tokens", "list<string>", "the tokens of each, joined by spaces, with ASCII marks"),
        Column("edits", "list<string>", "edits that make `inputs` of them: `fuse 1` begins those of sentences 1 and 2"),
        Column("operations", "list<string>", "the splits, in order"),
        Column("quality", "float64", "probability that the splits are right"),
        *_OF_SENTENCE,
    ),
}
_ABOUT = {
    PROPOSITIONS: "one row a statement, with the pieces of the text that it is made of",
    SENTENCES: "one row a sentence, with all its statements",
    REPHRASE: "one row a sentence that was split, with the edits that lead back: pronouns stay as they are",
}


class Propositions(Recipe[PropositionsConfig]):
    """Makes the rows of the configurations ``propositions``, ``sentences`` and ``rephrase``."""

    NAME = "propositions"
    HELP = "cut texts into self-contained statements, and sentences into simple ones"
    TITLE = "Propositions"
    SUMMARY = (
        "Statements that stand alone, made of running text by rules: sentences are split by the rules of DiscoFuse "
        "(Geva et al., 2019) until none matches, and pronouns and short mentions give way to their antecedents where "
        "the link is sure. `resolved` says whether a statement needs the text around it."
    )
    DESCRIPTION = (
        "Cuts texts into short statements for retrieval, fact checking and split-and-rephrase, without a language "
        "model. Sentences are split repeatedly by the rules and checks of discofuse. Then pronouns, names and mentions "
        'such as "the mill" are replaced with their antecedents where coreference is certain; uncertain mentions are '
        "left unchanged and marked. What the text does not assert keeps its condition or report. There are three "
        "configurations: `propositions`, one row per statement; `sentences`, one row per sentence; and `rephrase`, "
        "complex sentences with their simple ones. With --text TEXT or --text-file FILE, the statements of one text "
        "are printed instead."
    )
    EXAMPLES = (
        "propositions --input enwiki-latest-pages-articles-multistream.xml.bz2 --output propositions-en",
        "propositions --source jsonl --input texts.jsonl --output propositions --precision strict",
        "propositions --source annotated --input annotated-en --output propositions-en --coref minilm",
    )
    CONFIG = PropositionsConfig
    DOCUMENT = AnnotatedDocument
    REASONS = (PropositionsReason,)
    DISTRIBUTIONS = {
        "operations": "Operations",
        "resolved": "What stands alone",
        "unresolved": "What does not stand alone",
    }

    def __init__(self, config: PropositionsConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._stater = PropositionExtractor(config)

    @property
    def schema(self) -> DatasetSchema:
        """The configurations ``propositions``, the default, ``sentences`` and ``rephrase``."""
        return DatasetSchema(
            configs=tuple(
                ConfigSchema(name=name, columns=(*columns, *DOCUMENT_COLUMNS), description=_ABOUT[name])
                for name, columns in _COLUMNS.items()
            )
        )

    def process(self, document: AnnotatedDocument) -> Outcome:
        """Returns the document's rows, rejected sentences and counts.

        A sentence is used if it yields a statement. A document that yields none is rejected as a whole.
        """
        places, lineage = Places(document), lineage_values(document.origin)
        rows: list[Row] = []
        rejects: list[Reject] = []
        counts: Counter[str] = Counter()
        for index, found in self._stater.sentences(document):
            counts["sentences/read"] += 1
            tokens = document.sentences[index].tokens
            if isinstance(found, Reason):
                counts[f"sentences/rejected/{found.name}"] += 1
                detail = f"sentence: {tokenised_text(tokens)}"
                rejects.append(document.origin.reject(found, "recipe", detail, unit="sentence", index=index))
                continue
            counts["sentences/used"] += 1
            start, end = places.span(index, 0, len(tokens))
            of = {"sentence_index": index, "sentence_start": start, "sentence_end": end, **lineage}
            section = section_title(document, index)
            context = ": ".join(filter(None, (document.origin.title, section)))
            made = [
                Row(config, row_id, {"id": row_id, **values, **of})
                for config, row_id, values in _rows(f"{document.id}-{index:05d}", found, places, context)
            ]
            if found.whole.split is not None and made[-1].config != REPHRASE:
                counts[f"refused/{REPHRASE}/NOT_REVERSIBLE"] += 1
            rows += made
            counts.update(_counts(found))
        refused = None
        if not rows:
            detail = f"{len(document.sentences)} sentences"
            refused = document.origin.reject(PropositionsReason.NO_PROPOSITIONS, "recipe", detail)
        return Outcome(document.origin, tuple(rows), tuple(rejects), counts, refused)


def _rows(
    sentence_id: str, found: Divided, places: Places, context: str
) -> Iterator[tuple[str, str, dict[str, object]]]:
    text = printed(found.whole.parse.words)
    for number, statement in enumerate(found.statements):
        spans = [places.span(*piece) for piece in statement.pieces]
        proposition = {
            "context": context,
            "proposition": statement.text,
            "sentence": text,
            "piece_starts": [start for start, _ in spans],
            "piece_ends": [end for _, end in spans],
            "operations": list(statement.operations),
            "resolved": not statement.unresolved,
            "resolved_with_title": statement.with_title,
            "unresolved": [f"{u.kind.name} {u.text}".rstrip() for u in statement.unresolved],
            "quality": statement.quality,
        }
        yield PROPOSITIONS, f"{sentence_id}-{number:02d}", proposition
    whole = {
        "sentence": text,
        "propositions": [s.text for s in found.statements],
        "resolved": not any(s.unresolved for s in found.statements),
        "quality": min(s.quality for s in found.statements),
    }
    yield SENTENCES, sentence_id, whole
    simple = values(found.whole) if found.whole.split is not None else None
    if simple is not None:
        yield REPHRASE, sentence_id, simple


def kind_of(item: str) -> str:
    """Returns the kind of an item in ``operations`` or ``unresolved``: a split's type, a statement's rule or the first
    word."""
    name, _, detail = item.partition(" ")
    return f"{name} {detail.split()[0]}" if name in ("SPLIT", "STATE") else name


def grain_of(operations: Sequence[str]) -> str:
    """Returns the coarsest grain that can produce a statement with these ``operations``: ``sentence`` for a whole
    sentence, ``clause`` for a part split off or freed from a connective by ``discofuse``, else ``fact``."""
    grain = "sentence"
    for name, _, detail in (operation.partition(" ") for operation in operations):
        is_phrase = name == "DELETE" and detail.strip(" ,") not in _CONNECTIVES
        if is_phrase or name == "STATE" or detail.startswith("SEMICOLON"):
            return "fact"
        if name in ("SPLIT", "DELETE"):
            grain = "clause"
    return grain


def _counts(found: Divided) -> Counter[str]:
    """Counts the operations and open words: splits by their type, other operations by their names."""
    counts: Counter[str] = Counter()
    for statement in found.statements:
        counts.update(f"operations/{PROPOSITIONS}/{kind_of(operation)}" for operation in statement.operations)
        kinds = [u.kind.name for u in statement.unresolved] or ["none"]
        counts.update(f"unresolved/{PROPOSITIONS}/{kind}" for kind in kinds)
        level = "alone" if not statement.unresolved else "with_title" if statement.with_title else "open"
        counts[f"resolved/{PROPOSITIONS}/{level}"] += 1
    return counts
