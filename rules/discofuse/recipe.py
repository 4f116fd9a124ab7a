"""The DiscoFuse recipe, which makes sentence-fusion examples from annotated documents."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib.resources import files

from typing_extensions import override

from gistmill.core import deadline
from gistmill.core.hashing import unit_interval
from gistmill.core.records import Outcome, Reason, Reject, Row
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema, Figure, Groups, ratio
from gistmill.rules.coreference.lexicon import PRONOUNS, REFLEXIVES
from gistmill.rules.discofuse import candidate as derivation
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.discofuse.config import DiscoFuseConfig, bare
from gistmill.rules.discofuse.parse import Parse, Word, Words, as_natural
from gistmill.rules.discofuse.splitter import LONGEST_SENTENCE, Splitter
from gistmill.rules.documents import AnnotatedDocument, natural_text, tokenised_text
from gistmill.rules.lineage import Operation
from gistmill.rules.recipe import SALT, Recipe


def has_pronoun(words: Iterable[Word]) -> bool:
    """Whether a sentence contains a third-person personal or possessive pronoun; reflexives do not count."""
    return any(w.text.lower() in PRONOUNS and w.text.lower() not in REFLEXIVES for w in words)


def pronouns(groups: Groups, config: str) -> Figure:
    """Returns the figure on a configuration's pronouns from the grouped counts of a dataset."""
    rows, found = groups.get(f"types/{config}", {}), groups.get(f"pronouns/{config}", {})
    return Figure(
        key=f"pronouns_{config}",
        title=f"Pronouns in second sentences: {config}",
        note="Rows whose second sentence has a personal or possessive pronoun of the third person. "
        "PAIR_NONE is the control class: in the released rows that were read, 6 of 32 (19%) have one.",
        head=("type", "rows", "with a pronoun", "share"),
        rows=[(kind, rows[kind], found.get(kind, 0), ratio(found.get(kind, 0), rows[kind])) for kind in sorted(rows)],
        bars=("share",),
    )


def beside_released(groups: Groups, config: str) -> tuple[Figure, Figure]:
    """Returns the figures that compare a configuration with the paper's Table 16 and the types of released rows.

    Args:
        groups: the grouped counts of a dataset.
        config: the configuration; released rows are down-sampled, like ``balanced``.
    """
    paper = tomllib.loads(files(__package__).joinpath("released.toml").read_text(encoding="utf-8"))
    types, released = groups[f"types/{config}"], sum(paper["types"].values())
    rows = sum(types.values())
    connectives: Counter[str] = Counter()
    for name, number in groups.get(f"connectives/{config}", {}).items():
        connectives[bare(name)] += number
    shares = {name: (connectives[name], round(share / 100, 6)) for name, share in paper["connectives"].items()}
    kinds = {name: (types.get(name, 0), ratio(number, released)) for name, number in paper["types"].items()}
    return (
        Figure(
            key=f"connectives_{config}",
            title=f"Connectives beside the paper: {config}",
            note="Shares of all rows, without commas. The paper's are those of its Wikipedia part (Table 16).",
            head=("connective", "here", "paper"),
            rows=[(name, ratio(number, rows), share) for name, (number, share) in shares.items()],
            bars=("here", "paper"),
            in_card=True,
        ),
        Figure(
            key=f"types_{config}",
            title=f"Types beside released rows: {config}",
            note=f"The paper's Figure 4 has no numbers. So the types of {released} released rows stand beside these.",
            head=("type", "here", "released rows"),
            rows=[(name, ratio(number, rows), share) for name, (number, share) in kinds.items()],
            bars=("here", "released rows"),
            in_card=True,
        ),
    )


FULL, BALANCED = "full", "balanced"

COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id, sentence index, discourse type, number"),
    Column("coherent_first_sentence", "string", "first sentence of the original text, tokens joined by spaces"),
    Column("coherent_second_sentence", "string", "second sentence of the original text; empty if it has one"),
    Column("incoherent_first_sentence", "string", "first sentence of the split text, tokens joined by spaces"),
    Column("incoherent_second_sentence", "string", "second sentence of the split text, tokens joined by spaces"),
    Column("discourse_type", "string", "discourse phenomenon found in the original text"),
    Column("connective_string", "string", "connective removed from the original text, or empty"),
    Column("has_coref_type_pronoun", "float64", "1.0 if a pronoun was replaced, else 0.0"),
    Column("has_coref_type_nominal", "float64", "1.0 if a nominal or a name was replaced, else 0.0"),
    Column("inputs", "string", "the split text, as natural text"),
    Column("targets", "string", "the original text, as natural text"),
    Column("edits", "list<string>", "edits that make the original text of the split text, such as `5 delete`"),
    Column("document_id", "string", "id of the document"),
    Column("revision", "string", "revision of the document in its source"),
    Column("title", "string", "title of the document"),
    Column("url", "string", "address of the page, or empty"),
    Column("sentence_index", "int64", "position of the (first) sentence in the document"),
)


# The columns of the released files, in order.
RELEASED_COLUMNS = tuple(c.name for c in COLUMNS[1:9])


