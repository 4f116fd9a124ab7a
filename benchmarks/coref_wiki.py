"""How often a coreference adapter finds what an "it", a "they" or a "the team" of Wikipedia means.

It has to leave those alone that mean nothing named before.

    python -m benchmarks.coref_wiki [--coref sieve] [--part dev|test|all] [--errors]

The rows are benchmarks/data/coref_wiki.jsonl (fields and licence in NOTICE.md there); the adapter sees a row's text and
the page's title. A row is linked at a cut when the anaphor is in a cluster with an earlier mention, with at least that
confidence. A link is right when two mentions are: the nearest earlier one of the cluster, and the one that a rule would
put in the anaphor's place (names before nominals before pronouns, then the first). Both must have their head in an
acceptable span, or cover a group that is meant as a whole; so every link of a row without an antecedent is wrong.
--errors lists wrong and missing links at the cut. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.coref_gap import CUTS, Parsed, parse
from benchmarks.slice import Text
from gistmill.rules.coreference.scorer import CUT
from gistmill.rules.documents import Mention
from gistmill.transforms.coreference import NAMES, load_resolver
from gistmill.transforms.models import load_model

DATA = Path(__file__).parent / "data" / "coref_wiki.jsonl"
KINDS = ("it", "they", "nominal")
PARTS = ("dev", "test")
_RANK = {"name": 0, "nominal": 1, "pronoun": 2}

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A row: an anaphor in a text, with the spans of every earlier mention of what it means.

    ``antecedents`` hold a mention's head or whole name, ``groups`` coordinations; both are empty when there is none.
    """

    id: str
    page: str
    title: str
    part: str
    kind: str
    text: str
    anaphor: Span
    antecedents: tuple[Span, ...]
    groups: tuple[Span, ...]

    @property
    def has_antecedent(self) -> bool:
        """Whether the text names before the anaphor what it means."""
        return bool(self.antecedents or self.groups)


