"""The WikiTransfer recipe, which makes at most one example per profile in one pass over a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, Literal

from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Reason, Row
from gistmill.core.statistics import Cell, ConfigSchema, DatasetSchema, Figure, Groups, ratio
from gistmill.rules.documents import DocumentReason, SegmentedDocument
from gistmill.rules.lineage import language_of
from gistmill.rules.recipe import SALT, Recipe, Refused, outcome_of_units
from gistmill.rules.rouge.scoring import Tokens, join, tokenise_all
from gistmill.rules.rouge.selection import ScoredDocument
from gistmill.rules.text.words import words_for
from gistmill.rules.wikitransfer.example import (
    BINS,
    COLUMNS,
    IND_ORIG_P,
    LEAD,
    NOVEL_SIZES,
    ORACLE_STEP,
    STEPS,
    UNIT,
    Example,
    Profile,
    WikiTransferReason,
    into_range,
    oracle_key,
    oracles,
    profile_of,
)
from gistmill.rules.wikitransfer.profiles import BUILT_IN, PROFILES

_MOST_ROWS = 40
_HISTOGRAMS = {
    "document_words": ("Document words", "words in the inputs"),
    "summary_words": ("Summary words", "words in the targets"),
    "compression": ("Compression", "words in the inputs per word in the targets"),
    "coverage": ("Extractive fragment coverage", "share of the summary's words that are in a shared fragment"),
    "density": ("Extractive fragment density", "mean length of the fragment that contains a word of the summary"),
}


def _profiles(groups: Groups, names: Sequence[str]) -> Figure:
    columns = [groups[f"profiles/{name}"] for name in names]
    keys = ("read", "used", *sorted({k for c in columns for k in c if k.startswith("rejected/")}))
    rows: list[tuple[Cell, ...]] = [(key.replace("/", ": "), *(c.get(key, 0) for c in columns)) for key in keys]
    return Figure(
        key="profiles",
        title="Profiles",
        head=("documents", *names),
        rows=rows,
        note="Number of documents used by each profile, and the reasons for rejecting others.",
    )


def _measures(groups: Groups, names: Sequence[str]) -> Figure:
    def means(measure: str, whole: str = "used", unit: int = UNIT) -> list[Cell]:
        sums = [{**groups.get(f"measures/{n}", {}), "used": groups[f"profiles/{n}"].get("used", 0)} for n in names]
        return [ratio(of.get(measure, 0), unit * of.get(whole, 0)) for of in sums]

    rows = [
        ("oracle ROUGE", *means("oracle")),
        *((m.replace("_", " "), *means(m)) for m in STEPS),
        *((f"novel {n}-grams", *means(f"novel_{n}grams", f"{n}grams", 1)) for n in NOVEL_SIZES),
        ("share with sentences removed", *means("changed", unit=1)),
        ("sentences removed", *means("removed", unit=1)),
    ]
    return Figure(
        key="measures",
        title="Means of the examples",
        head=("measure", *names),
        rows=rows,
        note="Coverage, density and compression as defined by Grusky et al. (2018), for words as in ROUGE; novel "
        "n-grams as a share of all n-grams in the summaries.",
    )


def _bins(groups: Groups, names: Sequence[str]) -> Figure:
    rows = []
    for label, (low, high) in BINS.items():
        cells: list[Cell] = []
        for name in names:
            for group in ("all", "kept"):
                inside = range(low // ORACLE_STEP, high // ORACLE_STEP)
                cells.append(sum(n for at, n in _of(groups, name, group).items() if at in inside))
        rows.append((f"{label}, {low} to {high}", *cells))
    return Figure(
        key="bins",
        title="Kept by bin",
        head=("bin", *_pairs(names)),
        rows=rows,
        note="Number of documents with an oracle in each of the paper's bins (which overlap), before and after "
        "filtering; upper bounds are exclusive here.",
    )


def _oracle(groups: Groups, names: Sequence[str]) -> Figure:
    columns = [_of(groups, name, group) for name in names for group in ("all", "kept")]
    last = max((at for c in columns for at in c), default=-1)
    return Figure(
        key="oracle",
        title="Oracle ROUGE",
        head=("from", *_pairs(names)),
        bars=tuple(_pairs(names)),
        rows=[(str(ORACLE_STEP * at), *(c.get(at, 0) for c in columns)) for at in range(last + 1)],
        note="Number of documents by the ROUGE of their extractive oracle: all documents that have an oracle, before "
        "any sentences are removed, and the documents kept.",
    )


def _histogram(groups: Groups, names: Sequence[str], measure: str) -> Figure:
    title, meaning = _HISTOGRAMS[measure]
    step = STEPS[measure]
    columns = [{int(at): n for at, n in groups.get(f"{measure}/{name}", {}).items()} for name in names]
    last = max((at for c in columns for at in c), default=-1)
    rows: list[tuple[Cell, ...]] = []
    for at in range(min(last + 1, _MOST_ROWS)):
        inside = range(at, last + 1) if at == _MOST_ROWS - 1 else range(at, at + 1)
        rows.append((f"{at * step:g}", *(sum(c.get(i, 0) for i in inside) for c in columns)))
    more = "; the last row includes all higher values" if last >= _MOST_ROWS else ""
    return Figure(
        key=measure,
        title=title,
        head=("from", *names),
        rows=rows,
        bars=tuple(names),
        note=f"Number of examples by {meaning}{more}.",
    )


def _of(groups: Groups, name: str, group: str) -> dict[int, int]:
    counts = groups.get(f"oracle/{name}", {})
    return {int(key.removeprefix(f"{group}/")): n for key, n in counts.items() if key.startswith(f"{group}/")}


def _pairs(names: Sequence[str]) -> list[str]:
    return [f"{name}{suffix}" for name in names for suffix in ("", " kept")]


@dataclass(frozen=True, kw_only=True)
class WikiTransferConfig(Options):
    """The recipe's options: its profiles, with all their values, so that the manifest records them."""

    GROUP: ClassVar[str] = "recipe"

    profile: tuple[Mapping[str, Any], ...] = option(
        PROFILES,
        required=True,
        help="comma-separated profiles, each of which becomes a configuration: "
        f"{', '.join(BUILT_IN)}, or a YAML file with your own profile",
    )


