"""What the rules make of stored parses, with every check at work and with one of them taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmarks.check_tables import Predicate, with_predicates, without
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.checks import Check
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import AnnotatedDocument


class Made(NamedTuple):
    """A row, as far as checks can change it."""

    type: str
    connective: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, or a pair of them, that the rules judge; ``rows`` are what they make of it."""

    document: str
    index: int
    parses: tuple[Parse, ...]
    links: Links
    rows: frozenset[Made]

    @property
    def text(self) -> str:
        """The text, tokens joined by spaces."""
        return " ".join(t.text for p in self.parses for t in p.tokens)


@dataclass(slots=True)
class Effect:
    """What a check does.

    Attributes:
        asked: how often it is asked.
        refuses: how often it holds.
        alone: rows that come when it is taken out.
        changed: rows that are others without it: another type, or other words.
        lost: rows that go without it, as another split of the same text comes before them.
        examples: of the rows that come, with their units.
    """

    asked: int = 0
    refuses: int = 0
    alone: int = 0
    changed: int = 0
    lost: int = 0
    examples: list[tuple[Unit, Made]] = field(default_factory=list, repr=False)

    def add(self, before: frozenset[Made], after: frozenset[Made]) -> frozenset[Made]:
        """Counts what became of a unit; returns the rows that came."""
        came, went = len(after - before), len(before - after)
        self.changed += min(came, went)
        self.alone += came - min(came, went)
        self.lost += went - min(came, went)
        return after - before if came > went else frozenset()


def units(documents: Iterable[AnnotatedDocument], config: DiscoFuseConfig) -> Iterator[Unit]:
    """Yields what the rules judge, without sentences that the recipe rejects unseen."""
    recipe = DiscoFuse(config)
    for document in documents:
        parses = [Parse(s) for s in document.sentences]
        links = Links(document.clusters)
        for kind, index, found in recipe.judged(document, parses):
            if isinstance(found, tuple):
                texts = tuple(parses[index : index + 1 + (kind == "pairs")])
                yield Unit(document.id, index, texts, links, rows_of(found))


def rows_of(candidates: Iterable[Any]) -> frozenset[Made]:
    """Returns the rows of the accepted candidates."""
    return frozenset(
        Made(c.discourse_type.name, c.connective_string, c.incoherent_first_sentence, c.incoherent_second_sentence)
        for c in candidates
        if c.verdict.accepted
    )


def judge(unit: Unit, splitter: Splitter) -> frozenset[Made]:
    """Returns the rows that the rules now make of a unit."""
    return rows_of(splitter.candidates(*unit.parses, links=unit.links, index=unit.index))


def record(units: Sequence[Unit], config: DiscoFuseConfig, effects: dict[str, Effect]) -> list[frozenset[str]]:
    """Counts what the checks answer, and returns the ids of those that hold in each unit."""
    held: set[str] = set()

    def recording(check: Check[Any]) -> Predicate:
        effect = effects[check.id]

        def holds(parse: Any, match: Any) -> bool:
            answer = check.holds(parse, match)
            effect.asked += 1
            if answer:
                effect.refuses += 1
                held.add(check.id)
            return answer

        return holds

    found = []
    splitter = Splitter(config)
    with with_predicates(recording):
        for unit in units:
            held.clear()
            judge(unit, splitter)
            found.append(frozenset(held))
    return found


def take_out(id: str, at: Sequence[Unit], config: DiscoFuseConfig, effect: Effect, *, keep: int) -> None:
    """Judges units without a check, and adds what that does to an effect, with at most ``keep`` examples of rows that
    come."""
    splitter = Splitter(config)  # a new one: it remembers verdicts
    with without(id):
        for unit in at:
            came = effect.add(unit.rows, judge(unit, splitter))
            effect.examples.extend((unit, row) for row in sorted(came)[: max(0, keep - len(effect.examples))])
