"""The WikiTransfer recipe: one pass over a document makes at most one example for each profile."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from rules.lineage import document_reject
from rules.records import Outcome, Reject, Row, SegmentedDocument
from rules.rouge.selection import ScoredDocument
from rules.rouge.tokens import Tokens, join, tokenise_all
from rules.verdict import Reason
from rules.wikitransfer.example import COLUMNS, Example, oracle_key
from rules.wikitransfer.oracle import Oracle, into_range, oracles
from rules.wikitransfer.profile import IND_ORIG_P, LEAD, Profile


class WikiTransfer:
    """Makes the examples of several profiles; each has a configuration of its name.

    Raises:
        ValueError: at construction, if two profiles have the same name, or there is none.
    """

    COLUMNS = COLUMNS
    DOCUMENT = SegmentedDocument

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self.profiles = tuple(profiles)
        self.CONFIGS = tuple(p.name for p in self.profiles)
        if not profiles or len(set(self.CONFIGS)) < len(self.CONFIGS):
            raise ValueError(f"profiles need different names, not {', '.join(self.CONFIGS) or 'none'}")

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the rows; where there is none the reason, else the refusals of the other profiles; and the counts.

        A document that no profile can use is refused for the reason that all of them have, or for NO_PROFILE.
        """
        prepared = Prepared(document, self.profiles)
        rows: list[Row] = []
        refused: dict[str, Refused] = {}
        counts: Counter[str] = Counter()
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
        return Outcome(document.id, document.range_key, rows=tuple(rows), counts=dict(counts), **_refusals(
            document, refused, used=bool(rows)))


class Refused(Exception):
    """A profile cannot use a document: ``reason``, and ``detail``, the measure that decided."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


class Prepared:
    """A document with what profiles share: the words of its sentences, and these tokenised once, as far as any profile
    reads."""

    def __init__(self, document: SegmentedDocument, profiles: Sequence[Profile]) -> None:
        self.document = document
        self.words = [len(s.text.split()) for s in document.sentences]
        self._ends = list(accumulate(self.words, initial=0))
        self._most = max(self.reach(p) for p in profiles)
        self._tokens: dict[bool, list[Tokens]] = {}

    def reach(self, profile: Profile) -> int:
        """Returns how many sentences the profile reads: a leading summary, and what is within its bound after it."""
        begin = min(profile.sentences if profile.selection == LEAD else 0, len(self.words))
        most = self._ends[begin] + profile.max_document_words
        if not profile.max_document_words or not profile.cut or self._ends[-1] <= most:
            return len(self.words)
        return sum(end <= most for end in self._ends) - 1

    def tokens(self, *, stemmer: bool) -> Sequence[Tokens]:
        """Returns the tokenised sentences."""
        if stemmer not in self._tokens:
            texts = [s.text for s in self.document.sentences[:self._most]]
            self._tokens[stemmer] = tokenise_all(texts, stemmer=stemmer)
        return self._tokens[stemmer]


def _example(prepared: Prepared, profile: Profile, counts: Counter[str]) -> Example:
    """Returns the example, or raises Refused; counts the oracle that was found first."""
    reach = prepared.reach(profile)
    if reach < 2 * profile.sentences:
        raise Refused(Reason.TOO_FEW_SENTENCES, f"{reach} sentences")
    tokens = prepared.tokens(stemmer=profile.stemmer)
    summary = _summary(tokens[:reach], profile)
    chosen = frozenset(summary)
    rest = [i for i in range(reach) if i not in chosen]
    _check_words(sum(prepared.words[i] for i in summary), profile.min_summary_words, profile.max_summary_words,
                 (Reason.SUMMARY_TOO_SHORT, Reason.SUMMARY_TOO_LONG))
    sizes = (profile.min_document_words, profile.max_document_words,
             (Reason.DOCUMENT_TOO_SHORT, Reason.DOCUMENT_TOO_LONG))
    _check_words(sum(prepared.words[i] for i in rest), *sizes)
    found = oracles([tokens[i] for i in rest], join([tokens[i] for i in summary]), profile)
    first, final = into_range(found, profile)
    counts[oracle_key(profile.name, "all", first.rouge)] += 1
    if not profile.min_oracle <= final.rouge <= profile.max_oracle:
        high = final.rouge > profile.max_oracle
        raise Refused(Reason.ORACLE_TOO_HIGH if high else Reason.ORACLE_TOO_LOW, f"{final.rouge:.4f}")
    oracle = Oracle(final.rouge, *(tuple(rest[i] for i in indices) for indices in final[1:]))
    removed = frozenset(oracle.removed)
    kept = [i for i in rest if i not in removed]
    if removed:
        _check_words(sum(prepared.words[i] for i in kept), *sizes)
    return Example(profile=profile, document=prepared.document, summary=summary, rest=kept, oracle=oracle,
                   tokens=prepared.tokens(stemmer=False), words=prepared.words)


def _summary(tokens: Sequence[Tokens], profile: Profile) -> Sequence[int]:
    """Returns the positions of the summary's sentences, in order."""
    if profile.selection == LEAD:
        return range(profile.sentences)
    measure = "precision" if profile.selection == IND_ORIG_P else "fmeasure"
    return sorted(ScoredDocument.of(tokens).principal(profile.sentences, measure=measure))


def _check_words(words: int, least: int, most: int, reasons: tuple[Reason, Reason]) -> None:
    if words < least:
        raise Refused(reasons[0], f"{words} words")
    if most and words > most:
        raise Refused(reasons[1], f"{words} words")


def _refusals(document: SegmentedDocument, refused: Mapping[str, Refused], *, used: bool) -> dict[str, object]:
    """The Outcome's ``rejects`` where the document was used, else its ``refused``."""
    if used:
        rejects: tuple[Reject, ...] = tuple(
            document_reject(document, r.reason, f"{name}: {r.detail}", unit="profile") for name, r in refused.items())
        return {"rejects": rejects}
    reasons = {r.reason for r in refused.values()}
    details = "; ".join(f"{name}: {r.detail}" if len(reasons) == 1 else f"{name}: {r.reason.name}, {r.detail}"
                        for name, r in refused.items())
    return {"refused": document_reject(document, reasons.pop() if len(reasons) == 1 else Reason.NO_PROFILE, details)}