class WikiTransfer(Recipe[WikiTransferConfig]):
    """The recipe, which makes examples for several profiles in one pass; each profile becomes a configuration."""

    NAME = "wikitransfer"
    HELP = "build summarization datasets that resemble others, or fit a profile"
    TITLE = "WikiTransfer"
    SUMMARY = (
        "Summarization examples from articles themselves (WikiTransfer, Fabbri et al., 2021): `targets` are a few "
        "sentences of an article, `inputs` the rest of it, kept where an extractive summary would be as good as in the "
        "dataset that the profile represents."
    )
    DESCRIPTION = (
        "Builds summarization datasets without labels that resemble others (WikiTransfer, Fabbri et al., "
        "2021). `targets` are M sentences of an article, by default the first, and `inputs` the rest. An "
        "article is kept if the M remaining sentences that best cover the summary have a ROUGE within the "
        "profile's range. Several profiles can be built in one pass."
    )
    EXAMPLES = (
        "wikitransfer --profile cnndm,xsum --input enwiki-latest-pages-articles-multistream.xml.bz2 --output summaries",
        "wikitransfer --fit pairs.jsonl --output mine.yaml",
        "wikitransfer --profile mine.yaml --source warc --input 'crawl/*.warc.gz' --output transfer-mine",
    )
    CONFIG = WikiTransferConfig
    DOCUMENT = SegmentedDocument
    TASKS = ("summarization",)
    REASONS = (WikiTransferReason,)
    COLUMNS = COLUMNS
    UNIT = "profiles"

    def __init__(self, config: WikiTransferConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self.profiles = tuple(map(profile_of, config.profile))

    @property
    def schema(self) -> DatasetSchema:
        """The dataset's schema, with a configuration for each profile."""
        configs = []
        for p in self.profiles:
            many = "" if p.sentences == 1 else "s"
            about = (
                f"summaries of {p.sentences} sentence{many} ({p.selection}), {p.rouge} {p.measure} of the oracle from "
                f"{p.min_oracle:g} to {p.max_oracle:g}"
            )
            configs.append(ConfigSchema(name=p.name, columns=COLUMNS, description=about))
        return DatasetSchema(configs=tuple(configs))

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns figures with the use of each profile, the measures of its examples, and its oracles by bin."""
        names = [name.removeprefix("profiles/") for name in sorted(groups) if name.startswith("profiles/")]
        if not names:
            return []
        made = (make(groups, names) for make in (_profiles, _measures, _bins, _oracle))
        return [*made, *(_histogram(groups, names, measure) for measure in STEPS)]

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the rows and counts, and the reasons of the profiles that rejected the document.

        A document that no profile can use is rejected for the reason that all profiles share, or else for NO_PROFILE.
        """
        prepared = Prepared(document, self.profiles)
        rows: list[Row] = []
        refused: dict[str, Refused] = {}
        counts: Counter[str] = Counter(prepared.language.counts)
        for profile in self.profiles:
            name = profile.name
            counts[f"profiles/{name}/read"] += 1
            try:
                row, more = _example(prepared, profile, counts).row()
            except Refused as refusal:
                refused[name] = refusal
                counts[f"profiles/{name}/rejected/{refusal.reason.name}"] += 1
            else:
                rows.append(row)
                counts[f"profiles/{name}/used"] += 1
                counts.update(more)
        mixed = WikiTransferReason.NO_PROFILE
        return outcome_of_units(document, rows, refused, dict(counts), unit="profile", mixed=mixed, brief=True)


class Prepared:
    """A document with data shared by all profiles: word counts of its sentences, and their tokens, which are computed
    only once and only as far as any profile reads."""

    def __init__(self, document: SegmentedDocument, profiles: Sequence[Profile]) -> None:
        self.document = document
        self.language = words_for(language_of(document.origin))
        self.words = [self.language.count(s.text) for s in document.sentences]
        self._ends = list(accumulate(self.words, initial=0))
        self._most = max(self.reach(p) for p in profiles)
        self._tokens: dict[bool, list[Tokens]] = {}

    def reach(self, profile: Profile) -> int:
        """Returns the number of sentences a profile reads: a leading summary and the sentences that fit after it."""
        begin = min(profile.sentences if profile.selection == LEAD else 0, len(self.words))
        most = self._ends[begin] + profile.max_document_words
        if not profile.max_document_words or not profile.cut or self._ends[-1] <= most:
            return len(self.words)
        return sum(end <= most for end in self._ends) - 1

    def tokens(self, *, stemmer: bool) -> Sequence[Tokens]:
        """Returns the tokenised sentences."""
        if stemmer not in self._tokens:
            texts = [s.text for s in self.document.sentences[: self._most]]
            self._tokens[stemmer] = tokenise_all(texts, stemmer=stemmer, language=self.language.language.code)
        return self._tokens[stemmer]


def _example(prepared: Prepared, profile: Profile, counts: Counter[str]) -> Example:
    """Returns the example, and counts the first oracle; raises Refused if the profile rejects the document."""
    reach = prepared.reach(profile)
    if reach < 2 * profile.sentences:
        raise Refused(DocumentReason.TOO_FEW_SENTENCES, f"{reach} sentences")
    tokens = prepared.tokens(stemmer=profile.stemmer)
    summary: Sequence[int] = range(profile.sentences)
    if profile.selection != LEAD:
        measure: Literal["precision", "fmeasure"] = "precision" if profile.selection == IND_ORIG_P else "fmeasure"
        summary = sorted(ScoredDocument.of(tokens[:reach]).principal(profile.sentences, measure=measure))
    chosen = frozenset(summary)
    rest = [i for i in range(reach) if i not in chosen]
    _check_words(
        sum(prepared.words[i] for i in summary),
        profile.min_summary_words,
        profile.max_summary_words,
        (WikiTransferReason.SUMMARY_TOO_SHORT, WikiTransferReason.SUMMARY_TOO_LONG),
    )
    sizes = (
        profile.min_document_words,
        profile.max_document_words,
        (WikiTransferReason.DOCUMENT_TOO_SHORT, WikiTransferReason.DOCUMENT_TOO_LONG),
    )
    _check_words(sum(prepared.words[i] for i in rest), *sizes)
    found = oracles([tokens[i] for i in rest], join([tokens[i] for i in summary]), profile)
    first, final = into_range(found, profile)
    counts[oracle_key(profile.name, "all", first.rouge)] += 1
    if not profile.min_oracle <= final.rouge <= profile.max_oracle:
        high = final.rouge > profile.max_oracle
        raise Refused(
            WikiTransferReason.ORACLE_TOO_HIGH if high else WikiTransferReason.ORACLE_TOO_LOW, f"{final.rouge:.4f}"
        )
    indices, removed = (tuple(rest[i] for i in places) for places in (final.indices, final.removed))
    kept = sorted({*rest} - {*removed})
    if removed:
        _check_words(sum(prepared.words[i] for i in kept), *sizes)
    return Example(
        profile=profile,
        document=prepared.document,
        summary=summary,
        rest=kept,
        oracle=final._replace(indices=indices, removed=removed),
        tokens=prepared.tokens(stemmer=False),
        words=prepared.words,
        joiner=prepared.language.language.joiner,
    )


def _check_words(words: int, least: int, most: int, reasons: tuple[Reason, Reason]) -> None:
    if words < least:
        raise Refused(reasons[0], f"{words} words")
    if most and words > most:
        raise Refused(reasons[1], f"{words} words")
