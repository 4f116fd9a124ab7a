"""What the rules make of stored parses, with every check at work and with one of them taken out."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from benchmarks.check_sites import RECORD, Check, Source, code_without, recorded
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import AnnotatedDocument

# Without a check a loop may have no end: seconds of processor time for a unit, and how often they may pass.
_LONGEST = 0.5
_PATIENCE = 2


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
        asked: how often it is asked; of a way, how often its function is.
        fires: how often it answers True, or with something; of a way, how often it decides.
        gained: rows that come when it is taken out.
        changed: rows that it makes other rows: another type, or other words.
        lost: rows that go with it.
        broken: units at which the rules fail without it.
        examples: of the rows that come, with their units.
    """

    asked: int = 0
    fires: int = 0
    gained: int = 0
    changed: int = 0
    lost: int = 0
    broken: int = 0
    examples: list[tuple[Unit, Made]] = field(default_factory=list, repr=False)

    def add(self, before: frozenset[Made], after: frozenset[Made] | None) -> frozenset[Made]:
        """Counts what became of a unit, None where the rules failed; returns the rows that came."""
        if after is None:
            self.broken += 1
            return frozenset()
        came, went = len(after - before), len(before - after)
        self.changed += min(came, went)
        self.gained += came - min(came, went)
        self.lost += went - min(came, went)
        return after - before if came > went else frozenset()

    @property
    def role(self) -> str:
        """What the check is for, by what happens without it: `refuses` (rows come or change), `lets pass` (rows go),
        `both`, `needed` (the rules only fail), or `none`."""
        if self.gained or self.changed:
            return "both" if self.lost else "refuses"
        return "lets pass" if self.lost else "needed" if self.broken else "none"

    @property
    def is_none(self) -> bool:
        """Whether no row comes, changes or goes, and nothing fails."""
        return not (self.gained or self.changed or self.lost or self.broken)


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


def try_(unit: Unit, splitter: Splitter) -> frozenset[Made] | None:
    """Returns the rows that the rules now make of a unit, or None where they fail.

    Raises:
        TimeoutError: they do not end.
    """
    signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
    try:
        return judge(unit, splitter)
    except TimeoutError:
        raise
    except Exception:  # whatever the rules run into without a check that they count on
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def replaced(codes: Iterable[tuple[FunctionType, CodeType]]) -> Iterator[None]:
    """Gives functions other code for a while. So every reference to a function is met, wherever it was imported."""
    kept = []
    try:
        for function, code in codes:
            kept.append((function, function.__code__))
            function.__code__ = code
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


class Recorder:
    """Counts what checks answer, and names those that fire in a unit."""

    def __init__(self, sources: Sequence[Source], effects: dict[str, Effect]) -> None:
        self.fired: set[str] = set()
        self._effects = effects
        self._codes = [(s.function, self._recording(s)) for s in sources]

    def _recording(self, source: Source) -> CodeType:
        spaces = source.function.__globals__
        inner = FunctionType(
            recorded(source), spaces, source.name, source.function.__defaults__, source.function.__closure__
        )
        inner.__kwdefaults__ = source.function.__kwdefaults__
        name = source.name

        def outer(*given: Any, **named: Any) -> Any:
            answer = inner(*given, **named)
            effect = self._effects[name]
            effect.asked += 1
            if answer is not None and answer is not False:
                effect.fires += 1
                self.fired.add(name)
            return answer

        number = f"{RECORD}{source.name}"
        spaces[number] = outer
        spaces[RECORD] = self._way
        made: dict[str, FunctionType] = {}
        exec(f"def recording(*given, **named): return globals()[{number!r}](*given, **named)", made)
        return made["recording"].__code__

    def _way(self, name: str, answer: Any) -> Any:
        if answer:
            self._effects[name].fires += 1
            self.fired.add(name)
        return answer

    def record(self, units: Sequence[Unit], splitter: Splitter) -> list[frozenset[str]]:
        """Returns the ids of the checks that fire in each unit.

        Raises:
            AssertionError: recorded rules make other rows.
        """
        found = []
        with replaced(self._codes):
            for unit in units:
                self.fired.clear()
                assert judge(unit, splitter) == unit.rows, f"recording changes rows: {unit.text}"
                found.append(frozenset(self.fired))
        return found


def without(checks: Sequence[Check], at: Sequence[Unit], config: DiscoFuseConfig, effect: Effect, *, keep: int) -> None:
    """Judges units without some checks, and adds what that does to an effect, with at most ``keep`` examples of rows
    that come. Units behind the second at which the rules do not end are left out."""
    splitter = Splitter(config)  # a new one: it remembers verdicts
    signal.signal(signal.SIGVTALRM, _too_long)
    endless = 0
    with replaced(code_without(checks)):
        for unit in at:
            try:
                rows = try_(unit, splitter)
            except TimeoutError:
                rows = None
                endless += 1
            came = effect.add(unit.rows, rows)
            effect.examples.extend((unit, row) for row in sorted(came)[: max(0, keep - len(effect.examples))])
            if endless == _PATIENCE:
                break


def _too_long(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError("the rules did not end")