@dataclass(frozen=True, slots=True)
class Link:
    """What a resolver says of a case: the two mentions that decide, as characters, and whether both are right."""

    nearest: Span
    replacing: Span
    right: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of rows; a link of a row without antecedent is in ``linked``, never in ``right``."""

    rows: int
    anaphoric: int
    linked: int
    right: int
    linked_without: int

    @property
    def precision(self) -> float:
        """Share of the links that are right."""
        return self.right / max(1, self.linked)

    @property
    def answered(self) -> float:
        """Share of the rows with an antecedent that are linked."""
        return (self.linked - self.linked_without) / max(1, self.anaphoric)

    @property
    def left_alone(self) -> float:
        """Share of the rows without an antecedent that are not linked."""
        without = self.rows - self.anaphoric
        return 1 - self.linked_without / max(1, without)


def read_cases(path: Path = DATA, part: str = "all") -> list[Case]:
    """Reads the rows of a part, ``all`` for every row."""
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        for name in ("antecedents", "groups"):
            fields[name] = tuple((start, end) for start, end in fields[name])
        cases.append(Case(**{**fields, "anaphor": tuple(fields["anaphor"])}))
    return [c for c in cases if part in ("all", c.part)]


def link_of(case: Case, parsed: Parsed, clusters: Iterable[Sequence[Mention]]) -> Link | None:
    """Returns the link of the case's anaphor; None where it is in no cluster with an earlier mention. A name inside the
    anaphor ("the Uzbekistan team") is not the anaphor.
    """
    start, end = case.anaphor
    for cluster in clusters:
        heads = [parsed.offsets[m.sentence][m.head] for m in cluster]
        anaphor = next(
            (m for m, head in zip(cluster, heads, strict=True) if start <= head < end <= _span(parsed, m)[1]), None
        )
        earlier = [(head, m) for m, head in zip(cluster, heads, strict=True) if head < start]
        if anaphor is None or not earlier:
            continue
        _, nearest = max(earlier, key=lambda item: item[0])
        _, replacing = min(earlier, key=lambda item: (_RANK[item[1].kind], item[0]))
        return Link(
            nearest=_span(parsed, nearest),
            replacing=_span(parsed, replacing),
            right=_is_right(case, parsed, nearest) and _is_right(case, parsed, replacing),
            confidence=anaphor.confidence,
        )
    return None


def _span(parsed: Parsed, mention: Mention) -> Span:
    offsets = parsed.offsets[mention.sentence]
    last = parsed.sentences[mention.sentence].tokens[mention.end - 1].text
    return offsets[mention.start], offsets[mention.end - 1] + len(last)


def _is_right(case: Case, parsed: Parsed, mention: Mention) -> bool:
    head = parsed.offsets[mention.sentence][mention.head]
    start, end = _span(parsed, mention)
    return any(s <= head < e for s, e in case.antecedents) or any(start <= s and e <= end for s, e in case.groups)


def score(cases: Sequence[Case], links: Sequence[Link | None], *, cut: float = 0.0) -> Score:
    """Counts; links below the cut are not there."""
    kept = [(c, k) for c, k in zip(cases, links, strict=True) if k is not None and k.confidence >= cut]
    return Score(
        rows=len(cases),
        anaphoric=sum(c.has_antecedent for c in cases),
        linked=len(kept),
        right=sum(k.right for _, k in kept),
        linked_without=sum(not c.has_antecedent for c, _ in kept),
    )


def by_kind(cases: Sequence[Case], links: Sequence[Link | None], *, cut: float) -> dict[str, Score]:
    """Scores of each kind at a cut."""
    scores = {}
    for kind in KINDS:
        own = [(c, k) for c, k in zip(cases, links, strict=True) if c.kind == kind]
        scores[kind] = score([c for c, _ in own], [k for _, k in own], cut=cut)
    return scores


def resolve(cases: Sequence[Case], coref: str) -> list[Link | None]:
    """Parses the cases and lets the adapter of that name resolve each."""
    resolver = load_resolver(coref)
    links = []
    for case, parsed in zip(cases, parse(load_model(), [Text(c.id, c.title, c.text) for c in cases]), strict=True):
        clusters = resolver.resolve(parsed.sentences, title=case.title) if resolver is not None else ()
        links.append(link_of(case, parsed, clusters))
    return links


def figures(cases: Sequence[Case], links: Sequence[Link | None], *, cut: float = CUT) -> dict[str, object]:
    """Returns what the last line says."""

    def shares(counts: Score) -> dict[str, float]:
        return {
            "rows": counts.rows,
            "precision_at_cut": round(counts.precision, 4),
            "answered_at_cut": round(counts.answered, 4),
            "left_alone": round(counts.left_alone, 4),
        }

    kinds = {kind: shares(counts) for kind, counts in by_kind(cases, links, cut=cut).items()}
    return {**shares(score(cases, links, cut=cut)), "by_kind": kinds, "cut": cut}


def _print_errors(cases: Sequence[Case], links: Sequence[Link | None]) -> None:
    for case, link in zip(cases, links, strict=True):
        linked = link if link is not None and link.confidence >= CUT else None
        if linked.right if linked else not case.has_antecedent:
            continue
        anaphor = case.text[slice(*case.anaphor)]
        meant = sorted({case.text[s:e] for s, e in (*case.antecedents, *case.groups)})
        said = "nothing"
        if link is not None:
            mentions = " and ".join(repr(case.text[slice(*s)]) for s in (link.replacing, link.nearest))
            said = f"{mentions} at {link.confidence:.2f}, {'right' if link.right else 'wrong'}"
        print(f"{'WRONG' if linked else 'missed'} {case.id} [{case.title}] {anaphor!r} means {meant}, linked to {said}")


def main(argv: list[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coref", default="sieve", choices=NAMES)
    parser.add_argument("--part", default="all", choices=(*PARTS, "all"))
    parser.add_argument(
        "--data", type=Path, default=DATA, help="rows of the same form (default: those that come with it)"
    )
    parser.add_argument("--errors", action="store_true", help="list wrong and missing links at the cut")
    options = parser.parse_args(argv)
    cases = read_cases(options.data, options.part)
    links = resolve(cases, options.coref)
    if options.errors:
        _print_errors(cases, links)
    print(f"{'':14} {'rows':>5} {'linked':>7} {'right':>6} {'P':>6} {'answered':>9} {'left alone':>11}")
    lines = [(f"{kind}, {CUT}", s) for kind, s in by_kind(cases, links, cut=CUT).items()]
    lines += [(f"all, {cut}", score(cases, links, cut=cut)) for cut in sorted({0.0, *CUTS, CUT})]
    for name, s in lines:
        shares = f"{s.precision:6.3f} {s.answered:9.3f} {s.left_alone:11.3f}"
        print(f"{name:14} {s.rows:5} {s.linked:7} {s.right:6} {shares}")
    print(json.dumps(figures(cases, links)))


if __name__ == "__main__":
    main()