class DiscoFuse(Recipe[DiscoFuseConfig]):
    """Makes the rows of the configurations ``full`` and ``balanced`` (a down-sampled subset) from documents."""

    NAME = "discofuse"
    HELP = "build a sentence-fusion dataset (DiscoFuse) from a Wikipedia dump"
    TITLE = "DiscoFuse"
    SUMMARY = (
        "Sentence fusion examples made from running text by the rules of DiscoFuse (Geva et al., 2019): `inputs` are "
        "two independent sentences, `targets` the original text that fuses them."
    )
    DESCRIPTION = (
        "Builds a DiscoFuse dataset (Geva et al., 2019): texts of one or two sentences, each split into two "
        "independent sentences, with the discourse phenomenon that was undone. There are two configurations: "
        "`balanced`, which loads by default, and `full`, in which frequent phenomena are not down-sampled."
    )
    EXAMPLES = (
        "discofuse --input enwiki-20261101-pages-articles-multistream.xml.bz2 --output discofuse-en",
        "discofuse --input 'dumps/*.bz2' --output try --limit 1000 --splits 80,10,10",
        "discofuse --source annotated --input annotated-en --output discofuse-en --conventions released",
    )
    CONFIG = DiscoFuseConfig
    DOCUMENT = AnnotatedDocument
    REASONS = (DiscoFuseReason,)
    COLUMNS = COLUMNS
    DISTRIBUTIONS = {"types": "Types", "connectives": "Connectives"}
    TYPE = "discourse_type"

    def __init__(self, config: DiscoFuseConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=f"{salt}-balanced")
        self._splitter = Splitter(config)

    @property
    def schema(self) -> DatasetSchema:
        """The configurations ``balanced``, the default, and ``full``; their TSV files have the released columns."""
        make = partial(ConfigSchema, columns=COLUMNS, tsv_columns=RELEASED_COLUMNS)
        balanced = f"the part of `{FULL}` that is left when frequent phenomena are down-sampled"
        full = "every example; most are `PAIR_NONE`, whose inputs are their targets"
        return DatasetSchema(configs=(make(name=BALANCED, description=balanced), make(name=FULL, description=full)))

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns the connectives and types of ``balanced`` next to the released ones, and how often second sentences
        contain a third-person pronoun, by type and configuration."""
        beside = beside_released(groups, BALANCED) if f"types/{BALANCED}" in groups else ()
        return (*beside, *(pronouns(groups, config) for config in (FULL, BALANCED) if f"types/{config}" in groups))

    def process(self, document: AnnotatedDocument) -> Outcome:
        """Returns the document's rows, rejected candidates and counts.

        Each sentence, and each pair of consecutive sentences in a paragraph, is read once and is either used or
        rejected for one reason. A document that yields no rows is rejected as a whole.
        """
        parses = [Parse(s) for s in document.sentences]
        work = _Work(document, parses, self.config, self.salt)
        for unit, index, found in self.judged(document, parses):
            work.take(unit, index, found)
        return work.outcome()

    def judged(
        self, document: AnnotatedDocument, parses: Sequence[Parse]
    ) -> Iterator[tuple[str, int, Reason | tuple[Candidate, ...]]]:
        """Yields the verdict of the rules on each sentence and on each pair within a paragraph.

        Args:
            document: the document.
            parses: the parses of its sentences.

        Yields:
            ``sentences`` or ``pairs``, the index of the (first) sentence, and its candidates or the reason for
            rejecting it before applying any rule.
        """
        unfit = [self._unfit(p) for p in parses]
        links = Links(document.clusters)
        for i, parse in enumerate(parses):
            if i % deadline.STRIDE == 0:
                deadline.check()
            yield "sentences", i, unfit[i] or self._splitter.candidates(parse, links=links, index=i)
            if i + 1 < len(parses) and document.sentences[i].paragraph == document.sentences[i + 1].paragraph:
                reason = self._unfit_pair(parses, unfit, i)
                yield "pairs", i, reason or self._splitter.candidates(parse, parses[i + 1], links=links, index=i)

    @override
    def operations(self, document: AnnotatedDocument, row_id: str) -> tuple[Operation, ...]:
        head, kind, number = row_id.rsplit("-", 2)
        index = int(head.rpartition("-")[2])
        parses = [Parse(s) for s in document.sentences[index : index + 1 + kind.startswith("PAIR")]]
        found = self._splitter.candidates(*parses, links=Links(document.clusters), index=index)
        accepted = [c for c in found if c.verdict.accepted and c.discourse_type.name == kind]
        return derivation.operations(accepted[int(number)], [p.tokens for p in parses])

    def _unfit(self, parse: Parse) -> Reason | None:
        text = "".join([t[0] for t in parse.tokens])
        if " " in text:
            return DiscoFuseReason.SPACED_TOKEN
        if len(parse) < self.config.min_text_tokens:
            return DiscoFuseReason.TOO_SHORT
        if len(parse) > LONGEST_SENTENCE:
            return DiscoFuseReason.RUN_ON
        if self.config.rejects_non_ascii and not text.isascii():
            return DiscoFuseReason.NON_ASCII
        return None

    def _unfit_pair(self, parses: Sequence[Parse], unfit: Sequence[Reason | None], i: int) -> Reason | None:
        reasons = unfit[i : i + 2]
        for reason in (DiscoFuseReason.SPACED_TOKEN, DiscoFuseReason.RUN_ON):
            if reason in reasons:
                return reason
        # the paper's length filter applies to the text: two short sentences may form a long enough pair
        if len(parses[i]) + len(parses[i + 1]) < self.config.min_text_tokens:
            return DiscoFuseReason.TOO_SHORT
        ascii_only = self.config.rejects_non_ascii and any(reasons)
        foreign = ascii_only and not all(t[0].isascii() for p in parses[i : i + 2] for t in p.tokens)
        return DiscoFuseReason.NON_ASCII if foreign else None


class _Work:
    """Collects the rows, rejects and counts of one document."""

    def __init__(
        self, document: AnnotatedDocument, parses: Sequence[Parse], config: DiscoFuseConfig, salt: str
    ) -> None:
        self._salt = salt
        self._document = document
        self._parses = parses
        self._config = config
        self._rows: list[Row] = []
        self._rejects: list[Reject] = []
        self._counts: Counter[str] = Counter()
        self._made: dict[int, tuple[str, str]] = {}

    def take(self, unit: str, index: int, found: Reason | tuple[Candidate, ...]) -> None:
        """Records the outcome for a sentence or pair: candidates, or the reason why no rule was applied."""
        self._counts[f"{unit}/read"] += 1
        if not isinstance(found, tuple):
            self._counts[f"{unit}/rejected/{found.name}"] += 1
            return
        seen: Counter[str] = Counter()
        for candidate in found:
            kind, reason = candidate.discourse_type.name, candidate.verdict.reason
            if reason is None:
                self._add_rows(unit, index, candidate, seen[kind])
                seen[kind] += 1
            else:
                self._counts[f"refused/{kind}/{reason.name}"] += 1
        if seen:
            self._counts[f"{unit}/used"] += 1
            return
        reason = (found[0].verdict.reason if found else None) or DiscoFuseReason.NO_PHENOMENON
        self._counts[f"{unit}/rejected/{reason.name}"] += 1
        if found:
            detail = f"{found[0].discourse_type.name}: {found[0].verdict.detail}"
            self._rejects.append(Reject(self._document.origin, reason, "recipe", detail, unit[:-1], index))

    def _add_rows(self, unit: str, index: int, candidate: Candidate, number: int) -> None:
        kind = candidate.discourse_type.name
        row_id = f"{self._document.origin.id}-{index:05d}-{kind}-{number}"
        values = self._values(row_id, unit, index, candidate)
        rate = self._config.balanced_rate(kind, candidate.connective_string)
        kept = rate >= 1 or unit_interval(self._salt, row_id) < rate
        pronoun = has_pronoun(candidate.second)
        for config in (FULL, BALANCED) if kept else (FULL,):
            self._rows.append(Row(config, row_id, values))
            self._counts[f"types/{config}/{kind}"] += 1
            if pronoun:
                self._counts[f"pronouns/{config}/{kind}"] += 1
            if candidate.connective_string:
                self._counts[f"connectives/{config}/{candidate.connective_string}"] += 1

    def _texts(self, words: Words, index: int) -> tuple[str, str]:
        """Returns words in tokenised and natural form, computed only once for an unchanged sentence."""
        own = words is self._parses[index].words
        if own and index in self._made:
            return self._made[index]
        made = tokenised_text(words), natural_text(as_natural(words, keep_marks=self._config.keeps_marks))
        if own:
            self._made[index] = made
        return made

    def _values(self, row_id: str, unit: str, index: int, candidate: Candidate) -> dict[str, object]:
        last = index + (unit == "pairs")
        text = [p.words for p in self._parses[index : last + 1]]
        first, second = self._texts(text[0], index), self._texts(text[1], last) if text[1:] else ("", "")
        split = self._texts(candidate.first, index), self._texts(candidate.second, last)
        origin = self._document.origin
        return {
            "id": row_id,
            "coherent_first_sentence": first[0],
            "coherent_second_sentence": second[0],
            "incoherent_first_sentence": split[0][0],
            "incoherent_second_sentence": split[1][0],
            "discourse_type": candidate.discourse_type.name,
            "connective_string": candidate.connective_string,
            "has_coref_type_pronoun": float(candidate.has_coref_type_pronoun),
            "has_coref_type_nominal": float(candidate.has_coref_type_nominal),
            "inputs": f"{split[0][1]} {split[1][1]}",
            "targets": f"{first[1]} {second[1]}".rstrip(),
            "edits": derivation.column(candidate, *text),
            "document_id": origin.id,
            "revision": origin.revision,
            "title": origin.title,
            "url": origin.metadata.url,
            "sentence_index": index,
        }

    def outcome(self) -> Outcome:
        """Returns the recorded outcome."""
        origin, rows, rejects = self._document.origin, tuple(self._rows), tuple(self._rejects)
        detail = f"{len(self._document.sentences)} sentences"
        refused = None if rows else origin.reject(DiscoFuseReason.NO_EXAMPLES, "recipe", detail)
        return Outcome(origin, rows=rows, rejects=rejects, counts=dict(self._counts), refused=refused)
